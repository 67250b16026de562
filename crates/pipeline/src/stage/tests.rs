//! The loop: what wakes it, what it survives, and where it ends.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracker_domain::Actor;
use tracker_domain::ports::Clock;
use tracker_store::{Db, StoreError, migrate};
use tracker_testkit::{FixedClock, eventually};

use super::{Ends, Stage, run_stage};

const PATIENCE: Duration = Duration::from_secs(20);
const NEVER: Duration = Duration::from_secs(3600);

fn database() -> (Db, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::new());
    let path = dir.path().join("tracker.db");
    migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
    (Db::open(&path, clock).unwrap(), dir)
}

/// Counts its passes; the first one fails, the second one panics.
struct Counting(Arc<AtomicUsize>);

impl Stage for Counting {
    const NAME: &'static str = "counting";

    async fn pass(&self) -> Result<(), StoreError> {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            0 => Err(StoreError::ShuttingDown),
            1 => panic!("told to"),
            _ => Ok(()),
        }
    }
}

#[tokio::test]
async fn a_pass_that_fails_or_panics_ends_nothing_and_a_write_wakes() {
    let (db, _dir) = database();
    let (passes, stop) = (Arc::new(AtomicUsize::new(0)), CancellationToken::new());
    let stage = run_stage(Counting(passes.clone()), db.clone(), NEVER, stop.clone());
    let running = tokio::spawn(stage);
    let after = async |count: usize| {
        eventually(PATIENCE, "the pass", async || {
            (passes.load(Ordering::SeqCst) >= count).then_some(())
        })
        .await;
    };
    after(1).await;
    db.write(&Actor::System, |tx| tx.record_start("1.0")).await.unwrap();
    after(2).await;
    db.write(&Actor::System, |tx| tx.record_start("1.0")).await.unwrap();
    after(3).await;
    stop.cancel();
    timeout(PATIENCE, running).await.expect("it ends").unwrap();
}

#[tokio::test]
async fn a_lost_wake_up_costs_one_interval() {
    let (db, _dir) = database();
    let (passes, stop) = (Arc::new(AtomicUsize::new(0)), CancellationToken::new());
    let every = Duration::from_millis(5);
    let running = tokio::spawn(run_stage(Counting(passes.clone()), db, every, stop.clone()));
    eventually(PATIENCE, "passes without a write", async || {
        (passes.load(Ordering::SeqCst) >= 3).then_some(())
    })
    .await;
    stop.cancel();
    timeout(PATIENCE, running).await.expect("it ends").unwrap();
}

/// Waits in its pass until it is let go.
struct Waiting<const WHOLE: bool> {
    inside: Arc<Semaphore>,
    gate: Arc<Semaphore>,
    done: Arc<AtomicUsize>,
}

impl<const WHOLE: bool> Stage for Waiting<WHOLE> {
    const NAME: &'static str = "waiting";
    const ENDS: Ends = if WHOLE { Ends::BetweenPasses } else { Ends::Anywhere };

    async fn pass(&self) -> Result<(), StoreError> {
        self.inside.add_permits(1);
        let _permit = self.gate.acquire().await.unwrap();
        self.done.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

fn waiting<const WHOLE: bool>() -> Waiting<WHOLE> {
    let empty = || Arc::new(Semaphore::new(0));
    Waiting { inside: empty(), gate: empty(), done: Arc::default() }
}

#[tokio::test]
async fn a_stop_ends_a_pass_that_waits_for_a_client() {
    let (db, _dir) = database();
    let (stage, stop) = (waiting::<false>(), CancellationToken::new());
    let (inside, done) = (stage.inside.clone(), stage.done.clone());
    let running = tokio::spawn(run_stage(stage, db, NEVER, stop.clone()));
    let _there = inside.acquire().await.unwrap();
    stop.cancel();
    timeout(PATIENCE, running).await.expect("it ends").unwrap();
    assert_eq!(done.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_stop_waits_for_a_pass_that_works_on_files() {
    let (db, _dir) = database();
    let (stage, stop) = (waiting::<true>(), CancellationToken::new());
    let (inside, gate, done) = (stage.inside.clone(), stage.gate.clone(), stage.done.clone());
    let running = tokio::spawn(run_stage(stage, db, NEVER, stop.clone()));
    let _there = inside.acquire().await.unwrap();
    stop.cancel();
    tokio::task::yield_now().await;
    assert!(!running.is_finished());
    gate.add_permits(1);
    timeout(PATIENCE, running).await.expect("it ends").unwrap();
    assert_eq!(done.load(Ordering::SeqCst), 1);
}
