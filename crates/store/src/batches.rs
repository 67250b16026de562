//! Apply batches and their links: intended first, recorded after.

use std::path::{Path, PathBuf};

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::library::LinkMode;
use tracker_domain::ports::FileIdentity;
use tracker_domain::{BatchId, DownloadId, EntityKind, FileLinkId, RecognitionId};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, signed, text};
use crate::{ReadTx, StoreError, WriteTx};

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

/// One row of `file_link`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLink {
    /// Its id.
    pub id: FileLinkId,
    /// The batch it belongs to.
    pub batch: BatchId,
    /// The file's index in the torrent.
    pub file_index: Option<u32>,
    /// Where the file is.
    pub source: PathBuf,
    /// Where the link is or goes.
    pub target: PathBuf,
    /// `planned`, `linked`, `undone` or `failed`.
    pub state: String,
    /// Which file was linked.
    pub identity: Option<FileIdentity>,
}

/// A batch that was intended and not recorded: the process died in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedBatch {
    /// Its id.
    pub id: BatchId,
    /// The download whose files are linked.
    pub download: DownloadId,
    /// The name of the library.
    pub library: Option<String>,
}

/// What was made of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// The link.
    pub id: FileLinkId,
    /// Which file it is.
    pub identity: FileIdentity,
    /// Its size in bytes.
    pub size_bytes: u64,
}

impl ReadTx<'_> {
    /// The links of a batch.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn links_of(&self, batch: BatchId) -> Result<Vec<FileLink>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM file_link WHERE apply_batch_id = ?1 ORDER BY id")?;
        collect("file_link", statement.query([text(batch)])?, read_link)
    }

    /// The batches that were intended and not recorded.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn planned_batches(&self) -> Result<Vec<PlannedBatch>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT id, download_id, library FROM apply_batch
             WHERE state = 'planned' AND download_id IS NOT NULL ORDER BY id",
        )?;
        collect("apply_batch", statement.query([])?, |row| {
            Ok(PlannedBatch {
                id: row.parsed("id")?,
                download: row.parsed("download_id")?,
                library: row.plain("library")?,
            })
        })
    }

    /// Downloads that are `linking` without a batch that says what: only a
    /// migrated row can be.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn linking_without_batch(&self) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT d.id FROM download d WHERE d.state = 'linking' AND NOT EXISTS (
                SELECT 1 FROM apply_batch b WHERE b.download_id = d.id AND b.state = 'planned')",
        )?;
        collect("download", statement.query([])?, |row| row.parsed("id"))
    }

    /// Those of the targets that another batch has linked.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn targets_of_others(
        &self,
        batch: BatchId,
        targets: &[PathBuf],
    ) -> Result<Vec<PathBuf>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM file_link
                            WHERE target_path = ?1 AND state = 'linked' AND apply_batch_id <> ?2)",
        )?;
        let mut found = Vec::new();
        for target in targets {
            let taken: bool =
                statement.query_row(params![path_text(target)?, text(batch)], |row| row.get(0))?;
            if taken {
                found.push(target.clone());
            }
        }
        Ok(found)
    }

    /// Whether an older batch of the download still stands.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn has_applied_batch(&self, download: DownloadId) -> Result<bool, StoreError> {
        Ok(self
            .conn()
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM apply_batch
                                WHERE download_id = ?1 AND state = 'applied')",
            )?
            .query_row([text(download)], |row| row.get(0))?)
    }
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
                     created_at, updated_at)
                 VALUES (?1, ?2, ?3, 'planned', ?4, ?5, ?6, ?6)",
            )?
            .execute(params![
                text(id),
                text(batch.download),
                text(batch.recognition),
                batch.plan_id,
                batch.library,
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

    /// Records that every link of a batch stands.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn record_batch(
        &mut self,
        batch: BatchId,
        download: DownloadId,
        made: &[Made],
    ) -> Result<(), StoreError> {
        let now = self.now().to_string();
        for link in made {
            self.conn()
                .prepare_cached(
                    "UPDATE file_link SET state = 'linked', device = ?2, inode = ?3,
                         size_bytes = ?4, updated_at = ?5
                     WHERE id = ?1",
                )?
                .execute(params![
                    text(link.id),
                    link.identity.device.cast_signed(),
                    link.identity.inode.cast_signed(),
                    signed(link.size_bytes),
                    now,
                ])?;
        }
        self.set_batch(batch, "applied", None)?;
        // Where the result is, for whoever reads the story; a pack of a thousand
        // files is told by its first ones.
        let targets: Vec<PathBuf> =
            self.links_of(batch)?.into_iter().take(TOLD_TARGETS).map(|link| link.target).collect();
        self.append_event(
            self.of_batch(EventType::BatchApplied, batch, download)
                .with(json!({ "links": made.len(), "targets": targets })),
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

fn read_link(row: &Columns<'_, '_>) -> Result<FileLink, StoreError> {
    let device: Option<i64> = row.plain("device")?;
    let inode: Option<i64> = row.plain("inode")?;
    Ok(FileLink {
        id: row.parsed("id")?,
        batch: row.parsed("apply_batch_id")?,
        file_index: row.plain("file_index")?,
        source: PathBuf::from(row.plain::<String>("source_path")?),
        target: PathBuf::from(row.plain::<String>("target_path")?),
        state: row.plain("state")?,
        identity: device.zip(inode).map(|(device, inode)| FileIdentity {
            device: device.cast_unsigned(),
            inode: inode.cast_unsigned(),
        }),
    })
}
