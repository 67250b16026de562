//! Whether one work is sure to be the one that is meant.
//!
//! Being wrong costs more than asking, so everything that speaks against it is
//! collected as a doubt, and only a work without any doubt is sure.

use tracker_domain::metadata::WorkKind;
use tracker_domain::recognised::{Recognised, TitleKind, Verdict};
use tracker_domain::remark::{Quoted, Remark};

use super::year::YearMatch;
use super::{episodes, score::Scored, titles, year};

/// How far the best work has to be ahead of the next.
const MARGIN: f64 = 0.15;

/// What the works that were found come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// How sure it is.
    pub verdict: Verdict,
    /// The place of the best work in the list, also where it is not sure.
    pub best: Option<usize>,
    /// All that keeps it from being sure, the doubts of the names among it.
    pub doubts: Vec<Remark>,
}

/// Judges a list that [`score`](super::score) made from the same recognition.
#[must_use]
pub fn judge(recognised: &Recognised, scored: &[Scored]) -> Judgement {
    let mut doubts = own_doubts(recognised);
    let Some(at) = best(scored) else {
        let nothing = scored.is_empty();
        doubts.push(match scored.first().and_then(|first| first.excluded.clone()) {
            Some(reason) => Remark::OnlyOtherWorks { reason: Box::new(reason) },
            None => Remark::NoSuchWork,
        });
        let verdict = if nothing { Verdict::Unknown } else { Verdict::Doubt };
        return Judgement { verdict, best: None, doubts };
    };
    let view = View { recognised, scored, at };
    doubts.extend(view.doubts());
    let mut seen = Vec::new();
    doubts.retain(|doubt| {
        let new = !seen.contains(doubt);
        seen.push(doubt.clone());
        new
    });
    let verdict = if doubts.is_empty() { Verdict::Sure } else { Verdict::Doubt };
    Judgement { verdict, best: Some(at), doubts }
}

/// The first of the highest.
fn best(scored: &[Scored]) -> Option<usize> {
    let candidates = scored.iter().enumerate().filter(|(_, scored)| scored.is_candidate());
    let higher = |best: (usize, &Scored), next: (usize, &Scored)| {
        matches!(next.1.score.total_cmp(&best.1.score), std::cmp::Ordering::Greater)
    };
    let mut found: Option<(usize, &Scored)> = None;
    for (at, next) in candidates {
        if found.is_none_or(|best| higher(best, (at, next))) {
            found = Some((at, next));
        }
    }
    found.map(|(at, _)| at)
}

/// The doubts of the names, without those that a source settles.
fn own_doubts(recognised: &Recognised) -> Vec<Remark> {
    let mut doubts: Vec<Remark> =
        recognised.doubts.iter().filter(|doubt| !settled_by_a_source(doubt)).cloned().collect();
    let plain = match recognised.verdict {
        Verdict::Sure => true,
        // Then only such were there.
        Verdict::Doubt => !recognised.doubts.is_empty(),
        Verdict::Unknown => false,
    };
    if !plain && doubts.is_empty() {
        doubts.push(Remark::NotPlain);
    }
    doubts
}

fn settled_by_a_source(doubt: &Remark) -> bool {
    crate::SETTLED_BY_A_SOURCE.contains(doubt)
}

/// The best work among all that were found.
struct View<'a> {
    recognised: &'a Recognised,
    scored: &'a [Scored],
    at: usize,
}

impl<'a> View<'a> {
    fn doubts(&self) -> Vec<Remark> {
        let Some(best) = self.scored.get(self.at) else {
            return Vec::new();
        };
        let found = [
            self.title_doubt(best),
            self.year_doubt(best),
            self.kind_doubt(best),
            self.episodes_doubt(best),
            self.rival_doubt(best),
        ];
        found.into_iter().flatten().collect()
    }

    fn title_doubt(&self, best: &Scored) -> Option<Remark> {
        let found = titles::compare(&self.recognised.fields, &best.work);
        (!found.is_equal()).then_some(found.detail)
    }

    fn year_doubt(&self, best: &Scored) -> Option<Remark> {
        let fields = &self.recognised.fields;
        let found = year::compare(fields, &best.work);
        let series = best.work.id.kind == WorkKind::Series;
        match found {
            YearMatch::Exact => None,
            YearMatch::OneOff
            | YearMatch::SeveralSeasons
            | YearMatch::TheirsUnknown
            | YearMatch::Other => Some(year::points(found, fields, &best.work).1),
            YearMatch::OursUnknown if !series => Some(Remark::FilmsOfOneName),
            YearMatch::OursUnknown | YearMatch::LaterSeason if self.alike() > 1 => {
                Some(Remark::SeveralWorks)
            }
            // Seasons that fit would stand for the year.
            YearMatch::OursUnknown if best.work.seasons.is_empty() => {
                Some(Remark::NoYearNorSeasons)
            }
            YearMatch::OursUnknown | YearMatch::LaterSeason => None,
        }
    }

    fn kind_doubt(&self, best: &Scored) -> Option<Remark> {
        let doubt = match self.recognised.fields.kind {
            None => Remark::FilmOrSeries,
            Some(TitleKind::Anime) if !best.work.animated => Remark::NotAnimated,
            Some(_) => return None,
        };
        Some(doubt)
    }

    fn episodes_doubt(&self, best: &Scored) -> Option<Remark> {
        if best.work.id.kind != WorkKind::Series {
            return None;
        }
        let fit = episodes::fit(self.recognised, &best.work);
        fit.doubtful.then_some(fit.detail)
    }

    /// Two works of one name and year are a question for a person, always.
    fn rival_doubt(&self, best: &Scored) -> Option<Remark> {
        let same = |other: &&Scored| {
            other.work.year == best.work.year
                && (titles::share_a_name(&best.work, &other.work)
                    || titles::compare(&self.recognised.fields, &other.work).is_equal())
        };
        if let Some(rival) = self.others().find(same) {
            return Some(Remark::SameTitleAndYear { work: rival.work.id });
        }
        // A hair's breadth is left for the last digits of a sum.
        let close = |other: &&Scored| best.score - other.score < MARGIN - 1e-9;
        let rival = self.others().find(close)?;
        let (title, work) = (Quoted(rival.work.title.clone()), rival.work.id);
        Some(match rival.work.year {
            Some(year) => Remark::RivalOfYear { title, year, work },
            None => Remark::Rival { title, work },
        })
    }

    fn others(&self) -> impl Iterator<Item = &'a Scored> {
        let at = self.at;
        let others = self.scored.iter().enumerate().filter(move |(other, _)| *other != at);
        others.map(|(_, scored)| scored).filter(|scored| scored.is_candidate())
    }

    /// How many candidates have the title.
    fn alike(&self) -> usize {
        let fields = &self.recognised.fields;
        let candidates = self.scored.iter().filter(|scored| scored.is_candidate());
        candidates.filter(|scored| titles::compare(fields, &scored.work).is_equal()).count()
    }
}
