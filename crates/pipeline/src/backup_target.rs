//! The place of the backups: what lies there against the rows, and whether there is a
//! new enough one.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing::{info, warn};
use tracker_backup::{BackupError, Reconciled};
use tracker_domain::health::{Check, Level};
use tracker_domain::{Actor, BackupHistory, JobKind, JobState, Timestamp};
use tracker_store::{Job, StoreError};

use crate::house::check;
use crate::stage::{Pace, Stage};
use crate::{BackupPlan, Pipeline};

/// The group of the checks.
const GROUP: &str = "backup";

/// How often it looks at the rows, in seconds.
const EVERY: i64 = 60;

/// How often the target is listed, in seconds: it may be far away.
const LISTED_EVERY: i64 = 3600;

/// When the target was listed, and why it could not be.
type Listed = Option<(Timestamp, Option<String>)>;

/// The stage.
pub(crate) struct BackupTargetStage {
    pipeline: Pipeline,
    plan: BackupPlan,
    pace: Pace,
    listed: Mutex<Listed>,
}

impl BackupTargetStage {
    pub(crate) fn new(pipeline: Pipeline, plan: BackupPlan) -> Self {
        BackupTargetStage { pipeline, plan, pace: Pace::every(EVERY), listed: Mutex::default() }
    }

    fn listed(&self) -> MutexGuard<'_, Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stage for BackupTargetStage {
    const NAME: &'static str = "backup-target";

    async fn pass(&self) -> Result<(), StoreError> {
        let now = self.pipeline.db.clock().now();
        if !self.pace.is_due(now) {
            return Ok(());
        }
        // One that could not be reached is asked again at the next look.
        let recent = self.listed().clone().filter(|(at, fault)| {
            fault.is_none() && (0..LISTED_EVERY).contains(&now.seconds_since(*at))
        });
        let fault = match recent {
            Some((_, fault)) => fault,
            None => {
                let fault = list(&self.plan).await?;
                *self.listed() = Some((now, fault.clone()));
                fault
            }
        };
        show(&self.pipeline, &self.plan, fault).await
    }
}

/// Looks at everything once.
pub(crate) async fn examine(pipeline: &Pipeline) -> Result<(), StoreError> {
    let Some(plan) = pipeline.policy.backups.clone() else { return Ok(()) };
    let fault = plan.backups.look().await.err().map(|error| error.to_string());
    show(pipeline, &plan, fault).await
}

/// Settles rows and objects; what the target has against it is the answer.
async fn list(plan: &BackupPlan) -> Result<Option<String>, StoreError> {
    match plan.backups.reconcile(&Actor::Reconciler).await {
        Ok(found) if found == Reconciled::default() => Ok(None),
        Ok(found) => {
            info!(
                adopted = found.adopted.len(),
                missing = found.missing.len(),
                back = found.back.len(),
                failed = found.failed.len(),
                removed = found.removed.len(),
                refused = found.refused.len(),
                "the backups at the target were compared with their rows"
            );
            Ok(None)
        }
        Err(BackupError::Store(error)) => Err(error),
        Err(error) => {
            warn!(%error, "the backup target could not be looked at");
            Ok(Some(error.to_string()))
        }
    }
}

async fn show(
    pipeline: &Pipeline,
    plan: &BackupPlan,
    fault: Option<String>,
) -> Result<(), StoreError> {
    let now = pipeline.db.clock().now();
    let (history, drill, failed) = pipeline
        .db
        .read(|tx| {
            let failed = tx.newest_job(JobKind::Backup)?;
            Ok::<_, StoreError>((tx.backup_history()?, tx.damaged_backup()?, failed))
        })
        .await?;
    // It may be read and not be written: the last attempt tells.
    let refused = failed
        .as_ref()
        .filter(|job| job.error_code.as_deref().is_some_and(|code| code.starts_with("target-")))
        .and_then(|job| job.error.clone());
    let mut checks = vec![target(&plan.backups.place(), fault.or(refused), now)];
    if let Some(every) = plan.every {
        checks.push(age(history, every, failed, now));
    }
    checks.extend(damaged(drill, now));
    pipeline.board.set_checks(GROUP, "", checks);
    Ok(())
}

fn target(place: &str, fault: Option<String>, now: Timestamp) -> Check {
    match fault {
        None => check("backup-target", Level::Ok, format!("{place} answers"), "", now),
        Some(fault) => {
            let remedy = "mount the disk of [backup] target, or correct its address and keys; \
                          nothing else waits for it";
            check("backup-target", Level::Warning, fault, remedy, now)
        }
    }
}

fn age(history: BackupHistory, every: Duration, newest: Option<Job>, now: Timestamp) -> Check {
    let newest_one = match history.last_done {
        Some(at) => format!("the newest backup is of {at}"),
        None => "there is no backup yet".to_owned(),
    };
    if !history.is_overdue(every, now) {
        return check("backup-overdue", Level::Ok, newest_one, "", now);
    }
    let reason = newest
        .filter(|job| job.state == JobState::Failed)
        .and_then(|job| job.error)
        .map_or_else(String::new, |why| format!("; the last attempt failed: {why}"));
    let remedy = "look at `tracker jobs` and `tracker backup list`, mend the cause, and run \
                  `tracker backup`";
    check("backup-overdue", Level::Warning, format!("{newest_one}{reason}"), remedy, now)
}

/// A backup that did not stand the drill.
fn damaged(drill: Option<Job>, now: Timestamp) -> Option<Check> {
    let drill = drill?;
    let which = drill.subject.map(|id| format!("the backup {id}: ")).unwrap_or_default();
    let detail = format!("{which}{}", drill.error.unwrap_or_default());
    let remedy = "make a new one with `tracker backup`, try it out with `tracker backup verify`, \
                  and look at the disk of the target";
    Some(check("backup-damaged", Level::Error, detail, remedy, now))
}
