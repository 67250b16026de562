//! `[[notify]]`: who is told.

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::reader::Section;
use super::values::{duration, duration_text, url};
use tracker_domain::Secret;
use tracker_domain::notify::{EventPattern, ParsePatternError, QuietHours};
use tracker_telegram::Notices;

/// How a receiver is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotifyKind {
    /// Our own JSON, signed.
    Webhook,
    /// The topic of an ntfy server.
    Ntfy,
    /// A Gotify server.
    Gotify,
    /// An Apprise API server.
    Apprise,
}

/// One that is told.
#[derive(Clone, PartialEq, Eq)]
pub struct Notify {
    /// Its name; unique.
    pub name: String,
    /// What it takes.
    pub kind: NotifyKind,
    /// Its address.
    pub url: Url,
    /// What a call is signed with, or the access token.
    pub secret: Option<Secret>,
    /// What it is told, and when; no events are all.
    pub told: Told,
}

/// What a receiver is told, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Which events.
    pub events: Vec<EventPattern>,
    /// When nothing is sent.
    pub quiet: Option<QuietHours>,
    /// How long a message about an episode waits for more of its season.
    pub group: Duration,
}

impl Told {
    /// Reads its keys of a section; `events` hold where none are named.
    pub(super) fn from_source(section: &mut Section<'_, '_>, events: Vec<EventPattern>) -> Self {
        Told {
            events: section.list(
                "events",
                events,
                |event: &EventPattern| Value::String(event.as_str().to_owned()),
                |text| text.parse().map_err(|error: ParsePatternError| error.to_string()),
            ),
            quiet: section.optional("quiet", ToString::to_string, |text| {
                text.parse::<QuietHours>().map_err(|error| error.to_string())
            }),
            group: section.parsed(
                "group",
                Duration::from_secs(30),
                |group| duration_text(*group),
                duration,
            ),
        }
    }
}

impl std::fmt::Debug for Notify {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Notify")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("url", &without_secrets(&self.url))
            .field("secret", &self.secret)
            .field("told", &self.told)
            .finish()
    }
}

/// Path and query of such an address often are its secret.
fn without_secrets(url: &Url) -> String {
    format!("{}://{}/…", url.scheme(), url.host_str().unwrap_or_default())
}

impl Notify {
    pub(super) fn from_source(name: &str, mut section: Section<'_, '_>) -> Option<Self> {
        if name == Notices::NAME {
            section.complain("name", "the bot of [telegram] has this name; choose another one");
        }
        let kind = section.word(
            "kind",
            NotifyKind::Webhook,
            &[
                ("webhook", NotifyKind::Webhook),
                ("ntfy", NotifyKind::Ntfy),
                ("gotify", NotifyKind::Gotify),
                ("apprise", NotifyKind::Apprise),
            ],
        );
        let address =
            section.required("url", "write the address that is called", without_secrets, |text| {
                url(text, &["http", "https"])
            });
        let secret = section.secret("secret");
        if secret.is_none() && kind == NotifyKind::Gotify {
            section.complain(
                "secret",
                "the value is missing; write the token of an application, made in Gotify",
            );
        }
        let told = Told::from_source(&mut section, Vec::new());
        Some(Notify { name: name.to_owned(), kind, url: address?, secret, told })
    }
}
