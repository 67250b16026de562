//! When the next backup is due.

use std::time::Duration;

use tracker_domain::Timestamp;

/// Whether a backup is due: by the last one that was made, so that a restart
/// neither skips nor repeats one. A last one from a time to come is one of a wrong
/// clock, and must not keep the next from being made.
#[must_use]
pub fn is_due(last: Option<Timestamp>, every: Duration, now: Timestamp) -> bool {
    let Some(last) = last else { return true };
    let seconds = i64::try_from(every.as_secs()).unwrap_or(i64::MAX);
    last > now || last.plus_seconds(seconds) <= now
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use tracker_testkit::spec;

    #[test]
    fn it_counts_from_the_last_one() {
        spec!("backup#due-by-the-last-one/a-restart-in-between");
        let at = |seconds: i64| Timestamp::from_unix(1_000_000 + seconds).unwrap();
        let hour = Duration::from_secs(3600);
        let table = [(None, true), (Some(0), true), (Some(1), false), (Some(3601), true)];
        for (last, due) in table {
            assert_eq!(is_due(last.map(at), hour, at(3600)), due, "{last:?}");
        }
    }
}
