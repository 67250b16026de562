//! The decisions, one test a scenario; `support` holds the only calls into the
//! crate.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod absence;
mod ended;
mod following;
mod marks;
mod matching;
mod merging;
mod properties;
mod support;
