//! From a recognised torrent to links in a library, and back.
//!
//! **Invariant.** Planning touches no file: the same input always gives the same
//! [`Plan`], and the plan that is shown is the plan that is executed. Acting
//! touches files only, through the port `Files`, which cannot change one that is
//! there: [`stage`] makes temporary names, [`commit`] makes them visible once
//! the identities were written down, [`take_back`] and [`undo`] remove what
//! still is the file that was written down.
//!
//! Deliberately absent: SQL, a clock, any way to overwrite or delete a file that
//! is not a link of ours (what a person allows to be replaced moves to the trash
//! of the library), and any silent fall-back from linking to copying.

mod below;
mod commit;
mod disc;
mod draft;
mod error;
mod existing;
mod extra;
mod held;
mod joiner;
mod language;
mod laying;
mod links;
mod make;
mod name;
pub mod naming;
mod other_names;
mod own;
mod plan;
mod probe;
mod recover;
mod resolve;
mod sidecar;
mod stage;
mod target;
mod twins;
mod undo;
mod verify;

#[cfg(test)]
mod any_tests;
#[cfg(test)]
mod content_tests;
#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod mode_tests;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod probe_tests;
#[cfg(test)]
mod resolve_tests;

pub use commit::commit;
pub use draft::plan_as;
pub use error::{LinkError, LinkErrorKind};
pub use existing::{CheckError, check_sources, check_targets, confirm_sources, first_not_in_place};
pub use held::{NotHeld, PayloadFile, held};
pub use laying::{ApplyWish, LayError, Laying, Left, Looked, Undone};
pub use links::{LinkToMake, MadeLink, StagedLink, TRASH, WrittenLink, temporary_name, trash_path};
pub use name::{name_key, safe_component};
pub use naming::{Example, Extras, IdStyle, Naming, TemplateError};
pub use other_names::{OtherNames, other_names};
pub use own::OwnLink;
pub use plan::{
    Conflict, ConflictKind, Plan, PlanInput, PlannedLink, SkipReason, Skipped, Style, plan,
};
pub use probe::{NotProven, ProbeOutcome, probe};
pub use recover::{Recovered, RecoveredState, recover};
pub use resolve::{Action, ParseActionError, Resolution, ResolveError, other_name};
pub use stage::stage;
pub use twins::{are_twins, is_one_entry, twins_of};
pub use undo::{KeptReason, LinkToRemove, TakeBackReport, UndoReport, restore, take_back, undo};
pub use verify::{LinkHealth, LinkToVerify, verify};
