//! `kill -9` at random moments of a backup, a restore and a migration.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use tracker_domain::Actor;
use tracker_domain::event::EventType;
use tracker_store::{Db, NewEvent, StoreError, check_file, migrate};
use tracker_system::SystemClock;
use tracker_testkit::{Dice, spec};

use crate::daemon::{Daemon, Setup};

/// Entries that make each step take long enough to be hit.
const ENTRIES: usize = 30_000;

fn rounds() -> usize {
    if std::env::var_os("TRACKER_SOAK").is_some() { 60 } else { 10 }
}

/// A database with many entries and some downloads, and nothing runs.
fn filled() -> (tempfile::TempDir, Daemon) {
    let folder = tempfile::tempdir().unwrap();
    let here = Daemon::prepared(Setup::without_client(folder.path()));
    for digit in ['a', 'b', 'c'] {
        here.tracker(&["ingest", &digit.to_string().repeat(40)]).done();
    }
    let db = Db::open(&database(&here), std::sync::Arc::new(SystemClock)).unwrap();
    let written: Result<(), StoreError> = db.write_blocking(&Actor::System, |tx| {
        for number in 0..ENTRIES {
            let message = format!("an entry with a number of its own: {number}");
            tx.append_event(NewEvent::new(EventType::ClientOnline, message))?;
        }
        Ok(())
    });
    written.unwrap();
    (folder, here)
}

fn database(here: &Daemon) -> PathBuf {
    here.data_dir().join("tracker.db")
}

/// How many downloads a database has, which must be whole.
fn downloads(path: &Path) -> i64 {
    let (_, report) = check_file(path).unwrap().unwrap();
    assert_eq!(report.problems, [], "{}", path.display());
    report.tables.into_iter().find(|(name, _)| name == "download").unwrap().1
}

/// Runs a command and kills it after a time: whether it had ended.
#[expect(clippy::disallowed_methods, reason = "the moment is what is tried out")]
fn killed(here: &Daemon, args: &[&str], after: Duration) -> bool {
    let mut child = here.command(args).spawn().unwrap();
    std::thread::sleep(after);
    let ended = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    ended
}

/// Kills a command at many moments of the time that it takes.
#[expect(clippy::disallowed_methods, reason = "it measures another process, in real time")]
fn at_many_moments(
    here: &Daemon,
    mut args: impl FnMut(usize) -> Vec<String>,
    mut look: impl FnMut(&Daemon),
) {
    let mut dice = Dice::of_this_test();
    let began = Instant::now();
    let first = args(0);
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    here.tracker(&first).done();
    look(here);
    let whole = began.elapsed();
    let mut broken_off = 0;
    for round in 1..=rounds() {
        let line = args(round);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let share = u32::try_from(dice.next_u64() % 1000).unwrap();
        if !killed(here, &line, whole * share / 1000) {
            broken_off += 1;
        }
        look(here);
    }
    assert!(broken_off > 0, "it was never broken off");
}

fn backup(here: &Daemon) -> Value {
    serde_json::from_str(here.tracker(&["backup", "--json"]).done()).unwrap()
}

/// Whether a row tells of a backup that is there.
fn whole(row: &Value) -> bool {
    row["state"] == "done"
}

#[test]
fn a_killed_backup_leaves_the_database_and_the_earlier_ones() {
    spec!("backup#a-backup-is-whole-and-verified/killed");
    let (_folder, here) = filled();
    backup(&here);
    at_many_moments(
        &here,
        |_| vec!["backup".to_owned()],
        |here| assert_eq!(downloads(&database(here)), 3),
    );
    // Those before are what they were, as far back as they are kept.
    let listed: Value =
        serde_json::from_str(here.tracker(&["backup", "list", "--json"]).done()).unwrap();
    let kept: Vec<&Value> =
        listed["items"].as_array().unwrap().iter().filter(|it| whole(it)).collect();
    assert!(!kept.is_empty(), "{listed}");
    for earlier in kept {
        here.tracker(&["backup", "verify", earlier["id"].as_str().unwrap()]).done();
    }
    // The next one is made, and nothing of those that were broken off stays.
    let last = backup(&here)["id"].as_str().unwrap().to_owned();
    here.tracker(&["backup", "verify", &last]).done();
    here.tracker(&["backup", "reconcile"]).done();
    for entry in std::fs::read_dir(here.data_dir()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(!name.contains(".backup-"), "{name}");
    }
    let jobs: Value = serde_json::from_str(here.tracker(&["jobs", "--json"]).done()).unwrap();
    for job in jobs["items"].as_array().unwrap() {
        let fine = job["state"] == "done" || job["error"]["code"] == "interrupted";
        assert!(fine, "{job}");
    }
}

#[test]
fn a_killed_restore_leaves_the_one_or_the_other() {
    spec!("backup#restore-by-a-person/killed");
    let (_folder, here) = filled();
    let three = backup(&here);
    here.tracker(&["ingest", &"d".repeat(40)]).done();
    let four = backup(&here);
    let id = |backup: &Value| backup["id"].as_str().unwrap().to_owned();
    let both = [id(&three), id(&four)];
    at_many_moments(
        &here,
        |round| vec!["restore".to_owned(), both[round % 2].clone()],
        |here| {
            let found = downloads(&database(here));
            assert!(found == 3 || found == 4, "{found}");
            // Former ones are kept aside, whole, each under a name of its own.
            for entry in std::fs::read_dir(here.data_dir()).unwrap() {
                let path = entry.unwrap().path();
                if path.to_string_lossy().contains(".replaced-") {
                    downloads(&path);
                    std::fs::remove_file(path).unwrap();
                }
            }
        },
    );
    for (id, count) in [(&both[0], 3), (&both[1], 4)] {
        here.tracker(&["restore", id]).done();
        assert_eq!(downloads(&database(&here)), count);
    }
}

#[test]
fn a_killed_migration_leaves_the_old_or_the_new() {
    spec!("data-protection#copy-before-a-migration/killed");
    let folder = tempfile::tempdir().unwrap();
    let here = Daemon::prepared(Setup::without_client(folder.path()));
    here.tracker(&["db", "migrate", "--to", "5"]).done();
    let path = database(&here);
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute_batch("BEGIN").unwrap();
    for number in 0..20_000 {
        conn.execute(
            "INSERT INTO download (infohash, magnet, name, state)
             VALUES (?1, '', 'A name of some length ' || ?2, 'done')",
            rusqlite::params![format!("{number:040x}"), number],
        )
        .unwrap();
    }
    conn.execute_batch("COMMIT").unwrap();
    conn.close().unwrap();
    let former = std::fs::read(&path).unwrap();
    let mut ended = false;
    let anew = || {
        for entry in std::fs::read_dir(here.data_dir()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("tracker.db") {
                std::fs::remove_file(path).unwrap();
            }
        }
        std::fs::write(&path, &former).unwrap();
    };
    at_many_moments(
        &here,
        |_| {
            anew();
            vec!["db".to_owned(), "migrate".to_owned()]
        },
        |here| {
            let (version, report) = check_file(&path).unwrap().unwrap();
            assert!(version == 5 || version == migrate::LATEST, "{version}");
            assert_eq!(report.problems, []);
            assert_eq!(downloads(&path), 20_000);
            ended |= version == migrate::LATEST;
            for entry in std::fs::read_dir(here.data_dir()).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                // One that has its name is whole.
                if name.contains(".bak-") && !name.contains(".part") {
                    assert_eq!(check_file(&path).unwrap().unwrap().0, 5);
                    assert_eq!(downloads(&path), 20_000);
                }
            }
        },
    );
    assert!(ended);
}
