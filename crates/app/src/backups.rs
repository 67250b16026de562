//! Backups of the database: what there is, and asking for one more.

use std::collections::BTreeMap;

use tracker_backup::{BackupError, Backups as Work, Reconciled};
use tracker_domain::ports::BackupTargetError;
use tracker_domain::{Actor, BackupId, EntityKind, JobId, JobKind, Timestamp};
use tracker_ident::AnyId;
use tracker_store::{Backup, BackupRefusal, Db};

use crate::convert::absent;
use crate::error::AppError;
use crate::intake::{checked_limit, page_of};
use crate::jobs::{JobView, job_of};
use crate::requests::PageQuery;
use crate::views::Page;

/// One backup.
#[derive(Clone, Debug, PartialEq)]
pub struct BackupView {
    /// Its id.
    pub id: BackupId,
    /// The job that made it; `None` for one that was found at its target.
    pub job_id: Option<JobId>,
    /// `creating`, `done` or `failed`; `missing` and `deleted` where its object is gone.
    pub state: &'static str,
    /// Where it lies.
    pub target: String,
    /// The name of its object there.
    pub object: String,
    /// Bytes of the object.
    pub size_bytes: Option<u64>,
    /// Of the object, in hex.
    pub sha256: Option<String>,
    /// The version of the schema in it.
    pub schema_version: Option<u64>,
    /// Rows of each table; empty where nobody looked into it.
    pub row_counts: BTreeMap<String, i64>,
    /// Why it was not made.
    pub error: Option<String>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When it lay at its target, or had failed.
    pub finished_at: Option<Timestamp>,
    /// When it last stood the drill.
    pub verified_at: Option<Timestamp>,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

/// The service for backups.
#[derive(Clone)]
pub struct Backups {
    db: Db,
    work: Option<Work>,
}

impl Backups {
    pub(crate) fn new(db: Db, work: Option<Work>) -> Self {
        Backups { db, work }
    }

    fn work(&self) -> Result<&Work, AppError> {
        let none = || AppError::BackupTarget { detail: "no place for backups is set".to_owned() };
        self.work.as_ref().ok_or_else(none)
    }

    /// One page of them, newest first.
    ///
    /// # Errors
    /// When the limit is out of range.
    pub async fn list(&self, query: PageQuery) -> Result<Page<BackupView>, AppError> {
        let limit = checked_limit(query.limit)?;
        let before = query.before.map(AnyId::typed);
        let rows = self.db.read(move |tx| tx.backups(before, limit + 1)).await?;
        Ok(page_of(rows, limit, |row| row.id.any(), backup_view))
    }

    /// One backup.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn show(&self, id: BackupId) -> Result<BackupView, AppError> {
        self.db
            .read(move |tx| match tx.backup(id)? {
                Some(row) => Ok(backup_view(row)),
                None => Err(absent(tx, EntityKind::Backup, id)?),
            })
            .await
    }

    /// Asks for a backup: its job, and whether it is a new one.
    ///
    /// # Errors
    /// When there is no place for it.
    pub async fn make(&self, actor: &Actor) -> Result<(JobView, bool), AppError> {
        let (id, created) = self.work()?.ask(actor).await.map_err(refusal)?;
        Ok((self.job(id).await?, created))
    }

    /// Asks for the drill of a backup, without an id of the newest good one.
    ///
    /// # Errors
    /// When there is no such backup, or another one is being tried out.
    pub async fn verify(
        &self,
        id: Option<BackupId>,
        actor: &Actor,
    ) -> Result<(JobView, bool), AppError> {
        if let Some(id) = id {
            let view = self.show(id).await?;
            if view.state != "done" && view.state != "missing" {
                return Err(AppError::Refused {
                    detail: format!("the backup is {}, so there is nothing to try out", view.state),
                });
            }
            self.is_here(&view)?;
        }
        let (job, created) = self.work()?.ask_verify(id, actor).await.map_err(refusal)?;
        let job = self.job(job).await?;
        if id.is_some_and(|id| job.subject != Some(id.any())) {
            return Err(AppError::Refused {
                detail: format!("the job {} tries out another backup; wait for it", job.id),
            });
        }
        Ok((job, created))
    }

