//! When a complete torrent is stopped.

use std::sync::Arc;

use tracing::info;
use tracker_domain::InfohashV1;
use tracker_domain::time::UnixMillis;

use crate::book::Record;
use crate::config::SeedLimits;
use crate::engine::{Engine, Managed, Up};

/// Counts what left, and stops what has reached a limit.
pub(crate) async fn look(engine: &Arc<Engine>, up: &Up) {
    let all: Vec<Managed> = up
        .session
        .with_torrents(|torrents| torrents.map(|(_, torrent)| Arc::clone(torrent)).collect());
    let now = engine.clock.now_ms();
    for torrent in all {
        let Ok(v1) = torrent.info_hash().as_string().parse::<InfohashV1>() else { continue };
        let stats = torrent.stats();
        count(up, v1, stats.uploaded_bytes, stats.finished.then_some(now));
        let limits = engine.config.seeding;
        let is_due =
            |record: &Record| !record.stopped && is_enough(record, stats.total_bytes, now, limits);
        if !stats.finished || !up.read(|book| book.get(v1).is_some_and(is_due)) {
            continue;
        }
        let stopped = up
            .write(move |book| {
                book.change(v1, |record| {
                    record.stopped = true;
                    record.seeded = true;
                })
            })
            .await;
        if stopped.is_ok() && !torrent.is_paused() && up.session.pause(&torrent).await.is_ok() {
            info!(client = %engine.config.name,
                "a torrent was seeded for as long as the limits say");
        }
    }
}

fn count(up: &Up, v1: InfohashV1, uploaded_bytes: u64, complete_at: Option<UnixMillis>) {
    let more = up.left_since(v1, uploaded_bytes);
    let is_first = |record: &Record| record.complete_at_ms.is_none();
    let first = complete_at.filter(|_| up.read(|book| book.get(v1).is_some_and(is_first)));
    if more == 0 && first.is_none() {
        return;
    }
    up.note(v1, |record| {
        record.uploaded_bytes += more;
        record.complete_at_ms = record.complete_at_ms.or(first.map(|at| at.0));
    });
}

/// Whether a torrent has reached a limit. What a person started again after that
/// goes on.
fn is_enough(record: &Record, size_bytes: u64, now: UnixMillis, limits: SeedLimits) -> bool {
    let Some(ratio) = record.ratio(size_bytes).filter(|_| !record.seeded) else { return false };
    let by_ratio = limits.ratio.is_some_and(|limit| ratio >= limit);
    let since = record.seeded_ms(now).unwrap_or_default();
    let by_time = limits.time.is_some_and(|limit| u128::from(since) >= limit.as_millis());
    by_ratio || by_time
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use tracker_testkit::spec;

    use super::*;

    fn record(uploaded: u64, complete_at_ms: Option<u64>) -> Record {
        Record {
            chosen: None,
            hashes: Vec::new(),
            name: String::new(),
            link: None,
            save_path: PathBuf::new(),
            tags: Vec::new(),
            stopped: false,
            seeded: false,
            uploaded_bytes: uploaded,
            complete_at_ms,
        }
    }

    #[test]
    fn whichever_comes_first() {
        spec!("torrent-clients#the-embedded-engine/seeded-enough");
        let limits = SeedLimits { ratio: Some(1.0), time: Some(Duration::from_secs(60)) };
        let now = UnixMillis(100_000);
        let enough = |record: &Record, limits| is_enough(record, 1_000, now, limits);
        assert!(!enough(&record(999, Some(50_000)), limits));
        assert!(enough(&record(1_000, Some(50_000)), limits), "by its ratio");
        assert!(enough(&record(0, Some(40_000)), limits), "by its time");
        // A clock that was set back is no time.
        assert!(!enough(&record(0, Some(200_000)), limits));
        assert!(!enough(&record(0, None), limits));
        let never = SeedLimits { ratio: None, time: None };
        assert!(!enough(&record(1_000_000, Some(0)), never));
        let again = Record { seeded: true, ..record(1_000_000, Some(0)) };
        assert!(!enough(&again, limits), "a person started it again");
        assert!(!is_enough(&record(0, Some(0)), 0, now, SeedLimits { time: None, ..limits }));
    }
}
