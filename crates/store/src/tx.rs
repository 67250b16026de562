//! The two views of an open transaction. Neither gives its connection away.

use std::ops::Deref;

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use tracker_domain::{Actor, Timestamp, UnixMillis};
use tracker_ident::{AnyId, Generator, Id};

use crate::StoreError;
use crate::row::parse;

/// How far clocks may differ.
const DAY_MS: u64 = 86_400_000;

/// A snapshot to read from. The questions are methods, one module each.
pub struct ReadTx<'c> {
    tx: Transaction<'c>,
}

/// An open write transaction: everything a snapshot has, and the changes.
pub struct WriteTx<'c> {
    read: ReadTx<'c>,
    now: UnixMillis,
    actor: Actor,
    ids: &'c Generator,
    /// The highest id of the database; new ones are greater.
    floor: Option<AnyId>,
    issued: bool,
    /// What the connection had changed before.
    changes_before: u64,
}

impl<'c> ReadTx<'c> {
    pub(crate) fn new(tx: Transaction<'c>) -> Self {
        ReadTx { tx }
    }

    pub(crate) fn conn(&self) -> &Connection {
        &self.tx
    }
}

impl<'c> Deref for WriteTx<'c> {
    type Target = ReadTx<'c>;

    fn deref(&self) -> &ReadTx<'c> {
        &self.read
    }
}

impl<'c> WriteTx<'c> {
    pub(crate) fn new(
        tx: Transaction<'c>,
        now: UnixMillis,
        actor: Actor,
        ids: &'c Generator,
    ) -> Result<Self, StoreError> {
        let floor: Option<String> = tx
            .prepare_cached("SELECT id FROM id_floor WHERE name = 'global'")?
            .query_row([], |row| row.get(0))
            .optional()?;
        let floor = floor.map(|text| parse("id_floor", "id", &text)).transpose()?;
        let changes_before = tx.total_changes();
        let read = ReadTx::new(tx);
        Ok(WriteTx { read, now, actor, ids, floor, issued: false, changes_before })
    }

    /// A new id, greater than every one that was committed before, whichever
    /// process made it.
    pub(crate) fn new_id<E>(&mut self) -> Id<E> {
        let id = self.ids.next(self.now.0, self.floor);
        self.floor = Some(id);
        self.issued = true;
        id.typed()
    }

    /// Takes note of an id that was made for another state of this database, so
    /// that new ones are greater than it as well. Not for one from a time to come,
    /// which would drag every new id along: tells whether it was taken.
    pub(crate) fn not_below(&mut self, id: AnyId) -> bool {
        let latest = self.now.0.saturating_add(DAY_MS);
        if id.unix_ms() > latest {
            return false;
        }
        if self.floor.is_none_or(|floor| floor < id) {
            self.floor = Some(id);
            self.issued = true;
        }
        true
    }

    /// The time of the transaction.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now.into()
    }

    /// Who causes its changes.
    #[must_use]
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Commits, and tells whether anything was written.
    pub(crate) fn commit(self) -> Result<bool, StoreError> {
        if self.issued
            && let Some(floor) = self.floor
        {
            self.conn()
                .prepare_cached(
                    "INSERT INTO id_floor (name, id) VALUES ('global', ?1)
                     ON CONFLICT (name) DO UPDATE SET id = excluded.id",
                )?
                .execute(params![floor.to_string()])?;
        }
        // The count of the last statement alone may be that of an earlier
        // transaction; a wake-up for nothing would wake every stage.
        let changed = self.conn().total_changes() > self.changes_before;
        self.read.tx.commit()?;
        Ok(changed)
    }
}
