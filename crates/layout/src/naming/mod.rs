//! How names in a library are made: patterns and a few choices, read once at the
//! start.

mod template;
mod values;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use tracker_domain::recognised::{Date, EpisodeNumber, Fields, TitleKind};

pub(crate) use template::Template;
pub use template::TemplateError;
use template::Use;
pub(crate) use values::{FileValues, Numbering, values_of};

use crate::target::{Fit, lay_out};

/// `Title (Year)/Title (Year) - 1080p {edition-Extended}.mkv`. Jellyfin takes
/// files for versions of one film when each begins with the name of the folder
/// and goes on with ` - `; Plex finds its `{edition-…}` anywhere. Parts stand
/// last, where both look for them.
pub const MOVIE: &str = "{title}< ({year})>< {id}>/\
    {title}< ({year})>< {id}>< -< {resolution}>< {{edition-{edition}}}>>< - part{part}>";

/// `Title (Year)/Season 01/Title S01E02 - Name.mkv`, and with the day where an
/// episode has no number.
pub const EPISODE: &str = "{title}< ({year})>< {id}>/Season {season:00}/\
    {title}< S{season:00}E{episode:00}| {date}>< - {episode_title}>";

/// The same, with the number through all seasons where there is no other.
pub const ANIME: &str = "{title}< ({year})>< {id}>/Season {season:00}/\
    {title}< S{season:00}E{episode:00}| - {absolute:000}| {date}>< - {episode_title}>";

/// How the number at a source of titles is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdStyle {
    /// Not at all.
    #[default]
    None,
    /// `[tmdbid-603]`.
    Jellyfin,
    /// `{tmdb-603}`.
    Plex,
}

/// What becomes of trailers, featurettes and the like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extras {
    /// They go where media servers look for them.
    #[default]
    Link,
    /// They are left out.
    Skip,
}

/// How names are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    pub(crate) movie: Template,
    pub(crate) episode: Template,
    pub(crate) anime: Template,
    pub(crate) id: IdStyle,
    pub(crate) extras: Extras,
}

impl Default for Naming {
    fn default() -> Self {
        // A test reads all three, so none is empty here.
        let built_in = |text, for_use| Template::parse(text, for_use).unwrap_or_default();
        Naming {
            movie: built_in(MOVIE, Use::Movie),
            episode: built_in(EPISODE, Use::Episode),
            anime: built_in(ANIME, Use::Anime),
            id: IdStyle::default(),
            extras: Extras::default(),
        }
    }
}

/// One name as it would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is a name of: `film`, `episode`, `special`, `anime`.
    pub what: &'static str,
    /// The path below the root of a library.
    pub path: PathBuf,
}

impl Naming {
    /// Takes another pattern for films.
    ///
    /// # Errors
    /// The first mistake in it, with its place.
    pub fn with_movie(mut self, pattern: &str) -> Result<Self, TemplateError> {
        self.movie = Template::parse(pattern, Use::Movie)?;
        Ok(self)
    }

    /// Takes another pattern for episodes.
    ///
    /// # Errors
    /// The first mistake in it, with its place.
    pub fn with_episode(mut self, pattern: &str) -> Result<Self, TemplateError> {
        self.episode = Template::parse(pattern, Use::Episode)?;
        Ok(self)
    }

    /// Takes another pattern for anime.
    ///
    /// # Errors
    /// The first mistake in it, with its place.
    pub fn with_anime(mut self, pattern: &str) -> Result<Self, TemplateError> {
        self.anime = Template::parse(pattern, Use::Anime)?;
        Ok(self)
    }

    /// Writes the number at a source of titles in this way.
    #[must_use]
    pub fn with_id(mut self, id: IdStyle) -> Self {
        self.id = id;
        self
    }

    /// Does this with extras.
    #[must_use]
    pub fn with_extras(mut self, extras: Extras) -> Self {
        self.extras = extras;
        self
    }

    /// Names of a film, an episode, a special and an anime, as a person would
    /// get them.
    #[must_use]
    pub fn examples(&self) -> Vec<Example> {
        let film = Fields {
            title: Some("The Harbour".to_owned()),
            year: Some(2010),
            edition: vec!["directors".to_owned()],
            resolution: Some("1080p".to_owned()),
            source: Some("bluray".to_owned()),
            group: Some("GROUP".to_owned()),
            ..Fields::default()
        };
        let episode = |season: u32, number: u32, name: &str| Fields {
            seasons: vec![season],
            episodes: vec![EpisodeNumber::whole(number)],
            episode_title: Some(name.to_owned()),
            edition: Vec::new(),
            ..film.clone()
        };
        let anime = Fields {
            absolute_episodes: vec![EpisodeNumber::whole(12)],
            edition: Vec::new(),
            ..film.clone()
        };
        let numbered = |fields, absolute| Numbering::of(fields, absolute).ok();
        let first = episode(1, 2, "Low Tide");
        let special = episode(0, 1, "Making Of");
        [
            ("film", TitleKind::Movie, &film, None),
            ("episode", TitleKind::Series, &first, numbered(&first, false)),
            ("special", TitleKind::Series, &special, numbered(&special, false)),
            ("anime", TitleKind::Anime, &anime, numbered(&anime, true)),
        ]
        .into_iter()
        .filter_map(|(what, kind, own, numbering)| {
            let values = values_of(own, own, numbering, self.id, Some(603));
            let fit = Fit { limit: 255, room: 0, label: None };
            let target = lay_out(self.template(kind, false), &values?, "mkv", &fit).ok()?;
            Some(Example { what, path: target.path() })
        })
        .collect()
    }

    /// The pattern for a kind of title.
    pub(crate) const fn template(&self, kind: TitleKind, absolute: bool) -> &Template {
        match kind {
            TitleKind::Movie | TitleKind::Other => &self.movie,
            TitleKind::Series if !absolute => &self.episode,
            TitleKind::Series | TitleKind::Anime => &self.anime,
        }
    }
}

/// The season under which the day of a programme is kept.
pub(crate) fn season_of(date: Date) -> u32 {
    u32::from(date.year())
}
