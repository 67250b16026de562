//! One pipeline whose stages are run by hand.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tracker_domain::event::EventType;
use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::{Clock, Files, Live};
use tracker_domain::{
    Actor, Attention, DownloadId, DownloadState, Infohash, InfohashSet, InfohashV1, InfohashV2,
    Magnet,
};
use tracker_ingest::{ClientEntry, ClientPolicy, Clients, NewIntake, Wish, accept, cancel, retry};
use tracker_layout::{Action, ApplyWish, Resolution};
use tracker_store::{
    Db, Download, EventFilter, EventRow, ReadTx, StoreError, TaskKind, WriteTx, migrate,
};
use tracker_testkit::{FakeClient, FakeFiles, FakeTorrent, FixedClock};

use crate::clients::ClientStatus;
use crate::watch::Watcher;
use crate::{Pipeline, Policy};

/// A film whose names say plainly what it is.
pub(super) const FILM: &str = "The.Film.2020.1080p.WEB";
pub(super) const FILM_IN_LIBRARY: &str = "/media/films/The Film (2020)/The Film (2020) - 1080p.mkv";

pub(super) struct Fixture {
    pub pipeline: Pipeline,
    pub client: Arc<FakeClient>,
    pub disk: Arc<FakeFiles>,
    pub clock: Arc<FixedClock>,
    pub db: Db,
    pub status: Arc<ClientStatus>,
    watcher: Mutex<Watcher>,
    dir: TempDir,
}

/// What a test may set up differently.
pub(super) struct Setup {
    pub policy: Policy,
    pub client_policy: ClientPolicy,
    pub libraries: Vec<Library>,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            policy: Policy::default(),
            client_policy: ClientPolicy::default(),
            libraries: vec![
                library("films", LibraryKind::Movie, "/media/films"),
                library("series", LibraryKind::Series, "/media/series"),
            ],
        }
    }
}

pub(super) fn library(name: &str, kind: LibraryKind, root: impl AsRef<Path>) -> Library {
    Library {
        name: name.to_owned(),
        kind,
        root: root.as_ref().to_path_buf(),
        mode: LinkMode::Hardlink,
    }
}

pub(super) fn v1(number: u8) -> Infohash {
    InfohashV1::from_bytes([number; 20]).into()
}

pub(super) fn v2(number: u8) -> Infohash {
    let mut bytes = [number; 32];
    bytes[0] = 0xff;
    InfohashV2::from_bytes(bytes).into()
}

pub(super) fn one(hash: Infohash) -> InfohashSet {
    InfohashSet::one(hash)
}

pub(super) fn both(number: u8) -> InfohashSet {
    InfohashSet::new([v1(number), v2(number)]).unwrap()
}

pub(super) fn person() -> Actor {
    Actor::Api("tests".to_owned())
}

/// What the swarm has: one film in one file.
pub(super) fn film(hashes: InfohashSet) -> FakeTorrent {
    FakeTorrent::new(hashes, FILM).file(&format!("{FILM}/{FILM}.mkv"), 400)
}

/// What the swarm has: two episodes.
pub(super) fn season(hashes: InfohashSet) -> FakeTorrent {
    let name = "The.Show.S01.1080p.WEB";
    FakeTorrent::new(hashes, name)
        .file(&format!("{name}/The.Show.S01E01.1080p.WEB.mkv"), 300)
        .file(&format!("{name}/The.Show.S01E02.1080p.WEB.mkv"), 301)
}

/// The same with subtitles beside it.
pub(super) fn film_with_subtitles(hashes: InfohashSet) -> FakeTorrent {
    film(hashes).file(&format!("{FILM}/{FILM}.srt"), 4)
}

