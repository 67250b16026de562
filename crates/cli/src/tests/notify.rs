//! `notify`.

use async_trait::async_trait;
use tracker_testkit::spec;
use tracker_wire::{DeadLetterDto, NotifyTestDto, Page, ReceiverDto};

use super::fake::{Fake, ID, event};
use super::server::Server;
use super::{json, ran, typed};
use crate::{ApiFailure, NotifyApi, Surroundings, Token};

#[async_trait]
impl NotifyApi for Fake {
    async fn receivers(&self) -> Result<Page<ReceiverDto>, ApiFailure> {
        self.called("receivers".to_owned())?;
        Ok(Page { items: self.state.lock().unwrap().receivers.clone(), next: None })
    }

    async fn dead_letters(&self, name: &str) -> Result<Page<DeadLetterDto>, ApiFailure> {
        self.called(format!("dead_letters {name}"))?;
        Ok(Page { items: self.state.lock().unwrap().dead_letters.clone(), next: None })
    }

    async fn notify_test(&self, name: &str) -> Result<NotifyTestDto, ApiFailure> {
        self.called(format!("notify_test {name}"))?;
        let detail = self.state.lock().unwrap().not_taken.clone();
        let (name, event_id) = (name.to_owned(), ID.to_owned());
        Ok(NotifyTestDto { name, event_id, taken: detail.is_none(), detail })
    }

    async fn notify_retry(&self, name: &str) -> Result<ReceiverDto, ApiFailure> {
        self.called(format!("notify_retry {name}"))?;
        Ok(receiver(name, |receiver| receiver.dead_letters = 2))
    }
}

fn receiver(name: &str, change: impl FnOnce(&mut ReceiverDto)) -> ReceiverDto {
    let mut receiver = ReceiverDto {
        name: name.to_owned(),
        kind: "ntfy".to_owned(),
        fault: None,
        cursor: Some(ID.to_owned()),
        behind: 0,
        attempts: 0,
        next_attempt_at: None,
        detail: None,
        delivered_at: Some("2026-01-02T03:04:05Z".to_owned()),
        dead_letters: 0,
    };
    change(&mut receiver);
    receiver
}

fn dead_letter(gone: bool) -> DeadLetterDto {
    DeadLetterDto {
        event_id: ID.to_owned(),
        detail: "the receiver does not take it: HTTP 400".to_owned(),
        put_aside_at: "2026-01-02T03:04:05Z".to_owned(),
        event: (!gone).then(|| event(1)),
    }
}

