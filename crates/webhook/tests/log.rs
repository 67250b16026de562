//! What calls leave in the log.
#![allow(clippy::unwrap_used, reason = "tests")]

use tracker_domain::event::EventType;
use tracker_domain::ports::{Notice, Notifier};
use tracker_domain::{Secret, Timestamp};
use tracker_ident::derived;
use tracker_testkit::{Captured, ReceiverStub, StubAnswer, StubMode, spec};
use tracker_webhook::{LONGEST_CALL, Webhook, WebhookConfig, WebhookKind};

#[tokio::test]
async fn no_secret_shows() {
    spec!("notifications#secrets-stay-secret/the-log-and-errors");
    let log = Captured::default();
    let _listening = log.listen();
    let now = Timestamp::from_unix(1_767_323_045).unwrap();
    let notice = Notice {
        first: derived(1, 1, "event").typed(),
        rest: Vec::new(),
        kind: EventType::SystemStarted,
        at: now,
        entity: None,
        download_id: None,
        name: Some("aPr1vateName".to_owned()),
        message: "started".to_owned(),
    };
    let secrets = ["k3yOfTheHook", "us3r", "passw0rd", "p4thT0ken", "qu3ryT0ken"];
    let [key, user, password, path, query] = secrets;
    let stub = ReceiverStub::receiver().await;
    let url = stub.url().replace("http://", &format!("http://{user}:{password}@"));
    let url = format!("{url}{path}?token={query}");
    let mut shown = String::new();
    for kind in [WebhookKind::Webhook, WebhookKind::Ntfy, WebhookKind::Gotify, WebhookKind::Apprise]
    {
        let config = WebhookConfig {
            name: "hook".to_owned(),
            kind,
            url: url.parse().unwrap(),
            secret: Some(Secret::new(key)),
            timeout: LONGEST_CALL,
        };
        let hook = Webhook::new(&config).unwrap();
        shown.push_str(&format!("{config:?}{hook:?}"));
        for mode in [
            StubMode::Normal,
            StubMode::Dead,
            StubMode::Says(StubAnswer::json(401, "{}")),
            StubMode::Says(StubAnswer::json(500, "{}")),
            StubMode::Says(StubAnswer::redirect(&url)),
        ] {
            stub.set(mode);
            if let Err(error) = hook.send(&notice, now).await {
                shown.push_str(&format!("{error} {error:?}"));
            }
        }
    }
    // The whole address was called, with what is secret in it.
    let request = &stub.requests()[0];
    assert!(request.path.contains(path) && request.query("token") == Some(query), "{request:?}");
    let logged = log.text();
    let ours: Vec<_> = logged.lines().filter(|line| line.contains("tracker_webhook")).collect();
    for wanted in [
        "webhook call answered",
        "webhook call failed",
        "consumer=\"hook\"",
        "host=\"127.0.0.1\"",
        "duration_ms=",
        "status=401",
    ] {
        assert!(ours.iter().any(|line| line.contains(wanted)), "{wanted}: {ours:#?}");
    }
    for secret in secrets.into_iter().chain(["aPr1vateName"]) {
        assert!(!shown.contains(secret), "{secret}: {shown}");
        assert!(!ours.iter().any(|line| line.contains(secret)), "{secret}: {ours:#?}");
    }
}
