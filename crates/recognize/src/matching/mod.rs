//! From fields to a work of a metadata source: what to ask, which answer is
//! meant, how sure that is, and what a person's word changes.
//!
//! Everything here is a function of its arguments: no clock, no I/O, no state.
//! The order of the steps is that of the names below: a person's overrides are
//! applied to fresh fields, the plan says what to ask, the answers are scored
//! and judged, and an accepted work is adopted.

mod adopt;
mod effective;
mod episodes;
mod fold;
mod judge;
mod overrides;
mod query;
mod same;
mod score;
mod through;
mod titles;
mod year;

#[cfg(test)]
mod tests;

pub use adopt::adopt;
pub use effective::effective;
pub use judge::{Judgement, judge};
pub use overrides::{
    FILE_FIELDS, OverrideError, OverrideProblem, PLAIN_FIELDS, REMEMBERED_FIELDS, ShiftRefused,
    apply_overrides, can_be_included, check_override, pinned, shift_all,
};
pub use query::{MOST_QUERIES, QueryPlan, queries};
pub use score::{Scored, score};
