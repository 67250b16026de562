//! The schedule: which jobs are due. It counts from rows alone, so that a restart
//! neither skips one nor makes one twice.

use std::time::Duration;

use tracing::warn;
use tracker_domain::{Actor, JobKind, Timestamp};
use tracker_store::{ReadTx, StoreError};

use crate::Pipeline;
use crate::retention::cutoff;
use crate::stage::{Pace, Stage};

/// How often it looks, in seconds.
const EVERY: i64 = 30;

/// Old entries of the journal are taken away this often, in seconds.
const RETENTION_EVERY: i64 = 86_400;

/// The newest backup is tried out this often, in seconds.
const DRILL_EVERY: i64 = 7 * 86_400;

/// The stage.
pub(crate) struct ScheduleStage {
    pipeline: Pipeline,
    started: Timestamp,
    pace: Pace,
}

impl ScheduleStage {
    pub(crate) fn new(pipeline: Pipeline) -> Self {
        let started = pipeline.db.clock().now();
        ScheduleStage { pipeline, started, pace: Pace::every(EVERY) }
    }
}

/// What has to be known to say what is due.
struct Question {
    started: Timestamp,
    now: Timestamp,
    /// The place of the backups, and how often one is made.
    backups: Option<(String, Option<Duration>)>,
    retention_days: u32,
}

impl Question {
    fn due(&self, tx: &ReadTx<'_>) -> Result<Vec<JobKind>, StoreError> {
        let mut due = Vec::new();
        if let Some((place, every)) = &self.backups {
            let history = tx.backup_history()?;
            if every.is_some_and(|every| history.is_due(every, self.started, self.now)) {
                due.push(JobKind::Backup);
            }
            let newest = tx.newest_good_backup(place)?;
            if newest.is_some_and(|newest| newest.verified_at.is_none())
                && self.passed(tx, JobKind::BackupVerify, DRILL_EVERY)?
            {
                due.push(JobKind::BackupVerify);
            }
        }
        if self.retention_days > 0 && self.passed(tx, JobKind::Retention, RETENTION_EVERY)? {
            let cutoff = cutoff(self.now, self.retention_days);
            if tx.oldest_entry()?.is_some_and(|oldest| oldest < cutoff) {
                due.push(JobKind::Retention);
            }
        }
        Ok(due)
    }

    /// Whether the newest job of a kind is that long ago, or there is none. A time that
    /// is yet to come was written by a wrong clock.
    fn passed(&self, tx: &ReadTx<'_>, kind: JobKind, seconds: i64) -> Result<bool, StoreError> {
        let newest = tx.newest_job(kind)?;
        let since = newest.map(|job| self.now.seconds_since(job.created_at));
        Ok(since.is_none_or(|since| !(0..seconds).contains(&since)))
    }
}

impl Stage for ScheduleStage {
    const NAME: &'static str = "schedule";

    async fn pass(&self) -> Result<(), StoreError> {
        let (db, policy) = (&self.pipeline.db, &self.pipeline.policy);
        let now = db.clock().now();
        if !self.pace.is_due(now) {
            return Ok(());
        }
        let question = Question {
            started: self.started,
            now,
            backups: policy.backups.as_ref().map(|plan| (plan.backups.place(), plan.every)),
            retention_days: policy.retention_days,
        };
        // Read without the write door: almost always nothing is due.
        for kind in db.read(move |tx| question.due(tx)).await? {
            match &policy.backups {
                Some(plan) if kind == JobKind::BackupVerify => {
                    if let Err(error) = plan.backups.ask_verify(None, &Actor::Worker).await {
                        warn!(%error, "the drill of a backup could not be asked for");
                    }
                }
                _ => drop(db.write(&Actor::Worker, move |tx| tx.create_job(kind, None)).await?),
            }
        }
        Ok(())
    }
}
