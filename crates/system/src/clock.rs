//! The clock of the machine.

use std::time::{SystemTime, UNIX_EPOCH};

use tracker_domain::UnixMillis;
use tracker_domain::ports::Clock;

/// Tells the time of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the port `Clock`")]
    fn now_ms(&self) -> UnixMillis {
        // A clock before 1970 is a machine without a battery; the epoch is the
        // nearest time that can be written down.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        UnixMillis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, SystemClock};

    #[test]
    fn it_is_later_than_this_line() {
        // 2026-01-01, when this was written.
        assert!(SystemClock.now_ms().0 > 1_767_225_600_000);
    }
}
