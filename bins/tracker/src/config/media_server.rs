//! `[[media_server]]`: media servers to refresh.

use url::Url;

use super::path_map::PathPair;
use super::reader::Section;
use super::values::url;
use tracker_domain::Secret;

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
    /// An API key of Jellyfin, which needs one, or a token of Plex.
    pub token: Option<Secret>,
    /// Its folders and ours.
    pub path_map: Vec<PathPair>,
}

/// What the key `kind` says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Known(MediaServerKind),
    /// Not understood, and told so.
    Unknown,
}

impl MediaServer {
    pub(super) fn from_source(name: &str, mut section: Section<'_, '_>) -> Option<Self> {
        let jellyfin = Word::Known(MediaServerKind::Jellyfin);
        let words = [("jellyfin", jellyfin), ("plex", Word::Known(MediaServerKind::Plex))];
        let Word::Known(kind) = section.word_or("kind", jellyfin, Word::Unknown, &words) else {
            section.ignore_rest();
            return None;
        };
        let address = section.required(
            "url",
            "write its address, such as \"http://127.0.0.1:8096\"",
            ToString::to_string,
            |text| url(text, &["http", "https"]),
        );
        let token = section.secret("token");
        if token.is_none() && kind == MediaServerKind::Jellyfin {
            // A Plex may let this machine in without one.
            section.complain(
                "token",
                "the value is missing; write an API key, made on the dashboard of Jellyfin",
            );
        }
        let path_map = PathPair::list(&mut section, "path_map", "server");
        Some(MediaServer { name: name.to_owned(), kind, url: address?, token, path_map })
    }
}
