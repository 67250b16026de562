//! The one door to a daemon: every call is bounded in time and size, and
//! logged with target, duration and outcome, never with a token or a body.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, StatusCode, Url, redirect};
use tokio::time::Instant;
use tracing::debug;

use crate::failure::ApiFailure;
use crate::target::Token;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A daemon may ask a slow client before it answers.
const TIMEOUT: Duration = Duration::from_secs(90);
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
const LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// Names and values of a query.
pub(crate) type Fields = Vec<(&'static str, String)>;

/// What goes along with a call.
pub(crate) enum Payload {
    Nothing,
    Json(Vec<u8>),
    Torrent(Vec<u8>),
}

/// What came back, whole.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Vec<u8>,
}

/// A daemon and how to reach it.
pub(crate) struct Caller {
    client: reqwest::Client,
    base: Url,
    token: Option<HeaderValue>,
}

impl Caller {
    /// `nearby` is a daemon on this machine, which no proxy of the environment
    /// can stand in front of.
    pub(crate) fn new(base: &str, token: Option<&Token>, nearby: bool) -> Result<Self, ApiFailure> {
        let base = base_of(base)?;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirect would carry the token to an address that nobody named.
            .redirect(redirect::Policy::none());
        if nearby {
            builder = builder.no_proxy();
        }
        if base.scheme() == "http" {
            // TLS is out of the question here: there are no redirects. Without this the
            // certificates of the system are read, and a bare container has none.
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        let client = builder.build().map_err(|error| {
            ApiFailure::failed(format!("HTTP cannot be set up: {}", error.without_url()))
        })?;
        let token = token.map(header).transpose()?;
        Ok(Caller { client, base, token })
    }

    /// The address without what stands behind the host.
    pub(crate) fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// Whether a token goes along with each call.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether the daemon says that it is alive.
    pub(crate) async fn is_alive(&self) -> bool {
        let call = self.exchange(Method::GET, "healthz", &[], Payload::Nothing);
        let answer = tokio::time::timeout(PROBE_TIMEOUT, call).await;
        answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status.is_success()))
    }

    /// One call to a path below the base, such as `api/v1/downloads`.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        query: &[(&'static str, String)],
        payload: Payload,
    ) -> Result<Answer, ApiFailure> {
        let host = self.base.host_str().unwrap_or_default().to_owned();
        let began = Instant::now();
        let result = self.exchange(method, path, query, payload).await;
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        match &result {
            Ok(answer) => {
                let (status, size_bytes) = (answer.status.as_u16(), answer.body.len());
                debug!(host, path, duration_ms, status, size_bytes, "daemon call answered");
            }
            Err(error) => debug!(host, path, duration_ms, %error, "daemon call failed"),
        }
        result.map_err(|error| {
            ApiFailure::unreachable(format!(
                "the daemon at {} does not answer: {error}",
                self.address()
            ))
        })
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        query: &[(&'static str, String)],
        payload: Payload,
    ) -> Result<Answer, CallError> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        let mut request = self.client.request(method, url).query(query).timeout(TIMEOUT);
        request = request.header(ACCEPT, "application/json, application/problem+json");
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token);
        }
        request = match payload {
            Payload::Nothing => request,
            Payload::Json(body) => request.header(CONTENT_TYPE, "application/json").body(body),
            Payload::Torrent(body) => {
                request.header(CONTENT_TYPE, "application/x-bittorrent").body(body)
            }
        };
        let mut response = request.send().await?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > LIMIT_BYTES {
                return Err(CallError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer { status, body })
    }
}

/// Why there is no answer; its text has no address and no secret.
#[derive(Debug, thiserror::Error)]
enum CallError {
    #[error("no connection")]
    Connect,
    #[error("no answer in time")]
    Timeout,
    #[error("the answer has more than {LIMIT_BYTES} bytes")]
    TooLarge,
    #[error("the connection broke before the answer was whole")]
    Broken,
}

impl From<reqwest::Error> for CallError {
    fn from(error: reqwest::Error) -> Self {
        // A connection that is not made in time is both; the connection is the better word.
        if error.is_connect() {
            CallError::Connect
        } else if error.is_timeout() {
            CallError::Timeout
        } else {
            CallError::Broken
        }
    }
}

/// The address with a slash at the end, keeping a path that a proxy needs.
fn base_of(text: &str) -> Result<Url, ApiFailure> {
    let refused = || {
        ApiFailure::usage(format!(
            "{text:?} is not the address of a daemon; write one such as http://127.0.0.1:8466"
        ))
    };
    let mut url: Url = text.trim().parse().map_err(|_| refused())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refused());
    }
    url.set_query(None);
    url.set_fragment(None);
    let path = format!("{}/", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

fn header(token: &Token) -> Result<HeaderValue, ApiFailure> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose()))
        .map_err(|_| ApiFailure::usage("the token has characters that no token has"))?;
    value.set_sensitive(true);
    Ok(value)
}
