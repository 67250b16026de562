//! Backups: the rows of copies of the database that lie at a target.
//!
//! What lies there is the truth about the objects; these rows are what was found
//! the last time that somebody looked. Nothing here reaches a target.

use std::collections::BTreeMap;

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{
    BackupHistory, BackupId, BackupState, EntityKind, JobId, JobKind, JobState, Timestamp,
};
use tracker_ident::AnyId;

use crate::jobs::{Job, JobEnd, read_job};
use crate::journal::NewEvent;
use crate::row::{Columns, collect, signed, text, to_json};
use crate::{ReadTx, StoreError, WriteTx};

/// One backup.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Backup {
    pub id: BackupId,
    pub job: Option<JobId>,
    pub state: BackupState,
    pub target: String,
    pub object: String,
    pub size_bytes: Option<u64>,
    pub sha256: Option<String>,
    pub schema_version: Option<u64>,
    pub row_counts: BTreeMap<String, i64>,
    pub error: Option<String>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub verified_at: Option<Timestamp>,
    pub missing_at: Option<Timestamp>,
    pub deleted_at: Option<Timestamp>,
}

/// What is known of a backup that lies at its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupMade {
    /// Its size there.
    pub size_bytes: u64,
    /// Of the object, in hex.
    pub sha256: String,
    /// The version of the schema in it.
    pub schema_version: u32,
    /// How many rows each table has; empty where nobody looked into it.
    pub row_counts: BTreeMap<String, i64>,
}

/// A change of a backup that may not be. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackupRefusal {
    /// There is no such backup.
    #[error("there is no such backup")]
    NotFound,
    /// It is past that, or not there yet.
    #[error("the backup is {from} and cannot become {to}")]
    Illegal {
        /// What it is.
        from: BackupState,
        /// What it should become.
        to: BackupState,
    },
    /// It is still being made.
    #[error("the backup is still being made")]
    BeingMade,
    /// Its id is that of something else, or from a time to come.
    #[error("the id cannot be that of a backup of this database")]
    ForeignId,
}

/// Failures count by id, which grows with time: those after the job of the newest
/// backup that is there. One that a person cancelled is no failure of ours.
const HISTORY: &str = "
    WITH done AS (SELECT coalesce(job_id, id) AS since, created_at FROM backup
                  WHERE state = 'done' AND missing_at IS NULL AND deleted_at IS NULL
                  ORDER BY id DESC LIMIT 1),
         failed AS (SELECT finished_at FROM job WHERE kind = 'backup' AND state = 'failed'
                    AND error_code <> 'cancelled'
                    AND id > coalesce((SELECT since FROM done), ''))
    SELECT (SELECT created_at FROM done) AS last_done,
           (SELECT count(*) FROM failed) AS failures,
           (SELECT max(finished_at) FROM failed) AS last_failure,
           (SELECT created_at FROM event ORDER BY id LIMIT 1) AS first_entry";

impl Backup {
    /// Whether it can be restored from, as far as is known.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.state == BackupState::Done && self.missing_at.is_none() && self.deleted_at.is_none()
    }
}

impl ReadTx<'_> {
    /// One backup.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup(&self, id: BackupId) -> Result<Option<Backup>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM backup WHERE id = ?1")?;
        Ok(collect("backup", statement.query([text(id)])?, read_backup)?.pop())
    }

    /// At most `limit` backups, newest first, only those before `before`.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backups(&self, before: Option<BackupId>, limit: u32) -> Result<Vec<Backup>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM backup WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2",
        )?;
        collect("backup", statement.query(params![before.map(text), limit])?, read_backup)
    }

    /// All backups of a target, newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backups_at(&self, target: &str) -> Result<Vec<Backup>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM backup WHERE target = ?1 ORDER BY id DESC")?;
        collect("backup", statement.query([target])?, read_backup)
    }

    /// The newest backup of a target that can be restored from, as far as is known.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn newest_good_backup(&self, target: &str) -> Result<Option<Backup>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM backup WHERE target = ?1 AND state = 'done'
                 AND missing_at IS NULL AND deleted_at IS NULL
             ORDER BY id DESC LIMIT 1",
        )?;
        Ok(collect("backup", statement.query([target])?, read_backup)?.pop())
    }

    /// What the schedule has to know: the newest backup that came about, and what
    /// failed after it. A job that a person asked for counts like one of the schedule:
    /// both make the same copy.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup_history(&self) -> Result<BackupHistory, StoreError> {
        let mut statement = self.conn().prepare_cached(HISTORY)?;
        let history = collect("backup", statement.query([])?, read_history)?;
        Ok(history.into_iter().next().unwrap_or_default())
    }

    /// The backups that a job was making when it ended otherwise.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backups_in_the_making(&self, job: JobId) -> Result<Vec<Backup>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM backup WHERE job_id = ?1 AND state = ?2 ORDER BY id")?;
        let rows = statement.query([text(job), BackupState::Creating.as_str().to_owned()])?;
        collect("backup", rows, read_backup)
    }

    /// The trial of the newest backup that did not stand its last one and is still there.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn damaged_backup(&self) -> Result<Option<Job>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT job.* FROM backup JOIN job ON job.id = (
                 SELECT max(id) FROM job WHERE subject_id = backup.id
                     AND kind = 'backup-verify' AND state IN ('done', 'failed')
                     AND coalesce(error_code, 'damaged') = 'damaged')
             WHERE backup.deleted_at IS NULL AND backup.missing_at IS NULL
                 AND job.state = 'failed'
             ORDER BY backup.id DESC LIMIT 1",
        )?;
        Ok(collect("job", statement.query([])?, read_job)?.pop())
    }

    fn backup_that_may(
        &self,
        id: BackupId,
        next: BackupState,
    ) -> Result<Result<Backup, BackupRefusal>, StoreError> {
        Ok(match self.backup(id)? {
            None => Err(BackupRefusal::NotFound),
            Some(backup) if backup.state.may_become(next) => Ok(backup),
            Some(backup) => Err(BackupRefusal::Illegal { from: backup.state, to: next }),
        })
    }
}

