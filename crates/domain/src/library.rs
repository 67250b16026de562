//! Libraries: where links go, and what kind of title each one holds.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::recognised::TitleKind;

/// What a library holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LibraryKind {
    /// Films.
    Movie,
    /// Series with seasons.
    Series,
    /// Anime, which counts by absolute numbers as well.
    Anime,
    /// Anything else.
    Other,
}

/// How a file gets into a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkMode {
    /// A hard link, strictly: never a silent copy.
    Hardlink,
    /// A copy-on-write clone.
    Reflink,
    /// A copy.
    Copy,
    /// A symbolic link.
    Symlink,
}

/// One configured library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The name people use for it; unique.
    pub name: String,
    /// What it holds.
    pub kind: LibraryKind,
    /// Its folder. A configured root that is missing is never made: it may be
    /// a disk that is not mounted.
    pub root: PathBuf,
    /// How files get in.
    pub mode: LinkMode,
}

/// The text is not one of the words allowed there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not one of {allowed}")]
pub struct ParseWordError {
    found: String,
    allowed: &'static str,
}

impl LibraryKind {
    /// The word of the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LibraryKind::Movie => "movie",
            LibraryKind::Series => "series",
            LibraryKind::Anime => "anime",
            LibraryKind::Other => "other",
        }
    }
}

impl From<TitleKind> for LibraryKind {
    fn from(kind: TitleKind) -> Self {
        match kind {
            TitleKind::Movie => LibraryKind::Movie,
            TitleKind::Series => LibraryKind::Series,
            TitleKind::Anime => LibraryKind::Anime,
            TitleKind::Other => LibraryKind::Other,
        }
    }
}

impl LinkMode {
    /// The word of the configuration and of `file_link.mode`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LinkMode::Hardlink => "hardlink",
            LinkMode::Reflink => "reflink",
            LinkMode::Copy => "copy",
            LinkMode::Symlink => "symlink",
        }
    }
}

impl fmt::Display for LibraryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for LinkMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for LibraryKind {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        match text {
            "movie" => Ok(LibraryKind::Movie),
            "series" => Ok(LibraryKind::Series),
            "anime" => Ok(LibraryKind::Anime),
            "other" => Ok(LibraryKind::Other),
            _ => Err(ParseWordError {
                found: text.to_owned(),
                allowed: "movie, series, anime, other",
            }),
        }
    }
}

impl FromStr for LinkMode {
    type Err = ParseWordError;

    fn from_str(text: &str) -> Result<Self, ParseWordError> {
        match text {
            "hardlink" => Ok(LinkMode::Hardlink),
            "reflink" => Ok(LinkMode::Reflink),
            "copy" => Ok(LinkMode::Copy),
            "symlink" => Ok(LinkMode::Symlink),
            _ => Err(ParseWordError {
                found: text.to_owned(),
                allowed: "hardlink, reflink, copy, symlink",
            }),
        }
    }
}

#[cfg(test)]
mod tests;
