//! What the adapter is told about its receiver.

use std::time::Duration;

use tracker_domain::Secret;
use url::Url;

/// The longest that one call may take: the promise of the port.
pub const LONGEST_CALL: Duration = Duration::from_secs(8);

/// Which form a receiver takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookKind {
    /// Our own JSON, signed.
    Webhook,
    /// The topic of an ntfy server.
    Ntfy,
    /// A Gotify server.
    Gotify,
    /// An Apprise API server.
    Apprise,
}

impl WebhookKind {
    /// The word of the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WebhookKind::Webhook => "webhook",
            WebhookKind::Ntfy => "ntfy",
            WebhookKind::Gotify => "gotify",
            WebhookKind::Apprise => "apprise",
        }
    }
}

/// Everything the adapter needs to know.
#[derive(Clone)]
pub struct WebhookConfig {
    /// Its name, for people.
    pub name: String,
    /// What the receiver takes.
    pub kind: WebhookKind,
    /// The address that is called, as a whole. It may hold a secret.
    pub url: Url,
    /// What a call is signed with; the access token for the others.
    pub secret: Option<Secret>,
    /// How long one call may take; more than [`LONGEST_CALL`] is cut to it.
    pub timeout: Duration,
}

impl std::fmt::Debug for WebhookConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Path, query and userinfo of such an address often are the secret.
        f.debug_struct("WebhookConfig")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("host", &self.url.host_str())
            .field("secret", &self.secret)
            .finish_non_exhaustive()
    }
}

/// Why a configuration cannot be used. The text has no address and no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookConfigError {
    /// The address is none.
    #[error("the url is not an http or https address")]
    Url,
    /// The token cannot be sent, or there has to be one.
    #[error("the secret is missing or has characters that no access token has")]
    Secret,
    /// TLS cannot be set up on this machine.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
}
