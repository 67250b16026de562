//! A database of the former schema: rehearsed, migrated, looked at.

use std::os::unix::fs::PermissionsExt;

use rusqlite::Connection;
use serde_json::json;
use tracker_store::migrate::LATEST;
use tracker_testkit::spec;

use crate::alone;
use crate::daemon::Daemon;

/// Four downloads, two of which claim one infohash, and all that hangs on one.
const LEGACY: &str = "
INSERT INTO download (id, infohash, idempotency_key, magnet, name, state, error, created_at, updated_at) VALUES
 (1, 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', NULL, 'magnet:?xt=urn:btih:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'One', 'queued', NULL, '2024-05-06 07:08:09', '2024-05-06 07:08:09'),
 (2, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'k', 'magnet:?xt=urn:btih:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Two', 'downloading', NULL, '2024-05-06 07:08:09', '2024-05-06 07:08:09'),
 (3, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', NULL, 'magnet:?xt=urn:btih:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'Three', 'seeding', NULL, 'some day', '2024-05-06 07:08:09'),
 (4, 'cccccccccccccccccccccccccccccccccccccccc', NULL, 'magnet:?xt=urn:btih:cccccccccccccccccccccccccccccccccccccccc', 'Four', 'done', NULL, '2024-05-07 07:08:09', '2024-05-07 07:08:09');
INSERT INTO recognition (id, download_id, kind, title, year, season, state, confidence) VALUES (1, 4, 'movie', 'Four', 2001, NULL, 'accepted', 0.9);
INSERT INTO metadata_candidate (id, recognition_id, source, external_id, title, year, score) VALUES (1, 1, 'tmdb', '603', 'Four', 2001, 0.9);
INSERT INTO hint (download_id, text) VALUES (4, 'a film');
INSERT INTO override (download_id, field, value) VALUES (4, 'title', 'Four!');
INSERT INTO file_link (download_id, recognition_id, apply_batch_id, source_path, target_path, mode) VALUES
 (4, 1, 'batch-x', '/a', '/b', 'hardlink'), (4, NULL, 'batch-x', '/c', '/d', 'hardlink');
";

fn database(here: &Daemon) -> Connection {
    Connection::open(here.data_dir().join("tracker.db")).unwrap()
}

/// A database at version 5 with rows.
fn former(here: &Daemon) {
    let made = here.tracker(&["db", "migrate", "--to", "5"]);
    assert!(made.done().ends_with("now at version 5 (was 0)\n"), "{made:?}");
    database(here).execute_batch(LEGACY).unwrap();
}

/// The files of a data directory, without locks and without what SQLite keeps beside a
/// database: a process that ends while the pool opens a connection may leave that, and
/// the next one takes it away.
fn files(here: &Daemon) -> Vec<String> {
    let beside = [".lock", "-wal", "-shm"];
    let entries = std::fs::read_dir(here.data_dir()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| !beside.iter().any(|end| name.ends_with(end))).collect();
    names.sort();
    names
}

#[test]
fn a_former_database_is_refused_until_it_is_migrated() {
    spec!("command-line#the-database-is-looked-after/an-older-database");
    let (_folder, here) = alone();
    former(&here);
    for line in
        [&["list"][..], &["events"], &["ingest", "a".repeat(40).as_str()], &["token", "list"]]
    {
        let found = here.tracker(line);
        assert_eq!((found.code, found.out.as_str()), (5, ""), "{line:?}");
        assert!(found.err.contains("tracker db migrate"), "{}", found.err);
    }
    assert_eq!(here.tracker(&["db", "check"]).done(), "ok, version 5\n");
    assert_eq!(here.tracker(&["db", "migrate", "--to", "4"]).code, 5);
    assert_eq!(here.tracker(&["db", "migrate", "--to", "99"]).code, 2);
}

#[test]
fn a_rehearsal_compares_and_changes_nothing() {
    spec!("command-line#the-database-is-looked-after/rehearsal");
    let (_folder, here) = alone();
    let fresh = here.tracker(&["db", "migrate", "--dry-run", "--json"]).json();
    assert_eq!((&fresh["from"], &fresh["to"]), (&0.into(), &LATEST.into()));
    assert!(!here.data_dir().exists());

    former(&here);
    let before = std::fs::read(here.data_dir().join("tracker.db")).unwrap();
    let report = here.tracker(&["db", "migrate", "--dry-run", "--json"]).json();
    assert_eq!(
        (&report["from"], &report["to"], &report["dry_run"]),
        (&5.into(), &LATEST.into(), &true.into())
    );
    let mut counted: Vec<(&str, i64, i64)> = report["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| {
            let count = |name: &str| table[name].as_i64().unwrap();
            (table["table"].as_str().unwrap(), count("before"), count("after"))
        })
        .collect();
    counted.sort_unstable();
    assert_eq!(
        counted,
        [
            ("apply_batch", 1, 1),
            ("download", 4, 4),
            ("download_infohash", 4, 4),
            ("file_link", 2, 2),
            ("hint", 1, 1),
            ("metadata_candidate", 1, 1),
            ("override", 1, 1),
            ("recognition", 1, 1),
        ]
    );
    assert_eq!(
        report["notes"],
        json!([
            {"what": "infohash_owned", "count": 1},
            {"what": "unknown_state", "count": 1},
            {"what": "unreadable_created_at", "count": 1},
        ])
    );
    assert_eq!(report["problems"], json!([]));
    let text = here.tracker(&["db", "migrate", "--dry-run"]);
    assert!(text.done().contains("counts and relations agree"), "{text:?}");
    let ahead = format!("would be version {LATEST} (was 5)\n");
    assert!(text.done().ends_with(&ahead), "{text:?}");
    assert_eq!(files(&here), ["tracker.db"]);
    assert_eq!(std::fs::read(here.data_dir().join("tracker.db")).unwrap(), before);
}

