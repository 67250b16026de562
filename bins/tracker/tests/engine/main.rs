//! The built binary with the engine inside it and nothing else: no configuration
//! file, no qBittorrent, one seeder on loopback.
#![cfg(feature = "embedded")]
#![allow(clippy::unwrap_used)]

mod seeder;
mod seeding;
mod shown;
mod untouched;
mod waiting;
