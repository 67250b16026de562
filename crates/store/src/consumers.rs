//! Who reads the journal from a place of its own, and what could not be delivered.
//!
//! Nothing here decides when to try again or when to give up.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{EventId, Timestamp};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, maybe_time, parse};
use crate::{ReadTx, StoreError, WriteTx};

/// One reader of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// Its name in the configuration.
    pub name: String,
    /// The last entry that it is done with.
    pub cursor: EventId,
    /// How often the next message was tried in vain.
    pub attempts: u32,
    /// When it is tried again.
    pub next_attempt_at: Option<Timestamp>,
    /// Why the last attempt failed.
    pub detail: Option<String>,
    /// When the last message was taken.
    pub delivered_at: Option<Timestamp>,
}

/// An entry of the journal that a receiver would not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The entry.
    pub event_id: EventId,
    /// What the last attempt said.
    pub detail: String,
    /// When it was put aside.
    pub created_at: Timestamp,
}

/// Before every id.
const FIRST: &str = "00000000000000000000000000";

const ADD: &str = "
    INSERT INTO consumer (name, cursor, attempts, created_at, updated_at)
    VALUES (?1, ?2, 0, ?3, ?3) ON CONFLICT (name) DO NOTHING";

const MOVE: &str = "
    UPDATE consumer SET cursor = max(cursor, ?2), attempts = 0, next_attempt_at = NULL,
        detail = NULL, delivered_at = coalesce(?3, delivered_at), updated_at = ?4
    WHERE name = ?1";

const FAIL: &str = "
    UPDATE consumer SET attempts = ?2, next_attempt_at = ?3, detail = ?4, updated_at = ?5
    WHERE name = ?1";

const HURRY: &str = "
    UPDATE consumer SET next_attempt_at = NULL, updated_at = ?2
    WHERE name = ?1 AND attempts > 0";

impl ReadTx<'_> {
    /// A reader of the journal.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn consumer(&self, name: &str) -> Result<Option<Consumer>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM consumer WHERE name = ?1")?;
        Ok(collect("consumer", statement.query([name])?, read_consumer)?.pop())
    }

    /// What a reader would not take, the oldest entry first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn dead_letters(&self, consumer: &str) -> Result<Vec<DeadLetter>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT event_id, detail, created_at FROM dead_letter WHERE consumer = ?1
             ORDER BY event_id",
        )?;
        collect("dead_letter", statement.query([consumer])?, read_dead_letter)
    }

    /// The newest entry that a reader would not take.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn newest_dead_letter(&self, consumer: &str) -> Result<Option<DeadLetter>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT event_id, detail, created_at FROM dead_letter WHERE consumer = ?1
             ORDER BY event_id DESC LIMIT 1",
        )?;
        Ok(collect("dead_letter", statement.query([consumer])?, read_dead_letter)?.pop())
    }

    /// How many entries a reader would not take.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn count_dead_letters(&self, consumer: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM dead_letter WHERE consumer = ?1";
        let count: i64 =
            self.conn().prepare_cached(sql)?.query_row([consumer], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// How many entries come behind one, `most` at most: nobody waits for a count of
    /// the whole journal.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn events_behind(&self, cursor: EventId, most: u32) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM event WHERE id > ?1 LIMIT ?2)";
        let count: i64 = self
            .conn()
            .prepare_cached(sql)?
            .query_row(params![cursor.to_string(), most], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// The last entry that every one of these readers is done with; `None` where there
    /// is no such reader. What lies behind it no one still has to read.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn slowest_consumer(&self) -> Result<Option<EventId>, StoreError> {
        let found: Option<String> = self
            .conn()
            .prepare_cached("SELECT min(cursor) FROM consumer")?
            .query_row([], |row| row.get(0))?;
        found.map(|text| parse("consumer", "cursor", &text)).transpose()
    }
}

