//! What a request can end in besides its answer.

use tracker_domain::{BatchId, DownloadId, DownloadState, EntityKind, MagnetError, TorrentError};
use tracker_ident::AnyId;

use crate::library_views::{ConflictView, PlanView};
use crate::views::DownloadView;

/// A refusal, with what a transport needs to say it well. Each variant has one
/// status, one code and one page `/problems/{code}`.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// Fields that cannot be used.
    #[error("the request has fields that cannot be used")]
    InvalidRequest(Vec<FieldError>),
    /// The text is no usable link.
    #[error("{0}")]
    InvalidMagnet(#[from] MagnetError),
    /// The bytes are no usable `.torrent`.
    #[error("{0}")]
    InvalidTorrent(#[from] TorrentError),
    /// The pin names no title.
    #[error(
        "{0:?} is not a pin; write tmdb:603, tmdb:tv/1399, tvmaze:82 or tt0133093, \
         or the address of a page of TMDB, TVmaze or IMDb"
    )]
    InvalidPin(String),
    /// No field of that name can be set. The text names those that can.
    #[error("{0}")]
    UnknownField(String),
    /// No library of that name.
    #[error("there is no library {name:?}; the configured ones are: {known}")]
    UnknownLibrary {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No client of that name.
    #[error("there is no client {name:?}; the configured ones are: {known}")]
    UnknownClient {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Nothing has that id.
    #[error("there is no {} with the id {id}", named(*kind))]
    NotFound {
        /// What was looked for.
        kind: EntityKind,
        /// The id.
        id: AnyId,
    },
    /// No entity of any kind has that id.
    #[error("nothing has the id {0}")]
    NoEntity(AnyId),
    /// No client is configured at all.
    #[error("no torrent client is configured")]
    NoClient,
    /// No token of that name is in force.
    #[error("there is no token {name:?} in force")]
    TokenNotFound {
        /// What was asked for.
        name: String,
    },
    /// No account of that name.
    #[error("there is no user {name:?}")]
    UserNotFound {
        /// What was asked for.
        name: String,
    },
    /// No account has this name and this password.
    #[error("the name or the password is wrong")]
    WrongLogin,
    /// The login link does not log in.
    #[error("the login link is unknown, was used, or is older than 15 minutes")]
    WrongLink,
    /// Too many logins were tried.
    #[error("there were too many attempts to log in; try again in {retry_after} seconds")]
    TooManyAttempts {
        /// When another one is possible, in seconds.
        retry_after: u32,
    },
    /// No receiver of that name.
    #[error("there is no receiver {name:?}; the configured ones are: {known}")]
    ReceiverNotFound {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The client has no such torrent.
    #[error("the client {client:?} has no torrent with this infohash; name the client that has it")]
    TorrentNotFound {
        /// The client that was asked.
        client: String,
    },
    /// The id is that of another kind.
    #[error("{id} is the id of another kind of entity: {}", named(*kind))]
    WrongEntityKind {
        /// What it is.
        kind: EntityKind,
        /// The id.
        id: AnyId,
        /// Where it is found.
        url: String,
    },
    /// Another active download owns one of the infohashes.
    #[error("{detail}")]
    InfohashOwned {
        /// The owner.
        owner: DownloadId,
        /// Which one, its name and state, and since when.
        detail: String,
    },
    /// The state does not allow it.
    #[error("{detail}")]
    IllegalTransition {
        /// The state it is in.
        state: DownloadState,
        /// What is not possible, and what is.
        detail: String,
    },
    /// The state of a job or a backup does not allow it.
    #[error("{detail}")]
    Refused {
        /// What is not possible, and what is.
        detail: String,
    },
    /// The place of the backups does not do it.
    #[error("{detail}")]
    BackupTarget {
        /// Why.
        detail: String,
    },
    /// It changed since the caller looked.
    #[error("the download changed meanwhile; look again and repeat the request")]
    Stale(Box<DownloadView>),
    /// A newer recognition took the place of the one that was meant.
    #[error(
        "a newer recognition took the place of the one of this candidate; \
         look at the candidates again"
    )]
    Superseded,
    /// A newer batch of the download took the place of the one that was meant.
    #[error("the batch {0} took its place; undo that one instead")]
    SupersededBatch(BatchId),
    /// The plan is another one than the one that was seen.
    #[error("the plan changed since it was shown; look at the new one and repeat the request")]
    PlanChanged(Box<PlanView>),
    /// Something is in the way that nobody has said what to do about.
    #[error("{}", taken_names(.0))]
    Conflict(Vec<ConflictView>),
    /// The client does not answer.
    #[error("the client {client:?} cannot be asked: {detail}")]
    ClientUnreachable {
        /// Its name.
        client: String,
        /// Why.
        detail: String,
    },
    /// Nothing can be written down: nothing was done.
    #[error(
        "the disk of the data directory is full, so nothing can be written down; make room there \
         and repeat the request"
    )]
    DiskFull,
    /// Another program keeps the database from being written: nothing was done.
    #[error(
        "another program keeps the database, so nothing can be written down; nothing was changed; \
         repeat the request in a moment"
    )]
    Busy,
    /// A fault of ours. The cause goes to the log, not to the caller.
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl AppError {
    /// Whether nothing is wrong with what was asked for: asked for again it may be done.
    #[must_use]
    pub const fn is_ours(&self) -> bool {
        matches!(self, AppError::Internal(_) | AppError::DiskFull | AppError::Busy)
    }
}

/// A kind as a person calls it; `as_str` is the name of its table.
const fn named(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::MetadataCandidate => "candidate",
        other => other.as_str(),
    }
}

/// One field that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// A JSON pointer into the body, such as `/magnet`; empty for a parameter.
    pub pointer: String,
    /// The query parameter, when it is one.
    pub parameter: Option<String>,
    /// What is wrong and what to write instead.
    pub detail: String,
}

impl FieldError {
    /// A field of the body.
    #[must_use]
    pub fn body(pointer: &str, detail: impl Into<String>) -> Self {
        FieldError { pointer: pointer.to_owned(), parameter: None, detail: detail.into() }
    }

    /// A query parameter.
    #[must_use]
    pub fn query(parameter: &str, detail: impl Into<String>) -> Self {
        FieldError {
            pointer: String::new(),
            parameter: Some(parameter.to_owned()),
            detail: detail.into(),
        }
    }
}

/// What stands in the way, and how to settle it.
fn taken_names(conflicts: &[ConflictView]) -> String {
    let Some(first) = conflicts.first() else { return "nothing is in the way".to_owned() };
    let (target, kind) = (first.target.display(), first.kind);
    let what = match conflicts.len() {
        1 => format!("{target} is taken ({kind})"),
        count => format!("{count} names are taken, the first is {target} ({kind})"),
    };
    let words = match kind {
        "target-exists" => "keep, replace or other-name",
        "not-a-folder" => "keep, or move away what has the name of the folder",
        _ => "keep or other-name; nothing can be replaced there",
    };
    format!("{what}; apply the plan and say (`tracker apply ID --on-conflict`) {words}")
}
