//! What a torrent was found to be: typed fields, their evidence, a verdict.
//!
//! The field names are those of the recognition vocabulary, so that REST, the
//! database and the command line use one set of words.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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

/// The fields that were found. `None` and empty mean "not found".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// What kind of title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<TitleKind>,
    /// The title as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The year of release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// Season numbers, ascending; 0 holds the specials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seasons: Vec<u32>,
    /// Episode numbers within the season, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub episodes: Vec<u32>,
    /// `2160p`, `1080p`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// The last extension, lowercase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
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
    /// The rule that read them.
    pub rule: String,
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
    /// Something between: trailers, artwork, text files.
    Extra,
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
    /// What keeps it from being sure, in words for a person.
    pub doubts: Vec<String>,
}

impl TitleKind {
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
