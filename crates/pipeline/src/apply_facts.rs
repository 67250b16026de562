//! From facts to rows: one transaction a tick, each fact behind its guard.

use tracing::{Span, debug, info, info_span, warn};
use tracker_domain::fact::Fact;
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, InfohashSet};
use tracker_ingest::{MARK, Room, mark_of, room_for};
use tracker_store::{Guarded, Placement, Reason, Refusal, StoreError, TaskKind, WriteTx};

use crate::Pipeline;
use crate::clients::ClientStatus;

/// Records the facts of one look.
pub(crate) fn apply_facts(tx: &mut WriteTx<'_>, facts: Vec<Fact>) -> Result<(), StoreError> {
    for fact in facts {
        let id = fact.download();
        let span: Span = info_span!("download", download_id = %id);
        let _inside = span.enter();
        if let Err(refusal) = apply_fact(tx, fact)? {
            // A guard refused what the client claims; the row stays as it is.
            debug!(download_id = %id, refusal = %refusal, "fact not taken");
        }
    }
    Ok(())
}

fn apply_fact(tx: &mut WriteTx<'_>, fact: Fact) -> Result<Guarded<()>, StoreError> {
    match fact {
        Fact::Shown { download, handle, save_path } => {
            let moved = tx.set_download_state(download, DownloadCause::Shown, &Reason::none())?;
            if let Err(refusal) = moved {
                return Ok(Err(refusal));
            }
            info!(download_id = %download, "client shows the torrent");
            // It was handed over by us, or it would not have been looked for.
            tx.set_placement(download, Placement::Added)?;
            tx.set_place(download, &handle, &save_path)?;
            Ok(Ok(()))
        }
        Fact::Moved { download, handle, save_path } => {
            tx.set_place(download, &handle, &save_path)?;
            Ok(Ok(()))
        }
        Fact::InfohashesRevealed { download, infohashes } => {
            let added = tx.add_infohashes(download, &infohashes)?;
            owned_elsewhere(tx, download, added.map(|_| ()))
        }
        Fact::HandleWasV2 { download, handle, v2 } => {
            let replaced = tx.replace_handle_by_v2(download, handle, v2)?;
            owned_elsewhere(tx, download, replaced)
        }
        Fact::MetadataKnown { download, name, size_bytes } => {
            info!(download_id = %download, "file list known");
            tx.set_metadata(download, &name, size_bytes)?;
            Ok(Ok(()))
        }
        Fact::Finished { download } => {
            info!(download_id = %download, "payload complete");
            step(tx, download, DownloadCause::Finished)
        }
        Fact::TakenBelow { download } => {
            info!(download_id = %download, "client takes it below complete again");
            step(tx, download, DownloadCause::TakenBelow)
        }
        Fact::Missing { download } => {
            warn!(download_id = %download, "torrent is gone from the client");
            let detail = "the torrent was removed from the client; retry adds it again";
            let reason = Reason::because(Attention::ClientMissing, detail);
            let moved = tx.set_download_state(download, DownloadCause::Missing, &reason)?;
            Ok(moved.map(|_| ()))
        }
        Fact::SeenAgain { download, handle, save_path } => {
            let back = seen_again(tx, download)?;
            if back.is_ok() {
                info!(download_id = %download, "torrent is back in the client");
                tx.set_place(download, &handle, &save_path)?;
            }
            Ok(back)
        }
        Fact::SameTorrent { winner, loser } => {
            let merged = tx.merge_downloads(winner, loser)?;
            if merged.is_ok() {
                info!(download_id = %winner, merged_id = %loser, "downloads merged");
            }
            Ok(merged)
        }
        Fact::Raised { download, attention, detail } => {
            warn!(download_id = %download, attention = %attention, "needs a look");
            tx.raise_attention(download, attention, &detail)
        }
        Fact::Cleared { download, attention } => tx.clear_attention(download, Some(attention)),
    }
}

/// Moves on, and keeps a mark that a later step has set: an end of the transfer
/// does not answer a question about the match.
fn step(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    cause: DownloadCause,
) -> Result<Guarded<()>, StoreError> {
    let Some(row) = tx.download(id)? else { return Ok(Err(Refusal::NotFound)) };
    let kept = row.attention.filter(|attention| {
        matches!(
            attention,
            Attention::NeedsReview
                | Attention::MergeDiffers
                | Attention::MetadataUnavailable
                | Attention::Archive
                | Attention::NotMedia
                | Attention::UnsafeContent
                | Attention::InfohashOwned
        )
    });
    let reason = kept.map_or_else(Reason::none, |attention| {
        Reason::because(attention, row.attention_detail.unwrap_or_default())
    });
    let moved = tx.set_download_state(id, cause, &reason)?;
    Ok(moved.map(|_| ()))
}

/// A hash of it belongs to another active download: two clients have one
/// torrent. Both go on; a person should know.
fn owned_elsewhere(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    outcome: Guarded<()>,
) -> Result<Guarded<()>, StoreError> {
    let Err(Refusal::OwnedBy(owner)) = outcome else { return Ok(outcome) };
    let free = tx.download(id)?.is_some_and(|row| {
        row.attention.is_none_or(|attention| attention == Attention::InfohashOwned)
    });
    if free {
        let detail = format!("the active download {owner} owns an infohash of this torrent");
        let _raised = tx.raise_attention(id, Attention::InfohashOwned, &detail)?;
    }
    Ok(outcome)
}

/// A failed one is back in the client: active again through the guard, or it
/// stays with the reason.
fn seen_again(tx: &mut WriteTx<'_>, id: DownloadId) -> Result<Guarded<()>, StoreError> {
    let hashes = tx.download(id)?.and_then(|row| row.infohashes);
    let hashes: Vec<_> = hashes.iter().flat_map(InfohashSet::iter).collect();
    // A later download of the same torrent, ended or not, is what is seen.
    if tx.downloads_with(hashes)?.into_iter().any(|other| other > id) {
        return Ok(Ok(()));
    }
    let back = tx.activate_if_no_other_active(id, DownloadCause::SeenAgain, &Reason::none())?;
    owned_elsewhere(tx, id, back.map(|_| ()))
}

/// The size is known now: a torrent that does not fit is stopped before it
/// fills the disk.
pub(crate) async fn hold_for_space(
    pipeline: &Pipeline,
    status: &ClientStatus,
    fact: &Fact,
) -> Result<(), StoreError> {
    let Fact::MetadataKnown { download, size_bytes, .. } = *fact else { return Ok(()) };
    let row = pipeline.db.read(move |tx| tx.download(download)).await?;
    let Some(folder) = row.and_then(|row| row.save_path) else { return Ok(()) };
    let room = room_for(&*status.entry.client, &*pipeline.files, &folder, size_bytes);
    let Room::Short { needed, free } = room else { return Ok(()) };
    warn!(download_id = %download, needed_bytes = needed, free_bytes = free, "too little space");
    let detail = format!("it needs {needed} bytes and {free} are free; make room and retry");
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            tx.add_task(download, TaskKind::Stop)?;
            tx.raise_attention(download, Attention::DiskFull, &detail)
        })
        .await?
        .ok();
    Ok(())
}

/// The tags of an active download.
pub(crate) fn tags_of(id: DownloadId) -> [String; 2] {
    [MARK.to_owned(), mark_of(id)]
}
