//! Apply batches and their links: intended first, recorded after.

mod ended;
mod read;

use std::path::{Path, PathBuf};

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::library::LinkMode;
use tracker_domain::ports::FileIdentity;
use tracker_domain::{BatchId, DownloadId, EntityKind, FileLinkId, RecognitionId};

use crate::journal::NewEvent;
use crate::row::{signed, text};
use crate::{StoreError, WriteTx};

pub use ended::{LinkEnd, LinkSeen};
pub use read::{Batch, FileLink};

/// So many targets of a batch stand in its journal entry.
const TOLD_TARGETS: usize = 20;

/// A batch to write down before anything is done.
#[derive(Clone, Debug)]
pub struct NewBatch {
    /// The download whose files are linked.
    pub download: DownloadId,
    /// What says where they go.
    pub recognition: RecognitionId,
    /// The id of the plan that is carried out.
    pub plan_id: String,
    /// The name of the library.
    pub library: String,
    /// Its root: all links lie below it.
    pub root: PathBuf,
    /// How files get in.
    pub mode: LinkMode,
    /// The links.
    pub links: Vec<NewLink>,
}

/// A link to write down before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// The file's index in the torrent.
    pub file_index: u32,
    /// Where the file is.
    pub source: PathBuf,
    /// Where the link goes.
    pub target: PathBuf,
}

/// What was made of a link under its temporary name, before it gets its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The link.
    pub id: FileLinkId,
    /// Which file will have the target's name.
    pub identity: FileIdentity,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// The target was this file before.
    pub there_already: bool,
    /// The file that has the target's name until then and goes to the trash.
    pub replaces: Option<FileIdentity>,
    /// When a copy was written, in nanoseconds since 1970.
    pub modified_ns: Option<i64>,
}

impl WriteTx<'_> {
    /// Writes down what is about to be done.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn plan_batch(
        &mut self,
        batch: &NewBatch,
    ) -> Result<(BatchId, Vec<FileLinkId>), StoreError> {
        let id: BatchId = self.new_id();
        let now = self.now().to_string();
        self.conn()
            .prepare_cached(
                "INSERT INTO apply_batch (id, download_id, recognition_id, state, plan_id, library,
                     root, created_at, updated_at)
                 VALUES (?1, ?2, ?3, 'planned', ?4, ?5, ?6, ?7, ?7)",
            )?
            .execute(params![
                text(id),
                text(batch.download),
                text(batch.recognition),
                batch.plan_id,
                batch.library,
                path_text(&batch.root)?,
                now,
            ])?;
        let mut links = Vec::with_capacity(batch.links.len());
        for link in &batch.links {
            let link_id: FileLinkId = self.new_id();
            self.conn()
                .prepare_cached(
                    "INSERT INTO file_link (id, download_id, recognition_id, apply_batch_id,
                         source_path, target_path, mode, state, file_index, created_at, updated_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'planned', ?8, ?9, ?9)",
                )?
                .execute(params![
                    text(link_id),
                    text(batch.download),
                    text(batch.recognition),
                    text(id),
                    path_text(&link.source)?,
                    path_text(&link.target)?,
                    batch.mode.as_str(),
                    link.file_index,
                    now,
                ])?;
            links.push(link_id);
        }
        self.append_event(self.of_batch(EventType::BatchPlanned, id, batch.download).with(
            json!({
                "links": links.len(),
                "plan": batch.plan_id,
                "library": batch.library,
            }),
        ))?;
        Ok((id, links))
    }

    /// Writes down which files will get their names: from here on a crash is
    /// told from a file of somebody else.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn stage_batch(&mut self, staged: &[Staged]) -> Result<(), StoreError> {
        let now = self.now().to_string();
        for link in staged {
            let replaces = link.replaces;
            self.conn()
                .prepare_cached(
                    "UPDATE file_link SET device = ?2, inode = ?3, size_bytes = ?4,
                         there_already = ?5, replaced_device = ?6, replaced_inode = ?7,
                         modified_ns = ?8, updated_at = ?9
                     WHERE id = ?1",
                )?
                .execute(params![
                    text(link.id),
                    link.identity.device.cast_signed(),
                    link.identity.inode.cast_signed(),
                    signed(link.size_bytes),
                    link.there_already,
                    replaces.map(|file| file.device.cast_signed()),
                    replaces.map(|file| file.inode.cast_signed()),
                    link.modified_ns,
                    now,
                ])?;
        }
        Ok(())
    }

    /// Records that every link of a batch stands.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn record_batch(&mut self, batch: BatchId, download: DownloadId) -> Result<(), StoreError> {
        let made = self
            .conn()
            .prepare_cached(
                "UPDATE file_link SET state = 'linked', updated_at = ?2 WHERE apply_batch_id = ?1",
            )?
            .execute(params![text(batch), self.now().to_string()])?;
        self.set_batch(batch, "applied", None)?;
        // Where the result is, for whoever reads the story; a pack of a thousand
        // files is told by its first ones.
        let targets: Vec<PathBuf> =
            self.links_of(batch)?.into_iter().take(TOLD_TARGETS).map(|link| link.target).collect();
        self.append_event(
            self.of_batch(EventType::BatchApplied, batch, download)
                .with(json!({ "links": made, "targets": targets })),
        )?;
        Ok(())
    }

    /// Records that a batch was rolled back: nothing of it stands.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn drop_batch(
        &mut self,
        batch: BatchId,
        download: DownloadId,
        failure: Option<&str>,
    ) -> Result<(), StoreError> {
        let state = if failure.is_some() { "failed" } else { "undone" };
        self.conn()
            .prepare_cached(
                "UPDATE file_link SET state = ?2, updated_at = ?3 WHERE apply_batch_id = ?1",
            )?
            .execute(params![text(batch), state, self.now().to_string()])?;
        self.set_batch(batch, state, failure)?;
        let kind = if failure.is_some() { EventType::BatchFailed } else { EventType::BatchUndone };
        self.append_event(self.of_batch(kind, batch, download).with(json!({ "detail": failure })))?;
        Ok(())
    }

    fn set_batch(
        &self,
        batch: BatchId,
        state: &str,
        detail: Option<&str>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE apply_batch SET state = ?2, detail = ?3, updated_at = ?4 WHERE id = ?1",
            )?
            .execute(params![text(batch), state, detail, self.now().to_string()])?;
        Ok(())
    }

    fn of_batch(&self, kind: EventType, batch: BatchId, download: DownloadId) -> NewEvent {
        let message = match kind {
            EventType::BatchPlanned => "links planned",
            EventType::BatchApplied => "links made",
            EventType::BatchUndone => "links undone",
            EventType::BatchVerified => "links looked at",
            _ => "links failed",
        };
        NewEvent::new(kind, message).about(EntityKind::ApplyBatch, batch).in_download(download)
    }
}

/// A path as text. A client names its files in UTF-8, and so does the
/// configuration; anything else cannot be told back faithfully.
fn path_text(path: &Path) -> Result<&str, StoreError> {
    path.to_str().ok_or_else(|| StoreError::Corrupt {
        table: "file_link",
        column: "source_path",
        found: path.to_string_lossy().into_owned(),
        detail: "the path is not UTF-8".to_owned(),
    })
}
