//! The data directory: its locks and its database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tracker_cli::ApiFailure;
use tracker_domain::ports::{Clock, Files, Reach};
use tracker_store::migrate::{self, MigrateError, MigrationReport};
use tracker_store::{Db, StoreError};
use tracker_system::{
    DataDirError, ExclusiveLock, LocalFiles, LockError, SharedLock, SystemClock, ensure_data_dir,
};

use crate::config::General;

/// How long a process waits for one that migrates or restores.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Only the owner reads the database.
pub(crate) const PRIVATE: u32 = 0o600;

/// An open database and the lock that goes with it.
pub(crate) struct Opened {
    pub db: Db,
    /// Held as long as the database is used.
    _lock: SharedLock,
}

/// Makes the data directory where there is none, and takes from new files what the
/// configuration says.
pub(crate) fn make_ready(general: &General) -> Result<(), ApiFailure> {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(general.umask));
    ready(&general.data_dir)
}

/// The data directory is there, ours, and on a filesystem that a database works on.
pub(crate) fn ready(data_dir: &Path) -> Result<(), ApiFailure> {
    // Before the folder is made tight: over a network that may fail by itself.
    local(data_dir)?;
    ensure_data_dir(data_dir).map_err(directory)?;
    local(data_dir)
}

/// Refuses a network: a write-ahead log is kept in memory that processes share,
/// and locks have to hold. SQLite would not notice, and damage the database.
pub(crate) fn local(data_dir: &Path) -> Result<(), ApiFailure> {
    // The database may be a symbolic link, and its log then lies beside the file.
    for path in [data_dir.to_path_buf(), database(data_dir)] {
        // What cannot be looked at is told by what comes next, with the cause.
        let Ok(found) = LocalFiles.filesystem(&path) else { continue };
        if found.reach == Reach::Network {
            return Err(ApiFailure::refused(
                "network-filesystem",
                format!(
                    "{} is on {}, a network filesystem, where the log and the locks of a database \
                     do not work; move the data directory to a disk of this machine and set \
                     general.data_dir or --data-dir to it",
                    path.display(),
                    found.name
                ),
            ));
        }
    }
    Ok(())
}

/// The database of a data directory.
pub(crate) fn database(data_dir: &Path) -> PathBuf {
    data_dir.join("tracker.db")
}

/// Opens the database; a missing one is made. With `may_migrate` an older one
/// is brought up to date, else it is refused.
pub(crate) fn open(data_dir: &Path, may_migrate: bool) -> Result<Opened, ApiFailure> {
    ready(data_dir)?;
    let path = database(data_dir);
    let found = tracker_store::schema_version(&path).map_err(migration)?;
    let lock = if is_current(found) || found.is_some() && !may_migrate {
        SharedLock::acquire(data_dir, PATIENCE).map_err(locked)?
    } else {
        match migrate_database(data_dir, None) {
            Ok((_, lock)) => lock,
            // Another process was faster, and uses by now what it has made.
            Err(_) if tracker_store::schema_version(&path).is_ok_and(is_current) => {
                SharedLock::acquire(data_dir, PATIENCE).map_err(locked)?
            }
            Err(failure) => return Err(failure),
        }
    };
    let db = Db::open(&path, Arc::new(SystemClock)).map_err(schema)?;
    Ok(Opened { db, _lock: lock })
}

fn is_current(version: Option<u32>) -> bool {
    version == Some(migrate::LATEST)
}

/// Makes and opens a database that stands in for one that is not there.
pub(crate) fn stand_in(folder: &Path) -> Result<Opened, ApiFailure> {
    let lock = migrate_database(folder, None)?.1;
    let db = Db::open_untold(&database(folder), Arc::new(SystemClock)).map_err(schema)?;
    Ok(Opened { db, _lock: lock })
}

/// Migrates under the exclusive lock, which then becomes a shared one.
pub(crate) fn migrate_database(
    data_dir: &Path,
    to: Option<u32>,
) -> Result<(MigrationReport, SharedLock), ApiFailure> {
    ready(data_dir)?;
    let lock = ExclusiveLock::acquire(data_dir, PATIENCE).map_err(locked)?;
    let path = database(data_dir);
    let report = migrate::migrate(&path, to, SystemClock.now(), PRIVATE).map_err(migration)?;
    Ok((report, lock.into_shared(PATIENCE).map_err(locked)?))
}

pub(crate) fn locked(error: LockError) -> ApiFailure {
    match error {
        LockError::Held { .. } => ApiFailure::refused(
            "locked",
            format!("another tracker uses this data directory: {error}; stop that one first"),
        ),
        LockError::Failed { .. } => ApiFailure::failed(error.to_string()),
    }
}

pub(crate) fn directory(error: DataDirError) -> ApiFailure {
    match error {
        DataDirError::WrongOwner { .. } => ApiFailure::unauthorised(format!(
            "{error}; use --server, or run the command as its owner with sudo -u"
        )),
        other => ApiFailure::failed(other.to_string()),
    }
}

pub(crate) fn migration(error: MigrateError) -> ApiFailure {
    match error {
        MigrateError::TooNew { .. }
        | MigrateError::Downgrade { .. }
        | MigrateError::History { .. } => {
            ApiFailure::refused("schema-not-current", error.to_string())
        }
        MigrateError::UnknownTarget { .. } => ApiFailure::usage(error.to_string()),
        other => ApiFailure::failed(other.to_string()),
    }
}

fn schema(error: StoreError) -> ApiFailure {
    match error {
        StoreError::Outdated { .. } | StoreError::TooNew { .. } => {
            ApiFailure::refused("schema-not-current", error.to_string())
        }
        other => ApiFailure::failed(other.to_string()),
    }
}
