//! A folder that a person drops files into, to be taken in once each.

use std::ffi::{OsStr, OsString};
use std::fmt;

use super::FilesError;

/// A regular file that lies in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Its name, of whatever bytes.
    pub name: OsString,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// When it was written last: nanoseconds since 1970. Compared, never shown.
    pub modified_ns: i64,
    /// It was claimed before and not filed away: its taking was broken off.
    pub claimed: bool,
}

/// Where a file goes that was looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawer<'a> {
    /// What is in it was taken in.
    Processed,
    /// It was not, or not all of it: the reason goes beside it as a text.
    Rejected(&'a str),
}

/// The folder. Synchronous; callers run it off the async threads.
///
/// The folder itself is never made: it may be a disk that is not mounted.
pub trait WatchFolder: fmt::Debug + Send + Sync {
    /// The folder's path, for people.
    fn place(&self) -> String;

    /// The regular files in it whose names are `wanted`, those claimed before
    /// first and then by age. Symbolic links and folders are none of them.
    /// Fails as well where the folder cannot be written.
    fn look(&self, wanted: &dyn Fn(&OsStr) -> bool) -> Result<Vec<Dropped>, FilesError>;

    /// Reads a file, at most one byte more than `limit`, and keeps every other
    /// process from it as long as the answer lives. `None` when it is not there
    /// any more, or somebody else has it.
    fn open(&self, file: &Dropped, limit: usize) -> Result<Option<Box<dyn Held>>, FilesError>;
}

/// A file that nobody else may take. Dropped, it stays where it is.
pub trait Held: Send {
    /// What is in it.
    fn bytes(&self) -> &[u8];

    /// Makes sure that it can be filed away, and claims it by a rename within the folder: whoever dies after this leaves a
    /// file that is known to have been begun. `false` when another file has the
    /// name by now, or one of the same name is still claimed.
    fn claim(&mut self) -> Result<bool, FilesError>;

    /// Files it away under its name, or with a number where that is taken, and
    /// tells the place below the folder. Nothing is ever overwritten.
    fn file_away(self: Box<Self>, drawer: Drawer<'_>) -> Result<String, FilesError>;
}
