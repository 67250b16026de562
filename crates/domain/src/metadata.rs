//! Works of the metadata sources: what a torrent may turn out to be.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::number::Date;

/// A source of titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// The Movie Database.
    Tmdb,
    /// TVmaze; it knows series only.
    Tvmaze,
}

impl Provider {
    /// Every source there is.
    pub const ALL: &'static [Provider] = &[Provider::Tmdb, Provider::Tvmaze];

    /// The word of the column, of REST and of pins.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::Tmdb => "tmdb",
            Provider::Tvmaze => "tvmaze",
        }
    }

    /// Whether it knows works of this kind.
    #[must_use]
    pub const fn covers(self, kind: WorkKind) -> bool {
        matches!((self, kind), (Provider::Tmdb, _) | (Provider::Tvmaze, WorkKind::Series))
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkKind {
    /// A film.
    Movie,
    /// A series.
    Series,
}

/// Which work of which source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkId {
    /// The source.
    pub provider: Provider,
    /// The kind; films and series of TMDB are counted apart.
    pub kind: WorkKind,
    /// The source's own number.
    pub number: u64,
}

impl fmt::Display for WorkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WorkId { provider, kind, number } = self;
        match (provider, kind) {
            (Provider::Tmdb, WorkKind::Movie) => write!(f, "tmdb:movie/{number}"),
            (Provider::Tmdb, WorkKind::Series) => write!(f, "tmdb:tv/{number}"),
            (Provider::Tvmaze, _) => write!(f, "tvmaze:{number}"),
        }
    }
}

impl FromStr for WorkId {
    type Err = PinError;

    fn from_str(text: &str) -> Result<Self, PinError> {
        match text.parse()? {
            Pin::Work(id) => Ok(id),
            Pin::Tmdb(_) | Pin::Imdb(_) => Err(PinError(text.to_owned())),
        }
    }
}

/// A work that a person names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pin {
    /// One work.
    Work(WorkId),
    /// A number of TMDB without a kind: a film or a series.
    Tmdb(u64),
    /// A title of IMDb, with its `tt`; the sources know these numbers.
    Imdb(String),
}

/// The text names no work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no work: expected tmdb:603, tmdb:tv/1399, tvmaze:82, tt0133093, \
     or the address of a page of TMDB, TVmaze or IMDb"
)]
pub struct PinError(String);

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pin::Work(id) => id.fmt(f),
            Pin::Tmdb(number) => write!(f, "tmdb:{number}"),
            Pin::Imdb(id) => write!(f, "imdb:{id}"),
        }
    }
}

impl FromStr for Pin {
    type Err = PinError;

    fn from_str(text: &str) -> Result<Self, PinError> {
        let refused = || PinError(text.to_owned());
        let pin = text.trim().to_ascii_lowercase();
        if let Some(address) = pin.strip_prefix("https://").or_else(|| pin.strip_prefix("http://"))
        {
            return of_address(address).ok_or_else(refused);
        }
        if let Some(id) = imdb(&pin) {
            return Ok(id);
        }
        let (source, rest) = pin.split_once(':').ok_or_else(refused)?;
        let found = match source {
            "tmdb" => match rest.split_once('/') {
                None => number(rest).map(Pin::Tmdb),
                Some((kind, id)) => tmdb(kind, id),
            },
            "tvmaze" => tvmaze(rest),
            "imdb" => imdb(rest),
            _ => None,
        };
        found.ok_or_else(refused)
    }
}

/// A number of at most ten digits: none of the sources is anywhere near.
fn number(digits: &str) -> Option<u64> {
    let plain =
        !digits.is_empty() && digits.len() <= 10 && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

fn imdb(text: &str) -> Option<Pin> {
    let digits = text.strip_prefix("tt")?;
    number(digits).map(|_| Pin::Imdb(text.to_owned()))
}

fn tmdb(kind: &str, id: &str) -> Option<Pin> {
    let kind = match kind {
        "movie" => WorkKind::Movie,
        "tv" => WorkKind::Series,
        _ => return None,
    };
    let number = number(id)?;
    Some(Pin::Work(WorkId { provider: Provider::Tmdb, kind, number }))
}

fn tvmaze(id: &str) -> Option<Pin> {
    let number = number(id)?;
    Some(Pin::Work(WorkId { provider: Provider::Tvmaze, kind: WorkKind::Series, number }))
}

/// The work of a page, by its host and the first words of its path.
fn of_address(address: &str) -> Option<Pin> {
    let path_end = address.find(['?', '#']).unwrap_or(address.len());
    let mut parts = address.get(..path_end)?.split('/').filter(|part| !part.is_empty());
    let host = parts.next()?;
    let host = host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(host);
    // IMDb puts a language before the rest.
    let mut words = parts.skip_while(|part| host == "imdb.com" && part.len() == 2);
    let kind = words.next()?;
    let id = words.next()?;
    // TMDB writes the name behind the number: `603-the-matrix`.
    let digits = id.split_once('-').map_or(id, |(digits, _)| digits);
    match (host, kind) {
        ("themoviedb.org", kind) => tmdb(kind, digits),
        ("tvmaze.com", "shows") => tvmaze(digits),
        ("imdb.com", "title") => imdb(id),
        _ => None,
    }
}

/// What a source is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MetadataQuery {
    /// A name of the work.
    pub title: String,
    /// Only works of this kind.
    pub kind: WorkKind,
    /// The year, where the source can look for one.
    pub year: Option<i32>,
    /// The language in which names and descriptions are wanted, ISO 639-1.
    pub language: String,
}

/// A work as a source describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// Which.
    pub id: WorkId,
    /// Its name in the language that was asked for.
    pub title: String,
    /// Its name in its own language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_title: Option<String>,
    /// Further names, in any language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_titles: Vec<String>,
    /// The year of the first release or broadcast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overview: Option<String>,
    /// Where its poster is, in the source's own way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poster: Option<String>,
    /// How often it is looked at, from 0 to 1 within its source.
    #[serde(default)]
    pub popularity: f64,
    /// Its number at IMDb, with the `tt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imdb: Option<String>,
    /// The language it was made in, ISO 639-1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether it is animated, where the source says so.
    #[serde(default)]
    pub animated: bool,
    /// Its seasons, ascending; empty for films and where only a search was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seasons: Vec<SeasonOutline>,
}

/// A season of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonOutline {
    /// Its number; 0 holds the specials.
    pub number: u32,
    /// How many episodes it has or will have.
    pub episodes: u32,
}

/// An episode of a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// Its season.
    pub season: u32,
    /// Its number within the season.
    pub number: u32,
    /// Its name.
    pub title: String,
    /// The day of its first broadcast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
}

impl Serialize for WorkId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WorkId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
