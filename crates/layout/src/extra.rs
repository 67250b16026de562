//! Trailers and the like, and the pictures of a title: where media servers look
//! for them.

use std::collections::HashMap;

use crate::name::{cut, safe_component};
use crate::target::{Target, extension, folder_and_name};

/// Extensions of what can be played.
const VIDEO: &[&str] = &[
    "3gp", "asf", "avi", "divx", "flv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogm", "ogv", "rmvb", "ts", "vob", "webm", "wmv",
];

/// Folders of releases and the folder of a title that they become. Plex and
/// Jellyfin both know these.
const FOLDERS: &[(&str, &str)] = &[
    ("featurettes", "Featurettes"),
    ("featurette", "Featurettes"),
    ("behind the scenes", "Behind The Scenes"),
    ("deleted scenes", "Deleted Scenes"),
    ("interviews", "Interviews"),
    ("scenes", "Scenes"),
    ("shorts", "Shorts"),
    ("trailers", "Trailers"),
    ("trailer", "Trailers"),
    ("extras", "Other"),
    ("extra", "Other"),
    ("other", "Other"),
    ("bonus", "Other"),
    ("special features", "Other"),
    ("specials features", "Other"),
    ("clips", "Other"),
];

/// Ends of names that say the same.
const SUFFIXES: &[(&str, &str)] = &[
    ("-trailer", "Trailers"),
    ("-featurette", "Featurettes"),
    ("-behindthescenes", "Behind The Scenes"),
    ("-deleted", "Deleted Scenes"),
    ("-deletedscene", "Deleted Scenes"),
    ("-interview", "Interviews"),
    ("-scene", "Scenes"),
    ("-short", "Shorts"),
    ("-other", "Other"),
    ("-extra", "Other"),
    ("-clip", "Other"),
];

/// Pictures of releases and the names that media servers give them.
const PICTURES: &[(&str, &str)] = &[
    ("poster", "poster"),
    ("folder", "poster"),
    ("cover", "poster"),
    ("fanart", "fanart"),
    ("backdrop", "fanart"),
    ("background", "fanart"),
    ("banner", "banner"),
];

/// An extra as its path tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra<'a> {
    /// The folder of a title that it goes to.
    pub kind: &'static str,
    /// The folder whose videos it belongs to.
    pub of: &'a str,
}

/// Reads the path of an extra; `None` where it is no film, or not told what.
pub fn extra(path: &str) -> Option<Extra<'_>> {
    let (folder, name) = folder_and_name(path);
    let (stem, ext) = extension(name)?;
    let hidden = stem.starts_with('.') || folder.split('/').any(is_hidden);
    if hidden || !VIDEO.contains(&ext.as_str()) {
        return None;
    }
    let mut above = folder;
    while !above.is_empty() {
        let (up, last) = folder_and_name(above);
        let last = last.to_lowercase().replace(['.', '_'], " ");
        if let Some((_, kind)) = FOLDERS.iter().find(|(word, _)| *word == last) {
            return Some(Extra { kind, of: up });
        }
        above = up;
    }
    let lower = stem.to_lowercase();
    let suffix = SUFFIXES.iter().find(|(end, _)| lower.ends_with(end)).map(|(_, kind)| *kind);
    let word = || {
        let words = [("trailer", "Trailers"), ("featurette", "Featurettes")];
        words.iter().find(|(word, _)| lower.contains(word)).map(|(_, kind)| *kind)
    };
    Some(Extra { kind: suffix.or_else(word)?, of: folder })
}

/// What macOS leaves, and what a client keeps for its pieces.
fn is_hidden(folder: &str) -> bool {
    folder.starts_with('.') || folder.eq_ignore_ascii_case("__macosx")
}

/// Names an extra below the folders of its title.
pub fn target(path: &str, kind: &str, folders: &[String], limit: usize) -> Option<Target> {
    let (stem, extension) = extension(folder_and_name(path).1)?;
    // What other names of it need: its extension and a number.
    let room = limit.checked_sub(extension.len() + 1 + 6)?;
    let stem = safe_component(stem);
    let mut folders = folders.to_vec();
    folders.push(kind.to_owned());
    let stem = safe_component(cut(&stem, room));
    Some(Target { folders, stem, extension })
}

/// The name of a picture of the whole title, with the extension in lower case.
pub fn picture(path: &str) -> Option<(&'static str, String)> {
    let (stem, ext) = extension(folder_and_name(path).1)?;
    if !["jpg", "jpeg", "png"].contains(&ext.as_str()) {
        return None;
    }
    let lower = stem.to_lowercase();
    let (_, name) = PICTURES.iter().find(|(word, _)| *word == lower)?;
    Some((name, if ext == "jpeg" { "jpg".to_owned() } else { ext }))
}

/// What the folders of the torrent have become: for each the folders that the
/// targets of all videos in and below it share.
#[derive(Default)]
pub struct Places<'a>(HashMap<&'a str, Vec<String>>);

/// Folders above a file that are looked at.
const MOST_FOLDERS: usize = 12;

impl<'a> Places<'a> {
    /// Remembers where a video goes.
    pub fn add(&mut self, path: &'a str, folders: &[String]) {
        let mut above = folder_and_name(path).0;
        for _ in 0..MOST_FOLDERS {
            self.share(above, folders);
            if above.is_empty() {
                return;
            }
            above = folder_and_name(above).0;
        }
        self.share("", folders);
    }

    fn share(&mut self, above: &'a str, folders: &[String]) {
        match self.0.get_mut(above) {
            Some(shared) => {
                let same = shared.iter().zip(folders).take_while(|(one, other)| one == other);
                let same = same.count();
                shared.truncate(same);
            }
            None => {
                self.0.insert(above, folders.to_vec());
            }
        }
    }

    /// The folders of the title, or of the season, that a folder became; `None`
    /// where it holds several titles or no video.
    pub fn of(&self, folder: &str) -> Option<&[String]> {
        let mut above = folder;
        loop {
            if let Some(found) = self.0.get(above) {
                return Some(found.as_slice()).filter(|found| !found.is_empty());
            }
            if above.is_empty() {
                return None;
            }
            above = folder_and_name(above).0;
        }
    }
}
