//! Jobs: long work that a person or the schedule started.
//!
//! The guards of their moves are here: one open job of a kind, and each move with
//! its entry in the journal.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{Actor, EntityKind, JobId, JobKind, JobState, Timestamp};
use tracker_ident::AnyId;

use crate::journal::NewEvent;
use crate::row::{Columns, collect, signed, text};
use crate::{ReadTx, StoreError, WriteTx};

/// One job.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    pub subject: Option<AnyId>,
    pub state: JobState,
    pub stage: Option<String>,
    pub progress_done: Option<u64>,
    pub progress_total: Option<u64>,
    pub error_code: Option<String>,
    pub error: Option<String>,
    pub actor: Actor,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub cancel_asked_at: Option<Timestamp>,
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

/// The code of a job whose process ended before it did.
pub const INTERRUPTED: &str = "interrupted";

/// The code of a job that a person ended.
pub const CANCELLED: &str = "cancelled";

impl JobEnd {
    /// The process that ran it has ended.
    #[must_use]
    pub fn interrupted() -> Self {
        let detail = "the process that ran it ended before it did".to_owned();
        JobEnd::Failed { code: INTERRUPTED, detail }
    }

    /// A person ended it.
    #[must_use]
    pub fn cancelled() -> Self {
        JobEnd::Failed { code: CANCELLED, detail: "it was cancelled".to_owned() }
    }
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

    /// The newest job of a kind.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn newest_job(&self, kind: JobKind) -> Result<Option<Job>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM job WHERE kind = ?1 ORDER BY id DESC LIMIT 1")?;
        Ok(collect("job", statement.query([kind.as_str()])?, read_job)?.pop())
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
    /// is already on its way gets that. Tells whether it was made. `subject` is what
    /// it is about, where that is one thing.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn create_job(
        &mut self,
        kind: JobKind,
        subject: Option<AnyId>,
    ) -> Result<(JobId, bool), StoreError> {
        if let Some(open) = self.open_jobs()?.into_iter().find(|job| job.kind == kind) {
            return Ok((open.id, false));
        }
        let id: JobId = self.new_id();
        self.conn()
            .prepare_cached(
                "INSERT INTO job (id, kind, subject_id, state, actor, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                text(id),
                kind.as_str(),
                subject.map(|id| id.to_string()),
                JobState::Queued.as_str(),
                self.actor().to_string(),
                self.now().to_string(),
            ])?;
        self.append_event(told(EventType::JobCreated, "job created", id).with(json!({
            "kind": kind.as_str(),
            "subject_id": subject.map(|id| id.to_string()),
        })))?;
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

    /// Asks for the end of a job. One that waits ends here; one that runs is ended by
    /// whoever runs it. Asking again changes nothing.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn cancel_job(&mut self, id: JobId) -> Result<Result<(), JobRefusal>, StoreError> {
        let job = match self.job_that_may(id, JobState::Failed)? {
            Ok(job) => job,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if job.cancel_asked_at.is_none() {
            self.conn()
                .prepare_cached("UPDATE job SET cancel_asked_at = ?2 WHERE id = ?1")?
                .execute(params![text(id), self.now().to_string()])?;
            self.append_event(
                told(EventType::JobCancelAsked, "end of the job asked for", id)
                    .with(json!({ "kind": job.kind.as_str() })),
            )?;
        }
        if job.state == JobState::Queued {
            return self.end_job(id, &JobEnd::cancelled());
        }
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

impl WriteTx<'_> {
    /// Ends what ran in a process that is gone; what only waited goes on waiting. The
    /// caller is the only process that runs jobs, and runs none yet. What they were
    /// making is settled by a look at where it was put.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn interrupt_jobs(&mut self) -> Result<Vec<JobId>, StoreError> {
        let mut ended = Vec::new();
        for job in self.open_jobs()? {
            if job.state == JobState::Running
                && self.end_job(job.id, &JobEnd::interrupted())?.is_ok()
            {
                ended.push(job.id);
            }
        }
        Ok(ended)
    }

    /// Ends a job that did not do what it was for, and each backup that it was making.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn abandon_job(
        &mut self,
        id: JobId,
        end: &JobEnd,
    ) -> Result<Result<(), JobRefusal>, StoreError> {
        if let JobEnd::Failed { detail, .. } = end {
            for backup in self.backups_in_the_making(id)? {
                // It is in the making, so nothing refuses.
                let _ = self.backup_failed(backup.id, detail)?;
            }
        }
        self.end_job(id, end)
    }
}

fn told(kind: EventType, message: &str, id: JobId) -> NewEvent {
    NewEvent::new(kind, message).about(EntityKind::Job, id).in_job(id)
}

pub(crate) fn read_job(row: &Columns<'_, '_>) -> Result<Job, StoreError> {
    Ok(Job {
        id: row.parsed("id")?,
        kind: row.parsed("kind")?,
        subject: row.maybe("subject_id")?,
        state: row.parsed("state")?,
        stage: row.plain("stage")?,
        progress_done: row.maybe_unsigned("progress_done")?,
        progress_total: row.maybe_unsigned("progress_total")?,
        error_code: row.plain("error_code")?,
        error: row.plain("error")?,
        actor: row.parsed("actor")?,
        created_at: row.parsed("created_at")?,
        started_at: row.maybe("started_at")?,
        cancel_asked_at: row.maybe("cancel_asked_at")?,
        finished_at: row.maybe("finished_at")?,
    })
}
