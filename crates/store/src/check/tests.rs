//! Each rule, with a database that breaks it.
#![allow(clippy::unwrap_used)]

use tracker_domain::Timestamp;
use tracker_testkit::spec;

use super::*;
use crate::migrate::migrate;

const V1: &str = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a";

/// One healthy download with everything that hangs on it.
const HEALTHY: &str = "
    INSERT INTO download(id, magnet, name, state, origin, attempts, revision, created_at, updated_at) VALUES
        ('01hx0000000000000000000001', '', 'a', 'queued', 'magnet', 0, 1, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000002', '', 'b', 'done', 'magnet', 0, 1, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO download_infohash VALUES
        ('c12fe1c06bba254a9dc9f519b335aa7c1367a88a', '01hx0000000000000000000001', 'v1'),
        ('c12fe1c06bba254a9dc9f519b335aa7c1367a88a', '01hx0000000000000000000002', 'v1');
    INSERT INTO recognition(id, download_id, kind, state, verdict, created_at, updated_at) VALUES
        ('01hx0000000000000000000003', '01hx0000000000000000000001', 'movie', 'proposed', 'doubt', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO apply_batch(id, download_id, state, created_at, updated_at) VALUES
        ('01hx0000000000000000000004', '01hx0000000000000000000002', 'applied', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO file_link(id, download_id, apply_batch_id, source_path, target_path, mode, state, created_at, updated_at) VALUES
        ('01hx0000000000000000000005', '01hx0000000000000000000002', '01hx0000000000000000000004', 's', 't', 'hardlink', 'linked', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO event(id, created_at, type, actor, message, data) VALUES
        ('01hx0000000000000000000006', '2024-01-01T00:00:00Z', 'system.started', 'system', '', '{}');
    INSERT INTO metadata_candidate(id, recognition_id, source, external_id, kind, title, score, work, parts, created_at) VALUES
        ('01hx0000000000000000000007', '01hx0000000000000000000003', 'tmdb', '603', 'movie', 't', 0.5, '{}', '[]', '2024-01-01T00:00:00Z');
    INSERT INTO hint(id, download_id, text, author, created_at) VALUES
        ('01hx0000000000000000000008', '01hx0000000000000000000001', 'h', 'web:ann', '2024-01-01T00:00:00Z');
    INSERT INTO metadata_cache VALUES ('tmdb', 'movie/603', '{}', '2024-01-01T00:00:00Z');
    INSERT INTO job(id, kind, state, actor, created_at) VALUES
        ('01hx0000000000000000000009', 'backup', 'done', 'system', '2024-01-01T00:00:00Z');
    INSERT INTO backup(id, job_id, state, target, object, created_at) VALUES
        ('01hx000000000000000000000a', '01hx0000000000000000000009', 'done', 'file:///b', 'o', '2024-01-01T00:00:00Z');
    INSERT INTO id_floor VALUES ('global', '01hx000000000000000000000a');";

/// The report on a healthy database changed by `sql`.
fn report_after(sql: &str) -> CheckReport {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracker.db");
    migrate(&path, None, Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
    let conn = Connection::open(&path).unwrap();
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn.execute_batch(HEALTHY).unwrap();
    conn.execute_batch(sql).unwrap();
    check(&conn).unwrap()
}

#[test]
fn a_healthy_database_has_no_problem_and_its_rows_are_counted() {
    spec!("data-protection#check-of-the-database/a-healthy-database");
    let report = report_after("");
    assert_eq!(report.problems, []);
    assert!(report.tables.contains(&("download".to_owned(), 2)));
    assert!(report.tables.contains(&("file_link".to_owned(), 1)));
    assert!(report.tables.contains(&("override".to_owned(), 0)));
    assert!(report.tables.contains(&("metadata_cache".to_owned(), 1)));
}

#[test]
fn each_broken_rule_is_reported_once_with_its_row() {
    spec!("data-protection#check-of-the-database/a-broken-rule");
    for (sql, code, names) in [
        ("UPDATE download SET state = 'linking'", "two-owners", V1),
        ("DELETE FROM download_infohash WHERE download_id LIKE '%1'", "no-infohash", "01hx0000000000000000000001"),
        ("UPDATE download_infohash SET infohash = upper(infohash) WHERE download_id LIKE '%1'", "malformed-infohash", "C12FE"),
        ("UPDATE download_infohash SET kind = 'v2' WHERE download_id LIKE '%1'", "malformed-infohash", "v2"),
        ("UPDATE download_infohash SET infohash = 'c1' WHERE download_id LIKE '%1'", "malformed-infohash", "c1"),
        (
            "INSERT INTO download_infohash SELECT infohash || '012345678901234567890123', download_id, 'v2'
             FROM download_infohash WHERE download_id LIKE '%1'",
            "truncated-v2",
            V1,
        ),
        ("UPDATE download SET state = 'seeding' WHERE id LIKE '%2'", "unknown-word", "seeding"),
        ("UPDATE download SET attention = 'odd' WHERE id LIKE '%2'", "unknown-word", "odd"),
        ("UPDATE file_link SET mode = 'junction'", "unknown-word", "junction"),
        ("UPDATE recognition SET verdict = 'maybe'", "unknown-word", "maybe"),
        ("UPDATE job SET state = 'paused'", "unknown-word", "paused"),
        ("UPDATE backup SET state = 'lost'", "unknown-word", "lost"),
        ("UPDATE event SET type = 'system.exploded'", "unknown-word", "system.exploded"),
        ("UPDATE event SET id = upper(id)", "malformed-id", "01HX"),
        ("UPDATE event SET id = '01hx000000000000000000000u'", "malformed-id", "000u"),
        ("UPDATE event SET id = '81hx0000000000000000000006'", "malformed-id", "81hx"),
        ("UPDATE event SET id = '6'", "malformed-id", "6"),
        ("UPDATE event SET id = '01hx0000000000000000000001'", "shared-id", "download"),
        ("UPDATE download SET updated_at = '2024-01-01 00:00:00' WHERE id LIKE '%2'", "malformed-time", "2024-01-01 00:00:00"),
        ("UPDATE download SET hidden_at = '2024-02-30T00:00:00Z' WHERE id LIKE '%2'", "malformed-time", "2024-02-30"),
        ("UPDATE metadata_candidate SET kind = 'opera'", "unknown-word", "opera"),
        ("UPDATE metadata_candidate SET work = '{'", "malformed-json", "work"),
        ("UPDATE recognition SET causes = 'limited'", "malformed-json", "causes"),
        ("UPDATE recognition SET chosen_by = 'somebody'", "unknown-actor", "somebody"),
        ("UPDATE hint SET author = ''", "unknown-actor", "author"),
        (
            "INSERT INTO recognition(id, download_id, state, verdict, created_at, updated_at) VALUES
                ('01hx0000000000000000000010', '01hx0000000000000000000001', 'waiting', 'doubt', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z')",
            "two-recognitions",
            "01hx0000000000000000000001",
        ),
        (
            "INSERT INTO recognition(id, download_id, state, verdict, candidate_id, created_at, updated_at) VALUES
                ('01hx0000000000000000000010', '01hx0000000000000000000002', 'accepted', 'sure', '01hx0000000000000000000007', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z')",
            "foreign-candidate",
            "01hx0000000000000000000010",
        ),
        ("DELETE FROM apply_batch", "foreign-key", "apply_batch"),
        ("UPDATE recognition SET download_id = '01hx0000000000000000000099'", "foreign-key", "recognition"),
    ] {
        let problems = report_after(sql).problems;
        assert_eq!(problems.len(), 1, "{sql}: {problems:?}");
        assert_eq!(problems[0].code, code, "{sql}");
        assert!(problems[0].detail.contains(names), "{sql}: {problems:?}");
    }
}

#[test]
fn an_orphaned_infohash_is_reported() {
    spec!("data-protection#check-of-the-database/a-broken-rule");
    let problems = report_after("DELETE FROM download WHERE id LIKE '%1'").problems;
    assert!(problems.iter().all(|problem| problem.code == "foreign-key"), "{problems:?}");
    assert!(problems.iter().any(|problem| problem.detail.starts_with("download_infohash")));
}

#[test]
fn many_rows_of_one_kind_are_named_in_part_and_counted() {
    spec!("data-protection#check-of-the-database/a-broken-rule");
    let sql = "WITH RECURSIVE n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
        INSERT INTO event SELECT 'x' || i, '2024-01-01T00:00:00Z', 'system.started',
            NULL, NULL, NULL, NULL, NULL, 'system', '', '{}' FROM n";
    let problems = report_after(sql).problems;
    assert_eq!(problems.len(), NAMED + 1);
    assert_eq!(problems[NAMED].detail, "and 80 more of this kind");
}

#[test]
fn a_former_version_gets_the_checks_that_apply_to_it() {
    spec!("data-protection#check-of-the-database/a-former-version");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracker.db");
    migrate(&path, Some(5), Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
    let conn = Connection::open(&path).unwrap();
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    assert_eq!(check(&conn).unwrap().problems, []);
    conn.execute_batch("INSERT INTO hint(download_id, text) VALUES (7, 'x')").unwrap();
    let problems = check(&conn).unwrap().problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].detail, "hint row 1 points to a download that does not exist");
}

#[test]
fn the_version_before_this_one_gets_the_rules_it_has() {
    spec!("data-protection#check-of-the-database/a-former-version");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracker.db");
    migrate(&path, Some(6), Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
    let conn = Connection::open(&path).unwrap();
    assert_eq!(check(&conn).unwrap().problems, []);
    conn.execute_batch(
        "INSERT INTO event(id, created_at, type, actor, message, data) VALUES
            ('01hx0000000000000000000006', '2024-01-01T00:00:00Z', 'system.exploded', 'system', '', '{}')",
    )
    .unwrap();
    assert_eq!(check(&conn).unwrap().problems[0].code, "unknown-word");
}
