//! A copy of the database in a file of its own, taken while it is written to, and
//! the scratch files that it needs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::migrate::copy::{self, Scratch};
use crate::migrate::{self, MigrateError};
use crate::{Db, check};

/// What is in the name of every scratch file, behind that of the database.
const MARK: &str = ".backup-";

/// Only its owner reads a scratch file.
const PRIVATE: u32 = 0o600;

/// An empty file beside the database that goes away with this, together with what
/// SQLite keeps beside it.
pub struct ScratchFile(Scratch);

/// What is in a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotReport {
    /// The version of its schema.
    pub schema_version: u32,
    /// How many rows each table has.
    pub row_counts: Vec<(String, i64)>,
}

impl ScratchFile {
    /// Makes one; what a killed process left under this name goes first.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn beside(database: &Path, name: &str) -> Result<Self, MigrateError> {
        let path = copy::with_suffix(database, &format!("{MARK}{name}"));
        Ok(ScratchFile(copy::scratch(path, PRIVATE)?))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Removes the scratch files that killed processes left beside a database. The
/// caller knows that nobody makes one now.
///
/// # Errors
/// When the folder cannot be read or a file cannot be removed.
pub fn sweep_scratch_files(database: &Path) -> io::Result<Vec<PathBuf>> {
    let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else {
        return Ok(Vec::new());
    };
    let front = format!("{}{MARK}", name.to_string_lossy());
    let mut swept = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&front) {
            fs::remove_file(entry.path())?;
            swept.push(entry.path());
        }
    }
    Ok(swept)
}

impl Db {
    /// Copies the database as it is at one moment into a scratch file, and verifies
    /// the copy. Writers go on meanwhile; what was committed before is in it.
    ///
    /// # Errors
    /// When it cannot be copied, or the copy is damaged.
    pub async fn snapshot(
        &self,
        file: ScratchFile,
    ) -> Result<(ScratchFile, SnapshotReport), MigrateError> {
        self.on_reader(move |conn| {
            copy::into(conn, file.path())?;
            let copied = rusqlite::Connection::open(file.path())?;
            let report = SnapshotReport {
                schema_version: migrate::version_of(&copied)?,
                row_counts: check::counts(&copied)?,
            };
            drop(copied);
            Ok((file, report))
        })
        .await
    }
}
