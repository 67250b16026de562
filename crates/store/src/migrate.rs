//! Bringing a database to another version, and what protects it meanwhile.
//!
//! All pending migrations run in one transaction on a connection of their own
//! with `foreign_keys=OFF`: with them on, dropping a parent table would delete
//! every child row without a word. Before the first one a verified copy is made
//! beside the database. Nothing here locks out other processes; the caller does.

pub(crate) mod copy;
mod former;
mod history;
mod rehearse;

use std::path::{Path, PathBuf};

use refinery::Target;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tracker_domain::Timestamp;

pub use rehearse::{Rehearsal, TableCount, rehearse};

pub use crate::check::Problem;

use crate::{check, legacy};

/// The version that this program works with.
pub const LATEST: u32 = 18;

/// The first version whose entities have ULIDs as keys.
pub(crate) const FIRST_WITH_ULIDS: u32 = 6;

mod embedded {
    refinery::embed_migrations!("../../migrations");
}

/// What a migration did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationReport {
    /// The version before; 0 is a new database.
    pub from: u32,
    /// The version now.
    pub to: u32,
    /// The copy of the database as it was, where there was something to copy.
    pub copy: Option<PathBuf>,
    /// The versions that were applied, in order.
    pub applied: Vec<u32>,
}

/// Why a database was not migrated. It is then what it was before.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// A file could not be made, renamed or synced.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// SQLite refused something else than a migration.
    #[error("the database cannot be used: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// The file is damaged or no database; migrating would make it worse.
    #[error("the database is damaged: {detail}; restore a backup{}", named(copy.as_ref()))]
    Corrupt {
        /// What SQLite found.
        detail: String,
        /// A copy made by this run, if any.
        copy: Option<PathBuf>,
    },
    /// The database was written by a newer program.
    #[error(
        "the database has version {database}, this program knows versions up to {program}; use a newer program"
    )]
    TooNew {
        /// The version of the database.
        database: u32,
        /// The newest version the program knows.
        program: u32,
    },
    /// Migrations only go forward.
    #[error(
        "the database has version {from} and cannot go back to version {to}; restore the copy made before the migration"
    )]
    Downgrade {
        /// The version of the database.
        from: u32,
        /// The version asked for.
        to: u32,
    },
    /// There is no such version.
    #[error("there is no version {target}, the newest is {program}")]
    UnknownTarget {
        /// The version asked for.
        target: u32,
        /// The newest version the program knows.
        program: u32,
    },
    /// What the database says was applied is not what this program contains.
    #[error("the history of the database does not fit this program at version {version}: {detail}")]
    History {
        /// The first version that differs.
        version: u32,
        /// How it differs.
        detail: String,
    },
    /// A migration failed and was rolled back.
    #[error("the migration from version {from} to {version} failed: {detail}; the database is unchanged{}", named(copy.as_ref()))]
    Failed {
        /// The version the database still has.
        from: u32,
        /// The version it should have got.
        version: u32,
        /// What went wrong, with the table where one is to blame.
        detail: String,
        /// The copy that was made before.
        copy: Option<PathBuf>,
    },
}

impl From<rusqlite::Error> for MigrateError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                MigrateError::Corrupt { detail: error.to_string(), copy: None }
            }
            _ => MigrateError::Sqlite(error),
        }
    }
}

fn named(copy: Option<&PathBuf>) -> String {
    copy.map(|copy| format!(", a copy of it is {}", copy.display())).unwrap_or_default()
}

/// Every migration: its version and what it is called, in order.
#[must_use]
pub fn names() -> Vec<(u32, String)> {
    let runner = embedded::migrations::runner();
    let mut names: Vec<(u32, String)> = runner
        .get_migrations()
        .iter()
        .filter_map(|migration| {
            let version = u32::try_from(migration.version()).ok()?;
            Some((version, migration.name().replace('_', " ")))
        })
        .collect();
    names.sort();
    names
}

/// The version of a database; 0 when no migration was applied to it yet.
///
/// # Errors
/// When the file cannot be read or is no database.
pub fn version_of(conn: &Connection) -> Result<u32, MigrateError> {
    history::version(conn)
}

