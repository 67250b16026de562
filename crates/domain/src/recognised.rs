//! What a torrent was found to be: typed fields, their evidence, a verdict.
//!
//! The field names are those of the recognition vocabulary, so that REST, the
//! database and the command line use one set of words.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use crate::number::{Date, EpisodeNumber};
use crate::remark::Remark;

/// What kind of title it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TitleKind {
    /// A film.
    Movie,
    /// A series, or part of one.
    Series,
    /// Anime that counts by absolute numbers.
    Anime,
    /// Nothing for a film or series library.
    Other,
}

/// How sure the recognition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The names say plainly what it is.
    Sure,
    /// A person should look.
    Doubt,
    /// Nothing usable was found.
    Unknown,
}

/// The life of a recognition, separate from that of its download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecognitionState {
    /// The file list is not known yet.
    Pending,
    /// A metadata source has to answer first.
    Waiting,
    /// There is a proposal for a person.
    Proposed,
    /// It holds: links follow it.
    Accepted,
    /// A person said no.
    Rejected,
    /// A newer one took its place.
    Superseded,
}

/// The fields that were found. `None`, `false` and empty mean "not found".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// What kind of title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<TitleKind>,
    /// The title as written: the first of its names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The name in Cyrillic letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_ru: Option<String>,
    /// The name in Latin letters, beside one in other letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_orig: Option<String>,
    /// Every further name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_titles: Vec<String>,
    /// The year of release, or the first of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// The last year of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year_end: Option<i32>,
    /// Season numbers, ascending; 0 holds the specials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seasons: Vec<u32>,
    /// Episode numbers within the season, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub episodes: Vec<EpisodeNumber>,
    /// Episode numbers that count through all seasons, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absolute_episodes: Vec<EpisodeNumber>,
    /// How many episodes the season has, where the name says it (`1-8 из 10`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episode_count: Option<u32>,
    /// The day of a daily programme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The name of the episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episode_title: Option<String>,
    /// Numbers of the parts of one film, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub part: Vec<u32>,
    /// The part of a season.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season_part: Option<u32>,
    /// Which cuts: `extended`, `directors`, … in the words of the vocabulary.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edition: Vec<String>,
    /// `2160p`, `1080p`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// Where the picture is from: `bluray`, `web-dl`, `hdtv`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The streams of a disc, not encoded anew.
    #[serde(skip_serializing_if = "is_false")]
    pub remux: bool,
    /// A corrected release of another group.
    #[serde(skip_serializing_if = "is_false")]
    pub proper: bool,
    /// A corrected release of the same group.
    #[serde(skip_serializing_if = "is_false")]
    pub repack: bool,
    /// The version of an anime release, where it is written (`v2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// `h264`, `h265`, `av1`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_codec: Option<String>,
    /// `aac`, `eac3`, `dts-hd`, …, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audio: Vec<String>,
    /// `hdr`, `hdr10+`, `dv`, `hlg`, `sdr`, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hdr: Vec<String>,
    /// Languages by their ISO 639-1 codes, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Who made the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The last extension, lowercase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Which words of which name led to a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The field.
    pub field: String,
    /// The value it got.
    pub value: String,
    /// Where it was found: `file`, `folder`, `torrent`, `dn`, `client`, `hint`.
    pub from: String,
    /// The words.
    pub text: String,
    /// Where they begin and end in the name, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(u32, u32)>,
    /// The rule that read them.
    pub rule: String,
}

/// One reason why a work is, or is not, the one that is meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScorePart {
    /// What was compared: `title`, `year`, `kind`, `episodes`, `popularity`.
    pub name: String,
    /// What it counts, from -1 to 1; the score is their sum.
    pub points: f64,
    /// Why.
    pub detail: Remark,
}

/// What one file is within the whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRole {
    /// Its index in the torrent.
    pub index: u32,
    /// What it is for.
    pub role: Role,
    /// The fields of this file alone; they win over those of the torrent.
    pub fields: Fields,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The film or an episode.
    Main,
    /// Subtitles that belong to a main file.
    Subtitle,
    /// A sample.
    Sample,
    /// A text about the release.
    Info,
    /// Sound that belongs to a main file.
    Audio,
    /// Chapters of a main file.
    Chapters,
    /// A picture of the title: its poster, its background, its banner.
    Artwork,
    /// Something between: trailers, featurettes, other pictures.
    Extra,
    /// Whatever it is, a person left it out. No name says so, so no recognition keeps it.
    #[serde(rename = "left-out")]
    LeftOut,
    /// A packed archive.
    Archive,
    /// A program, or bait that looks like a film.
    Executable,
    /// Something this version does not know.
    Unknown,
}

/// The whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    /// What holds for the torrent.
    pub fields: Fields,
    /// What holds for each file.
    pub files: Vec<FileRole>,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// How sure.
    pub verdict: Verdict,
    /// From 0 to 1; only for order and display, the verdict decides.
    pub confidence: f64,
    /// What keeps it from being sure.
    pub doubts: Vec<Remark>,
}

impl TitleKind {
    /// Every kind there is.
    pub const ALL: &'static [TitleKind] =
        &[TitleKind::Movie, TitleKind::Series, TitleKind::Anime, TitleKind::Other];

    /// The word of the column and of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TitleKind::Movie => "movie",
            TitleKind::Series => "series",
            TitleKind::Anime => "anime",
            TitleKind::Other => "other",
        }
    }
}

impl Role {
    /// Every role there is.
    pub const ALL: &'static [Role] = &[
        Role::Main,
        Role::Subtitle,
        Role::Sample,
        Role::Info,
        Role::Audio,
        Role::Chapters,
        Role::Artwork,
        Role::Extra,
        Role::LeftOut,
        Role::Archive,
        Role::Executable,
        Role::Unknown,
    ];

    /// The word of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Main => "main",
            Role::Subtitle => "subtitle",
            Role::Sample => "sample",
            Role::Info => "info",
            Role::Audio => "audio",
            Role::Chapters => "chapters",
            Role::Artwork => "artwork",
            Role::Extra => "extra",
            Role::LeftOut => "left-out",
            Role::Archive => "archive",
            Role::Executable => "executable",
            Role::Unknown => "unknown",
        }
    }
}

impl fmt::Display for TitleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Verdict {
    /// The word of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Sure => "sure",
            Verdict::Doubt => "doubt",
            Verdict::Unknown => "unknown",
        }
    }
}

impl RecognitionState {
    /// Every state there is.
    pub const ALL: &'static [RecognitionState] = &[
        RecognitionState::Pending,
        RecognitionState::Waiting,
        RecognitionState::Proposed,
        RecognitionState::Accepted,
        RecognitionState::Rejected,
        RecognitionState::Superseded,
    ];

    /// The word of the column and of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RecognitionState::Pending => "pending",
            RecognitionState::Waiting => "waiting",
            RecognitionState::Proposed => "proposed",
            RecognitionState::Accepted => "accepted",
            RecognitionState::Rejected => "rejected",
            RecognitionState::Superseded => "superseded",
        }
    }
}

impl fmt::Display for RecognitionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no state of a recognition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a state of a recognition")]
pub struct ParseRecognitionStateError(String);

impl FromStr for RecognitionState {
    type Err = ParseRecognitionStateError;

    fn from_str(text: &str) -> Result<Self, ParseRecognitionStateError> {
        Self::ALL
            .iter()
            .copied()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| ParseRecognitionStateError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
