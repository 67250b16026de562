//! The one door to a media server: every HTTP call goes through [`Http`], which
//! bounds it in time and size and logs target, duration and outcome.
//!
//! It never logs a query, a body or a header: paths are people's own affair, and
//! the token is in a header.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Response, redirect};
use tokio::time::{Instant, timeout};
use tracing::debug;
use tracker_domain::error::with_causes;
use tracker_domain::ports::MediaServerError;
use url::Url;

use crate::config::{LONGEST_CALL, MediaServerConfigError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The most of a body that is read, unpacked.
pub(crate) const LARGEST_BODY: usize = 2 * 1024 * 1024;
const USER_AGENT: &str = concat!("tracker/", env!("CARGO_PKG_VERSION"));

/// Where the server does not say how long to wait, or not in seconds.
const UNSAID_MS: u64 = 60_000;
const SHORTEST_MS: u64 = 1000;
const LONGEST_MS: u64 = 3600 * 1000;

/// Why there is no answer; its text has no address and no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum CallError {
    #[error("no connection")]
    Connect,
    #[error("no answer in time")]
    Timeout,
    #[error("the connection broke before the answer was whole")]
    Broken,
    #[error("the answer is no JSON; check the url and any proxy on the way")]
    NoJson,
    #[error("the answer has more than {LARGEST_BODY} bytes")]
    TooLarge,
}

/// What came back. There is a body only where one was wanted of a success.
struct Answer {
    status: u16,
    retry_after: Option<String>,
    body: Vec<u8>,
}

/// One request below the base.
struct Call<'a> {
    method: Method,
    route: &'a str,
    query: &'a [(&'a str, &'a str)],
    json: Option<String>,
    /// Whether the answer has something to read.
    wants_body: bool,
}

/// The HTTP side of one media server.
pub(crate) struct Http {
    client: reqwest::Client,
    base: Url,
    server: String,
    token: Option<(HeaderName, HeaderValue)>,
    timeout: Duration,
}

impl Http {
    pub(crate) fn new(
        server: &str,
        url: &Url,
        token: Option<(HeaderName, HeaderValue)>,
        timeout: Duration,
    ) -> Result<Self, MediaServerConfigError> {
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
            builder.build().map_err(|error| MediaServerConfigError::Setup(with_causes(&error)))?;
        let timeout = timeout.min(LONGEST_CALL);
        Ok(Http { client, base, server: server.to_owned(), token, timeout })
    }

    /// Reads a JSON answer.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) async fn read(&self, route: &str) -> Result<Vec<u8>, MediaServerError> {
        let method = Method::GET;
        self.ask(Call { method, route, query: &[], json: None, wants_body: true }).await
    }

    /// Sets something off by a GET; what the answer says beyond its status is not read.
    ///
    /// # Errors
    /// Why it is not known to have been set off.
    pub(crate) async fn trigger(
        &self,
        route: &str,
        query: &[(&str, &str)],
    ) -> Result<(), MediaServerError> {
        let method = Method::GET;
        self.ask(Call { method, route, query, json: None, wants_body: false }).await?;
        Ok(())
    }

    /// Sends JSON; what the answer says beyond its status is not read.
    ///
    /// # Errors
    /// Why it is not known to have arrived.
    pub(crate) async fn tell(&self, route: &str, json: String) -> Result<(), MediaServerError> {
        let method = Method::POST;
        self.ask(Call { method, route, query: &[], json: Some(json), wants_body: false }).await?;
        Ok(())
    }

    async fn ask(&self, call: Call<'_>) -> Result<Vec<u8>, MediaServerError> {
        let route = call.route;
        let began = Instant::now();
        let result =
            timeout(self.timeout, self.exchange(&call)).await.unwrap_or(Err(CallError::Timeout));
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (server, host) = (self.server.as_str(), self.base.host_str().unwrap_or_default());
        match &result {
            Ok(Answer { status, .. }) => {
                debug!(server, host, route, duration_ms, status, "media server call answered");
            }
            Err(error) => {
                debug!(server, host, route, duration_ms, %error, "media server call failed");
            }
        }
        meaning(route, result)
    }

    async fn exchange(&self, call: &Call<'_>) -> Result<Answer, CallError> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path(), call.route));
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(call.query);
        }
        let mut request =
            self.client.request(call.method.clone(), url).header(ACCEPT, "application/json");
        if let Some((name, value)) = &self.token {
            request = request.header(name, value);
        }
        if let Some(json) = &call.json {
            request = request.header(CONTENT_TYPE, "application/json").body(json.clone());
        }
        read(request.send().await?, call.wants_body).await
    }
}

