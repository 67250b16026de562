//! Questions about batches and their links.

use std::path::{Path, PathBuf};

use rusqlite::params;
use tracker_domain::library::LinkMode;
use tracker_domain::ports::FileIdentity;
use tracker_domain::{BatchId, DownloadId, FileLinkId, Timestamp};

use super::path_text;
use crate::row::{Columns, collect, text};
use crate::{ReadTx, StoreError};

/// One row of `apply_batch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its id.
    pub id: BatchId,
    /// The download whose files are linked; a migrated row may have none.
    pub download: Option<DownloadId>,
    /// `planned`, `applied`, `undone` or `failed`.
    pub state: String,
    /// The plan that was carried out.
    pub plan_id: Option<String>,
    /// The name of the library.
    pub library: Option<String>,
    /// The root that its links lie below; rows of before V8 have none.
    pub root: Option<PathBuf>,
    /// Why it failed.
    pub detail: Option<String>,
    /// The batch that took its place.
    pub superseded_by: Option<BatchId>,
    /// When it was planned.
    pub created_at: Timestamp,
}

/// One row of `file_link`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLink {
    /// Its id.
    pub id: FileLinkId,
    /// The batch it belongs to.
    pub batch: BatchId,
    /// The download it belongs to.
    pub download: DownloadId,
    /// The file's index in the torrent.
    pub file_index: Option<u32>,
    /// Where the file is.
    pub source: PathBuf,
    /// Where the link is or goes.
    pub target: PathBuf,
    /// How it got there.
    pub mode: LinkMode,
    /// `planned`, `linked`, `undone` or `failed`.
    pub state: String,
    /// Which file has the target's name, once it is known.
    pub identity: Option<FileIdentity>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
    /// The target was that file before.
    pub there_already: bool,
    /// The file that had the name before and is in the trash.
    pub replaces: Option<FileIdentity>,
    /// When a copy was written, in nanoseconds since 1970.
    pub modified_ns: Option<i64>,
    /// What was found when it was looked at last.
    pub health: Option<String>,
}

