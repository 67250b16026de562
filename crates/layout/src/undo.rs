//! Takes links out of a library again: only names that still are the same file.
//! What was replaced comes back, and folders that became empty go.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError, FilesErrorKind};
use tracker_domain::{BatchId, FileLinkId};

use crate::below::{Standing, first_not_a_folder, folders_between};
use crate::links::{WrittenLink, temporary_path, trash_path};
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
    /// The file that moved to the trash for it.
    pub replaced: Option<FileIdentity>,
    /// The size of the file then: an inode is given out anew when its file is gone.
    /// `None` does not compare it.
    pub size_bytes: Option<u64>,
    /// When a copy was written. `None` does not compare it.
    pub modified_ns: Option<i64>,
    /// Whether the name stays when it is the last one of its file: a hard link whose
    /// payload is gone is all there is of it.
    pub last_stays: bool,
    /// The batch whose trash has the replaced file; `None` is this one.
    pub trash_of: Option<BatchId>,
}

words! {
    /// Why a name was kept.
    KeptReason {
        /// Another file has the name now.
        NotOurLink = "not-our-link",
        /// The payload is gone: this name is all there is of the file.
        LastCopy = "last-copy",
        /// What was replaced stays in the trash: its name is taken.
        NotRestored = "not-restored",
        /// The name is not below the root of the library.
        OutsideRoot = "outside-root",
        /// The root of the library is not there: a disk that is not mounted.
        RootMissing = "root-missing",
        /// A folder on the way is a symbolic link or a file now.
        NotAFolder = "not-a-folder",
        /// The system refused.
        Failed = "failed",
    }
}

impl KeptReason {
    /// Whether it may go another time: the link must not be forgotten then.
    #[must_use]
    pub const fn may_pass(self) -> bool {
        matches!(self, KeptReason::Failed | KeptReason::RootMissing)
    }
}

/// What Undo did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoReport {
    /// Links that were removed.
    pub removed: Vec<FileLinkId>,
    /// Links that were gone before.
    pub gone: Vec<FileLinkId>,
    /// Links whose replaced file is in its place again.
    pub restored: Vec<FileLinkId>,
    /// Names that were kept, and why.
    pub kept: Vec<(PathBuf, KeptReason)>,
    /// Calls that failed, for the log and for the person.
    pub errors: Vec<FilesError>,
}

/// What taking back a batch did.
pub type TakeBackReport = UndoReport;

impl UndoReport {
    /// Takes in what another removal did.
    pub fn join(&mut self, other: UndoReport) {
        self.removed.extend(other.removed);
        self.gone.extend(other.gone);
        self.restored.extend(other.restored);
        self.kept.extend(other.kept);
        self.errors.extend(other.errors);
    }

    /// Whether everything that is ours is gone, so that nobody needs to try
    /// again. What others put there in the meantime may be kept.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.kept.iter().any(|(_, reason)| reason.may_pass())
    }

    /// The names that are ours and could not be removed or brought back.
    #[must_use]
    pub fn left_behind(&self) -> Vec<PathBuf> {
        let ours = self.kept.iter().filter(|(_, reason)| match reason {
            KeptReason::Failed | KeptReason::RootMissing | KeptReason::NotRestored => true,
            KeptReason::NotOurLink
            | KeptReason::LastCopy
            | KeptReason::OutsideRoot
            | KeptReason::NotAFolder => false,
        });
        ours.map(|(name, _)| name.clone()).collect()
    }
}

/// Removes the links of a batch. It never stops halfway: what cannot be removed
/// is reported, and it may be asked again. Folders above a link that are empty
/// then are removed; nobody has written down whether one of them was there,
/// empty, before the batch.
pub fn undo(files: &dyn Files, root: &Path, batch: BatchId, links: &[LinkToRemove]) -> UndoReport {
    let names = links.iter().map(|link| Name::of(link, batch));
    remove_all(files, root, names)
}

/// Brings back what a batch replaced that was undone before: its names were taken
/// then. No link is removed.
pub fn restore(
    files: &dyn Files,
    root: &Path,
    batch: BatchId,
    links: &[LinkToRemove],
) -> UndoReport {
    let names = links.iter().map(|link| Name { identity: None, ..Name::of(link, batch) });
    remove_all(files, root, names)
}

