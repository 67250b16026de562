//! A server on the loopback interface that plays TMDB and TVmaze from the
//! catalogue: their routes, bodies and limits. It can be told to be dead, silent
//! or limiting, or to answer anything at all.

mod lies;
mod tmdb;
mod tvmaze;
mod wire;

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracker_domain::metadata::Provider;

pub use lies::lies;
pub(crate) use wire::write_answer;
pub use wire::{MetadataRequest, StubAnswer};

const SPAN: Duration = Duration::from_secs(10);

/// How a source answers from now on.
#[derive(Clone, Debug, Default)]
pub enum StubMode {
    /// As the real one does.
    #[default]
    Normal,
    /// Hangs up without a word.
    Dead,
    /// Takes requests and answers none until it is told something else.
    Silent,
    /// Says that it has been asked often enough, with this `Retry-After`.
    Limiting(Option<String>),
    /// Answers this, whatever it is asked.
    Says(StubAnswer),
}

/// The server. It ends with the value.
pub struct MetadataStub {
    address: String,
    state: Arc<Mutex<State>>,
    /// Counts the changes of a mode, for those that wait in silence.
    changes: watch::Sender<u64>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    tmdb: Source,
    tvmaze: Source,
    requests: Vec<MetadataRequest>,
}

#[derive(Default)]
struct Source {
    mode: StubMode,
    lately: VecDeque<Instant>,
    unlimited: bool,
    open: usize,
    most_open: usize,
}

impl MetadataStub {
    /// The token that its TMDB accepts, of the form of a v4 token.
    pub const TOKEN: &'static str = "eyJzdHViIjoxfQ.c3R1Yg.dG9rZW4";
    /// The key that its TMDB accepts, of the form of a v3 key.
    pub const KEY: &'static str = "5tub0123456789abcdef0123456789ab";

    /// Starts it.
    ///
    /// # Panics
    /// When there is no port on the loopback interface.
    pub async fn start() -> Self {
        let listener =
            TcpListener::bind("127.0.0.1:0").await.expect("the loopback interface has a free port");
        let port = listener.local_addr().map(|address| address.port()).unwrap_or_default();
        let address = format!("http://127.0.0.1:{port}");
        let state = Arc::new(Mutex::new(State::default()));
        let changes = watch::Sender::new(0);
        let (shared, base, waiting) = (state.clone(), address.clone(), changes.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (state, base, changed) = (shared.clone(), base.clone(), waiting.subscribe());
                tokio::spawn(async move {
                    // A client that hangs up is part of the play.
                    let _ = serve(stream, &state, &base, changed).await;
                });
            }
        });
        MetadataStub { address, state, changes, task }
    }

    /// The base of its TMDB, for the configuration.
    #[must_use]
    pub fn tmdb_url(&self) -> String {
        format!("{}/3/", self.address)
    }

    /// The base of the pictures of its TMDB, for the configuration.
    #[must_use]
    pub fn tmdb_image_url(&self) -> String {
        format!("{}/{}", self.address, tmdb::PICTURES)
    }

    /// The base of its TVmaze, for the configuration.
    #[must_use]
    pub fn tvmaze_url(&self) -> String {
        format!("{}/tvmaze/", self.address)
    }

    /// The base of one of the two.
    #[must_use]
    pub fn url(&self, provider: Provider) -> String {
        match provider {
            Provider::Tmdb => self.tmdb_url(),
            Provider::Tvmaze => self.tvmaze_url(),
        }
    }

    /// How one of the two answers from now on; those that wait in silence get
    /// the new answer.
    pub fn set(&self, provider: Provider, mode: StubMode) {
        self.state().of(provider).mode = mode;
        self.changes.send_modify(|count| *count += 1);
    }

    /// Both answer anybody as often as they are asked.
    pub fn unlimited(&self) {
        let mut state = self.state();
        state.tmdb.unlimited = true;
        state.tvmaze.unlimited = true;
    }

    /// What has come in.
    #[must_use]
    pub fn requests(&self) -> Vec<MetadataRequest> {
        self.state().requests.clone()
    }

    /// What has come in for one of the two.
    #[must_use]
    pub fn requests_to(&self, provider: Provider) -> Vec<MetadataRequest> {
        let mut requests = self.requests();
        requests.retain(|request| request.provider == provider);
        requests
    }

    /// The most requests to one of the two that were open at the same time.
    #[must_use]
    pub fn most_at_once(&self, provider: Provider) -> usize {
        self.state().of(provider).most_open
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

impl Drop for MetadataStub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn of(&mut self, provider: Provider) -> &mut Source {
        match provider {
            Provider::Tmdb => &mut self.tmdb,
            Provider::Tvmaze => &mut self.tvmaze,
        }
    }
}

impl Source {
    /// Whether one more request within ten seconds is too many for this source.
    fn is_too_much(&mut self, limit: usize) -> bool {
        let now = Instant::now();
        while self.lately.front().is_some_and(|then| now.duration_since(*then) >= SPAN) {
            self.lately.pop_front();
        }
        let full = self.lately.len() >= limit && !self.unlimited;
        if !full {
            self.lately.push_back(now);
        }
        full
    }
}

/// What the real ones bear in ten seconds.
fn limit(provider: Provider) -> usize {
    match provider {
        Provider::Tmdb => 40,
        Provider::Tvmaze => 20,
    }
}

async fn serve(
    mut stream: TcpStream,
    state: &Mutex<State>,
    base: &str,
    changed: watch::Receiver<u64>,
) -> io::Result<()> {
    let Some(request) = wire::read_request(&mut stream).await? else { return Ok(()) };
    let provider = request.provider;
    {
        let mut state = locked(state);
        state.requests.push(request.clone());
        let source = state.of(provider);
        source.open += 1;
        source.most_open = source.most_open.max(source.open);
    }
    let answer = answer(&mut stream, state, &request, base, changed).await;
    locked(state).of(provider).open -= 1;
    match answer {
        Some(answer) => wire::write_answer(&mut stream, &answer).await,
        None => Ok(()),
    }
}

/// The answer, once there is one; nothing where the connection just ends.
async fn answer(
    stream: &mut TcpStream,
    state: &Mutex<State>,
    request: &MetadataRequest,
    base: &str,
    mut changed: watch::Receiver<u64>,
) -> Option<StubAnswer> {
    loop {
        changed.mark_unchanged();
        let mode = locked(state).of(request.provider).mode.clone();
        match mode {
            StubMode::Dead => return None,
            StubMode::Says(answer) => return Some(answer),
            StubMode::Limiting(wait) => return Some(too_many(wait.as_deref())),
            StubMode::Normal => {
                let full = locked(state).of(request.provider).is_too_much(limit(request.provider));
                return Some(if full { too_many(Some("10")) } else { usual(request, base) });
            }
            StubMode::Silent => {
                let mut rest = [0; 64];
                tokio::select! {
                    told = changed.changed() => told.ok()?,
                    // The other side gave up.
                    _ = stream.read(&mut rest) => return None,
                }
            }
        }
    }
}

fn usual(request: &MetadataRequest, base: &str) -> StubAnswer {
    match request.provider {
        Provider::Tmdb => tmdb::answer(request),
        Provider::Tvmaze => tvmaze::answer(request, &format!("{base}/tvmaze")),
    }
}

fn too_many(wait: Option<&str>) -> StubAnswer {
    let answer = StubAnswer::json(429, r#"{"name":"Too Many Requests","status":429}"#);
    match wait {
        Some(wait) => answer.header("Retry-After", wait),
        None => answer,
    }
}
