//! Asking a torrent client and handing torrents over.

use std::path::PathBuf;

use async_trait::async_trait;

use crate::observed::{ClientPath, Handle, RemoteFile, Scope, Seen};

/// What to hand over, and everything about where and how: what is left out
/// would follow the client's global settings.
#[derive(Clone, PartialEq, Eq)]
pub struct AddRequest {
    /// The torrent.
    pub source: AddSource,
    /// The folder for it, as the client sees it; `None` is the client's default.
    pub save_path: Option<ClientPath>,
    /// Tags to put on it.
    pub tags: Vec<String>,
    /// The category; empty is none.
    pub category: String,
}

/// The two ways to hand a torrent over.
#[derive(Clone, PartialEq, Eq)]
pub enum AddSource {
    /// A link that was rebuilt from parsed parts. May carry passkeys.
    Magnet(String),
    /// The bytes of a `.torrent`.
    Torrent(Vec<u8>),
}

/// What the client answered to an add. Only a look by hash tells what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddOutcome {
    /// It took it.
    Accepted,
    /// It may take it later.
    Pending,
    /// It did not: there already, or not usable; the answer is the same for both.
    Refused,
}

/// Why a client could not be asked or did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// No answer, or not one that can be trusted: an outage, HTTP 5xx, a
    /// cut-off body. Whether the wish was carried out is unknown.
    #[error("the client cannot be reached: {0}")]
    Unreachable(String),
    /// It refuses the credentials. Trying again makes it worse.
    #[error("the client refuses the credentials: {0}")]
    Denied(String),
    /// It has banned this address after too many failed logins.
    #[error("the client has banned this address after failed logins: {0}")]
    Banned(String),
    /// It refuses this torrent for good.
    #[error("the client refuses the torrent: {0}")]
    Rejected(String),
    /// It knows v1 torrents only, and this one has no v1.
    #[error("the client cannot download a torrent that is v2 alone")]
    CannotV2,
    /// It has no such torrent.
    #[error("the client has no such torrent")]
    NotFound,
}

/// What a client says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// Its version, for people.
    pub version: String,
    /// Where it saves when nothing is said, as it sees it.
    pub default_save_path: ClientPath,
    /// Notes that deserve a place in health, such as a share limit that removes
    /// torrents.
    pub notices: Vec<String>,
}

/// Why a client's path cannot be found here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// A Windows or UNC path that no mapping covers.
    #[error("{0:?} is a Windows path; add it to the client's path_map")]
    ForeignStyle(String),
    /// Not an absolute path.
    #[error("{0:?} is not an absolute path; add it to the client's path_map")]
    Relative(String),
    /// A component leads upwards.
    #[error("{0:?} has a component that leads upwards")]
    Upwards(String),
}

/// One torrent client.
#[async_trait]
pub trait TorrentClient: Send + Sync {
    /// Hands a torrent over. Safe to repeat: a second add changes nothing.
    async fn add(&self, request: &AddRequest) -> Result<AddOutcome, ClientError>;

    /// What the client has within the scope.
    async fn observe(&self, scope: &Scope) -> Result<Vec<Seen>, ClientError>;

    /// The files of a torrent; empty before its metadata is there.
    async fn files(&self, handle: &Handle) -> Result<Vec<RemoteFile>, ClientError>;

    /// Where the client's path is on this machine. Asks nobody.
    fn locate(&self, path: &ClientPath) -> Result<PathBuf, LocateError>;

    /// Whether it is reachable and takes the credentials, and what it is.
    async fn probe(&self) -> Result<ClientInfo, ClientError>;
}

impl std::fmt::Debug for AddRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the source, which may carry a passkey.
        f.debug_struct("AddRequest")
            .field("save_path", &self.save_path)
            .field("tags", &self.tags)
            .field("category", &self.category)
            .finish_non_exhaustive()
    }
}
