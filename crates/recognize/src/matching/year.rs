//! The year of the names against that of a work.

use tracker_domain::metadata::{Work, WorkKind};
use tracker_domain::recognised::Fields;

/// What the two years say about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum YearMatch {
    /// The same.
    Exact,
    /// One year apart: databases differ by that much.
    OneOff,
    /// The names of a later season tell the year of that season.
    LaterSeason,
    /// The names of the first and later seasons may tell the year of any of them.
    SeveralSeasons,
    /// The names give none.
    OursUnknown,
    /// The source gives none.
    TheirsUnknown,
    /// Two or more years apart.
    Other,
}

pub(super) fn compare(fields: &Fields, work: &Work) -> YearMatch {
    let (Some(ours), Some(theirs)) = (fields.year, work.year) else {
        return if work.year.is_none() { YearMatch::TheirsUnknown } else { YearMatch::OursUnknown };
    };
    if ours == theirs {
        YearMatch::Exact
    } else if work.id.kind == WorkKind::Series && theirs < ours && last_season(fields) >= Some(2) {
        let later = fields.seasons.iter().all(|season| *season >= 2);
        if later { YearMatch::LaterSeason } else { YearMatch::SeveralSeasons }
    } else if ours.abs_diff(theirs) == 1 || fields.year_end == Some(theirs) {
        YearMatch::OneOff
    } else {
        YearMatch::Other
    }
}

fn last_season(fields: &Fields) -> Option<u32> {
    fields.seasons.iter().max().copied()
}

/// What it counts, and why in words for a person.
pub(super) fn points(found: YearMatch, fields: &Fields, work: &Work) -> (f64, String) {
    let (ours, theirs) = (shown(fields.year), shown(work.year));
    match found {
        YearMatch::Exact => (0.25, format!("{ours} is the year of the work")),
        YearMatch::OneOff => (0.05, format!("{ours} is a year off: the source says {theirs}")),
        YearMatch::LaterSeason => {
            (0.1, format!("{ours} may be the year of the season; it began in {theirs}"))
        }
        YearMatch::SeveralSeasons => {
            (0.05, format!("{ours} may be the year of a later season; it began in {theirs}"))
        }
        YearMatch::OursUnknown => {
            (0.12, format!("the names give no year; the work is of {theirs}"))
        }
        YearMatch::TheirsUnknown => (0.12, "the source gives no year".to_owned()),
        YearMatch::Other => (-1.0, format!("another year: {theirs}, not {ours}")),
    }
}

fn shown(year: Option<i32>) -> String {
    year.map_or_else(|| "unknown".to_owned(), |year| year.to_string())
}
