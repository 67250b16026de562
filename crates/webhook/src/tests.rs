//! The adapter against a server on the loopback interface.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use tracker_domain::event::EventType;
use tracker_domain::ports::{Notice, Notifier, NotifyError};
use tracker_domain::{EntityKind, Secret, Timestamp};
use tracker_ident::derived;
use tracker_testkit::media_server::MediaServerRequest;
use tracker_testkit::{FixedClock, ReceiverStub, StubAnswer, StubMode, spec};

use crate::sign::signature;
use crate::{LONGEST_CALL, Webhook, WebhookConfig, WebhookConfigError, WebhookKind};

const SECRET: &str = "s3cretOfTheHook";

fn notice() -> Notice {
    let download = derived(1, 1, "download");
    Notice {
        first: derived(1, 1, "event").typed(),
        rest: vec![derived(1, 2, "event").typed()],
        kind: EventType::BatchFailed,
        at: now(),
        entity: Some((EntityKind::Download, download)),
        download_id: Some(download.typed()),
        name: Some("Фильм".to_owned()),
        message: "links could not be made".to_owned(),
    }
}

fn now() -> Timestamp {
    Timestamp::from_unix((FixedClock::START / 1000).try_into().unwrap()).unwrap()
}

fn config(kind: WebhookKind, url: &str) -> WebhookConfig {
    WebhookConfig {
        name: "hook".to_owned(),
        kind,
        url: url.parse().unwrap(),
        secret: Some(Secret::new(SECRET)),
        timeout: LONGEST_CALL,
    }
}

/// The one request that a message makes.
async fn sent(kind: WebhookKind) -> MediaServerRequest {
    let stub = ReceiverStub::receiver().await;
    let hook = Webhook::new(&config(kind, &stub.url())).unwrap();
    hook.send(&notice(), now()).await.unwrap();
    let mut requests = stub.requests();
    assert_eq!(requests.len(), 1);
    requests.remove(0)
}

fn json(request: &MediaServerRequest) -> serde_json::Value {
    serde_json::from_slice(&request.body).unwrap()
}

#[tokio::test]
async fn a_message_says_what_happened_and_is_signed() {
    spec!("notifications#messages-are-signed/a-signed-message");
    let request = sent(WebhookKind::Webhook).await;
    let notice = notice();
    let id = notice.first.to_string();
    assert_eq!(
        json(&request),
        serde_json::json!({
            "id": id,
            "type": "batch.failed",
            "created_at": "2026-01-02T03:04:05Z",
            "entity": { "kind": "download", "id": notice.download_id.unwrap().to_string() },
            "download_id": notice.download_id.unwrap().to_string(),
            "name": "Фильм",
            "message": "links could not be made",
            "events": [id, notice.rest[0].to_string()],
        })
    );
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("x-tracker-delivery"), Some(id.as_str()));
    assert_eq!(request.header("x-tracker-event"), Some("batch.failed"));
    let at = request.header("x-tracker-timestamp").unwrap().parse().unwrap();
    let expected = signature(SECRET, at, &request.body);
    assert_eq!(request.header("x-tracker-signature"), Some(expected.as_str()));
    assert_eq!(at, now().unix());
}

#[tokio::test]
async fn other_servers_get_what_they_take() {
    spec!("notifications#kinds-of-receiver/ntfy-gotify-and-apprise");
    let ntfy = sent(WebhookKind::Ntfy).await;
    assert_eq!(String::from_utf8(ntfy.body.clone()).unwrap(), "Фильм: links could not be made");
    assert_eq!(ntfy.header("title"), Some("batch.failed"));
    assert_eq!(ntfy.header("authorization"), Some(format!("Bearer {SECRET}").as_str()));
    let gotify = sent(WebhookKind::Gotify).await;
    assert_eq!(gotify.path, "/message");
    assert_eq!(gotify.header("x-gotify-key"), Some(SECRET));
    assert_eq!(json(&gotify)["title"], "Фильм");
    assert_eq!(json(&gotify)["message"], "links could not be made");
    let apprise = sent(WebhookKind::Apprise).await;
    assert_eq!(json(&apprise)["body"], "links could not be made");
    assert_eq!(json(&apprise)["type"], "warning");
    for request in [ntfy, gotify, apprise] {
        assert_eq!(request.header("x-tracker-signature"), None, "it is a token there");
    }
}