impl WriteTx<'_> {
    /// Writes down that a backup is about to be made; `object` gives it its name
    /// at the target from its id.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn begin_backup(
        &mut self,
        job: JobId,
        target: &str,
        object: impl FnOnce(BackupId, Timestamp) -> String,
    ) -> Result<BackupId, StoreError> {
        let id: BackupId = self.new_id();
        let object = object(id, self.now());
        self.conn()
            .prepare_cached(
                "INSERT INTO backup (id, job_id, state, target, object, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                text(id),
                text(job),
                BackupState::Creating.as_str(),
                target,
                object,
                self.now().to_string(),
            ])?;
        self.append_event(
            told(EventType::BackupCreated, "backup begun", id, Some(job), &object)
                .with(json!({ "target": target })),
        )?;
        Ok(id)
    }

    /// Writes down that a backup lies at its target.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup_done(
        &mut self,
        id: BackupId,
        made: &BackupMade,
    ) -> Result<Result<(), BackupRefusal>, StoreError> {
        let backup = match self.backup_that_may(id, BackupState::Done)? {
            Ok(backup) => backup,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.conn()
            .prepare_cached(
                "UPDATE backup SET state = ?2, size_bytes = ?3, sha256 = ?4, schema_version = ?5,
                     row_counts = ?6, error = NULL, finished_at = ?7
                 WHERE id = ?1",
            )?
            .execute(params![
                text(id),
                BackupState::Done.as_str(),
                signed(made.size_bytes),
                made.sha256,
                made.schema_version,
                to_json("backup.row_counts", &made.row_counts)?,
                self.now().to_string(),
            ])?;
        self.append_event(
            told(EventType::BackupDone, "backup done", id, backup.job, &backup.object).with(
                json!({
                    "target": backup.target,
                    "size_bytes": made.size_bytes,
                    "sha256": made.sha256,
                }),
            ),
        )?;
        Ok(Ok(()))
    }

    /// Writes down that a backup was not made.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup_failed(
        &mut self,
        id: BackupId,
        reason: &str,
    ) -> Result<Result<(), BackupRefusal>, StoreError> {
        let backup = match self.backup_that_may(id, BackupState::Failed)? {
            Ok(backup) => backup,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.conn()
            .prepare_cached(
                "UPDATE backup SET state = ?2, error = ?3, finished_at = ?4 WHERE id = ?1",
            )?
            .execute(params![
                text(id),
                BackupState::Failed.as_str(),
                reason,
                self.now().to_string()
            ])?;
        self.append_event(
            told(EventType::BackupFailed, "backup failed", id, backup.job, &backup.object)
                .with(json!({ "target": backup.target, "detail": reason })),
        )?;
        Ok(Ok(()))
    }

    /// Gives an object at a target its row: it was made by a process that could not
    /// write that down, or after the copy that this database was restored from.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn adopt_backup(
        &mut self,
        id: BackupId,
        target: &str,
        object: &str,
        created_at: Timestamp,
        made: &BackupMade,
    ) -> Result<Result<(), BackupRefusal>, StoreError> {
        if self.entity(AnyId::from(id))?.is_some() || !self.not_below(id.into()) {
            return Ok(Err(BackupRefusal::ForeignId));
        }
        self.conn()
            .prepare_cached(
                "INSERT INTO backup (id, state, target, object, size_bytes, sha256, schema_version,
                                     row_counts, created_at, finished_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                text(id),
                BackupState::Done.as_str(),
                target,
                object,
                signed(made.size_bytes),
                made.sha256,
                made.schema_version,
                to_json("backup.row_counts", &made.row_counts)?,
                created_at.to_string(),
                self.now().to_string(),
            ])?;
        self.append_event(
            told(EventType::BackupDone, "backup found at its target", id, None, object).with(
                json!({ "target": target, "size_bytes": made.size_bytes, "sha256": made.sha256 }),
            ),
        )?;
        Ok(Ok(()))
    }

    /// Writes down that a backup stood the drill.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup_verified(&mut self, id: BackupId, job: Option<JobId>) -> Result<(), StoreError> {
        let Some(backup) = self.backup(id)? else { return Ok(()) };
        self.conn()
            .prepare_cached("UPDATE backup SET verified_at = ?2 WHERE id = ?1")?
            .execute(params![text(id), self.now().to_string()])?;
        self.append_event(
            told(EventType::BackupVerified, "backup verified", id, job, &backup.object)
                .with(json!({ "target": backup.target })),
        )?;
        Ok(())
    }

    /// In a copy that a backup was: it was put, and the job that made it is done. A
    /// backup is made by one job at a time, and is copied while that one runs.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn settle_own_backup(&mut self, made: &BackupMade) -> Result<(), StoreError> {
        for job in self.open_jobs()? {
            if job.kind != JobKind::Backup || job.state != JobState::Running {
                continue;
            }
            for backup in self.backups_in_the_making(job.id)? {
                // It is in the making and its job runs, so nothing refuses.
                let _ = self.backup_done(backup.id, made)?;
            }
            let _ = self.end_job(job.id, &JobEnd::Done)?;
        }
        Ok(())
    }

    /// Writes down that a backup lies at another target by now: its folder was moved, or
    /// is reached by another name.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup_moved(&mut self, id: BackupId, target: &str) -> Result<(), StoreError> {
        let Some(backup) = self.backup(id)? else { return Ok(()) };
        self.conn()
            .prepare_cached("UPDATE backup SET target = ?2, missing_at = NULL WHERE id = ?1")?
            .execute(params![text(id), target])?;
        self.append_event(
            told(
                EventType::BackupDone,
                "backup found at another target",
                id,
                backup.job,
                &backup.object,
            )
            .with(json!({ "target": target, "former_target": backup.target })),
        )?;
        Ok(())
    }

    /// Writes down whether the object of a backup is missing from its target.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn backup_missing(&mut self, id: BackupId, missing: bool) -> Result<(), StoreError> {
        let Some(backup) = self.backup(id)? else { return Ok(()) };
        if backup.missing_at.is_some() == missing {
            return Ok(());
        }
        self.conn()
            .prepare_cached("UPDATE backup SET missing_at = ?2 WHERE id = ?1")?
            .execute(params![text(id), missing.then(|| self.now().to_string())])?;
        let (kind, message) = if missing {
            (EventType::BackupFailed, "backup missing from its target")
        } else {
            (EventType::BackupDone, "backup back at its target")
        };
        self.append_event(
            told(kind, message, id, backup.job, &backup.object)
                .with(json!({ "target": backup.target })),
        )?;
        Ok(())
    }

    /// Gives a backup up. The row says so before the object goes, so that a
    /// process that dies in between leaves an object that is known to be nobody's.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn delete_backup(
        &mut self,
        id: BackupId,
        reason: &str,
    ) -> Result<Result<Backup, BackupRefusal>, StoreError> {
        let Some(backup) = self.backup(id)? else { return Ok(Err(BackupRefusal::NotFound)) };
        if backup.deleted_at.is_some() {
            return Ok(Ok(backup));
        }
        if backup.state == BackupState::Creating {
            return Ok(Err(BackupRefusal::BeingMade));
        }
        self.conn()
            .prepare_cached("UPDATE backup SET deleted_at = ?2 WHERE id = ?1")?
            .execute(params![text(id), self.now().to_string()])?;
        self.append_event(
            told(EventType::BackupDeleted, "backup deleted", id, backup.job, &backup.object)
                .with(json!({ "target": backup.target, "reason": reason })),
        )?;
        Ok(Ok(backup))
    }
}

