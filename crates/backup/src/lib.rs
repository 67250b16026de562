//! Copies of the database: made while it is written to, verified, put to a target,
//! found there again, and tried out.
//!
//! It decides which object is a backup of ours and which may go; it reaches the
//! target through its port alone, and never touches the database file itself.

mod make;
mod pack;
mod reconcile;
mod restore;
mod verify;

use std::path::PathBuf;
use std::sync::Arc;

use tracker_domain::BackupId;
use tracker_domain::ports::{BackupTarget, BackupTargetError};
use tracker_store::migrate::MigrateError;
use tracker_store::{BackupRefusal, Db, JobEnd, JobRefusal, StoreError};

pub use pack::unpack;
pub use reconcile::Reconciled;
pub use restore::{RestoreSource, prepare};
pub use verify::Verified;

/// Everything about backups of one database at one target.
#[derive(Clone)]
pub struct Backups {
    db: Db,
    database: PathBuf,
    target: Arc<dyn BackupTarget>,
    keep: usize,
}

impl std::fmt::Debug for Backups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Backups")
            .field("target", &self.target)
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}

/// Why something about a backup did not work.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target did not do it.
    #[error(transparent)]
    Target(#[from] BackupTargetError),
    /// The copy could not be made, or is damaged.
    #[error(transparent)]
    Copy(#[from] MigrateError),
    /// The rows could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A scratch file could not be read or written.
    #[error("cannot {action} the copy: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Why not.
        source: std::io::Error,
    },
    /// What lies at the target is not what was put there.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// The job may not make that move.
    #[error(transparent)]
    Job(#[from] JobRefusal),
    /// The backup may not be changed so.
    #[error(transparent)]
    Refused(#[from] BackupRefusal),
    /// The target has no object of that backup.
    #[error("the backup {0} is not at the target; one that lies elsewhere is restored by its file")]
    NotAtTarget(BackupId),
    /// There is no backup that could be tried out.
    #[error("there is no backup that lies at its target; make one with `tracker backup`")]
    NothingToVerify,
    /// The runtime is going down.
    #[error("the program is shutting down")]
    ShuttingDown,
}

impl BackupError {
    /// A constant word for the row of a job.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            BackupError::Target(BackupTargetError::Denied(_)) => "target-denied",
            BackupError::Target(BackupTargetError::Unreachable(_)) => "target-unreachable",
            BackupError::Target(BackupTargetError::Full(_)) => "target-full",
            BackupError::Target(BackupTargetError::Gone(_)) => "target-gone",
            BackupError::Target(BackupTargetError::Exists(_)) => "target-exists",
            BackupError::Target(BackupTargetError::Failed(_)) => "target-failed",
            BackupError::Copy(_) | BackupError::Io { .. } => "copy-failed",
            BackupError::Damaged(_) => "damaged",
            BackupError::Store(_) => "database",
            BackupError::Job(_) | BackupError::Refused(_) => "refused",
            BackupError::NotAtTarget(_) | BackupError::NothingToVerify => "no-backup",
            BackupError::ShuttingDown => "interrupted",
        }
    }

    /// What the row of a job says of it.
    fn end(&self) -> JobEnd {
        JobEnd::Failed { code: self.code(), detail: self.to_string() }
    }
}

impl Backups {
    /// Backups of the database at `database`, opened as `db`. At most `keep` are
    /// kept, and one in any case.
    #[must_use]
    pub fn new(db: Db, database: PathBuf, target: Arc<dyn BackupTarget>, keep: usize) -> Self {
        Backups { db, database, target, keep: keep.max(1) }
    }

    /// Where they lie, without anything secret.
    #[must_use]
    pub fn place(&self) -> String {
        self.target.place()
    }
}

/// Runs work with files on a thread where it may block.
async fn off_thread<T: Send + 'static>(
    action: &'static str,
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, BackupError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome.map_err(|source| BackupError::Io { action, source }),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(BackupError::ShuttingDown),
    }
}
