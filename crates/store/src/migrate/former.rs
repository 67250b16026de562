//! What stood in a database with numeric keys, and which ids it has to get.
//!
//! The ids are worked out here a second time, apart from the SQL of V6, so that
//! a rehearsal compares two ways to the same result.

use std::collections::HashMap;

use rusqlite::Connection;

use super::MigrateError;
use crate::check::{self, Problem};
use crate::legacy::{ms_of, text_of};

/// The tables that carry their rows over, parents before children.
const TABLES: [&str; 6] =
    ["download", "recognition", "metadata_candidate", "hint", "override", "file_link"];

/// Each former relation: child, column, parent.
const RELATIONS: [(&str, &str, &str); 6] = [
    ("recognition", "download_id", "download"),
    ("metadata_candidate", "recognition_id", "recognition"),
    ("hint", "download_id", "download"),
    ("override", "download_id", "download"),
    ("file_link", "download_id", "download"),
    ("file_link", "recognition_id", "recognition"),
];

/// The value of one column, by the id of its row.
type Column = HashMap<String, Option<String>>;

/// One former relation.
#[derive(Debug)]
struct Relation {
    child: &'static str,
    column: &'static str,
    parents: Column,
}

/// The relations of a former database, in the ids that its rows will have.
#[derive(Debug, Default)]
pub(super) struct Former {
    /// The new id of each row, by table.
    ids: Vec<(&'static str, HashMap<i64, String>)>,
    relations: Vec<Relation>,
    /// The text of its batch, by link.
    batches: HashMap<String, String>,
}

impl Former {
    /// Reads a database of a version with numeric keys.
    pub(super) fn read(conn: &Connection) -> Result<Self, MigrateError> {
        let mut former = Former::default();
        for table in TABLES {
            if check::has_table(conn, table)? {
                former.ids.push((table, ids_of(conn, table)?));
            }
        }
        for (child, column, parent) in RELATIONS {
            if let (Some(children), Some(parents)) = (former.table(child), former.table(parent)) {
                let parents = parents_of(conn, child, column, children, parents)?;
                former.relations.push(Relation { child, column, parents });
            }
        }
        if let Some(links) = former.table("file_link") {
            former.batches = batches_of(conn, links)?;
        }
        Ok(former)
    }

    /// How many rows there were, by the table they are going to be in.
    pub(super) fn counts(&self) -> Vec<(String, i64)> {
        let size = |len: usize| i64::try_from(len).unwrap_or(i64::MAX);
        let mut counts: Vec<(String, i64)> =
            self.ids.iter().map(|(table, ids)| ((*table).to_owned(), size(ids.len()))).collect();
        let mut words: Vec<&String> = self.batches.values().collect();
        words.sort_unstable();
        words.dedup();
        counts.push(("apply_batch".to_owned(), size(words.len())));
        let downloads = self.table("download").map_or(0, HashMap::len);
        counts.push(("download_infohash".to_owned(), size(downloads)));
        counts
    }

    /// What the migrated database has otherwise than the former one.
    pub(super) fn compare(&self, conn: &Connection) -> Result<Vec<Problem>, MigrateError> {
        let mut problems = Vec::new();
        for (table, ids) in &self.ids {
            let lost = lost_ids(conn, table, ids)?;
            if lost > 0 {
                problems.push(changed(format!(
                    "{lost} rows of {table} have not the id they should have"
                )));
            }
            if out_of_order(conn, table)? {
                problems.push(changed(format!("{table} is not in the order of its times")));
            }
        }
        for Relation { child, column, parents } in &self.relations {
            let now = column_of(conn, child, column)?;
            let wrong = parents.iter().filter(|(id, parent)| now.get(*id) != Some(parent)).count();
            if wrong > 0 {
                problems.push(changed(format!(
                    "{wrong} rows of {child} have another {column} than before"
                )));
            }
        }
        if self.regrouped(conn)? {
            problems.push(changed("links are in other batches than before".to_owned()));
        }
        Ok(problems)
    }

    fn table(&self, name: &str) -> Option<&HashMap<i64, String>> {
        self.ids.iter().find(|(table, _)| *table == name).map(|(_, ids)| ids)
    }

    /// Whether two links that were one batch are now two, or the other way round.
    fn regrouped(&self, conn: &Connection) -> Result<bool, MigrateError> {
        if self.batches.is_empty() {
            return Ok(false);
        }
        let now = column_of(conn, "file_link", "apply_batch_id")?;
        let (mut of_word, mut of_batch) = (HashMap::new(), HashMap::new());
        Ok(self.batches.iter().any(|(link, word)| {
            let Some(Some(batch)) = now.get(link) else { return true };
            of_word.entry(word).or_insert(batch) != &batch
                || of_batch.entry(batch).or_insert(word) != &word
        }))
    }
}

fn changed(detail: String) -> Problem {
    Problem { code: "migration", detail }
}

fn ids_of(conn: &Connection, table: &str) -> Result<HashMap<i64, String>, MigrateError> {
    let mut statement = conn.prepare(&format!("SELECT id, created_at FROM {table} ORDER BY id"))?;
    let mut rows = statement.query([])?;
    let (mut ids, mut latest) = (HashMap::new(), 0u64);
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let own = text_of(row.get_ref(1)?).and_then(|text| ms_of(&text));
        latest = own.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(latest);
        let key = u64::try_from(number).unwrap_or_default();
        ids.insert(number, tracker_ident::derived(latest, key, table).to_string());
    }
    Ok(ids)
}

