//! The adapter for qBittorrent 4.5 to 5.3: the ports `TorrentClient` and
//! `TorrentControl` over its Web API.
//!
//! It reports what the client says and decides nothing about downloads. It
//! never asks `sync/maindata`: on 5.x that call can end the client's process
//! when the id of a hybrid changes.

mod add;
mod call;
mod capability;
mod client;
mod config;
mod files;
mod listing;
mod paths;
mod phase;
mod probe;
mod session;

pub use client::Qbittorrent;
pub use config::{ConfigError, Marking, PathMapping, QbittorrentConfig};

#[cfg(test)]
mod tests;
