//! Taking an ended download out of the lists. The wish towards the client is written
//! with it and carried out by a worker; what was not asked for stays.

use tracker_domain::{Actor, DownloadCause, DownloadId, InfohashSet};
use tracker_store::{Db, Download, ReadTx, Refusal, StoreError, TaskKind, WriteTx};

use crate::give_up::Wish;
use crate::retry::ChangeError;

/// Takes an ended download out of the lists. One that is out of them stays as it is;
/// what is wished of its client is written all the same.
///
/// # Errors
/// When a guard refuses, or on a fault of the database.
pub async fn remove(
    db: &Db,
    id: DownloadId,
    wish: Wish,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    db.write(actor, move |tx| {
        let row = removable(tx, id, wish, expected)?;
        // One that never reached a client leaves nothing to do there.
        let may_be_in_client = row.handle.is_some() || row.attempts > 0;
        let task = task_of(wish).filter(|_| may_be_in_client);
        tx.hide_download(id, task)??;
        if let Some(task) = task {
            wish_once(tx, id, task)?;
        }
        Ok(())
    })
    .await
}

/// Whether [`remove`] would do it as things stand. Nothing is written.
///
/// # Errors
/// As [`remove`].
pub async fn may_remove(
    db: &Db,
    id: DownloadId,
    wish: Wish,
    expected: Option<u64>,
) -> Result<(), ChangeError> {
    db.read(move |tx| removable(tx, id, wish, expected).map(drop)).await
}

fn removable(
    tx: &ReadTx<'_>,
    id: DownloadId,
    wish: Wish,
    expected: Option<u64>,
) -> Result<Download, ChangeError> {
    let row = tx.download_as_seen(id, expected)??;
    row.state.after(DownloadCause::Remove).map_err(Refusal::from)?;
    if task_of(wish).is_some() {
        let hashes: Vec<_> = row.infohashes.iter().flat_map(InfohashSet::iter).collect();
        // It is one torrent: with this one the other would lose it as well.
        if let Some(other) = tx.holder_beside(id, hashes)? {
            return Err(Refusal::OwnedBy(other).into());
        }
    }
    Ok(row)
}

/// Without a wish the client is left alone: what is done may still seed.
const fn task_of(wish: Wish) -> Option<TaskKind> {
    match wish {
        Wish::Leave => None,
        Wish::Remove => Some(TaskKind::Remove),
        Wish::RemoveData => Some(TaskKind::RemoveData),
    }
}

/// Writes the wish unless one that does as much is open. One that does something
/// else to the torrent would come first, and leave nothing for this one.
fn wish_once(tx: &mut WriteTx<'_>, id: DownloadId, task: TaskKind) -> Result<(), StoreError> {
    let open = tx.open_tasks(id)?;
    let enough = |kind| kind == task || kind == TaskKind::RemoveData;
    if open.iter().any(|former| enough(former.kind)) {
        return Ok(());
    }
    for former in open {
        if matches!(former.kind, TaskKind::Remove | TaskKind::RemoveHeld) {
            tx.finish_task(&former, Some("another removal was asked for since"))?;
        }
    }
    tx.add_task(id, task)?;
    Ok(())
}
