//! From facts to rows: one transaction a tick, each fact behind its guard.

use tracing::{Span, debug, info, info_span, warn};
use tracker_domain::fact::Fact;
use tracker_domain::observed::{ClientPath, Handle};
use tracker_domain::{Attention, DownloadCause, DownloadId, DownloadState, InfohashSet};
use tracker_ingest::is_own_folder;
use tracker_store::{Download, Guarded, Placement, Reason, Refusal, StoreError, TaskKind, WriteTx};

/// Records the facts of one look. `own_folder`: each torrent that we add gets a
/// folder that only we give it.
pub(crate) fn apply_facts(
    tx: &mut WriteTx<'_>,
    facts: Vec<Fact>,
    own_folder: bool,
) -> Result<(), StoreError> {
    for fact in facts {
        let id = fact.download();
        let span: Span = info_span!("download", download_id = %id);
        let _inside = span.enter();
        if let Err(refusal) = apply_fact(tx, fact, own_folder)? {
            // A guard refused what the client claims; the row stays as it is.
            debug!(download_id = %id, refusal = %refusal, "fact not taken");
        }
    }
    Ok(())
}

fn apply_fact(
    tx: &mut WriteTx<'_>,
    fact: Fact,
    own_folder: bool,
) -> Result<Guarded<()>, StoreError> {
    match fact {
        Fact::Shown { download, handle, save_path } => {
            if let Err(refusal) = tx.move_on(download, DownloadCause::Shown)? {
                return Ok(Err(refusal));
            }
            info!(download_id = %download, "client shows the torrent");
            place(tx, download, &handle, &save_path, own_folder)?;
            Ok(Ok(()))
        }
        Fact::Moved { download, handle, save_path } => {
            tx.set_place(download, &handle, &save_path)?;
            Ok(Ok(()))
        }
        Fact::InfohashesRevealed { download, infohashes } => {
            let added = tx.add_infohashes(download, &infohashes)?;
            if added.is_ok() {
                // Who owned it has ended since.
                tx.clear_attention(download, Some(Attention::InfohashOwned))?.ok();
            }
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
            Ok(tx.move_on(download, DownloadCause::Finished)?.map(|_| ()))
        }
        Fact::TakenBelow { download } => {
            info!(download_id = %download, "client takes it below complete again");
            Ok(tx.move_on(download, DownloadCause::TakenBelow)?.map(|_| ()))
        }
        Fact::Missing { download } => {
            warn!(download_id = %download, "torrent is gone from the client");
            let detail = "the torrent was removed from the client; retry adds it again";
            let reason = Reason::because(Attention::ClientMissing, detail);
            let moved = tx.set_download_state(download, DownloadCause::Missing, &reason)?;
            Ok(moved.map(|_| ()))
        }
        Fact::Held { download } => tx.hold_pause(download).map(Ok),
        Fact::StartedThere { download } => {
            info!(download_id = %download, "started in the client");
            tx.end_pause(download, "it was started in the client").map(Ok)
        }
        Fact::SeenAgain { download, handle, save_path } => {
            if is_superseded(tx, download)? {
                return Ok(Ok(()));
            }
            let cause = DownloadCause::SeenAgain;
            let back = tx.activate_if_no_other_active(download, cause, &Reason::none())?;
            if back.is_ok() {
                info!(download_id = %download, "torrent is back in the client");
                place(tx, download, &handle, &save_path, own_folder)?;
            }
            owned_elsewhere(tx, download, back.map(|_| ()))
        }
        Fact::SameTorrent { winner, loser } => {
            let merged = tx.merge_downloads(winner, loser)?;
            if merged.is_ok() {
                info!(download_id = %winner, merged_id = %loser, "downloads merged");
            }
            Ok(merged)
        }
        Fact::Raised { download, attention, detail } => {
            // It may have ended since the look.
            let row = tx.download(download)?;
            let meant = |row: &Download| row.state.is_active() || row.state == DownloadState::Done;
            if !row.as_ref().is_some_and(meant) {
                return Ok(Ok(()));
            }
            warn!(download_id = %download, attention = %attention, "needs a look");
            tx.raise_attention(download, attention, &detail)
        }
        Fact::Cleared { download, attention } => tx.clear_attention(download, Some(attention)),
    }
}

/// Records where a torrent is that was not known to be there: in the folder that
/// only we give it, it is ours; elsewhere it was there before us, and gets our
/// mark.
fn place(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    handle: &Handle,
    save_path: &ClientPath,
    own_folder: bool,
) -> Result<(), StoreError> {
    let sent = tx.download(id)?.is_some_and(|row| row.attempts > 0);
    let ours = is_own_folder(id, save_path) || sent && !own_folder;
    tx.set_placement(id, if ours { Placement::Added } else { Placement::Found })?;
    tx.set_place(id, handle, save_path)?;
    if !ours {
        tx.add_task(id, TaskKind::Claim)?;
    }
    Ok(())
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

/// A later download of the same torrent, ended or not, is what is seen. One that
/// was merged is none: its story goes on in another.
fn is_superseded(tx: &WriteTx<'_>, id: DownloadId) -> Result<bool, StoreError> {
    let hashes = tx.download(id)?.and_then(|row| row.infohashes);
    let hashes: Vec<_> = hashes.iter().flat_map(InfohashSet::iter).collect();
    for other in tx.downloads_with(hashes)? {
        let later =
            other > id && tx.download(other)?.is_some_and(|row| row.state != DownloadState::Merged);
        if later {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A torrent that turned out not to fit.
#[derive(Clone, Debug)]
pub(crate) struct TooLarge {
    pub download: DownloadId,
    pub needed: u64,
    pub free: u64,
}

/// Stops a torrent that does not fit before it fills the disk.
pub(crate) fn hold_for_space(tx: &mut WriteTx<'_>, held: &TooLarge) -> Result<(), StoreError> {
    let TooLarge { download: id, needed, free } = *held;
    if tx.download(id)?.is_none_or(|row| row.state != DownloadState::Downloading) {
        return Ok(());
    }
    warn!(download_id = %id, needed_bytes = needed, free_bytes = free, "too little space");
    let detail = format!("it needs {needed} bytes and {free} are free; make room and retry");
    tx.add_task(id, TaskKind::Stop)?;
    tx.raise_attention(id, Attention::DiskFull, &detail)?.ok();
    Ok(())
}
