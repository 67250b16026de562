//! `[[media_server]]`: media servers to refresh.

use url::Url;

use super::path_map::PathPair;
use super::reader::Section;
use super::secret::Secret;
use super::values::url;

/// The kinds of media server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaServerKind {
    /// Jellyfin.
    Jellyfin,
    /// Plex.
    Plex,
}

/// One media server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaServer {
    /// Its name; unique.
    pub name: String,
    /// What it is.
    pub kind: MediaServerKind,
    /// Its address.
    pub url: Url,
    /// Its token.
    pub token: Option<Secret>,
    /// Its folders as they are here.
    pub path_map: Vec<PathPair>,
}

impl MediaServer {
    pub(super) fn from_source(name: &str, mut section: Section<'_, '_>) -> Option<Self> {
        let kind = section.word(
            "kind",
            MediaServerKind::Jellyfin,
            &[("jellyfin", MediaServerKind::Jellyfin), ("plex", MediaServerKind::Plex)],
        );
        let address = section.required(
            "url",
            "write its address, such as \"http://127.0.0.1:8096\"",
            ToString::to_string,
            |text| url(text, &["http", "https"]),
        );
        let token = section.secret("token");
        let path_map = PathPair::list(&mut section, "path_map");
        Some(MediaServer { name: name.to_owned(), kind, url: address?, token, path_map })
    }
}
