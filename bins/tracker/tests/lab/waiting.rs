//! What waits for a person.

use std::path::Path;

use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;
use crate::daemon::DEADLINE;

#[tokio::test]
async fn less_plain_names_backports() {
    spec!("main-job#what-is-less-plain-waits/odd-names");
    spec!("main-job#what-is-less-plain-waits/equal-names");
    spec!("main-job#what-is-less-plain-waits/tried-again");
    let bench = Bench::at(Flavour::Backports).await;
    let mut waiting = Vec::new();
    for torrent in ["odd-names", "same-name-a", "same-name-b"] {
        waiting.push((bench.daemon.ingest(&bench.magnet(torrent, "full")).await, torrent));
    }
    for (id, _) in &waiting {
        rests(&bench, id).await;
    }
    for (id, torrent) in &waiting {
        let folder = bench.folder_of(torrent).await;
        assert_eq!(folder, Path::new(&bench.lab.qbt.save_path).join(id));
        bench.until_whole(bench.lab.torrent(torrent), &folder).await;
        // It waits for a word, so the torrent keeps the mark of an active one.
        assert!(bench.tags(torrent).await.contains(&format!("tracker-{id}")));
    }
    assert!(bench.library().is_empty());

    let id = &waiting[1].0;
    let before = recognitions(&bench, id).await;
    let said = bench.daemon.tracker(&["retry", id]);
    assert_eq!(said.done(), format!("{id}\tdownloaded\n"));
    bench
        .daemon
        .until(id, DEADLINE, "looked at again", |download| download["attention"] == "needs-review")
        .await;
    assert_eq!(recognitions(&bench, id).await, before + 1);
    rests(&bench, id).await;
}

async fn rests(bench: &Bench, id: &str) {
    let resting = |download: &serde_json::Value| {
        download["state"] == "downloaded" && download["attention"] == "needs-review"
    };
    let download = bench.daemon.until(id, DEADLINE * 2, "waiting for a person", resting).await;
    assert!(!download["attention_detail"].as_str().unwrap().is_empty(), "{download}");
}

async fn recognitions(bench: &Bench, id: &str) -> usize {
    let events = bench.daemon.events(id).await;
    events.iter().filter(|event| event["type"] == "recognition.created").count()
}
