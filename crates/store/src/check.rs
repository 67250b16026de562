//! Whether what is in the database can be true: SQLite's own checks, and the
//! rules that the schema alone does not hold.
//!
//! It only looks. What is damaged is repaired by a person, from a copy.

mod review;

use rusqlite::{Connection, OptionalExtension};
use tracker_domain::attention::Attention;
use tracker_domain::event::EventType;
use tracker_domain::library::LinkMode;
use tracker_domain::metadata::WorkKind;
use tracker_domain::recognised::{RecognitionState, TitleKind, Verdict};
use tracker_domain::seeding::SeedingAction;
use tracker_domain::{BackupState, DownloadState, InfohashKind, JobKind, JobState, Pause};

use crate::candidates::kind_word;

/// How many rows of one kind of problem are named; the rest is counted.
const NAMED: usize = 20;

/// Something in the database that cannot be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind, as a constant word.
    pub code: &'static str,
    /// Which row, and what is wrong with it.
    pub detail: String,
}

/// What [`check`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Empty when all is well.
    pub problems: Vec<Problem>,
    /// How many rows each table has, by name.
    pub tables: Vec<(String, i64)>,
}

/// Looks at the whole database. A former version gets SQLite's own checks only.
///
/// # Errors
/// When the database cannot be read at all.
pub fn check(conn: &Connection) -> Result<CheckReport, rusqlite::Error> {
    let mut problems = integrity(conn)?;
    problems.extend(foreign_keys(conn)?);
    if is_present_schema(conn)? {
        problems.extend(owners(conn)?);
        problems.extend(infohashes(conn)?);
        problems.extend(words(conn)?);
        problems.extend(ids(conn)?);
        problems.extend(times(conn)?);
        problems.extend(review::problems(conn)?);
    }
    Ok(CheckReport { problems, tables: counts(conn)? })
}

/// SQLite's own view of the file.
pub(crate) fn integrity(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let mut statement = conn.prepare("PRAGMA integrity_check(100)")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut problems = Vec::new();
    for row in rows {
        let detail = row?;
        if detail != "ok" {
            problems.push(Problem { code: "integrity", detail });
        }
    }
    Ok(problems)
}

/// Rows whose key points to a row that is not there.
pub(crate) fn foreign_keys(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    rows(
        conn,
        "foreign-key",
        r#"SELECT "table" || coalesce(' row ' || rowid, '') || ' points to a ' || parent
               || ' that does not exist'
           FROM pragma_foreign_key_check"#,
    )
}

/// Whether there is a table of this name.
pub(crate) fn has_table(conn: &Connection, name: &str) -> Result<bool, rusqlite::Error> {
    conn.query_row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", [name], |_| {
        Ok(())
    })
    .optional()
    .map(|found| found.is_some())
}

/// The names of our tables, without those of SQLite and of the migration library.
pub(crate) fn tables(conn: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    let mut statement = conn.prepare(
        "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'refinery_schema_history'
         ORDER BY name",
    )?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}

/// How many rows each of our tables has.
pub(crate) fn counts(conn: &Connection) -> Result<Vec<(String, i64)>, rusqlite::Error> {
    tables(conn)?
        .into_iter()
        .map(|table| {
            let count =
                conn.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0))?;
            Ok((table, count))
        })
        .collect()
}

fn is_present_schema(conn: &Connection) -> Result<bool, rusqlite::Error> {
    // By what is there, not by the history: a history may be what is damaged.
    has_table(conn, "download_infohash")
}

/// Each row of `sql`, one text, as a problem.
fn rows(conn: &Connection, code: &'static str, sql: &str) -> Result<Vec<Problem>, rusqlite::Error> {
    let mut statement = conn.prepare(sql)?;
    let mut found = statement.query([])?;
    let (mut problems, mut more) = (Vec::new(), 0usize);
    while let Some(row) = found.next()? {
        if problems.len() < NAMED {
            problems.push(Problem { code, detail: row.get(0)? });
        } else {
            more += 1;
        }
    }
    if more > 0 {
        problems.push(Problem { code, detail: format!("and {more} more of this kind") });
    }
    Ok(problems)
}

/// A list for `IN (…)`. The words are constants of the program.
fn quoted(words: impl IntoIterator<Item = &'static str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("'{word}'")).collect();
    quoted.join(", ")
}

fn active_states() -> String {
    quoted(DownloadState::ALL.iter().filter(|state| state.is_active()).map(|state| state.as_str()))
}

/// At most one active download owns an infohash, and each active one has some.
fn owners(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let active = active_states();
    let mut problems = rows(
        conn,
        "two-owners",
        &format!(
            "SELECT hash.infohash || ' is owned by the active downloads '
                 || group_concat(hash.download_id, ', ')
             FROM download_infohash AS hash JOIN download ON download.id = hash.download_id
             WHERE download.state IN ({active})
             GROUP BY hash.infohash HAVING count(*) > 1"
        ),
    )?;
    problems.extend(rows(
        conn,
        "no-infohash",
        &format!(
            "SELECT 'download ' || id || ' is ' || state || ' and has no infohash'
             FROM download WHERE state IN ({active})
                 AND NOT EXISTS (SELECT 1 FROM download_infohash AS hash WHERE hash.download_id = download.id)"
        ),
    )?);
    Ok(problems)
}

