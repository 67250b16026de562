//! What a person can ask for, parsed from nothing but text a transport has.

use tracker_domain::entity::JobId;
use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadId, DownloadState, Infohash, Magnet, Torrent};
use tracker_ident::AnyId;
use tracker_layout::Resolution;

/// What was handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A link or a bare infohash.
    Magnet(Box<Magnet>),
    /// A `.torrent` file.
    Torrent(Box<Torrent>),
}

/// An intake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IngestRequest {
    /// The torrent.
    pub source: Source,
    /// The options.
    pub options: IngestOptions,
}

/// What may go with an intake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IngestOptions {
    /// Free text that steers recognition.
    pub hint: Option<String>,
    /// A title of a metadata source, such as `tmdb:603`.
    pub pin: Option<String>,
    /// The name of a library.
    pub library: Option<String>,
    /// The name of a client.
    pub client: Option<String>,
}

/// What to do with the torrent of a download that is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CancelRequest {
    /// Remove it from the client.
    pub remove_torrent: bool,
    /// Delete its data too. Only together with `remove_torrent`.
    pub delete_data: bool,
}

/// What goes with a download that is taken out of the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemoveRequest {
    /// Its links in libraries.
    pub links: bool,
    /// Its torrent in the client.
    pub remove_torrent: bool,
    /// Its data too. Only together with `remove_torrent`.
    pub delete_data: bool,
}

/// How a plan should be carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApplyRequest {
    /// The plan that was seen; another one is not carried out.
    pub plan: Option<String>,
    /// What to do about each thing in the way.
    pub resolve: Vec<Resolution>,
    /// Whether the match that is proposed is taken with it. Both happen, or neither.
    pub take: bool,
}

/// Which downloads to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownloadQuery {
    /// Only these states; empty is all.
    pub states: Vec<DownloadState>,
    /// Only active ones, or only ended ones.
    pub active: Option<bool>,
    /// Only those with this attention, or any attention.
    pub attention: Option<AttentionFilter>,
    /// A part of the name, or a whole id or hash.
    pub text: Option<String>,
    /// Only those with this infohash.
    pub infohash: Option<Infohash>,
    /// Also those that were removed from view.
    pub hidden: bool,
    /// How many, 1 to 200.
    pub limit: Option<u32>,
    /// Only those before this id.
    pub before: Option<DownloadId>,
}

/// A filter by attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttentionFilter {
    /// With any attention.
    Any,
    /// With none.
    None,
    /// With this one.
    Is(Attention),
}

/// Which events to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Only about this entity.
    pub entity_id: Option<AnyId>,
    /// Only of these types; empty is all.
    pub types: Vec<EventType>,
    /// Only of this download.
    pub download_id: Option<DownloadId>,
    /// Only of this job.
    pub job_id: Option<JobId>,
    /// How many, 1 to 200.
    pub limit: Option<u32>,
    /// Only those before this id.
    pub before: Option<AnyId>,
}

/// Which page of a list that has no filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageQuery {
    /// How many, 1 to 200.
    pub limit: Option<u32>,
    /// Only those before this id.
    pub before: Option<AnyId>,
}

/// The revision a caller last saw; a change is refused when it is another now.
pub type Expected = Option<u64>;
