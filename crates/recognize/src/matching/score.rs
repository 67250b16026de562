//! How well each work that the sources found fits what was recognised.

use std::cmp::Ordering;

use tracker_domain::metadata::{Work, WorkKind};
use tracker_domain::recognised::{Fields, Recognised, ScorePart, TitleKind};
use tracker_domain::remark::{Percent, Remark};

use super::{episodes, same, titles, year};

/// The most that popularity counts: it orders what is equal otherwise.
const POPULARITY: f64 = 0.02;

/// A work, and how well it fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The work. What several sources say of it is put together.
    pub work: Work,
    /// From 0 to 1: the sum of the parts within these bounds.
    pub score: f64,
    /// What the score is made of, in one line each.
    pub parts: Vec<ScorePart>,
    /// Why it cannot be the one that is meant, where that is so.
    pub excluded: Option<Remark>,
}

impl Scored {
    /// Whether it may be the one that is meant.
    #[must_use]
    pub fn is_candidate(&self) -> bool {
        self.excluded.is_none()
    }
}

/// Scores what the sources found, best first; what is ruled out comes last.
///
/// A work that was found more than once is listed once, under TMDB where TMDB
/// has it. The answer does not depend on the order of `works`.
#[must_use]
pub fn score(recognised: &Recognised, works: Vec<Work>) -> Vec<Scored> {
    let works = same::each_once(works);
    let mut scored: Vec<Scored> = works.into_iter().map(|work| one(recognised, work)).collect();
    scored.sort_by(order);
    scored
}

fn order(one: &Scored, other: &Scored) -> Ordering {
    let popular = |scored: &Scored| popularity(&scored.work);
    other
        .is_candidate()
        .cmp(&one.is_candidate())
        .then_with(|| other.score.total_cmp(&one.score))
        .then_with(|| popular(other).total_cmp(&popular(one)))
        .then_with(|| one.work.id.cmp(&other.work.id))
}

fn one(recognised: &Recognised, work: Work) -> Scored {
    let fields = &recognised.fields;
    let title = titles::compare(fields, &work);
    let (year_points, year_detail) = year::points(year::compare(fields, &work), fields, &work);
    let (kind_points, kind_detail) = kind(fields, &work);
    let mut parts = vec![
        part("title", titles::points(title.likeness), title.detail),
        part("year", year_points, year_detail),
        part("kind", kind_points, kind_detail),
    ];
    if work.id.kind == WorkKind::Series {
        let fit = episodes::fit(recognised, &work);
        parts.push(part("episodes", fit.points, fit.detail));
    }
    let popular = popularity(&work);
    let detail = Remark::Popularity { percent: Percent::of(popular) };
    parts.push(part("popularity", popular * POPULARITY, detail));
    let excluded = parts.iter().find(|part| part.points <= -1.0).map(|part| part.detail.clone());
    let sum: f64 = parts.iter().map(|part| part.points).sum();
    // Sums of decimals differ in their last digits; equal ones should be equal.
    let score = ((sum * 10_000.0).round() / 10_000.0).clamp(0.0, 1.0);
    Scored { work, score, parts, excluded }
}

fn part(name: &str, points: f64, detail: Remark) -> ScorePart {
    ScorePart { name: name.to_owned(), points, detail }
}

fn popularity(work: &Work) -> f64 {
    if work.popularity.is_finite() { work.popularity.clamp(0.0, 1.0) } else { 0.0 }
}

/// A film has no episodes that could speak for it, so its kind counts for both.
fn kind(fields: &Fields, work: &Work) -> (f64, Remark) {
    match (fields.kind, work.id.kind) {
        (Some(TitleKind::Movie), WorkKind::Movie) => (0.18, Remark::KindFilm),
        (Some(TitleKind::Series), WorkKind::Series) => (0.1, Remark::KindSeries),
        (Some(TitleKind::Anime), WorkKind::Series) if work.animated => (0.1, Remark::KindAnimated),
        (Some(TitleKind::Anime), WorkKind::Series) => (0.03, Remark::KindNotAnimated),
        (None, WorkKind::Movie) => (0.05, Remark::KindFilmUnsaid),
        (None, WorkKind::Series) => (0.05, Remark::KindSeriesUnsaid),
        (Some(TitleKind::Movie), WorkKind::Series) => (-1.0, Remark::KindSeriesNotFilm),
        (Some(TitleKind::Series | TitleKind::Anime), WorkKind::Movie) => {
            (-1.0, Remark::KindFilmNotSeries)
        }
        (Some(TitleKind::Other), _) => (-1.0, Remark::KindNeither),
    }
}
