//! What the log tells of a download.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::Arc;

use serde_json::Value;
use support::{FILM, PATIENCE, hash, start, swarm};
use tracker_domain::{DownloadId, DownloadState};
use tracker_testkit::{Captured, FakeClient, eventually, listen_with, spec};

/// The records that a search for the bare id finds.
fn about(log: &Captured, id: DownloadId) -> Vec<Value> {
    let id = id.to_string();
    let text = log.text();
    let found = text.lines().filter(|line| line.contains(&id));
    found.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(records: &[Value], message: &str) -> usize {
    records.iter().filter(|record| record["fields"]["message"] == message).count()
}

#[tokio::test]
async fn the_log_tells_the_whole_path_and_no_secret() {
    spec!("identity#logs-carry-the-id/the-path-of-a-download");
    let captured = Captured::default();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(captured.clone())
        .finish();
    // All tasks run on this one thread.
    let _listening = listen_with(subscriber);
    let client = Arc::new(FakeClient::new().with_swarm(swarm(1)));
    client.unreachable();
    let running = start(client);
    let secret = "d34db33f-passkey";
    let link = format!(
        "magnet:?xt=urn:btih:{}&dn={FILM}&tr=http%3A%2F%2Fannounce.example%2F{secret}%2Fannounce",
        hash(1)
    );
    let id = running.accept(&link).await;
    eventually(PATIENCE, "the wait is told", async || {
        (count(&about(&captured, id), "waiting for the client") > 0).then_some(())
    })
    .await;
    running.client.set_down(None);
    running.reaches(id, DownloadState::Downloading).await;
    running.complete(id, hash(1));
    running.reaches(id, DownloadState::Done).await;
    running.stop().await;

    let records = about(&captured, id);
    assert_eq!(count(&records, "download accepted"), 1);
    assert_eq!(count(&records, "handing download over"), 1);
    for stage in ["client shows the torrent", "recognised", "linking", "links made"] {
        assert_eq!(count(&records, stage), 1, "{stage}");
    }
    // Each carries the id in the field that people filter by.
    for record in &records {
        assert_eq!(record["fields"]["download_id"], id.to_string(), "{record}");
    }
    let linking = records.iter().find(|record| record["fields"]["message"] == "linking").unwrap();
    assert!(linking["fields"]["batch_id"].is_string());
    assert_eq!(linking["span"]["download_id"], id.to_string());
    let text = captured.text();
    for secret in [secret, "announce.example", "magnet:", "xt=urn"] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
}
