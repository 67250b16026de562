//! What the log of a whole run tells, and what it keeps to itself.

use std::collections::BTreeSet;

use serde_json::json;
use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;
use crate::daemon::DEADLINE;

const PASSKEY: &str = "SECRET123";

#[tokio::test]
async fn a_whole_run_backports() {
    spec!("identity#logs-carry-the-id/the-path-of-a-download");
    spec!("main-job#the-log-keeps-secrets/a-whole-run");
    let mut bench = Bench::at(Flavour::Backports).await;
    let tracker = &bench.lab.tracker.announce;
    let port = tracker.rsplit(':').next().unwrap().split('/').next().unwrap();
    let announce = format!("&tr=http%3A%2F%2F127.0.0.1%3A{port}%2Fannounce%3Fpasskey%3D{PASSKEY}");
    let mut magnets = Vec::new();
    for (torrent, which) in
        [("movie-v1", "full"), ("season-hybrid", "v1_only"), ("same-name-a", "full")]
    {
        magnets.push(format!("{}{announce}", bench.magnet(torrent, which)));
    }
    let film = bench.daemon.ingest(&magnets[0]).await;
    let said = bench.daemon.tracker(&[
        "ingest",
        &magnets[1],
        &magnets[2],
        &format!("magnet:?xt=urn:btih:no{announce}"),
    ]);
    assert_eq!(said.code, 2);
    let (season, waiting) = (said.ids().remove(0), said.ids().remove(1));
    let torrent = std::fs::read(&bench.lab.torrent("movie-v2").torrent_file).unwrap();
    let upload = bench.daemon.upload(torrent, "").await;
    let refused = bench
        .daemon
        .post("/downloads", &json!({"magnet": format!("magnet:?xt=urn:btih:no{announce}")}))
        .await;
    assert_eq!(refused.status, 422);
    bench.arrives(&film, "movie-v1").await;
    bench.arrives(&season, "season-hybrid").await;
    bench.arrives(&crate::daemon::id_of(&upload.json()), "movie-v2").await;
    let rests = |download: &serde_json::Value| download["attention"] == "needs-review";
    bench.daemon.until(&waiting, DEADLINE, "waiting", rests).await;
    bench.daemon.tracker(&["cancel", &waiting]).done();

    let mut told = vec![said.out, said.err, refused.text];
    for path in ["/downloads", "/events?limit=200", "/health", "/discovered"] {
        told.push(bench.daemon.get(path).await.text);
    }
    told.push(bench.daemon.tracker(&["show", &film]).out);
    let page = bench.daemon.request(reqwest::Method::GET, &format!("/download/{film}"));
    told.push(bench.daemon.send(page).await.text);
    let token = bench.daemon.token();
    assert!(bench.daemon.stop().success());
    told.push(bench.daemon.log());
    for text in told {
        keeps_secrets(&text, &bench.lab.qbt.password, &token);
    }
    for id in [&film, &season] {
        tells_each_stage(&bench, id);
    }
}

fn keeps_secrets(text: &str, password: &str, token: &str) {
    let lower = text.to_lowercase();
    let secrets =
        [PASSKEY, "passkey", "/announce", "magnet:?", "urn:btih", "SID=", "SID_", password, token];
    for secret in secrets {
        let at = lower.find(&secret.to_lowercase());
        let near = at.map(|at| lower.get(at.saturating_sub(200)..at + 60));
        assert!(at.is_none(), "{secret}: {near:?}");
    }
}

/// Searching for the bare id finds ingest, recognition and layout.
fn tells_each_stage(bench: &Bench, id: &str) {
    // Each line of the log is JSON, or this fails.
    assert!(bench.daemon.log_with("").len() > 20);
    let mut messages = BTreeSet::new();
    for record in bench.daemon.log_with(id) {
        let named = ["fields", "span"].iter().any(|part| {
            let fields = record[part].as_object();
            fields.is_some_and(|fields| {
                fields.iter().any(|(name, value)| name.ends_with("_id") && value == id)
            })
        });
        assert!(named, "the id is in no field of its own: {record}");
        messages.insert(record["fields"]["message"].as_str().unwrap().to_owned());
    }
    for message in
        ["download accepted", "handing download over", "recognised", "linking", "links made"]
    {
        assert!(messages.contains(message), "{message}: {messages:?}");
    }
}
