//! Refusals, trouble on the way, and what must not show.

use serde_json::json;
use tracker_testkit::{Captured, StubAnswer};

use super::*;

/// What becomes of a message to this chat.
async fn sending(api: &BotApi, chat: i64) -> Result<Sent, BotError> {
    api.send(&to(chat, &text("hello"))).await
}

fn said(code: u16, words: &str, parameters: Value) -> StubAnswer {
    let body = json!({
        "ok": false, "error_code": code, "description": words, "parameters": parameters,
    });
    StubAnswer::json(code, body.to_string())
}

#[tokio::test]
async fn a_chat_that_is_closed_is_told() {
    spec!("telegram#what-a-refusal-means/a-closed-chat");
    let (server, api) = play().await;
    server.user(ANNA).blocks_bot();
    let words = "Forbidden: bot was blocked by the user".to_owned();
    assert_eq!(sending(&api, ANNA).await, Err(BotError::Blocked(words)));
    server.user(ANNA).unblocks_bot();
    sending(&api, ANNA).await.unwrap();
    server.user(ANNA).in_chat(GROUP).says("hello");
    server.chat(GROUP).removes_bot();
    assert!(matches!(sending(&api, GROUP).await, Err(BotError::Blocked(_))));
    assert!(matches!(sending(&api, 99).await, Err(BotError::Blocked(_))));
}

#[tokio::test]
async fn a_group_that_became_another_is_told_with_its_number() {
    spec!("telegram#what-a-refusal-means/a-group-that-moved");
    let (server, api) = play().await;
    server.user(ANNA).in_chat(GROUP).says("hello");
    server.chat(GROUP).becomes(FORUM);
    assert_eq!(sending(&api, GROUP).await, Err(BotError::ChatMigrated(ChatId(FORUM))));
    sending(&api, FORUM).await.unwrap();
    let came = api.updates(None, Duration::ZERO).await.unwrap();
    let told = came.iter().filter_map(crate::update::decode).find_map(|update| match update.kind {
        crate::update::UpdateKind::Message(message) => message.migrated_to,
        _ => None,
    });
    assert_eq!(told, Some(ChatId(FORUM)));
}

#[tokio::test]
async fn too_much_is_told_with_the_time_to_wait() {
    spec!("telegram#what-a-refusal-means/too-much");
    let server = BotApiServer::start().await;
    server.user(ANNA).in_chat(GROUP).says("hello");
    let api = client(server.url());
    // Twenty a minute to a group, so that the speed of the machine does not matter.
    for _ in 0..20 {
        sending(&api, GROUP).await.unwrap();
    }
    let refused = sending(&api, GROUP).await;
    let Err(BotError::TooManyRequests { retry_after_s }) = refused else {
        panic!("taken: {refused:?}")
    };
    assert!((1..=60).contains(&retry_after_s), "{retry_after_s}");
    assert_eq!(server.refused_for_pace(), 1);
    assert_eq!(server.chat(GROUP).messages().len(), 20);
}

#[tokio::test]
async fn each_other_refusal_is_what_it_says() {
    spec!("telegram#what-a-refusal-means/anything-else");
    let (server, api) = play().await;
    let wait = |retry_after_s| BotError::TooManyRequests { retry_after_s };
    let html = |status| StubAnswer::of_kind(status, "text/html", "<html>");
    let table = [
        (said(429, "Too Many Requests: retry after 230", json!({"retry_after": 230})), wait(230)),
        (html(429).header("Retry-After", "9"), wait(9)),
        (html(429), wait(5)),
        (said(401, "Unauthorized", json!({})), BotError::Unauthorized),
        (said(404, "Not Found", json!({})), BotError::Unauthorized),
        (said(409, "Conflict: x", json!({})), BotError::Conflict("Conflict: x".to_owned())),
        (said(500, "Internal Server Error", json!({})), BotError::Server(500)),
        (html(502), BotError::Server(502)),
        (html(200), BotError::Unreadable("it is not that of a Bot API; check api_url")),
        (
            StubAnswer::redirect("http://elsewhere.example/"),
            BotError::Unreadable("it redirects to another address; check api_url"),
        ),
        (
            StubAnswer::json(200, r#"{"ok":true,"result":[]}"#),
            BotError::Unreadable("it has another shape"),
        ),
        (
            StubAnswer::json(200, r#"{"ok":true,"resu"#).cut_at(9),
            BotError::Network("the connection broke"),
        ),
        (
            StubAnswer::json(200, vec![b' '; 65536]).endless(),
            BotError::Unreadable("it is too large"),
        ),
    ];
    for (answer, meaning) in table {
        server.once("sendMessage", answer);
        assert_eq!(sending(&api, ANNA).await, Err(meaning));
    }
    sending(&api, ANNA).await.unwrap();
    let unknown = api.call("sendHologram", json!({})).await;
    let words = "Not Found: method not found".to_owned();
    assert_eq!(unknown, Err(BotError::BadRequest(words)));
}

#[tokio::test]
async fn a_server_that_is_away_is_no_connection() {
    spec!("telegram#what-a-refusal-means/anything-else");
    let (server, api) = play().await;
    drop(server);
    let away = sending(&api, ANNA).await;
    assert!(matches!(away, Err(BotError::Network(_))), "{away:?}");
}

#[tokio::test]
async fn the_token_shows_nowhere() {
    spec!("telegram#the-token-stays-hidden/in-logs-and-errors");
    let log = Captured::default();
    let listening = log.listen();
    let (server, api) = play().await;
    let wrong = BotApi::new(&config(server.url(), "123456:wr0ngSecretOfABot")).unwrap();
    assert_eq!(wrong.me().await, Err(BotError::Unauthorized));
    let mut shown = format!("{api:?} {:?}", config(server.url(), BotApiServer::TOKEN));
    server.user(ANNA).sends_file("a.torrent", b"content");
    api.fetch("file1", 4096).await.unwrap();
    sending(&api, ANNA).await.unwrap();
    server.once("sendMessage", StubAnswer::json(200, "{}").cut_at(1));
    server.once("getUpdates", StubAnswer::redirect("http://elsewhere.example/"));
    let broken = sending(&api, ANNA).await.unwrap_err();
    let redirected = api.updates(None, Duration::ZERO).await.unwrap_err();
    drop(server);
    let away = sending(&api, ANNA).await.unwrap_err();
    for error in [broken, redirected, away] {
        shown.push_str(&format!("{error} {error:?}"));
    }
    drop(listening);
    let text = log.text();
    assert!(text.contains("bot call answered") && text.contains("bot call failed"), "{text}");
    for secret in ["5tub-T0ken_OfABot", "wr0ngSecretOfABot"] {
        assert!(!shown.contains(secret), "{shown}");
        assert!(!text.contains(secret), "{text}");
    }
}
