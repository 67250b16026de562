//! A client that is stopped, killed and comes back.

use std::time::Duration;

use serde_json::Value;
use tracker_testkit::{eventually, spec};

use crate::daemon::{DEADLINE, Daemon, Setup};
use crate::scene::{Scene, assert_none_failed, story};
use tracker_testkit::Dice;

/// The client's entries in the journal, oldest first.
async fn client_events(daemon: &Daemon) -> Vec<String> {
    let page = daemon.get("/events?limit=200").await.expect(200);
    let kinds = page["items"].as_array().unwrap().iter().rev();
    let kinds = kinds.filter_map(|event| event["type"].as_str().map(ToOwned::to_owned));
    kinds.filter(|kind| kind.starts_with("client.")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_is_away_for_a_while() {
    spec!("fault-tolerance#an-outage-of-the-client-passes/killed-and-down-for-a-while");
    let scene = Scene::alone();
    scene.clear(&["movie-v1", "slow"]).await;
    let mut dice = Dice::of_this_test();
    let (dead, late) = (dice.dead_magnet(), dice.dead_magnet());
    let daemon = Daemon::started(Setup::of(&scene.lab)).await;
    let mut ids =
        vec![daemon.ingest(&scene.torrent("slow").magnet).await, daemon.ingest(&dead.link).await];
    for id in &ids {
        daemon.until_state(id, "downloading").await;
    }

    scene.lab.restart(true, true);
    let check = daemon.until_check("client-unreachable").await;
    assert_eq!((&check["subject"], &check["level"]), (&"qbt".into(), &"error".into()));
    assert_ne!(check["remedy"], "");
    for link in [&scene.torrent("movie-v1").magnet, &late.link] {
        ids.push(daemon.ingest(link).await);
    }
    for (id, state) in ids.iter().zip(["downloading", "downloading", "queued", "queued"]) {
        let download = daemon.download(id).await;
        assert_eq!((&download["state"], &download["attention"]), (&state.into(), &Value::Null));
    }
    eventually(DEADLINE, "the outage in the journal", async || {
        (client_events(&daemon).await == ["client.online", "client.offline"]).then_some(())
    })
    .await;

    scene.lab.restart(false, false);
    daemon.until_check("client-reachable").await;
    // The rows wait for longer by now; health that turns green ends that.
    eventually(Duration::from_secs(5), "the waiting ones to be handed over", async || {
        for id in &ids[2..] {
            if story(&daemon, id).await.is_empty() {
                return None;
            }
        }
        Some(())
    })
    .await;
    let events = client_events(&daemon).await;
    assert_eq!(events, ["client.online", "client.offline", "client.online"]);
    daemon.until_state(&ids[2], "done").await;
    daemon.until(&ids[0], DEADLINE * 2, "done", |download| download["state"] == "done").await;
    assert_none_failed(&daemon, &ids).await;

    scene.clear(&["movie-v1", "slow"]).await;
    let hashes: Vec<&str> = dead.hashes.iter().chain(&late.hashes).map(String::as_str).collect();
    scene.lab.api().await.delete_infohashes(&hashes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_restarts() {
    spec!("fault-tolerance#an-outage-of-the-client-passes/restarted");
    let scene = Scene::alone();
    scene.clear(&["movie-v2"]).await;
    let mut dice = Dice::of_this_test();
    let dead: Vec<_> = (0..4).map(|_| dice.dead_magnet()).collect();
    let daemon = Daemon::started(Setup::of(&scene.lab)).await;
    let mut ids = Vec::new();
    for magnet in &dead {
        ids.push(daemon.ingest(&magnet.link).await);
    }
    for id in &ids {
        daemon.until_state(id, "downloading").await;
    }
    for kill in [false, true] {
        scene.lab.restart(kill, false);
        // It may be back before anybody has looked; what counts is the way on.
        daemon.until_check("client-reachable").await;
    }
    let film = daemon.ingest(&scene.torrent("movie-v2").magnet).await;
    daemon.until_state(&film, "done").await;
    ids.push(film);
    assert_none_failed(&daemon, &ids).await;
    let listed = daemon.get("/downloads").await.expect(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), ids.len());

    scene.clear(&["movie-v2"]).await;
    let hashes: Vec<&str> =
        dead.iter().flat_map(|magnet| magnet.hashes.iter().map(String::as_str)).collect();
    scene.lab.api().await.delete_infohashes(&hashes).await;
}
