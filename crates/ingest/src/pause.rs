//! Pausing a download and letting it go on. The wish towards the client is
//! written with it and carried out by a worker.

use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, DownloadState, InfohashSet};
use tracker_store::{Db, Download, ReadTx, Refusal, TaskKind, WriteTx};

use crate::retry::ChangeError;

/// Pauses a download. One that is paused already stays as it is, and one that no
/// client has got yet is handed over only after the pause: nothing of it is sent
/// anywhere meanwhile, and no client has to understand "add it stopped".
///
/// # Errors
/// When a guard refuses, or on a fault of the database.
pub async fn pause(
    db: &Db,
    id: DownloadId,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    db.write(actor, move |tx| pause_in(tx, id, expected)).await
}

/// Lets a download go on, whether it was paused here or stopped in the client.
/// `runs`: it is known that the client has not stopped it, so that nothing is to
/// be done where it is not paused here either.
///
/// # Errors
/// When a guard refuses, or on a fault of the database.
pub async fn resume(
    db: &Db,
    id: DownloadId,
    runs: bool,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    db.write(actor, move |tx| resume_in(tx, id, runs, expected)).await
}

fn pause_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    expected: Option<u64>,
) -> Result<(), ChangeError> {
    let row = allowed(tx, id, expected)?;
    if row.pause.is_some() {
        return Ok(());
    }
    tx.pause(id)?;
    // One that was sent and not shown yet is stopped when the client shows it.
    if row.state != DownloadState::Queued {
        tx.add_task(id, TaskKind::Stop)?;
    }
    // A pause is the answer to it, and it starts anew with the transfer.
    tx.clear_attention(id, Some(Attention::Stalled))?.ok();
    Ok(())
}

fn resume_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    runs: bool,
    expected: Option<u64>,
) -> Result<(), ChangeError> {
    let row = allowed(tx, id, expected)?;
    if row.pause.is_none() && runs {
        return Ok(());
    }
    tx.end_pause(id, "a person lets it go on")?;
    if row.state == DownloadState::Queued || tx.has_open_task(id, TaskKind::Start)? {
        return Ok(());
    }
    // The worker looks at the space again, and marks it again where it is short.
    tx.clear_attention(id, Some(Attention::DiskFull))?.ok();
    tx.add_task(id, TaskKind::Start)?;
    Ok(())
}

/// The row, where its torrent may be stopped and started for it.
fn allowed(
    tx: &ReadTx<'_>,
    id: DownloadId,
    expected: Option<u64>,
) -> Result<Download, ChangeError> {
    let row = tx.download_as_seen(id, expected)??;
    row.state.after(DownloadCause::Pause).map_err(Refusal::from)?;
    // The torrent of one that is done may be that of a later download.
    let hashes = row.infohashes.iter().flat_map(InfohashSet::iter);
    let owner = tx.active_owners(hashes)?.into_iter().find(|owner| *owner != id);
    match owner {
        Some(owner) => Err(Refusal::OwnedBy(owner).into()),
        None => Ok(row),
    }
}
