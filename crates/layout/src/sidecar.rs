//! Files that go with a video: subtitles, sound, chapters. They share the name of
//! their video and say what they are behind it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::language::{holds_sidecars, of_folder, said};
use crate::name::{cut, safe_component};
use crate::target::{Target, extension, folder_and_name};

/// The most bytes of a sidecar's own words. What is longer is no mark of a
/// language, and would push the name of the video over the limit.
const LONGEST_TAIL: usize = 32;

/// Folders above a file that are looked at.
const MOST_FOLDERS: usize = 12;

/// Where the videos of a torrent lie.
#[derive(Default)]
pub struct Videos<'a> {
    by_name: HashMap<(&'a str, &'a str), usize>,
    /// The only video of a folder; `None` where there are several.
    only: HashMap<&'a str, Option<usize>>,
    /// The only video of a name in the whole torrent.
    by_stem: HashMap<&'a str, Option<usize>>,
}

/// The video that a sidecar belongs to, and the end of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which video, as it was added.
    pub video: usize,
    /// What stands behind the name of the video, with its separator.
    pub tail: String,
}

impl<'a> Videos<'a> {
    /// Remembers a video.
    pub fn add(&mut self, path: &'a str, video: usize) {
        let (folder, name) = folder_and_name(path);
        let Some((stem, _)) = extension(name) else { return };
        self.by_name.insert((folder, stem), video);
        self.only.entry(folder).and_modify(|only| *only = None).or_insert(Some(video));
        self.by_stem.entry(stem).and_modify(|only| *only = None).or_insert(Some(video));
    }

    /// The video whose whole name a file has, beside it.
    pub fn named(&self, path: &str) -> Option<usize> {
        let (folder, name) = folder_and_name(path);
        self.by_name.get(&(folder, extension(name)?.0)).copied()
    }

    /// Finds the video of a sidecar: beside it or in a folder above, by a name
    /// that the sidecar continues or that a folder between has; else the only
    /// video beside a folder of sidecars.
    pub fn find(&self, path: &str) -> Option<Found> {
        let (folder, name) = folder_and_name(path);
        let (stem, _) = extension(name)?;
        for above in ancestors(folder).filter(|above| self.only.contains_key(above)) {
            let between = below(folder, above);
            // The longest name wins: `Show.S01E01.extended.srt` belongs to the
            // extended video when both are there.
            for end in ends(stem) {
                let (front, rest) = stem.split_at(end);
                if let Some(video) = self.by_name.get(&(above, front)) {
                    return Some(Found { video: *video, tail: continued(rest, between) });
                }
            }
            for part in between.rsplit('/') {
                if let Some(video) = self.by_name.get(&(above, part)) {
                    return Some(Found { video: *video, tail: told(stem, between) });
                }
            }
        }
        self.only_video(folder, stem).or_else(|| self.elsewhere(folder, stem))
    }

    /// `Film/Subs/2_English.srt`, `Film/English.srt`.
    fn only_video(&self, folder: &str, stem: &str) -> Option<Found> {
        let mut above = folder;
        for _ in 0..MOST_FOLDERS {
            let (up, last) = folder_and_name(above);
            if self.only.contains_key(above) || above.is_empty() || !holds_sidecars(last) {
                break;
            }
            above = up;
        }
        let video = (*self.only.get(above)?)?;
        let inside = above != folder || said(stem).nothing_else;
        inside.then(|| Found { video, tail: told(stem, below(folder, above)) })
    }

    /// `Show/Subs/Show.S01E01.en.srt` beside `Show/Season 1/Show.S01E01.mkv`.
    fn elsewhere(&self, folder: &str, stem: &str) -> Option<Found> {
        if !folder.split('/').any(holds_sidecars) {
            return None;
        }
        ends(stem).into_iter().find_map(|end| {
            let (front, rest) = stem.split_at(end);
            let video = (*self.by_stem.get(front)?)?;
            Some(Found { video, tail: continued(rest, folder) })
        })
    }
}

/// A folder and those above it, the nearest first; the last one is empty.
fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    let up = |folder: &&'_ str| (!folder.is_empty()).then_some(());
    std::iter::successors(Some(folder), move |folder| {
        up(folder)?;
        Some(folder_and_name(folder).0)
    })
    .take(MOST_FOLDERS)
}

