//! After a crash in the middle of a batch: what of it is there.

use std::path::Path;

use tracker_domain::FileLinkId;
use tracker_domain::ports::{Files, FilesError};

use crate::below::{first_not_a_folder, folders_between};
use crate::execute::{LinkToMake, MadeLink, temporary_name};

/// What was found for one planned link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveredState {
    /// The target is the source.
    Made(MadeLink),
    /// Nothing is at the target.
    Missing,
    /// Something else is at the target, or the source is gone so that nobody
    /// can tell.
    Foreign,
}

/// One planned link after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The id of its row.
    pub link_id: FileLinkId,
    /// What was found.
    pub state: RecoveredState,
}

/// Looks at each planned link and removes the temporary names of these links.
/// It makes nothing: whether the batch is finished or taken back is decided by
/// who asks.
///
/// # Errors
/// The first call that fails; asking again later is safe.
pub fn recover(
    files: &dyn Files,
    links: &[LinkToMake],
    root: &Path,
) -> Result<Vec<Recovered>, FilesError> {
    links.iter().map(|link| recover_one(files, link, root)).collect()
}

fn recover_one(files: &dyn Files, link: &LinkToMake, root: &Path) -> Result<Recovered, FilesError> {
    let found = |state| Ok(Recovered { link_id: link.link_id, state });
    let Some(folders) = folders_between(root, &link.target) else {
        return found(RecoveredState::Foreign);
    };
    if first_not_a_folder(files, &folders)?.is_some() {
        return found(RecoveredState::Foreign);
    }
    let temporary = link.target.with_file_name(temporary_name(link.link_id));
    if files.stat(&temporary)?.is_some_and(|stat| stat.is_file) {
        files.unlink(&temporary)?;
    }
    let Some(target) = files.stat(&link.target)? else {
        return found(RecoveredState::Missing);
    };
    let source = files.stat(&link.source)?;
    match source {
        Some(source) if source.is_file && source.identity == target.identity => {
            found(RecoveredState::Made(MadeLink {
                link_id: link.link_id,
                identity: source.identity,
                size_bytes: source.size_bytes,
            }))
        }
        _ => found(RecoveredState::Foreign),
    }
}
