//! Relations, order and values survive; from every former version.

use tracker_store::migrate::LATEST;
use tracker_testkit::spec;

use super::fixture::{Fixture, HASH, V2, download, versions_from};

/// Two downloads with everything that hung on them, made out of order.
fn library() -> Fixture {
    let v2 = V2.to_uppercase();
    Fixture::with(&format!(
        "INSERT INTO download(id, infohash, idempotency_key, magnet, name, state, error, created_at, updated_at) VALUES
             (1, '{HASH}', 'k1', 'magnet:?xt=urn:btih:{HASH}', 'Later', 'done', NULL, '2024-05-06 07:08:09', '2024-06-01 00:00:00'),
             (2, '{v2}', NULL, 'magnet:?xt=urn:btmh:1220{V2}', '', 'failed', 'tracker said no', '2024-05-05 00:00:00', '2024-05-05 00:00:01');
         INSERT INTO recognition(id, download_id, kind, title, year, season, state, confidence, created_at) VALUES
             (1, 1, 'movie', 'One', 2016, NULL, 'accepted', 0.9, '2024-05-06 07:08:10'),
             (2, 2, 'series', 'Two', NULL, 3, 'proposed', NULL, '2024-05-05 00:00:02'),
             (3, 1, NULL, NULL, NULL, NULL, 'superseded', 0.1, '2024-05-06 07:08:10');
         INSERT INTO metadata_candidate(recognition_id, source, external_id, title, year, score) VALUES
             (1, 'tmdb', '603', 'One', 2016, 0.5), (2, 'tvmaze', '7', 'Two', NULL, 1.0);
         INSERT INTO hint(download_id, text) VALUES (2, 'it is the second'), (1, 'it is the first');
         INSERT INTO override(download_id, field, value) VALUES (1, 'year', '2017'), (2, 'year', '1999'), (1, 'title', 'Uno');
         INSERT INTO file_link(download_id, recognition_id, apply_batch_id, source_path, target_path, mode, created_at) VALUES
             (1, 1, 'run 1', '/d/a', '/l/a', 'hardlink', '2024-05-07 00:00:01'),
             (1, 1, 'run 1', '/d/b', '/l/b', 'copy', '2024-05-07 00:00:00'),
             (2, NULL, 'run 2', '/d/c', '/l/c', 'symlink', '2024-05-08 00:00:00'),
             (1, 3, 'run 3', '/d/e', '/l/e', 'reflink', '2024-05-09 00:00:00'),
             (2, 2, 'run 3', '/d/f', '/l/f', 'hardlink', '2024-05-09 00:00:00');"
    ))
}

