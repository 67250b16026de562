//! The year of the names against that of a work.

use tracker_domain::metadata::{Work, WorkKind};
use tracker_domain::recognised::Fields;
use tracker_domain::remark::Remark;

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

/// What it counts, and why.
pub(super) fn points(found: YearMatch, fields: &Fields, work: &Work) -> (f64, Remark) {
    // One that is not known is in no remark.
    let (ours, theirs) = (fields.year.unwrap_or_default(), work.year.unwrap_or_default());
    match found {
        YearMatch::Exact => (0.25, Remark::YearSame { ours }),
        YearMatch::OneOff => (0.05, Remark::YearOff { ours, theirs }),
        YearMatch::LaterSeason => (0.1, Remark::YearOfSeason { ours, theirs }),
        YearMatch::SeveralSeasons => (0.05, Remark::YearOfLaterSeason { ours, theirs }),
        YearMatch::OursUnknown => (0.12, Remark::YearNotNamed { theirs }),
        YearMatch::TheirsUnknown => (0.12, Remark::YearNotKnown),
        YearMatch::Other => (-1.0, Remark::YearOther { theirs, ours }),
    }
}
