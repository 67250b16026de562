//! Makes the links of one batch: all of them, or none.
//!
//! Each link is made under a temporary name in the folder of its target and then
//! renamed without overwriting, so that no other program ever sees a half name
//! and nothing is ever replaced.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tracing::{debug, warn};
use tracker_domain::FileLinkId;
use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError, FilesErrorKind};

use crate::below::{folders_between, root_is_there};
use crate::error::{LinkError, LinkErrorKind};

/// One link of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToMake {
    /// The id of its row; the temporary name carries it.
    pub link_id: FileLinkId,
    /// The file.
    pub source: PathBuf,
    /// Its new name.
    pub target: PathBuf,
    /// The size the file must have, where it is known.
    pub size_bytes: Option<u64>,
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

/// The name that a link has while it is being made.
#[must_use]
pub fn temporary_name(link_id: FileLinkId) -> String {
    format!(".tracker-{link_id}.tmp")
}

/// Makes the links. A target that is its source already counts as made and is
/// left alone when the batch is taken back.
///
/// # Errors
/// The first cause; everything that was made by this call is removed again.
pub fn execute(
    files: &dyn Files,
    batch: &[LinkToMake],
    library: &Library,
) -> Result<Vec<MadeLink>, LinkError> {
    let Some(first) = batch.first() else {
        return Ok(Vec::new());
    };
    if library.mode != LinkMode::Hardlink {
        return Err(LinkError::refused(
            LinkErrorKind::ModeUnsupported,
            &first.source,
            &first.target,
        ));
    }
    match root_is_there(files, &library.root) {
        Ok(true) => {}
        Ok(false) => {
            return Err(LinkError::refused(
                LinkErrorKind::RootMissing,
                &first.source,
                &library.root,
            ));
        }
        Err(cause) => return Err(LinkError::failed(&cause, &first.source, &library.root)),
    }
    let mut attempt =
        Attempt { files, root: &library.root, names: Vec::new(), folders: Vec::new() };
    match attempt.make_all(batch) {
        Ok(made) => Ok(made),
        Err(error) => {
            let left_behind = attempt.take_back();
            if !left_behind.is_empty() {
                warn!(left_behind = left_behind.len(), "links of a failed batch are left");
            }
            Err(LinkError { left_behind, ..error })
        }
    }
}

/// What one call has made so far.
struct Attempt<'a> {
    files: &'a dyn Files,
    root: &'a Path,
    /// Names that may be ours, with the file they would belong to. A name is
    /// noted before it is made: a call that fails may have done its work.
    names: Vec<(PathBuf, FileIdentity)>,
    /// Folders that were made, outermost first.
    folders: Vec<PathBuf>,
}

