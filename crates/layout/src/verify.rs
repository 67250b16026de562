//! Whether links that were made are still what they were. It only looks.

use std::path::{Path, PathBuf};

use tracker_domain::FileLinkId;
use tracker_domain::library::LinkMode;
use tracker_domain::ports::{FileIdentity, Files, FilesError};

use crate::below::Standing;

/// One link that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToVerify {
    /// The id of its row.
    pub link_id: FileLinkId,
    /// The file it was made of.
    pub source: PathBuf,
    /// Its name in the library.
    pub target: PathBuf,
    /// The file it was when it was made.
    pub identity: FileIdentity,
    /// The size of the source then.
    pub size_bytes: u64,
    /// When a copy was written. `None` does not compare it.
    pub modified_ns: Option<i64>,
    /// How it was made.
    pub mode: LinkMode,
}

/// What became of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkHealth {
    /// The target is the file that was recorded, and the source is what it was.
    Present,
    /// Nothing is at the target.
    Missing,
    /// Another file is at the target, or the file was written to.
    Replaced,
    /// The link is whole, but the source is gone.
    SourceGone,
    /// The link is whole, but another file is at the source.
    SourceReplaced,
    /// A look failed.
    Unknown(FilesError),
}

impl LinkHealth {
    /// The word of REST and of the journal.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            LinkHealth::Present => "present",
            LinkHealth::Missing => "missing",
            LinkHealth::Replaced => "replaced",
            LinkHealth::SourceGone => "source-gone",
            LinkHealth::SourceReplaced => "source-replaced",
            LinkHealth::Unknown(_) => "unknown",
        }
    }
}

/// Looks at each link below a root. Nothing is told of links whose root is away: they
/// are left out.
pub fn verify(
    files: &dyn Files,
    root: Option<&Path>,
    links: &[LinkToVerify],
) -> Vec<(FileLinkId, LinkHealth)> {
    let known = || links.iter().map(|link| link.identity);
    let standing =
        root.map_or(Ok(Some(Standing::default())), |root| Standing::look(files, root, known()));
    let Ok(Some(standing)) = standing else { return Vec::new() };
    let health = |link| look(files, &standing, link).unwrap_or_else(LinkHealth::Unknown);
    links.iter().map(|link| (link.link_id, health(link))).collect()
}

fn look(
    files: &dyn Files,
    standing: &Standing,
    link: &LinkToVerify,
) -> Result<LinkHealth, FilesError> {
    let Some(target) = files.stat(&link.target)? else {
        return Ok(LinkHealth::Missing);
    };
    // A symbolic link has a size of its own.
    let sized = link.mode != LinkMode::Symlink;
    let written = link.modified_ns.is_some_and(|written| target.modified_ns != written);
    if !standing.is(link.identity, target.identity)
        || sized && target.size_bytes != link.size_bytes
        || written
    {
        return Ok(LinkHealth::Replaced);
    }
    let Some(source) = files.stat(&link.source)? else {
        return Ok(LinkHealth::SourceGone);
    };
    let same = match link.mode {
        LinkMode::Hardlink => standing.is(link.identity, source.identity),
        // The inode of the source was never recorded.
        LinkMode::Reflink | LinkMode::Copy | LinkMode::Symlink => {
            source.is_file && source.size_bytes == link.size_bytes
        }
    };
    Ok(if same { LinkHealth::Present } else { LinkHealth::SourceReplaced })
}