impl WriteTx<'_> {
    /// Takes a reader up. A new one starts behind the newest entry: what was before
    /// it nobody has asked to be told.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_consumer(&mut self, name: &str) -> Result<(), StoreError> {
        let newest: Option<String> =
            self.conn().query_row("SELECT max(id) FROM event", [], |row| row.get(0))?;
        let cursor = newest.unwrap_or_else(|| FIRST.to_owned());
        self.conn().prepare_cached(ADD)?.execute(params![name, cursor, self.now().to_string()])?;
        Ok(())
    }

    /// Forgets the readers that are none of these, with what they would not take: the
    /// journal must not be kept for who is not there any more.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn keep_consumers(&mut self, names: &[String]) -> Result<(), StoreError> {
        let names = serde_json::to_string(names)
            .map_err(|source| StoreError::Json { column: "consumer.name", source })?;
        for (table, column) in [("consumer", "name"), ("dead_letter", "consumer")] {
            let sql = format!(
                "DELETE FROM {table} WHERE {column} NOT IN (SELECT value FROM json_each(?1))"
            );
            self.conn().execute(&sql, [&names])?;
        }
        Ok(())
    }

    /// Notes that a reader is done with everything up to this entry.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn move_consumer(
        &mut self,
        name: &str,
        cursor: EventId,
        delivered: bool,
    ) -> Result<(), StoreError> {
        let now = self.now();
        let delivered = maybe_time(delivered.then_some(now));
        let values = params![name, cursor.to_string(), delivered, now.to_string()];
        self.conn().prepare_cached(MOVE)?.execute(values)?;
        Ok(())
    }

    /// Notes that an attempt failed, and when the next one is.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn fail_consumer(
        &mut self,
        name: &str,
        attempts: u32,
        next_attempt_at: Timestamp,
        detail: &str,
    ) -> Result<(), StoreError> {
        let now = self.now().to_string();
        let values = params![name, attempts, next_attempt_at.to_string(), detail, now];
        self.conn().prepare_cached(FAIL)?.execute(values)?;
        Ok(())
    }

    /// Puts entries aside that a reader would not take, and goes on behind them.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn put_aside(
        &mut self,
        name: &str,
        events: &[EventId],
        detail: &str,
    ) -> Result<(), StoreError> {
        let now = self.now().to_string();
        for event in events {
            self.conn()
                .prepare_cached(
                    "INSERT INTO dead_letter (consumer, event_id, detail, created_at)
                     VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET detail = excluded.detail",
                )?
                .execute(params![name, event.to_string(), detail, now])?;
        }
        if let Some(last) = events.last() {
            self.move_consumer(name, *last, false)?;
        }
        let ids: Vec<String> = events.iter().map(ToString::to_string).collect();
        let event = NewEvent::new(EventType::NotificationFailed, "message put aside")
            .named(name)
            .with(json!({ "consumer": name, "events": ids, "detail": detail }));
        self.append_event(event)?;
        Ok(())
    }

    /// Notes that a person wants a reader to be told again, of the message that waits
    /// and of what was put aside. Tells whether there is either.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn retry_consumer(&mut self, name: &str) -> Result<bool, StoreError> {
        let now = self.now().to_string();
        let hurried = self.conn().prepare_cached(HURRY)?.execute(params![name, now])?;
        let dead_letters = self.count_dead_letters(name)?;
        if hurried == 0 && dead_letters == 0 {
            return Ok(false);
        }
        let event = NewEvent::new(EventType::NotificationRetried, "tried again at once")
            .named(name)
            .with(json!({ "consumer": name, "dead_letters": dead_letters }));
        self.append_event(event)?;
        Ok(true)
    }

    /// Takes an entry from what was put aside: it was delivered, or is not there any
    /// more.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn settle_dead_letter(&mut self, name: &str, event: EventId) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("DELETE FROM dead_letter WHERE consumer = ?1 AND event_id = ?2")?
            .execute([name, &event.to_string()])?;
        Ok(())
    }
}

fn read_dead_letter(row: &Columns<'_, '_>) -> Result<DeadLetter, StoreError> {
    Ok(DeadLetter {
        event_id: row.parsed("event_id")?,
        detail: row.plain("detail")?,
        created_at: row.parsed("created_at")?,
    })
}

fn read_consumer(row: &Columns<'_, '_>) -> Result<Consumer, StoreError> {
    Ok(Consumer {
        name: row.plain("name")?,
        cursor: row.parsed("cursor")?,
        attempts: u32::try_from(row.unsigned("attempts")?).unwrap_or(u32::MAX),
        next_attempt_at: row.maybe("next_attempt_at")?,
        detail: row.plain("detail")?,
        delivered_at: row.maybe("delivered_at")?,
    })
}
