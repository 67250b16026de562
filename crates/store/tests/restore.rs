//! A copy takes the place of the database: what is checked before, what is changed,
//! and what can be refused.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use support::{Fixture, ann, link, v1};
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_ident::AnyId;
use tracker_store::migrate::{self, MigrateError};
use tracker_store::{
    Creation, Db, EventFilter, PreparedRestore, RestorePlan, ScratchFile, check_file,
    copy_database, prepare_restore,
};
use tracker_testkit::{FixedClock, spec};

/// What a database has, whole or not.
fn downloads(path: &Path) -> i64 {
    let (_, report) = check_file(path).unwrap().unwrap();
    assert_eq!(report.problems, []);
    report.tables.into_iter().find(|(name, _)| name == "download").unwrap().1
}

fn accept(fixture: &Fixture, number: u8) -> AnyId {
    let made = fixture.write(|tx| tx.create_download_if_no_active(link(&[v1(number)])));
    match made {
        Creation::Created(id) => id.any(),
        other => panic!("{other:?}"),
    }
}

/// A copy of the database as it is now, in a file of its own.
fn copied(fixture: &Fixture, name: &str) -> PathBuf {
    let scratch = ScratchFile::beside(&database(fixture), "test").unwrap();
    copy_database(&database(fixture), &scratch).unwrap();
    let path = fixture.dir.path().join(name);
    fs::copy(scratch.path(), &path).unwrap();
    path
}

fn database(fixture: &Fixture) -> PathBuf {
    fixture.dir.path().join("tracker.db")
}

fn prepared(database: &Path, from: &Path) -> Result<PreparedRestore, MigrateError> {
    let scratch = ScratchFile::beside(database, "restore").unwrap();
    copy_database(from, &scratch)?;
    prepare_restore(database, scratch)
}

fn swapped(database: &Path, from: &Path, clock: &Arc<FixedClock>) -> (RestorePlan, PathBuf) {
    let prepared = prepared(database, from).unwrap();
    let plan = prepared.plan.clone();
    let clock: Arc<dyn Clock> = clock.clone();
    let done = prepared.swap(database, "a file", clock, &ann()).unwrap();
    (plan, done.aside.unwrap())
}

/// Nothing but the database and what was put there lies in the folder.
fn no_scratch(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(!name.contains(".backup-"), "{name}");
    }
}

#[test]
fn the_database_is_as_it_was_and_the_former_one_lies_aside() {
    spec!("backup#restore-by-a-person/from-a-backup-and-from-a-file");
    let fixture = Fixture::new();
    accept(&fixture, 1);
    let copy = copied(&fixture, "copy.db");
    accept(&fixture, 2);
    accept(&fixture, 3);
    let (path, folder) = (database(&fixture), fixture.dir.path().to_owned());
    // The database is open, so what was written last stands in its log.
    assert!(fs::metadata(folder.join("tracker.db-wal")).unwrap().len() > 0);
    let Fixture { db, clock, dir } = fixture;
    drop(db);
    let (plan, aside) = swapped(&path, &copy, &clock);
    assert_eq!((plan.lost_count, plan.lost.len(), plan.unreadable), (2, 2, None));
    let changed = plan.tables.iter().find(|change| change.table == "download").unwrap();
    assert_eq!((changed.now, changed.then), (Some(3), Some(1)));
    assert_eq!((downloads(&path), downloads(&aside)), (1, 3));
    let db = Db::open(&path, clock).unwrap();
    let filter = EventFilter { limit: 1, ..EventFilter::default() };
    let newest = db.read_blocking(|tx| tx.events(&filter)).unwrap().remove(0);
    assert_eq!((newest.event_type, newest.actor), (EventType::SystemRestored, ann().to_string()));
    assert_eq!(newest.data["lost_downloads"], 2);
    no_scratch(&folder);
    drop(dir);
}

#[test]
fn a_rehearsal_leaves_everything_as_it_was() {
    spec!("backup#restore-by-a-person/dry-run");
    let fixture = Fixture::new();
    let copy = copied(&fixture, "copy.db");
    accept(&fixture, 2);
    let before = fixture.count_of(EventType::DownloadCreated);
    let plan = prepared(&database(&fixture), &copy).unwrap().plan;
    assert_eq!(plan.lost_count, 1);
    assert_eq!(fixture.count_of(EventType::DownloadCreated), before);
    no_scratch(fixture.dir.path());
}

#[test]
fn later_ids_are_greater_than_all_before() {
    spec!("backup#restore-by-a-person/later-ids");
    let fixture = Fixture::new();
    let copy = copied(&fixture, "copy.db");
    fixture.clock.advance_seconds(1000);
    let last = accept(&fixture, 2);
    let path = database(&fixture);
    let Fixture { db, dir, .. } = fixture;
    drop(db);
    // The clock was set back since.
    let clock = Arc::new(FixedClock::new());
    swapped(&path, &copy, &clock);
    let db = Db::open(&path, clock).unwrap();
    let made: Result<_, tracker_store::StoreError> =
        db.write_blocking(&ann(), |tx| tx.create_download_if_no_active(link(&[v1(3)])));
    let Creation::Created(id) = made.unwrap() else { panic!("it is new") };
    assert!(id.any() > last);
    drop(dir);
}

