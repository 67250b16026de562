//! `ingest --wait` without a daemon: it does the work itself.
//! `TRACKER_SOAK` asks for more kills.

use rustix::process::Signal;
use tracker_testkit::spec;

use crate::seeder::{Machine, Seeder};

const NAME: &str = "Some.Film.2001.1080p.BluRay.x264-GRP";
const LINKED: &str = "Movies/Some Film (2001)/Some Film (2001) - 1080p.mkv";
const BYTES: usize = 6 << 20;

/// What arrives between two kills; more than the 16 MiB after which the engine writes
/// down what it has.
const STEP: u64 = 24 << 20;

/// Slow enough to break in.
async fn slow() -> Seeder {
    Seeder::held_back(NAME, BYTES, Some(2 << 20)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_command_is_all_it_takes() {
    spec!("command-line#ingest-can-wait/without-a-daemon");
    let seeder = Seeder::of(NAME, BYTES).await;
    let machine = Machine::new();
    let found = machine.run(&["ingest", &seeder.link, "--wait"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.ends_with("\tcreated\n"), "{}", found.out);
    assert!(found.err.contains(LINKED), "{}", found.err);
    seeder.is_linked(&machine, LINKED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_ends_the_wait_and_loses_nothing() {
    spec!("command-line#ingest-can-wait/ctrl-c");
    let seeder = slow().await;
    let machine = Machine::new();
    let waiting = machine.spawn(&["ingest", &seeder.link, "--wait"]);
    waiting.until_says("downloading").await;
    waiting.signal(Signal::INT);
    let found = waiting.end().await;
    assert_eq!(found.code, 130, "{found:?}");
    assert!(found.err.contains("tracker serve"), "{}", found.err);

    // No tracker and no DHT tells of the seeder: the link alone did.
    spec!("torrent-clients#the-embedded-engine/peers-of-a-link-after-a-restart");
    let again = machine.run(&["ingest", &seeder.link, "--wait"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.out.ends_with("\texisting\n"), "{}", again.out);
    seeder.is_linked(&machine, LINKED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_daemon_ctrl_c_ends_the_looking_alone() {
    spec!("command-line#ingest-can-wait/ctrl-c-beside-a-daemon");
    let seeder = slow().await;
    let machine = Machine::new();
    let daemon = machine.spawn(&["serve"]);
    machine.until_ready().await;
    let waiting = machine.spawn(&["ingest", &seeder.link, "--wait"]);
    waiting.until_says("downloading").await;
    waiting.signal(Signal::INT);
    let found = waiting.end().await;
    assert_eq!(found.code, 130, "{found:?}");
    assert!(found.err.contains("the daemon goes on"), "{}", found.err);
    assert_eq!(machine.run(&["ingest", &seeder.link, "--wait"]).code, 0);
    seeder.is_linked(&machine, LINKED);
    drop(daemon);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_of_two_takes_over_when_the_first_is_killed() {
    spec!("command-line#ingest-can-wait/another-process-is-at-it");
    let seeder = slow().await;
    let machine = Machine::new();
    let first = machine.spawn(&["ingest", &seeder.link, "--wait"]);
    first.until_says("downloading").await;
    let second = machine.spawn(&["ingest", "--wait", &seeder.link, "--hint", "a film"]);
    second.until_says("downloading").await;
    drop(first);
    let found = second.end().await;
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.ends_with("\texisting\n"), "{}", found.out);
    seeder.is_linked(&machine, LINKED);
}

/// The bytes that the engine has written down as had, at least. How far that is behind
/// what it has is a matter of the disk, which may be busy.
fn written_down(machine: &Machine, bytes: usize) -> u64 {
    let had = machine.files_with_suffix(".bitv").into_iter().next().map_or(0.0, |file| {
        let bits = std::fs::read(file).unwrap();
        let ones: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
        f64::from(ones) / (bits.len() * 8) as f64
    });
    (bytes as f64 * had) as u64
}

/// How often it is killed, and the bytes that it takes for that.
fn kills() -> (usize, usize) {
    if std::env::var_os("TRACKER_SOAK").is_some() { (20, 1 << 30) } else { (3, 200 << 20) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_again_and_again_it_goes_on_with_what_is_there() {
    spec!("torrent-clients#the-embedded-engine/killed-amid-bytes");
    let (kills, bytes) = kills();
    let seeder = Seeder::held_back(NAME, bytes, Some(12 << 20)).await;
    let machine = Machine::new();
    let (mut kept, mut most_kept) = (0, 0);
    for _ in 0..kills {
        let waiting = machine.spawn(&["ingest", &seeder.link, "--wait", "--json"]);
        let first = waiting.until_has(1).await;
        assert!(first >= kept, "{first} of {kept} that were written down are there");
        waiting.until_has(first + STEP).await;
        waiting.signal(Signal::KILL);
        assert_eq!(waiting.end().await.code, -1);
        kept = written_down(&machine, bytes);
        most_kept = kept.max(most_kept);
    }
    assert!(most_kept >= STEP / 2, "{most_kept}: it began anew each time");
    let found = machine.run(&["ingest", &seeder.link, "--wait"]);
    assert_eq!(found.code, 0, "{found:?}");
    seeder.is_linked(&machine, LINKED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_go_on_names_what_to_type() {
    spec!("command-line#ingest-can-wait/a-person-is-needed");
    // A name that says nothing of what it is.
    let seeder = Seeder::of("collected", BYTES).await;
    let machine = Machine::new();
    let found = machine.run(&["ingest", &seeder.link, "--wait"]);
    assert_eq!(found.code, 4, "{found:?}");
    let id = found.out.split('\t').next().unwrap();
    assert!(found.err.contains(&format!("  tracker review {id}\n")), "{}", found.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_a_person_are_enough_for_a_bare_name() {
    spec!("command-line#ingest-can-wait/to-the-library");
    let seeder = Seeder::of("Sintel", BYTES).await;
    let machine = Machine::new();
    // Nobody can look the number up, and waiting would not change that.
    let pinned = machine.run(&["ingest", &seeder.link, "--wait", "--pin", "tmdb:45745"]);
    assert_eq!(pinned.code, 4, "{pinned:?}");
    assert!(pinned.err.contains("tmdb_token"), "{}", pinned.err);

    let machine = Machine::new();
    let hinted = machine.run(&["ingest", &seeder.link, "--wait", "--hint", "film 2010"]);
    assert_eq!(hinted.code, 0, "{hinted:?}");
    seeder.is_linked(&machine, "Movies/Sintel (2010)/Sintel (2010).mkv");
}
