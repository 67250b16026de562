//! `[seeding]`: when a finished torrent has given enough.

use std::time::Duration;

use super::reader::Section;
use super::values::{duration, duration_text};

/// The section `[seeding]`. What is `None` sets no end.
#[derive(Clone, Debug, PartialEq)]
pub struct Seeding {
    /// The ratio to reach.
    pub ratio: Option<f64>,
    /// How long to seed.
    pub time: Option<Duration>,
}

impl Seeding {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Seeding {
            ratio: section.optional_number("ratio"),
            time: section.optional("time", |time| duration_text(*time), duration),
        }
    }
}
