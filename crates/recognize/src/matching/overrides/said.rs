//! One override, read.

use std::fmt;

use tracker_domain::metadata::Pin;
use tracker_domain::recognised::{EpisodeNumber, TitleKind};
use tracker_domain::remark::{Quoted, Remark};

use super::numbers::{HIGHEST, parse_list, show_list};

/// Fields of the download as a whole that can be set.
pub const PLAIN_FIELDS: &[&str] = &[
    "title",
    "year",
    "kind",
    "season",
    "episode_offset",
    "numbering",
    "edition",
    "library",
    "candidate",
];

/// Fields that mean the same for another release of the same title, and so may be
/// remembered. The number of a season and an offset are those of one release, and an
/// index is that of a file in one torrent.
pub const REMEMBERED_FIELDS: &[&str] =
    &["title", "year", "kind", "numbering", "edition", "library", "candidate"];

/// Fields of one file that can be set, behind `file.<index>.`.
pub const FILE_FIELDS: &[&str] = &["season", "episodes", "part", "skip"];

/// An override that cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.remark())]
pub enum OverrideError {
    /// No field of that name can be set.
    UnknownField(String),
    /// The value says nothing about the field.
    Value {
        /// The field.
        field: String,
        /// The value, cut to a length that can be shown.
        value: String,
        /// What is expected.
        expected: Remark,
    },
}

impl OverrideError {
    /// What is said of it.
    #[must_use]
    pub fn remark(&self) -> Remark {
        match self {
            OverrideError::UnknownField(field) => {
                let of_file = FILE_FIELDS.join(", file.<index>.");
                let fields = format!("{}, or file.<index>.{of_file}", PLAIN_FIELDS.join(", "));
                Remark::UnknownField { field: Quoted(field.clone()), fields }
            }
            OverrideError::Value { field, value, expected } => Remark::ValueDoesNotFit {
                value: Quoted(value.clone()),
                field: field.clone(),
                expected: Box::new(expected.clone()),
            },
        }
    }
}

/// How episodes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbering {
    /// Within their season.
    Aired,
    /// Through all seasons.
    Absolute,
}

/// What is said about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OfFile {
    Season(u32),
    Episodes(Vec<EpisodeNumber>),
    Part(u32),
    Skip(bool),
}

/// An override with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Title(String),
    Year(i32),
    Kind(TitleKind),
    Season(u32),
    EpisodeOffset(i32),
    Numbering(Numbering),
    Edition(Vec<String>),
    Library(String),
    Candidate(Pin),
    File(u32, OfFile),
}

impl Said {
    pub fn parse(field: &str, value: &str) -> Result<Said, OverrideError> {
        let text = value.trim();
        let of_file = file_field(field);
        let (read, expected) = match (field, of_file) {
            (_, Some((index, name))) => parse_of_file(index, name, text),
            ("title", _) => (title(text).map(Said::Title), Remark::ExpectTitle),
            ("year", _) => (year(text).map(Said::Year), Remark::ExpectYear),
            ("kind", _) => (kind(text).map(Said::Kind), Remark::ExpectKind),
            ("season", _) => (number(text).map(Said::Season), Remark::ExpectSeason),
            ("episode_offset", _) => (offset(text).map(Said::EpisodeOffset), Remark::ExpectOffset),
            ("numbering", _) => (numbering(text).map(Said::Numbering), Remark::ExpectNumbering),
            ("edition", _) => (edition(text).map(Said::Edition), Remark::ExpectEdition),
            ("library", _) => (library(text).map(Said::Library), Remark::ExpectLibrary),
            ("candidate", _) => (text.parse().ok().map(Said::Candidate), Remark::ExpectWork),
            _ => return Err(OverrideError::UnknownField(shortened(field))),
        };
        let refused =
            || OverrideError::Value { field: shortened(field), value: shortened(value), expected };
        read.ok_or_else(refused)
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Title(text) | Said::Library(text) => f.write_str(text),
            Said::Year(year) => year.fmt(f),
            Said::Kind(kind) => kind.fmt(f),
            Said::Season(number) | Said::File(_, OfFile::Season(number) | OfFile::Part(number)) => {
                number.fmt(f)
            }
            Said::EpisodeOffset(offset) => offset.fmt(f),
            Said::Numbering(Numbering::Aired) => f.write_str("aired"),
            Said::Numbering(Numbering::Absolute) => f.write_str("absolute"),
            Said::Edition(words) => f.write_str(&words.join(",")),
            Said::Candidate(pin) => pin.fmt(f),
            Said::File(_, OfFile::Episodes(list)) => f.write_str(&show_list(list)),
            Said::File(_, OfFile::Skip(skip)) => skip.fmt(f),
        }
    }
}

