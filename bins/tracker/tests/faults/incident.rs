//! A client that suddenly shows nothing.

use tracker_testkit::spec;

use crate::daemon::Daemon;
use crate::fault_proxy::Fault;
use crate::scene::{Scene, assert_none_failed, story, until_looked_at_again, until_no_check};
use tracker_testkit::Dice;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_list_is_an_incident() {
    spec!("fault-tolerance#rubbish-from-the-client-passes/an-empty-list");
    let scene = Scene::with(&[]);
    let mut dice = Dice::of_this_test();
    let dead: Vec<_> = (0..3).map(|_| dice.dead_magnet()).collect();
    let (proxy, setup) = scene.proxied().await;
    let daemon = Daemon::started(setup).await;
    let mut ids = Vec::new();
    for magnet in &dead {
        ids.push(daemon.ingest(&magnet.link).await);
    }
    for id in &ids {
        daemon.until_state(id, "downloading").await;
    }
    proxy.spoil_all("torrents/info", Fault::Body("[]"));
    let check = daemon.until_check("client-incident").await;
    assert_eq!((&check["subject"], &check["level"]), (&"qbt".into(), &"error".into()));
    // Each listing that follows could count as another absence.
    for _ in 0..3 {
        until_looked_at_again(&daemon, "client-incident").await;
    }
    for id in &ids {
        assert_eq!(story(&daemon, id).await, ["downloading"]);
    }
    proxy.heal();
    until_no_check(&daemon, "client-incident").await;
    assert_none_failed(&daemon, &ids).await;

    let hashes: Vec<&str> =
        dead.iter().flat_map(|magnet| magnet.hashes.iter().map(String::as_str)).collect();
    scene.lab.api().await.delete_infohashes(&hashes).await;
}
