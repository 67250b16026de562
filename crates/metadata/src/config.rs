//! What the adapters are told about their source.

use std::path::PathBuf;
use std::time::Duration;

use tracker_domain::Secret;
use tracker_domain::metadata::Provider;
use url::Url;

/// The longest that one question may take, with every call it needs.
pub const LONGEST_CALL: Duration = Duration::from_secs(10);

/// Everything the adapter for TMDB needs to know.
#[derive(Clone, Debug)]
pub struct TmdbConfig {
    /// The address of the API with its version, where it is not TMDB's own.
    pub url: Option<Url>,
    /// An API key (v3) or a read access token (v4); which one is seen from its form.
    pub token: Secret,
    /// How long one question may take; more than [`LONGEST_CALL`] is cut to it.
    pub timeout: Duration,
}

/// Everything the adapter for TVmaze needs to know; it asks for no token.
#[derive(Clone, Debug)]
pub struct TvmazeConfig {
    /// The address of the API, where it is not TVmaze's own.
    pub url: Option<Url>,
    /// How long one question may take; more than [`LONGEST_CALL`] is cut to it.
    pub timeout: Duration,
}

/// Where pictures are asked for, and where they are kept.
#[derive(Clone, Debug)]
pub struct PostersConfig {
    /// The sources that are turned on; the hosts of others are not asked.
    pub sources: Vec<Provider>,
    /// The address below which TMDB's pictures are, where it is not TMDB's own.
    pub tmdb_image_url: Option<Url>,
    /// The address of TVmaze's API, where it is not TVmaze's own: its pictures
    /// are then taken from that host too.
    pub tvmaze_url: Option<Url>,
    /// The folder of those that were fetched; it can be deleted at any time.
    pub folder: PathBuf,
    /// How many bytes the folder may hold.
    pub most: u64,
    /// How many bytes one picture may have.
    pub largest: usize,
}

impl PostersConfig {
    /// These sources at their own hosts, and the usual sizes.
    #[must_use]
    pub fn new(sources: Vec<Provider>, folder: PathBuf) -> Self {
        PostersConfig {
            sources,
            tmdb_image_url: None,
            tvmaze_url: None,
            folder,
            most: 500 * 1024 * 1024,
            largest: 2 * 1024 * 1024,
        }
    }
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataConfigError {
    /// The address is none.
    #[error("the url of {provider} is not an http or https address")]
    Url {
        /// The source.
        provider: Provider,
    },
    /// There is no token, or it has characters that none has.
    #[error(
        "the token of TMDB is empty or has characters that are not allowed; \
         copy it again from the settings of your TMDB account"
    )]
    Token,
    /// TLS cannot be set up on this machine.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
}

impl TmdbConfig {
    /// TMDB itself, with this token.
    #[must_use]
    pub fn new(token: Secret) -> Self {
        TmdbConfig { url: None, token, timeout: LONGEST_CALL }
    }
}

impl Default for TvmazeConfig {
    /// TVmaze itself.
    fn default() -> Self {
        TvmazeConfig { url: None, timeout: LONGEST_CALL }
    }
}
