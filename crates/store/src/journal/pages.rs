//! Pages of the journal at a constant cost: each question is answered by walking
//! one index in the order of the ids, however long the journal is.

use rusqlite::params_from_iter;
use rusqlite::types::Value as Sql;

use super::{EventFilter, EventRow, read_event};
use crate::row::{collect, maybe_text};
use crate::{ReadTx, StoreError};
use tracker_domain::event::EventType;

/// One statement and its values.
pub(super) struct Question {
    pub sql: String,
    pub values: Vec<Sql>,
}

impl EventFilter {
    /// The statements whose answers together are the page. Where only types are
    /// asked for there is one for each of them: an index over `(type, id)` has the
    /// ids of one type in order, not those of several.
    pub(super) fn questions(&self) -> Vec<Question> {
        let is_narrow =
            self.entity_id.is_some() || self.download_id.is_some() || self.job_id.is_some();
        if is_narrow || self.types.is_empty() {
            return vec![self.question(&self.types)];
        }
        let mut types = self.types.clone();
        types.sort_unstable();
        types.dedup();
        types.iter().map(|kind| self.question(&[*kind])).collect()
    }

    /// The first filter of the row is looked up, the others are compared: the sign
    /// before a column keeps SQLite from taking an index of it, whose order would
    /// have to be sorted.
    fn question(&self, types: &[EventType]) -> Question {
        let mut clauses: Vec<String> = Vec::new();
        let mut values: Vec<Sql> = Vec::new();
        let mut is_led = false;
        for (column, value) in [
            ("entity_id", self.entity_id.map(|id| id.to_string())),
            ("download_id", maybe_text(self.download_id)),
            ("job_id", self.job_id.map(|id| id.to_string())),
        ] {
            let Some(value) = value else { continue };
            values.push(Sql::Text(value));
            let sign = if is_led { "+" } else { "" };
            clauses.push(format!("{sign}{column} = ?{}", values.len()));
            is_led = true;
        }
        match types {
            [] => {}
            [one] if !is_led => clauses.push(format!("type = '{}'", one.as_str())),
            several => {
                let words: Vec<String> =
                    several.iter().map(|kind| format!("'{}'", kind.as_str())).collect();
                clauses.push(format!("+type IN ({})", words.join(", ")));
            }
        }
        for (sign, bound) in [("<", self.before), (">", self.after)] {
            let Some(bound) = bound else { continue };
            values.push(Sql::Text(bound.to_string()));
            clauses.push(format!("id {sign} ?{}", values.len()));
        }
        let place = if clauses.is_empty() {
            String::new()
        } else {
            format!("WHERE {}", clauses.join(" AND "))
        };
        let order = if self.after.is_some() { "ASC" } else { "DESC" };
        values.push(Sql::Integer(i64::from(self.limit)));
        let sql =
            format!("SELECT * FROM event {place} ORDER BY id {order} LIMIT ?{}", values.len());
        Question { sql, values }
    }
}