impl Attempt<'_> {
    fn make_all(&mut self, batch: &[LinkToMake]) -> Result<Vec<MadeLink>, LinkError> {
        let mut made = Vec::with_capacity(batch.len());
        for link in batch {
            made.push(self.make(link)?);
        }
        self.sync(batch)?;
        Ok(made)
    }

    fn make(&mut self, link: &LinkToMake) -> Result<MadeLink, LinkError> {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        let folders = folders_between(self.root, &link.target)
            .ok_or_else(|| refuse(LinkErrorKind::OutsideRoot))?;
        let source = self.source(link)?;
        let made = MadeLink {
            link_id: link.link_id,
            identity: source.identity,
            size_bytes: source.size_bytes,
        };
        self.make_folders(link, &folders)?;
        match self.files.stat(&link.target).map_err(fail)? {
            Some(target) if target.is_file && target.identity == source.identity => {
                debug!(file_link_id = %link.link_id, "link is there already");
                return Ok(made);
            }
            Some(_) => return Err(refuse(LinkErrorKind::Conflict)),
            None => {}
        }

        let temporary = link.target.with_file_name(temporary_name(link.link_id));
        // A name with this id can only be left from an earlier attempt of ours.
        if self.files.stat(&temporary).map_err(fail)?.is_some() {
            self.files.unlink(&temporary).map_err(fail)?;
        }
        self.names.push((temporary.clone(), source.identity));
        self.files.hard_link(&link.source, &temporary).map_err(|cause| match cause.kind {
            FilesErrorKind::NotFound => {
                LinkError { errno: cause.errno, ..refuse(LinkErrorKind::SourceMissing) }
            }
            _ => fail(cause),
        })?;
        // Between the look and the link the source may have been exchanged.
        let linked = self.files.stat(&temporary).map_err(fail)?;
        if let Some(other) = linked.filter(|linked| linked.identity != source.identity) {
            self.names.push((temporary, other.identity));
            return Err(refuse(LinkErrorKind::SourceChanged));
        }
        self.rename(link, &temporary, source.identity)?;
        Ok(made)
    }

    /// The source as the client describes it, or the reason why not.
    fn source(&self, link: &LinkToMake) -> Result<FileStat, LinkError> {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let stat = self
            .files
            .stat(&link.source)
            .map_err(|cause| LinkError::failed(&cause, &link.source, &link.target))?
            .ok_or_else(|| refuse(LinkErrorKind::SourceMissing))?;
        if !stat.is_file {
            return Err(refuse(LinkErrorKind::NotAFile));
        }
        if link.size_bytes.is_some_and(|expected| expected != stat.size_bytes) {
            return Err(refuse(LinkErrorKind::SourceChanged));
        }
        Ok(stat)
    }

    fn make_folders(&mut self, link: &LinkToMake, folders: &[PathBuf]) -> Result<(), LinkError> {
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        for folder in folders {
            if self.files.stat(folder).map_err(fail)?.is_none()
                && self.files.make_dir(folder).map_err(fail)?
            {
                self.folders.push(folder.clone());
            }
            // Looked at again: another program may have been faster.
            let stat = self.files.stat(folder).map_err(fail)?;
            if !stat.is_some_and(|stat| stat.is_dir) {
                return Err(LinkError::refused(LinkErrorKind::NotAFolder, &link.source, folder));
            }
        }
        Ok(())
    }

    fn rename(
        &mut self,
        link: &LinkToMake,
        temporary: &Path,
        identity: FileIdentity,
    ) -> Result<(), LinkError> {
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        self.names.push((link.target.clone(), identity));
        let Err(cause) = self.files.rename_new(temporary, &link.target) else {
            return Ok(());
        };
        if cause.kind != FilesErrorKind::Exists {
            return Err(fail(cause));
        }
        // Somebody else made the target meanwhile, so it is not ours to remove.
        self.names.pop();
        let target = self.files.stat(&link.target).map_err(fail)?;
        if target.is_none_or(|target| target.identity != identity) {
            return Err(fail(cause));
        }
        self.files.unlink(temporary).map_err(fail)
    }

    /// Makes all names durable, once a folder.
    fn sync(&self, batch: &[LinkToMake]) -> Result<(), LinkError> {
        let mut folders: BTreeSet<&Path> =
            self.folders.iter().filter_map(|path| path.parent()).collect();
        folders.extend(batch.iter().filter_map(|link| link.target.parent()));
        for folder in folders {
            self.files.sync_dir(folder).map_err(|cause| {
                let source = batch.first().map_or(folder, |link| link.source.as_path());
                LinkError::failed(&cause, source, folder)
            })?;
        }
        Ok(())
    }

    /// Removes what this call has made, and tells what is left. Each name gets a
    /// second try: whatever made the batch fail may hit the way back once too.
    fn take_back(&self) -> Vec<PathBuf> {
        let names: Vec<_> = self.names.iter().rev().collect();
        let stays: Vec<_> = names.into_iter().filter(|name| !self.remove_name(name)).collect();
        let stays = stays.into_iter().filter(|name| !self.remove_name(name));
        let mut left: Vec<PathBuf> = stays.map(|(name, _)| name.clone()).collect();
        for folder in self.folders.iter().rev() {
            if !self.remove_folder(folder) && !self.remove_folder(folder) {
                left.push(folder.clone());
            }
        }
        let touched: BTreeSet<&Path> =
            self.names.iter().filter_map(|(name, _)| name.parent()).collect();
        for folder in touched {
            // Best effort: what is undone twice after a power cut is harmless,
            // and the folder may be gone.
            let _ = self.files.sync_dir(folder);
        }
        left
    }

    /// Removes a name if it is ours, and tells whether nothing of ours is there.
    fn remove_name(&self, (name, identity): &(PathBuf, FileIdentity)) -> bool {
        match self.files.stat(name) {
            Ok(Some(stat)) if stat.identity == *identity => self.files.unlink(name).is_ok(),
            Ok(_) => true,
            Err(_) => false,
        }
    }

    /// Removes a folder if it is empty. One that another program uses by now
    /// stays, and that is as it should be.
    fn remove_folder(&self, folder: &Path) -> bool {
        match self.files.remove_empty_dir(folder) {
            Ok(_) => true,
            Err(cause) => cause.kind == FilesErrorKind::NotFound,
        }
    }
}
