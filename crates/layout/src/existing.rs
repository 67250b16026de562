//! What is in the library already, compared with a plan. It only looks.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{Files, FilesError, FilesErrorKind};
use unicode_normalization::UnicodeNormalization;

use crate::below::{NoFolder, PlainFolders, first_not_a_folder, folders_between, root_is_there};
use crate::error::{LinkError, LinkErrorKind};
use crate::links::{LinkToMake, StagedLink};
use crate::make::is_there_already;
use crate::name::name_key;
use crate::plan::{ConflictKind, Plan, PlannedLink};

/// Why a plan could not be compared with the library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The root is not there. It is never made: it may be a disk that is not
    /// mounted.
    #[error("the library root {} is not there", .0.display())]
    RootMissing(PathBuf),
    /// A folder inside the payload is a symbolic link or no folder: it may lead
    /// out of the torrent's own content.
    #[error("{} is a symbolic link or no folder; links inside a payload are not followed", .0.display())]
    LeadsOut(PathBuf),
    /// A look at the disk failed.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Marks what stands in the way of a plan: another file at a target, something
/// that is no folder on the way, and names there that some filesystem takes for
/// the same ones. A target that is what the mode would make is none: making it
/// again changes nothing.
///
/// # Errors
/// [`CheckError::RootMissing`], or what the filesystem refuses.
pub fn check_targets(
    files: &dyn Files,
    mut plan: Plan,
    library: &Library,
) -> Result<Plan, CheckError> {
    let root = &library.root;
    if !root_is_there(files, root)? {
        return Err(CheckError::RootMissing(root.clone()));
    }
    let mut known = KnownNames::default();
    for link in std::mem::take(&mut plan.links) {
        match obstacle(files, &link, library, &mut known)? {
            Some(kind) => plan.conflicts.push(link.into_conflict(kind)),
            None => plan.links.push(link),
        }
    }
    plan.conflicts.sort_by_key(|conflict| conflict.file);
    Ok(plan)
}

/// Whether every source lies in plain folders below the root of the payload.
/// The sources themselves are looked at when they are linked.
///
/// # Errors
/// [`CheckError::LeadsOut`] for the first that does not.
pub fn check_sources(files: &dyn Files, plan: &Plan, source_root: &Path) -> Result<(), CheckError> {
    for link in &plan.links {
        let Some(folders) = folders_between(source_root, &link.source) else {
            return Err(CheckError::LeadsOut(link.source.clone()));
        };
        if let Some(folder) = first_not_a_folder(files, &folders)? {
            return Err(CheckError::LeadsOut(folder));
        }
    }
    Ok(())
}

/// Whether each source, now that it is staged, still lies in plain folders below
/// the root of the payload and still is the file that was staged. A folder that
/// was exchanged for a symbolic link between the check and the link is found
/// here, before anything shows in the library. A copy is told from another file
/// by its size alone.
///
/// # Errors
/// The first that does not; the caller takes the batch back then.
pub fn confirm_sources(
    files: &dyn Files,
    source_root: &Path,
    library: &Library,
    links: &[LinkToMake],
    staged: &[StagedLink],
) -> Result<(), LinkError> {
    let mut plain = PlainFolders::default();
    for (link, staged) in links.iter().zip(staged) {
        let refuse = |kind| LinkError::refused(kind, &link.source, &link.target);
        let folders = folders_between(source_root, &link.source)
            .ok_or_else(|| refuse(LinkErrorKind::SourceLeadsOut))?;
        plain.check(files, &folders).map_err(|error| match error {
            NoFolder::Taken(_) => refuse(LinkErrorKind::SourceLeadsOut),
            NoFolder::Failed(cause) => LinkError::failed(&cause, &link.source, &link.target),
        })?;
        let found = files
            .stat(&link.source)
            .map_err(|cause| LinkError::failed(&cause, &link.source, &link.target))?
            .ok_or_else(|| refuse(LinkErrorKind::SourceMissing))?;
        let other = library.mode == LinkMode::Hardlink && found.identity != staged.identity;
        if !found.is_file || found.size_bytes != staged.size_bytes || other {
            return Err(refuse(LinkErrorKind::SourceChanged));
        }
    }
    Ok(())
}

