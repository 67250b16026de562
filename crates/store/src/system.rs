//! What the program tells of itself in the journal.

use serde_json::{Map, Value, json};
use tracker_domain::Actor;
use tracker_domain::event::EventType;

use crate::journal::{EventFilter, NewEvent};
use crate::{Db, StoreError, WriteTx, migrate};

/// Writes the entry of a migration that has none yet. The migration itself
/// cannot: it runs on a connection of its own, before there is a journal.
pub(crate) fn record_migrations(db: &Db) -> Result<(), StoreError> {
    let told = db.read_blocking(|tx| {
        let filter = EventFilter {
            types: vec![EventType::SystemMigrated],
            limit: 1,
            ..EventFilter::default()
        };
        let newest = tx.events(&filter)?.pop();
        let version = newest.and_then(|event| event.data.get("to").and_then(Value::as_u64));
        Ok::<_, StoreError>(version.unwrap_or(0))
    })?;
    if told >= u64::from(migrate::LATEST) {
        return Ok(());
    }
    // Nobody else has the handle yet, so there is no turn to wait for; waiting
    // would block a thread that may belong to a runtime.
    db.write_here(&Actor::System, |tx| {
        let mut rows = Map::new();
        let mut corners = Map::new();
        for (what, count) in notes(tx.conn(), told)? {
            match what.strip_prefix("rows.") {
                Some(table) => rows.insert(table.to_owned(), json!(count)),
                None => corners.insert(what, json!(count)),
            };
        }
        tx.append_event(NewEvent::new(EventType::SystemMigrated, "database migrated").with(
            json!({
                "from": told,
                "to": migrate::LATEST,
                "rows": rows,
                "counts": corners,
            }),
        ))?;
        Ok::<_, StoreError>(())
    })
}

/// What every migration noted that the journal does not tell of yet.
fn notes(conn: &rusqlite::Connection, told: u64) -> Result<Vec<(String, i64)>, StoreError> {
    let mut noted = Vec::new();
    for version in (1..=migrate::LATEST).filter(|version| u64::from(*version) > told) {
        let found = migrate::notes(conn, version).map_err(|error| StoreError::Corrupt {
            table: "migration_note",
            column: "count",
            found: String::new(),
            detail: error.to_string(),
        })?;
        noted.extend(found);
    }
    Ok(noted)
}

impl WriteTx<'_> {
    /// Tells that a process began to run the workers.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn record_start(&mut self, version: &str) -> Result<(), StoreError> {
        self.append_event(
            NewEvent::new(EventType::SystemStarted, "started").with(json!({ "version": version })),
        )?;
        Ok(())
    }

    /// Tells that a client began or ceased to answer.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn record_client(
        &mut self,
        client: &str,
        online: bool,
        detail: &str,
    ) -> Result<(), StoreError> {
        let (kind, message) = if online {
            (EventType::ClientOnline, "client answers")
        } else {
            (EventType::ClientOffline, "client does not answer")
        };
        self.append_event(
            NewEvent::new(kind, message)
                .named(client)
                .with(json!({ "client": client, "detail": detail })),
        )?;
        Ok(())
    }
}
