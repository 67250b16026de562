//! Answers of the metadata sources, kept so that they need not be asked twice.
//!
//! A cache is no state: its rows have no entry in the journal, and old ones go.

use rusqlite::{OptionalExtension, params};
use tracker_domain::Timestamp;
use tracker_domain::metadata::Provider;

use crate::row::parse;
use crate::{ReadTx, StoreError, WriteTx};

/// So many rows go at once: no other write waits long for it.
const DROPPED_AT_ONCE: u32 = 500;

pub(crate) const CACHED: &str =
    "SELECT answer, fetched_at FROM metadata_cache WHERE provider = ?1 AND request = ?2";

pub(crate) const DROP_BEFORE: &str = "
    DELETE FROM metadata_cache WHERE (provider, request) IN (
        SELECT provider, request FROM metadata_cache WHERE fetched_at < ?1
        ORDER BY fetched_at LIMIT ?2)";

impl ReadTx<'_> {
    /// What a source answered to a request, as JSON, and when. How old an answer
    /// may be is for the caller to say.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn cached(
        &self,
        provider: Provider,
        request: &str,
    ) -> Result<Option<(String, Timestamp)>, StoreError> {
        let found: Option<(String, String)> = self
            .conn()
            .prepare_cached(CACHED)?
            .query_row(params![provider.as_str(), request], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        found
            .map(|(answer, at)| Ok((answer, parse("metadata_cache", "fetched_at", &at)?)))
            .transpose()
    }
}

impl WriteTx<'_> {
    /// Keeps what a source answered, in place of what it answered before.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn put_cached(
        &mut self,
        provider: Provider,
        request: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "INSERT INTO metadata_cache (provider, request, answer, fetched_at)
                 VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (provider, request) DO UPDATE
                     SET answer = excluded.answer, fetched_at = excluded.fetched_at",
            )?
            .execute(params![provider.as_str(), request, answer, now.to_string()])?;
        Ok(())
    }

    /// Drops the oldest answers that were fetched before a time, 500 at most.
    /// Tells how many went; who wants more asks again.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn drop_cached_before(&mut self, time: Timestamp) -> Result<usize, StoreError> {
        let dropped = self
            .conn()
            .prepare_cached(DROP_BEFORE)?
            .execute(params![time.to_string(), DROPPED_AT_ONCE])?;
        Ok(dropped)
    }
}
