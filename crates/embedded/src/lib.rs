//! The engine inside the daemon: the ports `TorrentClient` and `TorrentControl`
//! on librqbit.
//!
//! It knows BEP 3 only: v1 torrents, and hybrids by their v1 half. What it was
//! asked for is written down beside its own memory, so that a link whose file
//! list nobody has sent yet survives a restart, with its tags and its folder.

mod book;
mod client;
mod config;
mod device;
mod engine;
mod fetch;
mod make;
mod metadata;
mod room;
mod seeding;
mod share;
mod shown;

pub use client::Embedded;
pub use config::{EmbeddedConfig, SeedLimits};
pub use make::torrent_of;
pub use share::{Shared, Sharer};
