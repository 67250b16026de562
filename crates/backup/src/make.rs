//! Making a backup: the copy, the object, the put, the row, and what is then one
//! too many.

use tracing::{info, warn};
use tracker_domain::ports::BackupMark;
use tracker_domain::{Actor, BackupId, JobId, JobKind, Timestamp};
use tracker_store::{BackupMade, JobEnd, ScratchFile, StoreError, sweep_scratch_files};

use crate::pack::pack;
use crate::{BackupError, Backups, off_thread};

/// The steps that a job tells of.
const STEPS: u64 = 4;

/// The name of an object: sorts by time, and is never taken by another backup.
fn object_name(id: BackupId, at: Timestamp) -> String {
    format!("tracker-{}-{id}.db.zst", at.compact())
}

impl Backups {
    /// Asks for a backup: the job, and whether it is a new one.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn ask(&self, actor: &Actor) -> Result<(JobId, bool), BackupError> {
        let made: Result<_, StoreError> =
            self.db.write(actor, |tx| tx.create_job(JobKind::Backup, None)).await;
        Ok(made?)
    }

    /// Does the job: it ends `done` or `failed`, and so does its backup.
    ///
    /// # Errors
    /// Why it failed; the rows say so too, unless the database is the reason.
    pub async fn run(&self, job: JobId, actor: &Actor) -> Result<BackupId, BackupError> {
        let started: Result<_, StoreError> =
            self.db.write(actor, move |tx| tx.start_job(job)).await;
        started??;
        let place = self.target.place();
        let begun: Result<BackupId, StoreError> =
            self.db.write(actor, move |tx| tx.begin_backup(job, &place, object_name)).await;
        let outcome = match begun {
            Ok(id) => self.make(job, id, actor).await.map(|()| id),
            Err(error) => Err(error.into()),
        };
        match outcome {
            Ok(id) => {
                info!(backup_id = %id, job_id = %job, "backup done");
                // Space comes free after the new one is safe, and what cannot be
                // removed is no reason to call the new one failed.
                if let Err(error) = self.keep_newest(actor).await {
                    warn!(job_id = %job, error = %error, "older backups could not be removed");
                }
                Ok(id)
            }
            Err(error) => {
                self.end(job, error.end(), actor).await?;
                Err(error)
            }
        }
    }

    async fn make(&self, job: JobId, id: BackupId, actor: &Actor) -> Result<(), BackupError> {
        self.step(job, "copy", 0, actor).await?;
        let copy = ScratchFile::beside(&self.database, &format!("{id}.db"))?;
        let (copy, report) = self.db.snapshot(copy).await?;
        self.step(job, "pack", 1, actor).await?;
        let object = ScratchFile::beside(&self.database, &format!("{id}.zst"))?;
        let (object, packed) = off_thread("pack", move || {
            let packed = pack(copy.path(), object.path())?;
            Ok((object, packed))
        })
        .await?;
        self.step(job, "put", 2, actor).await?;
        let row: Result<_, StoreError> = self.db.read(move |tx| tx.backup(id)).await;
        let row = row?.ok_or(tracker_store::BackupRefusal::NotFound)?;
        let mark = BackupMark {
            id,
            created_at: row.created_at,
            schema_version: report.schema_version,
            sha256: packed.sha256.clone(),
        };
        self.target.put_new(&row.object, &mark, object.path()).await?;
        drop(object);
        let made = BackupMade {
            size_bytes: packed.size_bytes,
            sha256: packed.sha256,
            schema_version: report.schema_version,
            row_counts: report.row_counts.into_iter().collect(),
        };
        let recorded: Result<Result<(), BackupError>, StoreError> = self
            .db
            .write(actor, move |tx| {
                tx.job_progress(job, "done", STEPS, STEPS)?;
                if let Err(refusal) = tx.backup_done(id, &made)? {
                    return Ok(Err(refusal.into()));
                }
                Ok(tx.end_job(job, &JobEnd::Done)?.map_err(BackupError::from))
            })
            .await;
        recorded?
    }

    async fn step(
        &self,
        job: JobId,
        stage: &'static str,
        done: u64,
        actor: &Actor,
    ) -> Result<(), BackupError> {
        let written: Result<(), StoreError> =
            self.db.write(actor, move |tx| tx.job_progress(job, stage, done, STEPS)).await;
        Ok(written?)
    }

    /// Ends a job that did not do what it was for, with what it was making. Of one
    /// that has ended nothing is changed.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn end(&self, job: JobId, end: JobEnd, actor: &Actor) -> Result<(), BackupError> {
        let written: Result<_, StoreError> =
            self.db.write(actor, move |tx| tx.abandon_job(job, &end)).await;
        // Refused for one that has ended.
        let _ = written?;
        Ok(())
    }

    /// Removes what is one too many at this target, oldest first. The newest good
    /// one always stays.
    ///
    /// # Errors
    /// When the target refuses; what was removed until then is written down.
    pub async fn keep_newest(&self, actor: &Actor) -> Result<Vec<BackupId>, BackupError> {
        let place = self.target.place();
        let rows: Result<Vec<_>, StoreError> = self.db.read(move |tx| tx.backups_at(&place)).await;
        let good = rows?.into_iter().filter(tracker_store::Backup::is_good);
        let mut old: Vec<BackupId> = good.skip(self.keep).map(|row| row.id).collect();
        old.reverse();
        for id in &old {
            self.delete(*id, "older than those that are kept", actor).await?;
        }
        Ok(old)
    }

    /// Gives a backup up: its row says so first, then its object goes.
    ///
    /// # Errors
    /// When it may not be deleted, or the target refuses; the object of a row that
    /// says so is removed when the target is looked at again.
    pub async fn delete(
        &self,
        id: BackupId,
        reason: &'static str,
        actor: &Actor,
    ) -> Result<(), BackupError> {
        let given_up: Result<_, StoreError> =
            self.db.write(actor, move |tx| tx.delete_backup(id, reason)).await;
        let backup = given_up??;
        if backup.target == self.target.place() {
            self.target.delete(&backup.object).await?;
        }
        Ok(())
    }

    /// For a process that works alone: what ran in one that is gone has failed, and its
    /// scratch files go. Its backups are settled by [`Backups::reconcile`].
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn recover(&self) -> Result<Vec<JobId>, BackupError> {
        let database = self.database.clone();
        match off_thread("sweep", move || sweep_scratch_files(&database)).await {
            Ok(swept) if swept.is_empty() => {}
            Ok(swept) => {
                info!(files = swept.len(), "scratch files of a broken off backup removed");
            }
            Err(error) => warn!(%error, "scratch files of a broken off backup stay"),
        }
        let ended: Result<_, StoreError> =
            self.db.write(&Actor::System, |tx| tx.interrupt_jobs()).await;
        Ok(ended?)
    }
}
