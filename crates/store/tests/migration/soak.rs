//! A large former database, in every table.

use std::time::{Duration, Instant};

use tracker_testkit::spec;

use super::fixture::Fixture;

/// Rows of each table; 100,000 when `TRACKER_SOAK` is set.
fn size() -> i64 {
    if std::env::var_os("TRACKER_SOAK").is_some() { 100_000 } else { 1_000 }
}

fn filled(rows: i64) -> Fixture {
    let fixture = Fixture::at(5);
    // Times go round in a way that keeps neither the order nor one format.
    let at = "CASE i % 3 WHEN 0 THEN datetime(1700000000 + i * 7919 % 50021, 'unixepoch')
        ELSE strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + i * 7919 % 50021, 'unixepoch') END";
    let n = format!(
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})"
    );
    let parent = format!("1 + i * 31 % {rows}");
    fixture.sql(&format!(
        "BEGIN;
         {n} INSERT INTO download(id, infohash, magnet, name, state, created_at, updated_at)
             SELECT i, upper(printf('%040x', i - i % 2)), 'magnet:?xt=urn:btih:' || printf('%040x', i), i,
                 CASE i % 4 WHEN 0 THEN 'queued' WHEN 1 THEN 'done' WHEN 2 THEN 'downloading' ELSE 'failed' END, {at}, {at} FROM n;
         {n} INSERT INTO recognition(id, download_id, kind, title, year, state, confidence, created_at)
             SELECT i, {parent}, 'movie', i, 2000, 'accepted', 0.5, {at} FROM n;
         {n} INSERT INTO metadata_candidate(id, recognition_id, source, external_id, title, score, created_at)
             SELECT i, {parent}, 'tmdb', i, i, 0.5, {at} FROM n;
         {n} INSERT INTO hint(id, download_id, text, created_at) SELECT i, {parent}, i, {at} FROM n;
         {n} INSERT INTO override(id, download_id, field, value, created_at) SELECT i, {parent}, 'title', i, {at} FROM n;
         {n} INSERT INTO file_link(id, download_id, recognition_id, apply_batch_id, source_path, target_path, mode, created_at)
             SELECT i, {parent}, {parent}, 'batch ' || (i / 5), '/d/' || i, '/l/' || i, 'hardlink', {at} FROM n;
         COMMIT;"
    ));
    fixture
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time it takes is what is measured")]
fn a_large_database_is_migrated_whole_and_in_reasonable_time() {
    spec!("identity#migration-of-existing-records/a-large-database");
    let rows = size();
    let fixture = filled(rows);
    let started = Instant::now();
    fixture.migrate().unwrap();
    let took = started.elapsed();
    eprintln!("{rows} rows in each table: migrated in {took:?}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    for table in ["download", "recognition", "metadata_candidate", "hint", "override", "file_link"]
    {
        assert_eq!(fixture.note(&format!("rows.{table}")), rows, "{table}");
        let disorder: i64 = fixture.one(&format!(
            "SELECT count(*) FROM (SELECT created_at, lag(created_at) OVER (ORDER BY id) AS before FROM {table})
             WHERE before > created_at"
        ));
        assert_eq!(disorder, 0, "{table}");
    }
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM apply_batch"), rows / 5 + 1);
    // Each child carries its old number, from which its old parent follows.
    for (child, number) in [("recognition", "title"), ("hint", "text"), ("override", "value")] {
        let wrong: i64 = fixture.one(&format!(
            "SELECT count(*) FROM {child} c JOIN download d ON d.id = c.download_id
             WHERE CAST(d.name AS INTEGER) <> 1 + CAST(c.{number} AS INTEGER) * 31 % {rows}"
        ));
        assert_eq!(wrong, 0, "{child}");
    }
    let started = Instant::now();
    assert_eq!(fixture.problems(), Vec::<String>::new());
    eprintln!("checked in {:?}", started.elapsed());
}