impl ReadTx<'_> {
    /// Entries by filter: newest first, or oldest first after a cursor.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn events(&self, filter: &EventFilter) -> Result<Vec<EventRow>, StoreError> {
        let questions = filter.questions();
        let is_several = questions.len() > 1;
        let mut found = Vec::new();
        for Question { sql, values } in questions {
            let mut statement = self.conn().prepare_cached(&sql)?;
            found.extend(collect("event", statement.query(params_from_iter(values))?, read_event)?);
        }
        if is_several {
            // At most a page of each type: little, whatever the journal holds.
            found.sort_unstable_by_key(|row| row.id);
            if filter.after.is_none() {
                found.reverse();
            }
            found.truncate(filter.limit as usize);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;

    use tracker_domain::Actor;
    use tracker_domain::ports::Clock;
    use tracker_ident::derived;
    use tracker_testkit::{FixedClock, spec};

    use super::*;
    use crate::{Db, NewEvent, migrate};

    fn database() -> (tempfile::TempDir, Db) {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new());
        let path = dir.path().join("tracker.db");
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        (dir, Db::open(&path, clock).unwrap())
    }

    /// Every combination of filters: bits of a number.
    fn combinations() -> impl Iterator<Item = EventFilter> {
        let kinds = [EventType::DownloadCreated, EventType::BatchApplied, EventType::HintAdded];
        (0..4u32 * 32).map(move |bits| {
            let has = |bit: u32| bits >> bit & 1 == 1;
            let id = |number| derived(1, number, "event");
            EventFilter {
                entity_id: has(0).then(|| id(1)),
                download_id: has(1).then(|| id(2).typed()),
                job_id: has(2).then(|| id(3).typed()),
                before: has(3).then(|| id(9)),
                after: has(4).then(|| id(0)),
                types: kinds[..(bits >> 5) as usize].to_vec(),
                limit: 51,
            }
        })
    }

    #[test]
    fn each_combination_of_filters_walks_one_index() {
        spec!("event-journal#a-page-at-a-constant-cost/the-plan-of-each-filter");
        let (_dir, db) = database();
        let plans: Vec<(String, String)> = db
            .read_blocking(|tx| {
                let mut plans = Vec::new();
                for Question { sql, values } in combinations().flat_map(|one| one.questions()) {
                    let mut statement = tx.conn().prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                    let rows = statement.query_map(params_from_iter(values), |row| {
                        row.get::<_, String>("detail")
                    })?;
                    plans.push((sql, rows.collect::<Result<Vec<_>, _>>()?.join("; ")));
                }
                Ok::<_, StoreError>(plans)
            })
            .unwrap();
        assert!(plans.len() > 128);
        for (sql, plan) in plans {
            assert!(!plan.contains("TEMP B-TREE") && !plan.contains(';'), "{sql}: {plan}");
            let column = ["entity_id", "download_id", "job_id", "type"]
                .into_iter()
                .find(|column| sql.contains(&format!("WHERE {column} = ")));
            match column {
                Some(column) => {
                    let wanted = format!("SEARCH event USING INDEX event_{column} ({column}=?");
                    assert!(plan.starts_with(&wanted), "{sql}: {plan}");
                }
                // The newest of all, or those on one side of an id.
                None => assert!(plan.contains("sqlite_autoindex_event_1"), "{sql}: {plan}"),
            }
        }
    }

    #[test]
    fn each_combination_of_filters_finds_what_fits() {
        spec!("event-journal#a-page-at-a-constant-cost/what-a-filter-finds");
        let (_dir, db) = database();
        let kinds = [EventType::DownloadCreated, EventType::BatchApplied, EventType::HintAdded];
        let entity = derived(1, 1, "event");
        db.write_blocking(&Actor::System, |tx| {
            for number in 0..60usize {
                let mut event = NewEvent::new(kinds[number % 3], "it happened");
                if number % 2 == 0 {
                    event = event.in_download(derived(1, 2, "event").typed());
                }
                if number % 5 == 0 {
                    event = event.about(tracker_domain::EntityKind::Hint, entity);
                }
                tx.append_event(event)?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
        let all = EventFilter { limit: 1000, ..EventFilter::default() };
        let all = db.read_blocking(|tx| tx.events(&all)).unwrap();
        let middle = all[30].id.any();
        for filter in combinations() {
            let filter = EventFilter {
                before: filter.before.map(|_| middle),
                after: filter.after.map(|_| all[45].id.any()),
                limit: 7,
                ..filter
            };
            let fits = |row: &&EventRow| {
                filter.entity_id.is_none_or(|id| row.entity_id == Some(id))
                    && filter.download_id.is_none_or(|id| row.download_id == Some(id))
                    && filter.job_id.is_none_or(|id| row.job_id == Some(id))
                    && (filter.types.is_empty() || filter.types.contains(&row.event_type))
                    && filter.before.is_none_or(|id| row.id.any() < id)
                    && filter.after.is_none_or(|id| row.id.any() > id)
            };
            let mut wanted: Vec<EventRow> = all.iter().filter(fits).cloned().collect();
            if filter.after.is_some() {
                wanted.reverse();
            }
            wanted.truncate(7);
            let found = db.read_blocking(|tx| tx.events(&filter)).unwrap();
            assert_eq!(found, wanted, "{filter:?}");
        }
    }
}