fn parents_of(
    conn: &Connection,
    child: &str,
    column: &str,
    children: &HashMap<i64, String>,
    parents: &HashMap<i64, String>,
) -> Result<Column, MigrateError> {
    let mut statement = conn.prepare(&format!("SELECT id, {column} FROM {child}"))?;
    let mut rows = statement.query([])?;
    let mut pairs = HashMap::new();
    while let Some(row) = rows.next()? {
        let (id, parent): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
        let parent = parent.and_then(|parent| parents.get(&parent).cloned());
        if let Some(id) = children.get(&id) {
            pairs.insert(id.clone(), parent);
        }
    }
    Ok(pairs)
}

fn batches_of(
    conn: &Connection,
    links: &HashMap<i64, String>,
) -> Result<HashMap<String, String>, MigrateError> {
    let mut statement = conn.prepare("SELECT id, apply_batch_id FROM file_link")?;
    let mut rows = statement.query([])?;
    let mut batches = HashMap::new();
    while let Some(row) = rows.next()? {
        let word = text_of(row.get_ref(1)?).unwrap_or_default();
        if let Some(link) = links.get(&row.get(0)?) {
            batches.insert(link.clone(), word);
        }
    }
    Ok(batches)
}

fn column_of(conn: &Connection, table: &str, column: &str) -> Result<Column, MigrateError> {
    let mut statement = conn.prepare(&format!("SELECT id, {column} FROM {table}"))?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect::<Result<_, _>>().map_err(MigrateError::from)
}

fn lost_ids(
    conn: &Connection,
    table: &str,
    ids: &HashMap<i64, String>,
) -> Result<usize, MigrateError> {
    let now = column_of(conn, table, "created_at")?;
    Ok(ids.values().filter(|id| !now.contains_key(*id)).count())
}

fn out_of_order(conn: &Connection, table: &str) -> Result<bool, MigrateError> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM (
             SELECT created_at, lag(created_at) OVER (ORDER BY id) AS before FROM {table}
         ) WHERE before > created_at)"
    );
    conn.query_row(&sql, [], |row| row.get(0)).map_err(MigrateError::from)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::migrate::{MigrationReport, migrate};

    /// What the comparison says when the migrated database is changed by `sql`.
    fn compared_after(sql: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        let to = |version| -> MigrationReport {
            let now = tracker_domain::Timestamp::from_unix(1_700_000_000).unwrap();
            migrate(&path, version, now, 0o600).unwrap()
        };
        to(Some(5));
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(
            "INSERT INTO download(id, infohash, magnet, state, created_at) VALUES
                 (1, 'a', '', 'done', '2024-01-01 00:00:00'), (2, 'b', '', 'done', '2024-01-02 00:00:00');
             INSERT INTO hint(download_id, text) VALUES (1, 'x'), (2, 'y');
             INSERT INTO file_link(download_id, apply_batch_id, source_path, target_path, mode)
                 VALUES (1, 'p', '', '', 'copy'), (1, 'p', '', '', 'copy'), (2, 'q', '', '', 'copy');",
        )
        .unwrap();
        let former = Former::read(&conn).unwrap();
        drop(conn);
        to(None);
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(sql).unwrap();
        former.compare(&conn).unwrap().into_iter().map(|problem| problem.detail).collect()
    }

    #[test]
    fn an_unchanged_result_compares_clean() {
        tracker_testkit::spec!("data-protection#rehearsal-of-a-migration/counts-and-relations");
        assert_eq!(compared_after(""), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_difference_is_found() {
        tracker_testkit::spec!("data-protection#rehearsal-of-a-migration/counts-and-relations");
        for (sql, expected) in [
            ("UPDATE hint SET download_id = (SELECT max(id) FROM download)", "1 rows of hint have another download_id than before"),
            ("DELETE FROM hint", "2 rows of hint have not the id they should have"),
            ("UPDATE download SET created_at = '2025-01-01T00:00:00Z' WHERE id = (SELECT min(id) FROM download)", "download is not in the order of its times"),
            ("UPDATE file_link SET apply_batch_id = (SELECT max(id) FROM apply_batch)", "links are in other batches than before"),
            (
                "INSERT INTO apply_batch (id, download_id, state, created_at, updated_at) SELECT replace(id, substr(id, 1, 2), '00'), download_id, state, created_at, updated_at FROM apply_batch LIMIT 1;
                 UPDATE file_link SET apply_batch_id = (SELECT min(id) FROM apply_batch) WHERE id = (SELECT min(id) FROM file_link)",
                "links are in other batches than before",
            ),
        ] {
            let found = compared_after(sql);
            assert!(found.iter().any(|detail| detail == expected), "{sql}: {found:?}");
        }
    }
}
