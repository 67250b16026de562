//! `[naming]`: patterns for the names in a library.

use super::reader::Section;

/// The section `[naming]`. `None` is the pattern that is built in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// For a film.
    pub movie: Option<String>,
    /// For an episode.
    pub episode: Option<String>,
    /// For an episode of an anime.
    pub anime: Option<String>,
}

impl Naming {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Naming {
            movie: section.optional_text("movie"),
            episode: section.optional_text("episode"),
            anime: section.optional_text("anime"),
        }
    }
}
