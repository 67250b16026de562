//! `[watch]`: a folder whose `.torrent` files are taken in.

use std::path::PathBuf;

use super::reader::Section;

/// The section `[watch]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The folder; `None` watches nothing.
    pub dir: Option<PathBuf>,
}

impl Watch {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Watch { dir: section.path("dir", None) }
    }
}
