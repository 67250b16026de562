//! Asking for another recognition, since somebody said something new.

use tracker_domain::{Attention, DownloadId};
use tracker_store::{StoreError, WriteTx};

/// Marks that a recognition sets and the next one sets anew where they still hold.
const OF_RECOGNITION: &[Attention] = &[
    Attention::NeedsReview,
    Attention::MetadataUnavailable,
    Attention::NotMedia,
    Attention::Archive,
    Attention::UnsafeContent,
];

/// Asks for another recognition. What the former one wanted a person to look at
/// is no longer asked for: it is part of the next answer.
///
/// # Errors
/// A fault of the database.
pub fn recognise_again(tx: &mut WriteTx<'_>, id: DownloadId) -> Result<(), StoreError> {
    tx.supersede_recognitions(id)?;
    for mark in OF_RECOGNITION {
        // The row is there: it was read in this transaction.
        let _known = tx.clear_attention(id, Some(*mark))?;
    }
    Ok(())
}
