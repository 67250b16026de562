//! The name that one file gets in a library, within the limit of its filesystem.

use std::path::PathBuf;

use crate::name::{cut, safe_component};
use crate::naming::{FileValues, Template};
use crate::plan::SkipReason;

/// Room that is kept beside a video for the sidecars that come later, such as
/// `.forced.en.sdh.srt`; the extension is within it.
const SIDECAR_ROOM: usize = 20;

/// Room for the year in the name of a folder, and for the longest usual tail of
/// a file: ` (2010) - 2160p` or ` S01E01-E02`. With it the folder and usual files
/// have the same cut of a title, so that a media server sees that they belong
/// together.
const TAIL_ROOM: usize = 20;

/// The fewest bytes of a title worth having.
const SHORTEST_TITLE: usize = 16;

/// The fewest bytes of an episode's name worth having.
const SHORTEST_NAME: usize = 8;

/// A target below the root of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folders below the root.
    pub folders: Vec<String>,
    /// The name without its extension.
    pub stem: String,
    /// The extension without its dot; empty for none.
    pub extension: String,
}

impl Target {
    /// The path below the root.
    pub fn path(&self) -> PathBuf {
        let mut path: PathBuf = self.folders.iter().collect();
        if self.extension.is_empty() {
            path.push(&self.stem);
        } else {
            path.push(format!("{}.{}", self.stem, self.extension));
        }
        path
    }

    /// The same where every name is within the limit.
    pub fn fits(self, name_limit: usize) -> Result<Target, SkipReason> {
        let dot = usize::from(!self.extension.is_empty());
        let name = self.stem.len() + dot + self.extension.len();
        let fits =
            name <= name_limit && self.folders.iter().all(|folder| folder.len() <= name_limit);
        if fits { Ok(self) } else { Err(SkipReason::NameTooLong) }
    }
}

/// The most bytes of an episode's name in the name of a folder.
const LONGEST_IN_FOLDER: usize = 60;

/// Whether a path stays inside the torrent: relative, and each of its components
/// a name. A torrent's author chooses these paths.
pub fn safe_source(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\0')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The name without its extension, and the last extension, lower case; only short
/// ASCII ones can be told from a part of the name.
pub fn extension(name: &str) -> Option<(&str, String)> {
    let (stem, ext) = name.rsplit_once('.')?;
    let shaped = !stem.is_empty()
        && (1..=8).contains(&ext.len())
        && ext.bytes().all(|byte| byte.is_ascii_alphanumeric());
    shaped.then(|| (stem, ext.to_ascii_lowercase()))
}

/// The folders of a path and its name.
pub fn folder_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// What a name has to leave room for.
#[derive(Clone, Copy, Debug)]
pub struct Fit<'a> {
    /// The longest name in bytes.
    pub limit: usize,
    /// The longest end of a sidecar's name, with its extension, in bytes.
    pub room: usize,
    /// What tells it from another version.
    pub label: Option<&'a str>,
}

/// Fills a pattern so that the parts that matter more fit: the name of the
/// episode is cut first, then the title, and nothing else.
pub fn lay_out(
    template: &Template,
    values: &FileValues,
    extension: &str,
    fit: &Fit<'_>,
) -> Result<Target, SkipReason> {
    let Some(file) = template.depth().checked_sub(1) else {
        return Err(SkipReason::UnknownKind);
    };
    let folders = folders(template, values, fit.limit);
    let room = fit.room.max(SIDECAR_ROOM);
    let fixed = template.fill(file, &values.with_titles_cut(0).with_name(None), fit.label);
    let taken = room + fixed.text.len().max(TAIL_ROOM);
    let titled = values.with_titles_cut(title_room(fit.limit, taken, fixed.titles));
    let stem = |name: Option<&str>| template.fill(file, &titled.with_name(name), fit.label);
    let mut filled = stem(values.episode_title.as_deref());
    let over = (filled.text.len() + room).saturating_sub(fit.limit);
    if let Some(name) = values.episode_title.as_deref().filter(|_| over > 0) {
        let left = name.len().saturating_sub(over);
        let shorter = (left >= SHORTEST_NAME).then(|| cut(name, left));
        filled = stem(shorter.filter(|name| *name != "_"));
    }
    if values.is_episode() && !filled.numbered {
        return Err(SkipReason::NoEpisode);
    }
    Target { folders, stem: safe_component(&filled.text), extension: extension.to_owned() }
        .fits(fit.limit)
}

/// The folders of a pattern; what is empty is left out.
pub fn folders(template: &Template, values: &FileValues, limit: usize) -> Vec<String> {
    let name = values.episode_title.as_deref().map(|name| cut(name, LONGEST_IN_FOLDER));
    let values = values.with_name(name);
    let bare = values.with_titles_cut(0);
    (0..template.depth().saturating_sub(1))
        .map(|part| {
            let fixed = template.fill(part, &bare, None);
            let taken = SIDECAR_ROOM + fixed.text.len().max(TAIL_ROOM);
            let titled = values.with_titles_cut(title_room(limit, taken, fixed.titles));
            template.fill(part, &titled, None).text
        })
        .filter(|text| !text.trim().is_empty())
        .map(|text| safe_component(&text))
        .collect()
}

/// The bytes of a title that are left when the rest of a name is taken.
fn title_room(limit: usize, taken: usize, titles: usize) -> usize {
    (limit.saturating_sub(taken) / titles.max(1)).max(SHORTEST_TITLE)
}