/// `file.3.season`. An index has one spelling, since a field is kept once.
fn file_field(field: &str) -> Option<(u32, &str)> {
    let (index, name) = field.strip_prefix("file.")?.split_once('.')?;
    let one_spelling = index == "0" || !index.starts_with(['0', '+']);
    let index = index.parse().ok().filter(|_| one_spelling)?;
    FILE_FIELDS.contains(&name).then_some((index, name))
}

fn parse_of_file(index: u32, name: &str, text: &str) -> (Option<Said>, Remark) {
    let (read, expected) = match name {
        "season" => (number(text).map(OfFile::Season), Remark::ExpectSeason),
        "episodes" => (parse_list(text).map(OfFile::Episodes), Remark::ExpectEpisodes),
        "part" => (
            number(text).filter(|part| (1..=99).contains(part)).map(OfFile::Part),
            Remark::ExpectPart,
        ),
        _ => {
            let skip = match text.to_ascii_lowercase().as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            };
            (skip.map(OfFile::Skip), Remark::ExpectYesOrNo)
        }
    };
    (read.map(|said| Said::File(index, said)), expected)
}

fn title(text: &str) -> Option<String> {
    let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !title.is_empty()
        && title.chars().count() <= 300
        && title.chars().any(char::is_alphanumeric)
        && !title.chars().any(char::is_control);
    fits.then_some(title)
}

fn library(text: &str) -> Option<String> {
    let fits = !text.is_empty() && text.len() <= 100 && !text.chars().any(char::is_control);
    fits.then(|| text.to_owned())
}

fn year(text: &str) -> Option<i32> {
    digits(text)?.parse().ok().filter(|year| (1870..=2199).contains(year))
}

fn number(text: &str) -> Option<u32> {
    digits(text)?.parse().ok().filter(|number| *number <= HIGHEST)
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

fn offset(text: &str) -> Option<i32> {
    text.parse().ok().filter(|offset: &i32| offset.unsigned_abs() <= HIGHEST)
}

fn kind(text: &str) -> Option<TitleKind> {
    TitleKind::ALL.iter().copied().find(|kind| kind.as_str().eq_ignore_ascii_case(text))
}

fn numbering(text: &str) -> Option<Numbering> {
    match text.to_ascii_lowercase().as_str() {
        "aired" => Some(Numbering::Aired),
        "absolute" => Some(Numbering::Absolute),
        _ => None,
    }
}

/// `Director's Cut, Extended` is `directors,extended`.
fn edition(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let lower: String = part
            .chars()
            .filter(|ch| !matches!(ch, '\'' | '’'))
            .flat_map(char::to_lowercase)
            .collect();
        let mut pieces: Vec<&str> = lower.split_whitespace().collect();
        if pieces.len() > 1 && matches!(pieces.last(), Some(&("cut" | "edition" | "version"))) {
            pieces.pop();
        }
        let word = pieces.join("-");
        let plain = word.chars().all(|ch| ch.is_alphanumeric() || ch == '-');
        if !plain || word.is_empty() || word.chars().count() > 40 {
            return None;
        }
        words.push(word);
    }
    words.sort_unstable();
    words.dedup();
    (words.len() <= 8).then_some(words)
}

/// A text of a person that is short enough for a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}
