//! The one door to the client: every HTTP call goes through [`Http::send`],
//! which bounds it in time and size and logs target, duration and outcome.
//!
//! It knows nothing of sessions or of what an answer means, and it never logs
//! a query, a body, a header or a cookie.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, COOKIE, HeaderValue, SET_COOKIE};
use reqwest::{Url, multipart, redirect};
use tracing::debug;
use tracker_domain::error::with_causes;
use tracker_domain::ports::{ClientError, Clock};

use crate::config::{ConfigError, QbittorrentConfig};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const LISTING_BYTES: usize = 256 * 1024 * 1024;
const SMALL_BYTES: usize = 64 * 1024;

/// Names and values of a query or form.
pub(crate) type Fields = Vec<(&'static str, String)>;

/// How much may come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// A word or a few numbers.
    Small,
    /// Torrents, files or settings.
    Listing,
}

/// What goes along with a call.
#[derive(Clone)]
pub(crate) enum Payload {
    /// A GET with these in the query.
    Query(Fields),
    /// A POST with these in a form.
    Form(Fields),
    /// A POST with these and one `.torrent` file.
    Upload(Fields, Vec<u8>),
}

/// One call: which endpoint below `/api/v2/`, and with what.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) endpoint: &'static str,
    pub(crate) payload: Payload,
    pub(crate) weight: Weight,
}

/// How a call shows who it is from.
#[derive(Clone)]
pub(crate) enum Credential {
    Nothing,
    Cookie(HeaderValue),
    Key(HeaderValue),
}

/// What came back, whole.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// The cookies that were set, as `name=value; name=value`.
    pub(crate) cookie: Option<HeaderValue>,
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as trimmed text; only for short answers.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).trim().to_owned()
    }

    /// The error of an answer that says nothing about what was done.
    pub(crate) fn unclear(&self, endpoint: &str) -> ClientError {
        ClientError::Unreachable(format!("{endpoint} answered HTTP {}", self.status))
    }
}

impl Call {
    pub(crate) fn get(endpoint: &'static str, query: Fields) -> Self {
        Call { endpoint, payload: Payload::Query(query), weight: Weight::Small }
    }

    pub(crate) fn post(endpoint: &'static str, form: Fields) -> Self {
        Call { endpoint, payload: Payload::Form(form), weight: Weight::Small }
    }

    /// The same call with a long answer.
    pub(crate) fn listing(mut self) -> Self {
        self.weight = Weight::Listing;
        self
    }
}

/// The HTTP side of one client.
pub(crate) struct Http {
    client: reqwest::Client,
    base: Url,
    name: String,
    timeout: Duration,
    clock: Arc<dyn Clock>,
}

impl Http {
    pub(crate) fn new(
        config: &QbittorrentConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ConfigError> {
        let base = base_of(config)?;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT.min(config.timeout))
            .redirect(redirect::Policy::none())
            // The address is the one that was configured, whatever the environment says.
            .no_proxy()
            .gzip(true);
        if base.scheme() == "http" {
            // TLS is out of the question here: there are no redirects. Without this the
            // certificates of the system are read, and a bare container has none.
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        // A builder has no address to show.
        let client = builder.build().map_err(|error| ConfigError::Setup(with_causes(&error)))?;
        Ok(Http { client, base, name: config.name.clone(), timeout: config.timeout, clock })
    }

    /// Sends one call and reads the whole answer.
    pub(crate) async fn send(
        &self,
        call: &Call,
        credential: &Credential,
    ) -> Result<Answer, ClientError> {
        let began = self.clock.now_ms();
        let result = self.exchange(call, credential).await;
        let duration_ms = self.clock.now_ms().since(began);
        let (client, endpoint) = (self.name.as_str(), call.endpoint);
        match &result {
            Ok(answer) => {
                let (status, size_bytes) = (answer.status, answer.body.len());
                debug!(client, endpoint, duration_ms, status, size_bytes, "client call answered");
            }
            Err(error) => debug!(client, endpoint, duration_ms, %error, "client call failed"),
        }
        result.map_err(|error| ClientError::Unreachable(format!("{endpoint}: {error}")))
    }

    async fn exchange(&self, call: &Call, credential: &Credential) -> Result<Answer, CallError> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path(), call.endpoint));
        let request = match &call.payload {
            Payload::Query(query) => self.client.get(url).query(query),
            Payload::Form(form) => self.client.post(url).form(form),
            Payload::Upload(fields, file) => {
                let mut form = multipart::Form::new();
                for (name, value) in fields {
                    form = form.text(*name, value.clone());
                }
                let part = multipart::Part::bytes(file.clone()).file_name("upload.torrent");
                self.client.post(url).multipart(form.part("torrents", part))
            }
        };
        let request = match credential {
            Credential::Nothing => request,
            Credential::Cookie(cookie) => request.header(COOKIE, cookie),
            Credential::Key(bearer) => request.header(AUTHORIZATION, bearer),
        };
        let (timeout, limit) = match call.weight {
            Weight::Small => (self.timeout, SMALL_BYTES),
            Weight::Listing => (self.timeout * 2, LISTING_BYTES),
        };
        let mut response = request.timeout(timeout).send().await?;
        let status = response.status().as_u16();
        let cookie = cookie_of(&response);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > limit {
                return Err(CallError::TooLarge(limit));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer { status, body, cookie })
    }
}

/// Why there is no answer; its text has no address and no secret.
#[derive(Debug, thiserror::Error)]
enum CallError {
    #[error("no connection")]
    Connect,
    #[error("no answer in time")]
    Timeout,
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
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

/// `<url>/api/v2/`, keeping a path that a reverse proxy needs.
fn base_of(config: &QbittorrentConfig) -> Result<Url, ConfigError> {
    let refused = || ConfigError::Url { client: config.name.clone() };
    let mut url: Url = config.url.trim().parse().map_err(|_| refused())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refused());
    }
    url.set_query(None);
    url.set_fragment(None);
    let path = format!("{}/api/v2/", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

/// Whatever cookie the answer sets, name and value as sent: the name changed
/// between versions, and it holds a port that need not be the one we dial.
fn cookie_of(response: &reqwest::Response) -> Option<HeaderValue> {
    let pairs: Vec<&str> = response
        .headers()
        .get_all(SET_COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .filter_map(|text| text.split(';').next().map(str::trim))
        // An empty value takes a cookie away.
        .filter(|pair| pair.split_once('=').is_some_and(|(_, value)| !value.is_empty()))
        .collect();
    let mut cookie = HeaderValue::from_str(&pairs.join("; ")).ok().filter(|_| !pairs.is_empty())?;
    cookie.set_sensitive(true);
    Some(cookie)
}

/// The header of an API key.
pub(crate) fn bearer(config: &QbittorrentConfig) -> Result<Option<HeaderValue>, ConfigError> {
    let Some(key) = &config.api_key else { return Ok(None) };
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose().trim()))
        .map_err(|_| ConfigError::ApiKey { client: config.name.clone() })?;
    value.set_sensitive(true);
    Ok(Some(value))
}