#[tokio::test]
async fn what_was_not_acknowledged_is_an_error() {
    spec!("notifications#calls-are-bounded/a-receiver-in-trouble");
    let stub = ReceiverStub::receiver().await;
    let hook = Webhook::new(&config(WebhookKind::Webhook, &stub.url())).unwrap();
    for (answer, unreachable) in [
        (500, true),
        (503, true),
        (429, true),
        (400, false),
        (401, false),
        (404, false),
        (410, false),
    ] {
        stub.set(StubMode::Says(StubAnswer::json(answer, "{}")));
        let error = hook.send(&notice(), now()).await.unwrap_err();
        assert_eq!(matches!(error, NotifyError::Unreachable(_)), unreachable, "{answer}: {error}");
    }
    stub.set(StubMode::Dead);
    let error = hook.send(&notice(), now()).await.unwrap_err();
    assert!(matches!(error, NotifyError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    spec!("notifications#calls-are-bounded/a-redirect");
    let inner = ReceiverStub::receiver().await;
    let stub = ReceiverStub::receiver().await;
    let hook = Webhook::new(&config(WebhookKind::Webhook, &stub.url())).unwrap();
    for status in [301, 302, 303, 307, 308] {
        let answer = StubAnswer::json(status, "").header("Location", &inner.url());
        stub.set(StubMode::Says(answer));
        let error = hook.send(&notice(), now()).await.unwrap_err();
        let NotifyError::Refused(why) = &error else { panic!("{error}") };
        assert!(why.contains("set url to that one"), "{why}");
        assert!(!why.contains(&inner.url()), "{why}");
    }
    assert_eq!(stub.requests().len(), 5);
    assert_eq!(inner.requests().len(), 0);
}

#[tokio::test]
async fn a_receiver_that_hangs_is_given_up() {
    spec!("notifications#calls-are-bounded/a-receiver-that-hangs");
    let stub = ReceiverStub::receiver().await;
    stub.set(StubMode::Silent);
    let timeout = Duration::from_millis(50);
    let hook =
        Webhook::new(&WebhookConfig { timeout, ..config(WebhookKind::Webhook, &stub.url()) });
    let error = hook.unwrap().send(&notice(), now()).await.unwrap_err();
    assert_eq!(error, NotifyError::Unreachable("no answer in time".to_owned()));
    let slow = WebhookConfig {
        timeout: Duration::from_secs(3600),
        ..config(WebhookKind::Webhook, &stub.url())
    };
    assert_eq!(Webhook::new(&slow).unwrap().timeout(), LONGEST_CALL, "the promise of the port");
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    spec!("notifications#settings-of-a-receiver/settings-that-cannot-be-used");
    let refused = |config: &WebhookConfig| Webhook::new(config).err();
    for url in ["ftp://host/", "data:text/plain,x", "file:///etc/hosts"] {
        let config = config(WebhookKind::Webhook, url);
        assert_eq!(refused(&config), Some(WebhookConfigError::Url), "{url}");
    }
    let usual = config(WebhookKind::Gotify, "http://127.0.0.1:9/");
    let without = WebhookConfig { secret: None, ..usual.clone() };
    assert_eq!(refused(&without), Some(WebhookConfigError::Secret), "Gotify needs a token");
    let broken = WebhookConfig { secret: Some(Secret::new("line\nbreak")), ..usual.clone() };
    assert_eq!(refused(&broken), Some(WebhookConfigError::Secret));
    // A key may be any text: it is not sent.
    assert_eq!(refused(&WebhookConfig { kind: WebhookKind::Webhook, ..broken }), None);
}
