//! Any content of a former database gives one that passes every check.

use proptest::prelude::*;
use rusqlite::params;
use tracker_domain::Timestamp;
use tracker_testkit::spec;

use super::fixture::{Fixture, HASH, HASH_BASE32, V2};

/// A former download: infohash, magnet, state, time.
type Row = (String, String, String, String);

fn infohash() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(HASH.to_owned()),
        Just(HASH.to_uppercase()),
        Just(HASH_BASE32.to_owned()),
        Just(V2.to_owned()),
        Just(V2[..40].to_owned()),
        "[0-9a-fA-F]{40}",
        "\\PC{0,50}",
    ]
}

fn magnet() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(format!("magnet:?xt=urn:btmh:1220{V2}")),
        Just(format!("magnet:?xt=urn:btih:{HASH}&xt=urn:btmh:1220{V2}")),
        "\\PC{0,40}",
    ]
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec!["queued", "downloading", "downloaded", "linking"]).prop_map(str::to_owned),
        2 => prop::sample::select(vec!["done", "failed", "cancelled", "merged"]).prop_map(str::to_owned),
        1 => "\\PC{0,10}",
    ]
}

fn time() -> impl Strategy<Value = String> {
    let second = 1_700_000_000i64..1_700_000_004;
    prop_oneof![
        3 => second.clone().prop_map(|at| Timestamp::from_unix(at).unwrap().to_string().replace(['T', 'Z'], " ")),
        2 => second.clone().prop_map(|at| Timestamp::from_unix(at).unwrap().to_string()),
        1 => second.prop_map(|at| Timestamp::from_unix(at).unwrap().to_string().replace('Z', ".5+00:00")),
        1 => "\\PC{0,12}",
    ]
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((infohash(), magnet(), word(), time()), 1..12)
}

/// Children: parent (taken modulo the number of parents), some text, time.
fn children() -> impl Strategy<Value = Vec<(usize, String, String)>> {
    prop::collection::vec((0usize..100, "[a-c]{1,2}", time()), 0..12)
}

fn insert(fixture: &Fixture, downloads: &[Row], children: &[(usize, String, String)]) {
    let conn = fixture.conn();
    for (id, (infohash, magnet, state, at)) in (1i64..).zip(downloads) {
        conn.execute(
            "INSERT INTO download(id, infohash, magnet, name, state, created_at) VALUES (?1, ?2, ?3, ?1, ?4, ?5)",
            params![id, infohash, magnet, state, at],
        )
        .unwrap();
    }
    for (id, (parent, text, at)) in (1i64..).zip(children) {
        let download = i64::try_from(parent % downloads.len()).unwrap() + 1;
        for sql in [
            "INSERT INTO recognition(id, download_id, kind, state, title, created_at) VALUES (?1, ?2, ?3, ?3, ?3, ?4)",
            "INSERT INTO metadata_candidate(recognition_id, title, source, external_id, score, created_at) VALUES (?1, ?2, ?3, ?3, 0, ?4)",
            "INSERT INTO hint(id, download_id, text, created_at) VALUES (?1, ?2, ?3, ?4)",
            "INSERT OR IGNORE INTO override(id, download_id, field, value, created_at) VALUES (?1, ?2, ?3, ?3, ?4)",
            "INSERT INTO file_link(id, download_id, recognition_id, apply_batch_id, source_path, target_path, mode, created_at)
             VALUES (?1, ?2, nullif(?1, 2), ?3, ?3, ?3, ?3, ?4)",
        ] {
            conn.execute(sql, params![id, download, text, at]).unwrap();
        }
    }
}

/// The old numbers in the order of history.
fn history(times: impl Iterator<Item = String>) -> Vec<String> {
    let mut latest = 0;
    let mut order: Vec<(i64, i64)> = (1i64..)
        .zip(times)
        .map(|(id, at)| {
            let own = Timestamp::from_legacy(&at).map(Timestamp::unix).filter(|unix| *unix >= 0);
            latest = own.unwrap_or(latest);
            (latest, id)
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, id)| id.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_former_content_migrates_to_a_healthy_database(downloads in rows(), children in children()) {
        spec!("identity#migration-of-existing-records/any-content");
        let fixture = Fixture::at(5);
        insert(&fixture, &downloads, &children);
        let rehearsal = fixture.rehearse().unwrap();
        prop_assert_eq!(rehearsal.problems, vec![]);
        fixture.migrate().unwrap();
        prop_assert_eq!(fixture.problems(), Vec::<String>::new());
        let by_id: Vec<String> = fixture.column("SELECT name FROM download ORDER BY id");
        prop_assert_eq!(by_id, history(downloads.iter().map(|row| row.3.clone())));
        for table in ["recognition", "metadata_candidate", "hint", "file_link"] {
            let rows: i64 = fixture.one(&format!("SELECT count(*) FROM {table}"));
            prop_assert_eq!(rows, i64::try_from(children.len()).unwrap());
        }
    }
}