#[test]
fn children_point_to_the_same_downloads() {
    spec!("identity#migration-of-existing-records/relations");
    let fixture = library();
    fixture.migrate().unwrap();
    let relations: Vec<String> = fixture.column(
        "SELECT r.title || '>' || d.name FROM recognition r JOIN download d ON d.id = r.download_id WHERE r.title IS NOT NULL
         UNION ALL SELECT 'c ' || c.external_id || '>' || r.title FROM metadata_candidate c JOIN recognition r ON r.id = c.recognition_id
         UNION ALL SELECT h.text || '>' || d.name FROM hint h JOIN download d ON d.id = h.download_id
         UNION ALL SELECT o.field || '=' || o.value || '>' || d.name FROM override o JOIN download d ON d.id = o.download_id
         UNION ALL SELECT l.target_path || '>' || d.name || '>' || coalesce(r.title, r.state, '-')
             FROM file_link l JOIN download d ON d.id = l.download_id LEFT JOIN recognition r ON r.id = l.recognition_id
         ORDER BY 1",
    );
    assert_eq!(
        relations,
        [
            "/l/a>Later>One",
            "/l/b>Later>One",
            "/l/c>>-",
            "/l/e>Later>superseded",
            "/l/f>>Two",
            "One>Later",
            "Two>",
            "c 603>One",
            "c 7>Two",
            "it is the first>Later",
            "it is the second>",
            "title=Uno>Later",
            "year=1999>",
            "year=2017>Later",
        ]
    );
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn values_keep_their_columns_and_old_ones_go() {
    spec!("identity#migration-of-existing-records/values");
    let fixture = library();
    fixture.migrate().unwrap();
    let row: String = fixture.one(
        "SELECT name || '|' || magnet || '|' || state || '|' || origin || '|' || coalesce(client, 'default') || '|'
             || created_at || '|' || updated_at FROM download WHERE name = 'Later'",
    );
    assert_eq!(
        row,
        format!(
            "Later|magnet:?xt=urn:btih:{HASH}|done|magnet|default|2024-05-06T07:08:09Z|2024-06-01T00:00:00Z"
        )
    );
    assert_eq!(
        fixture.one::<String>("SELECT error FROM download WHERE state = 'failed'"),
        "tracker said no"
    );
    let recognised: String = fixture.one(
        "SELECT kind || year || coalesce(season, '-') || state || confidence || created_at FROM recognition WHERE title = 'One'",
    );
    assert_eq!(recognised, "movie2016-accepted0.92024-05-06T07:08:10Z");
    assert_eq!(
        fixture.one::<f64>("SELECT score FROM metadata_candidate WHERE external_id = '7'"),
        1.0
    );
    let links: Vec<String> = fixture.column(
        "SELECT source_path || mode || state || coalesce(device, '-') || coalesce(inode, '-') FROM file_link ORDER BY source_path",
    );
    assert_eq!(
        links,
        [
            "/d/ahardlinklinked--",
            "/d/bcopylinked--",
            "/d/csymlinklinked--",
            "/d/ereflinklinked--",
            "/d/fhardlinklinked--"
        ]
    );
    let columns: Vec<String> = fixture.column("SELECT name FROM pragma_table_info('download')");
    assert!(!columns.iter().any(|name| name == "infohash" || name == "idempotency_key"));
}

#[test]
fn every_id_is_a_ulid_of_its_own() {
    spec!("identity#migration-of-existing-records/ids");
    let fixture = library();
    fixture.migrate().unwrap();
    let ids: Vec<String> = fixture.column(
        "SELECT id FROM download UNION ALL SELECT id FROM recognition UNION ALL SELECT id FROM metadata_candidate
         UNION ALL SELECT id FROM hint UNION ALL SELECT id FROM override UNION ALL SELECT id FROM file_link
         UNION ALL SELECT id FROM apply_batch ORDER BY 1",
    );
    assert_eq!(ids.len(), 20);
    let mut parsed: Vec<tracker_ident::AnyId> = ids.iter().map(|id| id.parse().unwrap()).collect();
    assert!(ids.iter().zip(&parsed).all(|(text, id)| *text == id.to_string()));
    let floor: String = fixture.one("SELECT id FROM id_floor WHERE name = 'global'");
    assert_eq!(floor, *ids.last().unwrap());
    parsed.dedup();
    assert_eq!(parsed.len(), 20);
    // The time part is that of the record.
    let id: String = fixture.one("SELECT id FROM download WHERE name = 'Later'");
    assert_eq!(id.parse::<tracker_ident::AnyId>().unwrap().unix_ms(), 1_714_979_289_000);
}

#[test]
fn order_by_id_is_order_by_time_and_equal_seconds_keep_the_old_order() {
    spec!("identity#migration-of-existing-records/order");
    let times = [
        "2024-01-01 00:00:02",
        "2024-01-01T00:00:01Z",
        "2024-01-01T00:00:02.000Z",
        "2024-01-01T02:00:01+02:00",
        "2024-01-01 00:00:02.999",
        "2023-12-31 23:59:59",
        " 2024-01-01t00:00:01z ",
    ];
    let rows = (1..).zip(times).map(|(id, at)| download(id, "x", "", "done", at));
    let fixture = Fixture::with(&rows.collect::<String>());
    fixture.migrate().unwrap();
    let by_id: Vec<String> = fixture.column("SELECT name FROM download ORDER BY id");
    assert_eq!(by_id, ["d6", "d2", "d4", "d7", "d1", "d3", "d5"]);
    let created: Vec<String> = fixture.column("SELECT created_at FROM download ORDER BY id");
    assert!(created.is_sorted());
    assert_eq!(created[6], "2024-01-01T00:00:02Z");
}

#[test]
fn every_former_infohash_is_a_row() {
    spec!("identity#migration-of-existing-records/infohashes");
    let fixture = library();
    fixture.migrate().unwrap();
    let rows: Vec<String> =
        fixture.column("SELECT kind || ' ' || infohash FROM download_infohash ORDER BY 1");
    assert_eq!(rows, [format!("v1 {HASH}"), format!("v2 {V2}")]);
}

#[test]
fn each_distinct_batch_text_is_one_batch() {
    spec!("identity#migration-of-existing-records/batches");
    let fixture = library();
    fixture.migrate().unwrap();
    let batches: Vec<String> = fixture.column(
        "SELECT b.created_at || ' ' || b.state || ' ' || coalesce(d.name, 'none') || ' ' || coalesce(r.title, 'none') || ' '
             || (SELECT group_concat(l.target_path, '+' ORDER BY l.target_path) FROM file_link l WHERE l.apply_batch_id = b.id)
         FROM apply_batch b LEFT JOIN download d ON d.id = b.download_id LEFT JOIN recognition r ON r.id = b.recognition_id
         ORDER BY b.id",
    );
    assert_eq!(
        batches,
        [
            // The time of the earliest link, which is not the first.
            "2024-05-07T00:00:00Z applied Later One /l/a+/l/b",
            "2024-05-08T00:00:00Z applied  none /l/c",
            // Links of two downloads.
            "2024-05-09T00:00:00Z applied none none /l/e+/l/f",
        ]
    );
}

#[test]
fn deleting_works_along_the_new_keys() {
    spec!("identity#migration-of-existing-records/relations");
    let fixture = library();
    fixture.migrate().unwrap();
    let conn = fixture.conn();
    conn.pragma_update(None, "foreign_keys", true).unwrap();
    conn.execute_batch("DELETE FROM recognition WHERE title = 'One'").unwrap();
    assert_eq!(
        fixture.one::<i64>("SELECT count(*) FROM file_link WHERE recognition_id IS NULL"),
        3
    );
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM metadata_candidate"), 1);
    conn.execute_batch("DELETE FROM file_link; DELETE FROM download WHERE name = 'Later'").unwrap();
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM hint"), 1);
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM override"), 1);
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn every_former_version_migrates_with_its_rows() {
    spec!("identity#migration-of-existing-records/any-former-version");
    let rows: [&str; 4] = [
        "INSERT INTO download(id, infohash, magnet, state) VALUES (1, 'c12fe1c06bba254a9dc9f519b335aa7c1367a88a', '', 'queued');",
        "INSERT INTO recognition(id, download_id, state) VALUES (1, 1, 'pending');
         INSERT INTO metadata_candidate(recognition_id, source, external_id, title, score) VALUES (1, '', '', '', 0);",
        "INSERT INTO hint(download_id, text) VALUES (1, ''); INSERT INTO override(download_id, field, value) VALUES (1, '', '');",
        "INSERT INTO file_link(download_id, recognition_id, apply_batch_id, source_path, target_path, mode) VALUES (1, 1, '', '', '', 'copy');",
    ];
    let head = schema(&Fixture::at(LATEST));
    for version in 0..=5u32 {
        let fixture = Fixture::at(version);
        fixture.sql(&rows[..(version as usize).min(4)].concat());
        let report = fixture.migrate().unwrap();
        assert_eq!((report.from, report.to), (version, LATEST));
        assert_eq!(report.applied, versions_from(version + 1));
        assert_eq!(report.copy.is_some(), version > 0, "{version}");
        let counted = ["download", "metadata_candidate", "override", "apply_batch"]
            .map(|table| fixture.one::<i64>(&format!("SELECT count(*) FROM {table}")));
        let expected = [1u32, 2, 3, 4].map(|since| i64::from(version >= since));
        assert_eq!(counted, expected, "version {version}");
        assert_eq!(fixture.problems(), Vec::<String>::new());
        assert_eq!(schema(&fixture), head, "version {version}");
    }
}

fn schema(fixture: &Fixture) -> Vec<String> {
    fixture.column(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY name",
    )
}

#[test]
fn the_new_schema_is_strict_and_has_no_defaults() {
    spec!("identity#migration-of-existing-records/schema");
    let fixture = Fixture::at(LATEST);
    let loose: Vec<String> = fixture.column(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0
             AND name NOT GLOB 'sqlite_*' AND name <> 'refinery_schema_history'",
    );
    assert_eq!(loose, Vec::<String>::new());
    let defaults: Vec<String> = fixture.column(
        "SELECT t.name || '.' || c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND c.dflt_value IS NOT NULL",
    );
    assert_eq!(defaults, Vec::<String>::new());
    // Each column that points to another row can be looked up.
    let unindexed: Vec<String> = fixture.column(
        "SELECT t.name || '.' || k.\"from\" FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) k
         WHERE t.schema = 'main' AND NOT EXISTS (
             SELECT 1 FROM pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c ON c.seqno = 0
             WHERE c.name = k.\"from\")",
    );
    assert_eq!(unindexed, Vec::<String>::new());
    assert!(fixture.sql_fails("INSERT INTO hint(id, download_id, text) VALUES ('a', 'b', 'c')"));
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM id_floor"), 0);
}

impl Fixture {
    fn sql_fails(&self, sql: &str) -> bool {
        self.conn().execute_batch(sql).is_err()
    }
}
