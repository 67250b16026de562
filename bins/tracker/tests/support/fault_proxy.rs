//! A proxy in front of a real client that spoils answers on demand: the client
//! itself cannot be told to fail.
//!
//! One exchange a connection, on the loopback interface only. It knows nothing
//! of the program under test.
#![allow(dead_code, reason = "each test program uses its own part of it")]
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What goes wrong.
#[derive(Clone, Debug)]
pub enum Fault {
    /// This status instead of an answer; the client never hears of the call.
    Status(u16),
    /// The connection ends after so many bytes of the body.
    CutAt(usize),
    /// A whole HTTP answer whose body is only so many bytes.
    Shortened(usize),
    /// The client carries the call out, and the answer is lost.
    LoseAnswer,
    /// The connection ends before the client hears of the call.
    HangUp,
    /// The answer comes late.
    Delay(Duration),
    /// This body with status 200; the client never hears of the call.
    Body(&'static str),
    /// The JSON of the answer, changed.
    Edit(fn(Value) -> Value),
}

/// A fault, where it strikes, and how often still.
struct Rule {
    endpoint: &'static str,
    fault: Fault,
    left: Option<u32>,
}

#[derive(Default)]
struct State {
    rules: Vec<Rule>,
    asked: HashMap<String, u32>,
    struck: HashMap<String, u32>,
}

/// The proxy; it ends when it is dropped.
pub struct FaultProxy {
    url: String,
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
}

impl FaultProxy {
    /// A proxy in front of the client at `upstream`, which spoils nothing yet.
    pub async fn before(upstream: &str) -> Self {
        let upstream = upstream.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (state, upstream) = (shared.clone(), upstream.clone());
                tokio::spawn(async move {
                    // Whoever hangs up, the other side notices by itself.
                    let _ = exchange(stream, &upstream, &state).await;
                });
            }
        });
        FaultProxy { url, state, task }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Spoils the next `times` answers of an endpoint, after what was asked for
    /// before.
    pub fn spoil(&self, endpoint: &'static str, times: u32, fault: Fault) {
        self.state().rules.push(Rule { endpoint, fault, left: Some(times) });
    }

    /// Spoils every answer of an endpoint until [`FaultProxy::heal`].
    pub fn spoil_all(&self, endpoint: &'static str, fault: Fault) {
        self.state().rules.push(Rule { endpoint, fault, left: None });
    }

    /// Spoils nothing any more.
    pub fn heal(&self) {
        self.state().rules.clear();
    }

    /// How often an endpoint was asked.
    pub fn asked(&self, endpoint: &str) -> u32 {
        self.state().asked.get(endpoint).copied().unwrap_or_default()
    }

    /// How often an answer of an endpoint was spoiled.
    pub fn struck(&self, endpoint: &str) -> u32 {
        self.state().struck.get(endpoint).copied().unwrap_or_default()
    }

    /// Whether each fault that was counted has struck.
    pub fn is_used_up(&self) -> bool {
        self.state().rules.iter().all(|rule| rule.left == Some(0))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl State {
    /// Counts a call, and tells what goes wrong with it.
    fn next(&mut self, endpoint: &str) -> Option<Fault> {
        *self.asked.entry(endpoint.to_owned()).or_default() += 1;
        let rule =
            self.rules.iter_mut().find(|rule| rule.endpoint == endpoint && rule.left != Some(0))?;
        rule.left = rule.left.map(|left| left - 1);
        *self.struck.entry(endpoint.to_owned()).or_default() += 1;
        Some(rule.fault.clone())
    }
}

/// A message of HTTP: its first line, its headers, its body.
struct Message {
    first: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

async fn exchange(mut near: TcpStream, upstream: &str, state: &Mutex<State>) -> io::Result<()> {
    let Some(request) = Message::read(&mut near).await? else { return Ok(()) };
    let target = request.first.split(' ').nth(1).unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default();
    let endpoint = path.rsplit_once("/api/v2/").map_or(path, |(_, endpoint)| endpoint);
    let fault = state.lock().unwrap_or_else(PoisonError::into_inner).next(endpoint);
    match &fault {
        Some(Fault::Status(status)) => return say(&mut near, *status, b"spoiled").await,
        Some(Fault::Body(body)) => return say(&mut near, 200, body.as_bytes()).await,
        Some(Fault::HangUp) => return Ok(()),
        _ => {}
    }
    let mut far = TcpStream::connect(upstream).await?;
    far.write_all(&request.for_upstream(upstream)).await?;
    let Some(mut reply) = Message::read(&mut far).await? else { return Ok(()) };
    let mut sent = usize::MAX;
    match fault {
        Some(Fault::LoseAnswer) => return Ok(()),
        Some(Fault::Delay(pause)) => tokio::time::sleep(pause).await,
        Some(Fault::CutAt(bytes)) => sent = bytes,
        Some(Fault::Shortened(bytes)) => reply.body.truncate(bytes),
        Some(Fault::Edit(edit)) => {
            if let Ok(json) = serde_json::from_slice(&reply.body) {
                reply.body = edit(json).to_string().into_bytes();
            }
        }
        Some(Fault::Status(_) | Fault::Body(_) | Fault::HangUp) | None => {}
    }
    near.write_all(&reply.head()).await?;
    near.write_all(&reply.body[..sent.min(reply.body.len())]).await?;
    near.shutdown().await
}

async fn say(near: &mut TcpStream, status: u16, body: &[u8]) -> io::Result<()> {
    let reply = Message {
        first: format!("HTTP/1.1 {status} Spoiled"),
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: body.to_vec(),
    };
    near.write_all(&reply.head()).await?;
    near.write_all(&reply.body).await?;
    near.shutdown().await
}

impl Message {
    /// Reads a whole one; `None` when the other side says nothing.
    async fn read(stream: &mut TcpStream) -> io::Result<Option<Self>> {
        let mut raw = Vec::new();
        let head_end = loop {
            if let Some(at) = raw.windows(4).position(|four| four == b"\r\n\r\n") {
                break at;
            }
            if stream.read_buf(&mut raw).await? == 0 {
                return Ok(None);
            }
        };
        let head = String::from_utf8_lossy(&raw[..head_end]).into_owned();
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default().to_owned();
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let length: usize = headers
            .iter()
            .find(|(name, _)| name == "content-length")
            .and_then(|(_, value)| value.parse().ok())
            .unwrap_or(0);
        let mut body = raw.split_off(head_end + 4);
        while body.len() < length {
            if stream.read_buf(&mut body).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(Some(Message { first, headers, body }))
    }

    /// The client compares `Host` with its own port, and its answers have to be
    /// readable here.
    fn for_upstream(&self, upstream: &str) -> Vec<u8> {
        let mut raw = format!("{}\r\nHost: {upstream}\r\nConnection: close\r\n", self.first);
        for (name, value) in &self.headers {
            if !["host", "connection", "accept-encoding"].contains(&name.as_str()) {
                raw.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        raw.push_str("\r\n");
        let mut raw = raw.into_bytes();
        raw.extend_from_slice(&self.body);
        raw
    }

    /// Its head, with the length of the body as it is now.
    fn head(&self) -> Vec<u8> {
        let mut raw = format!("{}\r\nConnection: close\r\n", self.first);
        for (name, value) in &self.headers {
            if !["connection", "content-length"].contains(&name.as_str()) {
                raw.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        if !self.first.contains(" 204 ") {
            raw.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        raw.push_str("\r\n");
        raw.into_bytes()
    }
}
