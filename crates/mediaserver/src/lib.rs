//! The adapters for media servers: the port `MediaServer` over the APIs of
//! Jellyfin and Plex.
//!
//! They map our folders to the server's, look whether it has a library there,
//! and have exactly these folders scanned. They decide nothing about when, keep
//! nothing between calls, and never try again by themselves.

mod call;
mod config;
mod jellyfin;
mod paths;
mod plex;
mod sections;

pub use config::{LONGEST_CALL, MediaServerConfig, MediaServerConfigError, PathMapping};
pub use jellyfin::Jellyfin;
pub use plex::Plex;

#[cfg(test)]
mod tests;
