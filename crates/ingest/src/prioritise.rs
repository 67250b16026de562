//! The place of a download in the queue. The wish towards the client is written at
//! once and carried out by a worker; until then it also says who is handed over
//! first.

use tracker_domain::queue::QueueEnd;
use tracker_domain::{Actor, DownloadCause, DownloadId};
use tracker_store::{Db, Refusal, TaskKind};

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
    db.write(actor, move |tx| {
        let row = tx.download_as_seen(id, expected)??;
        row.state.after(DownloadCause::Prioritise).map_err(Refusal::from)?;
        for former in tx.open_tasks(id)? {
            if matches!(former.kind, TaskKind::Queue(_)) {
                tx.finish_task(&former, Some("another place was asked for since"))?;
            }
        }
        tx.add_task(id, TaskKind::Queue(end))?;
        Ok(())
    })
    .await
}