async fn read(mut response: Response, wants_body: bool) -> Result<Answer, CallError> {
    let status = response.status().as_u16();
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let retry_after = header(RETRY_AFTER).map(str::to_owned);
    let mut body = Vec::new();
    if wants_body && response.status().is_success() {
        if header(CONTENT_TYPE).is_some_and(|kind| !kind.to_ascii_lowercase().contains("json")) {
            return Err(CallError::NoJson);
        }
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > LARGEST_BODY {
                return Err(CallError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
    }
    Ok(Answer { status, retry_after, body })
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

/// What the end of a call means to who asked.
fn meaning(route: &str, result: Result<Answer, CallError>) -> Result<Vec<u8>, MediaServerError> {
    let unreadable = |why: &str| MediaServerError::Unreadable(format!("{route}: {why}"));
    let answer = result.map_err(|error| match error {
        CallError::NoJson | CallError::TooLarge => unreadable(&error.to_string()),
        CallError::Connect | CallError::Timeout | CallError::Broken => {
            MediaServerError::Unreachable(format!("{route}: {error}"))
        }
    })?;
    Err(match answer.status {
        200..=299 => return Ok(answer.body),
        300..=399 => unreadable("it redirects to another address; set url to that one"),
        status @ (401 | 403) => MediaServerError::Denied(format!("{route}: HTTP {status}")),
        429 => MediaServerError::Limited { retry_after_ms: wait_ms(answer.retry_after.as_deref()) },
        status @ 500..=599 => MediaServerError::Unreachable(format!("{route}: HTTP {status}")),
        status => unreadable(&format!("HTTP {status}; check the url and the kind")),
    })
}

/// `Retry-After` in seconds, between a second and an hour. A media server at home
/// sends no dates.
fn wait_ms(header: Option<&str>) -> u64 {
    let digits = header
        .map(str::trim)
        .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    digits.map_or(UNSAID_MS, |text| {
        // More digits than a number has are a long time.
        let seconds = text.parse::<u64>().unwrap_or(u64::MAX);
        seconds.saturating_mul(1000).clamp(SHORTEST_MS, LONGEST_MS)
    })
}

/// The address below which the routes are, with a `/` at its end.
fn base_of(url: &Url) -> Result<Url, MediaServerConfigError> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(MediaServerConfigError::Url);
    }
    let mut base = url.clone();
    base.set_query(None);
    base.set_fragment(None);
    let path = format!("{}/", base.path().trim_end_matches('/'));
    base.set_path(&path);
    Ok(base)
}

/// A header with a token in it, which no debug output shows.
pub(crate) fn secret_header(text: &str) -> Result<HeaderValue, MediaServerConfigError> {
    let mut value = HeaderValue::from_str(text).map_err(|_| MediaServerConfigError::Token)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_retry_after_is_held_within_bounds() {
        tracker_testkit::spec!("media-servers#calls-are-bounded/a-server-that-limits");
        let table = [
            (Some(" 90 "), 90_000),
            (Some("0"), 1000),
            (Some("99999999999999999999999999"), 3_600_000),
            (Some("Sun, 06 Nov 1994 08:49:37 GMT"), 60_000),
            (Some("-5"), 60_000),
            (Some(""), 60_000),
            (None, 60_000),
        ];
        for (header, wait) in table {
            assert_eq!(wait_ms(header), wait, "{header:?}");
        }
    }
}
