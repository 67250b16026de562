//! Batches whose process is ended with `SIGKILL`, at random moments and at every
//! step, on the disk that is built on, and what the next start makes of them.
//!
//! Each test runs itself again as the process that is killed. That one does what
//! the product does; files stand in for the rows of the database.
//! `TRACKER_SOAK` asks for more rounds, `TRACKER_TEST_SEED` repeats a run.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod child;
mod every_step;
mod journal;
mod look;
mod mortal;
mod phase;
mod product;
mod random;
mod scene;
mod world;

use tracker_domain::{BatchId, FileLinkId};

fn batch_id() -> BatchId {
    tracker_ident::derived(1_700_000_000_000, 0, "apply_batch").typed()
}

fn link_id(number: u64) -> FileLinkId {
    tracker_ident::derived(1_700_000_000_000, number, "file_link").typed()
}
