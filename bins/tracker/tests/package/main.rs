//! The Debian package, built from the debug build: what is in it, what its
//! scripts do, and the daemon started from it as the unit says; and the files
//! of the container.
//!
//! Root is needed to stand in for the service manager; nothing is skipped.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../support/notify.rs"]
mod notify;

mod container;
mod contents;
mod deb;
mod entrypoint;
mod installed;
mod unit;
