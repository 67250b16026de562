//! The one door to a receiver: every call is bounded in time and size, and its
//! target, duration and outcome are logged.
//!
//! It never logs a path, a query, a body or a header: what makes such an address
//! hard to guess is its secret.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::redirect;
use tokio::time::{Instant, timeout};
use tracing::debug;
use tracker_domain::Timestamp;
use tracker_domain::error::with_causes;
use tracker_domain::ports::{Notice, Notifier, NotifyError};
use url::Url;

use crate::config::{LONGEST_CALL, WebhookConfig, WebhookConfigError};
use crate::form::Form;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const USER_AGENT: &str = concat!("tracker/", env!("CARGO_PKG_VERSION"));

/// Why there is no answer; its text has no address and no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum CallError {
    #[error("no connection")]
    Connect,
    #[error("no answer in time")]
    Timeout,
    #[error("the connection broke before the answer")]
    Broken,
}

/// A receiver of messages over HTTP.
pub struct Webhook {
    name: String,
    client: reqwest::Client,
    url: Url,
    form: Form,
    timeout: Duration,
}

impl Webhook {
    /// Checks the configuration; calls nobody yet.
    ///
    /// # Errors
    /// When the address or the secret cannot be used, or TLS cannot be set up.
    pub fn new(config: &WebhookConfig) -> Result<Self, WebhookConfigError> {
        if !matches!(config.url.scheme(), "http" | "https") || !config.url.has_host() {
            return Err(WebhookConfigError::Url);
        }
        let form = Form::new(config.kind, config.secret.as_ref())?;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirect could lead anywhere, into this machine's own network as well.
            .redirect(redirect::Policy::none())
            // The address is the one that was configured, whatever the environment says.
            .no_proxy()
            .user_agent(USER_AGENT);
        if config.url.scheme() == "http" {
            // TLS is out of the question here. Without this the certificates of the
            // system are read, and a bare container has none.
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        // A builder has no address to show.
        let client =
            builder.build().map_err(|error| WebhookConfigError::Setup(with_causes(&error)))?;
        Ok(Webhook {
            name: config.name.clone(),
            client,
            url: form.address(&config.url),
            form,
            timeout: config.timeout.min(LONGEST_CALL),
        })
    }

    #[cfg(test)]
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    async fn exchange(&self, notice: &Notice, now: Timestamp) -> Result<u16, CallError> {
        let (headers, body) = self.form.message(notice, now);
        let request = self.client.post(self.url.clone()).headers(headers).body(body);
        // The status says all; what the body says is not read.
        Ok(request.send().await?.status().as_u16())
    }
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl Notifier for Webhook {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &'static str {
        self.form.kind().as_str()
    }

    async fn send(&self, notice: &Notice, now: Timestamp) -> Result<(), NotifyError> {
        let began = Instant::now();
        let result = timeout(self.timeout, self.exchange(notice, now))
            .await
            .unwrap_or(Err(CallError::Timeout));
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (consumer, host) = (self.name.as_str(), self.url.host_str().unwrap_or_default());
        match &result {
            Ok(status) => debug!(consumer, host, duration_ms, status, "webhook call answered"),
            Err(error) => debug!(consumer, host, duration_ms, %error, "webhook call failed"),
        }
        meaning(result)
    }
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

/// What the end of a call means to who sent it.
fn meaning(result: Result<u16, CallError>) -> Result<(), NotifyError> {
    let status = result.map_err(|error| NotifyError::Unreachable(error.to_string()))?;
    match status {
        200..=299 => Ok(()),
        300..=399 => Err(NotifyError::Refused(
            "it redirects to another address, which is not followed; set url to that one"
                .to_owned(),
        )),
        401 | 403 => Err(NotifyError::Refused(format!("HTTP {status}; check the secret"))),
        408 | 429 | 500..=599 => Err(NotifyError::Unreachable(format!("HTTP {status}"))),
        _ => Err(NotifyError::Refused(format!("HTTP {status}; check the url and the kind"))),
    }
}
