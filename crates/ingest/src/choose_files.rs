//! Choosing which files of a download are wanted. The wish towards the client is
//! written with it and carried out by a worker.

use std::collections::BTreeSet;

use tracker_domain::observed::RemoteFile;
use tracker_domain::{Actor, DownloadCause, DownloadId, DownloadState};
use tracker_store::{Db, Refusal, StoreError, WriteTx};

use crate::again::recognise_again;

/// Why a choice was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ChooseFilesError {
    /// A guard refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No client has listed the files yet.
    #[error("the files are not known yet")]
    NotListed,
    /// There are no such files.
    #[error("it has no such file")]
    NoSuchFile(Vec<u32>),
    /// Nothing would be left.
    #[error("one file has to be wanted at least")]
    NothingLeft,
    /// A fault of the database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Wants each file but these from now on. What it is is recognised again, since
/// fewer or more files may say something else.
///
/// # Errors
/// When a guard refuses or the choice cannot be, or on a fault of the database.
pub async fn choose_files(
    db: &Db,
    id: DownloadId,
    unwanted: BTreeSet<u32>,
    expected: Option<u64>,
    actor: &Actor,
) -> Result<(), ChooseFilesError> {
    let outcome = db
        .write(actor, move |tx| match choose_in(tx, id, &unwanted, expected) {
            // A fault leaves nothing half written; a refusal has written nothing.
            Err(ChooseFilesError::Store(fault)) => Err(fault),
            outcome => Ok(outcome),
        })
        .await;
    outcome?
}

fn choose_in(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    unwanted: &BTreeSet<u32>,
    expected: Option<u64>,
) -> Result<(), ChooseFilesError> {
    let row = tx.download_as_seen(id, expected)??;
    row.state.after(DownloadCause::Choose).map_err(Refusal::from)?;
    let files = tx.download_files(id)?;
    if files.is_empty() {
        return Err(ChooseFilesError::NotListed);
    }
    let is_one = |index: &u32| files.iter().any(|file| file.index == *index);
    let unknown: Vec<u32> = unwanted.iter().copied().filter(|index| !is_one(index)).collect();
    if !unknown.is_empty() {
        return Err(ChooseFilesError::NoSuchFile(unknown));
    }
    if files.iter().all(|file: &RemoteFile| unwanted.contains(&file.index)) {
        return Err(ChooseFilesError::NothingLeft);
    }
    if !tx.choose_files(id, unwanted)? {
        return Ok(());
    }
    // One that no client has shown gets it when it is shown.
    if row.state != DownloadState::Queued {
        tx.wish_choice(id)?;
    }
    if tx.recognition_of(id)?.is_some() {
        recognise_again(tx, id)?;
    }
    Ok(())
}
