//! What of the journal may go after its time.
//!
//! What something still rests on stays, however old it is: the word of a person on
//! what a download is, everything of a download that is under way, and what a
//! receiver has not been told of.

use tracker_domain::{EventId, Timestamp};

use crate::row::{Columns, collect};
use crate::{StoreError, WriteTx};

/// What one look at the oldest entries has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept {
    /// How many entries went.
    pub dropped: usize,
    /// Where to look on; `None` when everything of that age was looked at.
    pub next: Option<EventId>,
}

/// One page of the journal from its old end. Looking at ids alone costs the same
/// however long it is.
const PAGE: &str = "
    SELECT event.id AS id, event.created_at AS created_at,
        event.type IN ('system.migrated', 'recognition.accepted', 'recognition.rejected',
                       'override.set', 'hint.added')
        OR coalesce(download.state IN ('queued', 'downloading', 'downloaded', 'linking'), 0)
        OR EXISTS (SELECT 1 FROM dead_letter WHERE dead_letter.event_id = event.id) AS kept
    FROM event LEFT JOIN download ON download.id = event.download_id
    WHERE event.id > ?1 AND event.id <= ?2
    ORDER BY event.id LIMIT ?3";

/// After every id.
const LAST: &str = "7zzzzzzzzzzzzzzzzzzzzzzzzz";

struct Old {
    id: EventId,
    created_at: Timestamp,
    kept: bool,
}

impl WriteTx<'_> {
    /// Takes entries away that are from before `cutoff`, `limit` at most, going on
    /// behind `after`.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn drop_old_events(
        &mut self,
        after: Option<EventId>,
        cutoff: Timestamp,
        limit: u32,
    ) -> Result<Swept, StoreError> {
        let from = after.map(|id| id.to_string()).unwrap_or_default();
        let until = self.slowest_consumer()?.map_or_else(|| LAST.to_owned(), |id| id.to_string());
        let mut statement = self.conn().prepare_cached(PAGE)?;
        let rows = statement.query(rusqlite::params![from, until, limit])?;
        let page = collect("event", rows, read_old)?;
        drop(statement);
        let is_full = page.len() == limit as usize;
        let looked = page.len();
        let old: Vec<Old> = page.into_iter().take_while(|row| row.created_at < cutoff).collect();
        let next = old.last().filter(|_| is_full && old.len() == looked).map(|row| row.id);
        let mut dropped = 0;
        for row in old.into_iter().filter(|row| !row.kept) {
            dropped += self
                .conn()
                .prepare_cached("DELETE FROM event WHERE id = ?1")?
                .execute([row.id.to_string()])?;
        }
        Ok(Swept { dropped, next })
    }
}

fn read_old(row: &Columns<'_, '_>) -> Result<Old, StoreError> {
    Ok(Old {
        id: row.parsed("id")?,
        created_at: row.parsed("created_at")?,
        kept: row.plain("kept")?,
    })
}
