//! Jobs: long work that a person or the schedule started.

use tracker_domain::{Actor, EntityKind, JobId, JobKind, JobState, Timestamp};
use tracker_ident::AnyId;
use tracker_store::{Db, Job, JobRefusal, ReadTx};

use crate::convert::absent;
use crate::error::AppError;
use crate::intake::{checked_limit, page_of};
use crate::requests::PageQuery;
use crate::views::{FailureView, Page};

/// One job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobView {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// What it is about, where that is one thing.
    pub subject: Option<AnyId>,
    /// How far it is.
    pub state: JobState,
    /// The step that it is at, as a word.
    pub stage: Option<String>,
    /// How much of it is done.
    pub progress_done: Option<u64>,
    /// How much there is; as much as is done where that is not known.
    pub progress_total: Option<u64>,
    /// Whether its end was asked for.
    pub is_cancelling: bool,
    /// Why it failed.
    pub error: Option<FailureView>,
    /// Who asked for it.
    pub actor: String,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// The service for jobs.
#[derive(Clone)]
pub struct Jobs {
    db: Db,
}

impl Jobs {
    pub(crate) fn new(db: Db) -> Self {
        Jobs { db }
    }

    /// One page of them, newest first.
    ///
    /// # Errors
    /// When the limit is out of range.
    pub async fn list(&self, query: PageQuery) -> Result<Page<JobView>, AppError> {
        let limit = checked_limit(query.limit)?;
        let before = query.before.map(AnyId::typed);
        let rows = self.db.read(move |tx| tx.jobs(before, limit + 1)).await?;
        Ok(page_of(rows, limit, |row| row.id.any(), job_view))
    }

    /// One job.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn show(&self, id: JobId) -> Result<JobView, AppError> {
        self.db.read(move |tx| job_of(tx, id)).await
    }

    /// Asks for the end of a job.
    ///
    /// # Errors
    /// When there is none of this id, or it has ended.
    pub async fn cancel(&self, id: JobId, actor: &Actor) -> Result<JobView, AppError> {
        self.db
            .write(actor, move |tx| match tx.cancel_job(id)? {
                Ok(()) | Err(JobRefusal::NotFound) => job_of(tx, id),
                Err(JobRefusal::Illegal { from, .. }) => Err(AppError::Refused {
                    detail: format!("the job is {from} already and cannot be cancelled"),
                }),
            })
            .await
    }
}

/// The job, or why there is none of this id.
pub(crate) fn job_of(tx: &ReadTx<'_>, id: JobId) -> Result<JobView, AppError> {
    match tx.job(id)? {
        Some(row) => Ok(job_view(row)),
        None => Err(absent(tx, EntityKind::Job, id)?),
    }
}

fn job_view(row: Job) -> JobView {
    JobView {
        id: row.id,
        kind: row.kind,
        subject: row.subject,
        state: row.state,
        stage: row.stage,
        progress_done: row.progress_done,
        progress_total: row.progress_total,
        is_cancelling: row.state.is_open() && row.cancel_asked_at.is_some(),
        error: row
            .error_code
            .map(|code| FailureView { code, detail: row.error.unwrap_or_default() }),
        actor: row.actor.to_string(),
        created_at: row.created_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
    }
}
