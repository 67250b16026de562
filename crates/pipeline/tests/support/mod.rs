//! The workers on a client and a disk that obey.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::Clock;
use tracker_domain::{Actor, DownloadId, DownloadState, Infohash, InfohashSet, InfohashV1, Magnet};
use tracker_ingest::{ClientEntry, ClientPolicy, Clients, NewIntake, accept};
use tracker_pipeline::{Pipeline, Policy};
use tracker_store::{Db, migrate};
use tracker_testkit::{FakeClient, FakeFiles, FakeTorrent, FixedClock, eventually};

pub const FILM: &str = "The.Film.2020.1080p.WEB";
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Workers that run.
pub struct Running {
    pub db: Db,
    pub client: Arc<FakeClient>,
    pub disk: Arc<FakeFiles>,
    pub pipeline: Pipeline,
    pub clock: Arc<FixedClock>,
    pub stop: CancellationToken,
    pub workers: JoinHandle<()>,
    _dir: TempDir,
}

pub fn hash(number: u8) -> Infohash {
    InfohashV1::from_bytes([number; 20]).into()
}

/// Workers that look every few milliseconds.
pub fn start(client: Arc<FakeClient>) -> Running {
    start_with(client, Policy::default())
}

/// The same with a policy of their own.
pub fn start_with(client: Arc<FakeClient>, policy: Policy) -> Running {
    let policy = Policy { look_every: Duration::from_millis(20), ..policy };
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::new());
    let path = dir.path().join("tracker.db");
    migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
    let db = Db::open(&path, clock.clone()).unwrap();
    let disk = Arc::new(FakeFiles::new());
    disk.dir("/downloads");
    disk.dir("/media/films");
    let client_policy =
        ClientPolicy { poll_interval: Duration::from_millis(20), ..ClientPolicy::default() };
    let entry =
        ClientEntry { name: "main".to_owned(), client: client.clone(), policy: client_policy };
    let library = Library {
        name: "films".to_owned(),
        kind: LibraryKind::Movie,
        root: "/media/films".into(),
        mode: LinkMode::Hardlink,
    };
    let clients = Clients::new(vec![entry]);
    let pipeline = Pipeline::new(db.clone(), clients, disk.clone(), vec![library], policy);
    let stop = CancellationToken::new();
    let workers = tokio::spawn(pipeline.clone().run(stop.clone()));
    Running { db, client, disk, pipeline, clock, stop, workers, _dir: dir }
}

impl Running {
    pub async fn accept(&self, link: &str) -> DownloadId {
        let intake = NewIntake::of_magnet(&Magnet::parse(link).unwrap());
        accept(&self.db, intake, &Actor::Api("tests".to_owned())).await.unwrap().id
    }

    pub async fn reaches(&self, id: DownloadId, state: DownloadState) {
        let what = format!("{id} is {state}");
        eventually(PATIENCE, &what, async || {
            let row = self.db.read(move |tx| tx.download(id)).await.unwrap().unwrap();
            (row.state == state).then_some(())
        })
        .await;
    }

    /// The bytes arrive in the client and on the disk.
    pub fn complete(&self, id: DownloadId, hash: Infohash) {
        let path = format!("{FILM}/{FILM}.mkv");
        self.disk.file(format!("/downloads/{id}/{path}"), 400);
        self.client.complete(&hash);
    }

    pub async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.workers).await.expect("the workers stop").unwrap();
    }
}

pub fn swarm(number: u8) -> FakeTorrent {
    FakeTorrent::new(InfohashSet::one(hash(number)), FILM).file(&format!("{FILM}/{FILM}.mkv"), 400)
}
