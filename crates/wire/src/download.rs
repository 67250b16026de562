//! Downloads, and torrents that may become one.

use serde::{Deserialize, Serialize};
use tracker_app::{
    AdoptedView, AdoptionView, ChosenFileView, DiscoveredView, DownloadView, FailureView, Ingested,
    RemovedView, TwinView,
};
use tracker_domain::Infohash;
use tracker_domain::observed::Progress;
use utoipa::ToSchema;

use crate::{LeftDto, words};

/// One download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DownloadDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// Where it is.
    #[schema(value_type = words::State)]
    pub state: String,
    /// Why a person should look; null when nobody needs to.
    #[schema(required, value_type = Option<words::AttentionCode>)]
    pub attention: Option<String>,
    /// The same in words.
    #[schema(required)]
    pub attention_detail: Option<String>,
    /// Its name; the first infohash where nothing better is known.
    pub name: String,
    /// Its infohashes.
    #[schema(value_type = Vec<words::InfohashHex>)]
    pub infohashes: Vec<String>,
    /// The client it belongs to; null when there is none at all.
    #[schema(required)]
    pub client: Option<String>,
    /// How far the transfer is; null where nobody watches.
    #[schema(required)]
    pub progress: Option<ProgressDto>,
    /// Whether its transfer stands still: paused here, or stopped in the client
    /// while it is not done.
    #[serde(default)]
    #[schema(required)]
    pub paused: bool,
    /// Why it failed.
    #[schema(required)]
    pub error: Option<ErrorDto>,
    /// The download that absorbed it.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub merged_into: Option<String>,
    /// When it was taken out of the lists; null when it was not.
    #[serde(default)]
    #[schema(required, value_type = Option<words::Moment>)]
    pub hidden_at: Option<String>,
    /// Grows with each change of the row; the value for `If-Match`.
    pub revision: u64,
    /// When it was accepted.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When the row last changed.
    #[schema(value_type = words::Moment)]
    pub updated_at: String,
}

/// A download that was taken out of the lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RemovedDto {
    /// The download.
    #[serde(flatten)]
    pub download: DownloadDto,
    /// The links that were to go and stay, and why.
    #[serde(default)]
    #[schema(required)]
    pub left: Vec<LeftDto>,
}

/// How far a transfer is. Members are null where the client does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProgressDto {
    /// Bytes that are there.
    #[schema(required)]
    pub bytes_done: Option<u64>,
    /// Bytes that are wanted.
    #[schema(required)]
    pub bytes_total: Option<u64>,
    /// Bytes a second that arrive.
    #[schema(required)]
    pub download_bps: Option<u64>,
    /// Bytes a second that leave.
    #[schema(required)]
    pub upload_bps: Option<u64>,
    /// Seconds to go.
    #[schema(required)]
    pub eta_seconds: Option<u64>,
    /// Connected peers.
    #[schema(required)]
    pub peers: Option<u64>,
    /// Uploaded to downloaded.
    #[schema(required)]
    pub ratio: Option<f64>,
}

/// How far one transfer is, in the stream of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TickDto {
    /// The download.
    #[schema(value_type = words::Ulid)]
    pub download_id: String,
    /// How far it is.
    pub progress: ProgressDto,
}

/// Why a download failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDto {
    /// A stable code; each has a page `/problems/{code}`.
    pub code: String,
    /// In words.
    pub detail: String,
}

/// The answer to an intake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct IngestDto {
    /// Whether a download was made just now.
    pub created: bool,
    /// It, or the one that was there.
    pub download: DownloadDto,
}

/// A torrent in a client that is nobody's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiscoveredDto {
    /// The client it is in.
    pub client: String,
    /// What the client calls it.
    pub name: String,
    /// Its infohashes.
    #[schema(value_type = Vec<words::InfohashHex>)]
    pub infohashes: Vec<String>,
    /// Bytes; null when not known.
    #[schema(required)]
    pub size: Option<u64>,
    /// The client's word for its state.
    pub state: String,
    /// What a person should know before it is taken over; only where that was
    /// asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One file of a download, and whether it is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChosenFileDto {
    /// Its place in the torrent, from 0.
    pub index: u32,
    /// Its path below the folder of the torrent, as the client has it.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is wanted.
    pub wanted: bool,
}

