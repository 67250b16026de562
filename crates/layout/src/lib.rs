//! From a recognised torrent to links in a library, and back.
//!
//! **Invariant.** Planning touches no file: the same input always gives the same
//! [`Plan`], and the plan that is shown is the plan that is executed. Executing
//! touches files only, through the port `Files`, which cannot write into one.
//!
//! Deliberately absent: SQL, a clock, any way to overwrite, move or delete a
//! file that is not a link of ours, and any silent fall-back from linking to
//! copying.

mod below;
mod error;
mod execute;
mod existing;
mod name;
mod plan;
mod recover;
mod target;
mod undo;

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod plan_tests;

pub use error::{LinkError, LinkErrorKind};
pub use execute::{LinkToMake, MadeLink, execute, temporary_name};
pub use existing::{CheckError, check_sources, check_targets, first_not_in_place};
pub use name::{name_key, safe_component};
pub use plan::{Conflict, ConflictKind, Plan, PlanInput, PlannedLink, SkipReason, Skipped, plan};
pub use recover::{Recovered, RecoveredState, recover};
pub use undo::{KeptReason, LinkToRemove, UndoReport, undo};
