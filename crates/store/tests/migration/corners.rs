//! Rows of former versions that have no plain counterpart today.

use tracker_testkit::spec;

use super::fixture::{Fixture, HASH, HASH_BASE32, V2, download};

const DAY: &str = "2024-01-01 00:00:00";

fn migrated(sql: &str) -> Fixture {
    let fixture = Fixture::with(sql);
    assert_eq!(fixture.rehearse().unwrap().problems, []);
    fixture.migrate().unwrap();
    assert_eq!(fixture.problems(), Vec::<String>::new());
    fixture
}

/// `state|error|error_code|attention` of the download with this old id.
fn fate(fixture: &Fixture, old: i64) -> String {
    fixture.one(&format!(
        "SELECT state || '|' || coalesce(error, '') || '|' || coalesce(error_code, '') || '|' || coalesce(attention, '')
         FROM download WHERE name = 'd{old}'"
    ))
}

#[test]
fn known_states_stay_and_unknown_ones_fail_with_their_word() {
    spec!("identity#migration-of-existing-records/unknown-state");
    let words = [
        "queued",
        "downloading",
        "downloaded",
        "linking",
        "done",
        "failed",
        "cancelled",
        "merged",
        "seeding",
        "Queued",
        "",
    ];
    let rows =
        (1..).zip(words).map(|(id, word)| download(id, &format!("{id:040x}"), "", word, DAY));
    let fixture = migrated(
        &(rows.collect::<String>() + "UPDATE download SET error = 'disk full' WHERE id = 10"),
    );
    for (id, word) in (1..=8).zip(words) {
        assert_eq!(fate(&fixture, id), format!("{word}|||"));
    }
    assert_eq!(fate(&fixture, 9), "failed|seeding|legacy-state|");
    assert_eq!(fate(&fixture, 10), "failed|Queued: disk full|legacy-state|");
    assert_eq!(fate(&fixture, 11), "failed||legacy-state|");
    assert_eq!(fixture.note("unknown_state"), 3);
}

#[test]
fn of_two_active_owners_the_oldest_keeps_the_infohash() {
    spec!("identity#migration-of-existing-records/two-active-owners");
    let upper = HASH.to_uppercase();
    let fixture = migrated(
        &[
            download(1, HASH, "", "done", "2023-01-01 00:00:00"),
            download(2, &upper, "", "queued", "2024-01-03 00:00:00"),
            download(3, HASH, "", "downloading", "2024-01-02 00:00:00"),
            download(4, HASH_BASE32, "", "linking", "2024-01-02 00:00:00"),
            download(5, HASH, "", "odd", "2022-01-01 00:00:00"),
            download(6, V2, "", "queued", DAY),
        ]
        .concat(),
    );
    let owner: String = fixture.one("SELECT id FROM download WHERE name = 'd3'");
    let reason = format!("the older active download {owner} owns the infohash {HASH}");
    assert_eq!(fate(&fixture, 1), "done|||");
    assert_eq!(fate(&fixture, 2), format!("failed|{reason}|infohash-owned|infohash-owned"));
    assert_eq!(fate(&fixture, 3), "downloading|||");
    assert_eq!(fate(&fixture, 4), format!("failed|{reason}|infohash-owned|infohash-owned"));
    assert_eq!(fate(&fixture, 5), "failed|odd|legacy-state|");
    assert_eq!(fate(&fixture, 6), "queued|||");
    let detail: String = fixture.one("SELECT attention_detail FROM download WHERE name = 'd2'");
    assert_eq!(detail, owner);
    assert_eq!(fixture.note("infohash_owned"), 2);
    // Who lost it still has the row: the story of the torrent stays findable.
    let rows: i64 =
        fixture.one(&format!("SELECT count(*) FROM download_infohash WHERE infohash = '{HASH}'"));
    assert_eq!(rows, 5);
}