#[test]
fn migrated_rows_are_listed_shown_and_told_of() {
    spec!("data-protection#account-of-a-migration/told-at-the-next-open");
    let (_folder, here) = alone();
    former(&here);
    let migrated = here.tracker(&["db", "migrate"]);
    let there = format!("now at version {LATEST} (was 5)\n");
    assert!(migrated.done().ends_with(&there), "{migrated:?}");
    let again = here.tracker(&["db", "migrate"]);
    let nothing = format!("nothing to do at version {LATEST} (was {LATEST})\n");
    assert_eq!(again.done(), nothing);
    let kept = files(&here);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept[1].starts_with("tracker.db.bak-2") && kept[1].ends_with('Z'), "{kept:?}");
    assert!(migrated.err.contains(&kept[1]), "{}", migrated.err);
    for name in &kept {
        let mode = std::fs::metadata(here.data_dir().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }

    let page = here.tracker(&["list", "--json"]).json();
    let found: Vec<(&str, &str, &str)> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let code = item["error"]["code"].as_str().unwrap_or_default();
            (item["name"].as_str().unwrap(), item["state"].as_str().unwrap(), code)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("Four", "done", ""),
            ("Three", "failed", "legacy-state"),
            ("Two", "failed", "infohash-owned"),
            ("One", "queued", ""),
        ]
    );

    let told = here.tracker(&["events", "--json", "--type", "system.migrated"]).json();
    let told = told["items"].as_array().unwrap().clone();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["data"]["rows"]["download"], 4);
    assert_eq!(told[0]["data"]["rows"]["file_link"], 2);
    assert_eq!(told[0]["data"]["counts"]["unknown_state"], 1);
    assert_eq!(told[0]["data"]["to"], LATEST);

    let conn = database(&here);
    for kind in [
        "download",
        "recognition",
        "metadata_candidate",
        "hint",
        "override",
        "apply_batch",
        "file_link",
    ] {
        let id: String = conn
            .query_row(&format!("SELECT id FROM {kind} ORDER BY id DESC LIMIT 1"), [], |row| {
                row.get(0)
            })
            .unwrap();
        let shown = here.tracker(&["show", &id.to_uppercase(), "--json"]).json();
        assert_eq!(shown["id"], id.as_str(), "{kind}");
        if kind != "download" {
            assert_eq!(shown["kind"], kind);
            assert_eq!(shown["download_id"], page["items"][0]["id"], "{kind}");
        }
    }
    assert_eq!(here.tracker(&["db", "check"]).done(), format!("ok, version {LATEST}\n"));
}

#[tokio::test]
async fn the_daemon_migrates_at_its_start() {
    spec!("data-protection#copy-before-a-migration/a-pending-migration");
    let (_folder, mut here) = alone();
    former(&here);
    here.start().await;
    let copies = files(&here).iter().filter(|name| name.starts_with("tracker.db.bak-2")).count();
    assert_eq!(copies, 1);
    let page = here.get("/downloads?state=queued&state=failed").await.expect(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 3);
    let told = here.get("/events?type=system.migrated").await.expect(200);
    assert_eq!(told["items"].as_array().unwrap().len(), 1);
    here.stop();
    here.start().await;
    let told = here.get("/events?type=system.migrated").await.expect(200);
    assert_eq!(told["items"].as_array().unwrap().len(), 1);
}

#[test]
fn a_newer_database_is_refused_with_both_versions() {
    spec!("command-line#the-database-is-looked-after/a-newer-database");
    let (_folder, here) = alone();
    here.tracker(&["db", "migrate"]).done();
    let row = "INSERT INTO refinery_schema_history VALUES (77, 'x', '2026-01-01', '1')";
    database(&here).execute_batch(row).unwrap();
    for line in [
        &["list"][..],
        &["db", "check"],
        &["db", "migrate"],
        &["db", "migrate", "--dry-run"],
        &["serve"],
    ] {
        let found = here.tracker(line);
        assert_eq!((found.code, found.out.as_str()), (5, ""), "{line:?} {}", found.err);
        let rest = found.err.replace("77", "");
        assert!(rest != found.err && rest.contains(&LATEST.to_string()), "{line:?} {}", found.err);
    }
}

#[test]
fn what_is_no_database_is_said_to_be_damaged() {
    spec!("command-line#the-database-is-looked-after/no-database-at-all");
    let (_folder, here) = alone();
    std::fs::create_dir_all(here.data_dir()).unwrap();
    std::fs::write(here.data_dir().join("tracker.db"), "this is no database").unwrap();
    for line in [&["list"][..], &["db", "check"], &["db", "migrate"], &["serve"]] {
        let found = here.tracker(line);
        assert_eq!((found.code, found.out.as_str()), (1, ""), "{line:?}");
        assert!(found.err.contains("damaged"), "{line:?} {}", found.err);
    }
    let kept = std::fs::read_to_string(here.data_dir().join("tracker.db")).unwrap();
    assert_eq!(kept, "this is no database");
}