/// Removes what staging left, and what a commit that broke off made: the
/// temporary names, the targets that are the files written down, except those
/// that were there already. What was replaced comes back.
pub fn take_back(
    files: &dyn Files,
    root: &Path,
    batch: BatchId,
    links: &[WrittenLink],
) -> TakeBackReport {
    let names = links.iter().map(|link| Name {
        link_id: link.link_id,
        target: &link.target,
        identity: link.identity.filter(|_| !link.there_already),
        replaced: link.replaces,
        size_bytes: None,
        modified_ns: None,
        last_stays: false,
        trash_of: batch,
        staged: true,
        there_before: link.there_already,
    });
    remove_all(files, root, names)
}

/// One link to remove.
#[derive(Clone, Copy)]
struct Name<'a> {
    link_id: FileLinkId,
    target: &'a Path,
    /// The file that the target must be to be removed; `None` leaves it alone.
    identity: Option<FileIdentity>,
    replaced: Option<FileIdentity>,
    size_bytes: Option<u64>,
    modified_ns: Option<i64>,
    last_stays: bool,
    trash_of: BatchId,
    /// It may have its temporary name.
    staged: bool,
    /// It was there before the batch, and at most got other letters.
    there_before: bool,
}

impl<'a> Name<'a> {
    /// A link of a batch that stands, or stood.
    fn of(link: &'a LinkToRemove, batch: BatchId) -> Self {
        Name {
            link_id: link.link_id,
            target: &link.target,
            identity: Some(link.identity),
            replaced: link.replaced,
            size_bytes: link.size_bytes,
            modified_ns: link.modified_ns,
            last_stays: link.last_stays,
            trash_of: link.trash_of.unwrap_or(batch),
            staged: false,
            there_before: false,
        }
    }
}

fn remove_all<'a>(
    files: &dyn Files,
    root: &Path,
    names: impl Iterator<Item = Name<'a>> + Clone,
) -> UndoReport {
    let mut removal = Removal {
        files,
        root,
        standing: Standing::default(),
        report: UndoReport::default(),
        folders: BTreeSet::new(),
    };
    let absent = match Standing::look(files, root, names.clone().filter_map(|name| name.identity)) {
        Ok(Some(standing)) => {
            removal.standing = standing;
            None
        }
        Ok(None) => Some(KeptReason::RootMissing),
        Err(cause) => {
            removal.report.errors.push(cause);
            Some(KeptReason::Failed)
        }
    };
    for name in names {
        match absent {
            None => removal.remove(name),
            Some(reason) => removal.report.kept.push((name.target.to_path_buf(), reason)),
        }
    }
    if absent.is_none() {
        removal.clear_folders();
    }
    removal.report
}

struct Removal<'a> {
    files: &'a dyn Files,
    root: &'a Path,
    standing: Standing,
    report: UndoReport,
    /// Folders that may be empty now.
    folders: BTreeSet<PathBuf>,
}

/// What became of one name.
enum Outcome {
    Removed,
    Gone,
    Kept(KeptReason),
}

