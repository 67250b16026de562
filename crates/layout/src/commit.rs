//! The second phase of a batch, after the identities were written down: what is
//! replaced moves to the trash, and the temporary names become the real ones.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tracing::warn;
use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError, FilesErrorKind};
use tracker_domain::{BatchId, FileLinkId};

use crate::below::{PlainFolders, folders_between};
use crate::error::{LinkError, LinkErrorKind};
use crate::links::{LinkToMake, StagedLink, WrittenLink, temporary_path, trash_path};
use crate::stage::{need_root, no_folder};
use crate::undo::take_back;

/// Makes a staged batch visible: all of it or nothing. It may be asked again for
/// a batch that broke off in the middle, with what `recover` found: links that
/// stand already are passed over.
///
/// # Errors
/// The first cause. Everything is taken back then, the temporary names too, and
/// what was replaced is in its place again, except what `left_behind` lists.
pub fn commit(
    files: &dyn Files,
    library: &Library,
    batch: BatchId,
    links: &[LinkToMake],
    staged: &[StagedLink],
) -> Result<(), LinkError> {
    let by_id: HashMap<FileLinkId, &StagedLink> =
        staged.iter().map(|staged| (staged.link_id, staged)).collect();
    let mut attempt = Attempt {
        files,
        library,
        batch,
        folders: PlainFolders::default(),
        changed: BTreeSet::new(),
        others: HashSet::new(),
        listed: HashMap::new(),
    };
    let Err(error) = attempt.all(links, &by_id) else {
        return Ok(());
    };
    let written: Vec<WrittenLink> = links
        .iter()
        .filter_map(|link| by_id.get(&link.link_id).map(|staged| link.written(staged)))
        .map(|link| WrittenLink {
            there_already: link.there_already || attempt.others.contains(&link.link_id),
            ..link
        })
        .collect();
    let mut report = take_back(files, &library.root, batch, &written);
    if !report.errors.is_empty() {
        // Whatever made the batch fail may have hit the way back once too.
        report = take_back(files, &library.root, batch, &written);
    }
    let left_behind = report.left_behind();
    if !left_behind.is_empty() {
        warn!(left_behind = left_behind.len(), "names of a failed batch are left");
    }
    Err(LinkError { left_behind, ..error })
}

struct Attempt<'a> {
    files: &'a dyn Files,
    library: &'a Library,
    batch: BatchId,
    folders: PlainFolders,
    /// Folders whose entries have to be made durable.
    changed: BTreeSet<PathBuf>,
    /// Links that somebody else made meanwhile: they are not ours to remove.
    others: HashSet<FileLinkId>,
    /// The names in the folders that links were in before.
    listed: HashMap<PathBuf, HashSet<OsString>>,
}

