//! How much there is of everything, for the metrics: counts, sizes and ages, and
//! nothing that tells what anything is called.

use std::path::PathBuf;

use tracker_domain::{Attention, DownloadId, DownloadState, JobState, Timestamp};

use crate::row::parse;
use crate::{ReadTx, StoreError};

/// What is counted at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Downloads by state; only states that occur.
    pub downloads: Vec<(DownloadState, u64)>,
    /// Downloads by attention; only codes that occur.
    pub attention: Vec<(Attention, u64)>,
    /// The oldest download that no client has yet.
    pub oldest_queued: Option<DownloadId>,
    /// Batches by state; only states that occur.
    pub batches: Vec<(String, u64)>,
    /// Wishes to clients that are not carried out yet.
    pub open_tasks: u64,
    /// Jobs by state; only states that occur.
    pub jobs: Vec<(JobState, u64)>,
    /// When the newest backup was begun that came about.
    pub last_backup: Option<Timestamp>,
    /// Entries that receivers would not take.
    pub dead_letters: u64,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// Bytes of its write-ahead log, where that can be seen.
    pub wal_bytes: Option<u64>,
}

impl ReadTx<'_> {
    /// Counts.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn figures(&self) -> Result<Figures, StoreError> {
        let one = |sql: &str| -> Result<u64, StoreError> {
            let count: i64 = self.conn().prepare_cached(sql)?.query_row([], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        };
        let oldest: Option<String> = self
            .conn()
            .prepare_cached("SELECT min(id) FROM download WHERE state = 'queued'")?
            .query_row([], |row| row.get(0))?;
        Ok(Figures {
            downloads: self.by_word("download", "state")?,
            attention: self.by_word("download", "attention")?,
            oldest_queued: oldest.map(|text| parse("download", "id", &text)).transpose()?,
            batches: self.by_word("apply_batch", "state")?,
            open_tasks: one("SELECT count(*) FROM client_task WHERE done_at IS NULL")?,
            jobs: self.by_word("job", "state")?,
            last_backup: self.backup_history()?.last_done,
            dead_letters: one("SELECT count(*) FROM dead_letter")?,
            database_bytes: one(
                "SELECT p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s",
            )?,
            wal_bytes: self.wal_bytes()?,
        })
    }

    /// How many rows have each word of a column.
    fn by_word<T>(
        &self,
        table: &'static str,
        column: &'static str,
    ) -> Result<Vec<(T, u64)>, StoreError>
    where
        T: std::str::FromStr,
        T::Err: std::fmt::Display,
    {
        let sql = format!(
            "SELECT {column}, count(*) FROM {table} WHERE {column} IS NOT NULL
             GROUP BY {column} ORDER BY {column}"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let word: String = row.get(0)?;
            let count: i64 = row.get(1)?;
            found.push((parse(table, column, &word)?, count.unsigned_abs()));
        }
        Ok(found)
    }

    /// The log lies beside the database.
    fn wal_bytes(&self) -> Result<Option<u64>, StoreError> {
        let file: String = self
            .conn()
            .prepare_cached("SELECT file FROM pragma_database_list WHERE name = 'main'")?
            .query_row([], |row| row.get(0))?;
        let log = PathBuf::from(format!("{file}-wal"));
        Ok(std::fs::metadata(log).ok().map(|meta| meta.len()))
    }
}
