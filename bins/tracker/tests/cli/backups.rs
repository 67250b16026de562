//! Backups and restores of the whole program.

use serde_json::Value;
use tracker_testkit::{eventually, spec};

use crate::daemon::{DEADLINE, Daemon};
use crate::{alone, hash, running};

fn ids(items: &Value) -> Vec<String> {
    let items = items["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// The one backup that was made just now.
fn made(here: &Daemon) -> Value {
    serde_json::from_str(here.tracker(&["backup", "--json"]).done()).unwrap()
}

fn downloads(here: &Daemon) -> usize {
    ids(&serde_json::from_str(here.tracker(&["list", "--json"]).done()).unwrap()).len()
}

#[tokio::test]
async fn backups_are_made_with_a_daemon_and_without() {
    spec!("backup#asked-for-by-a-person/the-whole-program");
    let (_folder, mut here) = running().await;
    let by_daemon = made(&here);
    assert_eq!(by_daemon["state"], "done");
    let object = here.data_dir().join("backups").join(by_daemon["object"].as_str().unwrap());
    assert_eq!(std::fs::metadata(&object).unwrap().len(), by_daemon["size_bytes"]);
    here.tracker(&["backup", "verify"]).done();
    let job = by_daemon["job_id"].as_str().unwrap();
    let told = here.get(&format!("/events?job_id={job}")).await.expect(200);
    let actors: Vec<&Value> =
        told["items"].as_array().unwrap().iter().map(|event| &event["actor"]).collect();
    assert_eq!(actors.len(), 5, "{told}");
    assert!(actors.iter().all(|actor| *actor == "api:local"), "{told}");
    assert_eq!(here.checks("backup-target").await[0]["level"], "ok");
    here.stop();

    let alone = made(&here);
    here.tracker(&["backup", "verify", by_daemon["id"].as_str().unwrap()]).done();
    let listed: Value =
        serde_json::from_str(here.tracker(&["backup", "list", "--json"]).done()).unwrap();
    assert_eq!(ids(&listed), [alone["id"].as_str().unwrap(), by_daemon["id"].as_str().unwrap()]);
    assert!(listed["items"][1]["verified_at"].is_string());
    here.tracker(&["backup", "delete", alone["id"].as_str().unwrap()]).done();
    assert_eq!(here.tracker(&["backup", "verify", alone["id"].as_str().unwrap()]).code, 5);

    // An object that goes away is noticed at the next start.
    std::fs::remove_file(&object).unwrap();
    here.start().await;
    let path = format!("/backups/{}", by_daemon["id"].as_str().unwrap());
    eventually(DEADLINE, "it is missing", async || {
        let found = here.get(&path).await.expect(200);
        (found["state"] == "missing").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_database_is_restored_by_id_and_from_files() {
    spec!("backup#restore-by-a-person/from-a-backup-and-from-a-file");
    let (_folder, here) = alone();
    here.tracker(&["ingest", &hash('a')]).done();
    let backup = made(&here);
    let id = backup["id"].as_str().unwrap().to_owned();
    here.tracker(&["ingest", &hash('b')]).done();
    here.tracker(&["ingest", &hash('c')]).done();

    let rehearsed = here.tracker(&["restore", "--dry-run", &id]);
    assert!(rehearsed.done().contains("2 downloads would be gone"), "{}", rehearsed.out);
    assert_eq!(downloads(&here), 3);
    let restored = here.tracker(&["restore", &id, "--json"]);
    let report: Value = serde_json::from_str(restored.done()).unwrap();
    assert_eq!((downloads(&here), &report["lost_downloads"]), (1, &2.into()));
    assert!(here.tracker(&["db", "check"]).done().starts_with("ok"));

    // Back to the former one, which is a database file.
    let former = report["former_database"].as_str().unwrap();
    here.tracker(&["restore", former]).done();
    assert_eq!(downloads(&here), 3);
    // From the object, and without any database.
    let database = here.data_dir().join("tracker.db");
    let object = here.data_dir().join("backups").join(backup["object"].as_str().unwrap());
    here.tracker(&["restore", object.to_str().unwrap()]).done();
    assert_eq!(downloads(&here), 1);
    std::fs::remove_file(&database).unwrap();
    here.tracker(&["restore", &id]).done();
    assert_eq!(downloads(&here), 1);
    assert_eq!(here.tracker(&["restore", database.to_str().unwrap()]).code, 2);
    assert_eq!(here.tracker(&["restore", "01jzabcdefghjkmnpqrstvwxyz"]).code, 3);
}

#[tokio::test]
async fn a_restore_is_refused_while_a_daemon_runs() {
    spec!("backup#restore-by-a-person/while-a-daemon-runs");
    let (_folder, mut here) = running().await;
    let backup = made(&here);
    let id = backup["id"].as_str().unwrap();
    for args in [vec!["restore", id], vec!["restore", "--dry-run", id]] {
        let refused = here.tracker(&args);
        assert_eq!(refused.code, 5, "{}", refused.err);
        assert!(refused.err.contains("stop that one first"), "{}", refused.err);
    }
    here.stop();
    here.tracker(&["restore", id]).done();
    // It was copied while it was made: in the copy it is done all the same.
    here.start().await;
    let found = here.get(&format!("/backups/{id}")).await.expect(200);
    for member in ["state", "size_bytes", "sha256", "row_counts"] {
        assert_eq!(found[member], backup[member], "{member}");
    }
    let job = here.get(&format!("/jobs/{}", backup["job_id"].as_str().unwrap())).await.expect(200);
    assert_eq!((&job["state"], &job["error"]), (&"done".into(), &Value::Null));
    here.tracker(&["backup", "verify", id]).done();
}
