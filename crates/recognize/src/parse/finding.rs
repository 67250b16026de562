//! What one pass over the tokens has found, before anybody decides what it means.

use tracker_domain::number::{Date, EpisodeNumber};

use super::vocab::Tag;

/// What a token turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// A word like any other.
    Word,
    /// A word of releases that no title has.
    Strong(Tag),
    /// A word of releases that a title may have as well.
    Weak(Tag),
    /// Season, episode or part numbers.
    Number,
    /// A day.
    Date,
    /// Four digits that may be a year.
    Year,
    /// A checksum.
    Crc,
    /// The address of a site.
    Site,
}

/// A value that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A word of the vocabulary.
    Word(&'static str),
    /// A number.
    Number(u32),
    /// Numbers from one to another.
    Range(u32, u32),
    /// A number of an episode.
    Episode(EpisodeNumber),
    /// A day.
    Day(Date),
    /// The words themselves.
    Text,
}

/// One finding: which field, from which bytes, by which rule.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The field of the vocabulary.
    pub field: &'static str,
    /// What was read.
    pub value: Value,
    /// Its first byte.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
    /// The rule.
    pub rule: &'static str,
}

/// How an episode number was written: what it can mean depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// `525` for season 5, episode 25.
    Guess,
    /// A number alone, where an episode is expected.
    Bare,
    /// `E05`, `Episode 5`.
    Marked,
    /// `S01E05`, `1x05`.
    Full,
}
