//! What is in the library already, compared with a plan. It only looks.

use std::path::{Path, PathBuf};

use tracker_domain::ports::{Files, FilesError};

use crate::below::{first_not_a_folder, folders_between, root_is_there};
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

/// Marks what stands in the way of a plan. A target that is the source already
/// is none: making it again changes nothing.
pub fn check_targets(files: &dyn Files, mut plan: Plan, root: &Path) -> Result<Plan, CheckError> {
    if !root_is_there(files, root)? {
        return Err(CheckError::RootMissing(root.to_path_buf()));
    }
    for link in std::mem::take(&mut plan.links) {
        match obstacle(files, &link, root)? {
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
    root: &Path,
) -> Result<Option<ConflictKind>, FilesError> {
    let Some(folders) = folders_between(root, &link.target) else {
        return Ok(Some(ConflictKind::NotAFolder));
    };
    if first_not_a_folder(files, &folders)?.is_some() {
        return Ok(Some(ConflictKind::NotAFolder));
    }
    let Some(target) = files.stat(&link.target)? else {
        return Ok(None);
    };
    let source = files.stat(&link.source)?;
    let ours = target.is_file && source.is_some_and(|source| source.identity == target.identity);
    Ok((!ours).then_some(ConflictKind::TargetExists))
}
