//! Everything that is on the disk, compared with what should be.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tracker_domain::library::LinkMode;
use tracker_domain::ports::FileIdentity;
use tracker_layout::{StagedLink, trash_path};

use crate::batch_id;
use crate::world::World;

/// One name on the disk. Of folders nothing is kept but that they are there:
/// their times change with what is made in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Folder,
    File(Found),
}

/// A file, with everything that must not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    identity: FileIdentity,
    links: u64,
    mode: u32,
    modified: (i64, i64),
    content: Vec<u8>,
}

type Tree = BTreeMap<PathBuf, Entry>;

/// The payload and the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    pub payload: Tree,
    pub library: Tree,
}

impl Look {
    pub fn at(world: &World) -> Self {
        Look { payload: tree(&world.downloads()), library: tree(&world.root()) }
    }

    /// What there should be once the batch is applied. The rights and the time
    /// of a copy are not known beforehand; they are those that `now` shows.
    pub fn planned(&self, world: &World, staged: &[StagedLink], now: &Look) -> Look {
        let mut plan = self.clone();
        let links = world.links();
        assert_eq!(links.len(), staged.len(), "one identity for each link");
        for (link, staged) in links.iter().zip(staged) {
            assert_eq!(link.link_id, staged.link_id);
            let Some(Entry::File(source)) = plan.payload.get_mut(&link.source) else {
                panic!("{} is no file", link.source.display());
            };
            let is_the_source = staged.identity == source.identity;
            assert_eq!(is_the_source, world.shape.mode == LinkMode::Hardlink);
            let old = plan.library.remove(&link.target);
            if world.shape.mode == LinkMode::Hardlink && (link.replace || old.is_none()) {
                source.links += 1;
            }
            if link.replace {
                let trash = trash_path(&world.root(), batch_id(), &link.target).unwrap();
                plan.library.insert(trash, old.unwrap());
            }
            let made = match (world.shape.mode, now.library.get(&link.target)) {
                (LinkMode::Copy, Some(Entry::File(copy))) => Found {
                    identity: staged.identity,
                    links: 1,
                    content: source.content.clone(),
                    ..copy.clone()
                },
                _ => source.clone(),
            };
            plan.library.insert(link.target.clone(), Entry::File(made));
        }
        let root = world.root();
        let above = plan.library.keys().flat_map(|path| path.ancestors().skip(1));
        let folders: BTreeSet<PathBuf> = above
            .filter(|folder| folder.starts_with(&root) && **folder != root)
            .map(Path::to_path_buf)
            .collect();
        plan.library.extend(folders.into_iter().map(|folder| (folder, Entry::Folder)));
        plan
    }

    /// What differs from what should be, in words; empty when nothing does.
    pub fn differs_from(&self, expected: &Look) -> String {
        let payload = differences(&expected.payload, &self.payload);
        let library = differences(&expected.library, &self.library);
        payload.into_iter().chain(library).take(8).collect::<Vec<_>>().join("\n")
    }
}

fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = std::fs::symlink_metadata(&path).unwrap();
            let entry = if meta.is_dir() {
                folders.push(path.clone());
                Entry::Folder
            } else {
                Entry::File(Found {
                    identity: FileIdentity { device: meta.dev(), inode: meta.ino() },
                    links: meta.nlink(),
                    mode: meta.mode(),
                    modified: (meta.mtime(), meta.mtime_nsec()),
                    content: std::fs::read(&path).unwrap(),
                })
            };
            found.insert(path, entry);
        }
    }
    found
}

fn differences(expected: &Tree, found: &Tree) -> Vec<String> {
    let paths: BTreeSet<&PathBuf> = expected.keys().chain(found.keys()).collect();
    let differ = paths.into_iter().filter(|path| expected.get(*path) != found.get(*path));
    let line = |path: &PathBuf| {
        let (expected, found) = (words(expected.get(path)), words(found.get(path)));
        format!("{}: {found} instead of {expected}", path.display())
    };
    differ.map(line).collect()
}

fn words(entry: Option<&Entry>) -> String {
    match entry {
        None => "nothing".to_owned(),
        Some(Entry::Folder) => "a folder".to_owned(),
        Some(Entry::File(Found { identity, links, mode, modified, content })) => format!(
            "inode {} with {links} names, mode {mode:o}, of {modified:?}, {:?}…",
            identity.inode,
            String::from_utf8_lossy(&content[..content.len().min(20)])
        ),
    }
}
