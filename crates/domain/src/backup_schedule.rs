//! When the schedule wants the next backup: counted from what was done and tried,
//! so that a restart neither skips one nor makes one twice.

use std::time::Duration;

use crate::Timestamp;

/// The pause after the first attempt that failed; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(60);

/// The longest pause between attempts, where the schedule itself is not shorter.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

/// How long a program runs before the first backup of all: a fresh database has
/// nothing that is worth one.
const BEFORE_THE_FIRST: Duration = Duration::from_secs(600);

/// What the rows say of backups so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackupHistory {
    /// The time of the newest backup that lies at its target.
    pub last_done: Option<Timestamp>,
    /// How many attempts have failed since.
    pub failures: u32,
    /// When the last of these ended.
    pub last_failure: Option<Timestamp>,
    /// The time of the first entry of the journal.
    pub first_entry: Option<Timestamp>,
}

impl BackupHistory {
    /// Whether a backup is to be made now by a program that runs since `started`. A
    /// time that is yet to come was written by a wrong clock and holds nothing back.
    #[must_use]
    pub fn is_due(&self, every: Duration, started: Timestamp, now: Timestamp) -> bool {
        let passed = |since: Option<Timestamp>, pause: Duration| match since {
            Some(since) if since <= now => now.seconds_since(since) >= whole_seconds(pause),
            Some(_) | None => true,
        };
        let in_time = match self.last_done {
            Some(_) => passed(self.last_done, every),
            // One that is started anew again and again gets to it all the same.
            None => {
                passed(Some(started), BEFORE_THE_FIRST.min(every))
                    || passed(self.first_entry, every)
            }
        };
        in_time && passed(self.last_failure, self.pause(every))
    }

    /// Whether the newest backup is older than the schedule allows, with one period
    /// of grace for attempts and long copies.
    #[must_use]
    pub fn is_overdue(&self, every: Duration, now: Timestamp) -> bool {
        match self.last_done {
            None => {
                self.failures > 0
                    || self.first_entry.is_some_and(|first| {
                        now.seconds_since(first) >= whole_seconds(every.saturating_mul(2))
                    })
            }
            Some(done) => now.seconds_since(done) >= whole_seconds(every.saturating_mul(2)),
        }
    }

    /// How long to wait after the last attempt that failed: never longer than the
    /// schedule does.
    fn pause(&self, every: Duration) -> Duration {
        if self.failures == 0 {
            return Duration::ZERO;
        }
        let doubled = 1u32.checked_shl(self.failures - 1).unwrap_or(u32::MAX);
        FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE).min(every)
    }
}

fn whole_seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix(1_800_000_000 + seconds).unwrap()
    }

    fn done(seconds: i64) -> BackupHistory {
        BackupHistory { last_done: Some(at(seconds)), ..BackupHistory::default() }
    }

    /// Of a program that runs for long.
    fn is_due(history: BackupHistory, every: Duration, now: Timestamp) -> bool {
        history.is_due(every, at(-1_000_000), now)
    }

    #[test]
    fn a_period_after_the_last_one_that_came_about() {
        spec!("backup#a-schedule-counts-from-what-was-done/a-period-later");
        assert!(is_due(BackupHistory::default(), DAY, at(0)), "there is none yet");
        assert!(!is_due(done(0), DAY, at(86_399)));
        assert!(is_due(done(0), DAY, at(86_400)));
        assert!(is_due(done(1_000_000), DAY, at(0)), "the clock was wrong when it was made");
    }

    #[test]
    fn the_first_one_waits_for_something_to_keep() {
        spec!("backup#a-schedule-counts-from-what-was-done/the-first-one");
        let fresh = BackupHistory { first_entry: Some(at(0)), ..BackupHistory::default() };
        assert!(!fresh.is_due(DAY, at(0), at(599)));
        assert!(fresh.is_due(DAY, at(0), at(600)));
        assert!(!fresh.is_due(DAY, at(86_300), at(86_399)), "started anew each time");
        assert!(fresh.is_due(DAY, at(86_300), at(86_400)));
    }

    #[test]
    fn what_fails_is_tried_again_with_growing_pauses() {
        spec!("backup#a-schedule-counts-from-what-was-done/a-failed-attempt");
        let failed = |failures| BackupHistory {
            failures,
            last_failure: Some(at(0)),
            ..BackupHistory::default()
        };
        for (failures, pause) in [(1, 60), (2, 120), (6, 1920), (7, 3600), (40, 3600)] {
            assert!(!is_due(failed(failures), DAY, at(pause - 1)), "{failures}");
            assert!(is_due(failed(failures), DAY, at(pause)), "{failures}");
        }
        let often = Duration::from_secs(10);
        assert!(is_due(failed(7), often, at(10)), "not longer than the schedule");
    }

    #[test]
    fn late_is_told_apart_from_never_tried() {
        spec!("backup#a-schedule-counts-from-what-was-done/overdue");
        assert!(!BackupHistory::default().is_overdue(DAY, at(0)));
        let failed =
            BackupHistory { failures: 1, last_failure: Some(at(0)), ..BackupHistory::default() };
        assert!(failed.is_overdue(DAY, at(0)));
        assert!(!done(0).is_overdue(DAY, at(2 * 86_400 - 1)));
        assert!(done(0).is_overdue(DAY, at(2 * 86_400)));
    }

    proptest! {
        /// A daemon that looks at any times, and is restarted between any of them,
        /// makes one backup a period: never two within one, and none is left out
        /// once somebody looks after it.
        #[test]
        fn a_restart_neither_skips_nor_repeats(looks in proptest::collection::vec(1i64..200_000, 1..60)) {
            spec!("backup#a-schedule-counts-from-what-was-done/restarts");
            let (mut now, mut last) = (0, None::<i64>);
            for step in looks {
                now += step;
                // All that survives a restart is the row.
                let history = last.map_or_else(BackupHistory::default, done);
                let due = is_due(history, DAY, at(now));
                prop_assert_eq!(due, last.is_none_or(|last| now - last >= 86_400));
                if due {
                    last = Some(now);
                }
            }
        }
    }
}
