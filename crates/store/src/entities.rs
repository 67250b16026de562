//! Which entity an id belongs to.

use rusqlite::{OptionalExtension, params};
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

/// The question for each kind: the download of the row.
const fn question(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Download => "SELECT id FROM download WHERE id = ?1",
        EntityKind::Recognition => "SELECT download_id FROM recognition WHERE id = ?1",
        EntityKind::MetadataCandidate => {
            "SELECT r.download_id FROM metadata_candidate c
             JOIN recognition r ON r.id = c.recognition_id WHERE c.id = ?1"
        }
        EntityKind::Hint => "SELECT download_id FROM hint WHERE id = ?1",
        EntityKind::Override => "SELECT download_id FROM override WHERE id = ?1",
        EntityKind::Remembered => "SELECT NULL FROM remembered WHERE id = ?1",
        EntityKind::ApplyBatch => "SELECT download_id FROM apply_batch WHERE id = ?1",
        EntityKind::FileLink => "SELECT download_id FROM file_link WHERE id = ?1",
        EntityKind::Event => "SELECT download_id FROM event WHERE id = ?1",
        EntityKind::ClientTask => "SELECT download_id FROM client_task WHERE id = ?1",
        EntityKind::Token => "SELECT NULL FROM token WHERE id = ?1",
        EntityKind::Job => "SELECT NULL FROM job WHERE id = ?1",
        EntityKind::Backup => "SELECT NULL FROM backup WHERE id = ?1",
        EntityKind::User => "SELECT NULL FROM user WHERE id = ?1",
        EntityKind::Session => "SELECT NULL FROM session WHERE id = ?1",
        EntityKind::LoginLink => "SELECT NULL FROM login_link WHERE id = ?1",
    }
}

/// What belongs to an entity of a kind: the kind of each, and the question for their
/// ids, newest first. The limit is `?2`.
pub(crate) const fn relations(kind: EntityKind) -> &'static [(EntityKind, &'static str)] {
    use EntityKind as K;
    match kind {
        K::Download => &[
            (
                K::Download,
                "SELECT merged_into FROM download WHERE id = ?1 AND merged_into IS NOT NULL LIMIT ?2",
            ),
            (
                K::Download,
                "SELECT id FROM download WHERE merged_into = ?1 ORDER BY id DESC LIMIT ?2",
            ),
            (
                K::Recognition,
                "SELECT id FROM recognition WHERE download_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
            (K::Hint, "SELECT id FROM hint WHERE download_id = ?1 ORDER BY id DESC LIMIT ?2"),
            (
                K::Override,
                "SELECT id FROM override WHERE download_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
            (
                K::ApplyBatch,
                "SELECT id FROM apply_batch WHERE download_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
            (
                K::ClientTask,
                "SELECT id FROM client_task WHERE download_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
        ],
        K::Recognition => &[
            (
                K::MetadataCandidate,
                "SELECT id FROM metadata_candidate WHERE recognition_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
            (
                K::ApplyBatch,
                "SELECT id FROM apply_batch WHERE recognition_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
        ],
        K::MetadataCandidate => &[(
            K::Recognition,
            "SELECT recognition_id FROM metadata_candidate WHERE id = ?1 LIMIT ?2",
        )],
        K::ApplyBatch => &[
            (
                K::Recognition,
                "SELECT recognition_id FROM apply_batch WHERE id = ?1 AND recognition_id IS NOT NULL LIMIT ?2",
            ),
            (
                K::FileLink,
                "SELECT id FROM file_link WHERE apply_batch_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
        ],
        K::FileLink => &[(
            K::ApplyBatch,
            "SELECT apply_batch_id FROM file_link WHERE id = ?1 AND apply_batch_id IS NOT NULL LIMIT ?2",
        )],
        K::Job => {
            &[(K::Backup, "SELECT id FROM backup WHERE job_id = ?1 ORDER BY id DESC LIMIT ?2")]
        }
        K::Backup => &[
            (K::Job, "SELECT job_id FROM backup WHERE id = ?1 AND job_id IS NOT NULL LIMIT ?2"),
            (K::Job, "SELECT id FROM job WHERE subject_id = ?1 ORDER BY id DESC LIMIT ?2"),
        ],
        K::User => &[
            (K::Session, "SELECT id FROM session WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2"),
            (
                K::LoginLink,
                "SELECT id FROM login_link WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2",
            ),
        ],
        K::Session => &[(K::User, "SELECT user_id FROM session WHERE id = ?1 LIMIT ?2")],
        K::LoginLink => &[(
            K::User,
            "SELECT user_id FROM login_link WHERE id = ?1 AND user_id IS NOT NULL LIMIT ?2",
        )],
        K::Hint | K::Override | K::Remembered | K::Event | K::ClientTask | K::Token => &[],
    }
}

impl ReadTx<'_> {
    /// What belongs to an entity, and what it belongs to: its download first, then by
    /// kind, newest first, at most `limit` of them.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn related(&self, entity: Entity, limit: usize) -> Result<Vec<Entity>, StoreError> {
        let mut found = Vec::new();
        if let Some(download) = entity.download.filter(|download| download.any() != entity.id) {
            found.push(Entity {
                kind: EntityKind::Download,
                id: download.any(),
                download: Some(download),
            });
        }
        if entity.kind == EntityKind::Event {
            found.extend(self.subject_of(entity.id)?.filter(|about| !found.contains(about)));
        }
        for (kind, sql) in relations(entity.kind) {
            let mut statement = self.conn().prepare_cached(sql)?;
            let room = i64::try_from(limit.saturating_sub(found.len())).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![entity.id.to_string(), room])?;
            while let Some(row) = rows.next()? {
                let text: String = row.get(0)?;
                let id: AnyId = parse(kind.as_str(), "id", &text)?;
                let own = (*kind == EntityKind::Download).then(|| id.typed());
                found.push(Entity { kind: *kind, id, download: own.or(entity.download) });
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    /// What an entry of the journal is about, as far as that is still there.
    fn subject_of(&self, event: AnyId) -> Result<Option<Entity>, StoreError> {
        let about: Option<Option<String>> = self
            .conn()
            .prepare_cached("SELECT entity_id FROM event WHERE id = ?1")?
            .query_row([event.to_string()], |row| row.get(0))
            .optional()?;
        match about.flatten() {
            Some(text) => self.entity(parse("event", "entity_id", &text)?),
            None => Ok(None),
        }
    }

    /// The entity that has this id, whatever its kind.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn entity(&self, id: AnyId) -> Result<Option<Entity>, StoreError> {
        for kind in EntityKind::ALL.iter().copied() {
            let found: Option<Option<String>> = self
                .conn()
                .prepare_cached(question(kind))?
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
