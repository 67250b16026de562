//! What a person says about a download, field by field.
//!
//! An override is kept as text; [`check_override`] brings it into the one form
//! that is kept, and [`apply_overrides`] lets all of them act on fresh fields.

mod apply;
mod change;
mod doubts;
mod numbers;
mod said;
mod shift;

pub use apply::{OverrideProblem, apply_overrides};
pub use change::can_be_included;
pub use said::{FILE_FIELDS, OverrideError, PLAIN_FIELDS, REMEMBERED_FIELDS};
pub use shift::{ShiftRefused, shift_all};

use tracker_domain::metadata::Pin;
use tracker_domain::recognised::Recognised;

use said::Said;

/// The evidence of what a person said.
const FROM: &str = "person";
const RULE: &str = "override";

/// Reads an override, and gives its value in the form in which it is kept.
///
/// Whether a library of that name is configured, and whether the torrent has
/// that file, is for the caller to check.
///
/// # Errors
/// The field is none that can be set, or the value does not fit it.
pub fn check_override(field: &str, value: &str) -> Result<String, OverrideError> {
    Said::parse(field, value).map(|said| said.to_string())
}

/// The work that a person named, by the override `candidate`.
#[must_use]
pub fn pinned(overrides: &[(String, String)]) -> Option<Pin> {
    let named = overrides.iter().rev().find(|(field, _)| field == "candidate");
    named.and_then(|(_, value)| value.parse().ok())
}

/// What a person said about a field, where the override was applied.
pub(super) fn said<'a>(recognised: &'a Recognised, field: &str) -> Option<&'a str> {
    let entry = |known: &&tracker_domain::recognised::Evidence| {
        known.field == field && known.from == FROM && known.rule == RULE
    };
    recognised.evidence.iter().find(entry).map(|known| known.value.as_str())
}
