//! The first phase of a batch: every link under a temporary name in the folder
//! of its target. No other program takes it for a file of the library yet.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tracing::{debug, warn};
use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{FileStat, Files, FilesError, FilesErrorKind};

use crate::below::{NoFolder, PlainFolders, folders_between, root_is_there};
use crate::error::{LinkError, LinkErrorKind};
use crate::links::{LinkToMake, StagedLink, temporary_path};
use crate::make::{is_there_already, is_what_was_made, make};

/// Makes each link under its temporary name. `progress` is told the bytes that
/// were copied, chunk by chunk; it may wait, to slow a copy down.
///
/// # Errors
/// The first cause; everything that was made by this call is removed again.
pub fn stage(
    files: &dyn Files,
    library: &Library,
    links: &[LinkToMake],
    progress: &dyn Fn(u64),
) -> Result<Vec<StagedLink>, LinkError> {
    let Some(first) = links.first() else {
        return Ok(Vec::new());
    };
    need_root(files, &library.root, &first.source)?;
    let mut attempt =
        Attempt { files, library, progress, names: Vec::new(), folders: PlainFolders::default() };
    match links.iter().map(|link| attempt.stage(link)).collect() {
        Ok(staged) => Ok(staged),
        Err(error) => {
            let left_behind = attempt.take_back();
            if !left_behind.is_empty() {
                warn!(left_behind = left_behind.len(), "names of a failed batch are left");
            }
            Err(LinkError { left_behind, ..error })
        }
    }
}

/// Refuses a batch for a library whose root is not there.
pub fn need_root(files: &dyn Files, root: &Path, source: &Path) -> Result<(), LinkError> {
    match root_is_there(files, root) {
        Ok(true) => Ok(()),
        Ok(false) => Err(LinkError::refused(LinkErrorKind::RootMissing, source, root)),
        Err(cause) => Err(LinkError::failed(&cause, source, root)),
    }
}

/// A folder that is none, as the failure of a link.
pub fn no_folder(error: NoFolder, link: &LinkToMake) -> LinkError {
    match error {
        NoFolder::Taken(folder) => {
            LinkError::refused(LinkErrorKind::NotAFolder, &link.source, &folder)
        }
        NoFolder::Failed(cause) => LinkError::failed(&cause, &link.source, &link.target),
    }
}

/// What one call has made so far.
struct Attempt<'a> {
    files: &'a dyn Files,
    library: &'a Library,
    progress: &'a dyn Fn(u64),
    /// Temporary names. Each is noted before it is made: a call that fails may
    /// have done its work.
    names: Vec<PathBuf>,
    folders: PlainFolders,
}

impl Attempt<'_> {
    fn stage(&mut self, link: &LinkToMake) -> Result<StagedLink, LinkError> {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        let folders = folders_between(&self.library.root, &link.target)
            .ok_or_else(|| refuse(LinkErrorKind::OutsideRoot))?;
        let source = self.source(link)?;
        self.folders.make(self.files, &folders).map_err(|error| no_folder(error, link))?;
        let mut staged = StagedLink {
            link_id: link.link_id,
            identity: source.identity,
            size_bytes: source.size_bytes,
            there_already: false,
            replaces: None,
            modified_ns: None,
        };
        if let Some(target) = self.files.stat(&link.target).map_err(fail)? {
            let (from, to) = ((link.source.as_path(), &source), (link.target.as_path(), &target));
            let ours = link.ours == Some(target.identity);
            if ours || is_there_already(self.files, self.library.mode, from, to).map_err(fail)? {
                debug!(file_link_id = %link.link_id, "link is there already");
                staged.there_already = true;
                return Ok(self.with_file(staged, &target));
            }
            if !link.replace || !(target.is_file || target.is_symlink) {
                return Err(refuse(LinkErrorKind::Conflict));
            }
            staged.replaces = Some(target.identity);
        }
        let made = self.make_temporary(link, &source)?;
        Ok(self.with_file(staged, &made))
    }

    /// The file that has the name, or will have it.
    fn with_file(&self, staged: StagedLink, file: &FileStat) -> StagedLink {
        let copied = matches!(self.library.mode, LinkMode::Copy | LinkMode::Reflink);
        let modified_ns = copied.then_some(file.modified_ns);
        StagedLink { identity: file.identity, modified_ns, ..staged }
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

    fn make_temporary(
        &mut self,
        link: &LinkToMake,
        source: &FileStat,
    ) -> Result<FileStat, LinkError> {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let fail = |cause: FilesError| LinkError::failed(&cause, &link.source, &link.target);
        let mode = self.library.mode;
        let temporary = temporary_path(link.link_id, &link.target);
        self.names.push(temporary.clone());
        self.make_new(link, &temporary).map_err(|cause| match cause.kind {
            FilesErrorKind::NotFound => {
                LinkError { errno: cause.errno, ..refuse(LinkErrorKind::SourceMissing) }
            }
            _ => fail(cause),
        })?;
        let made = self.files.stat(&temporary).map_err(fail)?;
        let made = made.ok_or_else(|| refuse(LinkErrorKind::SourceChanged))?;
        if mode == LinkMode::Hardlink && is_what_was_made(mode, source, source, &made) {
            return Ok(made);
        }
        // Between the look and the link the source may have been exchanged, and
        // during a copy it may have been written.
        let after = self.files.stat(&link.source).map_err(fail)?;
        match after {
            Some(after) if is_what_was_made(mode, source, &after, &made) => Ok(made),
            // The source stayed what it was, and yet its second name is another file.
            Some(after) if mode == LinkMode::Hardlink && after.identity == source.identity => {
                Err(refuse(LinkErrorKind::UnstableInodes))
            }
            _ => Err(refuse(LinkErrorKind::SourceChanged)),
        }
    }

    fn make_new(&self, link: &LinkToMake, temporary: &Path) -> Result<(), FilesError> {
        let mut progress = |bytes| {
            (self.progress)(bytes);
            true
        };
        let mut once =
            || make(self.files, self.library.mode, &link.source, temporary, &mut progress);
        match once() {
            // A name with this id can only be left from an earlier attempt of ours.
            Err(cause)
                if cause.kind == FilesErrorKind::Exists
                    && self.files.stat(temporary)?.is_some_and(|found| !found.is_dir) =>
            {
                self.files.unlink(temporary)?;
                once()
            }
            other => other,
        }
    }

    /// Removes what this call has made, and tells what is left. Each name gets a
    /// second try: whatever made the batch fail may hit the way back once too.
    fn take_back(&self) -> Vec<PathBuf> {
        let remove = |name: &&PathBuf| !remove_temporary(self.files, name);
        let stays: Vec<_> = self.names.iter().rev().filter(remove).collect();
        let mut left: Vec<PathBuf> =
            stays.into_iter().filter(|name| remove(name)).cloned().collect();
        let mut touched: BTreeSet<&Path> =
            self.names.iter().filter_map(|name| name.parent()).collect();
        for folder in self.folders.made.iter().rev() {
            if self.remove_folder(folder) || self.remove_folder(folder) {
                touched.remove(folder.as_path());
                touched.extend(folder.parent());
            } else {
                left.push(folder.clone());
            }
        }
        for folder in touched {
            // Best effort: what is undone twice after a power cut is harmless.
            let _ = self.files.sync_dir(folder);
        }
        left
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

/// Removes a temporary name, and tells whether it is gone.
fn remove_temporary(files: &dyn Files, name: &Path) -> bool {
    match files.stat(name) {
        Ok(Some(_)) => files.unlink(name).is_ok(),
        Ok(None) => true,
        Err(_) => false,
    }
}
