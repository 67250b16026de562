//! What is below the root of a library, and nothing else.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use tracker_domain::ports::{FileIdentity, Files, FilesError};

/// The folders between the root and the target, outermost first; `None` when the
/// target is not below the root.
pub fn folders_between(root: &Path, target: &Path) -> Option<Vec<PathBuf>> {
    let below = target.strip_prefix(root).ok()?;
    let mut folders = Vec::new();
    let mut path = root.to_path_buf();
    let mut components = below.components().peekable();
    components.peek()?;
    while let Some(component) = components.next() {
        let Component::Normal(name) = component else {
            return None;
        };
        path.push(name);
        if components.peek().is_some() {
            folders.push(path.clone());
        }
    }
    Some(folders)
}

/// Whether the root is a folder. It may be reached through a symbolic link: that
/// is the choice of who configured it.
pub fn root_is_there(files: &dyn Files, root: &Path) -> Result<bool, FilesError> {
    Ok(files.stat(&root.join("."))?.is_some_and(|stat| stat.is_dir))
}

/// A root that is there, and how to tell files below it again.
///
/// A filesystem may bear another device number after a restart of the machine: disks
/// are found in another order, and those of btrfs and of networks are given out anew.
/// Its inodes stay.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    /// The number then and now.
    renumbered: Option<(u64, u64)>,
}

impl Standing {
    /// Looks at a root for files that were below it; `None` when nothing can be told
    /// of them: it is not there, or it is the empty folder of a disk that is not
    /// mounted, on another device than they were.
    pub fn look(
        files: &dyn Files,
        root: &Path,
        mut known: impl Iterator<Item = FileIdentity>,
    ) -> Result<Option<Self>, FilesError> {
        let inside = root.join(".");
        let Some(stat) = files.stat(&inside)?.filter(|stat| stat.is_dir) else { return Ok(None) };
        let (now, Some(first)) = (stat.identity.device, known.next()) else {
            return Ok(Some(Self::default()));
        };
        let mut one_device = true;
        for device in known.map(|identity| identity.device).chain([first.device]) {
            if device == now {
                return Ok(Some(Self::default()));
            }
            one_device &= device == first.device;
        }
        if files.list_dir(&inside)?.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { renumbered: one_device.then_some((first.device, now)) }))
    }

    /// Whether a file that was found is the one that was recorded.
    pub fn is(&self, recorded: FileIdentity, found: FileIdentity) -> bool {
        let otherwise = |(then, now): (u64, u64)| {
            (recorded.device, found.device) == (then, now) && recorded.inode == found.inode
        };
        recorded == found || self.renumbered.is_some_and(otherwise)
    }
}

/// The first of these folders that is something else than a folder, such as a
/// symbolic link that would lead out of the library.
pub fn first_not_a_folder(
    files: &dyn Files,
    folders: &[PathBuf],
) -> Result<Option<PathBuf>, FilesError> {
    for folder in folders {
        match files.stat(folder)? {
            Some(stat) if stat.is_dir => {}
            Some(_) => return Ok(Some(folder.clone())),
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Folders that one call made or found to be plain, each looked at once: ten
/// thousand files of one season lie in one folder.
#[derive(Debug, Default)]
pub struct PlainFolders {
    /// Plain folders.
    plain: BTreeSet<PathBuf>,
    /// Those of them that were made, outermost first.
    pub made: Vec<PathBuf>,
}

/// Why there is no plain folder.
pub enum NoFolder {
    /// Something else has the name.
    Taken(PathBuf),
    /// A call failed.
    Failed(FilesError),
}

impl From<FilesError> for NoFolder {
    fn from(cause: FilesError) -> Self {
        NoFolder::Failed(cause)
    }
}

impl PlainFolders {
    /// Makes the folders that are not there, outermost first.
    pub fn make(&mut self, files: &dyn Files, folders: &[PathBuf]) -> Result<(), NoFolder> {
        for folder in folders {
            if self.plain.contains(folder) {
                continue;
            }
            if files.stat(folder)?.is_none() && files.make_dir(folder)? {
                self.made.push(folder.clone());
            }
            // Looked at again: another program may have been faster.
            if !files.stat(folder)?.is_some_and(|stat| stat.is_dir) {
                return Err(NoFolder::Taken(folder.clone()));
            }
            self.plain.insert(folder.clone());
        }
        Ok(())
    }

    /// Whether all of these are folders. Nothing is made.
    pub fn check(&mut self, files: &dyn Files, folders: &[PathBuf]) -> Result<(), NoFolder> {
        for folder in folders {
            if self.plain.contains(folder) {
                continue;
            }
            if !files.stat(folder)?.is_some_and(|stat| stat.is_dir) {
                return Err(NoFolder::Taken(folder.clone()));
            }
            self.plain.insert(folder.clone());
        }
        Ok(())
    }
}
