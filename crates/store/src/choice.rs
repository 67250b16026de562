//! Which files of a download a person wants.

use std::collections::BTreeSet;

use rusqlite::params;
use serde_json::json;
use tracker_domain::DownloadId;
use tracker_domain::event::EventType;

use crate::journal::NewEvent;
use crate::row::{text, to_json};
use crate::tasks::TaskKind;
use crate::{StoreError, WriteTx};

const CHOOSE: &str = "
    UPDATE download SET unwanted = ?2, revision = revision + 1, updated_at = ?3
    WHERE id = ?1 AND unwanted IS NOT ?2";

const MARK_FILES: &str = "
    UPDATE download_file SET selected = file_index NOT IN (SELECT value FROM json_each(?2))
    WHERE download_id = ?1";

impl WriteTx<'_> {
    /// Keeps the choice, and tells whether it is another one than before.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn choose_files(
        &mut self,
        id: DownloadId,
        unwanted: &BTreeSet<u32>,
    ) -> Result<bool, StoreError> {
        let list = to_json("unwanted", unwanted)?;
        let now = self.now().to_string();
        let changed = self.conn().prepare_cached(CHOOSE)?.execute(params![text(id), list, now])?;
        if changed == 0 {
            return Ok(false);
        }
        self.conn().prepare_cached(MARK_FILES)?.execute(params![text(id), list])?;
        self.append_event(
            NewEvent::of_download(EventType::DownloadFilesChosen, id, "files chosen")
                .with(json!({ "unwanted": unwanted })),
        )?;
        Ok(true)
    }

    /// Asks the client for the choice, once at a time.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn wish_choice(&mut self, id: DownloadId) -> Result<(), StoreError> {
        if !self.has_open_task(id, TaskKind::Select)? {
            self.add_task(id, TaskKind::Select)?;
        }
        Ok(())
    }
}
