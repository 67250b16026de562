//! Asking for another recognition, since somebody said something new.

use tracker_domain::DownloadId;
use tracker_store::{MARKS_OF_A_MATCH, StoreError, WriteTx};

/// Asks for another recognition. What the former one wanted a person to look at,
/// or could not be linked by, is no longer asked for: it is part of the next
/// answer.
///
/// # Errors
/// A fault of the database.
pub fn recognise_again(tx: &mut WriteTx<'_>, id: DownloadId) -> Result<(), StoreError> {
    tx.supersede_recognitions(id)?;
    for mark in MARKS_OF_A_MATCH {
        // The row is there: it was read in this transaction.
        let _known = tx.clear_attention(id, Some(*mark))?;
    }
    Ok(())
}
