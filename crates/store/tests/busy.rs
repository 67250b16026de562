//! Whoever writes while somebody else does waits for a while, or not at all.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use support::{Fixture, ann};
use tracker_domain::event::EventType;
use tracker_store::{Db, EventFilter, NewEvent, StoreError, WriteTx};
use tracker_testkit::spec;

const SOON: Duration = Duration::from_millis(50);

/// A write that lasts until it is dropped.
struct Lasting {
    release: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Lasting {
    fn of(db: Db) -> Lasting {
        let (tell, begun) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let last = |_: &mut WriteTx<'_>| {
                tell.send(()).unwrap();
                released.recv().unwrap_err();
                Ok::<_, StoreError>(())
            };
            db.write_blocking(&ann(), last).unwrap();
        });
        begun.recv().unwrap();
        Lasting { release: Some(release), thread: Some(thread) }
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        drop(self.release.take());
        self.thread.take().map(JoinHandle::join);
    }
}

fn noted(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    tx.append_event(NewEvent::new(EventType::HintAdded, "noted")).map(drop)
}

async fn count(db: &Db) -> usize {
    let filter = EventFilter { limit: 200, ..EventFilter::default() };
    db.read(move |tx| tx.events(&filter)).await.unwrap().len()
}

/// Nobody comes through while `other` is written by somebody, and everybody afterwards.
async fn is_left_alone(db: &Db, other: Db) {
    let before = count(db).await;
    db.set_patience(SOON);
    let lasting = Lasting::of(other);
    let refused = db.write(&ann(), noted).await;
    assert!(matches!(&refused, Err(error) if error.is_busy()), "{refused:?}");
    // Without any patience: this one must not wait at all.
    db.set_patience(Duration::from_secs(3600));
    assert!(db.write_if_idle(&ann(), noted).await.unwrap().is_none());
    assert_eq!(count(db).await, before, "nothing was written, and reading goes on");
    drop(lasting);
    assert!(db.write_if_idle(&ann(), noted).await.unwrap().is_some());
    db.write(&ann(), noted).await.unwrap();
    assert_eq!(count(db).await, before + 2);
}

#[test]
fn a_write_gives_up_where_another_process_writes() {
    spec!("fault-tolerance#a-database-that-is-kept/a-change");
    let fixture = Fixture::new();
    let other = Db::open(&fixture.dir.path().join("tracker.db"), fixture.clock.clone()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(is_left_alone(&fixture.db, other));
}

#[test]
fn a_write_gives_up_where_those_before_it_do_not_end() {
    spec!("fault-tolerance#a-database-that-is-kept/the-queue");
    let fixture = Fixture::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(is_left_alone(&fixture.db, fixture.db.clone()));
}
