//! What other names the files of a payload have: what stays when the payload goes.
//! It only looks.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use tracker_domain::ports::{FileIdentity, Files};

/// The names of the files of a payload beside the payload's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherNames {
    /// Files of the payload that were looked at.
    pub looked: usize,
    /// Files of the payload that are not there, or that could not be looked at.
    pub unseen: usize,
    /// Names that are links which were made here.
    pub ours: u64,
    /// Names that somebody else gave them, wherever they are.
    pub others: u64,
}

/// A file of the payload.
#[derive(Default)]
struct Inode {
    links: u64,
    own: u64,
    ours: u64,
}

/// Counts the names of each file of a payload that are not in `payload`. The count of
/// names is the file's own, so those that nobody here has heard of are in it. A copy, a
/// reflink and a symbolic link are no names of it.
pub fn other_names(
    files: &dyn Files,
    payload: &BTreeSet<PathBuf>,
    links: &BTreeSet<PathBuf>,
) -> OtherNames {
    let mut counted = OtherNames::default();
    let mut inodes: HashMap<FileIdentity, Inode> = HashMap::new();
    for path in payload {
        match files.stat(path) {
            Ok(Some(stat)) if stat.is_file => {
                counted.looked += 1;
                let inode = inodes.entry(stat.identity).or_default();
                inode.links = stat.links;
                inode.own += 1;
            }
            _ => counted.unseen += 1,
        }
    }
    for link in links.iter().filter(|link| !payload.contains(*link)) {
        let Ok(Some(stat)) = files.stat(link) else { continue };
        if let Some(inode) = inodes.get_mut(&stat.identity) {
            inode.ours += 1;
        }
    }
    for inode in inodes.values() {
        counted.ours += inode.ours;
        counted.others += inode.links.saturating_sub(inode.own + inode.ours);
    }
    counted
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use tracker_testkit::{FakeFiles, spec};

    use super::*;

    fn paths(names: &[&str]) -> BTreeSet<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn names_are_told_apart() {
        spec!("file-layout#other-names-are-counted/told-apart");
        let files = FakeFiles::new();
        for (path, bytes) in [("/dl/a.mkv", 10), ("/dl/b.mkv", 20), ("/dl/c.nfo", 1)] {
            files.file(path, bytes);
        }
        for folder in ["/lib", "/other"] {
            files.dir(folder);
        }
        let link = |from: &str, to: &str| files.hard_link(Path::new(from), Path::new(to)).unwrap();
        link("/dl/a.mkv", "/lib/A.mkv");
        link("/dl/a.mkv", "/other/a.mkv");
        link("/dl/b.mkv", "/other/b.mkv");
        link("/dl/b.mkv", "/dl/sample.mkv");
        let payload = paths(&["/dl/a.mkv", "/dl/b.mkv", "/dl/c.nfo", "/dl/sample.mkv", "/dl/gone"]);
        // One was taken by another file since, and one is gone.
        files.file("/lib/C.nfo", 1);
        let links = paths(&["/lib/A.mkv", "/lib/C.nfo", "/lib/gone.mkv"]);
        assert_eq!(
            other_names(&files, &payload, &links),
            OtherNames { looked: 4, unseen: 1, ours: 1, others: 2 }
        );
        // Two names of one file inside the payload are no others.
        assert_eq!(
            other_names(&files, &paths(&["/dl/b.mkv", "/dl/sample.mkv"]), &paths(&[])),
            OtherNames { looked: 2, unseen: 0, ours: 0, others: 1 }
        );
    }

    #[test]
    fn a_copy_is_no_other_name() {
        spec!("file-layout#other-names-are-counted/not-the-same-file");
        let files = FakeFiles::new();
        files.file("/dl/a.mkv", 10);
        files.dir("/lib");
        let (from, copy) = (Path::new("/dl/a.mkv"), Path::new("/lib/A.mkv"));
        files.copy_file(from, copy, &mut |_| true).unwrap();
        files.symbolic_link(from, Path::new("/lib/B.mkv")).unwrap();
        let (payload, links) = (paths(&["/dl/a.mkv"]), paths(&["/lib/A.mkv", "/lib/B.mkv"]));
        assert_eq!(
            other_names(&files, &payload, &links),
            OtherNames { looked: 1, ..OtherNames::default() }
        );
    }
}
