//! A router on an empty database, and the one way to ask it something.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::response::Response;
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracker_app::App;
use tracker_backup::Backups;
use tracker_domain::Actor;
use tracker_domain::access::Scope;
use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::{Clock, Live, NobodyWatches};
use tracker_http::{AccessPolicy, HttpPolicy, Manner};
use tracker_i18n::{Catalogue, Language, Zone};
use tracker_ingest::{ClientEntry, ClientPolicy, Clients};
use tracker_pipeline::{Pipeline, Policy};
use tracker_store::{Db, StoreError, WriteTx, migrate};
use tracker_system::LocalFiles;
use tracker_testkit::{FakeBackupTarget, FakeClient, FixedClock};

/// Where films go.
fn library(below: &Path) -> Library {
    let root = below.join("movies");
    std::fs::create_dir(&root).unwrap();
    let (kind, mode) = (LibraryKind::Movie, LinkMode::Hardlink);
    Library { name: "movies".to_owned(), kind, root, mode }
}

/// Pages in English and UTC.
pub fn policy(base_path: &str) -> HttpPolicy {
    let manner = Manner {
        texts: Arc::new(Catalogue::new().unwrap()),
        language: Language::En,
        zone: Zone::default(),
    };
    HttpPolicy {
        base_path: base_path.parse().unwrap(),
        access: AccessPolicy::default(),
        clock: Arc::new(FixedClock::new()),
        manner,
    }
}

/// A well-formed id that nothing has.
pub const NOBODY: &str = "01jzabcdefghjkmnpqrstvwxyz";

pub struct Daemon {
    pub app: App,
    pub router: Router,
    pub stop: CancellationToken,
    pub token: String,
    pub client: Arc<FakeClient>,
    pub db: Db,
    pub target: Arc<FakeBackupTarget>,
    /// The time of the services and of the router.
    pub clock: Arc<FixedClock>,
    dir: TempDir,
}

/// Another program that keeps the database from being written until it is dropped.
pub struct Keeper {
    release: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.release.take());
        self.thread.take().map(JoinHandle::join);
    }
}

/// An answer, read whole.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The code of a refusal; fails where the answer is not one in good form.
    pub fn code(&self) -> String {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text);
        let body = self.json();
        assert_eq!(body["status"], self.status.as_u16(), "{body}");
        for member in ["type", "title", "code", "instance"] {
            assert!(body[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {body}");
        }
        assert_eq!(body.get("detail").is_some(), self.status.as_u16() < 500, "{body}");
        body["code"].as_str().unwrap().to_owned()
    }
}

/// A request with its parts.
#[derive(Clone, Default)]
pub struct Ask<'a> {
    pub method: Method,
    pub path: &'a str,
    pub headers: Vec<(&'a str, &'a str)>,
    pub body: Vec<u8>,
}

impl Daemon {
    pub async fn start() -> Self {
        Self::below("").await
    }

    pub async fn below(base_path: &str) -> Self {
        Self::with(base_path, Arc::new(NobodyWatches)).await
    }

    /// With what the workers know, and a base path.
    pub async fn with(base_path: &str, live: Arc<dyn Live>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let client = Arc::new(FakeClient::new());
        let clock = Arc::new(FixedClock::new());
        let (app, db) = services(&dir, Arc::clone(&client), live, clock.clone());
        let target = Arc::new(FakeBackupTarget::default());
        let database = dir.path().join("tracker.db");
        let app = app.with_backups(Backups::new(db.clone(), database, target.clone(), 3));
        let (_, token) = app.access.token_new("tests", Scope::Admin, &Actor::System).await.unwrap();
        let stop = CancellationToken::new();
        let policy = HttpPolicy { clock: clock.clone(), ..policy(base_path) };
        let router = tracker_http::router(app.clone(), policy, stop.clone());
        Daemon { app, router, stop, token, client, db, target, clock, dir }
    }

