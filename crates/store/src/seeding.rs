//! The end of seeding: which downloads may come to it, and the one time that
//! they do.

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::seeding::{Reached, SeedingAction, SeedingPolicy};
use tracker_domain::{DownloadId, DownloadState, InfohashSet, Timestamp};

use crate::downloads::{Download, Origin, Placement, SELECT, read_download};
use crate::journal::NewEvent;
use crate::row::{collect, text};
use crate::tasks::TaskKind;
use crate::{ReadTx, StoreError, WriteTx};

/// A download that is done and whose torrent we added.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedingDownload {
    /// The download.
    pub download: Download,
    /// The library that its newest links went to.
    pub library: Option<String>,
    /// Whether a batch of its links stands.
    pub linked: bool,
    /// When it was stopped because it had given enough.
    pub ended_at: Option<Timestamp>,
}

/// An end to write down.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedingEnd {
    /// The download.
    pub download: DownloadId,
    /// Which limit was reached.
    pub reached: Reached,
    /// The ratio then.
    pub ratio: Option<f64>,
    /// Seconds that it was seeded.
    pub seconds: Option<u64>,
    /// What held for it.
    pub policy: SeedingPolicy,
    /// The file whose data keeps the rest from being removed, and why.
    pub kept: Option<String>,
}

/// The newest batch that stands says where; where none does, the newest one.
const LIBRARY: &str = "
    SELECT library FROM apply_batch WHERE download_id = ?1 AND state IN ('applied', 'undone')
    ORDER BY state = 'applied' DESC, id DESC LIMIT 1";

impl ReadTx<'_> {
    /// The done downloads whose torrents we added and did not remove, oldest first.
    /// One that was adopted, or found in the client, is not ours to end, and one that
    /// was taken out of the lists is left as it is.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn seeding_downloads(&self) -> Result<Vec<SeedingDownload>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE d.state = 'done' AND d.placement = 'added' AND d.origin <> 'adopted'
                 AND d.hidden_at IS NULL AND coalesce(d.seeding_end, 'stop') = 'stop'
             ORDER BY d.id"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        let rows = collect("download", statement.query([])?, |row| {
            Ok((read_download(row)?, row.maybe("seeding_ended_at")?))
        })?;
        rows.into_iter()
            .map(|(download, ended_at)| {
                let id = download.id;
                let library = self.library_of(id)?;
                let linked = self.has_applied_batch(id)?;
                Ok(SeedingDownload { download, library, linked, ended_at })
            })
            .collect()
    }

    fn library_of(&self, download: DownloadId) -> Result<Option<String>, StoreError> {
        let mut statement = self.conn().prepare_cached(LIBRARY)?;
        let found: Option<Option<String>> =
            statement.query_row([text(download)], |row| row.get(0)).optional()?;
        Ok(found.flatten())
    }

    fn may_end(&self, id: DownloadId) -> Result<bool, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(false) };
        let ours = row.placement == Some(Placement::Added) && row.origin != Origin::Adopted;
        let ended: bool = self
            .conn()
            .prepare_cached("SELECT seeding_ended_at IS NOT NULL FROM download WHERE id = ?1")?
            .query_row([text(id)], |row| row.get(0))?;
        let hashes: Vec<_> = row.infohashes.iter().flat_map(InfohashSet::iter).collect();
        let wanted = !self.active_owners(hashes)?.is_empty();
        let seen = row.hidden_at.is_none();
        Ok(row.state == DownloadState::Done && ours && seen && !ended && !wanted)
    }
}

impl WriteTx<'_> {
    /// Writes down that a torrent has given enough, and wishes what the policy says.
    /// Tells whether it did: not for one that has ended before, that is no longer
    /// done or not ours, or that an active download has as well.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn end_seeding(&mut self, end: &SeedingEnd) -> Result<bool, StoreError> {
        let id = end.download;
        if !self.may_end(id)? {
            return Ok(false);
        }
        let action = end.policy.action;
        self.conn()
            .prepare_cached(
                "UPDATE download SET seeding_ended_at = ?2, seeding_end = ?3,
                     revision = revision + 1, updated_at = ?2
                 WHERE id = ?1",
            )?
            .execute(params![text(id), self.now().to_string(), action.as_str()])?;
        let policy = &end.policy;
        self.append_event(
            NewEvent::of_download(EventType::DownloadSeedingEnded, id, "seeded enough").with(
                json!({
                    "reached": end.reached.as_str(),
                    "action": action.as_str(),
                    "ratio": end.ratio,
                    "seeding_seconds": end.seconds,
                    "kept": end.kept,
                    "policy": {
                        "ratio": policy.ratio,
                        "seconds": policy.time.map(|time| time.as_secs()),
                        "min_seconds": policy.min_time.as_secs(),
                        "keep_while_linked": policy.keep_while_linked,
                    },
                }),
            ),
        )?;
        self.add_task(
            id,
            match action {
                SeedingAction::Stop => TaskKind::Stop,
                SeedingAction::RemoveData if end.kept.is_none() => TaskKind::RemoveHeld,
                SeedingAction::Remove | SeedingAction::RemoveData => TaskKind::Remove,
            },
        )?;
        Ok(true)
    }

    /// Forgets an end whose wish became void, so that the policy looks at it anew.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn reopen_seeding(&mut self, id: DownloadId) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE download SET seeding_ended_at = NULL, seeding_end = NULL,
                     revision = revision + 1, updated_at = ?2
                 WHERE id = ?1 AND seeding_ended_at IS NOT NULL",
            )?
            .execute(params![text(id), self.now().to_string()])?;
        Ok(())
    }
}
