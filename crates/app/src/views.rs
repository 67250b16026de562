//! What a transport may show: plain values, already decided, nothing to compute.

use tracker_domain::access::Scope;
use tracker_domain::entity::{JobId, TokenId};
use tracker_domain::event::EventType;
use tracker_domain::observed::Progress;
use tracker_domain::{
    Attention, DownloadId, DownloadState, EntityKind, EventId, Infohash, Timestamp,
};
use tracker_ident::AnyId;

use crate::library_views::LeftView;

/// One page of a list, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// What to pass as `before` for the next page; `None` on the last one.
    pub next: Option<AnyId>,
}

/// One download.
#[derive(Clone, Debug, PartialEq)]
pub struct DownloadView {
    /// Its id.
    pub id: DownloadId,
    /// Where it is.
    pub state: DownloadState,
    /// Why a person should look.
    pub attention: Option<Attention>,
    /// The same in words.
    pub attention_detail: Option<String>,
    /// Its name; the first infohash where nothing better is known.
    pub name: String,
    /// Its infohashes.
    pub infohashes: Vec<Infohash>,
    /// The client it belongs to; `None` when there is none at all.
    pub client: Option<String>,
    /// How far the transfer is; `None` where nobody watches.
    pub progress: Option<Progress>,
    /// Whether its transfer stands still: paused here, or stopped in the client.
    pub paused: bool,
    /// Why it failed.
    pub error: Option<FailureView>,
    /// The download that absorbed it.
    pub merged_into: Option<DownloadId>,
    /// When it was taken out of the lists.
    pub hidden_at: Option<Timestamp>,
    /// Whether links of it stand in a library.
    pub has_links: bool,
    /// Grows with each change of the row.
    pub revision: u64,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When the row last changed.
    pub updated_at: Timestamp,
}

/// Why a download failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureView {
    /// A stable code.
    pub code: String,
    /// In words.
    pub detail: String,
}

/// The answer to an intake.
#[derive(Clone, Debug, PartialEq)]
pub struct Ingested {
    /// Whether a download was made just now.
    pub created: bool,
    /// It, or the one that was there.
    pub download: DownloadView,
}

/// A download that was taken out of the lists.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovedView {
    /// The download.
    pub download: DownloadView,
    /// The links that were to go and stay, and why.
    pub left: Vec<LeftView>,
}

/// One entry of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct EventView {
    /// Its id; sorts by commit.
    pub id: EventId,
    /// When.
    pub created_at: Timestamp,
    /// What happened.
    pub event_type: EventType,
    /// The kind of the entity it is about.
    pub entity_kind: Option<EntityKind>,
    /// The entity it is about.
    pub entity_id: Option<AnyId>,
    /// What the entity was called then.
    pub entity_name: Option<String>,
    /// The download it belongs to.
    pub download_id: Option<DownloadId>,
    /// The job it belongs to.
    pub job_id: Option<JobId>,
    /// Who caused it.
    pub actor: String,
    /// In words.
    pub message: String,
    /// Details, an object.
    pub data: serde_json::Value,
}

impl EventView {
    /// The word of an entry that tells of a mark that went.
    pub const ATTENTION_CLEARED: &str = "download.attention-cleared";

    /// The word of what people read: that of its type, but where one type tells of two
    /// things.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let is_cleared = self.event_type == EventType::DownloadAttention
            && self.data.get("attention").is_some_and(serde_json::Value::is_null);
        if is_cleared { EventView::ATTENTION_CLEARED } else { self.event_type.as_str() }
    }
}

/// Where the entity of an id is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityView {
    /// Its kind.
    pub kind: EntityKind,
    /// Its id.
    pub id: AnyId,
    /// The download it belongs to.
    pub download_id: Option<DownloadId>,
    /// Its address below the API's root, such as `/api/v1/downloads/…`.
    pub url: String,
}

/// What is known of an entity: what belongs to it, what happened to it, and where
/// that stands in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryView {
    /// The entity.
    pub entity: EntityView,
    /// What belongs to it and what it belongs to, its download first.
    pub related: Vec<EntityView>,
    /// Its entries in the journal, newest first.
    pub events: Vec<EventView>,
    /// The id to look for in the log: that of its download, where it has one.
    pub log_id: AnyId,
    /// The time of its first entry.
    pub since: Option<Timestamp>,
    /// The time of its last entry.
    pub until: Option<Timestamp>,
}

/// A torrent in a client that is nobody's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscoveredView {
    /// The client it is in.
    pub client: String,
    /// What the client calls it.
    pub name: String,
    /// Its infohashes.
    pub infohashes: Vec<Infohash>,
    /// Bytes, when known.
    pub size_bytes: Option<u64>,
    /// The client's word for its state.
    pub state: String,
    /// What a person should know before it is taken over.
    pub note: Option<String>,
}

/// One file of a download, and whether it is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenFileView {
    /// Its place in the torrent, from 0.
    pub index: u32,
    /// Its path below the folder of the torrent, as the client has it.
    pub path: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Whether it is wanted.
    pub wanted: bool,
}

/// What one client has, before any of it is taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptionView {
    /// The client.
    pub client: String,
    /// Why nothing is known of it.
    pub error: Option<FailureView>,
    /// Torrents of downloads that are active or done.
    pub known: usize,
    /// Of those, the ones that another client has for their download.
    pub twins: Vec<TwinView>,
    /// Those that are nobody's.
    pub torrents: Vec<DiscoveredView>,
}

/// A torrent that two clients have. It is one download, in the other of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinView {
    /// The download.
    pub download: DownloadId,
    /// The client it is in.
    pub other: String,
    /// Its name in this client.
    pub name: String,
}

/// What became of one of many that were to be taken over.
#[derive(Clone, Debug, PartialEq)]
pub struct AdoptedView {
    /// The infohash that was named.
    pub infohash: Infohash,
    /// The download, or why there is none.
    pub outcome: Result<Ingested, FailureView>,
}

/// How bad a check's answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HealthLevel {
    /// Fine.
    Ok,
    /// Worth knowing.
    Notice,
    /// Something does not work as it should.
    Warning,
    /// Something does not work.
    Error,
}

impl HealthLevel {
    /// The word of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            HealthLevel::Ok => "ok",
            HealthLevel::Notice => "notice",
            HealthLevel::Warning => "warning",
            HealthLevel::Error => "error",
        }
    }
}

/// One check and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckView {
    /// A stable code, such as `client-unreachable`.
    pub code: String,
    /// The client, library or source it is about; empty when it is about all.
    pub subject: String,
    /// How bad it is.
    pub level: HealthLevel,
    /// What was found.
    pub detail: String,
    /// What to do.
    pub remedy: String,
    /// When it was looked at.
    pub checked_at: Timestamp,
}

/// All checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthView {
    /// The worst level.
    pub status: HealthLevel,
    /// Each check.
    pub checks: Vec<CheckView>,
}

/// A named API token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenView {
    /// Its id.
    pub id: TokenId,
    /// Its name.
    pub name: String,
    /// How far it reaches.
    pub scope: Scope,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to the hour.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}