    /// For a process that works alone and has no runner: what ran in one that is gone
    /// has failed.
    ///
    /// # Errors
    /// When there is no place for backups.
    pub async fn recover(&self) -> Result<(), AppError> {
        self.work()?.recover().await.map(drop).map_err(refusal)
    }

    /// Does an open job here and now. For a process that no runner works in.
    ///
    /// # Errors
    /// When there is no place for backups. What the job came to is in the answer.
    pub async fn carry_out(&self, job: JobId, actor: &Actor) -> Result<JobView, AppError> {
        let work = self.work()?;
        // Why it failed stands in its row.
        let _ = match self.job(job).await?.kind {
            JobKind::BackupVerify => work.run_verify(job, actor).await.map(drop),
            _ => work.run(job, actor).await.map(drop),
        };
        self.job(job).await
    }

    /// Gives a backup up: its row stays and says so, its object goes.
    ///
    /// # Errors
    /// When there is none of this id, it is being made, or the target refuses.
    pub async fn delete(&self, id: BackupId, actor: &Actor) -> Result<BackupView, AppError> {
        let view = self.show(id).await?;
        self.is_here(&view)?;
        self.work()?.delete(id, "asked for", actor).await.map_err(refusal)?;
        self.show(id).await
    }

    /// Compares what lies at the target with the rows, and settles the rows.
    ///
    /// # Errors
    /// When the target cannot be listed; nothing is changed then.
    pub async fn reconcile(&self, actor: &Actor) -> Result<Reconciled, AppError> {
        self.work()?.reconcile(actor).await.map_err(refusal)
    }

    /// Refuses one that lies at a target of before.
    fn is_here(&self, view: &BackupView) -> Result<(), AppError> {
        let place = self.work()?.place();
        if view.target == place {
            return Ok(());
        }
        Err(AppError::Refused {
            detail: format!(
                "the backup lies at {}, and [backup] target is {place}; set that back, or \
                 restore the backup by its file",
                view.target
            ),
        })
    }

    async fn job(&self, id: JobId) -> Result<JobView, AppError> {
        self.db.read(move |tx| job_of(tx, id)).await
    }
}

fn refusal(error: BackupError) -> AppError {
    match error {
        BackupError::Store(error) => error.into(),
        BackupError::Target(
            BackupTargetError::Denied(_)
            | BackupTargetError::Unreachable(_)
            | BackupTargetError::Full(_)
            | BackupTargetError::Failed(_),
        ) => AppError::BackupTarget { detail: error.to_string() },
        BackupError::Refused(BackupRefusal::BeingMade) => AppError::Refused {
            detail: "the backup is still being made; cancel its job instead".to_owned(),
        },
        BackupError::Target(BackupTargetError::Gone(_) | BackupTargetError::Exists(_))
        | BackupError::Refused(_)
        | BackupError::Job(_)
        | BackupError::NothingToVerify
        | BackupError::NotAtTarget(_)
        | BackupError::Damaged(_) => AppError::Refused { detail: error.to_string() },
        BackupError::Copy(_) | BackupError::Io { .. } | BackupError::ShuttingDown => {
            AppError::Internal(Box::new(error))
        }
    }
}

fn backup_view(row: Backup) -> BackupView {
    BackupView {
        state: if row.deleted_at.is_some() {
            "deleted"
        } else if row.missing_at.is_some() {
            "missing"
        } else {
            row.state.as_str()
        },
        id: row.id,
        job_id: row.job,
        target: row.target,
        object: row.object,
        size_bytes: row.size_bytes,
        sha256: row.sha256,
        schema_version: row.schema_version,
        row_counts: row.row_counts,
        error: row.error,
        created_at: row.created_at,
        finished_at: row.finished_at,
        verified_at: row.verified_at,
        deleted_at: row.deleted_at,
    }
}
