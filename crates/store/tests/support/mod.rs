//! A database in a temporary folder, and short ways to ask it.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tracker_domain::event::EventType;
use tracker_domain::metadata::{Provider, Work, WorkId, WorkKind};
use tracker_domain::ports::Clock;
use tracker_domain::recognised::{Fields, Recognised, ScorePart, TitleKind, Verdict};
use tracker_domain::{
    Actor, DownloadId, DownloadState, Infohash, InfohashSet, InfohashV1, InfohashV2, Remark,
};
use tracker_store::{
    Creation, Db, EventFilter, EventRow, NewCandidate, NewDownload, Origin, ReadTx, Recognition,
    StoreError, WriteTx, migrate,
};
use tracker_testkit::FixedClock;

pub struct Fixture {
    pub db: Db,
    pub clock: Arc<FixedClock>,
    pub dir: TempDir,
}

/// A v1 that differs by its number.
pub fn v1(number: u8) -> Infohash {
    InfohashV1::from_bytes([number; 20]).into()
}

/// A v2 that differs by its number, and whose front is no `v1(…)`.
pub fn v2(number: u8) -> Infohash {
    let mut bytes = [number; 32];
    bytes[0] = 0xff;
    InfohashV2::from_bytes(bytes).into()
}

pub fn link(hashes: &[Infohash]) -> NewDownload {
    NewDownload {
        infohashes: InfohashSet::new(hashes.iter().copied()).expect("not empty"),
        magnet: String::new(),
        name: "name".to_owned(),
        origin: Origin::Magnet,
        client: None,
        dropped_file: None,
        size_bytes: None,
        state: DownloadState::Queued,
    }
}

pub fn ann() -> Actor {
    Actor::Web("ann".to_owned())
}

pub fn ben() -> Actor {
    Actor::Cli("ben".to_owned())
}

/// What the names say, with a title or without one.
pub fn found(title: Option<&str>) -> Recognised {
    Recognised {
        fields: Fields {
            kind: title.map(|_| TitleKind::Movie),
            title: title.map(str::to_owned),
            ..Fields::default()
        },
        files: Vec::new(),
        evidence: Vec::new(),
        verdict: Verdict::Doubt,
        confidence: 0.5,
        doubts: vec![Remark::read("not plain")],
    }
}

/// A film of TMDB that may be meant.
pub fn candidate(number: u64) -> NewCandidate {
    NewCandidate {
        work: Work {
            id: WorkId { provider: Provider::Tmdb, kind: WorkKind::Movie, number },
            title: format!("Film {number}"),
            original_title: None,
            other_titles: Vec::new(),
            year: Some(1999),
            overview: Some("a film".to_owned()),
            poster: None,
            popularity: 0.5,
            imdb: Some(format!("tt{number:07}")),
            language: None,
            animated: false,
            seasons: Vec::new(),
        },
        score: 0.75,
        parts: vec![ScorePart {
            name: "title".to_owned(),
            points: 0.75,
            detail: Remark::read("the same title"),
        }],
        excluded: None,
    }
}

pub fn open(dir: &Path, clock: Arc<FixedClock>) -> Db {
    let path = dir.join("tracker.db");
    migrate::migrate(&path, None, clock.now(), 0o600).expect("migrated");
    Db::open(&path, clock).expect("opened")
}

impl Fixture {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let clock = Arc::new(FixedClock::new());
        Fixture { db: open(dir.path(), clock.clone()), clock, dir }
    }

    pub fn write<T>(&self, body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError>) -> T {
        self.db.write_blocking(&Actor::System, body).expect("written")
    }

    pub fn write_as<T>(
        &self,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError>,
    ) -> T {
        self.db.write_blocking(actor, body).expect("written")
    }

    /// Reads what is there in any case.
    pub fn get<T>(&self, body: impl FnOnce(&ReadTx<'_>) -> Result<T, StoreError>) -> T {
        self.db.read_blocking(body).expect("read")
    }

    /// The recognition that lives.
    pub fn living(&self, id: DownloadId) -> Recognition {
        self.get(|tx| tx.recognition_of(id)).expect("a recognition")
    }

    pub fn revision(&self, id: DownloadId) -> u64 {
        self.get(|tx| tx.download(id)).expect("a row").revision
    }

    pub fn attention(&self, id: DownloadId) -> Option<tracker_domain::Attention> {
        self.get(|tx| tx.download(id)).expect("a row").attention
    }

    /// Every entry of the journal, oldest first.
    pub fn journal(&self) -> Vec<EventRow> {
        let mut events = self.events(EventFilter { limit: 10_000, ..EventFilter::default() });
        events.reverse();
        events
    }

    pub fn read<T>(
        &self,
        body: impl FnOnce(&ReadTx<'_>) -> Result<Option<T>, StoreError>,
    ) -> Option<T> {
        self.db.read_blocking(body).expect("read")
    }

    pub fn intake(&self, hashes: &[Infohash]) -> Creation {
        self.write(|tx| tx.create_download_if_no_active(link(hashes)))
    }

    pub fn create(&self, hashes: &[Infohash]) -> DownloadId {
        self.create_named(hashes, "name")
    }

    pub fn create_named(&self, hashes: &[Infohash], name: &str) -> DownloadId {
        let new = NewDownload { name: name.to_owned(), ..link(hashes) };
        match self.write(|tx| tx.create_download_if_no_active(new)) {
            Creation::Created(id) => id,
            Creation::Existing(id) => panic!("{id} was there"),
        }
    }

    pub fn hashes(&self, id: DownloadId) -> Vec<Infohash> {
        let row = self.read(|tx| tx.download(id)).expect("a row");
        row.infohashes.expect("hashes").iter().collect()
    }

    pub fn state(&self, id: DownloadId) -> DownloadState {
        self.read(|tx| tx.download(id)).expect("a row").state
    }

    pub fn events(&self, filter: EventFilter) -> Vec<EventRow> {
        self.db.read_blocking(|tx| tx.events(&filter)).expect("events")
    }

    pub fn count_of(&self, kind: EventType) -> usize {
        self.events(EventFilter { types: vec![kind], limit: 1000, ..EventFilter::default() }).len()
    }
}
