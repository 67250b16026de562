//! The values of one file, as a pattern asks for them.

use std::borrow::Cow;

use tracker_domain::recognised::{Date, EpisodeNumber, Fields};

use super::template::{Token, Values};
use super::{IdStyle, season_of};
use crate::name::{cut, safe_component};
use crate::plan::SkipReason;

/// A word of a release is no novel; a person may write one.
const LONGEST_WORD: usize = 60;

/// How an episode is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    season: u32,
    episodes: Vec<u32>,
    absolute: Vec<u32>,
    date: Option<Date>,
}

impl Numbering {
    /// The numbers of a file. Those through all seasons count alone only where
    /// they are known to, `through`.
    pub fn of(fields: &Fields, through: bool) -> Result<Self, SkipReason> {
        let absolute = whole(&fields.absolute_episodes).filter(|list| is_run(list));
        let absolute = absolute.unwrap_or_default();
        let date = fields.date;
        match (fields.seasons.as_slice(), fields.episodes.as_slice()) {
            ([season], [_, ..]) => {
                // A media server has no place for a fraction.
                let episodes = whole(&fields.episodes).ok_or(SkipReason::NoEpisode)?;
                Ok(Numbering { season: *season, episodes, absolute, date })
            }
            ([], []) if through && !absolute.is_empty() => {
                Ok(Numbering { season: 1, episodes: Vec::new(), absolute, date })
            }
            (_, []) => {
                let day = date.ok_or(SkipReason::NoEpisode)?;
                Ok(Numbering { season: season_of(day), date, ..Numbering::default() })
            }
            _ => Err(SkipReason::NoEpisode),
        }
    }

    /// Called by its number through all seasons alone.
    pub fn is_absolute(&self) -> bool {
        self.episodes.is_empty() && !self.absolute.is_empty()
    }
}

fn whole(numbers: &[EpisodeNumber]) -> Option<Vec<u32>> {
    numbers.iter().map(|number| number.as_whole()).collect()
}

fn is_run(numbers: &[u32]) -> bool {
    let Some(first) = numbers.first() else {
        return true;
    };
    numbers.iter().zip(*first..).all(|(number, expected)| *number == expected)
}

/// `02`, `03-E04` for a run, `01E03` for others.
fn episodes_text(numbers: &[u32], width: usize) -> Option<String> {
    let number = |number: &u32| format!("{number:0width$}");
    Some(match numbers {
        [] => return None,
        [only] => number(only),
        [first, .., last] if is_run(numbers) => format!("{}-E{}", number(first), number(last)),
        all => all.iter().map(number).collect::<Vec<_>>().join("E"),
    })
}

/// `012`, `012-013`.
fn run_text(numbers: &[u32], width: usize) -> Option<String> {
    Some(match numbers {
        [] => return None,
        [only] => format!("{only:0width$}"),
        [first, .., last] => format!("{first:0width$}-{last:0width$}"),
    })
}

/// The values of one file, clean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileValues {
    title: String,
    original_title: String,
    /// The name of the episode.
    pub episode_title: Option<String>,
    year: Option<i32>,
    edition: Option<String>,
    resolution: Option<String>,
    source: Option<String>,
    group: Option<String>,
    part: Option<String>,
    id: Option<String>,
    numbering: Option<Numbering>,
}

/// The values of a file from its own fields and those of the torrent; `None`
/// without a title.
pub fn values_of(
    own: &Fields,
    whole: &Fields,
    numbering: Option<Numbering>,
    id: IdStyle,
    tmdb: Option<u64>,
) -> Option<FileValues> {
    let said = |text: Option<&String>| {
        text.map(|text| text.trim()).filter(|text| !text.is_empty()).map(safe_component)
    };
    let word = |text: Option<&String>| said(text).map(|text| cut(&text, LONGEST_WORD).to_owned());
    let title = said(own.title.as_ref().or(whole.title.as_ref()))?;
    let original = said(own.title_orig.as_ref().or(whole.title_orig.as_ref()));
    let edition = if own.edition.is_empty() { &whole.edition } else { &own.edition };
    let edition: Vec<Cow<'_, str>> = edition.iter().map(|word| edition_name(word)).collect();
    let source = own.source.as_ref().or(whole.source.as_ref()).map(|word| source_name(word));
    let part = match (numbering.is_some(), own.part.as_slice()) {
        (true, _) | (_, []) => None,
        (_, [only]) => Some(only.to_string()),
        (_, [first, .., last]) => Some(format!("{first}-{last}")),
    };
    let id = match (id, tmdb) {
        (IdStyle::None, _) | (_, None) => None,
        (IdStyle::Jellyfin, Some(number)) => Some(format!("[tmdbid-{number}]")),
        (IdStyle::Plex, Some(number)) => Some(format!("{{tmdb-{number}}}")),
    };
    Some(FileValues {
        original_title: original.unwrap_or_else(|| title.clone()),
        title,
        episode_title: said(own.episode_title.as_ref()).filter(|name| name != "_"),
        year: own.year.or(whole.year),
        edition: word(Some(&edition.join(" "))),
        resolution: word(own.resolution.as_ref()),
        source: word(source.as_ref()),
        group: word(own.group.as_ref().or(whole.group.as_ref())),
        part,
        id,
        numbering,
    })
}

