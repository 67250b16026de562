//! The one door to a source: every HTTP call goes through [`Http::get`], which
//! bounds it in time and size and logs target, duration and outcome.
//!
//! It knows nothing of limits or of what an answer means, and it never logs a
//! query, a body or a header.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Response, redirect};
use tokio::time::{Instant, timeout_at};
use tracing::debug;
use tracker_domain::Secret;
use tracker_domain::error::with_causes;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::Clock;
use url::Url;

use crate::config::MetadataConfigError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The most of a body that is read, unpacked.
pub(crate) const LARGEST_BODY: usize = 2 * 1024 * 1024;
/// A lookup of TVmaze needs one.
pub(crate) const REDIRECTS: usize = 3;
const USER_AGENT: &str = concat!("tracker/", env!("CARGO_PKG_VERSION"));

/// Names and values of a query.
pub(crate) type Fields = Vec<(&'static str, String)>;

/// One question: which route below the base, and with what.
pub(crate) struct Call {
    pub(crate) route: String,
    pub(crate) query: Fields,
}

/// How a call shows who it is from.
pub(crate) enum Credential {
    Nothing,
    Bearer(HeaderValue),
    Key(Secret),
}

/// What came back. There is a body only where the status is a success.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// Why there is no answer; its text has no address and no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("no connection")]
    Connect,
    #[error("no answer in time")]
    Timeout,
    #[error("the connection broke before the answer was whole")]
    Broken,
    #[error("it redirects to another host, or in a circle; check the url and any proxy on the way")]
    Elsewhere,
    #[error("the answer is no JSON; check the url and any proxy on the way")]
    NoJson,
    #[error("the answer has more than {LARGEST_BODY} bytes")]
    TooLarge,
}

/// The HTTP side of one source.
pub(crate) struct Http {
    client: reqwest::Client,
    base: Url,
    provider: Provider,
    credential: Credential,
    clock: Arc<dyn Clock>,
}

impl Http {
    pub(crate) fn new(
        provider: Provider,
        url: Option<Url>,
        default: &str,
        credential: Credential,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, MetadataConfigError> {
        let base = base_of(provider, url, default)?;
        let client = client_for(&base)?;
        Ok(Http { client, base, provider, credential, clock })
    }

    /// Asks once and reads the whole answer, by this moment at the latest.
    pub(crate) async fn get(&self, call: &Call, until: Instant) -> Result<Answer, CallError> {
        let began = self.clock.now_ms();
        let result =
            timeout_at(until, self.exchange(call)).await.unwrap_or(Err(CallError::Timeout));
        let duration_ms = self.clock.now_ms().since(began);
        let (provider, route) = (self.provider.as_str(), call.route.as_str());
        let host = self.base.host_str().unwrap_or_default();
        match &result {
            Ok(answer) => {
                let (status, size_bytes) = (answer.status, answer.body.len());
                debug!(
                    provider,
                    host, route, duration_ms, status, size_bytes, "metadata call answered"
                );
            }
            Err(error) => {
                debug!(provider, host, route, duration_ms, %error, "metadata call failed");
            }
        }
        result
    }

    async fn exchange(&self, call: &Call) -> Result<Answer, CallError> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path(), call.route));
        url.query_pairs_mut().extend_pairs(&call.query);
        if let Credential::Key(key) = &self.credential {
            url.query_pairs_mut().append_pair("api_key", key.expose());
        }
        for _ in 0..=REDIRECTS {
            let mut request = self.client.get(url.clone()).header(ACCEPT, "application/json");
            if let Credential::Bearer(bearer) = &self.credential {
                request = request.header(AUTHORIZATION, bearer);
            }
            let response = request.send().await?;
            match redirected(&response, &url)? {
                Some(next) => url = next,
                None => return read(response).await,
            }
        }
        Err(CallError::Elsewhere)
    }
}

/// A client that follows nothing by itself and asks at the configured address alone.
pub(crate) fn client_for(base: &Url) -> Result<reqwest::Client, MetadataConfigError> {
    let mut builder = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        // They are followed here, within the host alone.
        .redirect(redirect::Policy::none())
        // The address is the one that was configured, whatever the environment says.
        .no_proxy()
        .user_agent(USER_AGENT)
        .gzip(true);
    if base.scheme() == "http" {
        // TLS is out of the question here: redirects keep the scheme. Without this the
        // certificates of the system are read, and a bare container has none.
        builder = builder.tls_danger_accept_invalid_certs(true);
    }
    // A builder has no address to show.
    builder.build().map_err(|error| MetadataConfigError::Setup(with_causes(&error)))
}

/// Where a redirect leads, which has to be the host that was asked.
pub(crate) fn redirected(response: &Response, asked: &Url) -> Result<Option<Url>, CallError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let next = location.and_then(|text| asked.join(text).ok()).ok_or(CallError::Elsewhere)?;
    if next.origin() == asked.origin() { Ok(Some(next)) } else { Err(CallError::Elsewhere) }
}

async fn read(mut response: Response) -> Result<Answer, CallError> {
    let status = response.status().as_u16();
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let retry_after = header(RETRY_AFTER).map(str::to_owned);
    let mut body = Vec::new();
    if response.status().is_success() {
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

/// The address below which the routes are, with a `/` at its end.
pub(crate) fn base_of(
    provider: Provider,
    url: Option<Url>,
    default: &str,
) -> Result<Url, MetadataConfigError> {
    let refused = || MetadataConfigError::Url { provider };
    let mut url = match url {
        Some(url) => url,
        None => default.parse().map_err(|_| refused())?,
    };
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refused());
    }
    url.set_query(None);
    url.set_fragment(None);
    let path = format!("{}/", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

/// How TMDB is shown a token: a read token of v4 has points in it and goes into
/// a header, a key of v3 can only go into the query.
pub(crate) fn tmdb_credential(token: &Secret) -> Result<Credential, MetadataConfigError> {
    let text = token.expose().trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(MetadataConfigError::Token);
    }
    if !text.contains('.') {
        return Ok(Credential::Key(Secret::new(text)));
    }
    let mut bearer =
        HeaderValue::from_str(&format!("Bearer {text}")).map_err(|_| MetadataConfigError::Token)?;
    bearer.set_sensitive(true);
    Ok(Credential::Bearer(bearer))
}
