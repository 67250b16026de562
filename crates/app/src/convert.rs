//! From rows to views, and from refusals to what a transport can say.

use tracker_domain::ports::Live;
use tracker_domain::{DownloadId, DownloadState, EntityKind};
use tracker_ident::AnyId;
use tracker_ingest::Clients;
use tracker_store::{Download, Entity, EventRow, ReadTx, Refusal, StoreError};

use crate::error::AppError;
use crate::views::{DownloadView, EntityView, EventView, FailureView};

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        if error.is_disk_full() {
            AppError::DiskFull
        } else if error.is_busy() {
            AppError::Busy
        } else {
            AppError::Internal(Box::new(error))
        }
    }
}

pub(crate) fn download_view(row: Download, clients: &Clients, live: &dyn Live) -> DownloadView {
    let infohashes: Vec<_> = row.infohashes.iter().flat_map(|set| set.iter()).collect();
    let unnamed = || infohashes.first().map(ToString::to_string).unwrap_or_default();
    let name = if row.name.is_empty() { unnamed() } else { row.name };
    let error = (row.state == DownloadState::Failed).then(|| FailureView {
        code: row.error_code.unwrap_or_else(|| "unknown".to_owned()),
        detail: row.error.unwrap_or_default(),
    });
    let view = DownloadView {
        id: row.id,
        state: row.state,
        attention: row.attention,
        attention_detail: row.attention_detail,
        name,
        infohashes,
        client: row.client.or_else(|| clients.default_client().map(|entry| entry.name.clone())),
        progress: None,
        paused: row.pause.is_some(),
        error,
        merged_into: row.merged_into,
        hidden_at: row.hidden_at,
        has_links: row.has_links,
        revision: row.revision,
        created_at: row.created_at,
        updated_at: row.updated_at,
    };
    followed(view, live)
}

/// With what is known only now of the transfer of what the database tells.
pub(crate) fn followed(stored: DownloadView, live: &dyn Live) -> DownloadView {
    let progress = if stored.state.is_active() { live.progress(stored.id) } else { None };
    // Below the end, one that somebody stopped in the client stands still as well.
    let stopped = progress.is_some_and(|progress| progress.stopped);
    DownloadView { progress, paused: stored.paused || stopped, ..stored }
}

pub(crate) fn event_view(row: EventRow) -> EventView {
    EventView {
        id: row.id,
        created_at: row.created_at,
        event_type: row.event_type,
        entity_kind: row.entity_kind,
        entity_id: row.entity_id,
        entity_name: row.entity_name,
        download_id: row.download_id,
        job_id: row.job_id,
        actor: row.actor,
        message: row.message,
        data: row.data,
    }
}

/// Where the entity is found below the root: its own address where it has one,
/// else that of its download.
pub(crate) fn entity_view(entity: Entity) -> EntityView {
    let id = entity.id;
    let url = match (entity.kind, entity.download) {
        (EntityKind::Download, _) => format!("/api/v1/downloads/{id}"),
        (EntityKind::Event, _) => format!("/api/v1/events/{id}"),
        (EntityKind::Recognition, Some(of)) => format!("/api/v1/downloads/{of}/recognition"),
        (EntityKind::MetadataCandidate, Some(of)) => format!("/api/v1/downloads/{of}/candidates"),
        (EntityKind::Hint, Some(of)) => format!("/api/v1/downloads/{of}/hints"),
        (EntityKind::Override, Some(of)) => format!("/api/v1/downloads/{of}/overrides"),
        (EntityKind::Remembered, _) => "/api/v1/remembered".to_owned(),
        (EntityKind::ApplyBatch, _) => format!("/api/v1/batches/{id}"),
        (EntityKind::Job, _) => format!("/api/v1/jobs/{id}"),
        (EntityKind::Backup, _) => format!("/api/v1/backups/{id}"),
        (_, Some(download)) => format!("/api/v1/downloads/{download}"),
        (_, None) => format!("/api/v1/entities/{id}"),
    };
    EntityView { kind: entity.kind, id, download_id: entity.download, url }
}

/// Why there is no entity of this kind with the id: it is another kind's, or
/// nobody's.
pub(crate) fn absent(
    tx: &ReadTx<'_>,
    kind: EntityKind,
    id: impl Into<AnyId>,
) -> Result<AppError, StoreError> {
    let id = id.into();
    Ok(match tx.entity(id)? {
        Some(entity) if entity.kind != kind => {
            let view = entity_view(entity);
            AppError::WrongEntityKind { kind: view.kind, id, url: view.url }
        }
        _ => AppError::NotFound { kind, id },
    })
}

/// What a place in the queue is called in a refusal.
pub(crate) const PLACED: &str = "given another place";

/// What being taken out of the lists is called in a refusal.
pub(crate) const REMOVED: &str = "removed";

/// A refusal in words: which download, its name and state, and since when.
pub(crate) fn refused(
    tx: &ReadTx<'_>,
    id: DownloadId,
    refusal: Refusal,
    wish: &str,
    view: impl Fn(Download) -> DownloadView,
) -> Result<AppError, StoreError> {
    let Some(row) = tx.download(id)? else {
        return absent(tx, EntityKind::Download, id);
    };
    Ok(match refusal {
        Refusal::OwnedBy(owner) => {
            let told = tx.download(owner)?.map_or_else(String::new, |owner| {
                let owner = view(owner);
                let hashes: Vec<String> =
                    owner.infohashes.iter().map(ToString::to_string).collect();
                format!(
                    " ({:?}, {}, since {}, {})",
                    owner.name,
                    owner.state,
                    owner.created_at,
                    hashes.join(" and ")
                )
            });
            let detail = if wish == REMOVED {
                format!(
                    "the download {owner}{told} has the torrent of {id} as well; \
                     remove {id} without its torrent, or that one first"
                )
            } else {
                format!(
                    "the active download {owner}{told} owns an infohash of {id}; \
                     cancel it first, or go on with it"
                )
            };
            AppError::InfohashOwned { owner, detail }
        }
        Refusal::Stale(_) => AppError::Stale(Box::new(view(row))),
        Refusal::NotFound => absent(tx, EntityKind::Download, id)?,
        Refusal::NoInfohash => AppError::IllegalTransition {
            state: row.state,
            detail: format!(
                "{id} has no readable infohash, so it cannot be {wish}; hand its link over again"
            ),
        },
        Refusal::HandedOver => AppError::IllegalTransition {
            state: row.state,
            detail: if row.state == DownloadState::Queued {
                format!(
                    "{id} was sent to its client and may be there: once that is settled it goes \
                     on there; to have it elsewhere, cancel it and hand the link over again"
                )
            } else {
                format!("a download that is {} cannot be {wish}; only a queued one can", row.state)
            },
        },
        Refusal::Illegal(_) | Refusal::Unguarded => {
            let state = row.state;
            let possible = match state {
                DownloadState::Failed => "it can be retried",
                DownloadState::Cancelled => "it can be retried, and stays cancelled otherwise",
                DownloadState::Done if wish == "cancelled" => "nothing of it runs any more",
                DownloadState::Done if wish == PLACED => "it waits for no turn",
                DownloadState::Done => "ingest the link again for a new download",
                _ if wish == REMOVED => "cancel it first",
                DownloadState::Merged => "go on with the download it was merged into",
                _ => "it can be cancelled, and retried while it needs attention",
            };
            let detail = format!("a download that is {state} cannot be {wish}; {possible}");
            AppError::IllegalTransition { state, detail }
        }
    })
}
