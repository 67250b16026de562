//! What the adapter is told about one client.

use std::path::PathBuf;
use std::time::Duration;

use tracker_domain::Secret;

/// One line of a client's `path_map`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMapping {
    /// The folder as the client sees it; Windows and UNC forms are fine.
    pub client: String,
    /// The same folder here.
    pub local: PathBuf,
}

/// How torrents that are ours are told from others in the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marking {
    /// By this tag.
    Tag(String),
    /// Not at all: anything may be ours.
    Everything,
}

/// Everything the adapter needs to know.
#[derive(Clone, Debug)]
pub struct QbittorrentConfig {
    /// The client's name in the configuration, for the log.
    pub name: String,
    /// The address of its Web UI.
    pub url: String,
    /// The user.
    pub username: String,
    /// The password.
    pub password: Secret,
    /// An API key, which takes the place of a login.
    pub api_key: Option<Secret>,
    /// Where the client's folders are here.
    pub path_map: Vec<PathMapping>,
    /// How long one call may take; a listing may take twice as long.
    pub timeout: Duration,
    /// How ours are told from others.
    pub ours: Marking,
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The address is none.
    #[error("the url of client {client:?} is not an http or https address")]
    Url {
        /// The client's name.
        client: String,
    },
    /// The key has characters that no header can carry.
    #[error("the api_key of client {client:?} has characters that are not allowed")]
    ApiKey {
        /// The client's name.
        client: String,
    },
    /// A side of a mapping is not absolute or leads upwards.
    #[error("path_map of client {client:?}: {path:?} is not an absolute path without `..`")]
    PathMap {
        /// The client's name.
        client: String,
        /// The side that cannot be used.
        path: String,
    },
    /// TLS cannot be set up on this machine.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
}

impl Default for QbittorrentConfig {
    fn default() -> Self {
        QbittorrentConfig {
            name: "qbittorrent".into(),
            url: "http://127.0.0.1:8080".into(),
            username: String::new(),
            password: Secret::new(""),
            api_key: None,
            path_map: Vec::new(),
            timeout: Duration::from_secs(30),
            ours: Marking::Tag("tracker".into()),
        }
    }
}