    /// Another program takes the database.
    pub fn kept(&self) -> Keeper {
        let (path, clock) = (self.dir.path().join("tracker.db"), self.clock.clone());
        let (tell, kept) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let other = Db::open_untold(&path, clock).unwrap();
            let keep = |_: &mut WriteTx<'_>| {
                tell.send(()).unwrap();
                // Until the keeper is dropped.
                released.recv().unwrap_err();
                Ok::<_, StoreError>(())
            };
            other.write_blocking(&Actor::System, keep).unwrap();
        });
        kept.recv().unwrap();
        Keeper { release: Some(release), thread: Some(thread) }
    }

    /// The same with services of a test's own.
    pub fn serving(mut self, change: impl FnOnce(App) -> App) -> Self {
        self.app = change(self.app);
        self.router = tracker_http::router(self.app.clone(), policy(""), self.stop.clone());
        self
    }

    /// Sends it as it is, without a token of its own.
    pub async fn open(&self, ask: Ask<'_>) -> Response {
        let mut request = Request::builder().method(ask.method).uri(ask.path);
        for (name, value) in ask.headers {
            request = request.header(name, value);
        }
        self.router.clone().oneshot(request.body(Body::from(ask.body)).unwrap()).await.unwrap()
    }

    /// The same, read whole.
    pub async fn raw(&self, ask: Ask<'_>) -> Answer {
        let (parts, body) = self.open(ask).await.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Answer { status: parts.status, headers: parts.headers, text }
    }

    /// Sends it with the token.
    pub async fn ask(&self, mut ask: Ask<'_>) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        ask.headers.push(("authorization", bearer.as_str()));
        self.raw(Ask { headers: ask.headers, ..ask }).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask(Ask { path, ..Ask::default() }).await
    }

    pub async fn post(&self, path: &str, json: &str) -> Answer {
        self.send(Method::POST, path, json).await
    }

    pub async fn send(&self, method: Method, path: &str, json: &str) -> Answer {
        let headers = vec![("content-type", "application/json")];
        let body = json.as_bytes().to_vec();
        self.ask(Ask { method, path, headers, body }).await
    }

    /// Sends a form as the person at a browser does.
    pub async fn form(&self, path: &str, body: &str) -> Answer {
        let headers = vec![("content-type", "application/x-www-form-urlencoded")];
        let body = body.as_bytes().to_vec();
        self.ask(Ask { method: Method::POST, path, headers, body }).await
    }

    /// Hands over an infohash of forty equal digits and returns the answer.
    pub async fn ingest(&self, digit: char) -> Answer {
        let magnet = digit.to_string().repeat(40);
        self.post("/api/v1/downloads", &format!(r#"{{"magnet":"{magnet}"}}"#)).await
    }

    /// The same, and the id of the download.
    pub async fn accepted(&self, digit: char) -> String {
        let answer = self.ingest(digit).await;
        answer.json()["download"]["id"].as_str().unwrap().to_owned()
    }
}

/// The services on an empty database, with one client.
fn services(
    dir: &TempDir,
    client: Arc<FakeClient>,
    live: Arc<dyn Live>,
    clock: Arc<dyn Clock>,
) -> (App, Db) {
    let path = dir.path().join("tracker.db");
    migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
    // Opening blocks, which the thread of a runtime must not.
    let db = std::thread::spawn(move || Db::open(&path, clock)).join().unwrap().unwrap();
    let policy = ClientPolicy::default();
    let clients = Clients::new(vec![ClientEntry { name: "qb".to_owned(), client, policy }]);
    let pipeline = Pipeline::new(
        db.clone(),
        clients.clone(),
        Arc::new(LocalFiles),
        vec![library(dir.path())],
        Policy::default(),
    );
    let app = App::new(db.clone(), clients, vec!["movies".to_owned()], live, Arc::new(pipeline));
    app.ops.set_ready(true);
    (app, db)
}