/// Lowercase hex, the kind by length, and never the front of a v2 beside it.
fn infohashes(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let (v1, v2) = (InfohashKind::V1.as_str(), InfohashKind::V2.as_str());
    let mut problems = rows(
        conn,
        "malformed-infohash",
        &format!(
            "SELECT 'download ' || download_id || ' has the ' || kind || ' infohash ' || infohash
             FROM download_infohash
             WHERE infohash GLOB '*[^0-9a-f]*'
                 OR kind IS NOT CASE length(infohash) WHEN 40 THEN '{v1}' WHEN 64 THEN '{v2}' END"
        ),
    )?;
    problems.extend(rows(
        conn,
        "truncated-v2",
        &format!(
            "SELECT 'download ' || short.download_id || ' has the front of its v2 infohash as the v1 '
                 || short.infohash
             FROM download_infohash AS short JOIN download_infohash AS whole
                 ON whole.download_id = short.download_id AND whole.kind = '{v2}'
             WHERE short.kind = '{v1}' AND substr(whole.infohash, 1, 40) = short.infohash"
        ),
    )?);
    Ok(problems)
}

/// The columns that hold words of the program, each with all of them.
fn vocabularies() -> Vec<(&'static str, &'static str, String)> {
    let kinds = [TitleKind::Movie, TitleKind::Series, TitleKind::Anime, TitleKind::Other];
    let verdicts = [Verdict::Sure, Verdict::Doubt, Verdict::Unknown];
    let works = [WorkKind::Movie, WorkKind::Series];
    let modes = [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink];
    let states = DownloadState::ALL.iter().map(|state| state.as_str());
    let recognition = RecognitionState::ALL.iter().map(|state| state.as_str());
    vec![
        ("download", "state", quoted(states)),
        ("download", "attention", quoted(Attention::ALL.iter().map(|code| code.as_str()))),
        ("download", "origin", quoted(["magnet", "infohash", "torrent", "adopted"])),
        ("download", "placement", quoted(["added", "found"])),
        ("download", "pause", quoted(Pause::ALL.iter().map(|pause| pause.as_str()))),
        ("download", "seeding_end", quoted(SeedingAction::ALL.map(SeedingAction::as_str))),
        ("recognition", "state", quoted(recognition)),
        ("recognition", "kind", quoted(kinds.map(TitleKind::as_str))),
        ("recognition", "verdict", quoted(verdicts.map(Verdict::as_str))),
        ("metadata_candidate", "kind", quoted(works.map(kind_word))),
        ("apply_batch", "state", quoted(["planned", "applied", "undone", "failed"])),
        ("file_link", "state", quoted(["planned", "linked", "undone", "failed"])),
        ("file_link", "mode", quoted(modes.map(LinkMode::as_str))),
        ("job", "kind", quoted(JobKind::ALL.iter().map(|kind| kind.as_str()))),
        ("job", "state", quoted(JobState::ALL.iter().map(|state| state.as_str()))),
        ("backup", "state", quoted(BackupState::ALL.iter().map(|state| state.as_str()))),
        ("event", "type", quoted(EventType::ALL.iter().map(|kind| kind.as_str()))),
    ]
}

fn words(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let mut problems = Vec::new();
    for (table, column, allowed) in vocabularies() {
        // A version on the way to the present one may not have it yet.
        if !has_column(conn, table, column)? {
            continue;
        }
        let sql = format!(
            "SELECT '{table} ' || id || ' has the {column} ' || {column}
             FROM {table} WHERE {column} NOT IN ({allowed})"
        );
        problems.extend(rows(conn, "unknown-word", &sql)?);
    }
    Ok(problems)
}

fn has_column(conn: &Connection, table: &str, column: &str) -> Result<bool, rusqlite::Error> {
    conn.prepare_cached("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2")?
        .exists([table, column])
}

/// The tables that have a column of this name.
fn tables_with(conn: &Connection, column: &str) -> Result<Vec<String>, rusqlite::Error> {
    let mut found = Vec::new();
    for table in tables(conn)? {
        if has_column(conn, &table, column)? {
            found.push(table);
        }
    }
    Ok(found)
}

/// Lowercase ULIDs, and none of them in two tables.
fn ids(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let tables = tables_with(conn, "id")?;
    let mut problems = Vec::new();
    for table in &tables {
        let sql = format!(
            "SELECT '{table} has the id ' || id FROM \"{table}\"
             WHERE length(id) <> 26 OR id > '7zzzzzzzzzzzzzzzzzzzzzzzzz'
                 OR id GLOB '*[^0123456789abcdefghjkmnpqrstvwxyz]*'"
        );
        problems.extend(rows(conn, "malformed-id", &sql)?);
    }
    // The floor repeats the id of another row by design.
    let entities: Vec<String> = tables
        .iter()
        .filter(|table| *table != "id_floor")
        .map(|table| format!("SELECT id, '{table}' AS kind FROM \"{table}\""))
        .collect();
    let sql = format!(
        "SELECT id || ' is the id of ' || group_concat(kind, ' and of ') FROM ({})
         GROUP BY id HAVING count(*) > 1",
        entities.join(" UNION ALL ")
    );
    problems.extend(rows(conn, "shared-id", &sql)?);
    Ok(problems)
}

/// Every column whose name ends in `_at` holds the one form of time.
fn times(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let mut problems = Vec::new();
    for table in tables(conn)? {
        let mut statement =
            conn.prepare("SELECT name FROM pragma_table_info(?1) WHERE substr(name, -3) = '_at'")?;
        let columns: Vec<String> =
            statement.query_map([&table], |row| row.get(0))?.collect::<Result<_, _>>()?;
        for column in columns {
            // Printing it again finds a 30 February as well.
            let sql = format!(
                "SELECT '{table} has the {column} ' || {column} FROM \"{table}\"
                 WHERE {column} IS NOT NULL
                     AND strftime('%Y-%m-%dT%H:%M:%SZ', {column}) IS NOT {column}"
            );
            problems.extend(rows(conn, "malformed-time", &sql)?);
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests;
