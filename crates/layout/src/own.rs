//! Links of the same download that stand already: they are in nobody's way.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tracker_domain::library::LinkMode;
use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError};

use crate::name::path_key;
use crate::plan::{Conflict, ConflictKind, Plan, PlannedLink};
use crate::resolve::is_other_name;

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
    /// When a copy was written.
    pub modified_ns: Option<i64>,
}

impl OwnLink {
    /// Whether a file is this link, as it was made. What somebody wrote since is not.
    fn is(&self, found: &FileStat) -> bool {
        let sized = found.is_symlink || self.size_bytes.is_none_or(|size| size == found.size_bytes);
        let unwritten = self.modified_ns.is_none_or(|written| written == found.modified_ns);
        found.identity == self.identity && sized && unwritten
    }
}

impl Plan {
    /// Lets a download step into the place of its own links. What stands as it
    /// would be made stays; a name that leads to another file of the download, or
    /// to an older form of this one, is taken over; a name that differs in case or
    /// composition goes when the new one stands; and a file that a person gave
    /// another name keeps that. Tells whether sidecars went with such a file, so
    /// that their new names have to be looked at.
    ///
    /// # Errors
    /// What the filesystem refuses.
    pub fn beside_own(
        mut self,
        files: &dyn Files,
        mode: LinkMode,
        own: &[OwnLink],
    ) -> Result<(Plan, bool), FilesError> {
        let own = Index::of(own);
        let mut renamed = Vec::new();
        for conflict in std::mem::take(&mut self.conflicts) {
            match in_place_of_own(files, mode, &own, &conflict)? {
                Some(link) => {
                    if link.beside.is_none() && link.target != conflict.target {
                        renamed.push((link.file, conflict.target, link.target.clone()));
                    }
                    self.links.push(link);
                }
                None => self.conflicts.push(conflict),
            }
        }
        for (video, from, to) in &renamed {
            self.rename_sidecars(*video, from, to);
        }
        self.links.sort_by_key(|link| link.file);
        Ok((self, !renamed.is_empty()))
    }
}

/// Links by what they are asked for.
struct Index<'l> {
    by_source: HashMap<&'l Path, Vec<&'l OwnLink>>,
    /// By the form in which names are compared.
    by_name: HashMap<String, Vec<&'l OwnLink>>,
}

impl<'l> Index<'l> {
    fn of(links: &'l [OwnLink]) -> Self {
        let mut index = Index { by_source: HashMap::new(), by_name: HashMap::new() };
        for link in links {
            index.by_source.entry(&link.source).or_default().push(link);
            index.by_name.entry(path_key(&link.target)).or_default().push(link);
        }
        index
    }

    fn of_source(&self, source: &Path) -> impl Iterator<Item = &'l OwnLink> {
        self.by_source.get(source).into_iter().flatten().copied()
    }

    /// The one of this name, else one whose name differs in case or composition.
    fn named(&self, target: &Path) -> Option<&'l OwnLink> {
        let found = self.by_name.get(&path_key(target))?;
        found.iter().find(|link| link.target == *target).or_else(|| found.first()).copied()
    }
}

fn in_place_of_own(
    files: &dyn Files,
    mode: LinkMode,
    own: &Index<'_>,
    conflict: &Conflict,
) -> Result<Option<PlannedLink>, FilesError> {
    let of_two = match conflict.kind {
        ConflictKind::TargetExists | ConflictKind::CaseTwin | ConflictKind::UnicodeTwin => false,
        ConflictKind::TwoSources => true,
        ConflictKind::FolderThere | ConflictKind::NotAFolder => return Ok(None),
    };
    // One of two files may have got the name itself.
    let named = |link: &&OwnLink| {
        let name = &link.target;
        is_other_name(name, &conflict.target) || of_two && *name == conflict.target
    };
    if let Some(link) = own.of_source(&conflict.source).find(named)
        && let Some(found) = files.stat(&link.target)?
        && link.is(&found)
    {
        return over(files, mode, conflict, &link.target, &found).map(Some);
    }
    if of_two {
        return Ok(None);
    }
    let there = files.stat(&conflict.target)?;
    match (own.named(&conflict.target), there) {
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
