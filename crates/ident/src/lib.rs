//! ULIDs: the single point where an id is made or parsed.
//!
//! This crate never reads a clock. The caller gives the time, and the write
//! transaction of `store` gives the floor that every new id has to exceed, so
//! that ids increase in commit order even across processes.

mod generator;
mod id;

pub use generator::{Generator, derived};
pub use id::{AnyId, Id, ParseIdError};
