//! The invariant "at most one active owner" under load: random steps from
//! several threads and a second process on one database file, checked after
//! each step.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Runtime};
use tracker_domain::ports::Clock;
use tracker_domain::{
    Actor, Attention, DownloadCause, DownloadId, Infohash, InfohashV1, InfohashV2, Magnet,
};
use tracker_ingest::{NewIntake, Wish, accept, cancel, retry};
use tracker_store::{Db, Reason, StoreError, WriteTx, migrate};
use tracker_testkit::{FixedClock, spec};

/// Names the database to a second process of this very test binary.
const CHILD: &str = "TRACKER_TEST_ONE_OWNER";

/// Torrents that the steps are about: few, so that they meet.
const TORRENTS: u8 = 4;

fn full() -> bool {
    std::env::var_os("TRACKER_SOAK").is_some()
}

#[expect(clippy::disallowed_methods, reason = "the seed of a long run comes from outside")]
fn seed() -> u64 {
    std::env::var("TRACKER_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// SplitMix64: a few lines that give the same steps for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

fn v1_of(torrent: u8) -> Infohash {
    InfohashV1::from_bytes([torrent + 1; 20]).into()
}

fn v2_of(torrent: u8) -> Infohash {
    let mut bytes = [torrent + 1; 32];
    bytes[0] = 0xee;
    InfohashV2::from_bytes(bytes).into()
}

fn magnet(torrent: u8, form: u64) -> Magnet {
    let (v1, v2) = (v1_of(torrent), v2_of(torrent));
    let text = match form {
        0 => format!("magnet:?xt=urn:btih:{v1}"),
        1 => format!("magnet:?xt=urn:btmh:1220{v2}"),
        _ => format!("magnet:?xt=urn:btih:{v1}&xt=urn:btmh:1220{v2}&dn=Film"),
    };
    Magnet::parse(&text).unwrap()
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn any_download(db: &Db, torrent: u8, dice: &mut Dice) -> Option<DownloadId> {
    let hash = if dice.roll(2) == 0 { v1_of(torrent) } else { v2_of(torrent) };
    let ids = db.read_blocking(|tx| tx.downloads_with([hash])).unwrap();
    let index = usize::try_from(dice.roll(ids.len().max(1) as u64)).unwrap();
    ids.get(index).copied()
}

/// One random step. Refusals are answers, not failures.
fn step(db: &Db, runtime: &Runtime, dice: &mut Dice) {
    let actor = Actor::Worker;
    let torrent = u8::try_from(dice.roll(u64::from(TORRENTS))).unwrap();
    let write = |body: &dyn Fn(&mut WriteTx<'_>) -> Result<(), StoreError>| {
        db.write_blocking(&actor, |tx| body(tx)).unwrap();
    };
    let choice = dice.roll(9);
    if choice < 3 {
        let intake = NewIntake::of_magnet(&magnet(torrent, choice));
        runtime.block_on(accept(db, intake, &actor)).unwrap();
        return;
    }
    let Some(id) = any_download(db, torrent, dice) else { return };
    match choice {
        3 => {
            let _refusal = runtime.block_on(retry(db, id, None, None, &actor));
        }
        4 => {
            let _refusal = runtime.block_on(cancel(db, id, Wish::Leave, None, &actor));
        }
        5 => write(&|tx| tx.add_infohashes(id, &[v1_of(torrent), v2_of(torrent)]).map(|_| ())),
        6 => write(&|tx| {
            let reason = Reason::because(Attention::ClientMissing, "gone");
            tx.set_download_state(id, DownloadCause::Missing, &reason).map(|_| ())
        }),
        7 => write(&|tx| {
            tx.activate_if_no_other_active(id, DownloadCause::SeenAgain, &Reason::none())
                .map(|_| ())
        }),
        _ => write(&|tx| {
            let owners = tx.active_owners([v1_of(torrent), v2_of(torrent)])?;
            if let [older, newer, ..] = owners[..] {
                let _refusal = tx.merge_downloads(older, newer)?;
            }
            Ok(())
        }),
    }
}

fn play(db: &Db, seed: u64, steps: usize) {
    let runtime = runtime();
    let mut dice = Dice(seed);
    for number in 0..steps {
        step(db, &runtime, &mut dice);
        let twice = db.read_blocking(|tx| tx.owned_twice()).unwrap();
        assert_eq!(twice, vec![], "after step {number} of seed {seed}");
    }
}

fn open(path: &Path) -> Db {
    let clock = Arc::new(FixedClock::new());
    Db::open(path, clock).unwrap()
}

/// Starts this test binary again, to run `second_process` alone on the file.
fn child(path: &Path, seed: u64, steps: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "second_process"])
        .env(CHILD, format!("{}\n{seed}\n{steps}", path.display()))
        .spawn()
        .unwrap()
}

/// The second process. As a test of its own it has nothing to do.
#[test]
#[expect(clippy::disallowed_methods, reason = "the first process says what to do")]
fn second_process() {
    let Ok(order) = std::env::var(CHILD) else { return };
    let parts: Vec<&str> = order.split('\n').collect();
    let [path, seed, steps] = parts[..] else { panic!("a broken order") };
    play(&open(Path::new(path)), seed.parse().unwrap(), steps.parse().unwrap());
}

#[test]
fn every_hash_has_one_active_owner_at_most() {
    spec!("ingest#guarded-return-to-activity/one-active-owner-under-load");
    let (rounds, steps) = if full() { (20, 1500) } else { (2, 120) };
    for round in 0..rounds {
        let seed = seed().wrapping_mul(1000) + round;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tracker.db");
        migrate::migrate(&path, None, FixedClock::new().now(), 0o600).unwrap();
        let db = open(&path);
        let mut other = child(&path, seed + 500, steps);
        let threads: Vec<_> = (0..3)
            .map(|thread| {
                let db = db.clone();
                thread::spawn(move || play(&db, seed + thread * 100, steps))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(other.wait().unwrap().success(), "the second process, seed {seed}");
        let report = tracker_store::check_file(&path).unwrap().unwrap().1;
        assert_eq!(report.problems, vec![], "seed {seed}");
        ids_follow_commits(&db);
    }
}

/// Ids were made by four writers in two processes; in the order of the rows
/// they increase strictly.
fn ids_follow_commits(db: &Db) {
    spec!("identity#ids-sort-in-order-of-creation/two-processes");
    let by_commit = db.read_blocking(|tx| tx.event_ids_by_commit()).unwrap();
    assert!(by_commit.len() > 100);
    assert!(by_commit.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn two_hundred_intakes_of_one_hybrid_make_one_download() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/many-at-once");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tracker.db");
    migrate::migrate(&path, None, FixedClock::new().now(), 0o600).unwrap();
    let db = open(&path);
    let (v1, v2) = (v1_of(0), v2_of(0));
    let base32 = "AEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIB";
    let forms = [
        format!("magnet:?xt=urn:btih:{v1}&xt=urn:btmh:1220{v2}"),
        format!("magnet:?xt=urn:btmh:1220{v2}&dn=A+Film&xt=urn:btih:{base32}"),
        format!("MAGNET:?xt.1=urn:btih:{}&xt.2=urn:btmh:1220{v2}", v1.to_string().to_uppercase()),
        format!("magnet:?dn=x&xt=urn%3Abtmh%3A1220{v2}&tr=udp://t.example:80&xt=urn:btih:{v1}"),
    ];
    let runtime = Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let accepted: Vec<_> = runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..200 {
            let magnet = Magnet::parse(&forms[number % forms.len()]).unwrap();
            let db = db.clone();
            tasks.spawn(async move {
                accept(&db, NewIntake::of_magnet(&magnet), &Actor::Worker).await.unwrap()
            });
        }
        tasks.join_all().await
    });
    assert_eq!(accepted.len(), 200);
    assert_eq!(accepted.iter().filter(|accepted| accepted.created).count(), 1);
    assert!(accepted.iter().all(|other| other.id == accepted[0].id));
    let with = db.read_blocking(|tx| tx.downloads_with([v1, v2])).unwrap();
    assert_eq!(with.len(), 1);
}

#[test]
fn halves_among_the_intakes_never_share_a_hash() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/halves-at-once");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tracker.db");
    migrate::migrate(&path, None, FixedClock::new().now(), 0o600).unwrap();
    let db = open(&path);
    let threads: Vec<_> = (0..4u64)
        .map(|thread| {
            let db = db.clone();
            thread::spawn(move || {
                let runtime = runtime();
                for number in 0..25 {
                    let intake = NewIntake::of_magnet(&magnet(1, (thread + number) % 3));
                    runtime.block_on(accept(&db, intake, &Actor::Worker)).unwrap();
                    let twice = db.read_blocking(|tx| tx.owned_twice()).unwrap();
                    assert_eq!(twice, vec![]);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    // The client's word that both halves are one torrent leaves one of them.
    let owners = db.read_blocking(|tx| tx.active_owners([v1_of(1), v2_of(1)])).unwrap();
    if let [older, newer] = owners[..] {
        db.write_blocking(&Actor::Reconciler, |tx| tx.merge_downloads(older, newer))
            .unwrap()
            .unwrap();
    }
    let owners = db.read_blocking(|tx| tx.active_owners([v1_of(1), v2_of(1)])).unwrap();
    assert_eq!(owners.len(), 1);
}
