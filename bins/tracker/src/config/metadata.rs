//! `[metadata]`: sources of titles.

use serde_json::Value;
use url::Url;

use super::reader::Section;
use super::values::{language_tag, url};
use tracker_domain::Secret;

/// The section `[metadata]`. An address that is `None` is the source's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The token for TMDB.
    pub tmdb_token: Option<Secret>,
    /// Where TMDB is asked.
    pub tmdb_url: Option<Url>,
    /// Where TMDB's pictures are.
    pub tmdb_image_url: Option<Url>,
    /// Whether TVmaze is asked.
    pub tvmaze: bool,
    /// Where TVmaze is asked.
    pub tvmaze_url: Option<Url>,
    /// Languages of titles, the preferred one first.
    pub languages: Vec<String>,
}

impl Metadata {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let address = |text: &str| url(text, &["http", "https"]);
        Metadata {
            tmdb_token: section.secret("tmdb_token"),
            tmdb_url: section.optional("tmdb_url", ToString::to_string, address),
            tmdb_image_url: section.optional("tmdb_image_url", ToString::to_string, address),
            tvmaze: section.boolean("tvmaze", true),
            tvmaze_url: section.optional("tvmaze_url", ToString::to_string, address),
            languages: section.list(
                "languages",
                vec!["en".to_owned(), "ru".to_owned()],
                |language: &String| Value::String(language.clone()),
                language_tag,
            ),
        }
    }
}
