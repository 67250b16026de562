//! `[intake]`: where new downloads go.

use tracker_ingest::Choose;

use super::reader::Section;

/// The section `[intake]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intake {
    /// Which of the clients that fit has it.
    pub choose: Choose,
}

impl Intake {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let words = [("first", Choose::First), ("free-space", Choose::FreeSpace)];
        Intake { choose: section.word("choose", Choose::First, &words) }
    }
}
