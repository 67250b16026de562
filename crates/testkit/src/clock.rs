//! A clock that moves only when a test says so.

use std::sync::atomic::{AtomicU64, Ordering};

use tracker_domain::UnixMillis;
use tracker_domain::ports::Clock;

/// Stands at a moment until it is moved.
#[derive(Debug)]
pub struct FixedClock(AtomicU64);

impl FixedClock {
    /// 2026-01-02T03:04:05Z.
    pub const START: u64 = 1_767_323_045_000;

    /// A clock at [`FixedClock::START`].
    #[must_use]
    pub fn new() -> Self {
        FixedClock(AtomicU64::new(Self::START))
    }

    /// Moves on by this many seconds.
    pub fn advance_seconds(&self, seconds: u64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    /// Sets the time, also backwards.
    pub fn set_ms(&self, unix_ms: u64) {
        self.0.store(unix_ms, Ordering::SeqCst);
    }
}

impl Default for FixedClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for FixedClock {
    fn now_ms(&self) -> UnixMillis {
        UnixMillis(self.0.load(Ordering::SeqCst))
    }
}
