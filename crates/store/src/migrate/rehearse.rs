//! `--dry-run`: the migration on a scratch copy, and what it would change.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tracker_domain::Timestamp;

use super::former::Former;
use super::{
    FIRST_WITH_ULIDS, MigrateError, copy, history, known_target, notes, open, ready, run, whole,
};
use crate::check::{self, Problem};

/// Only its owner reads a scratch copy.
const PRIVATE: u32 = 0o600;

/// What a rehearsed migration did to the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsal {
    /// The version of the database.
    pub from: u32,
    /// The version it would get.
    pub to: u32,
    /// How many rows each table has before and after.
    pub tables: Vec<TableCount>,
    /// What the migration noted, as [`notes`] gives it.
    pub notes: Vec<(String, i64)>,
    /// What would be wrong afterwards; empty when the migration is safe.
    pub problems: Vec<Problem>,
}

/// The rows of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCount {
    /// Its name after the migration.
    pub table: String,
    /// Rows before: of what becomes this table.
    pub before: i64,
    /// Rows after.
    pub after: i64,
}

/// Migrates a copy beside the database, compares counts and relations, and
/// removes the copy. The database itself is only read.
///
/// # Errors
/// As [`super::migrate`]; also when the migration would fail.
pub fn rehearse(
    path: &Path,
    target: Option<u32>,
    now: Timestamp,
) -> Result<Rehearsal, MigrateError> {
    let to = known_target(target)?;
    let scratch = copy::scratch(scratch_name(path, now), PRIVATE)?;
    if path.exists() {
        let source = open(path)?;
        ready(&source, to)?;
        whole(&source)?;
        copy::into(&source, scratch.path())?;
    }
    let mut conn = open(scratch.path())?;
    rehearsed(&mut conn, to)
}

fn scratch_name(path: &Path, now: Timestamp) -> PathBuf {
    let suffix = format!(".rehearsal-{}-{}", now.compact(), std::process::id());
    copy::with_suffix(path, &suffix)
}

fn rehearsed(conn: &mut Connection, to: u32) -> Result<Rehearsal, MigrateError> {
    let from = history::version(conn)?;
    let renumbered = from < FIRST_WITH_ULIDS && to >= FIRST_WITH_ULIDS;
    let former = if renumbered { Former::read(conn)? } else { Former::default() };
    let before = if renumbered { former.counts() } else { check::counts(conn)? };
    if from != to {
        run(conn, to).map_err(|detail| MigrateError::Failed {
            from,
            version: to,
            detail,
            copy: None,
        })?;
    }
    let mut noted = Vec::new();
    for version in from + 1..=to {
        noted.extend(notes(conn, version)?);
    }
    let tables = compared(&before, &check::counts(conn)?);
    let mut problems = check::check(conn)?.problems;
    problems.extend(former.compare(conn)?);
    problems.extend(tables.iter().filter_map(|count| miscounted(count, &noted)));
    Ok(Rehearsal { from, to, tables, notes: noted, problems })
}

fn compared(before: &[(String, i64)], after: &[(String, i64)]) -> Vec<TableCount> {
    let count = |counts: &[(String, i64)], table: &str| {
        counts.iter().find(|(name, _)| name == table).map_or(0, |(_, count)| *count)
    };
    before
        .iter()
        .map(|(table, rows)| TableCount {
            table: table.clone(),
            before: *rows,
            after: count(after, table),
        })
        .collect()
}

/// A table that lost or gained rows; an infohash that cannot be read has none.
fn miscounted(count: &TableCount, notes: &[(String, i64)]) -> Option<Problem> {
    let unreadable = || {
        let noted = notes.iter().find(|(what, _)| what == "unreadable_infohash");
        noted.map_or(0, |(_, rows)| *rows)
    };
    let lost = if count.table == "download_infohash" { unreadable() } else { 0 };
    (count.after != count.before - lost).then(|| Problem {
        code: "migration",
        detail: format!(
            "{} would have {} rows, not {}",
            count.table,
            count.after,
            count.before - lost
        ),
    })
}
