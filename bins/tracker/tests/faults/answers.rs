//! A client whose answers are errors, cut off, lost or strange.

use serde_json::{Value, json};
use tracker_testkit::{eventually, spec};

use crate::daemon::{DEADLINE, Daemon};
use crate::fault_proxy::{Fault, FaultProxy};
use crate::scene::{Scene, assert_none_failed, hashes_of, story, times_in_client};
use tracker_testkit::Dice;

async fn until_used_up(proxy: &FaultProxy) {
    let what = "every fault to strike";
    eventually(DEADLINE, what, async || proxy.is_used_up().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_and_cut_off_answers_pass() {
    spec!("fault-tolerance#rubbish-from-the-client-passes/errors-and-cut-off-answers");
    let scene = Scene::with(&["season-v1"]);
    scene.clear(&["season-v1"]).await;
    let dead = Dice::of_this_test().dead_magnet();
    let (proxy, setup) = scene.proxied().await;
    let daemon = Daemon::started(setup).await;

    proxy.spoil("torrents/add", 1, Fault::Status(500));
    proxy.spoil("torrents/add", 1, Fault::Shortened(5));
    let mut ids = vec![daemon.ingest(&dead.link).await];
    daemon.until_state(&ids[0], "downloading").await;
    assert_eq!(proxy.struck("torrents/add"), 2);

    for fault in [Fault::Status(500), Fault::CutAt(10), Fault::Shortened(10), Fault::HangUp] {
        proxy.spoil("torrents/info", 1, fault.clone());
        proxy.spoil("torrents/files", 1, fault);
    }
    ids.push(daemon.ingest(&scene.torrent("season-v1").magnet).await);
    daemon.until_state(&ids[1], "done").await;
    until_used_up(&proxy).await;
    daemon.until_check("client-reachable").await;
    assert_none_failed(&daemon, &ids).await;

    let api = scene.lab.api().await;
    let hashes: Vec<&str> = dead.hashes.iter().map(String::as_str).collect();
    for hashes in [&hashes, &hashes_of(scene.torrent("season-v1"))] {
        assert_eq!(times_in_client(&api, hashes).await, 1);
    }
    scene.clear(&["season-v1"]).await;
    api.delete_infohashes(&hashes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_answer_to_an_add_is_looked_up() {
    spec!("fault-tolerance#rubbish-from-the-client-passes/the-answer-to-an-add-is-lost");
    let scene = Scene::with(&[]);
    let dead = Dice::of_this_test().dead_magnet();
    let (proxy, setup) = scene.proxied().await;
    let daemon = Daemon::started(setup).await;
    proxy.spoil("torrents/add", 1, Fault::LoseAnswer);
    let id = daemon.ingest(&dead.link).await;
    daemon.until_state(&id, "downloading").await;
    assert_eq!((proxy.struck("torrents/add"), proxy.asked("torrents/add")), (1, 1));
    let hashes: Vec<&str> = dead.hashes.iter().map(String::as_str).collect();
    let api = scene.lab.api().await;
    assert_eq!(times_in_client(&api, &hashes).await, 1);
    assert_none_failed(&daemon, &[id]).await;
    api.delete_infohashes(&hashes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_daemon_that_dies_during_an_add_looks_it_up() {
    spec!("fault-tolerance#an-acknowledged-intake-is-kept/killed-during-an-add");
    let scene = Scene::with(&[]);
    let dead = Dice::of_this_test().dead_magnet();
    let hashes: Vec<&str> = dead.hashes.iter().map(String::as_str).collect();
    let (proxy, setup) = scene.proxied().await;
    let mut daemon = Daemon::started(setup).await;
    proxy.spoil("torrents/add", 1, Fault::Delay(DEADLINE));
    let id = daemon.ingest(&dead.link).await;
    let api = scene.lab.api().await;
    eventually(DEADLINE, "the client to have it", async || {
        (times_in_client(&api, &hashes).await == 1).then_some(())
    })
    .await;
    assert_eq!(daemon.download(&id).await["state"], "queued", "nobody has told the daemon");
    daemon.kill();
    daemon.start().await;
    daemon.until_state(&id, "downloading").await;
    assert_eq!(proxy.asked("torrents/add"), 1);
    assert_eq!(times_in_client(&api, &hashes).await, 1);
    api.delete_infohashes(&hashes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_session_is_opened_again() {
    spec!("fault-tolerance#rubbish-from-the-client-passes/a-session-that-is-gone");
    let scene = Scene::with(&[]);
    let dead = Dice::of_this_test().dead_magnet();
    let (proxy, setup) = scene.proxied().await;
    let daemon = Daemon::started(setup).await;
    daemon.until_check("client-reachable").await;
    assert_eq!(proxy.asked("auth/login"), 1);
    for endpoint in ["torrents/info", "torrents/add"] {
        proxy.spoil(endpoint, 1, Fault::Status(403));
    }
    let id = daemon.ingest(&dead.link).await;
    daemon.until_state(&id, "downloading").await;
    assert!(proxy.is_used_up());
    assert_eq!(proxy.asked("auth/login"), 3, "once for each refusal");
    let events = daemon.get("/events?type=client.offline").await.expect(200);
    assert_eq!(events["items"], json!([]), "that is no outage");
    assert_none_failed(&daemon, &[id]).await;
    let hashes: Vec<&str> = dead.hashes.iter().map(String::as_str).collect();
    scene.lab.api().await.delete_infohashes(&hashes).await;
}

/// Another order, and words that no version has.
fn strange(list: Value) -> Value {
    let Value::Array(mut items) = list else { return list };
    items.reverse();
    for item in &mut items {
        item["state"] = json!("fooBar");
    }
    Value::Array(items)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_words_decide_nothing() {
    spec!("fault-tolerance#rubbish-from-the-client-passes/words-that-nobody-knows");
    let scene = Scene::with(&["movie-v1"]);
    scene.clear(&["movie-v1"]).await;
    let dead = Dice::of_this_test().dead_magnet();
    let (proxy, setup) = scene.proxied().await;
    let daemon = Daemon::started(setup).await;
    proxy.spoil_all("torrents/info", Fault::Edit(strange));
    let ids =
        [daemon.ingest(&scene.torrent("movie-v1").magnet).await, daemon.ingest(&dead.link).await];
    for id in &ids {
        daemon.until_state(id, "downloading").await;
    }
    let api = scene.lab.api().await;
    eventually(DEADLINE, "the client to be complete", async || {
        let list = api.list().await;
        let seen = crate::scene::shown(&list, &hashes_of(scene.torrent("movie-v1")));
        seen.iter().any(|entry| entry["state"] == "stalledUP").then_some(())
    })
    .await;
    let struck = proxy.struck("torrents/info");
    eventually(DEADLINE, "some more looks", async || {
        (proxy.struck("torrents/info") >= struck + 5).then_some(())
    })
    .await;
    for id in &ids {
        assert_eq!(story(&daemon, id).await, ["downloading"]);
    }
    proxy.heal();
    daemon.until_state(&ids[0], "done").await;
    assert_none_failed(&daemon, &ids).await;

    scene.clear(&["movie-v1"]).await;
    let hashes: Vec<&str> = dead.hashes.iter().map(String::as_str).collect();
    api.delete_infohashes(&hashes).await;
}
