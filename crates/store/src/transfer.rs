//! What is known of a download's torrent in its client, and when to try to hand
//! it over again. No state changes here.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::observed::{ClientPath, Handle, RemoteFile};
use tracker_domain::{DownloadId, Timestamp};

use crate::downloads::Placement;
use crate::journal::NewEvent;
use crate::row::{Columns, collect, maybe_time, signed, text};
use crate::{ReadTx, StoreError, WriteTx};

impl ReadTx<'_> {
    /// The file list as it was last read from the client.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn download_files(&self, id: DownloadId) -> Result<Vec<RemoteFile>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM download_file WHERE download_id = ?1 ORDER BY file_index",
        )?;
        collect("download_file", statement.query([text(id)])?, |row: &Columns<'_, '_>| {
            Ok(RemoteFile {
                index: row.plain("file_index")?,
                path: row.plain("path")?,
                size_bytes: row.unsigned("size_bytes")?,
                selected: row.plain("selected")?,
                complete: row.plain("complete")?,
            })
        })
    }
}

impl WriteTx<'_> {
    /// Bumps the revision of a row that something else of it changed.
    pub(crate) fn touch(&self, id: DownloadId) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET revision = revision + 1, updated_at = ?2 WHERE id = ?1",
            )?
            .execute(params![text(id), self.now().to_string()])?;
        Ok(())
    }

    /// Records a size that an intake states, where none is known yet.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn learn_size(&mut self, id: DownloadId, size_bytes: u64) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET size_bytes = ?2 WHERE id = ?1 AND size_bytes IS NULL",
            )?
            .execute(params![text(id), signed(size_bytes)])?;
        Ok(())
    }

    /// Keeps the `.torrent` that a download came in with.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn keep_torrent_file(&mut self, id: DownloadId, bytes: &[u8]) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "INSERT INTO download_torrent (download_id, bytes) VALUES (?1, ?2)
                 ON CONFLICT (download_id) DO NOTHING",
            )?
            .execute(params![text(id), bytes])?;
        Ok(())
    }

    /// Moves a download to another client. What was known of its torrent was
    /// known of the former one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_client(&mut self, id: DownloadId, client: &str) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET client = ?2, handle = NULL, save_path = NULL, placement = NULL,
                     revision = revision + 1, updated_at = ?3
                 WHERE id = ?1 AND client IS NOT ?2",
            )?
            .execute(params![text(id), client, self.now().to_string()])?;
        Ok(())
    }

    /// Writes down which client the default one was when the download got to it:
    /// another order in the configuration must not take it elsewhere.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn settle_client(&mut self, id: DownloadId, client: &str) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("UPDATE download SET client = ?2 WHERE id = ?1 AND client IS NULL")?
            .execute(params![text(id), client])?;
        Ok(())
    }

    /// Records what the client calls the torrent and where it keeps it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_place(
        &mut self,
        id: DownloadId,
        handle: &Handle,
        save_path: &ClientPath,
    ) -> Result<(), StoreError> {
        let changed = self
            .conn()
            .prepare_cached(
                "UPDATE download SET handle = ?2, save_path = ?3, revision = revision + 1,
                     updated_at = ?4
                 WHERE id = ?1 AND (handle IS NOT ?2 OR save_path IS NOT ?3)",
            )?
            .execute(params![text(id), handle.0, save_path.0, self.now().to_string()])?;
        if changed > 0 {
            self.append_event(
                NewEvent::of_download(EventType::DownloadHandleChanged, id, "place in the client")
                    .with(json!({ "handle": handle.0, "save_path": save_path.0 })),
            )?;
        }
        Ok(())
    }

    /// Records how the torrent got into the client; the first word stays.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_placement(
        &mut self,
        id: DownloadId,
        placement: Placement,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET placement = ?2 WHERE id = ?1 AND placement IS NULL",
            )?
            .execute(params![text(id), placement.as_str()])?;
        Ok(())
    }

    /// Records that the file list became known, with the name the client shows.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_metadata(
        &mut self,
        id: DownloadId,
        name: &str,
        size_bytes: Option<u64>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET metadata_at = ?2,
                     name = CASE WHEN ?3 = '' THEN name ELSE ?3 END,
                     size_bytes = coalesce(?4, size_bytes),
                     revision = revision + 1, updated_at = ?2
                 WHERE id = ?1",
            )?
            .execute(params![text(id), self.now().to_string(), name, size_bytes.map(signed)])?;
        self.append_event(
            NewEvent::of_download(EventType::DownloadMetadata, id, "file list known")
                .with(json!({ "size_bytes": size_bytes })),
        )?;
        Ok(())
    }

    /// Replaces the file list.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_files(&mut self, id: DownloadId, files: &[RemoteFile]) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("DELETE FROM download_file WHERE download_id = ?1")?
            .execute([text(id)])?;
        let mut insert = self.conn().prepare_cached(
            "INSERT INTO download_file (download_id, file_index, path, size_bytes, selected, complete)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for file in files {
            insert.execute(params![
                text(id),
                file.index,
                file.path,
                signed(file.size_bytes),
                file.selected,
                file.complete,
            ])?;
        }
        Ok(())
    }

    /// Counts an attempt to hand over, and says when the next one may be. The
    /// back-off lives in the row, so a restart does not forget it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_next_attempt(
        &mut self,
        id: DownloadId,
        attempts: u64,
        at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET attempts = ?2, next_attempt_at = ?3 WHERE id = ?1",
            )?
            .execute(params![text(id), signed(attempts), maybe_time(at)])?;
        Ok(())
    }

    /// Ends every back-off: a client answers again.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn end_backoff(&mut self) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET next_attempt_at = NULL
                 WHERE state = 'queued' AND next_attempt_at IS NOT NULL",
            )?
            .execute([])?;
        self.conn()
            .prepare_cached(
                "UPDATE client_task SET next_attempt_at = NULL
                 WHERE done_at IS NULL AND next_attempt_at IS NOT NULL",
            )?
            .execute([])?;
        Ok(())
    }
}
