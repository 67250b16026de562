//! The file operations that executing a plan needs, and no others: nothing here
//! can write into a file.

use std::path::Path;

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
    /// How many names it has.
    pub links: u64,
}

/// What went wrong, as far as the core acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilesErrorKind {
    /// The path is not there.
    NotFound,
    /// Something is there already.
    Exists,
    /// Two mounts: a hard link cannot cross (`EXDEV`).
    CrossDevice,
    /// Not allowed (`EPERM`, `EACCES`).
    Denied,
    /// No space or no inode left, or a quota is reached.
    NoSpace,
    /// The filesystem is read-only.
    ReadOnly,
    /// A name is too long for the filesystem.
    NameTooLong,
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

    /// Renames without overwriting: `Exists` when something is at `to`.
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
    fn list_dir(&self, path: &Path) -> Result<Vec<std::ffi::OsString>, FilesError>;

    /// The longest name in bytes that the filesystem of the folder takes.
    fn name_limit(&self, path: &Path) -> Result<usize, FilesError>;

    /// Free bytes for us on the filesystem of the path.
    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError>;
}
