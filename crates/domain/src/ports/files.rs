//! The file operations that executing a plan needs, and no others: nothing here
//! can change a file that is there, or put another one in its place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What makes a file the same file, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    /// The device.
    pub device: u64,
    /// The inode on it.
    pub inode: u64,
}

/// What is known of a path without following a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Which file it is.
    pub identity: FileIdentity,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// A regular file.
    pub is_file: bool,
    /// A folder.
    pub is_dir: bool,
    /// A symbolic link.
    pub is_symlink: bool,
    /// How many names it has.
    pub links: u64,
    /// When it was written last: nanoseconds since 1970. Compared, never shown.
    pub modified_ns: i64,
}

/// Where a filesystem has its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// On a disk of this machine, or in its memory.
    Local,
    /// Where a program on this machine or its host has it: a union of disks, an
    /// encrypted folder, a folder of the host.
    Served,
    /// On another machine.
    Network,
}

/// A filesystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filesystem {
    /// What people call it.
    pub name: String,
    /// Where it has its data.
    pub reach: Reach,
}

/// What went wrong, as far as the core acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilesErrorKind {
    /// The path is not there.
    NotFound,
    /// Something is there already.
    Exists,
    /// Two mounts: a hard link or a clone cannot cross (`EXDEV`).
    CrossDevice,
    /// The operation is not permitted on this file (`EPERM`): a hard link to a
    /// file of somebody else, or a filesystem without hard links.
    NotPermitted,
    /// A folder or a file is closed to this user (`EACCES`).
    Denied,
    /// The file has as many names as the filesystem allows (`EMLINK`).
    TooManyLinks,
    /// No space or no inode is left (`ENOSPC`).
    NoSpace,
    /// A quota is reached (`EDQUOT`).
    Quota,
    /// The filesystem is read-only (`EROFS`).
    ReadOnly,
    /// A name is too long for the filesystem (`ENAMETOOLONG`).
    NameTooLong,
    /// The filesystem cannot do this (`EOPNOTSUPP`).
    Unsupported,
    /// The disk failed (`EIO`).
    Io,
    /// Anything else.
    Other,
}

/// A failed file operation: what was tried, on what, and the system's name for
/// the cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot {operation} {path}: {errno}")]
pub struct FilesError {
    /// What was tried: `link`, `rename`, …
    pub operation: &'static str,
    /// On which path.
    pub path: String,
    /// The system's name, such as `EXDEV`.
    pub errno: String,
    /// The cause.
    pub kind: FilesErrorKind,
}

/// File operations, synchronous. Callers run them off the async threads.
pub trait Files: Send + Sync {
    /// What is at the path; `None` when nothing is. Follows no symbolic link.
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError>;

    /// A second name for the file at `source`. Follows no symbolic link.
    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError>;

    /// A new file at `target` that shares the blocks of the one at `source` and
    /// is durable: `Unsupported` where the filesystem cannot do that, `Exists`
    /// when something is at `target`. After a failure nothing is left there.
    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError>;

    /// A new file at `target` with the bytes of the one at `source`, durable.
    /// `progress` is told the bytes of each chunk after it was written, and says
    /// whether to go on; it may wait, to slow the copy down. After a failure or a
    /// stop (`ECANCELED`) nothing is left at `target`.
    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError>;

    /// A symbolic link at `link` that leads to `to`.
    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError>;

    /// Where a symbolic link leads.
    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError>;

    /// A new empty file: `Exists` when something is there.
    fn make_file(&self, path: &Path) -> Result<(), FilesError>;

    /// Renames without overwriting: `Exists` when something is at `to`. A
    /// filesystem that has neither such a rename nor hard links (exFAT and some
    /// over FUSE) is looked at first and then renamed on; nothing else is
    /// possible there.
    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError>;

    /// Removes one name of a file.
    fn unlink(&self, path: &Path) -> Result<(), FilesError>;

    /// Makes a folder, and tells whether it was made just now. Its parent must
    /// be there.
    fn make_dir(&self, path: &Path) -> Result<bool, FilesError>;

    /// Removes a folder if it is empty, and tells whether it was.
    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError>;

    /// Makes the folder's entries durable.
    fn sync_dir(&self, path: &Path) -> Result<(), FilesError>;

    /// The names in a folder.
    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError>;

    /// The longest name in bytes that the filesystem of the folder takes.
    fn name_limit(&self, path: &Path) -> Result<usize, FilesError>;

    /// The filesystem of what is at the path; symbolic links are followed.
    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError>;

    /// Free bytes for us on the filesystem of the path.
    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError>;
}
