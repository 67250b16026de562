//! What of the journal goes after its time, and what stays.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use tempfile::TempDir;
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_domain::{Actor, EventId, Timestamp};
use tracker_store::{Db, EventFilter, NewEvent, Swept, migrate};
use tracker_testkit::{FixedClock, spec};

struct Journal {
    db: Db,
    clock: Arc<FixedClock>,
    _dir: TempDir,
}

impl Journal {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new());
        let path = dir.path().join("tracker.db");
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        let db = Db::open(&path, clock.clone()).unwrap();
        Journal { db, clock, _dir: dir }
    }

    fn add(&self, kind: EventType, count: usize) -> Vec<EventId> {
        let add = || {
            self.db.write_blocking(&Actor::System, |tx| tx.append_event(NewEvent::new(kind, "")))
        };
        (0..count).map(|_| add().unwrap()).collect()
    }

    /// Everything from before this moment goes, page by page.
    fn sweep(&self, cutoff: Timestamp) -> usize {
        let (mut after, mut dropped) = (None, 0);
        loop {
            let Swept { dropped: more, next } = self
                .db
                .write_blocking(&Actor::Worker, |tx| tx.drop_old_events(after, cutoff, 3))
                .unwrap();
            dropped += more;
            if next.is_none() {
                return dropped;
            }
            after = next;
        }
    }

    fn left(&self) -> Vec<EventId> {
        let filter = EventFilter { limit: 1000, ..EventFilter::default() };
        let rows = self.db.read_blocking(|tx| tx.events(&filter)).unwrap();
        let mut ids: Vec<EventId> = rows
            .iter()
            .filter(|row| row.event_type != EventType::SystemMigrated)
            .map(|row| row.id)
            .collect();
        ids.reverse();
        ids
    }
}

#[test]
fn what_is_older_goes_and_nothing_else() {
    spec!("event-journal#retention/by-age");
    let journal = Journal::new();
    journal.add(EventType::ClientOnline, 10);
    let word = journal.add(EventType::RecognitionRejected, 1);
    journal.clock.advance_seconds(100);
    let young = journal.add(EventType::ClientOffline, 5);
    let cutoff = journal.clock.now();
    assert_eq!(journal.sweep(cutoff), 10);
    // What a person said of a match is asked for again, however old it is.
    assert_eq!(journal.left(), [word, young.clone()].concat());
    assert_eq!(journal.sweep(cutoff), 0);
    // The entry about the migration stays, or the next start would write it again.
    let migrated =
        EventFilter { types: vec![EventType::SystemMigrated], limit: 9, ..EventFilter::default() };
    let found = journal.db.read_blocking(|tx| tx.events(&migrated)).unwrap();
    assert_eq!(found.len(), 1);
    // Ids go on above those that went.
    assert!(journal.add(EventType::ClientOnline, 1)[0] > young[4]);
}

#[test]
fn what_a_receiver_has_not_read_stays() {
    spec!("event-journal#retention/not-below-a-receiver");
    let journal = Journal::new();
    let write = |name: &str| {
        let name = name.to_owned();
        journal.db.write_blocking(&Actor::Worker, move |tx| tx.add_consumer(&name)).unwrap();
    };
    let first = journal.add(EventType::ClientOnline, 4);
    write("slow");
    write("fast");
    let second = journal.add(EventType::ClientOffline, 4);
    journal
        .db
        .write_blocking(&Actor::Worker, |tx| tx.move_consumer("fast", second[3], true))
        .unwrap();
    journal.clock.advance_seconds(100);
    let cutoff = journal.clock.now();
    assert_eq!(journal.sweep(cutoff), first.len());
    assert_eq!(journal.left(), second);
    // What was put aside is still to be sent.
    journal
        .db
        .write_blocking(&Actor::Worker, |tx| tx.put_aside("slow", &second[..1], "HTTP 400"))
        .unwrap();
    journal
        .db
        .write_blocking(&Actor::Worker, |tx| tx.move_consumer("slow", second[3], true))
        .unwrap();
    assert_eq!(journal.sweep(cutoff), 3);
    assert_eq!(journal.left()[0], second[0]);
}
