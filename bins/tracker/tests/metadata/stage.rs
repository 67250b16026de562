//! A daemon between a client that has one complete film and a source that a
//! test tells what to do.

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;
use tracker_domain::metadata::Provider;
use tracker_testkit::{MetadataStub, QbtStub, eventually};

use crate::daemon::{DEADLINE, Daemon, Setup};
use crate::film;

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
        let client = film::client(&below.path().join("payload")).await;
        let source = MetadataStub::start().await;
        let metadata = format!(
            "tvmaze = false\ntmdb_url = {:?}\ntmdb_token = {:?}\n",
            source.tmdb_url(),
            MetadataStub::TOKEN
        );
        let setup = Setup {
            clients: vec![film::setup_of(&client)],
            metadata,
            ..Setup::without_client(below.path())
        };
        Stage { daemon: Daemon::prepared(setup), source, _client: client, _below: below }
    }

    /// Hands the film over.
    pub async fn film(&self) -> String {
        self.daemon.ingest(&film::magnet()).await
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
