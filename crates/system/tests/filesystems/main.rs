//! Acting on real filesystems: what each of them does with each way to link,
//! with rights, and with any tree of names.
//!
//! Filesystems are mounted in a mount namespace of their own, so root is
//! needed; a tool that is missing is named. What the kernel of the machine does
//! not have is listed with the reason and fails nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod again;
mod disks;
mod rights;
mod table;
mod trees;

use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::FileIdentity;
use tracker_domain::{BatchId, FileLinkId};
use tracker_layout::{
    LinkError, LinkToMake, LinkToRemove, LinkToVerify, StagedLink, UndoReport, commit, stage, undo,
};
use tracker_system::LocalFiles;

/// Every way to link.
const MODES: [LinkMode; 4] =
    [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink];

fn batch_id() -> BatchId {
    tracker_ident::derived(1_700_000_000_000, 0, "apply_batch").typed()
}

fn link_id(number: u64) -> FileLinkId {
    tracker_ident::derived(1_700_000_000_000, number, "file_link").typed()
}

fn library(root: &Path, mode: LinkMode) -> Library {
    Library { name: "l".to_owned(), kind: LibraryKind::Other, root: root.to_path_buf(), mode }
}

fn link(number: u64, source: PathBuf, target: PathBuf) -> LinkToMake {
    let size_bytes = std::fs::symlink_metadata(&source).map(|found| found.len()).ok();
    LinkToMake { link_id: link_id(number), source, target, size_bytes, replace: true, ours: None }
}

/// Both phases.
fn apply(library: &Library, links: &[LinkToMake]) -> Result<Vec<StagedLink>, LinkError> {
    let staged = stage(&LocalFiles, library, links, &|_| {})?;
    commit(&LocalFiles, library, batch_id(), links, &staged)?;
    Ok(staged)
}

fn take_out(root: &Path, links: &[LinkToMake], staged: &[StagedLink]) -> UndoReport {
    let ours = links.iter().zip(staged).filter(|(_, staged)| !staged.there_already);
    let remove: Vec<LinkToRemove> = ours
        .map(|(link, staged)| LinkToRemove {
            link_id: link.link_id,
            identity: staged.identity,
            target: link.target.clone(),
            replaced: staged.replaces,
            size_bytes: None,
            modified_ns: None,
            last_stays: false,
            trash_of: None,
        })
        .collect();
    undo(&LocalFiles, root, batch_id(), &remove)
}

fn to_verify(links: &[LinkToMake], staged: &[StagedLink], mode: LinkMode) -> Vec<LinkToVerify> {
    links
        .iter()
        .zip(staged)
        .map(|(link, staged)| LinkToVerify {
            link_id: link.link_id,
            source: link.source.clone(),
            target: link.target.clone(),
            identity: staged.identity,
            size_bytes: staged.size_bytes,
            mode,
            modified_ns: None,
        })
        .collect()
}

/// One entry of a tree, with everything that must not change.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    path: PathBuf,
    identity: Option<FileIdentity>,
    links: u64,
    mode: u32,
    owner: (u32, u32),
    modified: (i64, i64),
    content: Vec<u8>,
}

/// A folder and everything below it. Of folders only the names are kept: their
/// times change with what is made in them.
fn tree(root: &Path) -> Vec<Entry> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::MetadataExt;

    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = std::fs::symlink_metadata(&path).unwrap();
            if meta.is_dir() {
                folders.push(path.clone());
            }
            let content = if meta.is_file() {
                std::fs::read(&path).unwrap()
            } else if meta.is_symlink() {
                std::fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec()
            } else {
                Vec::new()
            };
            let plain = !meta.is_dir();
            found.push(Entry {
                path,
                identity: plain.then(|| FileIdentity { device: meta.dev(), inode: meta.ino() }),
                links: if plain { meta.nlink() } else { 0 },
                mode: meta.mode(),
                owner: (meta.uid(), meta.gid()),
                modified: if plain { (meta.mtime(), meta.mtime_nsec()) } else { (0, 0) },
                content,
            });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// # Panics
/// Without root: mounts and other users need it.
fn need_root() {
    assert!(
        rustix::process::geteuid().is_root(),
        "this test mounts filesystems and becomes another user: run it as root \
         (in a container, or with sudo -E cargo test -p tracker-system --test filesystems)"
    );
}
