//! What the adapters are told about their server.

use std::path::PathBuf;
use std::time::Duration;

use tracker_domain::Secret;
use url::Url;

/// The longest that one call may take.
pub const LONGEST_CALL: Duration = Duration::from_secs(10);

/// One folder as it is here and as the server sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMapping {
    /// As it is here.
    pub local: PathBuf,
    /// As the server sees it: a path of Unix or Windows.
    pub server: String,
}

/// Everything an adapter needs to know.
#[derive(Clone, Debug)]
pub struct MediaServerConfig {
    /// Its name, for people.
    pub name: String,
    /// Its address, with the path that it is served under.
    pub url: Url,
    /// An API key of Jellyfin or a token of Plex. Jellyfin needs one.
    pub token: Option<Secret>,
    /// Its folders; what no pair fits is the same on both sides.
    pub path_map: Vec<PathMapping>,
    /// How long one call may take; more than [`LONGEST_CALL`] is cut to it.
    pub timeout: Duration,
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MediaServerConfigError {
    /// The address is none.
    #[error("the url is not an http or https address")]
    Url,
    /// The token has characters that none has, or there has to be one.
    #[error(
        "the token is empty or has characters that are not allowed; \
         copy it again from the media server"
    )]
    Token,
    /// A path is not whole, or leads upwards.
    #[error("path_map has {0:?}, which is not a whole path without ..")]
    PathMap(String),
    /// TLS cannot be set up on this machine.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
}

/// The token as it is sent; none has other characters than these.
pub(crate) fn sendable(token: &Secret) -> Result<&str, MediaServerConfigError> {
    let text = token.expose().trim();
    // It stands between quotes for Jellyfin.
    let fits = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\' | b',');
    if text.is_empty() || !text.bytes().all(fits) {
        return Err(MediaServerConfigError::Token);
    }
    Ok(text)
}