#[test]
fn the_front_of_a_v2_is_written_as_that_v2() {
    spec!("identity#migration-of-existing-records/truncated-v2");
    let front = V2[..40].to_uppercase();
    let magnet = format!("magnet:?xt=urn:btmh:1220{}&dn=x", V2.to_uppercase());
    let fixture = migrated(
        &[
            download(1, &front, &magnet, "queued", DAY),
            // Another row's magnet is no proof.
            download(2, &front, "magnet:?dn=x", "done", DAY),
            // The v1 of a hybrid is a v1.
            download(3, HASH, &format!("{magnet}&xt=urn:btih:{HASH}"), "queued", DAY),
            // The same torrent by its full v2: two owners once the front is whole.
            download(4, V2, "", "downloading", "2024-01-02 00:00:00"),
        ]
        .concat(),
    );
    let rows: Vec<String> = fixture.column(
        "SELECT d.name || ' ' || h.kind || ' ' || h.infohash FROM download_infohash h JOIN download d ON d.id = h.download_id
         ORDER BY d.name",
    );
    let expected = [
        format!("d1 v2 {V2}"),
        format!("d2 v1 {}", &V2[..40]),
        format!("d3 v1 {HASH}"),
        format!("d4 v2 {V2}"),
    ];
    assert_eq!(rows, expected);
    assert_eq!(fixture.note("truncated_v2"), 1);
    assert!(fate(&fixture, 4).ends_with("|infohash-owned|infohash-owned"));
}

#[test]
fn an_unreadable_infohash_gives_no_row_and_ends_an_active_download() {
    spec!("identity#migration-of-existing-records/unreadable-infohash");
    let fixture = migrated(
        &[
            download(1, "not a hash", "", "downloading", DAY),
            download(2, "", "", "done", DAY),
            download(3, &HASH[1..], "", "odd", DAY),
        ]
        .concat(),
    );
    assert_eq!(fate(&fixture, 1), "failed|unreadable infohash: not a hash|legacy-state|");
    assert_eq!(fate(&fixture, 2), "done|||");
    assert_eq!(fate(&fixture, 3), "failed|odd|legacy-state|");
    assert_eq!(fixture.note("unreadable_infohash"), 3);
    assert_eq!(fixture.one::<i64>("SELECT count(*) FROM download_infohash"), 0);
}

#[test]
fn an_unreadable_time_takes_the_nearest_earlier_row_or_the_epoch() {
    spec!("identity#migration-of-existing-records/unreadable-time");
    let fixture = migrated(
        &[
            download(1, "x", "", "done", "soon"),
            download(2, "x", "", "done", "2024-01-02 00:00:00"),
            download(5, "x", "", "done", ""),
            download(6, "x", "", "done", "1950-01-01 00:00:00"),
            download(7, "x", "", "done", "2024-01-01 00:00:00"),
            "INSERT INTO hint(download_id, text, created_at) VALUES (2, 'a', 'never'), (2, 'b', '2024-02-01 00:00:00'), (2, 'c', '-');
             INSERT INTO file_link(download_id, apply_batch_id, source_path, target_path, mode, created_at)
                 VALUES (2, 'b', '', '', 'copy', '?');
             UPDATE download SET updated_at = '2024-03-01 00:00:00' WHERE id = 5;"
                .to_owned(),
        ]
        .concat(),
    );
    let downloads: Vec<String> = fixture
        .column("SELECT name || ' ' || created_at || ' ' || updated_at FROM download ORDER BY id");
    assert_eq!(
        downloads,
        [
            "d1 1970-01-01T00:00:00Z 1970-01-01T00:00:00Z",
            "d7 2024-01-01T00:00:00Z 2024-01-01T00:00:00Z",
            "d2 2024-01-02T00:00:00Z 2024-01-02T00:00:00Z",
            "d5 2024-01-02T00:00:00Z 2024-03-01T00:00:00Z",
            "d6 2024-01-02T00:00:00Z 2024-01-02T00:00:00Z",
        ]
    );
    // Each table by itself: a hint does not take the time of a download.
    let hints: Vec<String> =
        fixture.column("SELECT text || ' ' || created_at FROM hint ORDER BY id");
    assert_eq!(
        hints,
        ["a 1970-01-01T00:00:00Z", "b 2024-02-01T00:00:00Z", "c 2024-02-01T00:00:00Z"]
    );
    assert_eq!(fixture.one::<String>("SELECT created_at FROM apply_batch"), "1970-01-01T00:00:00Z");
    assert_eq!(fixture.note("unreadable_created_at"), 6);
}

