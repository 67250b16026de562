//! What a database says was applied to it, against what this program contains.
//!
//! Compared here as well as in the migration library: nothing may be copied or
//! written before it is clear that the database is one of ours, and the library
//! panics on a history it cannot parse.

use rusqlite::{Connection, OptionalExtension};
use tracker_domain::Timestamp;

use super::{LATEST, MigrateError, embedded, names};
use crate::check;

/// The table that the migration library keeps.
const TABLE: &str = "refinery_schema_history";

pub(super) fn version(conn: &Connection) -> Result<u32, MigrateError> {
    if !check::has_table(conn, TABLE)? {
        return Ok(0);
    }
    let newest: Option<i64> = conn
        .query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0))
        .optional()?
        .flatten();
    let newest = newest.unwrap_or(0);
    u32::try_from(newest).map_err(|_| MigrateError::History {
        version: 0,
        detail: format!("{newest} is no version"),
    })
}

/// Whether there is nothing in the database that a copy could save.
pub(super) fn is_fresh(conn: &Connection) -> Result<bool, MigrateError> {
    Ok(version(conn)? == 0 && check::tables(conn)?.is_empty())
}

/// Refuses a history with a gap, and one whose migrations were edited.
pub(super) fn verify(conn: &Connection) -> Result<(), MigrateError> {
    let applied = applied(conn)?;
    let runner = embedded::migrations::runner();
    for ((expected, _), row) in names().into_iter().zip(&applied) {
        let refused = |detail: &str| {
            Err(MigrateError::History { version: expected, detail: detail.to_owned() })
        };
        if row.version != i64::from(expected) {
            return refused("the migration was never applied, although a later one was");
        }
        let ours = runner
            .get_migrations()
            .iter()
            .find(|migration| i64::from(migration.version()) == row.version);
        let Some(ours) = ours else {
            return refused("the program does not contain this migration");
        };
        if ours.name() != row.name || ours.checksum().to_string() != row.checksum {
            return refused("another migration was applied than the one of this program");
        }
        if Timestamp::from_legacy(&row.applied_on).is_none() {
            return refused("the time it was applied at cannot be read");
        }
    }
    debug_assert!(applied.len() <= LATEST as usize, "a newer database is refused before");
    Ok(())
}

/// One row of the history.
struct Applied {
    version: i64,
    name: String,
    applied_on: String,
    checksum: String,
}

fn applied(conn: &Connection) -> Result<Vec<Applied>, MigrateError> {
    if !check::has_table(conn, TABLE)? {
        return Ok(Vec::new());
    }
    let mut statement = conn.prepare(
        "SELECT version, coalesce(name, ''), coalesce(applied_on, ''), coalesce(checksum, '')
         FROM refinery_schema_history ORDER BY version",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(Applied {
            version: row.get(0)?,
            name: row.get(1)?,
            applied_on: row.get(2)?,
            checksum: row.get(3)?,
        })
    })?;
    rows.collect::<Result<_, _>>().map_err(MigrateError::from)
}
