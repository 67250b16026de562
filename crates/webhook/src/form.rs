//! The body and the headers that each kind of receiver takes.

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tracker_domain::ports::Notice;
use tracker_domain::{Secret, Timestamp};
use url::Url;

use crate::config::{WebhookConfigError, WebhookKind};
use crate::sign::signature;

const TIMESTAMP: HeaderName = HeaderName::from_static("x-tracker-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("x-tracker-signature");
const EVENT: HeaderName = HeaderName::from_static("x-tracker-event");
const DELIVERY: HeaderName = HeaderName::from_static("x-tracker-delivery");
const GOTIFY_KEY: HeaderName = HeaderName::from_static("x-gotify-key");

/// How a receiver is spoken to.
pub(crate) struct Form {
    kind: WebhookKind,
    /// What our own kind is signed with.
    key: Option<Secret>,
    /// The access token of the others.
    token: Option<(HeaderName, HeaderValue)>,
}

impl Form {
    pub(crate) fn new(
        kind: WebhookKind,
        secret: Option<&Secret>,
    ) -> Result<Self, WebhookConfigError> {
        let secret = secret.filter(|secret| !secret.expose().is_empty());
        let token = match (kind, secret) {
            (WebhookKind::Gotify, None) => return Err(WebhookConfigError::Secret),
            (WebhookKind::Gotify, Some(token)) => Some((GOTIFY_KEY, sensitive(token.expose())?)),
            (WebhookKind::Ntfy | WebhookKind::Apprise, Some(token)) => {
                Some((AUTHORIZATION, sensitive(&format!("Bearer {}", token.expose()))?))
            }
            (WebhookKind::Webhook, _) | (_, None) => None,
        };
        let key = (kind == WebhookKind::Webhook).then(|| secret.cloned()).flatten();
        Ok(Form { kind, key, token })
    }

    pub(crate) fn kind(&self) -> WebhookKind {
        self.kind
    }

    /// The address that is called: that of the configuration, and for the servers
    /// that have one fixed route, that route below it.
    pub(crate) fn address(&self, url: &Url) -> Url {
        let mut url = url.clone();
        if self.kind == WebhookKind::Gotify {
            let path = format!("{}/message", url.path().trim_end_matches('/'));
            url.set_path(&path);
        }
        url
    }

    /// Headers and body of one message.
    pub(crate) fn message(&self, notice: &Notice, now: Timestamp) -> (HeaderMap, Vec<u8>) {
        let mut headers = HeaderMap::new();
        let body = match self.kind {
            WebhookKind::Webhook => own(notice),
            WebhookKind::Ntfy => return self.ntfy(notice),
            WebhookKind::Gotify => json!({
                "title": title(notice),
                "message": notice.message,
                "priority": if is_bad(notice) { 8 } else { 4 },
            }),
            WebhookKind::Apprise => json!({
                "title": title(notice),
                "body": notice.message,
                "type": if is_bad(notice) { "warning" } else { "info" },
            }),
        };
        let body = body.to_string().into_bytes();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        if self.kind == WebhookKind::Webhook {
            put(&mut headers, EVENT, notice.kind.as_str());
            put(&mut headers, DELIVERY, &notice.first.to_string());
            put(&mut headers, TIMESTAMP, &now.unix().to_string());
            if let Some(key) = &self.key {
                put(&mut headers, SIGNATURE, &signature(key.expose(), now.unix(), &body));
            }
        }
        if let Some((name, value)) = &self.token {
            headers.insert(name.clone(), value.clone());
        }
        (headers, body)
    }

    /// ntfy takes the text as the body; its headers take no other letters than ASCII,
    /// so the name stands in the text.
    fn ntfy(&self, notice: &Notice) -> (HeaderMap, Vec<u8>) {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("text/plain; charset=utf-8"));
        put(&mut headers, HeaderName::from_static("title"), notice.kind.as_str());
        if is_bad(notice) {
            put(&mut headers, HeaderName::from_static("priority"), "high");
        }
        if let Some((name, value)) = &self.token {
            headers.insert(name.clone(), value.clone());
        }
        let text = match &notice.name {
            Some(name) => format!("{name}: {}", notice.message),
            None => notice.message.clone(),
        };
        (headers, text.into_bytes())
    }
}

/// Our own form.
fn own(notice: &Notice) -> Value {
    let events: Vec<String> = notice.events().map(|id| id.to_string()).collect();
    json!({
        "id": notice.first.to_string(),
        "type": notice.kind.as_str(),
        "created_at": notice.at.to_string(),
        "entity": notice.entity.map(|(kind, id)| json!({
            "kind": kind.as_str(),
            "id": id.to_string(),
        })),
        "download_id": notice.download_id.map(|id| id.to_string()),
        "name": notice.name,
        "message": notice.message,
        "events": events,
    })
}

fn title(notice: &Notice) -> String {
    notice.name.clone().unwrap_or_else(|| format!("tracker: {}", notice.kind))
}

/// Whether a person may have to do something.
fn is_bad(notice: &Notice) -> bool {
    let word = notice.kind.as_str();
    word.ends_with(".failed") || word.ends_with(".attention") || word.ends_with(".offline")
}

/// Our own words and numbers have no other characters than a header takes.
fn put(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(name, value);
    }
}

fn sensitive(text: &str) -> Result<HeaderValue, WebhookConfigError> {
    let mut value = HeaderValue::from_str(text).map_err(|_| WebhookConfigError::Secret)?;
    value.set_sensitive(true);
    Ok(value)
}
