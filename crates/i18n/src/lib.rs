//! What people read, in English and Russian, and how they read numbers and times.
//!
//! Texts live in `locales/<language>/*.ftl` (Project Fluent), one key for one meaning.
//! The English sentences of remarks are those of `domain`, so they have no file.
//! Nothing here knows of HTML, chats or terminals.

mod catalogue;
mod figures;
mod language;
mod moment;

pub use catalogue::{Argument, Catalogue, CatalogueError};
pub use figures::{percent, points, seconds, size, speed};
pub use language::accepted;
pub use moment::{ParseZoneError, Zone};

pub use tracker_domain::access::Language;

#[cfg(test)]
mod tests;
