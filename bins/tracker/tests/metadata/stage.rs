//! A daemon between a client that has one complete film and a source that a
//! test tells what to do.

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use tracker_domain::metadata::Provider;
use tracker_testkit::{MetadataStub, QbtStub, StubReply, eventually};

use crate::daemon::{ClientSetup, DEADLINE, Daemon, Setup};

/// A film that the source knows.
const FILM: &str = "The.Quiet.Harbour.2011.1080p.WEB";
const HASH: &str = "00112233445566778899aabbccddeeff00112233";
const BYTES: &[u8] = b"nothing that anybody would watch";

pub struct Stage {
    pub daemon: Daemon,
    pub source: MetadataStub,
    _client: QbtStub,
    _below: TempDir,
}

impl Stage {
    /// Everything is laid out, and the daemon does not run yet.
    pub async fn prepared() -> Self {
        let below = tempfile::tempdir().unwrap();
        let payload = below.path().join("payload");
        std::fs::create_dir_all(payload.join(FILM)).unwrap();
        std::fs::write(payload.join(format!("{FILM}/{FILM}.mkv")), BYTES).unwrap();
        let client = client(payload).await;
        let source = MetadataStub::start().await;
        let setup = ClientSetup {
            name: "qbt".to_owned(),
            url: client.url().to_owned(),
            username: "admin".to_owned(),
            password: "secret-password".to_owned(),
            more: String::new(),
        };
        let metadata = format!(
            "tvmaze = false\ntmdb_url = {:?}\ntmdb_token = {:?}\n",
            source.tmdb_url(),
            MetadataStub::TOKEN
        );
        let setup = Setup { clients: vec![setup], metadata, ..Setup::without_client(below.path()) };
        Stage { daemon: Daemon::prepared(setup), source, _client: client, _below: below }
    }

    /// Hands the film over.
    pub async fn film(&self) -> String {
        self.daemon.ingest(&format!("magnet:?xt=urn:btih:{HASH}&dn={FILM}")).await
    }

    /// Waits until the film is complete and rests with the cause.
    pub async fn until_it_waits(&self, id: &str) -> Value {
        let waits = |download: &Value| {
            download["state"] == "downloaded" && download["attention"] == "metadata-unavailable"
        };
        self.daemon.until(id, DEADLINE, "waiting for the source", waits).await
    }

    /// Hands over more, of which only the names are known, and waits until
    /// each has had its turn.
    pub async fn crowd(&self) {
        for number in 1..=5 {
            let (hash, name) = (format!("{number:040x}"), format!("Film.{number}.2011.WEB"));
            self.daemon.ingest(&format!("magnet:?xt=urn:btih:{hash}&dn={name}")).await;
        }
        eventually(DEADLINE, "a turn for each", async || {
            let mut had = self.daemon.log_with("foreseen from its name");
            had.retain(|line| {
                line["fields"]["title"].as_str().is_some_and(|t| t.starts_with("Film"))
            });
            (had.len() >= 5).then_some(())
        })
        .await;
    }

    /// How often the source was asked.
    pub fn asked(&self) -> usize {
        self.source.requests_to(Provider::Tmdb).len()
    }

    /// The link of the film.
    pub fn in_library(&self) -> PathBuf {
        let name = "The Quiet Harbour (2011)";
        self.daemon.library("movies").join(name).join(format!("{name} - 1080p.mkv"))
    }
}

async fn client(payload: PathBuf) -> QbtStub {
    let stub = QbtStub::with_api("2.11.4").await;
    stub.on("app/version", StubReply::text(200, "v5.1.0"));
    stub.on("app/defaultSavePath", StubReply::text(200, payload.to_str().unwrap()));
    stub.on("app/preferences", StubReply::json(&json!({})));
    stub.on("torrents/add", StubReply::text(200, "Ok."));
    for endpoint in ["addTags", "removeTags", "createTags", "deleteTags"] {
        stub.on(&format!("torrents/{endpoint}"), StubReply::status(200));
    }
    let size = BYTES.len();
    let entry = json!({
        "hash": HASH, "infohash_v1": HASH, "infohash_v2": "", "name": FILM,
        "state": "stalledUP", "progress": 1, "size": size, "total_size": size,
        "completed": size, "amount_left": 0, "has_metadata": true,
        "save_path": payload, "tags": "",
    });
    stub.on("torrents/info", StubReply::json(&json!([entry])));
    let file = json!({
        "index": 0, "name": format!("{FILM}/{FILM}.mkv"), "size": size, "progress": 1,
        "priority": 1,
    });
    stub.on("torrents/files", StubReply::json(&json!([file])));
    stub
}
