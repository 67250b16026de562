//! One database, one client, and short ways to ask them.

use std::sync::Arc;

use tempfile::TempDir;
use tracker_domain::event::EventType;
use tracker_domain::observed::ClientPath;
use tracker_domain::ports::{Clock, Files};
use tracker_domain::{
    Actor, DownloadCause, DownloadId, DownloadState, Infohash, InfohashSet, InfohashV1, InfohashV2,
    Magnet,
};
use tracker_ingest::{
    Acceptance, ClientEntry, ClientPolicy, HandOver, NewIntake, accept, hand_over,
};
use tracker_store::{
    ClientTask, Db, Download, EventFilter, EventRow, ReadTx, Reason, StoreError, TaskKind, WriteTx,
    migrate,
};
use tracker_testkit::{FakeClient, FakeFiles, FakeTorrent, FixedClock};

pub struct Fixture {
    pub db: Db,
    pub clock: Arc<FixedClock>,
    pub client: Arc<FakeClient>,
    pub disk: Arc<FakeFiles>,
    pub entry: ClientEntry,
    files: Arc<dyn Files>,
    _dir: TempDir,
}

pub fn v1(number: u8) -> Infohash {
    InfohashV1::from_bytes([number; 20]).into()
}

pub fn v2(number: u8) -> Infohash {
    let mut bytes = [number; 32];
    bytes[0] = 0xff;
    InfohashV2::from_bytes(bytes).into()
}

pub fn both(number: u8) -> InfohashSet {
    InfohashSet::new([v1(number), v2(number)]).unwrap()
}

pub fn one(hash: Infohash) -> InfohashSet {
    InfohashSet::one(hash)
}

/// What a person hands over for these hashes.
pub fn magnet(hashes: &[Infohash]) -> Magnet {
    let topics: Vec<String> = hashes
        .iter()
        .map(|hash| match hash {
            Infohash::V1(v1) => format!("xt=urn:btih:{v1}"),
            Infohash::V2(v2) => format!("xt=urn:btmh:1220{v2}"),
        })
        .collect();
    Magnet::parse(&format!("magnet:?{}&dn=A+Film", topics.join("&"))).unwrap()
}

pub fn person() -> Actor {
    Actor::Api("tests".to_owned())
}

pub fn downloads() -> ClientPath {
    ClientPath("/downloads".to_owned())
}

/// A torrent as another program would have added it.
pub fn foreign(hashes: InfohashSet) -> FakeTorrent {
    FakeTorrent::new(hashes, "Foreign").saved_to("/elsewhere").downloading().file("a.mkv", 400)
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(ClientPolicy::default())
    }

    pub fn with(policy: ClientPolicy) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new());
        let path = dir.path().join("tracker.db");
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        let db = Db::open(&path, clock.clone()).unwrap();
        let client = Arc::new(FakeClient::new());
        let disk = Arc::new(FakeFiles::new());
        disk.dir("/downloads");
        let entry = ClientEntry { name: "main".to_owned(), client: client.clone(), policy };
        let files = disk.clone();
        Fixture { db, clock, client, disk, entry, files, _dir: dir }
    }

    pub async fn take(&self, intake: NewIntake) -> Acceptance {
        accept(&self.db, intake, &person()).await.unwrap()
    }

    pub async fn accept(&self, hashes: &[Infohash]) -> DownloadId {
        self.take(NewIntake::of_magnet(&magnet(hashes))).await.id
    }

    pub async fn hand_over(&self, id: DownloadId) -> HandOver {
        let folder = downloads();
        hand_over(&self.db, &self.entry, &self.files, Some(&folder), id).await.unwrap()
    }

    pub async fn write<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.db.write(&Actor::Worker, body).await.unwrap()
    }

    pub async fn read<T: Send + 'static>(
        &self,
        body: impl FnOnce(&ReadTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.db.read(body).await.unwrap()
    }

    pub async fn row(&self, id: DownloadId) -> Download {
        self.read(move |tx| tx.download(id)).await.unwrap()
    }

    pub async fn state(&self, id: DownloadId) -> DownloadState {
        self.row(id).await.state
    }

    pub async fn hashes(&self, id: DownloadId) -> Vec<Infohash> {
        self.row(id).await.infohashes.unwrap().iter().collect()
    }

    /// Takes the download through these steps.
    pub async fn step(&self, id: DownloadId, causes: &'static [DownloadCause]) {
        self.write(move |tx| {
            for cause in causes {
                tx.set_download_state(id, *cause, &Reason::none())?.unwrap();
            }
            Ok(())
        })
        .await;
    }

    pub async fn tasks(&self) -> Vec<ClientTask> {
        let now = self.clock.now().plus_seconds(60);
        self.read(move |tx| tx.due_tasks(now)).await
    }

    pub async fn wishes(&self, id: DownloadId) -> Vec<TaskKind> {
        let tasks = self.tasks().await.into_iter();
        tasks.filter(|task| task.download == id).map(|task| task.kind).collect()
    }

    /// The downloads that may be handed over now.
    pub async fn due(&self) -> Vec<DownloadId> {
        let now = self.clock.now();
        self.read(move |tx| tx.due_hand_overs(now)).await.into_iter().map(|row| row.id).collect()
    }

    pub async fn events(&self, kind: EventType) -> Vec<EventRow> {
        let filter = EventFilter { types: vec![kind], limit: 100, ..EventFilter::default() };
        self.read(move |tx| tx.events(&filter)).await
    }

    /// Seconds until the next attempt, by the row.
    pub async fn pause(&self, id: DownloadId) -> Option<i64> {
        let at = self.row(id).await.next_attempt_at?;
        Some(at.seconds_since(self.clock.now()))
    }
}