/// How many rows the migration to `version` moved (`rows.<table>`), and how many
/// of them needed a decision (the name of the decision); empty where it kept no
/// account.
///
/// # Errors
/// When the database cannot be read.
pub fn notes(conn: &Connection, version: u32) -> Result<Vec<(String, i64)>, MigrateError> {
    if !check::has_table(conn, "migration_note")? {
        return Ok(Vec::new());
    }
    let mut statement =
        conn.prepare("SELECT what, count FROM migration_note WHERE version = ?1 ORDER BY what")?;
    let rows = statement.query_map([version], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect::<Result<_, _>>().map_err(MigrateError::from)
}

/// Brings the database at `path` to `target`, or to [`LATEST`]; makes the file
/// with `file_mode` where there is none. Running it again changes nothing.
///
/// The caller keeps other processes out for that long.
///
/// # Errors
/// See [`MigrateError`]; the database is then as it was before.
pub fn migrate(
    path: &Path,
    target: Option<u32>,
    now: Timestamp,
    file_mode: u32,
) -> Result<MigrationReport, MigrateError> {
    let to = known_target(target)?;
    if !path.exists() {
        copy::create_private(path, file_mode)?;
    }
    let mut conn = open(path)?;
    let from = ready(&conn, to)?;
    if from == to {
        return Ok(MigrationReport { from, to, copy: None, applied: Vec::new() });
    }
    let copy = if history::is_fresh(&conn)? {
        None
    } else {
        whole(&conn)?;
        Some(copy::beside(&conn, path, now, file_mode)?)
    };
    match run(&mut conn, to) {
        Ok(applied) => Ok(MigrationReport { from, to, copy, applied }),
        Err(detail) => Err(MigrateError::Failed { from, version: to, detail, copy }),
    }
}

/// Brings a copy that nobody else knows to [`LATEST`], and tells which version it
/// had. No further copy is made of it.
pub(crate) fn bring_up_to_date(copy: &Path) -> Result<u32, MigrateError> {
    let mut conn = open(copy)?;
    let from = ready(&conn, LATEST)?;
    if from == 0 {
        let detail = "it has no tables of this program".to_owned();
        return Err(MigrateError::Corrupt { detail, copy: None });
    }
    whole(&conn)?;
    if from < LATEST {
        run(&mut conn, LATEST).map_err(|detail| MigrateError::Failed {
            from,
            version: LATEST,
            detail,
            copy: None,
        })?;
    }
    Ok(from)
}

fn known_target(target: Option<u32>) -> Result<u32, MigrateError> {
    match target {
        Some(target) if target > LATEST => {
            Err(MigrateError::UnknownTarget { target, program: LATEST })
        }
        other => Ok(other.unwrap_or(LATEST)),
    }
}

/// The version of the database, once it is sure that `to` can be reached from it.
fn ready(conn: &Connection, to: u32) -> Result<u32, MigrateError> {
    let from = history::version(conn)?;
    if from > LATEST {
        return Err(MigrateError::TooNew { database: from, program: LATEST });
    }
    history::verify(conn)?;
    if to < from {
        return Err(MigrateError::Downgrade { from, to });
    }
    Ok(from)
}

/// A connection that may migrate: no foreign keys, and the functions of V6.
fn open(path: &Path) -> Result<Connection, MigrateError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(std::time::Duration::from_secs(5))?;
    conn.pragma_update(None, "foreign_keys", false)?;
    // The tables of V6 that hold the new ids must not need a writable /tmp.
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    legacy::register(&conn)?;
    Ok(conn)
}

/// Refuses a damaged database before anything is done with it.
fn whole(conn: &Connection) -> Result<(), MigrateError> {
    match check::integrity(conn)?.first() {
        None => Ok(()),
        Some(first) => Err(MigrateError::Corrupt { detail: first.detail.clone(), copy: None }),
    }
}

/// Applies what is pending up to `to` in one transaction, or nothing; the error
/// is what to tell a person.
fn run(conn: &mut Connection, to: u32) -> Result<Vec<u32>, String> {
    let version = i32::try_from(to).map_err(|error| error.to_string())?;
    let runner =
        embedded::migrations::runner().set_grouped(true).set_target(Target::Version(version));
    match runner.run(conn) {
        Ok(report) => Ok(report
            .applied_migrations()
            .iter()
            .filter_map(|migration| u32::try_from(migration.version()).ok())
            .collect()),
        Err(error) => Err(explained(conn, &error)),
    }
}

/// The reason, and the rows that are to blame where keys point nowhere. The
/// transaction was rolled back, so what is looked at is the former database.
fn explained(conn: &Connection, error: &refinery::Error) -> String {
    let reason = match error.kind() {
        refinery::error::Kind::Connection(_, source) => source.to_string(),
        other => other.to_string(),
    };
    let mut details = vec![reason];
    match check::foreign_keys(conn) {
        Ok(problems) => details.extend(problems.into_iter().map(|problem| problem.detail)),
        Err(error) => details.push(error.to_string()),
    }
    details.join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_newest_migration_is_the_version_of_the_program() {
        let versions: Vec<i32> = embedded::migrations::runner()
            .get_migrations()
            .iter()
            .map(refinery::Migration::version)
            .collect();
        assert_eq!(versions.iter().max().copied(), i32::try_from(LATEST).ok());
        let expected: Vec<i32> = (1..).take(versions.len()).collect();
        let mut sorted = versions.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "a number is missing or was given twice");
    }

    #[test]
    fn each_migration_opens_with_why() {
        for migration in embedded::migrations::runner().get_migrations() {
            let sql = migration.sql().unwrap();
            assert!(sql.starts_with("-- Why: "), "{migration}");
        }
    }
}
