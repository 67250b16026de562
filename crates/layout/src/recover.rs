//! After a crash in the middle of a batch: what of it is there.

use std::path::Path;

use tracker_domain::BatchId;
use tracker_domain::FileLinkId;
use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError, FilesErrorKind};

use crate::below::{Standing, first_not_a_folder, folders_between};
use crate::links::{MadeLink, StagedLink, WrittenLink, temporary_path};

/// What was found for one planned link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveredState {
    /// The target is the file that was written down.
    Made(MadeLink),
    /// The temporary name is that file: it can be committed.
    Staged(StagedLink),
    /// Neither name is there, or nothing was written down of it.
    Missing,
    /// Something else is at the target.
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

/// Looks at each link of a batch that broke off. It changes nothing. When each
/// one is `Made` or `Staged`, `commit` finishes the batch; whatever was found,
/// `take_back` takes it back.
///
/// # Errors
/// The first call that fails, `NotFound` when the root is not there; asking
/// again later is safe.
pub fn recover(
    files: &dyn Files,
    root: &Path,
    _batch: BatchId,
    links: &[WrittenLink],
) -> Result<Vec<Recovered>, FilesError> {
    let known = links.iter().filter_map(|link| link.identity);
    let Some(standing) = Standing::look(files, root, known)? else {
        return Err(FilesError {
            operation: "find",
            path: root.display().to_string(),
            errno: "ENOENT".to_owned(),
            kind: FilesErrorKind::NotFound,
        });
    };
    links
        .iter()
        .map(|link| {
            Ok(Recovered { link_id: link.link_id, state: look(files, root, &standing, link)? })
        })
        .collect()
}

fn look(
    files: &dyn Files,
    root: &Path,
    standing: &Standing,
    link: &WrittenLink,
) -> Result<RecoveredState, FilesError> {
    let is_old =
        |found: &FileStat| link.replaces.is_some_and(|old| standing.is(old, found.identity));
    let Some(folders) = folders_between(root, &link.target) else {
        return Ok(RecoveredState::Foreign);
    };
    if first_not_a_folder(files, &folders)?.is_some() {
        return Ok(RecoveredState::Foreign);
    }
    let target = files.stat(&link.target)?;
    let Some(identity) = link.identity else {
        // Nothing visible was made. A target that is what the batch would have
        // replaced, or that is nobody's, is as it was.
        return Ok(match target {
            Some(found) if !is_old(&found) => RecoveredState::Foreign,
            Some(_) | None => RecoveredState::Missing,
        });
    };
    if let Some(found) = target.filter(|found| standing.is(identity, found.identity)) {
        return Ok(RecoveredState::Made(MadeLink {
            link_id: link.link_id,
            identity,
            size_bytes: payload_size(files, link, &found)?,
        }));
    }
    if target.is_some_and(|found| !is_old(&found)) {
        return Ok(RecoveredState::Foreign);
    }
    let temporary = files.stat(&temporary_path(link.link_id, &link.target))?;
    let Some(found) = temporary.filter(|found| standing.is(identity, found.identity)) else {
        return Ok(RecoveredState::Missing);
    };
    Ok(RecoveredState::Staged(staged(link, identity, payload_size(files, link, &found)?)))
}

fn staged(link: &WrittenLink, identity: FileIdentity, size_bytes: u64) -> StagedLink {
    StagedLink {
        link_id: link.link_id,
        identity,
        size_bytes,
        there_already: link.there_already,
        replaces: link.replaces,
        modified_ns: None,
    }
}

/// The size of what is linked: a symbolic link has one of its own.
fn payload_size(
    files: &dyn Files,
    link: &WrittenLink,
    found: &FileStat,
) -> Result<u64, FilesError> {
    if !found.is_symlink {
        return Ok(found.size_bytes);
    }
    Ok(files.stat(&link.source)?.map_or(0, |source| source.size_bytes))
}
