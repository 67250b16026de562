//! The end of the journal, read once for everybody who follows it: 200 open pages ask
//! the database no more often than one does.
//!
//! It never answers with less than the database held at the last write of this process;
//! what another process wrote is seen at the next look.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use tracker_domain::EventId;
use tracker_ident::AnyId;
use tracker_store::{Db, EventFilter};

use crate::access::ends_admissions;
use crate::convert::event_view;
use crate::error::AppError;
use crate::views::EventView;

/// For so long it is taken that no other process wrote.
const FRESH: Duration = Duration::from_millis(250);

/// So many entries are read at once.
const BATCH: u32 = 200;

/// So many are kept; who is further behind asks the database.
const KEPT: usize = 500;

/// The newest entries.
#[derive(Default)]
pub(super) struct Tail {
    /// The entry before the first of `rows`; `None` before the first look.
    before: Option<AnyId>,
    /// Every entry since then, oldest first.
    rows: VecDeque<EventView>,
    /// The writes of this process that the last look has seen.
    written: u64,
    looked_at: Option<Instant>,
    /// How many entries have passed by after which somebody may be here no more.
    ends: u64,
}

impl Tail {
    /// Reads what came since the last look, where something may have come.
    pub(super) async fn look(&mut self, db: &Db) -> Result<(), AppError> {
        // Before the look: what lands in between leads to another one.
        let written = *db.changes().borrow();
        let is_fresh = self.looked_at.is_some_and(|at| at.elapsed() < FRESH);
        if is_fresh && written == self.written {
            return Ok(());
        }
        let looked_at = Instant::now();
        match self.newest() {
            Some(newest) => self.read_on(db, newest).await?,
            None => self.before = db.read(|tx| tx.newest_event()).await?.map(EventId::any),
        }
        self.written = written;
        self.looked_at = Some(looked_at);
        Ok(())
    }

    fn newest(&self) -> Option<AnyId> {
        self.rows.back().map(|row| row.id.any()).or(self.before)
    }

    /// Ids are in the order of the commits, so nothing comes in between later.
    async fn read_on(&mut self, db: &Db, mut newest: AnyId) -> Result<(), AppError> {
        loop {
            let rows = after(db, newest, BATCH).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            newest = last.id.any();
            let is_all = rows.len() < BATCH as usize;
            self.ends +=
                rows.iter().map(|row| u64::from(ends_admissions(row.event_type))).sum::<u64>();
            self.rows.extend(rows);
            let surplus = self.rows.len().saturating_sub(KEPT);
            if let Some(dropped) = self.rows.drain(..surplus).next_back() {
                self.before = Some(dropped.id.any());
            }
            if is_all {
                return Ok(());
            }
        }
    }

    /// A number that is another one after each entry by which somebody may be here no more.
    pub(super) fn ends(&self) -> u64 {
        self.ends
    }

    /// Those after a cursor, oldest first; `None` where it is from before the tail.
    pub(super) fn after(&self, cursor: AnyId, limit: u32) -> Option<Vec<EventView>> {
        self.before.filter(|before| *before <= cursor)?;
        let first = self.rows.partition_point(|row| row.id.any() <= cursor);
        Some(self.rows.range(first..).take(limit as usize).cloned().collect())
    }
}

/// The same from the database.
pub(super) async fn after(db: &Db, cursor: AnyId, limit: u32) -> Result<Vec<EventView>, AppError> {
    let filter = EventFilter { after: Some(cursor), limit, ..EventFilter::default() };
    let rows = db.read(move |tx| tx.events(&filter)).await?;
    Ok(rows.into_iter().map(event_view).collect())
}
