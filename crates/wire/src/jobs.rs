//! Jobs and backups.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tracker_app::{BackupView, JobView, Reconciled};
use tracker_domain::BackupId;
use utoipa::ToSchema;

use crate::download::ErrorDto;
use crate::words;

/// Long work that a person or the schedule started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// What it does: `backup`, `backup-verify` or `retention`.
    pub kind: String,
    /// What it is about, where that is one thing: of `backup-verify` the backup.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub subject_id: Option<String>,
    /// `queued`, `running`, `done` or `failed`.
    pub state: String,
    /// The step that it is at.
    #[schema(required)]
    pub stage: Option<String>,
    /// How much of it is done, in steps or rows.
    #[schema(required)]
    pub progress_done: Option<u64>,
    /// How much there is.
    #[schema(required)]
    pub progress_total: Option<u64>,
    /// Whether its end was asked for and has not come yet.
    pub cancelling: bool,
    /// Why it failed.
    #[schema(required)]
    pub error: Option<ErrorDto>,
    /// Who asked for it; see the actor of an event.
    pub actor: String,
    /// When it was asked for.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When it began.
    #[schema(required, value_type = Option<words::Moment>)]
    pub started_at: Option<String>,
    /// When it ended.
    #[schema(required, value_type = Option<words::Moment>)]
    pub finished_at: Option<String>,
}

/// A copy of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BackupDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The job that made it; null for one that was found at its target.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub job_id: Option<String>,
    /// `creating`, `done` or `failed`; `missing` where its object is gone, and `deleted`.
    pub state: String,
    /// Where it lies, such as `file:///backups` or `s3://bucket/tracker`.
    pub target: String,
    /// The name of its object there.
    pub object: String,
    /// Bytes of the object.
    #[schema(required)]
    pub size_bytes: Option<u64>,
    /// SHA-256 of the object, in hex.
    #[schema(required)]
    pub sha256: Option<String>,
    /// The version of the schema in it.
    #[schema(required)]
    pub schema_version: Option<u64>,
    /// Rows of each table; empty where nobody looked into it.
    pub row_counts: BTreeMap<String, i64>,
    /// Why it was not made.
    #[schema(required)]
    pub error: Option<String>,
    /// When it was begun.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When it lay at its target, or had failed.
    #[schema(required, value_type = Option<words::Moment>)]
    pub finished_at: Option<String>,
    /// When it last was fetched and checked as for a restore.
    #[schema(required, value_type = Option<words::Moment>)]
    pub verified_at: Option<String>,
    /// When it was deleted.
    #[schema(required, value_type = Option<words::Moment>)]
    pub deleted_at: Option<String>,
}

/// What a comparison of the target with the rows came to: the ids of backups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReconciledDto {
    /// They got a row, or their row did not know that they were put.
    pub adopted: Vec<String>,
    /// Their object is gone.
    pub missing: Vec<String>,
    /// Their object is there again.
    pub back: Vec<String>,
    /// A process was making them when it ended.
    pub failed: Vec<String>,
    /// They were deleted before, and their object went now.
    pub removed: Vec<String>,
    /// Names of objects that claim an id that cannot be theirs; left alone.
    pub refused: Vec<String>,
}

impl JobDto {
    /// Whether it is still to be done.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.state.as_str(), "queued" | "running")
    }
}

impl From<JobView> for JobDto {
    fn from(view: JobView) -> Self {
        JobDto {
            id: view.id.to_string(),
            kind: view.kind.as_str().to_owned(),
            subject_id: view.subject.map(|id| id.to_string()),
            state: view.state.as_str().to_owned(),
            stage: view.stage,
            progress_done: view.progress_done,
            progress_total: view.progress_total,
            cancelling: view.is_cancelling,
            error: view.error.map(Into::into),
            actor: view.actor,
            created_at: view.created_at.to_string(),
            started_at: view.started_at.map(|at| at.to_string()),
            finished_at: view.finished_at.map(|at| at.to_string()),
        }
    }
}

impl From<BackupView> for BackupDto {
    fn from(view: BackupView) -> Self {
        BackupDto {
            id: view.id.to_string(),
            job_id: view.job_id.map(|id| id.to_string()),
            state: view.state.to_owned(),
            target: view.target,
            object: view.object,
            size_bytes: view.size_bytes,
            sha256: view.sha256,
            schema_version: view.schema_version,
            row_counts: view.row_counts,
            error: view.error,
            created_at: view.created_at.to_string(),
            finished_at: view.finished_at.map(|at| at.to_string()),
            verified_at: view.verified_at.map(|at| at.to_string()),
            deleted_at: view.deleted_at.map(|at| at.to_string()),
        }
    }
}

impl From<Reconciled> for ReconciledDto {
    fn from(view: Reconciled) -> Self {
        let Reconciled { adopted, missing, back, failed, removed, refused } = view;
        ReconciledDto {
            adopted: texts(adopted),
            missing: texts(missing),
            back: texts(back),
            failed: texts(failed),
            removed: texts(removed),
            refused,
        }
    }
}

fn texts(ids: Vec<BackupId>) -> Vec<String> {
    ids.into_iter().map(|id| id.to_string()).collect()
}
