//! Links of the same download that stand already: they are in nobody's way.

use std::path::{Path, PathBuf};

use tracker_domain::library::LinkMode;
use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError};

use crate::plan::{Conflict, ConflictKind, Plan, PlannedLink};
use crate::resolve::is_other_name;
use crate::twins::are_twins;

/// A link of a download that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnLink {
    /// The file.
    pub source: PathBuf,
    /// Its name in the library.
    pub target: PathBuf,
    /// Which file it was when it was made.
    pub identity: FileIdentity,
    /// The size of the source then.
    pub size_bytes: Option<u64>,
}

impl OwnLink {
    /// Whether a file is this link, as it was made. What somebody wrote since is not.
    fn is(&self, found: &FileStat) -> bool {
        let sized = found.is_symlink || self.size_bytes.is_none_or(|size| size == found.size_bytes);
        found.identity == self.identity && sized
    }
}

impl Plan {
    /// Lets a download step into the place of its own links. What stands as it
    /// would be made stays; a name that leads to another file of the download, or
    /// to an older form of this one, is taken over; a name that differs in case or
    /// composition goes when the new one stands; and a file that a person gave
    /// another name keeps that.
    ///
    /// # Errors
    /// What the filesystem refuses.
    pub fn beside_own(
        mut self,
        files: &dyn Files,
        mode: LinkMode,
        own: &[OwnLink],
    ) -> Result<Plan, FilesError> {
        for conflict in std::mem::take(&mut self.conflicts) {
            match in_place_of_own(files, mode, own, &conflict)? {
                Some(link) => self.links.push(link),
                None => self.conflicts.push(conflict),
            }
        }
        self.links.sort_by_key(|link| link.file);
        Ok(self)
    }
}

fn in_place_of_own(
    files: &dyn Files,
    mode: LinkMode,
    own: &[OwnLink],
    conflict: &Conflict,
) -> Result<Option<PlannedLink>, FilesError> {
    match conflict.kind {
        ConflictKind::TargetExists | ConflictKind::CaseTwin | ConflictKind::UnicodeTwin => {}
        ConflictKind::TwoSources | ConflictKind::FolderThere | ConflictKind::NotAFolder => {
            return Ok(None);
        }
    }
    let named = |link: &&OwnLink| {
        link.source == conflict.source && is_other_name(&link.target, &conflict.target)
    };
    if let Some(link) = own.iter().find(named)
        && let Some(found) = files.stat(&link.target)?
        && link.is(&found)
    {
        return over(files, mode, conflict, &link.target, &found).map(Some);
    }
    let there = files.stat(&conflict.target)?;
    let same_name = |link: &&OwnLink| {
        link.target == conflict.target || are_twins(&link.target, &conflict.target)
    };
    match (own.iter().find(same_name), there) {
        // Two names, and the old one goes when the new one stands.
        (Some(link), None) if link.target != conflict.target => {
            Ok(Some(conflict.clone().into_link(conflict.target.clone(), false)))
        }
        (Some(link), Some(found)) if link.is(&found) => {
            over(files, mode, conflict, &conflict.target, &found).map(Some)
        }
        _ => Ok(None),
    }
}

/// The link at a name that a link of ours has.
fn over(
    files: &dyn Files,
    mode: LinkMode,
    conflict: &Conflict,
    target: &Path,
    found: &FileStat,
) -> Result<PlannedLink, FilesError> {
    let source = files.stat(&conflict.source)?;
    let current = source.is_some_and(|source| match mode {
        LinkMode::Hardlink => found.identity == source.identity,
        // Written after its source, and as long.
        LinkMode::Reflink | LinkMode::Copy => {
            found.is_file
                && found.identity != source.identity
                && found.size_bytes == source.size_bytes
                && found.modified_ns >= source.modified_ns
        }
        LinkMode::Symlink => false,
    });
    let link = conflict.clone().into_link(target.to_path_buf(), !current);
    Ok(PlannedLink { ours: current.then_some(found.identity), ..link })
}
