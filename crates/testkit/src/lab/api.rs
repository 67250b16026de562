//! A plain line to a client of the lab, for what tests set up and clean up
//! beside the adapter. It shares no code with the adapter, on purpose.

use std::io;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::LabClient;

/// A session with a client of the lab.
#[derive(Debug)]
pub struct LabApi {
    address: String,
    client: LabClient,
    /// Renewed when the client was started anew and has forgotten the session.
    cookie: Mutex<String>,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct LabReply {
    /// The status.
    pub status: u16,
    /// The head, line by line.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl LabReply {
    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl LabApi {
    /// Logs in.
    ///
    /// # Panics
    /// When the client does not let us in.
    pub async fn login(client: &LabClient) -> Self {
        let api = Self::without_session(client);
        api.open_session().await.unwrap_or_else(|error| panic!("no login to the lab: {error}"));
        api
    }

    /// Logs in with the first call.
    pub(super) fn without_session(client: &LabClient) -> Self {
        let address = client.url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        LabApi { address, client: client.clone(), cookie: Mutex::default() }
    }

    async fn open_session(&self) -> io::Result<()> {
        let form = format!(
            "username={}&password={}",
            encode(&self.client.username),
            encode(&self.client.password)
        );
        let reply = self.exchange("POST", "auth/login", &form).await?;
        let cookie = reply.head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let wanted = name.eq_ignore_ascii_case("set-cookie");
            wanted.then(|| value.split(';').next().unwrap_or_default().trim().to_owned())
        });
        let cookie =
            cookie.ok_or_else(|| io::Error::other(format!("{} {}", reply.status, reply.text())))?;
        *self.cookie.lock().unwrap_or_else(PoisonError::into_inner) = cookie;
        Ok(())
    }

    /// One call; a session that the client has forgotten is opened once more.
    async fn try_call(&self, method: &str, endpoint: &str, body: &str) -> io::Result<LabReply> {
        let reply = self.exchange(method, endpoint, body).await?;
        if reply.status != 403 {
            return Ok(reply);
        }
        self.open_session().await?;
        self.exchange(method, endpoint, body).await
    }

    async fn call(&self, method: &str, endpoint: &str, body: &str) -> LabReply {
        self.try_call(method, endpoint, body)
            .await
            .unwrap_or_else(|error| panic!("the lab's client does not answer {endpoint}: {error}"))
    }

    /// A GET below `/api/v2/`; the endpoint may carry a query.
    ///
    /// # Panics
    /// When the client does not answer.
    pub async fn get(&self, endpoint: &str) -> LabReply {
        self.call("GET", endpoint, "").await
    }

    /// A POST of a form below `/api/v2/`.
    ///
    /// # Panics
    /// When the client does not answer.
    pub async fn post(&self, endpoint: &str, fields: &[(&str, &str)]) -> LabReply {
        self.call("POST", endpoint, &form(fields)).await
    }

    /// Adds a magnet with these fields beside it.
    ///
    /// # Panics
    /// When the client does not answer.
    pub async fn add(&self, magnet: &str, fields: &[(&str, &str)]) -> LabReply {
        let mut all = vec![("urls", magnet)];
        all.extend_from_slice(fields);
        self.post("torrents/add", &all).await
    }

    /// The torrents of the client, as it lists them.
    ///
    /// # Panics
    /// When the client does not answer a list.
    pub async fn list(&self) -> Vec<Value> {
        let listed = self.try_list().await;
        listed.unwrap_or_else(|error| panic!("a client of the lab answers no list: {error}"))
    }

    pub(super) async fn try_list(&self) -> io::Result<Vec<Value>> {
        let reply = self.try_call("GET", "torrents/info", "").await?;
        Ok(serde_json::from_slice(&reply.body)?)
    }

    pub(super) async fn try_post(&self, endpoint: &str, fields: &[(&str, &str)]) -> io::Result<()> {
        self.try_call("POST", endpoint, &form(fields)).await.map(drop)
    }

    /// Removes torrents by handle, with their data.
    ///
    /// # Panics
    /// When the client does not answer.
    pub async fn delete(&self, handles: &[&str]) {
        if !handles.is_empty() {
            let hashes = handles.join("|");
            self.post("torrents/delete", &[("hashes", &hashes), ("deleteFiles", "true")]).await;
        }
    }

    /// Removes the torrents that have one of these infohashes, in whatever form.
    ///
    /// # Panics
    /// When the client does not answer.
    pub async fn delete_infohashes(&self, infohashes: &[&str]) {
        let listed = self.list().await;
        let handles: Vec<&str> = listed
            .iter()
            .filter(|one| {
                ["infohash_v1", "infohash_v2"].iter().any(|field| {
                    one[*field]
                        .as_str()
                        .is_some_and(|hash| !hash.is_empty() && infohashes.contains(&hash))
                })
            })
            .filter_map(|one| one["hash"].as_str())
            .collect();
        self.delete(&handles).await;
    }

    /// Removes every torrent. Only for a test that has a lab for itself.
    ///
    /// # Panics
    /// When the client does not answer.
    pub async fn delete_all(&self) {
        self.post("torrents/delete", &[("hashes", "all"), ("deleteFiles", "true")]).await;
    }

    async fn exchange(&self, method: &str, endpoint: &str, body: &str) -> io::Result<LabReply> {
        let cookie = self.cookie.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let head = format!(
            "{method} /api/v2/{endpoint} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
            self.address,
            cookie,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).await?;
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        read_reply(&mut stream).await
    }
}

async fn read_reply(stream: &mut TcpStream) -> io::Result<LabReply> {
    let mut raw = Vec::new();
    let head_end = loop {
        if let Some(at) = raw.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut raw).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    };
    let head = String::from_utf8_lossy(&raw[..head_end]).into_owned();
    let field = |wanted: &str| {
        head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then(|| value.trim().to_owned())
        })
    };
    let length: usize = field("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut body = raw.split_off(head_end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    Ok(LabReply { status, head, body })
}

fn form(fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
    fields.join("&")
}

/// Escapes a value of a form.
fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
