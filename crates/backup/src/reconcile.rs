//! What lies at the target against what the rows say.

use std::collections::{BTreeMap, HashMap, HashSet};

use tracing::warn;
use tracker_domain::ports::StoredBackup;
use tracker_domain::{Actor, BackupId, BackupState, JobId};
use tracker_store::{Backup, BackupMade, StoreError, WriteTx};

use crate::{BackupError, Backups};

/// What was found and settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Objects that got a row, or whose row did not know that they were put.
    pub adopted: Vec<BackupId>,
    /// Rows without an object.
    pub missing: Vec<BackupId>,
    /// Rows whose object is back.
    pub back: Vec<BackupId>,
    /// Backups that were being made by a process that ended.
    pub failed: Vec<BackupId>,
    /// Objects of deleted backups, which went now.
    pub removed: Vec<BackupId>,
    /// Objects with a mark that cannot be ours: not touched.
    pub refused: Vec<String>,
}

impl Backups {
    /// Whether the target can be listed. Nothing is changed.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn look(&self) -> Result<(), BackupError> {
        self.target.list().await?;
        Ok(())
    }

    /// Looks at the target and settles the rows. Nothing is written when it cannot
    /// be listed: what is not seen is not missing.
    ///
    /// # Errors
    /// The cause of the target, or a fault of the database.
    pub async fn reconcile(&self, actor: &Actor) -> Result<Reconciled, BackupError> {
        // Rows first: one that is made meanwhile has its object later, and is open.
        let place = self.target.place();
        let known = place.clone();
        let rows: Result<Vec<Backup>, StoreError> =
            self.db.read(move |tx| tx.backups_at(&known)).await;
        let seen: HashSet<BackupId> = rows?.into_iter().map(|row| row.id).collect();
        let objects = self.target.list().await?;
        let settled: Result<_, StoreError> =
            self.db.write(actor, move |tx| settle(tx, &place, &seen, objects)).await;
        let (mut reconciled, orphans) = settled?;
        for (id, object) in orphans {
            self.target.delete(&object).await?;
            reconciled.removed.push(id);
        }
        for object in &reconciled.refused {
            warn!(object, "an object claims an id that cannot be that of a backup; left alone");
        }
        Ok(reconciled)
    }
}

type Orphans = Vec<(BackupId, String)>;

fn settle(
    tx: &mut WriteTx<'_>,
    place: &str,
    seen: &HashSet<BackupId>,
    objects: Vec<StoredBackup>,
) -> Result<(Reconciled, Orphans), StoreError> {
    let mut reconciled = Reconciled::default();
    let mut orphans = Vec::new();
    let open: HashSet<JobId> = tx.open_jobs()?.into_iter().map(|job| job.id).collect();
    let mut rows: HashMap<BackupId, Backup> =
        tx.backups_at(place)?.into_iter().map(|row| (row.id, row)).collect();
    for stored in objects {
        let id = stored.mark.id;
        match rows.remove(&id) {
            Some(row) if row.object != stored.object => {
                reconciled.refused.push(stored.object);
                rows.insert(id, row);
            }
            Some(row) if row.deleted_at.is_some() => orphans.push((id, stored.object)),
            Some(row) if row.state == BackupState::Done => {
                if row.missing_at.is_some() {
                    tx.backup_missing(id, false)?;
                    reconciled.back.push(id);
                }
            }
            // Its own job will say so.
            Some(row) if row.job.is_some_and(|job| open.contains(&job)) => {}
            Some(_) => {
                if tx.backup_done(id, &made(&stored))?.is_ok() {
                    reconciled.adopted.push(id);
                }
            }
            None if is_moved(tx.backup(id)?, &stored) => {
                tx.backup_moved(id, place)?;
                reconciled.adopted.push(id);
            }
            None => {
                let adopted = tx.adopt_backup(
                    id,
                    place,
                    &stored.object,
                    stored.mark.created_at,
                    &made(&stored),
                )?;
                match adopted {
                    Ok(()) => reconciled.adopted.push(id),
                    Err(_) => reconciled.refused.push(stored.object),
                }
            }
        }
    }
    let mut left: Vec<Backup> = rows.into_values().filter(|row| seen.contains(&row.id)).collect();
    left.sort_by_key(|row| row.id);
    for row in left {
        let at_work = row.job.is_some_and(|job| open.contains(&job));
        match row.state {
            BackupState::Done if row.is_good() => {
                tx.backup_missing(row.id, true)?;
                reconciled.missing.push(row.id);
            }
            BackupState::Creating if !at_work => {
                let reason = "the process that made it ended before it was put";
                if tx.backup_failed(row.id, reason)?.is_ok() {
                    reconciled.failed.push(row.id);
                }
            }
            BackupState::Done | BackupState::Creating | BackupState::Failed => {}
        }
    }
    Ok((reconciled, orphans))
}

/// Whether a row of another target is that of this object.
fn is_moved(row: Option<Backup>, stored: &StoredBackup) -> bool {
    row.is_some_and(|row| {
        row.state == BackupState::Done
            && row.deleted_at.is_none()
            && row.object == stored.object
            && row.sha256.as_deref() == Some(stored.mark.sha256.as_str())
    })
}

fn made(stored: &StoredBackup) -> BackupMade {
    BackupMade {
        size_bytes: stored.size_bytes,
        sha256: stored.mark.sha256.clone(),
        schema_version: stored.mark.schema_version,
        row_counts: BTreeMap::new(),
    }
}
