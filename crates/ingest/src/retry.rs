//! Another try: of a download that ended, or of the step that holds an active
//! one.

use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{
    Actor, Attention, DownloadCause, DownloadId, DownloadState, IllegalTransition,
};
use tracker_store::{Db, Download, NewEvent, Reason, Refusal, StoreError, TaskKind, WriteTx};

use crate::give_up::is_ours;

/// Why a download was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// A guard refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A fault of the database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tries again. `client` moves a download to another client first.
///
/// # Errors
/// When a guard refuses, before any side effect, or on a fault of the database.
pub async fn retry(
    db: &Db,
    id: DownloadId,
    client: Option<String>,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChangeError> {
    let outcome = db.write(actor, move |tx| retry_in(tx, id, client.as_deref(), expected)).await?;
    outcome.map_err(ChangeError::Refused)
}

fn retry_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    client: Option<&str>,
    expected: Option<u64>,
) -> Result<Result<(), Refusal>, StoreError> {
    let row = match tx.download_as_seen(id, expected)? {
        Ok(row) => row,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if row.state.is_active() {
        return retry_active(tx, &row, client);
    }
    let moved = tx.activate_if_no_other_active(id, DownloadCause::Retry, &Reason::none())?;
    if let Err(refusal) = moved {
        return Ok(Err(refusal));
    }
    if let Some(client) = client.filter(|client| row.client.as_deref() != Some(client)) {
        tx.set_client(id, client)?;
        tx.append_event(
            NewEvent::of_download(EventType::DownloadRetried, id, "moved to another client")
                .with(json!({ "client": client })),
        )?;
    } else if row.state == DownloadState::Cancelled && is_ours(&row) {
        // Giving it up has stopped it.
        tx.add_task(id, TaskKind::Start)?;
    }
    Ok(Ok(()))
}

/// An active one is tried again only where something holds it.
fn retry_active(
    tx: &mut WriteTx<'_>,
    row: &Download,
    client: Option<&str>,
) -> Result<Result<(), Refusal>, StoreError> {
    let Some(attention) = row.attention else {
        return Ok(Err(IllegalTransition { from: row.state, cause: DownloadCause::Retry }.into()));
    };
    let refused = IllegalTransition { from: row.state, cause: DownloadCause::Retry };
    if let Some(client) = client.filter(|client| row.client.as_deref() != Some(client)) {
        // One that a client has shown is in that client, with its bytes.
        if row.state != DownloadState::Queued {
            return Ok(Err(refused.into()));
        }
        tx.set_client(row.id, client)?;
    }
    let _cleared = tx.clear_attention(row.id, None)?;
    // The count stays: it tells that the torrent may be in the client.
    tx.set_next_attempt(row.id, row.attempts, None)?;
    match attention {
        // It was stopped when the space ran short.
        Attention::DiskFull if row.handle.is_some() => {
            tx.add_task(row.id, TaskKind::Start)?;
        }
        // The recognition runs again on what is known now.
        Attention::NeedsReview
        | Attention::MetadataUnavailable
        | Attention::NotMedia
        | Attention::Archive
        | Attention::UnsafeContent => {
            let found = tx.recognition_of(row.id)?;
            // What was accepted holds; something else was asked about.
            if found.is_some_and(|found| found.state != RecognitionState::Accepted) {
                tx.supersede_recognitions(row.id)?;
            }
        }
        _ => {}
    }
    tx.append_event(
        NewEvent::of_download(EventType::DownloadRetried, row.id, "step tried again")
            .with(json!({ "attention": attention.as_str(), "client": client })),
    )?;
    Ok(Ok(()))
}
