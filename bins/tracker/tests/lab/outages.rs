//! A client that dies, and one whose torrents a person removes.

use std::time::Duration;

use serde_json::Value;
use tracker_testkit::{Flavour, eventually, spec};

use crate::bench::Bench;
use crate::daemon::DEADLINE;
use crate::in_labs;

#[tokio::test]
async fn killed_amid_bytes_backports() {
    spec!("main-job#outages-heal/the-client-is-killed");
    let mut bench = Bench::at(Flavour::Backports).await;
    let id = bench.daemon.ingest(&bench.magnet("slow", "full")).await;
    let begun = |download: &Value| download["progress"]["bytes_done"].as_u64() > Some(0);
    bench.daemon.until(&id, DEADLINE, "under way", begun).await;
    bench.lab.restart(true, false);
    bench.api = bench.lab.api().await;
    // The clients have to find each other again first.
    bench.daemon.until(&id, DEADLINE * 3, "done", |download| download["state"] == "done").await;
    bench.arrives(&id, "slow").await;
    never_failed(&bench, &id).await;
}

in_labs!(the_client_is_killed: Bookworm bookworm, Trixie trixie);

async fn the_client_is_killed(mut bench: Bench) {
    spec!("main-job#outages-heal/the-client-is-killed");
    bench.withhold("season-v1").await;
    let season = bench.daemon.ingest(&bench.magnet("season-v1", "full")).await;
    bench.daemon.until_state(&season, "downloading").await;
    bench.lab.restart(true, true);
    let check = bench.daemon.until_check("client-unreachable").await;
    assert_eq!((&check["subject"], &check["level"]), (&"qbt".into(), &"error".into()));
    assert!(!check["remedy"].as_str().unwrap().is_empty());
    // What comes meanwhile waits.
    let film = bench.daemon.ingest(&bench.magnet("movie-hybrid", "full")).await;
    assert_eq!(bench.daemon.download(&film).await["state"], "queued");
    let refused = bench.daemon.get("/discovered").await;
    assert_eq!((refused.status, refused.code()), (503, "client-unreachable".to_owned()));
    assert_eq!(bench.daemon.tracker(&["discover"]).code, 6);
    bench.share().await;
    bench.lab.restart(false, false);
    bench.api = bench.lab.api().await;
    bench.arrives(&film, "movie-hybrid").await;
    bench.arrives(&season, "season-v1").await;
    for id in [&season, &film] {
        never_failed(&bench, id).await;
    }
    assert!(bench.daemon.checks("client-unreachable").await.is_empty());
    let online = bench.daemon.get("/events?type=client.online").await.expect(200);
    assert!(online["items"].as_array().unwrap().len() >= 2);
}

async fn never_failed(bench: &Bench, id: &str) {
    let events = bench.daemon.events(id).await;
    assert!(events.iter().all(|event| event["data"]["to"] != "failed"), "{events:#?}");
}

#[tokio::test]
async fn removed_in_the_client_trixie() {
    spec!("main-job#outages-heal/removed-in-the-client");
    let bench = Bench::at(Flavour::Trixie).await;
    let id = bench.daemon.ingest(&bench.magnet("dead-v1", "full")).await;
    bench.daemon.until_state(&id, "downloading").await;
    let torrent = bench.lab.torrent("dead-v1");
    bench.api.delete_infohashes(&[&torrent.infohash_v1]).await;
    let removed = tokio::time::Instant::now();
    let failed = bench
        .daemon
        .until(&id, Duration::from_secs(90), "failed", |download| download["state"] == "failed")
        .await;
    assert!(removed.elapsed() >= Duration::from_secs(30), "{:?}", removed.elapsed());
    assert_eq!(failed["attention"], "client-missing", "{failed}");
    assert_eq!(failed["error"]["code"], "client-missing", "{failed}");
    bench.mark_is_gone(&id).await;

    assert_eq!(bench.daemon.tracker(&["retry", &id]).done(), format!("{id}\tqueued\n"));
    bench.daemon.until_state(&id, "downloading").await;
    eventually(DEADLINE, "it is there again", async || bench.entry("dead-v1").await.map(|_| ()))
        .await;
    assert!(bench.tags("dead-v1").await.contains(&format!("tracker-{id}")));
}
