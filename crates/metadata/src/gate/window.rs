//! Our own limit: so many calls in any ten seconds.
//!
//! The moments of the last calls are kept. A bucket that fills up over time
//! would let twice as many through in one stretch of ten seconds.

use std::collections::VecDeque;

use tracker_domain::UnixMillis;

const SPAN_MS: u64 = 10_000;

/// The calls of the last ten seconds.
pub(super) struct Window {
    calls: usize,
    taken: VecDeque<UnixMillis>,
}

impl Window {
    pub(super) fn new(calls: usize) -> Self {
        Window { calls: calls.max(1), taken: VecDeque::new() }
    }

    /// How long until one more call fits; 0 for now.
    pub(super) fn wait_ms(&mut self, now: UnixMillis) -> u64 {
        // Calls of the future are of a clock that was set back since.
        for moment in &mut self.taken {
            *moment = (*moment).min(now);
        }
        while self.taken.front().is_some_and(|oldest| now.since(*oldest) >= SPAN_MS) {
            self.taken.pop_front();
        }
        let full = self.taken.len() >= self.calls;
        let oldest = self.taken.front().filter(|_| full);
        oldest.map_or(0, |oldest| SPAN_MS.saturating_sub(now.since(*oldest)))
    }

    /// Counts a call.
    pub(super) fn take(&mut self, now: UnixMillis) {
        self.taken.push_back(now);
    }
}
