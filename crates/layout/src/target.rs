//! The name that one file gets in a library.

use std::collections::HashMap;
use std::path::PathBuf;

use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Fields, TitleKind};

use crate::name::{cut, safe_component};
use crate::plan::{PlanInput, SkipReason};

/// Room that is kept beside a video for the sidecars that come later, such as
/// `.forced.en.sdh.srt`; the extension is within it.
const SIDECAR_ROOM: usize = 20;

/// Room for the year in the name of a folder, and for the longest usual tail of
/// a file: ` (2010) - 2160p` or ` S01E01-E02`.
const TAIL_ROOM: usize = 20;

/// The fewest bytes of a title worth having.
const SHORTEST_TITLE: usize = 16;

/// A target below the root of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    folders: Vec<String>,
    stem: String,
    extension: String,
}

impl Target {
    /// The path below the root.
    pub fn path(&self) -> PathBuf {
        let mut path: PathBuf = self.folders.iter().collect();
        path.push(format!("{}.{}", self.stem, self.extension));
        path
    }

    fn fits(self, name_limit: usize) -> Result<Target, SkipReason> {
        let name = self.stem.len() + 1 + self.extension.len();
        let fits =
            name <= name_limit && self.folders.iter().all(|folder| folder.len() <= name_limit);
        if fits { Ok(self) } else { Err(SkipReason::NameTooLong) }
    }
}

/// Whether a path stays inside the torrent: relative, and each of its components
/// a name. A torrent's author chooses these paths.
pub fn safe_source(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\0')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// The last extension, lower case; only short ASCII ones can be told from a part
/// of the name.
fn extension(name: &str) -> Option<(&str, String)> {
    let (stem, ext) = name.rsplit_once('.')?;
    let shaped = !stem.is_empty()
        && (1..=8).contains(&ext.len())
        && ext.bytes().all(|byte| byte.is_ascii_alphanumeric());
    shaped.then(|| (stem, ext.to_ascii_lowercase()))
}

fn folder_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Names a film or an episode.
pub fn video_target(
    input: &PlanInput<'_>,
    file: &RemoteFile,
    own: &Fields,
) -> Result<Target, SkipReason> {
    let whole = &input.recognised.fields;
    let kind = own.kind.or(whole.kind).ok_or(SkipReason::UnknownKind)?;
    let title = own.title.as_deref().or(whole.title.as_deref()).map(str::trim);
    let title = title.filter(|title| !title.is_empty()).ok_or(SkipReason::NoTitle)?;
    let year = own.year.or(whole.year).map(|year| format!(" ({year})")).unwrap_or_default();
    let (_, extension) = extension(folder_and_name(&file.path).1).ok_or(SkipReason::UnknownKind)?;
    let namer = Namer { title: safe_component(title), limit: input.name_limit };
    let folder = namer.folder(&year);
    let (folders, tail) = match kind {
        TitleKind::Movie => {
            let resolution = own.resolution.as_deref().map(safe_component);
            let resolution = resolution.map(|text| format!(" - {text}")).unwrap_or_default();
            (vec![folder], format!("{year}{resolution}"))
        }
        TitleKind::Series | TitleKind::Anime => {
            let (season, episodes) = numbers(own)?;
            (vec![folder, format!("Season {season:02}")], format!(" S{season:02}{episodes}"))
        }
        TitleKind::Other => return Err(SkipReason::UnknownKind),
    };
    Target { folders, stem: namer.stem(&tail), extension }.fits(input.name_limit)
}

/// The season, and the episodes as they are written: `E01`, `E01-E02` for a run,
/// `E01E03` for others.
fn numbers(fields: &Fields) -> Result<(u32, String), SkipReason> {
    let [season] = fields.seasons.as_slice() else {
        return Err(SkipReason::NoEpisode);
    };
    // A media server has no place for a fraction.
    let whole: Option<Vec<u32>> =
        fields.episodes.iter().map(|episode| episode.as_whole()).collect();
    let episodes = whole.ok_or(SkipReason::NoEpisode)?;
    let (first, last) = match episodes.as_slice() {
        [] => return Err(SkipReason::NoEpisode),
        [only] => return Ok((*season, format!("E{only:02}"))),
        [first, .., last] => (*first, *last),
    };
    let run = episodes.iter().zip(first..).all(|(episode, expected)| *episode == expected);
    let text = if run {
        format!("E{first:02}-E{last:02}")
    } else {
        episodes.iter().map(|episode| format!("E{episode:02}")).collect()
    };
    Ok((*season, text))
}

/// Cuts a title so that the parts that matter more fit behind it.
struct Namer {
    title: String,
    limit: usize,
}

impl Namer {
    /// The same cut for the folder and for usual files, so that a media server
    /// sees that they belong together.
    fn cut_to(&self, tail: usize) -> &str {
        let room = SIDECAR_ROOM + tail.max(TAIL_ROOM);
        cut(&self.title, self.limit.saturating_sub(room).max(SHORTEST_TITLE))
    }

    fn folder(&self, year: &str) -> String {
        format!("{}{year}", self.cut_to(0))
    }

    fn stem(&self, tail: &str) -> String {
        format!("{}{tail}", self.cut_to(tail.len()))
    }
}

/// Finds the video that subtitles belong to: the one in the same folder whose
/// name they continue.
#[derive(Default)]
pub struct Subtitles<'a>(HashMap<(&'a str, &'a str), Target>);

impl<'a> Subtitles<'a> {
    /// Remembers where a video goes.
    pub fn add_video(&mut self, file: &'a RemoteFile, target: &Target) {
        let (folder, name) = folder_and_name(&file.path);
        if let Some((stem, _)) = extension(name) {
            self.0.insert((folder, stem), target.clone());
        }
    }

    /// Names subtitles beside their video: its target, and what their own name
    /// has behind the name of the video.
    pub fn target(&self, file: &RemoteFile, name_limit: usize) -> Result<Target, SkipReason> {
        let (folder, name) = folder_and_name(&file.path);
        let (stem, extension) = extension(name).ok_or(SkipReason::UnknownKind)?;
        let ends = stem
            .char_indices()
            .filter(|(_, ch)| !ch.is_alphanumeric())
            .map(|(at, _)| at)
            .chain([stem.len()]);
        // The longest name wins: `Show.S01E01.extended.srt` belongs to the
        // extended video when both are there.
        let longest_first: Vec<usize> = ends.collect();
        for end in longest_first.into_iter().rev() {
            let (front, rest) = stem.split_at(end);
            if let Some(video) = self.0.get(&(folder, front)) {
                let rest = subtitle_tail(rest);
                let target = Target {
                    folders: video.folders.clone(),
                    stem: format!("{}{rest}", video.stem),
                    extension,
                };
                return target.fits(name_limit);
            }
        }
        Err(SkipReason::OrphanSubtitle)
    }
}

/// `.en`, `-forced`, ` [eng]`: cleaned, with the separator it came with.
fn subtitle_tail(rest: &str) -> String {
    let Some(separator) = rest.chars().next() else {
        return String::new();
    };
    let words = safe_component(rest.get(separator.len_utf8()..).unwrap_or(""));
    if words == "_" {
        return String::new();
    }
    let separator = if matches!(separator, '-' | '_' | '.') { separator } else { '.' };
    format!("{separator}{words}")
}
