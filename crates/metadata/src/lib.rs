//! The adapters for the sources of titles: the port `MetadataSource` over the
//! APIs of TMDB and TVmaze.
//!
//! They report what a source says and decide nothing about downloads. Every
//! call passes one guard, which keeps the source's limits, leaves a source that
//! is down alone, and never waits for either. An answer is read as far as it is
//! understood, whatever the server sends.

mod call;
mod config;
mod gate;
mod guard;
mod html;
mod names;
mod posters;
mod read;
mod retry_after;
mod status;
mod tmdb;
mod tvmaze;

pub use config::{LONGEST_CALL, MetadataConfigError, PostersConfig, TmdbConfig, TvmazeConfig};
pub use posters::Posters;
pub use status::{MetadataStatus, SourceState};
pub use tmdb::Tmdb;
pub use tvmaze::Tvmaze;

#[cfg(test)]
mod tests;