impl Removal<'_> {
    fn remove(&mut self, name: Name<'_>) {
        match self.remove_target(name) {
            Ok(Outcome::Removed) => self.report.removed.push(name.link_id),
            Ok(Outcome::Gone) => self.report.gone.push(name.link_id),
            Ok(Outcome::Kept(reason)) => {
                self.report.kept.push((name.target.to_path_buf(), reason));
                // Never through what leads out of the library.
                if reason != KeptReason::NotOurLink {
                    return;
                }
            }
            Err(cause) => return self.failed(name.target.to_path_buf(), cause),
        }
        let Some(old) = name.replaced else { return };
        let Some(trash) = trash_path(self.root, name.trash_of, name.target) else { return };
        match self.bring_back(&trash, name.target, old) {
            Ok(Some(true)) => self.report.restored.push(name.link_id),
            Ok(Some(false)) => self.report.kept.push((trash, KeptReason::NotRestored)),
            Ok(None) => {}
            Err(cause) => self.failed(trash, cause),
        }
    }

    fn is_ours(&self, name: &Name<'_>, identity: FileIdentity, found: &FileStat) -> bool {
        // A symbolic link has a size of its own.
        let sized = |bytes| found.is_symlink || found.size_bytes == bytes;
        !found.is_dir
            && self.standing.is(identity, found.identity)
            && name.size_bytes.is_none_or(sized)
            && name.modified_ns.is_none_or(|written| found.modified_ns == written)
    }

    fn failed(&mut self, path: PathBuf, cause: FilesError) {
        self.report.kept.push((path, KeptReason::Failed));
        self.report.errors.push(cause);
    }

    fn remove_target(&mut self, name: Name<'_>) -> Result<Outcome, FilesError> {
        let Some(folders) = folders_between(self.root, name.target) else {
            return Ok(Outcome::Kept(KeptReason::OutsideRoot));
        };
        if first_not_a_folder(self.files, &folders)?.is_some() {
            return Ok(Outcome::Kept(KeptReason::NotAFolder));
        }
        let mut outcome = Outcome::Gone;
        if name.staged {
            let temporary = temporary_path(name.link_id, name.target);
            // The name carries the id of the link, so it is ours whatever it is.
            if self.files.stat(&temporary)?.is_some_and(|found| !found.is_dir) {
                if name.there_before {
                    self.files.rename_new(&temporary, name.target)?;
                } else {
                    self.files.unlink(&temporary)?;
                    outcome = Outcome::Removed;
                }
            }
        }
        if let Some(identity) = name.identity {
            match self.files.stat(name.target)? {
                None => {}
                Some(found)
                    if name.last_stays
                        && found.links == 1
                        && self.is_ours(&name, identity, &found) =>
                {
                    outcome = Outcome::Kept(KeptReason::LastCopy);
                }
                Some(found) if self.is_ours(&name, identity, &found) => {
                    self.files.unlink(name.target)?;
                    outcome = Outcome::Removed;
                }
                // Not set aside yet when the batch broke off.
                Some(found)
                    if name.staged
                        && name
                            .replaced
                            .is_some_and(|old| self.standing.is(old, found.identity)) => {}
                Some(_) => outcome = Outcome::Kept(KeptReason::NotOurLink),
            }
        }
        self.folders.extend(folders);
        Ok(outcome)
    }

    /// Brings back what was replaced: `None` when it is not in the trash,
    /// `false` when its name is taken.
    fn bring_back(
        &mut self,
        trash: &Path,
        target: &Path,
        old: FileIdentity,
    ) -> Result<Option<bool>, FilesError> {
        let Some(folders) = folders_between(self.root, trash) else {
            return Ok(None);
        };
        if first_not_a_folder(self.files, &folders)?.is_some() {
            return Ok(None);
        }
        self.folders.extend(folders);
        match self.files.stat(trash)? {
            Some(found) if !found.is_dir && self.standing.is(old, found.identity) => {}
            _ => return Ok(None),
        }
        // Somebody may have removed the folders of the library meanwhile.
        for folder in folders_between(self.root, target).unwrap_or_default() {
            if self.files.stat(&folder)?.is_none() {
                self.files.make_dir(&folder)?;
            }
        }
        match self.files.rename_new(trash, target) {
            Ok(()) => Ok(Some(true)),
            Err(cause) if cause.kind == FilesErrorKind::Exists => {
                let there = self.files.stat(target)?;
                if there.is_none_or(|there| !self.standing.is(old, there.identity)) {
                    return Ok(Some(false));
                }
                // A move in two steps that broke off between them.
                self.files.unlink(trash)?;
                Ok(Some(true))
            }
            Err(cause) => Err(cause),
        }
    }

    /// Removes the folders that are empty now, innermost first, never the root,
    /// and makes the rest durable.
    fn clear_folders(&mut self) {
        let folders = std::mem::take(&mut self.folders);
        let mut changed: BTreeSet<&Path> = BTreeSet::from([self.root]);
        let errors = &mut self.report.errors;
        // A path sorts after those above it.
        for folder in folders.iter().rev() {
            match self.files.stat(folder) {
                Ok(Some(stat)) if stat.is_dir => {}
                Ok(_) => continue,
                Err(cause) => {
                    errors.push(cause);
                    continue;
                }
            }
            match self.files.remove_empty_dir(folder) {
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
            if let Err(cause) = self.files.sync_dir(folder) {
                errors.push(cause);
            }
        }
    }
}