impl From<ChosenFileView> for ChosenFileDto {
    fn from(view: ChosenFileView) -> Self {
        let ChosenFileView { index, path, size_bytes, wanted } = view;
        ChosenFileDto { index, path, size: size_bytes, wanted }
    }
}

/// What one client has, before any of it is taken over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdoptionDto {
    /// The client.
    pub client: String,
    /// Why nothing is known of it; null where it answered.
    #[schema(required)]
    pub error: Option<ErrorDto>,
    /// How many torrents of it are those of downloads that are active or done.
    pub known: u64,
    /// Of those, the ones whose download is in another client.
    pub twins: Vec<TwinDto>,
    /// Those that are nobody's.
    pub torrents: Vec<DiscoveredDto>,
}

/// A torrent that two clients have: it stays one download.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TwinDto {
    /// The download.
    pub download_id: String,
    /// The client that the download is in.
    pub client: String,
    /// Its name in the client that was asked.
    pub name: String,
}

/// What became of one of many that were to be taken over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AdoptedDto {
    /// The infohash that was named.
    #[schema(value_type = words::InfohashHex)]
    pub infohash: String,
    /// Whether a download was made just now.
    pub created: bool,
    /// It, or the one that was there; null where there is none.
    #[schema(required)]
    pub download: Option<DownloadDto>,
    /// Why there is none.
    #[schema(required)]
    pub error: Option<ErrorDto>,
}

fn hexes(hashes: &[Infohash]) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}

impl From<DownloadView> for DownloadDto {
    fn from(view: DownloadView) -> Self {
        DownloadDto {
            id: view.id.to_string(),
            state: view.state.as_str().to_owned(),
            attention: view.attention.map(|code| code.as_str().to_owned()),
            attention_detail: view.attention_detail,
            name: view.name,
            infohashes: hexes(&view.infohashes),
            client: view.client,
            progress: view.progress.map(Into::into),
            paused: view.paused,
            error: view.error.map(Into::into),
            merged_into: view.merged_into.map(|id| id.to_string()),
            hidden_at: view.hidden_at.map(|at| at.to_string()),
            revision: view.revision,
            created_at: view.created_at.to_string(),
            updated_at: view.updated_at.to_string(),
        }
    }
}

impl From<RemovedView> for RemovedDto {
    fn from(view: RemovedView) -> Self {
        RemovedDto {
            download: view.download.into(),
            left: view.left.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Progress> for ProgressDto {
    fn from(progress: Progress) -> Self {
        ProgressDto {
            bytes_done: progress.bytes_done,
            bytes_total: progress.bytes_total,
            download_bps: progress.download_bps,
            upload_bps: progress.upload_bps,
            eta_seconds: progress.eta_seconds,
            peers: progress.peers,
            // JSON has no infinity, which is what a client shows for a torrent
            // of which nothing was downloaded.
            ratio: progress.ratio.filter(|ratio| ratio.is_finite()),
        }
    }
}

impl From<FailureView> for ErrorDto {
    fn from(view: FailureView) -> Self {
        ErrorDto { code: view.code, detail: view.detail }
    }
}

impl From<Ingested> for IngestDto {
    fn from(view: Ingested) -> Self {
        IngestDto { created: view.created, download: view.download.into() }
    }
}

impl From<DiscoveredView> for DiscoveredDto {
    fn from(view: DiscoveredView) -> Self {
        DiscoveredDto {
            client: view.client,
            name: view.name,
            infohashes: hexes(&view.infohashes),
            size: view.size_bytes,
            state: view.state,
            note: view.note,
        }
    }
}

impl From<TwinView> for TwinDto {
    fn from(view: TwinView) -> Self {
        TwinDto { download_id: view.download.to_string(), client: view.other, name: view.name }
    }
}

impl From<AdoptionView> for AdoptionDto {
    fn from(view: AdoptionView) -> Self {
        AdoptionDto {
            client: view.client,
            error: view.error.map(Into::into),
            known: u64::try_from(view.known).unwrap_or(u64::MAX),
            twins: view.twins.into_iter().map(Into::into).collect(),
            torrents: view.torrents.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<AdoptedView> for AdoptedDto {
    fn from(view: AdoptedView) -> Self {
        let infohash = view.infohash.to_string();
        match view.outcome {
            Ok(Ingested { created, download }) => {
                AdoptedDto { infohash, created, download: Some(download.into()), error: None }
            }
            Err(error) => {
                AdoptedDto { infohash, created: false, download: None, error: Some(error.into()) }
            }
        }
    }
}