#[test]
fn words_of_former_recognitions_and_modes_become_ones_of_today() {
    spec!("identity#migration-of-existing-records/unknown-words");
    let fixture = migrated(&format!(
        "{}INSERT INTO recognition(download_id, kind, title, state) VALUES
             (1, 'movie', 'a', 'accepted'), (1, 'tv', 'b', 'accepted'), (1, 'tv', 'c', 'matched');
         INSERT INTO file_link(download_id, apply_batch_id, source_path, target_path, mode) VALUES (1, 'b', '', '', 'junction');",
        download(1, HASH, "", "done", DAY)
    ));
    let rows: Vec<String> = fixture.column(
        "SELECT title || '|' || state || '|' || coalesce(kind, '') || '|' || coalesce(detail, '') FROM recognition ORDER BY title",
    );
    assert_eq!(
        rows,
        [
            "a|accepted|movie|",
            "b|accepted||former kind: tv",
            "c|proposed||former state: matched former kind: tv"
        ]
    );
    assert_eq!(fixture.one::<String>("SELECT mode FROM file_link"), "hardlink");
    assert_eq!(fixture.note("unknown_recognition_state"), 1);
    assert_eq!(fixture.note("unknown_recognition_kind"), 2);
    assert_eq!(fixture.note("unknown_link_mode"), 1);
}

#[test]
fn values_of_a_wrong_type_do_not_stop_the_migration() {
    spec!("identity#migration-of-existing-records/values-of-a-wrong-type");
    let fixture = migrated(
        "INSERT INTO download(id, infohash, magnet, name, state) VALUES (1, '', '', X'61ff62', 'done'), (2, '', '', CAST(X'63ff' AS TEXT), 'done');
         INSERT INTO recognition(id, download_id, title, year, season, state, confidence) VALUES (1, 1, 't', 'n/a', '2', 'proposed', 'high');
         INSERT INTO metadata_candidate(recognition_id, source, external_id, title, year, score) VALUES (1, 'tmdb', 603, 't', 2016, 'best');",
    );
    assert_eq!(
        fixture.column::<String>("SELECT name FROM download ORDER BY id"),
        ["a\u{fffd}b", "c\u{fffd}"]
    );
    let recognised: String = fixture
        .one("SELECT coalesce(year, '-') || coalesce(season, '-') || coalesce(confidence, '-') FROM recognition");
    assert_eq!(recognised, "-2-");
    assert_eq!(
        fixture.one::<String>("SELECT external_id || year || score FROM metadata_candidate"),
        "60320160.0"
    );
    assert_eq!(fixture.note("unreadable_number"), 2);
}

#[test]
fn the_account_counts_the_rows_of_each_table() {
    spec!("data-protection#account-of-a-migration/rows-of-each-table");
    let fixture =
        migrated(&[download(1, HASH, "", "done", DAY), download(2, "x", "", "done", DAY)].concat());
    assert_eq!(fixture.note("rows.download"), 2);
    assert_eq!(fixture.note("rows.download_infohash"), 1);
    let named = tracker_store::migrate::notes(&fixture.conn(), 6).unwrap();
    for table in
        ["recognition", "metadata_candidate", "hint", "override", "file_link", "apply_batch"]
    {
        assert!(named.contains(&(format!("rows.{table}"), 0)), "{table}");
    }
    assert_eq!(tracker_store::migrate::notes(&fixture.conn(), 5).unwrap(), []);
    assert_eq!(tracker_store::migrate::notes(&Fixture::at(5).conn(), 5).unwrap(), []);
}
