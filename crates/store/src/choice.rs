//! Which files of a download a person wants.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use tracker_domain::DownloadId;
use tracker_domain::event::EventType;

use crate::journal::NewEvent;
use crate::row::{text, to_json};
use crate::tasks::TaskKind;
use crate::{ReadTx, StoreError, WriteTx};

const CHOOSE: &str = "
    UPDATE download SET unwanted = ?2, revision = revision + 1, updated_at = ?3
    WHERE id = ?1 AND unwanted IS NOT ?2";

const MARK_FILES: &str = "
    UPDATE download_file SET selected = file_index NOT IN (SELECT value FROM json_each(?2))
    WHERE download_id = ?1";

/// The newest download before this one that has one of its infohashes.
const FORMER: &str = "
    SELECT d.unwanted FROM download d
    WHERE d.id < ?1 AND d.id IN (
        SELECT other.download_id FROM download_infohash own
        JOIN download_infohash other ON other.infohash = own.infohash
        WHERE own.download_id = ?1)
    ORDER BY d.id DESC LIMIT 1";

impl ReadTx<'_> {
    /// Whether the torrent of a download of which nothing is chosen has the choice of
    /// the download that it belonged to before.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn is_chosen_by_a_former_one(&self, id: DownloadId) -> Result<bool, StoreError> {
        if self.download(id)?.is_none_or(|row| row.unwanted.is_some()) {
            return Ok(false);
        }
        let former: Option<Option<String>> = self
            .conn()
            .prepare_cached(FORMER)?
            .query_row([text(id)], |row| row.get(0))
            .optional()?;
        Ok(former.flatten().is_some_and(|unwanted| unwanted != "[]"))
    }
}

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