/// One word of a person about a name that is taken.
pub(super) fn resolved(target: impl AsRef<Path>, action: Action) -> ApplyWish {
    let resolve = vec![Resolution { target: target.as_ref().to_path_buf(), action }];
    ApplyWish { resolve, ..ApplyWish::default() }
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(Setup::default())
    }

    pub fn with(setup: Setup) -> Self {
        let disk = Arc::new(FakeFiles::new());
        let files = disk.clone();
        Self::on(setup, disk, |_| files)
    }

    /// With another disk in front of the one that the test looks at.
    pub fn on(
        setup: Setup,
        disk: Arc<FakeFiles>,
        files: impl FnOnce(&Db) -> Arc<dyn Files>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new());
        let path = dir.path().join("tracker.db");
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        let db = Db::open(&path, clock.clone()).unwrap();
        let client = Arc::new(FakeClient::new());
        disk.dir("/downloads");
        for library in &setup.libraries {
            disk.dir(&library.root);
        }
        let entry = ClientEntry {
            name: "main".to_owned(),
            client: client.clone(),
            policy: setup.client_policy,
        };
        let clients = Clients::new(vec![entry]);
        let files = files(&db);
        let pipeline = Pipeline::new(db.clone(), clients, files, setup.libraries, setup.policy);
        let status = Arc::clone(&pipeline.statuses[0]);
        let watcher = Mutex::new(Watcher::new(pipeline.clone(), Arc::clone(&status)));
        Fixture { pipeline, client, disk, clock, db, status, watcher, dir }
    }

    /// Where the database is.
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// Another process on the same database and disk.
    pub fn restarted(&self, libraries: Vec<Library>) -> Pipeline {
        self.restarted_on(self.disk.clone(), libraries)
    }

    /// The same, with another disk in front.
    pub fn restarted_on(&self, disk: Arc<dyn Files>, libraries: Vec<Library>) -> Pipeline {
        let clients = self.pipeline.clients.clone();
        Pipeline::new(self.db.clone(), clients, disk, libraries, Policy::default())
    }

    pub async fn accept(&self, hashes: &[Infohash], name: &str) -> DownloadId {
        let topics: Vec<String> = hashes
            .iter()
            .map(|hash| match hash {
                Infohash::V1(v1) => format!("xt=urn:btih:{v1}"),
                Infohash::V2(v2) => format!("xt=urn:btmh:1220{v2}"),
            })
            .collect();
        let link = format!("magnet:?{}&dn={name}", topics.join("&"));
        let intake = NewIntake::of_magnet(&Magnet::parse(&link).unwrap());
        accept(&self.db, intake, &person()).await.unwrap().id
    }

    pub async fn cancel(&self, id: DownloadId, wish: Wish) {
        cancel(&self.db, id, wish, None, &person()).await.unwrap();
    }

    pub async fn retry(&self, id: DownloadId) {
        retry(&self.db, id, None, None, &person()).await.unwrap();
    }

    pub async fn tick(&self) {
        self.watcher.lock().await.tick().await;
    }

    /// What memory holds is lost, and the start finds what was left half done.
    pub async fn restart(&self) {
        self.status.set_online(None);
        let fresh = Watcher::new(self.pipeline.clone(), Arc::clone(&self.status));
        *self.watcher.lock().await = fresh;
        self.pipeline.recover().await.unwrap();
    }

    /// A look at everything, once the last one is long enough ago.
    pub async fn listing(&self) {
        self.clock.advance_seconds(61);
        self.tick().await;
    }

    pub async fn hand_over(&self) {
        crate::hand_over::pass(&self.pipeline, &self.status).await.unwrap();
    }

    pub async fn wishes(&self) {
        crate::carry_out::pass(&self.pipeline, &self.status).await.unwrap();
    }

    pub async fn recognise(&self) {
        crate::recognise::pass(&self.pipeline).await.unwrap();
    }

    pub async fn link(&self) {
        crate::lay::pass(&self.pipeline, &CancellationToken::new()).await.unwrap();
    }

    pub async fn clients(&self) {
        crate::clients::pass(&self.pipeline).await.unwrap();
    }

    /// Accepts a torrent of the swarm and takes it to complete, with its files
    /// on the disk, not yet recognised.
    pub async fn complete(&self, torrent: FakeTorrent) -> DownloadId {
        let hash = torrent.infohashes.iter().next().unwrap();
        let id = self.accept(&[hash], &torrent.name).await;
        self.complete_as(id, torrent).await;
        id
    }

    pub async fn complete_as(&self, id: DownloadId, torrent: FakeTorrent) {
        let hash = torrent.infohashes.iter().next().unwrap();
        for file in &torrent.files {
            self.disk.file(format!("/downloads/{id}/{}", file.path), file.size_bytes);
        }
        self.tick().await;
        self.hand_over().await;
        self.client.edit(&hash, |there| {
            there.name = torrent.name;
            there.files = torrent.files;
            there.infohashes = there.infohashes.union(&torrent.infohashes);
            there.has_metadata = true;
        });
        self.client.complete(&hash);
        self.listing().await;
    }

    /// The same, recognised and linked.
    pub async fn settle(&self, torrent: FakeTorrent) -> DownloadId {
        let id = self.complete(torrent).await;
        self.recognise().await;
        self.link().await;
        id
    }

    pub async fn read<T: Send + 'static>(
        &self,
        body: impl FnOnce(&ReadTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.db.read(body).await.unwrap()
    }

    pub async fn write<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.db.write(&Actor::Worker, body).await.unwrap()
    }

    pub async fn row(&self, id: DownloadId) -> Download {
        self.read(move |tx| tx.download(id)).await.unwrap()
    }

    pub async fn state(&self, id: DownloadId) -> DownloadState {
        self.row(id).await.state
    }

    pub async fn mark(&self, id: DownloadId) -> Option<Attention> {
        self.row(id).await.attention
    }

    pub async fn detail(&self, id: DownloadId) -> String {
        self.row(id).await.attention_detail.unwrap_or_default()
    }

    /// The events of a type, oldest first.
    pub async fn told(&self, kind: EventType) -> Vec<EventRow> {
        let filter = EventFilter { types: vec![kind], limit: 100, ..EventFilter::default() };
        let mut told = self.read(move |tx| tx.events(&filter)).await;
        told.reverse();
        told
    }

    pub async fn count(&self, kind: EventType) -> usize {
        self.told(kind).await.len()
    }

    pub async fn events(&self) -> usize {
        let filter = EventFilter { limit: 1000, ..EventFilter::default() };
        self.read(move |tx| tx.events(&filter)).await.len()
    }

    pub async fn open_wishes(&self) -> Vec<TaskKind> {
        let now = self.clock.now().plus_seconds(60);
        let tasks = self.read(move |tx| tx.due_tasks(now)).await;
        tasks.into_iter().map(|task| task.kind).collect()
    }

    /// What is below a folder on the disk.
    pub fn below(&self, folder: &str) -> Vec<String> {
        self.disk.listing().into_iter().filter(|line| line.starts_with(folder)).collect()
    }

    pub fn tags(&self, hash: Infohash) -> Vec<String> {
        self.client.torrent(&hash).unwrap().tags
    }

    /// What health says of a code.
    pub fn health(&self, code: &str) -> Option<tracker_domain::health::Check> {
        self.pipeline.board().checks().into_iter().find(|check| check.code == code)
    }
}