/// The folders of a path below one of its ancestors.
fn below<'p>(folder: &'p str, above: &str) -> &'p str {
    folder.strip_prefix(above).unwrap_or("").trim_start_matches('/')
}

/// Where a name may end within a longer one, the longest first.
fn ends(stem: &str) -> Vec<usize> {
    let mut ends: Vec<usize> =
        stem.char_indices().filter(|(_, ch)| !ch.is_alphanumeric()).map(|(at, _)| at).collect();
    ends.push(stem.len());
    ends.reverse();
    ends
}

/// The language that the folders between say.
fn language_of(between: &str) -> String {
    let found = between.rsplit('/').find_map(of_folder);
    found.map(|code| format!(".{code}")).unwrap_or_default()
}

/// The end of a name that continues its video's: known words in their short
/// forms, others as they are.
fn continued(rest: &str, between: &str) -> String {
    let said = said(rest);
    let language = if said.language { String::new() } else { language_of(between) };
    if said.nothing_else || rest.len() > LONGEST_TAIL {
        return format!("{language}{}", said.tail);
    }
    format!("{language}{}", raw(rest))
}

/// What a name that is not the video's says of the language.
fn told(stem: &str, between: &str) -> String {
    let said = said(stem);
    let language = if said.language { String::new() } else { language_of(between) };
    format!("{language}{}", said.tail)
}

/// `.en`, `-studio`, ` [eng]`: cleaned, with the separator it came with.
fn raw(rest: &str) -> String {
    let Some(separator) = rest.chars().next() else {
        return String::new();
    };
    let words = safe_component(rest.get(separator.len_utf8()..).unwrap_or(""));
    let words = cut(&words, LONGEST_TAIL);
    if words == "_" {
        return String::new();
    }
    let separator = if matches!(separator, '-' | '_' | '.') { separator } else { '.' };
    format!("{separator}{words}")
}

/// Gives each sidecar of a video a name of its own: `.en.srt`, `.en.2.srt`. The
/// files of one name, such as `.idx` and `.sub`, keep one.
#[derive(Default)]
pub struct Tails<'a> {
    /// The file that has a tail and an extension already.
    taken: HashMap<(usize, String), &'a str>,
    next: HashMap<(usize, String), u32>,
    /// The tail that the files of one name have.
    given: HashMap<(usize, &'a str), String>,
}

impl<'a> Tails<'a> {
    /// The end of the name of a sidecar, without its extension.
    pub fn give(&mut self, path: &'a str, found: &Found, extension: &str) -> String {
        let source = path.rsplit_once('.').map_or(path, |(front, _)| front);
        let video = found.video;
        if let Some(given) = self.given.get(&(video, source))
            && let Entry::Vacant(free) = self.taken.entry((video, key(given, extension)))
        {
            free.insert(source);
            return given.clone();
        }
        let mut tail = found.tail.clone();
        let next = self.next.entry((video, key(&found.tail, ""))).or_insert(2);
        while !free(&self.taken, video, &tail, extension, source) {
            tail = format!("{}.{next}", found.tail);
            *next += 1;
        }
        // Whoever comes with another extension may not sit down beside it.
        self.taken.insert((video, key(&tail, "")), source);
        self.taken.insert((video, key(&tail, extension)), source);
        self.given.entry((video, source)).or_insert_with(|| tail.clone());
        tail
    }
}

fn key(tail: &str, extension: &str) -> String {
    crate::name::name_key(&format!("{tail}/{extension}"))
}

/// Whether a tail is free for the files of one name.
fn free(
    taken: &HashMap<(usize, String), &str>,
    video: usize,
    tail: &str,
    extension: &str,
    source: &str,
) -> bool {
    !taken.contains_key(&(video, key(tail, extension)))
        && taken.get(&(video, key(tail, ""))).is_none_or(|owner| *owner == source)
}

/// A sidecar beside its video.
pub fn beside(video: &Target, tail: &str, extension: String) -> Target {
    Target { folders: video.folders.clone(), stem: format!("{}{tail}", video.stem), extension }
}