#[tokio::test]
async fn receivers_are_listed_with_how_they_do() {
    spec!("notifications#a-person-asks/on-the-command-line");
    let fake = Fake::new();
    fake.state.lock().unwrap().receivers = vec![
        receiver("phone", |_| {}),
        receiver("desk", |receiver| {
            receiver.attempts = 3;
            receiver.next_attempt_at = Some("2026-01-02T03:05:00Z".to_owned());
            receiver.detail = Some("HTTP 500".to_owned());
            (receiver.behind, receiver.dead_letters) = (12, 2);
        }),
        receiver("den", |receiver| receiver.dead_letters = 1),
        receiver("hook", |receiver| {
            receiver.fault = Some("the url is not an http or https address".to_owned());
            (receiver.cursor, receiver.delivered_at) = (None, None);
        }),
    ];
    insta::assert_snapshot!(ran(&fake, &["notify", "list"]).await.out, @r"
    NAME   KIND  BEHIND  ASIDE  LAST TAKEN            NOW
    phone  ntfy  0       0      2026-01-02T03:04:05Z  fine
    desk   ntfy  12      2      2026-01-02T03:04:05Z  tried 3 times, again 2026-01-02T03:05:00Z: HTTP 500
    den    ntfy  0       1      2026-01-02T03:04:05Z  goes on without some
    hook   ntfy  0       0      never                 the url is not an http or https address
    ");
    let found = json(&ran(&fake, &["notify", "list", "--json"]).await.out);
    assert_eq!(
        (&found["items"][1]["behind"], &found["items"][1]["attempts"]),
        (&12.into(), &3.into())
    );
    assert_eq!(found["items"][3]["cursor"], serde_json::Value::Null);
}

#[tokio::test]
async fn what_was_put_aside_is_listed() {
    spec!("notifications#a-person-asks/on-the-command-line");
    let fake = Fake::new();
    fake.state.lock().unwrap().dead_letters = vec![dead_letter(false), dead_letter(true)];
    insta::assert_snapshot!(ran(&fake, &["notify", "dead", "phone"]).await.out, @r"
    EVENT                       ASIDE SINCE           TYPE              NAME            WHY
    01jzabcdefghjkmnpqrstvwxyz  2026-01-02T03:04:05Z  download.created  Some.Film.2020  the receiver does not take it: HTTP 400
    01jzabcdefghjkmnpqrstvwxyz  2026-01-02T03:04:05Z  (gone)                            the receiver does not take it: HTTP 400
    ");
    assert_eq!(fake.calls(), ["dead_letters phone"]);
    let found = json(&ran(&fake, &["notify", "dead", "phone", "--json"]).await.out);
    assert_eq!(found["items"][1]["event"], serde_json::Value::Null);
    let none = ran(&Fake::new(), &["notify", "dead", "phone"]).await;
    assert_eq!((none.code, none.err.as_str()), (0, "nothing found\n"));
}

#[tokio::test]
async fn a_test_ends_with_what_came_back() {
    spec!("notifications#a-person-asks/on-the-command-line");
    let fake = Fake::new();
    let taken = ran(&fake, &["notify", "test", "phone"]).await;
    assert_eq!((taken.code, taken.out.as_str()), (0, "phone\ttaken\n"));
    fake.state.lock().unwrap().not_taken =
        Some("the receiver cannot be reached: HTTP 500".to_owned());
    let refused = ran(&fake, &["notify", "test", "phone"]).await;
    let said = "phone\tnot taken: the receiver cannot be reached: HTTP 500\n";
    assert_eq!((refused.code, refused.out.as_str()), (1, said));
    let refused = ran(&fake, &["notify", "test", "phone", "--json"]).await;
    assert_eq!((refused.code, &json(&refused.out)["taken"]), (1, &false.into()));
}

#[tokio::test]
async fn trying_again_says_what_waits_and_who_goes_on() {
    spec!("notifications#a-person-asks/on-the-command-line");
    let fake = Fake::new();
    let found = ran(&fake, &["notify", "retry", "phone"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, "phone\t2 put aside\n"));
    assert!(found.err.contains("no daemon runs"), "{}", found.err);
    assert_eq!(fake.calls(), ["notify_retry phone"]);
}

#[tokio::test]
async fn a_daemon_is_asked_and_no_name_leads_elsewhere() {
    spec!("notifications#a-person-asks/on-the-command-line");
    let answer = |body: &str| (200, "application/json", body.to_owned());
    let receiver = serde_json::to_string(&receiver("den two", |_| {})).unwrap();
    let tested = format!(r#"{{"name":"den two","event_id":"{ID}","taken":true,"detail":null}}"#);
    let page = r#"{"items":[],"next":null}"#;
    let server =
        Server::start(vec![answer(page), answer(page), answer(&tested), answer(&receiver)]).await;
    let surroundings = Surroundings {
        server: Some(server.url.clone()),
        token: Some(Token::new("t0ken")),
        token_file: None,
    };
    for line in [
        &["notify", "list"][..],
        &["notify", "dead", "den two"],
        &["notify", "test", "den two"],
        &["notify", "retry", "den two"],
    ] {
        let found = typed(&Fake::new(), line, "", &surroundings).await;
        assert_eq!(found.code, 0, "{line:?} {found:?}");
    }
    for name in ["../downloads", "..", "a/b", "a%2Fb", "a?b", ""] {
        let found = typed(&Fake::new(), &["notify", "test", name], "", &surroundings).await;
        assert_eq!(found.code, 3, "{name:?} {found:?}");
    }
    let requests = server.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.lines().next().unwrap()).collect();
    assert_eq!(
        lines,
        [
            "GET /api/v1/notify HTTP/1.1",
            "GET /api/v1/notify/den%20two/dead-letters HTTP/1.1",
            "POST /api/v1/notify/den%20two/test HTTP/1.1",
            "POST /api/v1/notify/den%20two/retry HTTP/1.1",
        ]
    );
}
