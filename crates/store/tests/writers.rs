//! Several processes write the journal, and one reads it behind a cursor.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use tracker_domain::Actor;
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_store::{Db, EventFilter, EventRow, NewEvent, migrate};
use tracker_testkit::{FixedClock, eventually_blocking, spec};

/// The folder that a writing process is started in has a database of this name.
const SHARED: &str = "shared-by-writers.db";

const WRITERS: usize = 3;
const EACH: usize = 150;

/// What one writing process does. In any other folder it is one writer alone, on a
/// database of its own.
#[test]
fn a_writing_process() {
    if Path::new(SHARED).exists() {
        write(&Db::open(Path::new(SHARED), clock_of(std::process::id())).unwrap());
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let db = made(&dir.path().join(SHARED));
    write(&db);
    let (found, _) = page(&db, None);
    assert_eq!(found.len(), EACH);
}

/// Clocks of processes differ, and one may be far behind.
fn clock_of(pid: u32) -> Arc<FixedClock> {
    let clock = FixedClock::new();
    clock.set_ms(FixedClock::START - u64::from(pid % 7) * 60_000);
    Arc::new(clock)
}

fn made(path: &Path) -> Db {
    let clock = Arc::new(FixedClock::new());
    migrate::migrate(path, None, clock.now(), 0o600).unwrap();
    Db::open(path, clock).unwrap()
}

fn write(db: &Db) {
    for number in 0..EACH {
        let event = NewEvent::new(EventType::HintAdded, number.to_string());
        let actor = Actor::Api(format!("writer-{}", std::process::id()));
        db.write_blocking(&actor, |tx| tx.append_event(event)).unwrap();
    }
}

/// What was written by writers behind an entry, and where the reader is then.
fn page(db: &Db, after: Option<&EventRow>) -> (Vec<EventRow>, Option<EventRow>) {
    let before_all = "0".repeat(26).parse().unwrap();
    let after = after.map_or(before_all, |row| row.id.any());
    let filter = EventFilter { after: Some(after), limit: 1000, ..EventFilter::default() };
    let rows: Vec<EventRow> = db.read_blocking(|tx| tx.events(&filter)).unwrap();
    let last = rows.last().cloned();
    let written = rows.into_iter().filter(|row| row.event_type == EventType::HintAdded);
    (written.collect(), last)
}

fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_writing_process", "--quiet"])
        .current_dir(folder)
        .spawn()
        .unwrap()
}

#[test]
fn a_reader_misses_nothing_of_several_processes() {
    spec!("event-journal#ids-in-the-order-of-commit/several-processes");
    let dir = tempfile::tempdir().unwrap();
    let db = made(&dir.path().join(SHARED));
    let mut writers: Vec<Child> = (0..WRITERS).map(|_| start(dir.path())).collect();
    let mut found: Vec<EventRow> = Vec::new();
    let mut cursor: Option<EventRow> = None;
    // What is below the cursor once is never looked at again, so an id that came late
    // would be missing.
    eventually_blocking(Duration::from_secs(120), "every writer has ended", || {
        let ended = writers.iter_mut().all(|writer| writer.try_wait().unwrap().is_some());
        loop {
            let (rows, last) = page(&db, cursor.as_ref());
            found.extend(rows);
            let Some(last) = last else { break };
            cursor = Some(last);
        }
        ended.then_some(())
    });
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    assert_eq!(found.len(), WRITERS * EACH);
    assert!(found.is_sorted_by(|one, next| one.id < next.id));
    let mut actors: Vec<&str> = found.iter().map(|row| row.actor.as_str()).collect();
    actors.sort_unstable();
    actors.dedup();
    assert_eq!(actors.len(), WRITERS, "{actors:?}");
    for actor in actors {
        let own = found.iter().filter(|row| row.actor == actor);
        let numbers: Vec<usize> = own.map(|row| row.message.parse().unwrap()).collect();
        assert_eq!(numbers, (0..EACH).collect::<Vec<_>>(), "{actor}");
    }
}
