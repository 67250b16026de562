//! How much went lately, and how long nothing may go.

use std::collections::VecDeque;

/// What was sent at one moment arrives at another: with this much more between them,
/// two do not meet on the way.
const JITTER_MS: u64 = 100;

/// So many in a stretch of time.
#[derive(Debug)]
pub(super) struct Window {
    most: usize,
    span_ms: u64,
    times: VecDeque<u64>,
}

/// A stretch of time in which nothing goes.
#[derive(Debug, Default)]
pub(super) struct Pause {
    from_ms: u64,
    wait_ms: u64,
}

impl Window {
    pub(super) fn new(most: usize, span_ms: u64) -> Self {
        Window { most, span_ms: span_ms + JITTER_MS, times: VecDeque::new() }
    }

    /// How long until one more may go.
    pub(super) fn wait_ms(&mut self, now_ms: u64) -> u64 {
        self.forget(now_ms);
        // Of what went beyond the limit, since somebody waited for it, the last counts.
        let decisive = self.times.len().checked_sub(self.most);
        let decisive = decisive.and_then(|at| self.times.get(at));
        decisive.map_or(0, |time| self.span_ms - (now_ms - time))
    }

    pub(super) fn note(&mut self, now_ms: u64) {
        // They stay in order also where the clock was set back.
        self.forget(now_ms);
        self.times.push_back(now_ms);
    }

    /// The last one was a little later.
    pub(super) fn put_off(&mut self, now_ms: u64) {
        if let Some(last) = self.times.back_mut() {
            *last = now_ms;
        }
        self.forget(now_ms);
    }

    pub(super) fn is_empty(&mut self, now_ms: u64) -> bool {
        self.forget(now_ms);
        self.times.is_empty()
    }

    /// Leaves times that are neither over nor in the future.
    fn forget(&mut self, now_ms: u64) {
        self.times.iter_mut().for_each(|time| *time = (*time).min(now_ms));
        while self.times.front().is_some_and(|time| now_ms - time >= self.span_ms) {
            self.times.pop_front();
        }
    }
}

impl Pause {
    /// Asks for a wait; a longer one that is on already stays.
    pub(super) fn ask(&mut self, wait_ms: u64, now_ms: u64) {
        if self.left(now_ms) < wait_ms {
            // It began on the other side a moment ago, and is told in whole seconds.
            *self = Pause { from_ms: now_ms, wait_ms: wait_ms.saturating_add(JITTER_MS) };
        }
    }

    pub(super) fn left(&mut self, now_ms: u64) -> u64 {
        self.from_ms = self.from_ms.min(now_ms);
        self.wait_ms.saturating_sub(now_ms - self.from_ms)
    }
}
