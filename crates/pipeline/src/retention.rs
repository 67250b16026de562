//! The worker that takes entries of the journal away after their time.

use std::sync::{Mutex, PoisonError};

use tracing::info;
use tracker_domain::{Actor, Timestamp};
use tracker_store::StoreError;

use crate::Pipeline;
use crate::stage::Stage;

/// How often it looks.
const EVERY: i64 = 3600;

/// How many entries one transaction looks at: nobody waits long behind it.
const PAGE: u32 = 500;

const DAY: i64 = 86_400;

/// The stage; it is started only where a time is set.
pub(crate) struct RetentionStage {
    pipeline: Pipeline,
    days: u32,
    looked_at: Mutex<Option<Timestamp>>,
}

impl RetentionStage {
    pub(crate) fn new(pipeline: Pipeline, days: u32) -> Self {
        RetentionStage { pipeline, days, looked_at: Mutex::new(None) }
    }

    /// Whether it is time; notes that it was looked at.
    fn is_due(&self, now: Timestamp) -> bool {
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = looked_at.is_some_and(|at| (0..EVERY).contains(&now.seconds_since(at)));
        if !recent {
            *looked_at = Some(now);
        }
        !recent
    }
}

impl Stage for RetentionStage {
    const NAME: &'static str = "retention";

    async fn pass(&self) -> Result<(), StoreError> {
        let now = self.pipeline.db.clock().now();
        if !self.is_due(now) {
            return Ok(());
        }
        let cutoff = now.plus_seconds(-DAY * i64::from(self.days));
        let (mut after, mut dropped) = (None, 0);
        loop {
            let write = self
                .pipeline
                .db
                .write(&Actor::Worker, move |tx| tx.drop_old_events(after, cutoff, PAGE));
            let swept = write.await?;
            dropped += swept.dropped;
            if swept.next.is_none() {
                break;
            }
            after = swept.next;
        }
        if dropped > 0 {
            info!(
                dropped,
                retention_days = self.days,
                "old entries of the journal were taken away"
            );
        }
        Ok(())
    }
}
