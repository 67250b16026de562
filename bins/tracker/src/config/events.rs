//! `[events]`: how long the journal is kept.

use super::reader::Section;

/// The section `[events]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Events {
    /// Days; 0 keeps all.
    pub retention_days: u64,
}

impl Events {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Events { retention_days: section.whole("retention_days", 0, 0..=36_500) }
    }
}
