//! Another client for a download that no client has yet.

use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{Actor, Attention, DownloadId, DownloadState};
use tracker_store::{Db, Guarded, NewEvent, Refusal, StoreError, WriteTx};

use crate::retry::ChangeError;

/// Moves a queued download to another client. One that may be in a client by now
/// stays there: moving it would be a second copy.
///
/// # Errors
/// When a guard refuses, before any side effect, or on a fault of the database.
pub async fn move_to(
    db: &Db,
    id: DownloadId,
    client: String,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    let outcome = db.write(actor, move |tx| move_in(tx, id, &client, expected)).await?;
    outcome.map_err(ChangeError::Refused)
}

fn move_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    client: &str,
    expected: Option<u64>,
) -> Result<Guarded<()>, StoreError> {
    let row = match tx.download_as_seen(id, expected)? {
        Ok(row) => row,
        Err(refusal) => return Ok(Err(refusal)),
    };
    // A client that cannot have it has said so, and has nothing.
    let refused_by_client = row.attention == Some(Attention::ClientCannotV2);
    let sent = row.attempts > 0 && !refused_by_client;
    if row.state != DownloadState::Queued || row.handle.is_some() || sent {
        return Ok(Err(Refusal::HandedOver));
    }
    if row.client.as_deref() == Some(client) {
        return Ok(Ok(()));
    }
    tx.set_client(id, client)?;
    tx.set_next_attempt(id, 0, None)?;
    // Each of these was about the former client.
    for about in [Attention::ClientUnknown, Attention::ClientCannotV2, Attention::DiskFull] {
        tx.clear_attention(id, Some(about))?.ok();
    }
    tx.append_event(
        NewEvent::of_download(EventType::DownloadClientSet, id, "moved to another client")
            .with(json!({ "client": client, "from": row.client })),
    )?;
    Ok(Ok(()))
}

/// Writes the choice of a client down, as long as nobody has named one and
/// nothing was sent. Tells whether it was.
///
/// # Errors
/// A fault of the database.
pub fn settle_choice(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    client: &str,
    reasons: serde_json::Value,
) -> Result<bool, StoreError> {
    let open = tx
        .download(id)?
        .is_some_and(|row| row.state == DownloadState::Queued && row.client.is_none());
    if open {
        tx.set_client(id, client)?;
        tx.append_event(
            NewEvent::of_download(EventType::DownloadClientSet, id, "client chosen").with(reasons),
        )?;
    }
    Ok(open)
}
