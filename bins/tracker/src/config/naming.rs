//! `[naming]`: patterns for the names in a library, and what else decides them.

use tracker_layout::{Extras, IdStyle, Naming as Names, TemplateError};

use super::reader::Section;

/// The section `[naming]`, read into what the layout takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// How names are made.
    pub names: Names,
}

/// Takes one pattern into the names.
type Take = fn(Names, &str) -> Result<Names, TemplateError>;

impl Naming {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let patterns: [(&'static str, Take); 3] = [
            ("movie", Names::with_movie),
            ("episode", Names::with_episode),
            ("anime", Names::with_anime),
        ];
        let mut names = Names::default();
        for (key, take) in patterns {
            // What cannot be used is told; the built-in pattern stands in.
            let read = |text: &str| {
                let known = take(Names::default(), text);
                known.map(|_| text.to_owned()).map_err(|error| error.to_string())
            };
            if let Some(text) = section.optional(key, String::clone, read) {
                names = take(names.clone(), &text).unwrap_or(names);
            }
        }
        let id = section.word(
            "id",
            IdStyle::None,
            &[("none", IdStyle::None), ("jellyfin", IdStyle::Jellyfin), ("plex", IdStyle::Plex)],
        );
        let extras =
            section.word("extras", Extras::Link, &[("link", Extras::Link), ("skip", Extras::Skip)]);
        Naming { names: names.with_id(id).with_extras(extras) }
    }
}
