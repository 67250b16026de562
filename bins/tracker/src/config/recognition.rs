//! `[recognition]`: what recognition may do by itself.

use super::reader::Section;

/// When a match is accepted without a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoAccept {
    /// Never.
    Never,
    /// When recognition is sure.
    Confident,
}

/// The section `[recognition]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognition {
    /// When a match is accepted without a person.
    pub auto_accept: AutoAccept,
}

impl Recognition {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Recognition {
            auto_accept: section.word(
                "auto_accept",
                AutoAccept::Confident,
                &[("never", AutoAccept::Never), ("confident", AutoAccept::Confident)],
            ),
        }
    }
}
