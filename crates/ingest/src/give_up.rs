//! Giving a download up. The wish towards the client is written with it and
//! carried out by a worker.

use tracker_domain::{Actor, DownloadCause, DownloadId, DownloadState};
use tracker_store::{
    Db, Download, Origin, Placement, Reason, Refusal, StoreError, TaskKind, WriteTx,
};

use crate::retry::ChangeError;

/// What to do with its torrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Stop one that we added; leave one alone that was there.
    Leave,
    /// Remove it, keep the data.
    Remove,
    /// Remove it and its data.
    RemoveData,
}

/// Gives a download up. One that was given up already stays as it is.
///
/// # Errors
/// When a guard refuses, or on a fault of the database.
pub async fn cancel(
    db: &Db,
    id: DownloadId,
    wish: Wish,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    let outcome = db.write(actor, move |tx| cancel_in(tx, id, wish, expected)).await?;
    outcome.map_err(ChangeError::Refused)
}

fn cancel_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    wish: Wish,
    expected: Option<u64>,
) -> Result<Result<(), Refusal>, StoreError> {
    let row = match tx.download_as_seen(id, expected)? {
        Ok(row) => row,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if row.state == DownloadState::Cancelled {
        return Ok(Ok(()));
    }
    // A batch that runs is undone by the worker that runs it: when it comes to
    // record its links it finds the download gone from `linking`.
    let moved = tx.set_download_state(id, DownloadCause::Cancel, &Reason::none())?;
    if let Err(refusal) = moved {
        return Ok(Err(refusal));
    }
    let task = match wish {
        Wish::Remove => Some(TaskKind::Remove),
        Wish::RemoveData => Some(TaskKind::RemoveData),
        Wish::Leave => is_ours(&row).then_some(TaskKind::Stop),
    };
    // One that never reached a client leaves nothing to do there; the hand-over
    // looks once more after it has sent a torrent.
    let may_be_in_client = row.handle.is_some() || row.attempts > 0;
    if let Some(task) = task.filter(|_| may_be_in_client) {
        tx.add_task(id, task)?;
    }
    Ok(Ok(()))
}

/// Whether we added its torrent, as far as is known.
pub(crate) fn is_ours(row: &Download) -> bool {
    row.origin != Origin::Adopted && row.placement != Some(Placement::Found)
}
