//! What one link of a batch is, from the moment it is planned to the moment it
//! is removed, and the names of ours that stand beside it.

use std::path::{Path, PathBuf};

use tracker_domain::ports::FileIdentity;
use tracker_domain::{BatchId, FileLinkId};

/// The folder below the root of a library that holds what was replaced.
pub const TRASH: &str = ".tracker-trash";

/// One link of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToMake {
    /// The id of its row; the temporary name carries it.
    pub link_id: FileLinkId,
    /// The file, by an absolute path: a symbolic link leads to it as it is.
    pub source: PathBuf,
    /// Its new name.
    pub target: PathBuf,
    /// The size the file must have, where it is known.
    pub size_bytes: Option<u64>,
    /// A file at the target moves to the trash: a person allowed it, or it is a link
    /// of the same download.
    pub replace: bool,
    /// A file at the target that is what would be made.
    pub ours: Option<FileIdentity>,
}

/// One link that has its temporary name, or that was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagedLink {
    /// The id of its row.
    pub link_id: FileLinkId,
    /// Which file will be at the target: the source itself for a hard link, a
    /// new inode for a clone, a copy or a symbolic link. What everything later
    /// compares.
    pub identity: FileIdentity,
    /// The size of the source.
    pub size_bytes: u64,
    /// The target was this file before; nothing is made, and nothing is removed
    /// when the batch is taken back.
    pub there_already: bool,
    /// The file that will move to the trash.
    pub replaces: Option<FileIdentity>,
    /// When a copy was written, in nanoseconds since 1970: one that somebody wrote
    /// since is not what was made. A hard link has the time of its source.
    pub modified_ns: Option<i64>,
}

/// One link that is there now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeLink {
    /// The id of its row.
    pub link_id: FileLinkId,
    /// Which file it is: what Undo compares.
    pub identity: FileIdentity,
    /// Its size.
    pub size_bytes: u64,
}

/// One link as it was written down, for the time after a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenLink {
    /// The id of its row.
    pub link_id: FileLinkId,
    /// The file.
    pub source: PathBuf,
    /// Its name in the library.
    pub target: PathBuf,
    /// The identity of [`StagedLink`]; `None` when the batch broke off before it
    /// was written down, so that nothing visible was made.
    pub identity: Option<FileIdentity>,
    /// What it replaces.
    pub replaces: Option<FileIdentity>,
    /// The target was this file before.
    pub there_already: bool,
}

impl StagedLink {
    /// The same, as a link that is there.
    #[must_use]
    pub const fn made(&self) -> MadeLink {
        MadeLink { link_id: self.link_id, identity: self.identity, size_bytes: self.size_bytes }
    }
}

impl LinkToMake {
    /// What is written down of it once it was staged.
    #[must_use]
    pub fn written(&self, staged: &StagedLink) -> WrittenLink {
        WrittenLink {
            link_id: self.link_id,
            source: self.source.clone(),
            target: self.target.clone(),
            identity: Some(staged.identity),
            replaces: staged.replaces,
            there_already: staged.there_already,
        }
    }
}

/// The name that a link has while it is being made.
#[must_use]
pub fn temporary_name(link_id: FileLinkId) -> String {
    format!(".tracker-{link_id}.tmp")
}

/// The temporary name in the folder of the target.
pub fn temporary_path(link_id: FileLinkId, target: &Path) -> PathBuf {
    target.with_file_name(temporary_name(link_id))
}

/// Where the file goes that a link of this batch replaces:
/// `<root>/.tracker-trash/<batch>/<target below the root>`. `None` when the
/// target is not below the root.
#[must_use]
pub fn trash_path(root: &Path, batch: BatchId, target: &Path) -> Option<PathBuf> {
    let below = target.strip_prefix(root).ok()?;
    below.file_name()?;
    Some(root.join(TRASH).join(batch.to_string()).join(below))
}
