//! The loop that every stage shares: look, and sleep until something changed or
//! the poll interval is over.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::error;
use tracker_domain::{DownloadId, Timestamp};
use tracker_store::{Db, StoreError};

/// Where a stage may be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// At any await: its calls go to clients, and looking again costs nothing.
    Anywhere,
    /// Only between passes: it works on files, which takes moments, and what
    /// it did should be recorded.
    BetweenPasses,
}

/// One step of the way, done by itself.
pub(crate) trait Stage: Send + Sync + 'static {
    /// For the log.
    const NAME: &'static str;

    /// Where it may be ended.
    const ENDS: Ends = Ends::Anywhere;

    /// Looks for what there is to do and does it.
    fn pass(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// Lets a stage look only now and then, however often it is woken.
#[derive(Debug)]
pub(crate) struct Pace {
    seconds: i64,
    looked_at: Mutex<Option<Timestamp>>,
}

impl Pace {
    /// A look each so many seconds.
    pub(crate) const fn every(seconds: i64) -> Self {
        Pace { seconds, looked_at: Mutex::new(None) }
    }

    /// Whether it is time; notes that it was looked. A clock that went back waits for
    /// nothing.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = looked_at.is_some_and(|at| (0..self.seconds).contains(&now.seconds_since(at)));
        if !recent {
            *looked_at = Some(now);
        }
        !recent
    }
}

/// Logs what failed for one download, so that the others of the pass go on: one
/// bad row must not starve those behind it.
pub(crate) fn survive(stage: &'static str, id: DownloadId, outcome: Result<(), StoreError>) {
    if let Err(failure) = outcome {
        error!(stage, download_id = %id, error = %failure, "a download could not be looked after");
    }
}

/// What a step comes to, or `None` when it panics, which is told. A bug in one place,
/// also in a library that reads what others made, must not end the rest.
pub(crate) async fn caught<T>(step: &'static str, work: impl Future<Output = T>) -> Option<T> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    if outcome.is_err() {
        // The text and the place of a panic are in the log already.
        error!(step, "a step panicked; it is tried again");
    }
    outcome.ok()
}

/// Runs a stage until `stop`. A pass that fails is logged and tried again at the
/// next turn: one bad row must not end the stage.
pub(crate) async fn run_stage<S: Stage>(
    stage: S,
    db: Db,
    every: Duration,
    stop: CancellationToken,
) {
    let mut changes = db.changes();
    while !stop.is_cancelled() {
        // Register before looking, or a change that lands in between is missed.
        changes.borrow_and_update();
        let outcome = tokio::select! {
            () = stop.cancelled(), if S::ENDS == Ends::Anywhere => return,
            outcome = caught(S::NAME, stage.pass()) => outcome,
        };
        if let Some(Err(failure)) = outcome {
            error!(stage = S::NAME, error = %failure, "a pass failed");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            _ = changes.changed() => {}
            () = sleep(every) => {}
        }
    }
}

#[cfg(test)]
mod tests;
