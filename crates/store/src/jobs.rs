//! Jobs: long work that a person or the schedule started.
//!
//! The guards of their moves are here: one open job of a kind, and each move with
//! its entry in the journal.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{Actor, EntityKind, JobId, JobKind, JobState, Timestamp};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, signed, text};
use crate::{ReadTx, StoreError, WriteTx};

/// One job.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    pub state: JobState,
    pub stage: Option<String>,
    pub progress_done: Option<u64>,
    pub progress_total: Option<u64>,
    pub error_code: Option<String>,
    pub error: Option<String>,
    pub actor: Actor,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It did what it was for.
    Done,
    /// It did not: a constant word, and what to tell a person.
    Failed {
        /// The word.
        code: &'static str,
        /// In words.
        detail: String,
    },
}

/// A move that a job may not make. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobRefusal {
    /// There is no such job.
    #[error("there is no such job")]
    NotFound,
    /// It is past that, or not there yet.
    #[error("the job is {from} and cannot become {to}")]
    Illegal {
        /// What it is.
        from: JobState,
        /// What it should become.
        to: JobState,
    },
}

impl ReadTx<'_> {
    /// One job.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM job WHERE id = ?1")?;
        Ok(collect("job", statement.query([text(id)])?, read_job)?.pop())
    }

    /// At most `limit` jobs, newest first, only those before `before`.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn jobs(&self, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM job WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2",
        )?;
        collect("job", statement.query(params![before.map(text), limit])?, read_job)
    }

    /// The jobs that are still to be done, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn open_jobs(&self) -> Result<Vec<Job>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM job WHERE state IN ('queued', 'running') ORDER BY id")?;
        collect("job", statement.query([])?, read_job)
    }

    fn job_that_may(
        &self,
        id: JobId,
        next: JobState,
    ) -> Result<Result<Job, JobRefusal>, StoreError> {
        Ok(match self.job(id)? {
            None => Err(JobRefusal::NotFound),
            Some(job) if job.state.may_become(next) => Ok(job),
            Some(job) => Err(JobRefusal::Illegal { from: job.state, to: next }),
        })
    }
}

impl WriteTx<'_> {
    /// Makes a job, or finds the open one of that kind: whoever asks for work that
    /// is already on its way gets that. Tells whether it was made.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn create_job(&mut self, kind: JobKind) -> Result<(JobId, bool), StoreError> {
        if let Some(open) = self.open_jobs()?.into_iter().find(|job| job.kind == kind) {
            return Ok((open.id, false));
        }
        let id: JobId = self.new_id();
        self.conn()
            .prepare_cached(
                "INSERT INTO job (id, kind, state, actor, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                text(id),
                kind.as_str(),
                JobState::Queued.as_str(),
                self.actor().to_string(),
                self.now().to_string(),
            ])?;
        self.append_event(
            told(EventType::JobCreated, "job created", id).with(json!({ "kind": kind.as_str() })),
        )?;
        Ok((id, true))
    }

    /// Takes a job up.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn start_job(&mut self, id: JobId) -> Result<Result<(), JobRefusal>, StoreError> {
        let job = match self.job_that_may(id, JobState::Running)? {
            Ok(job) => job,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.conn()
            .prepare_cached("UPDATE job SET state = ?2, started_at = ?3 WHERE id = ?1")?
            .execute(params![text(id), JobState::Running.as_str(), self.now().to_string()])?;
        self.append_event(
            told(EventType::JobStarted, "job started", id)
                .with(json!({ "kind": job.kind.as_str() })),
        )?;
        Ok(Ok(()))
    }

    /// Writes down how far a running job is. That is no story: the journal has
    /// nothing of it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn job_progress(
        &mut self,
        id: JobId,
        stage: &str,
        done: u64,
        total: u64,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE job SET stage = ?2, progress_done = ?3, progress_total = ?4
                 WHERE id = ?1 AND state = 'running'",
            )?
            .execute(params![text(id), stage, signed(done), signed(total)])?;
        Ok(())
    }

    /// Ends a job.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn end_job(
        &mut self,
        id: JobId,
        end: &JobEnd,
    ) -> Result<Result<(), JobRefusal>, StoreError> {
        let (next, event, message, code, detail) = match end {
            JobEnd::Done => (JobState::Done, EventType::JobDone, "job done", None, None),
            JobEnd::Failed { code, detail } => {
                let detail = Some(detail.as_str());
                (JobState::Failed, EventType::JobFailed, "job failed", Some(*code), detail)
            }
        };
        let job = match self.job_that_may(id, next)? {
            Ok(job) => job,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.conn()
            .prepare_cached(
                "UPDATE job SET state = ?2, error_code = ?3, error = ?4, finished_at = ?5
                 WHERE id = ?1",
            )?
            .execute(params![text(id), next.as_str(), code, detail, self.now().to_string()])?;
        self.append_event(told(event, message, id).with(json!({
            "kind": job.kind.as_str(),
            "code": code,
            "detail": detail,
        })))?;
        Ok(Ok(()))
    }
}

fn told(kind: EventType, message: &str, id: JobId) -> NewEvent {
    NewEvent::new(kind, message).about(EntityKind::Job, id).in_job(id)
}

fn read_job(row: &Columns<'_, '_>) -> Result<Job, StoreError> {
    Ok(Job {
        id: row.parsed("id")?,
        kind: row.parsed("kind")?,
        state: row.parsed("state")?,
        stage: row.plain("stage")?,
        progress_done: row.maybe_unsigned("progress_done")?,
        progress_total: row.maybe_unsigned("progress_total")?,
        error_code: row.plain("error_code")?,
        error: row.plain("error")?,
        actor: row.parsed("actor")?,
        created_at: row.parsed("created_at")?,
        started_at: row.maybe("started_at")?,
        finished_at: row.maybe("finished_at")?,
    })
}
