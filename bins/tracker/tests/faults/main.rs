//! What the daemon makes of faults: killed itself, a client that is down,
//! refuses or answers rubbish, a library that cannot be linked to, a data
//! directory that is not its own.
//!
//! The built binary, real qBittorrent, a proxy that spoils its answers, real
//! mounts and users. Root is needed for the last two; nothing is skipped.
//! `TRACKER_SOAK` asks for more kills, `TRACKER_TEST_SEED` repeats a run.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/fault_proxy.rs"]
mod fault_proxy;

mod answers;
mod broken_off;
mod credentials;
mod incident;
mod kills;
mod mounts;
mod outages;
mod places;
mod rights;
mod scene;
mod upkeep;
