//! Downloads that a person has taken out of the lists. Nothing is deleted: the row,
//! its story and what belongs to it stay, and it comes back when it is active again.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{DownloadCause, DownloadId, DownloadState, Infohash};

use crate::journal::NewEvent;
use crate::row::text;
use crate::tasks::TaskKind;
use crate::{Guarded, ReadTx, Refusal, StoreError, WriteTx};

const HIDE: &str = "
    UPDATE download SET hidden_at = ?2, revision = revision + 1, updated_at = ?2
    WHERE id = ?1 AND hidden_at IS NULL";

impl ReadTx<'_> {
    /// Another download that these infohashes matter to: an active one, or one that is
    /// done and was not taken out of the lists.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn holder_beside(
        &self,
        id: DownloadId,
        hashes: impl IntoIterator<Item = Infohash>,
    ) -> Result<Option<DownloadId>, StoreError> {
        for other in self.downloads_with(hashes)?.into_iter().filter(|other| *other != id) {
            let Some(row) = self.download(other)? else { continue };
            let done = row.state == DownloadState::Done && row.hidden_at.is_none();
            if row.state.is_active() || done {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }
}

impl WriteTx<'_> {
    /// Takes an ended download out of the lists. One that is out of them stays as it
    /// is. `wish` is what its client is asked for with it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn hide_download(
        &mut self,
        id: DownloadId,
        wish: Option<TaskKind>,
    ) -> Result<Guarded<()>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        if let Err(illegal) = row.state.after(DownloadCause::Remove) {
            return Ok(Err(illegal.into()));
        }
        let now = self.now().to_string();
        if self.conn().prepare_cached(HIDE)?.execute(params![text(id), now])? > 0 {
            self.append_event(
                NewEvent::of_download(EventType::DownloadRemoved, id, "download removed from view")
                    .with(json!({ "wish": wish.map(TaskKind::as_str) })),
            )?;
        }
        Ok(Ok(()))
    }
}
