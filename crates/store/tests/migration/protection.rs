//! What protects the file while it is migrated.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rusqlite::Connection;
use tracker_store::migrate::{LATEST, MigrateError, version_of};
use tracker_testkit::spec;

use super::fixture::{Fixture, HASH, download, versions_from};

const DAY: &str = "2024-01-01 00:00:00";
const COPY: &str = "tracker.db.bak-20260102T030405Z";

/// A former database with some rows.
fn former() -> Fixture {
    Fixture::with(
        &[
            download(1, HASH, "", "queued", DAY),
            download(2, HASH, "", "done", DAY),
            "INSERT INTO hint(id, download_id, text) VALUES (1, 1, 'a'), (2, 2, 'b');".to_owned(),
        ]
        .concat(),
    )
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_verified_copy_is_made_before_the_first_pending_migration() {
    spec!("data-protection#copy-before-a-migration/a-pending-migration");
    let fixture = former();
    let report = fixture.migrate().unwrap();
    let copy = report.copy.unwrap();
    assert_eq!(copy, fixture.folder().join(COPY));
    assert_eq!(mode(&copy), 0o600);
    assert_eq!(fixture.files(), ["tracker.db", COPY]);
    let conn = Connection::open(&copy).unwrap();
    assert_eq!(version_of(&conn).unwrap(), 5);
    let hints: i64 = conn.query_row("SELECT count(*) FROM hint", [], |row| row.get(0)).unwrap();
    assert_eq!(hints, 2);
    assert_eq!(tracker_store::check(&conn).unwrap().problems, []);
}

#[test]
fn the_copy_holds_what_stands_in_the_write_ahead_log() {
    spec!("data-protection#copy-before-a-migration/write-ahead-log");
    let fixture = former();
    let open = fixture.conn();
    open.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
    open.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    open.execute_batch("INSERT INTO hint(download_id, text) VALUES (1, 'only in the log')")
        .unwrap();
    let report = fixture.migrate().unwrap();
    let copy = Connection::open(report.copy.unwrap()).unwrap();
    let hints: i64 = copy.query_row("SELECT count(*) FROM hint", [], |row| row.get(0)).unwrap();
    assert_eq!(hints, 3);
    drop((copy, open));
    assert_eq!(fixture.one::<String>("PRAGMA journal_mode"), "wal");
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM hint"), 3);
    assert_eq!(fixture.files(), ["tracker.db", COPY]);
}

#[test]
fn a_new_database_is_private_and_has_no_copy() {
    spec!("data-protection#copy-before-a-migration/a-new-database");
    let fixture = Fixture::missing();
    let report = fixture.migrate().unwrap();
    assert_eq!((report.from, report.to, report.copy), (0, LATEST, None));
    assert_eq!(report.applied, versions_from(1));
    assert_eq!(mode(&fixture.path), 0o600);
    assert_eq!(fixture.files(), ["tracker.db"]);
    assert_eq!(fixture.problems(), Vec::<String>::new());
    // An empty file is one as well.
    let empty = Fixture::missing();
    std::fs::write(&empty.path, []).unwrap();
    assert_eq!(empty.migrate().unwrap().copy, None);
}

#[test]
fn running_again_changes_nothing() {
    spec!("data-protection#copy-before-a-migration/running-again");
    let fixture = former();
    fixture.migrate().unwrap();
    let before = fixture.bytes();
    let again = fixture.migrate().unwrap();
    assert_eq!((again.from, again.to, again.copy, again.applied), (LATEST, LATEST, None, vec![]));
    assert_eq!(fixture.bytes(), before);
    assert_eq!(fixture.files(), ["tracker.db", COPY]);
}

#[test]
fn two_migrations_in_one_second_keep_both_copies() {
    spec!("data-protection#copy-before-a-migration/two-in-one-second");
    let fixture = Fixture::at(3);
    fixture.sql(&download(1, HASH, "", "queued", DAY));
    let first = fixture.to(4).unwrap().copy.unwrap();
    let second = fixture.migrate().unwrap().copy.unwrap();
    assert_ne!(first, second);
    let version = |path: &Path| version_of(&Connection::open(path).unwrap()).unwrap();
    assert_eq!((version(&first), version(&second)), (3, 4));
    assert_eq!(fixture.files(), ["tracker.db", COPY, &format!("{COPY}-2")]);
}

#[test]
fn a_key_that_points_nowhere_stops_the_migration_and_is_named() {
    spec!("data-protection#a-failed-migration/a-key-that-points-nowhere");
    for table in ["recognition", "metadata_candidate", "hint", "override", "file_link"] {
        for wal in [false, true] {
            let fixture = former();
            if wal {
                fixture.conn().query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
            }
            fixture.sql(&dangling(table));
            let before = fixture.bytes();
            let error = fixture.migrate().unwrap_err();
            let text = error.to_string();
            let MigrateError::Failed { from, version, detail, copy } = error else {
                panic!("{text}")
            };
            assert_eq!((from, version), (5, LATEST));
            assert!(detail.contains(&format!("{table} row 77 points to a ")), "{detail}");
            let copy = copy.unwrap();
            assert!(copy.is_file() && text.contains(&copy.display().to_string()), "{text}");
            assert_eq!(fixture.bytes(), before, "{table}");
            assert_eq!(fixture.files(), ["tracker.db", COPY]);
            assert_eq!(version_of(&fixture.conn()).unwrap(), 5);
            assert_eq!(fixture.one::<i64>("SELECT count(*) FROM download"), 2);
        }
    }
}

/// A row of this table whose parent was deleted with foreign keys off.
fn dangling(table: &str) -> String {
    match table {
        "recognition" => "INSERT INTO recognition(id, download_id, state) VALUES (77, 9, 'pending')",
        "metadata_candidate" => {
            "INSERT INTO metadata_candidate(id, recognition_id, source, external_id, title, score) VALUES (77, 9, '', '', '', 0)"
        }
        "hint" => "INSERT INTO hint(id, download_id, text) VALUES (77, 9, '')",
        "override" => "INSERT INTO override(id, download_id, field, value) VALUES (77, 9, '', '')",
        _ => {
            "INSERT INTO file_link(id, download_id, recognition_id, apply_batch_id, source_path, target_path, mode)
             VALUES (77, 1, 9, '', '', '', 'copy')"
        }
    }
    .to_owned()
}

#[test]
fn a_failure_late_in_the_group_takes_the_earlier_ones_back() {
    spec!("data-protection#a-failed-migration/all-or-nothing");
    // A key that fits no id fails in the last but one of six pending migrations.
    let fixture = Fixture::at(1);
    fixture.sql(&download(-3, HASH, "", "queued", DAY));
    let before = fixture.bytes();
    let error = fixture.migrate().unwrap_err();
    assert!(
        error.to_string().contains("the key -3 of download does not fit into an id"),
        "{error}"
    );
    assert_eq!(fixture.bytes(), before);
    assert_eq!(version_of(&fixture.conn()).unwrap(), 1);
    // What is in the way is named and the rest left alone.
    let foreign = Fixture::missing();
    foreign.sql("CREATE TABLE download(x); INSERT INTO download VALUES (1)");
    let error = foreign.migrate().unwrap_err();
    assert!(matches!(error, MigrateError::Failed { from: 0, copy: Some(_), .. }), "{error}");
    assert_eq!(foreign.one::<i64>("SELECT x FROM download"), 1);
}

#[test]
fn after_the_cause_is_mended_the_migration_succeeds() {
    spec!("data-protection#a-failed-migration/the-cause-is-mended");
    let fixture = former();
    fixture.sql(&dangling("hint"));
    fixture.migrate().unwrap_err();
    fixture.sql("DELETE FROM hint WHERE id = 77");
    assert_eq!(fixture.migrate().unwrap().applied, versions_from(6));
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn a_damaged_database_is_not_touched() {
    spec!("data-protection#a-failed-migration/a-damaged-database");
    let fixture = former();
    let mut bytes = fixture.bytes();
    // The root page of a table: overwritten behind its header.
    let root: i64 = fixture.one("SELECT rootpage FROM sqlite_schema WHERE name = 'hint'");
    let size: i64 = fixture.one("PRAGMA page_size");
    let start = usize::try_from((root - 1) * size).unwrap();
    bytes[start..start + 64].fill(0xa5);
    std::fs::write(&fixture.path, &bytes).unwrap();
    let error = fixture.migrate().unwrap_err();
    assert!(matches!(error, MigrateError::Corrupt { .. }), "{error}");
    assert_eq!(fixture.bytes(), bytes);
    assert_eq!(fixture.files(), ["tracker.db"]);

    let text = Fixture::missing();
    std::fs::write(&text.path, "this is no database, and it is long enough to have a header of one hundred bytes, which SQLite reads").unwrap();
    assert!(matches!(text.migrate().unwrap_err(), MigrateError::Corrupt { .. }));
    assert!(matches!(text.rehearse().unwrap_err(), MigrateError::Corrupt { .. }));
    assert_eq!(text.files(), ["tracker.db"]);
}

#[test]
fn a_newer_database_is_refused_with_both_versions() {
    spec!("data-protection#only-forward/a-newer-database");
    let fixture = Fixture::at(LATEST);
    fixture.sql(
        "INSERT INTO refinery_schema_history VALUES (77, 'future', '2030-01-01T00:00:00Z', '1')",
    );
    let before = fixture.bytes();
    for target in [None, Some(3)] {
        let error =
            tracker_store::migrate::migrate(&fixture.path, target, super::fixture::now(), 0o600)
                .unwrap_err();
        assert!(matches!(error, MigrateError::TooNew { database: 77, program: LATEST }), "{error}");
        let text = error.to_string();
        assert!(text.contains("version 77") && text.contains(&format!("up to {LATEST}")), "{text}");
    }
    assert!(matches!(fixture.rehearse().unwrap_err(), MigrateError::TooNew { .. }));
    assert_eq!(fixture.bytes(), before);
    assert_eq!(fixture.files(), ["tracker.db"]);
}

#[test]
fn going_back_is_refused() {
    spec!("data-protection#only-forward/going-back");
    let fixture = Fixture::at(LATEST);
    let error = fixture.to(5).unwrap_err();
    assert!(matches!(error, MigrateError::Downgrade { from: LATEST, to: 5 }), "{error}");
    let error = fixture.to(LATEST + 1).unwrap_err();
    let unknown = matches!(error, MigrateError::UnknownTarget { target, program: LATEST }
        if target == LATEST + 1);
    assert!(unknown, "{error}");
    assert_eq!(version_of(&fixture.conn()).unwrap(), LATEST);
}

#[test]
fn a_version_on_the_way_can_be_the_target() {
    spec!("data-protection#only-forward/a-version-on-the-way");
    let fixture = Fixture::at(2);
    let report = fixture.to(4).unwrap();
    assert_eq!(report.applied, [3, 4]);
    assert_eq!(version_of(&fixture.conn()).unwrap(), 4);
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM pragma_table_info('file_link')"), 8);
}

#[test]
fn a_history_that_is_not_ours_is_refused_before_a_copy() {
    spec!("data-protection#only-forward/another-history");
    for (sql, version) in [
        ("UPDATE refinery_schema_history SET checksum = '1' WHERE version = 2", 2),
        ("UPDATE refinery_schema_history SET checksum = 'x' WHERE version = 2", 2),
        ("UPDATE refinery_schema_history SET name = 'other' WHERE version = 4", 4),
        ("DELETE FROM refinery_schema_history WHERE version = 3", 3),
        ("UPDATE refinery_schema_history SET applied_on = 'once' WHERE version = 1", 1),
        ("UPDATE refinery_schema_history SET applied_on = NULL WHERE version = 1", 1),
    ] {
        let fixture = former();
        fixture.sql(sql);
        let before = fixture.bytes();
        let error = fixture.migrate().unwrap_err();
        assert!(
            matches!(error, MigrateError::History { version: found, .. } if found == version),
            "{sql}: {error}"
        );
        assert!(error.to_string().contains(&format!("at version {version}")), "{error}");
        assert_eq!(fixture.bytes(), before);
        assert_eq!(fixture.files(), ["tracker.db"]);
    }
}

#[test]
fn a_rehearsal_tells_what_would_happen_and_changes_nothing() {
    spec!("data-protection#rehearsal-of-a-migration/nothing-is-changed");
    let fixture = former();
    fixture.sql(&download(3, "x", "", "odd", DAY));
    let before = fixture.bytes();
    let rehearsal = fixture.rehearse().unwrap();
    assert_eq!((rehearsal.from, rehearsal.to), (5, LATEST));
    assert_eq!(rehearsal.problems, []);
    let counts: Vec<(String, i64, i64)> = rehearsal
        .tables
        .into_iter()
        .map(|count| (count.table, count.before, count.after))
        .collect();
    assert!(counts.contains(&("download".to_owned(), 3, 3)), "{counts:?}");
    assert!(counts.contains(&("hint".to_owned(), 2, 2)), "{counts:?}");
    assert!(counts.contains(&("download_infohash".to_owned(), 3, 2)), "{counts:?}");
    assert!(rehearsal.notes.contains(&("unknown_state".to_owned(), 1)));
    assert_eq!(fixture.bytes(), before);
    assert_eq!(fixture.files(), ["tracker.db"]);
    // The real one does what was rehearsed.
    fixture.migrate().unwrap();
    assert_eq!(tracker_store::migrate::notes(&fixture.conn(), 6).unwrap(), rehearsal.notes);
    let current = fixture.rehearse().unwrap();
    assert_eq!((current.from, current.to, current.problems), (LATEST, LATEST, vec![]));
}

#[test]
fn a_rehearsal_of_a_missing_database_makes_none() {
    spec!("data-protection#rehearsal-of-a-migration/no-database");
    let fixture = Fixture::missing();
    let rehearsal = fixture.rehearse().unwrap();
    assert_eq!((rehearsal.from, rehearsal.to, rehearsal.problems), (0, LATEST, vec![]));
    assert_eq!(fixture.files(), Vec::<String>::new());
}

#[test]
fn a_rehearsal_that_fails_says_why() {
    spec!("data-protection#rehearsal-of-a-migration/it-would-fail");
    let fixture = former();
    fixture.sql(&dangling("override"));
    let before = fixture.bytes();
    let error = fixture.rehearse().unwrap_err();
    assert!(error.to_string().contains("override row 77"), "{error}");
    assert_eq!(fixture.bytes(), before);
    assert_eq!(fixture.files(), ["tracker.db"]);
}