impl Attempt<'_> {
    fn all(
        &mut self,
        links: &[LinkToMake],
        staged: &HashMap<FileLinkId, &StagedLink>,
    ) -> Result<(), LinkError> {
        let Some(first) = links.first() else {
            return Ok(());
        };
        need_root(self.files, &self.library.root, &first.source)?;
        for link in links {
            let staged = staged.get(&link.link_id).ok_or_else(|| {
                LinkError::refused(LinkErrorKind::NotStaged, &link.source, &link.target)
            })?;
            if staged.there_already {
                self.still_there(link, staged)?;
            } else {
                self.make(link, staged)?;
            }
        }
        for folder in &self.changed {
            self.files
                .sync_dir(folder)
                .map_err(|cause| LinkError::failed(&cause, &first.source, folder))?;
        }
        Ok(())
    }

    /// A link that was there before has to be there still. A disk that folds case
    /// may have it under other letters: it gets those that are wanted, by way of its
    /// temporary name, where a call that broke off may have left it.
    fn still_there(&mut self, link: &LinkToMake, staged: &StagedLink) -> Result<(), LinkError> {
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let folders = folders_between(&self.library.root, &link.target)
            .ok_or_else(|| refuse(LinkErrorKind::OutsideRoot))?;
        self.folders.check(self.files, &folders).map_err(|error| no_folder(error, link))?;
        let temporary = temporary_path(link.link_id, &link.target);
        let is_it =
            |found: Option<FileStat>| found.is_some_and(|found| found.identity == staged.identity);
        if is_it(self.files.stat(&link.target).map_err(fail)?) {
            if self.is_spelled_so(&link.target).map_err(fail)? {
                return Ok(());
            }
            self.files.rename_new(&link.target, &temporary).map_err(fail)?;
        } else if !is_it(self.files.stat(&temporary).map_err(fail)?) {
            return Err(refuse(LinkErrorKind::NotStaged));
        }
        self.note(&self.library.root, &folders);
        self.files.rename_new(&temporary, &link.target).map_err(fail)
    }

    /// Whether its folder lists a name letter by letter as it is written here.
    fn is_spelled_so(&mut self, target: &Path) -> Result<bool, FilesError> {
        let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
            return Ok(true);
        };
        if !self.listed.contains_key(folder) {
            let names = self.files.list_dir(folder)?.into_iter().collect();
            self.listed.insert(folder.to_path_buf(), names);
        }
        Ok(self.listed.get(folder).is_some_and(|names| names.contains(name)))
    }

    fn make(&mut self, link: &LinkToMake, staged: &StagedLink) -> Result<(), LinkError> {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let root = &self.library.root;
        let folders = folders_between(root, &link.target)
            .ok_or_else(|| refuse(LinkErrorKind::OutsideRoot))?;
        self.folders.check(self.files, &folders).map_err(|error| no_folder(error, link))?;
        // The folders above too: this batch may have made them.
        self.note(root, &folders);

        let temporary = temporary_path(link.link_id, &link.target);
        if let Some(old) = staged.replaces {
            self.set_aside(link, staged, old)?;
        }
        self.rename(link, &temporary, staged.identity)
    }

    fn note(&mut self, root: &Path, folders: &[PathBuf]) {
        for folder in folders.iter().rev() {
            if !self.changed.insert(folder.clone()) {
                return;
            }
        }
        self.changed.insert(root.to_path_buf());
    }

    /// Moves the file that is replaced to the trash.
    fn set_aside(
        &mut self,
        link: &LinkToMake,
        staged: &StagedLink,
        old: FileIdentity,
    ) -> Result<(), LinkError> {
        let conflict = || LinkError::refused(LinkErrorKind::Conflict, &link.source, &link.target);
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        match self.files.stat(&link.target).map_err(fail)? {
            Some(found) if found.identity == old && (found.is_file || found.is_symlink) => {}
            // Moved by a call that broke off, or removed by somebody.
            None => return Ok(()),
            Some(found) if found.identity == staged.identity => return Ok(()),
            Some(_) => return Err(conflict()),
        }
        let root = &self.library.root;
        let trash = trash_path(root, self.batch, &link.target).ok_or_else(conflict)?;
        let folders = folders_between(root, &trash).ok_or_else(conflict)?;
        self.folders.make(self.files, &folders).map_err(|error| no_folder(error, link))?;
        self.note(root, &folders);
        let in_trash = |found: Option<FileStat>| found.is_some_and(|found| found.identity == old);
        match self.files.rename_new(&link.target, &trash) {
            Ok(()) => {}
            // On another filesystem it could only be copied away.
            Err(cause) if cause.kind == FilesErrorKind::CrossDevice => {
                return Err(LinkError { errno: cause.errno, ..conflict() });
            }
            // A move in two steps that broke off between them.
            Err(cause)
                if cause.kind == FilesErrorKind::Exists
                    && in_trash(self.files.stat(&trash).map_err(fail)?) =>
            {
                return self.files.unlink(&link.target).map_err(fail);
            }
            Err(cause) => return Err(fail(cause)),
        }
        // Between the look and the move it may have been exchanged.
        if !in_trash(self.files.stat(&trash).map_err(fail)?) {
            self.files.rename_new(&trash, &link.target).map_err(fail)?;
            return Err(conflict());
        }
        Ok(())
    }

    fn rename(
        &mut self,
        link: &LinkToMake,
        temporary: &Path,
        identity: FileIdentity,
    ) -> Result<(), LinkError> {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        let renamed = self.files.rename_new(temporary, &link.target);
        let target = self.files.stat(&link.target).map_err(fail)?;
        let stands = target.is_some_and(|target| target.identity == identity);
        match renamed {
            Ok(()) if stands => Ok(()),
            Ok(()) => Err(self.not_as_staged(link, temporary, target)?),
            // Renamed by a call that broke off afterwards.
            Err(cause) if cause.kind == FilesErrorKind::NotFound => {
                if stands {
                    Ok(())
                } else {
                    Err(refuse(LinkErrorKind::NotStaged))
                }
            }
            Err(cause) if cause.kind == FilesErrorKind::Exists && stands => {
                // Somebody else made the same hard link. Every other mode makes an
                // inode of its own, so there it can only be ours.
                if self.library.mode == LinkMode::Hardlink {
                    self.others.insert(link.link_id);
                }
                self.files.unlink(temporary).map_err(fail)
            }
            Err(cause) => Err(fail(cause)),
        }
    }

    /// What was renamed is not the file that was staged: somebody exchanged it,
    /// or its inode number came with its name.
    fn not_as_staged(
        &self,
        link: &LinkToMake,
        temporary: &Path,
        target: Option<FileStat>,
    ) -> Result<LinkError, LinkError> {
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        // Under its temporary name it is known to be ours, and taken back.
        self.files.rename_new(&link.target, temporary).map_err(fail)?;
        let back = self.files.stat(temporary).map_err(fail)?;
        let same = back.map(|back| back.identity) == target.map(|target| target.identity);
        let kind = if same { LinkErrorKind::SourceChanged } else { LinkErrorKind::UnstableInodes };
        Ok(LinkError::refused(kind, &link.source, &link.target))
    }
}
