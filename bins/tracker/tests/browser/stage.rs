//! A daemon beside a client that is played.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use tracker_testkit::{MetadataStub, QbtStub, eventually};

use crate::browser::Browser;
use crate::daemon::{DEADLINE, Daemon, Setup};
use crate::film;

/// The client has one torrent at a time; it is a complete film at first.
pub struct Stage {
    pub daemon: Daemon,
    client: QbtStub,
    _source: Option<MetadataStub>,
    payload: PathBuf,
    _below: TempDir,
}

impl Stage {
    /// With no source of metadata: names alone say what it is.
    pub async fn start() -> Self {
        Self::with(None).await
    }

    /// With a source of metadata.
    pub async fn with_source() -> Self {
        Self::with(Some(MetadataStub::start().await)).await
    }

    async fn with(source: Option<MetadataStub>) -> Self {
        let below = tempfile::tempdir().unwrap();
        let payload = below.path().join("payload");
        let client = film::client(&payload).await;
        let mut setup = Setup::without_client(below.path());
        setup.clients = vec![film::setup_of(&client)];
        if let Some(source) = &source {
            let (url, token) = (source.tmdb_url(), MetadataStub::TOKEN);
            setup.metadata =
                format!("tvmaze = false\ntmdb_url = {url:?}\ntmdb_token = {token:?}\n");
        }
        let daemon = Daemon::started(setup).await;
        Stage { daemon, client, payload, _source: source, _below: below }
    }

    /// Has the client know what the torrent consists of, without a byte of it.
    pub fn announces(&self, name: &str) {
        film::announce(&self.client, &self.payload, name);
    }

    /// Has the client have the torrent whole.
    pub fn brings(&self, name: &str) {
        film::bring(&self.client, &self.payload, name);
    }

    /// The file of the torrent.
    pub fn file(&self, name: &str) -> PathBuf {
        self.payload.join(format!("{name}/{name}.mkv"))
    }

    /// Hands the film over, and waits until its links are there.
    pub async fn film(&self) -> String {
        let id = self.daemon.ingest(&film::magnet()).await;
        self.daemon.until_state(&id, "done").await;
        id
    }

    /// Where the film is linked.
    pub fn in_library(&self) -> PathBuf {
        let name = "The Quiet Harbour (2011)";
        self.daemon.library("movies").join(name).join(format!("{name} - 1080p.mkv"))
    }

    /// Waits until the page of the review, which follows by itself, is of the download as
    /// it is now.
    pub async fn until_shown(&self, browser: &Browser, id: &str) {
        let shown = "return document.querySelector('#adjust input[name=revision]')?.value";
        eventually(DEADLINE, "the page of now", async || {
            let revision = self.daemon.download(id).await["revision"].to_string();
            (browser.script(shown, &[]).await == revision).then_some(())
        })
        .await;
    }

    /// Waits until the download has this attention.
    pub async fn until_attention(&self, id: &str, attention: &str) -> Value {
        let wanted = |download: &Value| download["attention"] == attention;
        self.daemon.until(id, DEADLINE, attention, wanted).await
    }
}

/// The inode of a file; none where there is no file.
pub fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| file.ino())
}
