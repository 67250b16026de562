//! What becomes of batches that stood: undone, replaced, looked at.

use rusqlite::params;
use serde_json::{Value, json};
use tracker_domain::event::EventType;
use tracker_domain::{BatchId, DownloadId, FileLinkId};

use crate::row::text;
use crate::{StoreError, WriteTx};

/// What became of one link when its batch was undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkEnd {
    /// The link.
    pub id: FileLinkId,
    /// It does not stand any more, or is somebody else's now.
    pub ended: bool,
}

/// What was found where a link should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkSeen {
    /// The link.
    pub id: FileLinkId,
    /// The word for it.
    pub health: &'static str,
}

impl WriteTx<'_> {
    /// Records what Undo did. The batch is `undone` when none of its links stands;
    /// else it stays `applied`, and Undo can be asked for again. `told` goes into
    /// the journal.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn undo_batch(
        &mut self,
        batch: BatchId,
        download: DownloadId,
        links: &[LinkEnd],
        superseded_by: Option<BatchId>,
        told: Value,
    ) -> Result<(), StoreError> {
        let now = self.now().to_string();
        for link in links.iter().filter(|link| link.ended) {
            self.conn()
                .prepare_cached(
                    "UPDATE file_link SET state = 'undone', updated_at = ?2 WHERE id = ?1",
                )?
                .execute(params![text(link.id), now])?;
        }
        if links.iter().all(|link| link.ended) {
            self.set_batch(batch, "undone", None)?;
            self.conn()
                .prepare_cached("UPDATE apply_batch SET superseded_by = ?2 WHERE id = ?1")?
                .execute(params![text(batch), superseded_by.map(text)])?;
        }
        self.append_event(self.of_batch(EventType::BatchUndone, batch, download).with(told))?;
        Ok(())
    }

    /// Records how the links of a batch were found. The journal tells it when
    /// something changed since the last look, which this answers.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn verify_batch(
        &mut self,
        batch: BatchId,
        download: DownloadId,
        seen: &[LinkSeen],
    ) -> Result<bool, StoreError> {
        let now = self.now().to_string();
        let mut changed = Vec::new();
        for link in seen {
            // Never looked at is as good as present.
            let known: Option<String> = self
                .conn()
                .prepare_cached("SELECT health FROM file_link WHERE id = ?1")?
                .query_row([text(link.id)], |row| row.get(0))?;
            if known.as_deref().unwrap_or("present") != link.health {
                changed.push(json!({ "id": link.id.to_string(), "health": link.health }));
            }
            self.conn()
                .prepare_cached("UPDATE file_link SET health = ?2, verified_at = ?3 WHERE id = ?1")?
                .execute(params![text(link.id), link.health, now])?;
        }
        if changed.is_empty() {
            return Ok(false);
        }
        let count = changed.len();
        changed.truncate(super::TOLD_TARGETS);
        self.append_event(
            self.of_batch(EventType::BatchVerified, batch, download)
                .with(json!({ "changed": count, "links": changed })),
        )?;
        Ok(true)
    }
}
