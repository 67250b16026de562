//! The one door to the Bot API: every call is bounded in time and size, and its
//! method, duration and outcome are logged.
//!
//! It never shows an address, since the token is in it, and never logs what was
//! sent or what came back, which people wrote.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::multipart::Form;
use reqwest::{RequestBuilder, Response, redirect};
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tracing::debug;
use tracker_domain::Secret;
use tracker_domain::error::with_causes;
use url::Url;

use crate::api::{BotApiConfigError, BotError, meaning};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The most of an answer that is read, unpacked: a hundred updates of full length.
const LARGEST_ANSWER: usize = 8 * 1024 * 1024;
const USER_AGENT: &str = concat!("tracker/", env!("CARGO_PKG_VERSION"));

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// What is sent.
pub(crate) enum Content {
    Json(Value),
    Form(Form),
}

/// Why there is no answer; its text has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("no connection")]
    Connect,
    #[error("no answer in time")]
    Timeout,
    #[error("the connection broke before the answer was whole")]
    Broken,
    #[error("the answer is too large")]
    TooLarge,
}

/// The HTTP side of one bot.
pub(crate) struct Door {
    client: reqwest::Client,
    base: Url,
    token: Secret,
    timeout: Duration,
}

impl Door {
    pub(crate) fn new(
        url: &Url,
        token: &Secret,
        timeout: Duration,
    ) -> Result<Self, BotApiConfigError> {
        if !is_token(token.expose()) {
            return Err(BotApiConfigError::Token);
        }
        let base = base_of(url)?;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirect would take the token along to wherever it leads.
            .redirect(redirect::Policy::none())
            // The address is the one that was configured, whatever the environment says.
            .no_proxy()
            .user_agent(USER_AGENT)
            .gzip(true);
        if base.scheme() == "http" {
            // TLS is out of the question here. Without this the certificates of the
            // system are read, and a bare container has none.
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        // A builder has no address to show.
        let client =
            builder.build().map_err(|error| BotApiConfigError::Setup(with_causes(&error)))?;
        Ok(Door { client, base, token: token.clone(), timeout })
    }

    /// Calls a method, which may let itself this much more time than usual.
    ///
    /// # Errors
    /// What the Bot API says, or why it says nothing.
    pub(crate) async fn call(
        &self,
        method: &'static str,
        content: Content,
        patience: Duration,
    ) -> Result<Value, BotError> {
        let request = self.client.post(self.address("", method));
        let request = match content {
            Content::Json(json) => request
                .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
                .body(json.to_string()),
            Content::Form(form) => request.multipart(form),
        };
        let limit = self.timeout.saturating_add(patience);
        meaning(self.exchange(method, request, limit, LARGEST_ANSWER).await)
    }

    /// Fetches a file of at most this many bytes.
    ///
    /// # Errors
    /// Why it was not fetched.
    pub(crate) async fn fetch(&self, path: &str, most: usize) -> Result<Vec<u8>, BotError> {
        let request = self.client.get(self.address("file/", path));
        match self.exchange("file", request, self.timeout, most).await {
            Ok(answer) if answer.status == 200 => Ok(answer.body),
            Err(CallError::TooLarge) => Err(BotError::FileTooBig),
            Ok(Answer { status: 404, .. }) => {
                Err(BotError::BadRequest("the file is not there any more".to_owned()))
            }
            other => meaning(other).and(Err(BotError::Unreadable("a file was expected"))),
        }
    }

    fn address(&self, front: &str, route: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}{front}bot{}/{route}", self.base.path(), self.token.expose());
        url.set_path(&path);
        url
    }

    async fn exchange(
        &self,
        method: &str,
        request: RequestBuilder,
        limit: Duration,
        most: usize,
    ) -> Result<Answer, CallError> {
        let began = Instant::now();
        let whole = async { read(request.send().await?, most).await };
        let result = timeout(limit, whole).await.unwrap_or(Err(CallError::Timeout));
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let host = self.base.host_str().unwrap_or_default();
        match &result {
            Ok(Answer { status, .. }) => {
                debug!(host, method, duration_ms, status, "bot call answered");
            }
            Err(error) => debug!(host, method, duration_ms, %error, "bot call failed"),
        }
        result
    }
}

async fn read(mut response: Response, most: usize) -> Result<Answer, CallError> {
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after = retry_after.map(str::to_owned);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > most {
            return Err(CallError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, retry_after, body })
}

impl From<reqwest::Error> for CallError {
    /// The error itself goes no further: it would show the address.
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

/// Whether it is of the form of a token. Then it stays one part of a path.
fn is_token(text: &str) -> bool {
    let Some((number, secret)) = text.split_once(':') else { return false };
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && !secret.is_empty()
        && secret.bytes().all(sign)
}

/// The address below which the bots are, with a `/` at its end.
fn base_of(url: &Url) -> Result<Url, BotApiConfigError> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(BotApiConfigError::Url);
    }
    let mut base = url.clone();
    base.set_query(None);
    base.set_fragment(None);
    let path = format!("{}/", base.path().trim_end_matches('/'));
    base.set_path(&path);
    Ok(base)
}