impl ReadTx<'_> {
    /// One batch.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn batch(&self, id: BatchId) -> Result<Option<Batch>, StoreError> {
        let mut statement =
            self.conn().prepare_cached("SELECT * FROM apply_batch WHERE id = ?1")?;
        Ok(collect("apply_batch", statement.query([text(id)])?, read_batch)?.pop())
    }

    /// The batches of a download, newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn batches_of(&self, download: DownloadId) -> Result<Vec<Batch>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM apply_batch WHERE download_id = ?1 ORDER BY id DESC")?;
        collect("apply_batch", statement.query([text(download)])?, read_batch)
    }

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

    /// The links of a download that stand, whatever their batch.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn standing_links(&self, download: DownloadId) -> Result<Vec<FileLink>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM file_link WHERE download_id = ?1 AND state = 'linked' ORDER BY id",
        )?;
        collect("file_link", statement.query([text(download)])?, read_link)
    }

    /// The batches that were intended and not recorded: the process died in between.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn planned_batches(&self) -> Result<Vec<Batch>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM apply_batch WHERE state = 'planned' AND download_id IS NOT NULL
             ORDER BY id",
        )?;
        collect("apply_batch", statement.query([])?, read_batch)
    }

    /// The batches whose links stand, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn applied_batches(&self) -> Result<Vec<Batch>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM apply_batch WHERE state = 'applied' AND download_id IS NOT NULL
             ORDER BY id",
        )?;
        collect("apply_batch", statement.query([])?, read_batch)
    }

    /// The batches that stand although a newer one of their download does: their
    /// links go as soon as the newer one is recorded.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn outlived_batches(&self) -> Result<Vec<Batch>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM apply_batch AS old WHERE state = 'applied' AND EXISTS (
                SELECT 1 FROM apply_batch AS new WHERE new.download_id = old.download_id
                    AND new.state = 'applied' AND new.id > old.id)
             ORDER BY id",
        )?;
        collect("apply_batch", statement.query([])?, read_batch)
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

    /// The targets of those of the links that another batch records as well: the
    /// same name for the same inode, as the number of its device may have changed
    /// between the two. One that replaced the other's file is no such.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn targets_of_others(&self, links: &[FileLink]) -> Result<Vec<PathBuf>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM file_link
                            WHERE target_path = ?1 AND state = 'linked' AND apply_batch_id <> ?2
                                AND (inode IS NULL OR ?3 IS NULL OR inode = ?3))",
        )?;
        let mut found = Vec::new();
        for link in links {
            let identity = link.identity;
            let taken: bool = statement.query_row(
                params![
                    path_text(&link.target)?,
                    text(link.batch),
                    identity.map(|file| file.inode.cast_signed()),
                ],
                |row| row.get(0),
            )?;
            if taken {
                found.push(link.target.clone());
            }
        }
        Ok(found)
    }

    /// The newest link that stands at a target.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn link_at(&self, target: &Path) -> Result<Option<FileLink>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM file_link WHERE target_path = ?1 AND state = 'linked'
             ORDER BY id DESC LIMIT 1",
        )?;
        let rows = statement.query([path_text(target)?])?;
        Ok(collect("file_link", rows, read_link)?.pop())
    }

    /// The links of earlier batches at the name of this one, newest first, that stand
    /// or whose batch a newer one took the place of.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn earlier_at(&self, link: &FileLink) -> Result<Vec<FileLink>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT file_link.* FROM file_link JOIN apply_batch ON apply_batch.id = apply_batch_id
             WHERE target_path = ?1 AND apply_batch_id < ?2
                 AND (file_link.state = 'linked' OR superseded_by IS NOT NULL)
             ORDER BY apply_batch_id DESC",
        )?;
        let rows = statement.query(params![path_text(&link.target)?, text(link.batch)])?;
        collect("file_link", rows, read_link)
    }

    /// The same for links of its download to the same file, whatever their names.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn earlier_of(&self, link: &FileLink) -> Result<Vec<FileLink>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT file_link.* FROM file_link JOIN apply_batch ON apply_batch.id = apply_batch_id
             WHERE file_link.download_id = ?1 AND source_path = ?3 AND apply_batch_id < ?2
                 AND (file_link.state = 'linked' OR superseded_by IS NOT NULL)
             ORDER BY apply_batch_id DESC",
        )?;
        let (download, batch) = (text(link.download), text(link.batch));
        let rows = statement.query(params![download, batch, path_text(&link.source)?])?;
        collect("file_link", rows, read_link)
    }

    /// The link that stands for whose sake another one moved to the trash.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn taker_of(&self, link: &FileLink) -> Result<Option<FileLink>, StoreError> {
        let Some(file) = link.identity else { return Ok(None) };
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM file_link WHERE target_path = ?1 AND replaced_device = ?2
                 AND replaced_inode = ?3 AND state = 'linked' AND apply_batch_id <> ?4
             ORDER BY id DESC LIMIT 1",
        )?;
        let (device, inode) = (file.device.cast_signed(), file.inode.cast_signed());
        let rows = params![path_text(&link.target)?, device, inode, text(link.batch)];
        Ok(collect("file_link", statement.query(rows)?, read_link)?.pop())
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

fn read_batch(row: &Columns<'_, '_>) -> Result<Batch, StoreError> {
    Ok(Batch {
        id: row.parsed("id")?,
        download: row.maybe("download_id")?,
        state: row.plain("state")?,
        plan_id: row.plain("plan_id")?,
        library: row.plain("library")?,
        root: row.plain::<Option<String>>("root")?.map(PathBuf::from),
        detail: row.plain("detail")?,
        superseded_by: row.maybe("superseded_by")?,
        created_at: row.parsed("created_at")?,
    })
}

fn read_link(row: &Columns<'_, '_>) -> Result<FileLink, StoreError> {
    let identity = |device: &'static str, inode: &'static str| {
        let device: Option<i64> = row.plain(device)?;
        let inode: Option<i64> = row.plain(inode)?;
        Ok::<_, StoreError>(device.zip(inode).map(|(device, inode)| FileIdentity {
            device: device.cast_unsigned(),
            inode: inode.cast_unsigned(),
        }))
    };
    Ok(FileLink {
        id: row.parsed("id")?,
        batch: row.parsed("apply_batch_id")?,
        download: row.parsed("download_id")?,
        file_index: row.plain("file_index")?,
        source: PathBuf::from(row.plain::<String>("source_path")?),
        target: PathBuf::from(row.plain::<String>("target_path")?),
        // A row of before V6 may have a word of its own; its links were hard ones.
        mode: row.plain::<String>("mode")?.parse().unwrap_or(LinkMode::Hardlink),
        state: row.plain("state")?,
        identity: identity("device", "inode")?,
        size_bytes: row.maybe_unsigned("size_bytes")?,
        there_already: row.plain::<Option<bool>>("there_already")?.unwrap_or(false),
        replaces: identity("replaced_device", "replaced_inode")?,
        modified_ns: row.plain("modified_ns")?,
        health: row.plain("health")?,
    })
}