fn told(
    kind: EventType,
    message: &str,
    id: BackupId,
    job: Option<JobId>,
    object: &str,
) -> NewEvent {
    let event = NewEvent::new(kind, message).about(EntityKind::Backup, id).named(object);
    match job {
        Some(job) => event.in_job(job),
        None => event,
    }
}

fn read_history(row: &Columns<'_, '_>) -> Result<BackupHistory, StoreError> {
    Ok(BackupHistory {
        last_done: row.maybe("last_done")?,
        failures: u32::try_from(row.unsigned("failures")?).unwrap_or(u32::MAX),
        last_failure: row.maybe("last_failure")?,
        first_entry: row.maybe("first_entry")?,
    })
}

fn read_backup(row: &Columns<'_, '_>) -> Result<Backup, StoreError> {
    Ok(Backup {
        id: row.parsed("id")?,
        job: row.maybe("job_id")?,
        state: row.parsed("state")?,
        target: row.plain("target")?,
        object: row.plain("object")?,
        size_bytes: row.maybe_unsigned("size_bytes")?,
        sha256: row.plain("sha256")?,
        schema_version: row.maybe_unsigned("schema_version")?,
        row_counts: row.json("row_counts")?,
        error: row.plain("error")?,
        created_at: row.parsed("created_at")?,
        finished_at: row.maybe("finished_at")?,
        verified_at: row.maybe("verified_at")?,
        missing_at: row.maybe("missing_at")?,
        deleted_at: row.maybe("deleted_at")?,
    })
}
