//! The seasons and episodes of the files against those of a work.

use tracker_domain::metadata::{SeasonOutline, Work};
use tracker_domain::recognised::{EpisodeNumber, Fields, Recognised, Role, TitleKind};
use tracker_domain::remark::Remark;

use super::overrides::said;
use super::through;

/// What one file, or the torrent as a whole, counts.
struct Counted<'a> {
    season: Option<u32>,
    episodes: &'a [EpisodeNumber],
    absolute: &'a [EpisodeNumber],
}

/// How the numbers fit a work.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    pub points: f64,
    /// Why.
    pub detail: Remark,
    /// It keeps the work from being sure.
    pub doubtful: bool,
}

impl Fit {
    fn good(points: f64, detail: Remark) -> Fit {
        Fit { points, detail, doubtful: false }
    }

    fn bad(points: f64, detail: Remark) -> Fit {
        Fit { points, detail, doubtful: true }
    }
}

/// Compares all numbers, and tells the worst that was found.
pub(super) fn fit(recognised: &Recognised, work: &Work) -> Fit {
    if work.seasons.is_empty() {
        return Fit::good(0.04, Remark::SeasonsNotKnown);
    }
    let through = counts_through(recognised);
    let mut fits: Vec<Fit> = counted(recognised)
        .iter()
        .map(|counted| fit_one(counted, &work.seasons, through))
        .chain(fit_count(&recognised.fields, &work.seasons))
        .collect();
    fits.sort_by(|one, other| {
        other.doubtful.cmp(&one.doubtful).then(one.points.total_cmp(&other.points))
    });
    fits.into_iter().next().unwrap_or_else(|| Fit::good(0.04, Remark::EpisodesNotNamed))
}

/// Whether numbers without a season are known to count through all of them:
/// anime does, and a person may say so.
fn counts_through(recognised: &Recognised) -> bool {
    recognised.fields.kind == Some(TitleKind::Anime)
        || said(recognised, "numbering") == Some("absolute")
}

fn counted(recognised: &Recognised) -> Vec<Counted<'_>> {
    let whole = &recognised.fields;
    let only = match whole.seasons.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let mut all = Vec::new();
    for file in recognised.files.iter().filter(|file| file.role == Role::Main) {
        let own = &file.fields;
        let numbered = !(own.episodes.is_empty() && own.absolute_episodes.is_empty());
        if numbered || !own.seasons.is_empty() {
            add(&mut all, own, if own.seasons.is_empty() { only } else { None });
        }
    }
    if all.is_empty() {
        add(&mut all, whole, None);
    }
    all
}

fn add<'a>(all: &mut Vec<Counted<'a>>, fields: &'a Fields, otherwise: Option<u32>) {
    let (episodes, absolute) = (fields.episodes.as_slice(), fields.absolute_episodes.as_slice());
    let seasons = fields.seasons.iter().copied().map(Some);
    let before = all.len();
    all.extend(seasons.map(|season| Counted { season, episodes, absolute }));
    let numbered = !(episodes.is_empty() && absolute.is_empty());
    if all.len() == before && (numbered || otherwise.is_some()) {
        all.push(Counted { season: otherwise, episodes, absolute });
    }
}

fn fit_one(counted: &Counted<'_>, seasons: &[SeasonOutline], through: bool) -> Fit {
    let numbers = if counted.episodes.is_empty() { counted.absolute } else { counted.episodes };
    if let Some(number) = numbers.iter().copied().find(|number| number.as_whole().is_none()) {
        return Fit::bad(0.0, Remark::EpisodeBetween { number });
    }
    if let ([], [first, ..]) = (counted.episodes, counted.absolute) {
        return fit_through(counted, *first, seasons, through);
    }
    let regular = through::regular(seasons);
    let season = match (counted.season, regular.as_slice()) {
        (Some(season), _) => season,
        (None, [only]) => only.number,
        (None, _) => {
            let seasons = regular.len().try_into().unwrap_or(u64::MAX);
            return Fit::bad(0.02, Remark::SeasonNotNamed { seasons });
        }
    };
    let Some(outline) = seasons.iter().find(|outline| outline.number == season) else {
        return match season {
            0 => Fit::bad(0.0, Remark::NoSpecials),
            _ => Fit::bad(-0.3, Remark::NoSuchSeason { season }),
        };
    };
    match counted.episodes.iter().copied().max() {
        Some(last) if outline.episodes > 0 && last > EpisodeNumber::whole(outline.episodes) => {
            let episodes = outline.episodes;
            Fit::bad(-0.12, Remark::SeasonIsShorter { season, episodes, last })
        }
        _ => Fit::good(0.08, Remark::EpisodesFit),
    }
}

fn fit_through(
    counted: &Counted<'_>,
    number: EpisodeNumber,
    seasons: &[SeasonOutline],
    through: bool,
) -> Fit {
    if through::place_all(seasons, counted.absolute).is_none() {
        let episodes = through::total(seasons);
        return Fit::bad(-0.15, Remark::NumberHasNoPlace { number, episodes });
    }
    if through && counted.season.is_none() {
        return Fit::good(0.08, Remark::CountsThrough);
    }
    Fit::bad(0.02, Remark::MayCountThrough { number })
}

/// `1-8 из 10` against the length of the season.
fn fit_count(fields: &Fields, seasons: &[SeasonOutline]) -> Option<Fit> {
    let (count, [season]) = (fields.episode_count?, fields.seasons.as_slice()) else {
        return None;
    };
    let outline = seasons.iter().find(|outline| outline.number == *season)?;
    let has = outline.episodes;
    if has == 0 || has == count {
        return None;
    }
    let detail = Remark::OtherEpisodeCount { named: count, season: *season, episodes: has };
    // A name that speaks of fewer may tell a part of the season.
    Some(Fit { points: -0.05, detail, doubtful: count > has })
}
