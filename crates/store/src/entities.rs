//! Which entity an id belongs to.

use rusqlite::OptionalExtension;
use tracker_domain::{DownloadId, EntityKind};
use tracker_ident::AnyId;

use crate::row::parse;
use crate::{ReadTx, StoreError};

/// Where an id was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its kind.
    pub kind: EntityKind,
    /// The id.
    pub id: AnyId,
    /// The download it belongs to.
    pub download: Option<DownloadId>,
}

/// The question for each kind that has a table: the download of the row.
const fn question(kind: EntityKind) -> Option<&'static str> {
    match kind {
        EntityKind::Download => Some("SELECT id FROM download WHERE id = ?1"),
        EntityKind::Recognition => Some("SELECT download_id FROM recognition WHERE id = ?1"),
        EntityKind::MetadataCandidate => Some(
            "SELECT r.download_id FROM metadata_candidate c
             JOIN recognition r ON r.id = c.recognition_id WHERE c.id = ?1",
        ),
        EntityKind::Hint => Some("SELECT download_id FROM hint WHERE id = ?1"),
        EntityKind::Override => Some("SELECT download_id FROM override WHERE id = ?1"),
        EntityKind::ApplyBatch => Some("SELECT download_id FROM apply_batch WHERE id = ?1"),
        EntityKind::FileLink => Some("SELECT download_id FROM file_link WHERE id = ?1"),
        EntityKind::Event => Some("SELECT download_id FROM event WHERE id = ?1"),
        EntityKind::ClientTask => Some("SELECT download_id FROM client_task WHERE id = ?1"),
        EntityKind::Token => Some("SELECT NULL FROM token WHERE id = ?1"),
        // Their tables come with the parts that need them.
        EntityKind::Job | EntityKind::Backup => None,
    }
}

impl ReadTx<'_> {
    /// The entity that has this id, whatever its kind.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn entity(&self, id: AnyId) -> Result<Option<Entity>, StoreError> {
        for kind in EntityKind::ALL.iter().copied() {
            let Some(sql) = question(kind) else { continue };
            let found: Option<Option<String>> = self
                .conn()
                .prepare_cached(sql)?
                .query_row([id.to_string()], |row| row.get(0))
                .optional()?;
            if let Some(download) = found {
                let download =
                    download.map(|text| parse(kind.as_str(), "download_id", &text)).transpose()?;
                return Ok(Some(Entity { kind, id, download }));
            }
        }
        Ok(None)
    }
}
