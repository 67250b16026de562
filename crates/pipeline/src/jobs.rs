//! Jobs: long work with a row of its own. A runner for each kind takes the one that
//! is open, and a few of them work at a time.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info_span, warn};
use tracker_backup::BackupError;
use tracker_domain::{Actor, JobId, JobKind, JobState};
use tracker_store::{Job, JobEnd, StoreError};

use crate::stage::{Ends, Stage, caught};
use crate::{Pipeline, retention};

/// How many jobs work at a time: each of them reads or writes a lot.
const AT_A_TIME: usize = 2;

/// The turns that all runners share.
pub(crate) fn turns() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(AT_A_TIME))
}

/// The runner of one kind.
pub(crate) struct JobStage {
    pub pipeline: Pipeline,
    pub kind: JobKind,
    pub turns: Arc<Semaphore>,
    pub stop: CancellationToken,
}

impl Stage for JobStage {
    const NAME: &'static str = "jobs";
    // It ends what it runs by itself, and writes that down.
    const ENDS: Ends = Ends::BetweenPasses;

    async fn pass(&self) -> Result<(), StoreError> {
        let kind = self.kind;
        let waiting = |job: &Job| job.kind == kind && job.state == JobState::Queued;
        let open = self.pipeline.db.read(|tx| tx.open_jobs()).await?;
        let Some(job) = open.into_iter().find(waiting) else { return Ok(()) };
        let turn = tokio::select! {
            () = self.stop.cancelled() => return Ok(()),
            turn = self.turns.acquire() => turn,
        };
        let span = info_span!("job", job_id = %job.id);
        let done = self.see_through(job).instrument(span).await;
        drop(turn);
        done
    }
}

impl JobStage {
    /// Runs a job until it has ended, a person ends it, or the program does.
    async fn see_through(&self, job: Job) -> Result<(), StoreError> {
        let (id, actor) = (job.id, job.actor.clone());
        let end = tokio::select! {
            end = broken_off(&self.pipeline, id, &self.stop) => end?,
            outcome = caught("job", work(&self.pipeline, &job)) => match outcome {
                Some(()) => return Ok(()),
                None => failed("panicked", "the program has a fault; its log has more"),
            },
        };
        warn!(end = ?end, "a job was broken off");
        let ended = self.pipeline.db.write(&actor, move |tx| tx.abandon_job(id, &end)).await?;
        // One that ended at the same moment stays as it ended.
        let _ = ended;
        Ok(())
    }
}

fn failed(code: &'static str, detail: &str) -> JobEnd {
    JobEnd::Failed { code, detail: detail.to_owned() }
}

/// Waits until a person or the program wants the end of a job.
async fn broken_off(
    pipeline: &Pipeline,
    id: JobId,
    stop: &CancellationToken,
) -> Result<JobEnd, StoreError> {
    let mut changes = pipeline.db.changes();
    loop {
        changes.borrow_and_update();
        let row = pipeline.db.read(move |tx| tx.job(id)).await?;
        if row.is_some_and(|job| job.cancel_asked_at.is_some()) {
            return Ok(JobEnd::cancelled());
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(JobEnd::interrupted()),
            _ = changes.changed() => {}
            () = sleep(pipeline.policy.look_every) => {}
        }
    }
}

/// The work of each kind. It ends its job by itself, however it goes.
async fn work(pipeline: &Pipeline, job: &Job) {
    let (id, actor) = (job.id, &job.actor);
    match (job.kind, &pipeline.policy.backups) {
        (JobKind::Backup, Some(plan)) => told(plan.backups.run(id, actor).await.map(drop)),
        (JobKind::BackupVerify, Some(plan)) => {
            told(plan.backups.run_verify(id, actor).await.map(drop));
        }
        (JobKind::Backup | JobKind::BackupVerify, None) => {
            told(refuse(pipeline, id, actor).await);
        }
        (JobKind::Retention, _) => told(retention::run(pipeline, id, actor).await),
    }
}

async fn refuse(pipeline: &Pipeline, id: JobId, actor: &Actor) -> Result<(), StoreError> {
    let end = failed("no-target", "no place for backups is configured");
    pipeline.db.write(actor, move |tx| tx.abandon_job(id, &end)).await.map(drop)
}

fn told<E: std::fmt::Display>(outcome: Result<(), E>) {
    if let Err(error) = outcome {
        warn!(%error, "a job failed");
    }
}

/// What ran in a process that is gone has failed; what only waited goes on waiting.
pub(crate) async fn recover(pipeline: &Pipeline) -> Result<(), StoreError> {
    let ended = match &pipeline.policy.backups {
        Some(plan) => plan.backups.recover().await,
        None => {
            let ended: Result<_, StoreError> =
                pipeline.db.write(&Actor::System, |tx| tx.interrupt_jobs()).await;
            ended.map_err(BackupError::from)
        }
    };
    match ended {
        Ok(_) => Ok(()),
        Err(BackupError::Store(error)) => Err(error),
        // Its files are looked at again at the next start.
        Err(error) => {
            warn!(%error, "what a former process left of its jobs could not be looked at");
            Ok(())
        }
    }
}
