//! Discs: a tree that plays only as a whole is linked as a whole, or not at all.

use std::collections::BTreeMap;

use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::Role;

use crate::name::safe_component;
use crate::plan::SkipReason;
use crate::target::{Target, folder_and_name, safe_source};

/// Folders that make the structure of a disc.
const TREES: &[&str] = &["bdmv", "video_ts", "audio_ts", "hvdvd_ts"];

/// Folders that belong to a disc beside its structure, and are none alone.
const BESIDE: &[&str] = &["certificate", "aacs"];

/// Images that are one file.
const IMAGES: &[&str] = &["iso", "img", "nrg"];

/// The discs of a torrent, each with what stands against it.
#[derive(Default)]
pub struct Discs<'a> {
    discs: BTreeMap<&'a str, Result<(), SkipReason>>,
    /// What lies beside the structure of each, if there is one.
    beside: BTreeMap<&'a str, Result<(), SkipReason>>,
}

/// The folder of the disc that a file is of, and the rest of its path.
fn part(path: &str) -> Option<(&str, &str)> {
    below(path, TREES)
}

/// The folder that one of these folders is in, and the path from that one on.
fn below<'p>(path: &'p str, wanted: &[&str]) -> Option<(&'p str, &'p str)> {
    let mut at = 0;
    let (folders, _) = path.rsplit_once('/')?;
    for folder in folders.split('/') {
        if wanted.iter().any(|tree| folder.eq_ignore_ascii_case(tree)) {
            let root = path.get(..at)?.trim_end_matches('/');
            return Some((root, path.get(at..)?));
        }
        at += folder.len() + 1;
    }
    None
}

/// Whether a file is the image of a disc.
pub fn is_image(extension: &str) -> bool {
    IMAGES.contains(&extension)
}

impl<'a> Discs<'a> {
    /// Takes a file in, where it is of a disc.
    pub fn add(&mut self, file: &'a RemoteFile, role: Option<Role>, limit: usize) {
        let (states, (root, rest)) = match (part(&file.path), below(&file.path, BESIDE)) {
            (Some(found), _) => (&mut self.discs, found),
            (None, Some(found)) => (&mut self.beside, found),
            (None, None) => return,
        };
        if !safe_source(&file.path) {
            return;
        }
        // Names inside a disc are fixed, so they are taken as they are or not at all.
        let exact = |part: &str| safe_component(part) == part && part.len() <= limit;
        let archive_of_menus = rest.to_ascii_lowercase().ends_with(".jar");
        let against = if !file.selected || !file.complete {
            Some(SkipReason::IncompleteDisc)
        } else if role == Some(Role::Executable) && !archive_of_menus {
            Some(SkipReason::Executable)
        } else if !rest.split('/').all(exact) {
            Some(SkipReason::NameTooLong)
        } else {
            None
        };
        let state = states.entry(root).or_insert(Ok(()));
        if let (Ok(()), Some(reason)) = (*state, against) {
            *state = Err(reason);
        }
    }

    /// What becomes of a file of a disc: its path below the folder of the title,
    /// or why the whole disc stays out. `None` where it is of none.
    pub fn of(&self, path: &str) -> Option<Result<String, SkipReason>> {
        let (root, rest) = part(path).or_else(|| below(path, BESIDE))?;
        let beside = self.beside.get(root).copied().unwrap_or(Ok(()));
        let state = self.discs.get(root)?.and(beside);
        // Several discs of one title lie side by side.
        let several = self.discs.len() > 1;
        let name = safe_component(folder_and_name(root).1);
        Some(state.map(|()| if several { format!("{name}/{rest}") } else { rest.to_owned() }))
    }
}

/// A file of a disc below the folder of its title.
pub fn target(rest: &str, title: &[String]) -> Target {
    let (folder, name) = folder_and_name(rest);
    let inner = folder.split('/').filter(|part| !part.is_empty()).map(str::to_owned);
    Target {
        folders: title.iter().cloned().chain(inner).collect(),
        stem: name.to_owned(),
        extension: String::new(),
    }
}
