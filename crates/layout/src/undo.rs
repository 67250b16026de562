//! Removes the links of a batch: only names that still are the same file, and
//! then the folders that became empty.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tracker_domain::FileLinkId;
use tracker_domain::ports::{FileIdentity, Files, FilesError};

use crate::below::{first_not_a_folder, folders_between};
use crate::plan::words;

/// One link that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToRemove {
    /// The id of its row.
    pub link_id: FileLinkId,
    /// The file it was when it was made.
    pub identity: FileIdentity,
    /// Its name in the library.
    pub target: PathBuf,
}

words! {
    /// Why a name was kept.
    KeptReason {
        /// Another file has the name now.
        NotOurLink = "not-our-link",
        /// The name is not below the root of the library.
        OutsideRoot = "outside-root",
        /// A folder on the way is a symbolic link or a file now.
        NotAFolder = "not-a-folder",
        /// The system refused.
        Failed = "failed",
    }
}

/// What Undo did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoReport {
    /// Links that were removed.
    pub removed: Vec<FileLinkId>,
    /// Links that were gone before.
    pub gone: Vec<FileLinkId>,
    /// Names that were kept, and why.
    pub kept: Vec<(PathBuf, KeptReason)>,
    /// Calls that failed, for the log and for the person.
    pub errors: Vec<FilesError>,
}

/// Removes links. It never stops halfway: what cannot be removed is reported.
pub fn undo(files: &dyn Files, links: &[LinkToRemove], root: &Path) -> UndoReport {
    let mut report = UndoReport::default();
    let mut folders = BTreeSet::new();
    for link in links {
        match remove(files, link, root) {
            Ok(Outcome::Removed(above)) => {
                report.removed.push(link.link_id);
                folders.extend(above);
            }
            Ok(Outcome::Gone(above)) => {
                report.gone.push(link.link_id);
                folders.extend(above);
            }
            Ok(Outcome::Kept(reason)) => report.kept.push((link.target.clone(), reason)),
            Err(cause) => {
                report.kept.push((link.target.clone(), KeptReason::Failed));
                report.errors.push(cause);
            }
        }
    }
    clear_folders(files, &folders, root, &mut report.errors);
    report
}

enum Outcome {
    Removed(Vec<PathBuf>),
    Gone(Vec<PathBuf>),
    Kept(KeptReason),
}

fn remove(files: &dyn Files, link: &LinkToRemove, root: &Path) -> Result<Outcome, FilesError> {
    let Some(folders) = folders_between(root, &link.target) else {
        return Ok(Outcome::Kept(KeptReason::OutsideRoot));
    };
    if first_not_a_folder(files, &folders)?.is_some() {
        return Ok(Outcome::Kept(KeptReason::NotAFolder));
    }
    match files.stat(&link.target)? {
        None => Ok(Outcome::Gone(folders)),
        Some(stat) if stat.is_file && stat.identity == link.identity => {
            files.unlink(&link.target)?;
            Ok(Outcome::Removed(folders))
        }
        Some(_) => Ok(Outcome::Kept(KeptReason::NotOurLink)),
    }
}

/// Removes the folders that are empty now, innermost first, never the root, and
/// makes the rest durable.
fn clear_folders(
    files: &dyn Files,
    folders: &BTreeSet<PathBuf>,
    root: &Path,
    errors: &mut Vec<FilesError>,
) {
    let mut changed: BTreeSet<&Path> = BTreeSet::from([root]);
    // A path sorts after those above it.
    for folder in folders.iter().rev() {
        match files.stat(folder) {
            Ok(Some(stat)) if stat.is_dir => {}
            Ok(_) => continue,
            Err(cause) => {
                errors.push(cause);
                continue;
            }
        }
        match files.remove_empty_dir(folder) {
            Ok(true) => {
                changed.remove(folder.as_path());
                changed.extend(folder.parent());
            }
            Ok(false) => {
                changed.insert(folder);
            }
            Err(cause) => errors.push(cause),
        }
    }
    for folder in changed {
        if let Err(cause) = files.sync_dir(folder) {
            errors.push(cause);
        }
    }
}
