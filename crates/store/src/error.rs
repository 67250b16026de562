//! What can go wrong with the database, and what a guard refuses.

use tracker_domain::{DownloadId, IllegalTransition};

/// A fault of the database or of what is in it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite reports an error.
    #[error("the database reports: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// No connection came free in time.
    #[error("no database connection came free: {0}")]
    Pool(#[from] r2d2::Error),
    /// A stored value is none of the allowed ones.
    #[error("{table}.{column} holds {found:?}: {detail}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// What stands there.
        found: String,
        /// Why it cannot be.
        detail: String,
    },
    /// A JSON column cannot be read or written.
    #[error("{column} is not the JSON it should be: {source}")]
    Json {
        /// The column.
        column: &'static str,
        /// Why.
        source: serde_json::Error,
    },
    /// The schema is older than this program.
    #[error(
        "the database has schema version {found}, this program needs {expected}; \
         run `tracker db migrate` or start `tracker serve`"
    )]
    Outdated {
        /// The version of the database.
        found: u32,
        /// The version of the program.
        expected: u32,
    },
    /// The schema is newer than this program.
    #[error(
        "the database has schema version {found}, this program knows {expected} at most; \
         use a newer tracker or restore a copy"
    )]
    TooNew {
        /// The version of the database.
        found: u32,
        /// The version of the program.
        expected: u32,
    },
    /// Other writes have not ended in time.
    #[error("other writes have not ended in time")]
    Busy,
    /// The runtime is going down.
    #[error("the program is shutting down")]
    ShuttingDown,
}

/// A change that a guard did not let through. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another active download owns one of the infohashes.
    #[error("the active download {0} owns one of the infohashes")]
    OwnedBy(DownloadId),
    /// The move is not in the table of moves.
    #[error(transparent)]
    Illegal(#[from] IllegalTransition),
    /// A move from an end back to activity has to go through
    /// `activate_if_no_other_active`.
    #[error("an ended download becomes active only through its guard")]
    Unguarded,
    /// The row changed since the caller looked; the value is its revision now.
    #[error("the download changed meanwhile and has revision {0} now")]
    Stale(u64),
    /// It has no infohash that could be looked for: a migrated row whose hash
    /// could not be read.
    #[error("the download has no readable infohash")]
    NoInfohash,
    /// It is in a client, or may be: what was sent has to be settled first.
    #[error("the download is in a client, or may be")]
    HandedOver,
    /// There is no such download.
    #[error("there is no such download")]
    NotFound,
}

/// The outcome of a guarded change.
pub type Guarded<T> = Result<T, Refusal>;

impl StoreError {
    /// Whether the disk of the database has no room.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        let StoreError::Sqlite(error) = self else { return false };
        error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
    }

    /// Whether somebody else kept the database for longer than anybody waits. Nothing
    /// was written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        match self {
            StoreError::Busy => true,
            StoreError::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
            }
            _ => false,
        }
    }
}
