//! A server on the loopback interface that answers as it is told: scripted
//! replies per endpoint of qBittorrent's Web API, cut off or withheld if wished.
//!
//! It has no idea of torrents. Each connection carries one request.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::query::pairs;

/// One scripted answer.
#[derive(Clone, Debug)]
pub struct StubReply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    cut_at: Option<usize>,
    silent: bool,
}

/// One request that came in.
#[derive(Clone, Debug)]
pub struct StubRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// Below `/api/v2/`, such as `torrents/info`.
    pub endpoint: String,
    /// The whole path.
    pub path: String,
    /// Names and values of the query, decoded.
    pub query: Vec<(String, String)>,
    /// Header names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub body: Vec<u8>,
}

/// The server. It ends with the value.
pub struct QbtStub {
    url: String,
    script: Arc<Mutex<Script>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Script {
    always: HashMap<String, StubReply>,
    once: HashMap<String, VecDeque<StubReply>>,
    requests: Vec<StubRequest>,
    cookie: Option<String>,
}

impl StubReply {
    /// A status without a body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        StubReply { status, headers: Vec::new(), body: Vec::new(), cut_at: None, silent: false }
    }

    /// A text.
    #[must_use]
    pub fn text(status: u16, body: impl Into<String>) -> Self {
        StubReply { body: body.into().into_bytes(), ..Self::status(status) }
    }

    /// JSON with status 200.
    #[must_use]
    pub fn json(body: &Value) -> Self {
        Self::text(200, body.to_string()).header("Content-Type", "application/json")
    }

    /// No answer at all; the connection stays open.
    #[must_use]
    pub fn silence() -> Self {
        StubReply { silent: true, ..Self::status(200) }
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Promises the whole body and hangs up after this many bytes of it.
    #[must_use]
    pub fn cut_at(mut self, bytes: usize) -> Self {
        self.cut_at = Some(bytes);
        self
    }

    /// The recorded answer of a step: status, headers and body as they were.
    #[must_use]
    pub fn recorded(step: &Value) -> Self {
        let status = step["status"].as_u64().and_then(|n| u16::try_from(n).ok()).unwrap_or(200);
        let mut reply = match &step["body"] {
            Value::String(text) => Self::text(status, text.clone()),
            Value::Null => Self::status(status),
            other => Self::text(status, other.to_string()),
        };
        for (name, value) in step["headers"].as_object().into_iter().flatten() {
            if let Some(value) = value.as_str() {
                reply = reply.header(name, value);
            }
        }
        reply
    }
}

impl StubRequest {
    /// A value of the query.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// A field of the form, URL-encoded or multipart.
    #[must_use]
    pub fn form(&self, name: &str) -> Option<String> {
        let multipart = self.header("content-type").is_some_and(|kind| kind.contains("multipart"));
        let text = String::from_utf8_lossy(&self.body);
        if multipart {
            let start = text.find(&format!("name=\"{name}\""))?;
            let value = text[start..].split_once("\r\n\r\n")?.1;
            return value.split_once("\r\n--").map(|(value, _)| value.to_owned());
        }
        pairs(&text).into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

impl QbtStub {
    /// A server that knows no endpoint yet: everything is 404.
    ///
    /// # Panics
    /// When there is no port on the loopback interface.
    pub async fn start() -> Self {
        let listener =
            TcpListener::bind("127.0.0.1:0").await.expect("the loopback interface has a free port");
        let port = listener.local_addr().map(|address| address.port()).unwrap_or_default();
        let script = Arc::new(Mutex::new(Script::default()));
        let shared = script.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let script = shared.clone();
                tokio::spawn(async move {
                    // A client that hangs up is part of the play.
                    let _ = serve(stream, &script).await;
                });
            }
        });
        QbtStub { url: format!("http://127.0.0.1:{port}"), script, task }
    }

    /// A server that lets anybody log in and has this version of the Web API;
    /// what is asked without its cookie is 403.
    pub async fn with_api(version: &str) -> Self {
        let stub = Self::start().await;
        stub.on(
            "auth/login",
            StubReply::text(200, "Ok.").header("Set-Cookie", "SID=one; HttpOnly; path=/"),
        );
        stub.on("app/webapiVersion", StubReply::text(200, version));
        stub.require_cookie("SID=one");
        stub
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers this from now on.
    pub fn on(&self, endpoint: &str, reply: StubReply) {
        self.script().always.insert(endpoint.into(), reply);
    }

    /// Answers this the next time, before what [`QbtStub::on`] says; several queue.
    pub fn once(&self, endpoint: &str, reply: StubReply) {
        self.script().once.entry(endpoint.into()).or_default().push_back(reply);
    }

    /// Answers 403 to whatever comes without this cookie, but for a login.
    pub fn require_cookie(&self, pair: &str) {
        self.script().cookie = Some(pair.into());
    }

    /// What has come in.
    #[must_use]
    pub fn requests(&self) -> Vec<StubRequest> {
        self.script().requests.clone()
    }

    /// What has come in for one endpoint.
    #[must_use]
    pub fn requests_to(&self, endpoint: &str) -> Vec<StubRequest> {
        let mut requests = self.requests();
        requests.retain(|request| request.endpoint == endpoint);
        requests
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for QbtStub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Script {
    fn reply(&mut self, request: StubRequest) -> StubReply {
        let endpoint = request.endpoint.clone();
        let cookie = request.header("cookie").unwrap_or_default().to_owned();
        self.requests.push(request);
        if let Some(wanted) = &self.cookie
            && endpoint != "auth/login"
            && !cookie.split("; ").any(|pair| pair == wanted)
        {
            return StubReply::text(403, "Forbidden");
        }
        let queued = self.once.get_mut(&endpoint).and_then(VecDeque::pop_front);
        queued
            .or_else(|| self.always.get(&endpoint).cloned())
            .unwrap_or_else(|| StubReply::text(404, "Not Found"))
    }
}

async fn serve(mut stream: TcpStream, script: &Mutex<Script>) -> io::Result<()> {
    let Some(request) = read_request(&mut stream).await? else { return Ok(()) };
    let reply = script.lock().unwrap_or_else(PoisonError::into_inner).reply(request);
    if reply.silent {
        // Until the other side gives up.
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await?;
        return Ok(());
    }
    let mut head = format!("HTTP/1.1 {} Scripted\r\nConnection: close\r\n", reply.status);
    if reply.status != 204 {
        head.push_str(&format!("Content-Length: {}\r\n", reply.body.len()));
    }
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await?;
    let end = reply.cut_at.unwrap_or(reply.body.len()).min(reply.body.len());
    stream.write_all(&reply.body[..end]).await?;
    stream.shutdown().await
}

async fn read_request(stream: &mut TcpStream) -> io::Result<Option<StubRequest>> {
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
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let target = first.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = raw.split_off(head_end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            return Ok(None);
        }
    }
    let (path, query) = target.split_once('?').unwrap_or((target.as_str(), ""));
    let endpoint = path.rsplit_once("/api/v2/").map_or(path, |(_, endpoint)| endpoint).to_owned();
    let (path, query) = (path.to_owned(), pairs(query));
    Ok(Some(StubRequest { method, endpoint, path, query, headers, body }))
}
