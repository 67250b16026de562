//! When a complete torrent is stopped.

use std::sync::Arc;

use tracing::info;
use tracker_domain::InfohashV1;

use crate::book::Record;
use crate::config::SeedLimits;
use crate::engine::{Engine, Managed, Up};

/// Counts what left and for how long it seeded, and stops what has reached a limit.
/// `passed_ms` have gone by since the last look of this run.
pub(crate) async fn look(engine: &Arc<Engine>, up: &Up, passed_ms: u64) {
    let all: Vec<Managed> = up
        .session
        .with_torrents(|torrents| torrents.map(|(_, torrent)| Arc::clone(torrent)).collect());
    for torrent in all {
        let Ok(v1) = torrent.info_hash().as_string().parse::<InfohashV1>() else { continue };
        let stats = torrent.stats();
        let seeded = if torrent.is_paused() { 0 } else { passed_ms };
        count(up, v1, stats.uploaded_bytes, stats.finished.then_some(seeded));
        let limits = engine.config.seeding;
        let is_due =
            |record: &Record| !record.stopped && is_enough(record, stats.total_bytes, limits);
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

/// `seeded_ms` is how long a complete one has seeded more.
fn count(up: &Up, v1: InfohashV1, uploaded_bytes: u64, seeded_ms: Option<u64>) {
    let more = up.left_since(v1, uploaded_bytes);
    let is_new = |record: &Record| record.seeding_ms.is_none();
    let is_first = seeded_ms.is_some() && up.read(|book| book.get(v1).is_some_and(is_new));
    if more == 0 && seeded_ms.unwrap_or_default() == 0 && !is_first {
        return;
    }
    up.note(v1, |record| {
        record.uploaded_bytes += more;
        if let Some(seeded) = seeded_ms {
            // That it is complete may have been noticed late: it counts from here on.
            record.seeding_ms = Some(record.seeding_ms.map_or(0, |before| before + seeded));
        }
    });
}

/// Whether a torrent has reached a limit. What a person started again after that
/// goes on.
fn is_enough(record: &Record, size_bytes: u64, limits: SeedLimits) -> bool {
    let Some(ratio) = record.ratio(size_bytes).filter(|_| !record.seeded) else { return false };
    let by_ratio = limits.ratio.is_some_and(|limit| ratio >= limit);
    let seeded = record.seeding_ms.unwrap_or_default();
    let by_time = limits.time.is_some_and(|limit| u128::from(seeded) >= limit.as_millis());
    by_ratio || by_time
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use tracker_testkit::spec;

    use super::*;

    fn record(uploaded: u64, seeding_ms: Option<u64>) -> Record {
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
            seeding_ms,
        }
    }

    #[test]
    fn whichever_comes_first() {
        spec!("torrent-clients#the-embedded-engine/seeded-enough");
        let limits = SeedLimits { ratio: Some(1.0), time: Some(Duration::from_secs(60)) };
        let enough = |record: &Record, limits| is_enough(record, 1_000, limits);
        assert!(!enough(&record(999, Some(59_999)), limits));
        assert!(enough(&record(1_000, Some(50_000)), limits), "by its ratio");
        assert!(enough(&record(0, Some(60_000)), limits), "by its time");
        assert!(!enough(&record(0, None), limits));
        let never = SeedLimits { ratio: None, time: None };
        assert!(!enough(&record(1_000_000, Some(0)), never));
        let again = Record { seeded: true, ..record(1_000_000, Some(0)) };
        assert!(!enough(&again, limits), "a person started it again");
        assert!(!is_enough(&record(0, Some(0)), 0, SeedLimits { time: None, ..limits }));
    }
}
