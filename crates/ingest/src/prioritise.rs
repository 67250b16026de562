//! The place of a download in the queue. The wish towards the client is written at
//! once and carried out by a worker; until then it also says who is handed over
//! first.

use tracker_domain::queue::QueueEnd;
use tracker_domain::{Actor, DownloadCause, DownloadId};
use tracker_store::{Db, Refusal, StoreError, TaskKind, WriteTx};

use crate::retry::ChangeError;

/// Puts a download before or after all others.
///
/// # Errors
/// When a guard refuses, or on a fault of the database.
pub async fn prioritise(
    db: &Db,
    id: DownloadId,
    end: QueueEnd,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    let outcome = db.write(actor, move |tx| prioritise_in(tx, id, end, expected)).await?;
    outcome.map_err(ChangeError::Refused)
}

fn prioritise_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    end: QueueEnd,
    expected: Option<u64>,
) -> Result<Result<(), Refusal>, StoreError> {
    let row = match tx.download_as_seen(id, expected)? {
        Ok(row) => row,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(illegal) = row.state.after(DownloadCause::Prioritise) {
        return Ok(Err(illegal.into()));
    }
    for former in tx.open_tasks(id)? {
        if matches!(former.kind, TaskKind::Queue(_)) {
            tx.finish_task(&former, Some("another place was asked for since"))?;
        }
    }
    tx.add_task(id, TaskKind::Queue(end))?;
    Ok(Ok(()))
}
