//! As much of HTTP as the play needs; each connection carries one request.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tracker_domain::metadata::Provider;

use super::tmdb::PICTURES;
use crate::query::pairs;

/// One request that came in.
#[derive(Clone, Debug)]
pub struct MetadataRequest {
    /// Whom it was for.
    pub provider: Provider,
    /// Below the base, such as `search/movie`.
    pub route: String,
    /// Names and values of the query, decoded.
    pub query: Vec<(String, String)>,
    /// Header names in lower case, and values.
    pub headers: Vec<(String, String)>,
}

/// An answer of any kind.
#[derive(Clone, Debug)]
pub struct StubAnswer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) cut_at: Option<usize>,
    pub(crate) endless: bool,
}

impl MetadataRequest {
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

impl StubAnswer {
    /// JSON, or what is said to be it.
    #[must_use]
    pub fn json(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::of_kind(status, "application/json; charset=utf-8", body)
    }

    /// A body of any kind.
    #[must_use]
    pub fn of_kind(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
        StubAnswer { status, headers, body: body.into(), cut_at: None, endless: false }
    }

    /// A redirect.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self::json(302, "").header("Location", to)
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

    /// Sends the body again and again, without an end.
    #[must_use]
    pub fn endless(mut self) -> Self {
        self.endless = true;
        self
    }
}

pub(super) async fn read_request(stream: &mut TcpStream) -> io::Result<Option<MetadataRequest>> {
    let mut raw = Vec::new();
    while !raw.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut raw).await? == 0 {
            return Ok(None);
        }
    }
    let head = String::from_utf8_lossy(&raw);
    let mut lines = head.split("\r\n");
    let target = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (provider, route) = match (path.strip_prefix("/3/"), path.strip_prefix("/tvmaze/")) {
        (Some(route), _) => (Provider::Tmdb, route),
        (_, Some(route)) => (Provider::Tvmaze, route),
        // Its pictures are beside it.
        _ => match path.strip_prefix('/') {
            Some(route) if route.starts_with(PICTURES) => (Provider::Tmdb, route),
            _ => return Ok(None),
        },
    };
    Ok(Some(MetadataRequest {
        provider,
        route: route.to_owned(),
        query: pairs(query),
        headers: lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect(),
    }))
}

pub(crate) async fn write_answer(stream: &mut TcpStream, answer: &StubAnswer) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {} Played\r\nConnection: close\r\n", answer.status);
    if !answer.endless {
        head.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await?;
    while answer.endless && !answer.body.is_empty() {
        // It ends when the other side hangs up.
        stream.write_all(&answer.body).await?;
    }
    let end = answer.cut_at.unwrap_or(answer.body.len()).min(answer.body.len());
    stream.write_all(&answer.body[..end]).await?;
    stream.shutdown().await
}
