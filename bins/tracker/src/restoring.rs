//! A backup takes the place of the database, with every other process kept out.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tracker_backup::{BackupError, RestoreSource};
use tracker_cli::{ApiFailure, PreparedRestore, RestoreFrom, RestoreReport, RestoredTable};
use tracker_domain::Actor;
use tracker_store::{PreparedRestore as Prepared, RestorePlan};
use tracker_system::{ExclusiveLock, SystemClock, WorkerLock, login_name};

use crate::backup_target::backup_target;
use crate::config::Config;
use crate::place;

/// A backup that is ready, and the locks that keep others out until it is swapped.
pub(crate) struct Restoring {
    prepared: Prepared,
    report: RestoreReport,
    database: PathBuf,
    _workers: WorkerLock,
    _lock: ExclusiveLock,
}

impl Restoring {
    pub(crate) async fn prepare(config: &Config, from: RestoreFrom) -> Result<Self, ApiFailure> {
        let data_dir = &config.general.data_dir;
        place::ready(data_dir)?;
        let workers = WorkerLock::acquire(data_dir).map_err(place::locked)?;
        let lock = ExclusiveLock::acquire(data_dir, place::PATIENCE).map_err(place::locked)?;
        let database = place::database(data_dir);
        let (source, text) = match from {
            RestoreFrom::File(file) => {
                let text = file.display().to_string();
                if same_file(&file, &database) {
                    return Err(ApiFailure::usage(format!("{text} is the database itself")));
                }
                (RestoreSource::File(file), text)
            }
            RestoreFrom::Backup(id) => (RestoreSource::Backup(id), format!("the backup {id}")),
        };
        let target = backup_target(config)?;
        let prepared = tracker_backup::prepare(&database, Some(&target), &source).await;
        let prepared = prepared.map_err(refused)?;
        let report = report(text, &prepared.plan);
        Ok(Restoring { prepared, report, database, _workers: workers, _lock: lock })
    }
}

fn same_file(a: &std::path::Path, b: &std::path::Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn refused(error: BackupError) -> ApiFailure {
    match error {
        BackupError::Copy(error) => place::migration(error),
        BackupError::NotAtTarget(_) => ApiFailure::not_found(error.to_string()),
        BackupError::Target(_) => ApiFailure::unreachable(error.to_string()),
        other => ApiFailure::failed(other.to_string()),
    }
}

fn report(source: String, plan: &RestorePlan) -> RestoreReport {
    RestoreReport {
        source,
        schema_version: plan.schema_version,
        newest_entry: plan.newest_entry.map(|at| at.to_string()),
        tables: plan
            .tables
            .iter()
            .map(|change| RestoredTable {
                table: change.table.clone(),
                now: change.now,
                then: change.then,
            })
            .collect(),
        lost_downloads: plan.lost_count,
        lost: plan.lost.clone(),
        unreadable: plan.unreadable.clone(),
        former_database: None,
    }
}

#[async_trait]
impl PreparedRestore for Restoring {
    fn report(&self) -> &RestoreReport {
        &self.report
    }

    async fn carry_out(self: Box<Self>) -> Result<RestoreReport, ApiFailure> {
        let Restoring { prepared, report, database, _workers, _lock } = *self;
        let (source, actor) = (report.source.clone(), Actor::Cli(login_name()));
        let done = tokio::task::spawn_blocking(move || {
            prepared.swap(&database, &source, Arc::new(SystemClock), &actor)
        });
        let restored = done
            .await
            .map_err(|error| ApiFailure::failed(error.to_string()))?
            .map_err(place::migration)?;
        Ok(RestoreReport { former_database: restored.aside, ..report })
    }
}
