//! A server on the loopback interface that plays Jellyfin or Plex. It can be told
//! to be dead, silent or limiting, or to answer anything at all.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::play::{StubLibrary, jellyfin, plex};
use crate::metadata::write_answer;
use crate::query::pairs;
use crate::{StubAnswer, StubMode};

type Play = fn(&MediaServerRequest, &mut State) -> StubAnswer;

/// One request that came in.
#[derive(Clone, Debug)]
pub struct MediaServerRequest {
    /// Such as `GET`.
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Names and values of the query, decoded.
    pub query: Vec<(String, String)>,
    /// Header names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The server. It ends with the value.
pub struct MediaServerStub {
    address: String,
    state: Arc<Mutex<State>>,
    /// Counts the changes of the mode, for those that wait in silence.
    changes: watch::Sender<u64>,
    task: JoinHandle<()>,
}

/// The same server as a receiver of messages, which takes everything.
pub type ReceiverStub = MediaServerStub;

pub(super) struct State {
    pub(super) token: String,
    pub(super) libraries: Vec<StubLibrary>,
    pub(super) scanned: Vec<String>,
    mode: StubMode,
    requests: Vec<MediaServerRequest>,
}

impl MediaServerStub {
    /// The token that it accepts.
    pub const TOKEN: &'static str = "5tubT0kenOfAMediaServer";

    /// Starts a Jellyfin with these libraries.
    pub async fn jellyfin(libraries: Vec<StubLibrary>) -> Self {
        Self::start(libraries, jellyfin).await
    }

    /// Starts a Plex with these libraries.
    pub async fn plex(libraries: Vec<StubLibrary>) -> Self {
        Self::start(libraries, plex).await
    }

    /// Starts a receiver of messages.
    pub async fn receiver() -> ReceiverStub {
        let taken =
            |_: &MediaServerRequest, _: &mut State| StubAnswer::of_kind(204, "text/plain", "");
        Self::start(Vec::new(), taken).await
    }

    async fn start(libraries: Vec<StubLibrary>, play: Play) -> Self {
        let listener =
            TcpListener::bind("127.0.0.1:0").await.expect("the loopback interface has a free port");
        let port = listener.local_addr().map(|address| address.port()).unwrap_or_default();
        let state = Arc::new(Mutex::new(State {
            token: Self::TOKEN.to_owned(),
            libraries,
            scanned: Vec::new(),
            mode: StubMode::Normal,
            requests: Vec::new(),
        }));
        let changes = watch::Sender::new(0);
        let (shared, waiting) = (state.clone(), changes.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (state, changed) = (shared.clone(), waiting.subscribe());
                tokio::spawn(async move {
                    // A client that hangs up is part of the play.
                    let _ = serve(stream, &state, play, changed).await;
                });
            }
        });
        MediaServerStub { address: format!("http://127.0.0.1:{port}/"), state, changes, task }
    }

    /// Its address, for the configuration.
    #[must_use]
    pub fn url(&self) -> String {
        self.address.clone()
    }

    /// How it answers from now on; who waits in silence gets the new answer.
    pub fn set(&self, mode: StubMode) {
        self.state().mode = mode;
        self.changes.send_modify(|count| *count += 1);
    }

    /// Gives it other libraries.
    pub fn set_libraries(&self, libraries: Vec<StubLibrary>) {
        self.state().libraries = libraries;
    }

    /// The paths that it was told to scan, in order; for Plex with the key of the
    /// library before them, as in `1:/films/Title`.
    #[must_use]
    pub fn scanned(&self) -> Vec<String> {
        self.state().scanned.clone()
    }

    /// What has come in.
    #[must_use]
    pub fn requests(&self) -> Vec<MediaServerRequest> {
        self.state().requests.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

impl Drop for MediaServerStub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl MediaServerRequest {
    /// A value of the query.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(
    mut stream: TcpStream,
    state: &Mutex<State>,
    play: Play,
    changed: watch::Receiver<u64>,
) -> io::Result<()> {
    let Some(request) = read_request(&mut stream).await? else { return Ok(()) };
    locked(state).requests.push(request.clone());
    match answer(&mut stream, state, &request, play, changed).await {
        Some(answer) => write_answer(&mut stream, &answer).await,
        None => Ok(()),
    }
}

/// The answer, once there is one; nothing where the connection just ends.
async fn answer(
    stream: &mut TcpStream,
    state: &Mutex<State>,
    request: &MediaServerRequest,
    play: Play,
    mut changed: watch::Receiver<u64>,
) -> Option<StubAnswer> {
    loop {
        changed.mark_unchanged();
        let mode = locked(state).mode.clone();
        match mode {
            StubMode::Dead => return None,
            StubMode::Says(answer) => return Some(answer),
            StubMode::Normal => return Some(play(request, &mut locked(state))),
            StubMode::Limiting(wait) => {
                let answer = StubAnswer::of_kind(429, "text/plain", "");
                return Some(match wait {
                    Some(wait) => answer.header("Retry-After", &wait),
                    None => answer,
                });
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

/// As much of HTTP as the play needs; each connection carries one request.
async fn read_request(stream: &mut TcpStream) -> io::Result<Option<MediaServerRequest>> {
    let mut raw = Vec::new();
    let end = loop {
        if let Some(at) = raw.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut raw).await? == 0 {
            return Ok(None);
        }
    };
    let mut body = raw.split_off(end);
    let head = String::from_utf8_lossy(&raw).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse::<usize>().ok()).unwrap_or_default();
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(MediaServerRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        query: pairs(query),
        headers,
        body,
    }))
}
