//! Copies of a database file: the one made before a migration, and scratch ones.
//!
//! Always by SQLite's online backup: a copy of the file alone would miss what
//! still stands in the write-ahead log.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tracker_domain::Timestamp;

use super::{MigrateError, whole};

/// How many copies with the time of one second are told apart.
const MAX_SAME_SECOND: u32 = 1000;

/// A file that is removed, with what SQLite keeps beside it, unless it is kept.
pub(crate) struct Scratch {
    path: PathBuf,
    keep: bool,
}

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            // What is not there need not go; there is nobody to tell otherwise.
            let _ = fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}

/// `path` with `suffix` behind the file name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut text = OsString::from(path);
    text.push(suffix);
    PathBuf::from(text)
}

pub(crate) fn io_error(
    action: &'static str,
    path: &Path,
) -> impl FnOnce(io::Error) -> MigrateError {
    let path = path.to_owned();
    move |source| MigrateError::Io { action, path, source }
}

/// Makes an empty file that was never readable for others, and refuses to touch
/// one that is there.
pub(super) fn create_private(path: &Path, mode: u32) -> Result<(), MigrateError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
        .map(drop)
        .map_err(io_error("create", path))
}

/// An empty scratch file at `path`; left over ones of a killed process go first.
pub(crate) fn scratch(path: PathBuf, mode: u32) -> Result<Scratch, MigrateError> {
    drop(Scratch { path: path.clone(), keep: false });
    create_private(&path, mode)?;
    Ok(Scratch { path, keep: false })
}

/// Copies the database behind `conn` into the empty file `to` and verifies it.
pub(crate) fn into(conn: &Connection, to: &Path) -> Result<(), MigrateError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut copy = Connection::open_with_flags(to, flags)?;
    {
        let backup = Backup::new(conn, &mut copy)?;
        match backup.step(-1)? {
            StepResult::Done => {}
            _ => {
                let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                return Err(rusqlite::Error::SqliteFailure(busy, None).into());
            }
        }
    }
    // One file, whole by itself: the original may use a write-ahead log.
    fold(&copy)?;
    whole(&copy)?;
    copy.close().map_err(|(_, error)| MigrateError::from(error))
}

/// Writes the log back into the file and lets go of it.
pub(crate) fn fold(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
}

/// Waits until a file, or the names in a folder, are on the disk.
pub(crate) fn sync(path: &Path) -> Result<(), MigrateError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(io_error("sync", path))
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The copy before a migration, `<name>.bak-<time>` beside the database. It gets
/// that name only when it is complete, verified and on the disk.
pub(super) fn beside(
    conn: &Connection,
    path: &Path,
    now: Timestamp,
    mode: u32,
) -> Result<PathBuf, MigrateError> {
    let name = free_name(&with_suffix(path, &format!(".bak-{}", now.compact())));
    let mut part = scratch(with_suffix(&name, ".part"), mode)?;
    into(conn, part.path())?;
    sync(part.path())?;
    fs::rename(part.path(), &name).map_err(io_error("rename", part.path()))?;
    part.keep = true;
    sync(folder_of(path))?;
    Ok(name)
}

/// Two migrations in one second must not overwrite each other's copy.
pub(crate) fn free_name(wanted: &Path) -> PathBuf {
    (1..MAX_SAME_SECOND)
        .map(|n| if n == 1 { wanted.to_owned() } else { with_suffix(wanted, &format!("-{n}")) })
        .find(|name| !name.exists())
        .unwrap_or_else(|| wanted.to_owned())
}
