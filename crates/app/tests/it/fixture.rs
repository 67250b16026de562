//! All services over one database, and ways to bring a download somewhere.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tempfile::TempDir;
use tracker_app::{App, CancelRequest, IngestOptions, IngestRequest, Ingested, Source};
use tracker_domain::health::{Check, Level};
use tracker_domain::metadata::{Provider, Work, WorkId, WorkKind};
use tracker_domain::observed::Progress;
use tracker_domain::ports::{Clock, Live};
use tracker_domain::recognised::{
    Fields, Recognised, RecognitionState, ScorePart, TitleKind, Verdict,
};
use tracker_domain::{
    Actor, Attention, BatchId, DownloadCause, DownloadId, Infohash, InfohashV1, InfohashV2, Magnet,
    Remark, Timestamp,
};
use tracker_ingest::{ClientEntry, ClientPolicy, Clients};
use tracker_layout::{ApplyWish, LayError, Laying, Looked, OtherNames, Plan, Undone};
use tracker_store::{
    Db, NewCandidate, NewRecognition, Reason, StoreError, WaitCause, WriteTx, migrate,
};
use tracker_testkit::{FakeClient, FixedClock};

/// Refuses everything with what a test has put in.
#[derive(Default)]
pub struct FakeLaying {
    pub refusal: Mutex<Option<LayError>>,
    pub names: Mutex<Option<OtherNames>>,
    /// What an undo comes to; without one it is refused.
    pub undone: Mutex<Vec<Undone>>,
}

impl FakeLaying {
    fn refused<T>(&self) -> Result<T, LayError> {
        Err(self.refusal.lock().unwrap().take().unwrap_or(LayError::BrokenOff))
    }
}

#[async_trait]
impl Laying for FakeLaying {
    async fn plan_of(&self, _: DownloadId) -> Result<Plan, LayError> {
        self.refused()
    }

    async fn apply(&self, _: DownloadId, _: ApplyWish, _: &Actor) -> Result<BatchId, LayError> {
        self.refused()
    }

    async fn undo(&self, batch: BatchId, _: &Actor) -> Result<Undone, LayError> {
        match self.undone.lock().unwrap().pop() {
            Some(undone) => Ok(Undone { batch, ..undone }),
            None => self.refused(),
        }
    }

    async fn verify(&self, _: Option<DownloadId>) -> Result<Vec<Looked>, LayError> {
        self.refused()
    }

    async fn names(&self, _: DownloadId) -> Result<Option<OtherNames>, LayError> {
        Ok(*self.names.lock().unwrap())
    }
}

pub struct Fixture {
    pub app: App,
    pub db: Db,
    pub client: Arc<FakeClient>,
    pub clock: Arc<FixedClock>,
    pub board: Arc<FakeBoard>,
    pub laying: Arc<FakeLaying>,
    dir: TempDir,
}

/// What workers would know.
#[derive(Default)]
pub struct FakeBoard(pub Mutex<Vec<Check>>);

impl Live for FakeBoard {
    fn progress(&self, _id: DownloadId) -> Option<Progress> {
        Some(Progress { bytes_done: Some(7), ..Progress::default() })
    }

    fn checks(&self) -> Vec<Check> {
        self.0.lock().unwrap().clone()
    }
}

pub fn v1(number: u8) -> Infohash {
    InfohashV1::from_bytes([number; 20]).into()
}

pub fn v2(number: u8) -> Infohash {
    let mut bytes = [number; 32];
    bytes[0] = 0xff;
    InfohashV2::from_bytes(bytes).into()
}

pub fn actor() -> Actor {
    Actor::Api("tests".to_owned())
}

/// What a worker writes down.
pub struct Written {
    pub found: Recognised,
    pub candidates: Vec<NewCandidate>,
    pub causes: Vec<WaitCause>,
    pub next_look_at: Option<Timestamp>,
    pub provisional: bool,
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
            imdb: None,
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

pub const NO_WISH: CancelRequest = CancelRequest { remove_torrent: false, delete_data: false };

pub fn request(hash: Infohash, name: &str, options: IngestOptions) -> IngestRequest {
    let topic = match hash {
        Infohash::V1(v1) => format!("urn:btih:{v1}"),
        Infohash::V2(v2) => format!("urn:btmh:1220{v2}"),
    };
    let magnet = Magnet::parse(&format!("magnet:?xt={topic}&dn={name}")).unwrap();
    IngestRequest { source: Source::Magnet(Box::new(magnet)), options }
}

impl Fixture {
    pub fn new() -> Self {
        let client = Arc::new(FakeClient::new());
        let policy = ClientPolicy::default();
        let entry = ClientEntry { name: "main".to_owned(), client: client.clone(), policy };
        Self::with(client, Clients::new(vec![entry]))
    }

    pub fn with(client: Arc<FakeClient>, clients: Clients) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new());
        let path = dir.path().join("tracker.db");
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        let db = Db::open(&path, clock.clone()).unwrap();
        let board = Arc::new(FakeBoard::default());
        let libraries = vec!["films".to_owned(), "series".to_owned()];
        let laying = Arc::new(FakeLaying::default());
        let app = App::new(db.clone(), clients, libraries, board.clone(), laying.clone());
        Fixture { app, db, client, clock, board, laying, dir }
    }

    pub async fn ingest(&self, hash: Infohash, name: &str) -> Ingested {
        let request = request(hash, name, IngestOptions::default());
        self.app.intake.ingest(request, &actor()).await.unwrap()
    }

    pub async fn accept(&self, number: u8) -> DownloadId {
        self.ingest(v1(number), &format!("Film+{number}")).await.download.id
    }

    pub async fn write<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.db.write(&Actor::Worker, body).await.unwrap()
    }

    /// The same database, as another process has it open.
    pub fn another_process(&self) -> Db {
        Db::open(&self.dir.path().join("tracker.db"), self.clock.clone()).unwrap()
    }

    pub async fn step(&self, id: DownloadId, causes: &'static [DownloadCause]) {
        self.write(move |tx| {
            for cause in causes {
                tx.set_download_state(id, *cause, &Reason::none())?.unwrap();
            }
            Ok(())
        })
        .await;
    }

    pub async fn mark(&self, id: DownloadId, attention: Attention) {
        self.write(move |tx| tx.raise_attention(id, attention, "why")).await.unwrap();
    }

    pub async fn fail(&self, id: DownloadId) {
        self.write(move |tx| {
            let reason = Reason::because(Attention::ClientMissing, "gone");
            tx.set_download_state(id, DownloadCause::Missing, &reason)
        })
        .await
        .unwrap();
    }

    /// What a worker writes down: a film, and two works that may be meant.
    pub async fn recognise(
        &self,
        id: DownloadId,
        state: RecognitionState,
        change: impl FnOnce(&mut Written),
    ) {
        let mut new = Written {
            found: found(Some("Film")),
            candidates: vec![candidate(603), candidate(604)],
            causes: Vec::new(),
            next_look_at: None,
            provisional: false,
        };
        change(&mut new);
        self.write(move |tx| {
            tx.record_recognition(
                id,
                &NewRecognition {
                    candidates: &new.candidates,
                    causes: &new.causes,
                    next_look_at: new.next_look_at,
                    provisional: new.provisional,
                    ..NewRecognition::of_names(&new.found, state)
                },
            )
        })
        .await;
    }

    pub fn check(&self, level: Level) {
        self.board.0.lock().unwrap().push(Check {
            code: "made-up",
            subject: "subject".to_owned(),
            level,
            detail: "detail".to_owned(),
            remedy: "remedy".to_owned(),
            checked_at: self.clock.now(),
        });
    }
}