#[test]
fn an_older_copy_is_brought_up_to_date_by_itself() {
    spec!("backup#restore-by-a-person/of-an-older-version");
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::new());
    let path = folder.path().join("tracker.db");
    for version in [5, 6, migrate::LATEST - 1] {
        let old = folder.path().join(format!("v{version}.db"));
        migrate::migrate(&old, Some(version), clock.now(), 0o600).unwrap();
        let bytes = fs::read(&old).unwrap();
        let prepared = prepared(&path, &old).unwrap();
        assert_eq!(prepared.plan.schema_version, version);
        prepared.swap(&path, "old", clock.clone(), &ann()).unwrap();
        let (found, report) = check_file(&path).unwrap().unwrap();
        assert_eq!((found, report.problems), (migrate::LATEST, vec![]));
        assert_eq!(fs::read(&old).unwrap(), bytes, "the source stays as it is");
    }
    no_scratch(folder.path());
}

#[test]
fn what_cannot_be_restored_from_changes_nothing() {
    spec!("backup#restore-by-a-person/what-is-damaged");
    let fixture = Fixture::new();
    accept(&fixture, 1);
    let path = database(&fixture);
    let put = |name: &str, bytes: &[u8]| {
        let path = fixture.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let whole = fs::read(copied(&fixture, "copy.db")).unwrap();
    let mut scribbled = whole.clone();
    let middle = whole.len() / 2;
    // Not two pages alone: those of a table that a migration took away are free.
    scribbled[middle..].fill(0x5a);
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", b"<html>not found</html> and more than a header of a database has, much more"),
        ("cut", &whole[..whole.len() / 3]),
        ("scribbled", &scribbled),
    ] {
        let refused = prepared(&path, &put(name, bytes)).err();
        assert!(matches!(refused, Some(MigrateError::Corrupt { .. })), "{name}: {refused:?}");
    }
    // A database of another program, and one of a newer version of this one.
    let foreign = fixture.dir.path().join("foreign.db");
    let conn = rusqlite::Connection::open(&foreign).unwrap();
    conn.execute_batch("CREATE TABLE song (id INTEGER PRIMARY KEY)").unwrap();
    assert!(matches!(prepared(&path, &foreign).err(), Some(MigrateError::Corrupt { .. })));
    let newer = copied(&fixture, "newer.db");
    let conn = rusqlite::Connection::open(&newer).unwrap();
    conn.execute_batch(
        "INSERT INTO refinery_schema_history SELECT 999, 'later', applied_on, checksum
         FROM refinery_schema_history WHERE version = 1",
    )
    .unwrap();
    assert!(matches!(prepared(&path, &newer).err(), Some(MigrateError::TooNew { .. })));
    assert_eq!(fixture.count_of(EventType::DownloadCreated), 1);
    no_scratch(fixture.dir.path());
}

#[test]
fn a_database_that_cannot_be_read_is_replaced_and_kept() {
    spec!("backup#restore-by-a-person/without-a-readable-database");
    let fixture = Fixture::new();
    accept(&fixture, 1);
    let copy = copied(&fixture, "copy.db");
    let path = database(&fixture);
    let Fixture { db, clock, dir } = fixture;
    drop(db);
    let junk = b"this is no database any more, whatever it was before".repeat(100);
    fs::write(&path, &junk).unwrap();
    fs::write(dir.path().join("tracker.db-wal"), b"a log that fits nothing").unwrap();
    let (plan, aside) = swapped(&path, &copy, &clock);
    assert!(plan.unreadable.is_some());
    assert_eq!(fs::read(&aside).unwrap(), junk);
    let log = PathBuf::from(format!("{}-wal", aside.display()));
    assert_eq!(fs::read(log).unwrap(), b"a log that fits nothing");
    assert_eq!(downloads(&path), 1);
    // And where there is none at all.
    fs::remove_file(&path).unwrap();
    let prepared = prepared(&path, &copy).unwrap();
    assert_eq!(prepared.swap(&path, "a file", clock, &ann()).unwrap().aside, None);
    assert_eq!(downloads(&path), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever was changed in a copy: it is refused, or what takes the place is whole.
    #[test]
    fn a_copy_with_any_byte_changed_is_refused_or_whole(
        at in 0usize..1_000_000,
        to in any::<u8>(),
    ) {
        spec!("backup#restore-by-a-person/what-is-damaged");
        let fixture = Fixture::new();
        accept(&fixture, 1);
        let copy = copied(&fixture, "copy.db");
        let mut bytes = fs::read(&copy).unwrap();
        let at = at % bytes.len();
        bytes[at] = to;
        fs::write(&copy, &bytes).unwrap();
        let path = database(&fixture);
        let Fixture { db, clock, dir } = fixture;
        drop(db);
        if let Ok(prepared) = prepared(&path, &copy) {
            // Refused there where a trigger of the schema was hit.
            let _ = prepared.swap(&path, "a file", clock, &ann());
        }
        prop_assert_eq!(downloads(&path), 1);
        drop(dir);
    }
}