/// The first source that is not on the disk as the client describes it: absent,
/// or of another size. A client that has just completed a torrent may still be
/// writing.
///
/// # Errors
/// What the filesystem refuses.
pub fn first_not_in_place(files: &dyn Files, plan: &Plan) -> Result<Option<PathBuf>, FilesError> {
    for link in &plan.links {
        let found = files.stat(&link.source)?;
        if found.is_none_or(|found| found.is_file && found.size_bytes != link.size_bytes) {
            return Ok(Some(link.source.clone()));
        }
    }
    Ok(None)
}

fn obstacle(
    files: &dyn Files,
    link: &PlannedLink,
    library: &Library,
    known: &mut KnownNames,
) -> Result<Option<ConflictKind>, FilesError> {
    let Some(folders) = folders_between(&library.root, &link.target) else {
        return Ok(Some(ConflictKind::NotAFolder));
    };
    for path in folders.iter().chain([&link.target]) {
        // Before the target itself: a filesystem that folds case finds a twin
        // under the name that was asked for.
        if let Some(twin) = known.twin(files, path)? {
            return Ok(Some(twin));
        }
    }
    if first_not_a_folder(files, &folders)?.is_some() {
        return Ok(Some(ConflictKind::NotAFolder));
    }
    let Some(target) = files.stat(&link.target)? else {
        return Ok(None);
    };
    if target.is_dir {
        return Ok(Some(ConflictKind::FolderThere));
    }
    let source = files.stat(&link.source)?;
    let is_it = match source {
        Some(source) => {
            let (from, to) = ((link.source.as_path(), &source), (link.target.as_path(), &target));
            is_there_already(files, library.mode, from, to)?
        }
        None => false,
    };
    Ok((!is_it).then_some(ConflictKind::TargetExists))
}

/// The names in the folders of a library, each folder listed once.
#[derive(Default)]
struct KnownNames(HashMap<PathBuf, Names>);

#[derive(Default)]
struct Names {
    exact: HashSet<OsString>,
    /// By the form in which names are compared; one of them where there are many.
    by_key: HashMap<String, OsString>,
}

impl KnownNames {
    /// Whether another name that counts as the same one stands in this one's
    /// folder. The name itself being there is no twin, whatever else is.
    fn twin(&mut self, files: &dyn Files, path: &Path) -> Result<Option<ConflictKind>, FilesError> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(None);
        };
        if !self.0.contains_key(folder) {
            self.0.insert(folder.to_path_buf(), list(files, folder)?);
        }
        let Some(names) = self.0.get(folder).filter(|names| !names.exact.contains(name)) else {
            return Ok(None);
        };
        let name = name.to_string_lossy();
        let Some(other) = names.by_key.get(&name_key(&name)) else {
            return Ok(None);
        };
        let same_letters = other.to_string_lossy().nfc().eq(name.nfc());
        Ok(Some(if same_letters { ConflictKind::UnicodeTwin } else { ConflictKind::CaseTwin }))
    }
}

/// No names where there is no folder: what stands there instead is found by
/// who looks at the folder itself.
fn list(files: &dyn Files, folder: &Path) -> Result<Names, FilesError> {
    if !files.stat(&folder.join("."))?.is_some_and(|stat| stat.is_dir) {
        return Ok(Names::default());
    }
    let found = match files.list_dir(folder) {
        Ok(found) => found,
        Err(cause) if cause.kind == FilesErrorKind::NotFound => return Ok(Names::default()),
        Err(cause) => return Err(cause),
    };
    let mut names = Names::default();
    for name in found {
        names.by_key.insert(name_key(&name.to_string_lossy()), name.clone());
        names.exact.insert(name);
    }
    Ok(names)
}