impl FileValues {
    /// What tells versions of one title apart.
    pub fn versions(&self) -> [Option<&str>; 3] {
        [self.resolution.as_deref(), self.source.as_deref(), self.edition.as_deref()]
    }

    /// Whether it is called by a number or a day.
    pub const fn is_episode(&self) -> bool {
        self.numbering.is_some()
    }

    /// The same with titles of so many bytes; none of 0 bytes, to see how much room
    /// is left.
    pub fn with_titles_cut(&self, bytes: usize) -> FileValues {
        let shorter =
            |text: &str| if bytes == 0 { String::new() } else { cut(text, bytes).to_owned() };
        FileValues {
            title: shorter(&self.title),
            original_title: shorter(&self.original_title),
            ..self.clone()
        }
    }

    /// The same with another name of the episode.
    pub fn with_name(&self, name: Option<&str>) -> FileValues {
        FileValues { episode_title: name.map(str::to_owned), ..self.clone() }
    }
}

impl Values for FileValues {
    fn value(&self, token: Token) -> Option<String> {
        let numbering = self.numbering.as_ref();
        match token {
            Token::Title => Some(self.title.clone()),
            Token::OriginalTitle => Some(self.original_title.clone()),
            Token::Year => self.year.map(|year| year.to_string()),
            Token::Edition => self.edition.clone(),
            Token::Resolution => self.resolution.clone(),
            Token::Source => self.source.clone(),
            Token::Group => self.group.clone(),
            Token::Season(width) => numbering.map(|found| format!("{:0width$}", found.season)),
            Token::Episode(width) => {
                numbering.and_then(|found| episodes_text(&found.episodes, width))
            }
            Token::Absolute(width) => numbering.and_then(|found| run_text(&found.absolute, width)),
            Token::EpisodeTitle => self.episode_title.clone(),
            Token::Date => numbering.and_then(|found| found.date).map(|date| date.to_string()),
            Token::Part => self.part.clone(),
            Token::Id => self.id.clone(),
        }
    }
}

/// The words of the vocabulary as people write them on covers.
fn edition_name(word: &str) -> Cow<'_, str> {
    Cow::Borrowed(match word {
        "directors" => "Director's Cut",
        "final" => "Final Cut",
        "festival" => "Festival Cut",
        "alternative" => "Alternative Cut",
        "extended" => "Extended",
        "theatrical" => "Theatrical",
        "uncut" => "Uncut",
        "uncensored" => "Uncensored",
        "unrated" => "Unrated",
        "remastered" => "Remastered",
        "recut" => "Recut",
        "imax" => "IMAX",
        "open-matte" => "Open Matte",
        "criterion" => "Criterion",
        "despecialized" => "Despecialized",
        "collectors" => "Collector's Edition",
        "special" => "Special Edition",
        "ultimate" => "Ultimate Edition",
        "anniversary" => "Anniversary Edition",
        "deluxe" => "Deluxe Edition",
        "limited" => "Limited Edition",
        // Braces would end the tag that Plex reads.
        other => return Cow::Owned(other.replace(['{', '}'], "")),
    })
}

fn source_name(word: &str) -> String {
    match word {
        "bluray" => "BluRay",
        "web-dl" => "WEB-DL",
        "webrip" => "WEBRip",
        "web" => "WEB",
        "hdtv" => "HDTV",
        "dvd" => "DVD",
        "dvdrip" => "DVDRip",
        "bdrip" => "BDRip",
        "hdrip" => "HDRip",
        other => other,
    }
    .to_owned()
}
