//! The rules of recognitions, their candidates and what people said of them.

use rusqlite::Connection;

use super::{Problem, has_table, rows};

/// The columns that hold JSON, with what names their row.
const JSON: [(&str, &str, &str); 8] = [
    ("recognition", "id", "fields"),
    ("recognition", "id", "files"),
    ("recognition", "id", "evidence"),
    ("recognition", "id", "causes"),
    ("metadata_candidate", "id", "work"),
    ("metadata_candidate", "id", "parts"),
    ("metadata_cache", "request", "answer"),
    ("event", "id", "data"),
];

/// The columns that hold who did something.
const ACTORS: [(&str, &str); 6] = [
    ("recognition", "chosen_by"),
    ("hint", "author"),
    ("override", "author"),
    ("remembered", "author"),
    ("event", "actor"),
    ("client_task", "actor"),
];

/// Every broken rule; a version on the way to the present one has few of them.
pub(super) fn problems(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    if !has_table(conn, "metadata_cache")? {
        return Ok(Vec::new());
    }
    let mut problems = living(conn)?;
    problems.extend(candidates(conn)?);
    problems.extend(json(conn)?);
    problems.extend(actors(conn)?);
    Ok(problems)
}

/// At most one recognition of a download lives. Migrated ones, which have no
/// verdict, may be several: the newest counts.
fn living(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    rows(
        conn,
        "two-recognitions",
        "SELECT 'download ' || download_id || ' has the recognitions ' || group_concat(id, ', ')
         FROM recognition WHERE state <> 'superseded'
         GROUP BY download_id HAVING count(*) > 1 AND count(verdict) > 0",
    )
}

/// A recognition chooses among its own candidates.
fn candidates(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    rows(
        conn,
        "foreign-candidate",
        "SELECT 'recognition ' || recognition.id || ' has chosen the candidate ' || candidate.id
             || ' of another one'
         FROM recognition JOIN metadata_candidate AS candidate
             ON candidate.id = recognition.candidate_id
         WHERE candidate.recognition_id <> recognition.id",
    )
}

fn json(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let mut problems = Vec::new();
    for (table, name, column) in JSON {
        let sql = format!(
            "SELECT '{table} ' || {name} || ' has no JSON in {column}'
             FROM {table} WHERE {column} IS NOT NULL AND NOT json_valid({column})"
        );
        problems.extend(rows(conn, "malformed-json", &sql)?);
    }
    Ok(problems)
}

fn actors(conn: &Connection) -> Result<Vec<Problem>, rusqlite::Error> {
    let mut problems = Vec::new();
    for (table, column) in ACTORS {
        if !has_table(conn, table)? {
            continue;
        }
        let sql = format!(
            "SELECT '{table} ' || id || ' has the {column} \"' || {column} || '\"'
             FROM {table} WHERE {column} NOT IN ('reconciler', 'worker', 'system')
                 AND {column} NOT GLOB 'web:*' AND {column} NOT GLOB 'api:*'
                 AND {column} NOT GLOB 'cli:*' AND {column} NOT GLOB 'telegram:[-0-9]*'"
        );
        problems.extend(rows(conn, "unknown-actor", &sql)?);
    }
    Ok(problems)
}
