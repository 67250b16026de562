//! What came in: asked for, waited for, brought.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tracker_testkit::eventually;

use super::*;
use crate::update::{Update, UpdateKind, decode, next_offset};

const LONG: Duration = Duration::from_secs(30);

async fn came(api: &BotApi, offset: Option<UpdateId>) -> Vec<Update> {
    let raw = api.updates(offset, Duration::ZERO).await.unwrap();
    raw.iter().filter_map(decode).collect()
}

fn says(update: &Update) -> &str {
    match &update.kind {
        UpdateKind::Message(message) => &message.text,
        UpdateKind::Press(_) => "(press)",
        UpdateKind::Ignored => "(ignored)",
        UpdateKind::Unknown => "(unknown)",
    }
}

/// The JSON of a request, once it is whole.
fn body_of(raw: &str) -> Option<Value> {
    serde_json::from_str(raw.split("\r\n\r\n").nth(1)?).ok()
}

#[tokio::test]
async fn an_update_comes_until_it_is_confirmed() {
    spec!("telegram#updates-are-read/until-confirmed");
    let (server, api) = play().await;
    let anna = server.user(ANNA);
    anna.says("one");
    // Older kinds come until the bot says for the first time which it wants.
    server.tells(json!({ "hologram": { "depth": 3 } }));
    anna.says("two");
    let first = came(&api, None).await;
    assert_eq!(first.iter().map(says).collect::<Vec<_>>(), ["one", "(unknown)", "two"]);
    assert_eq!(came(&api, None).await, first);
    let next = next_offset(&first);
    anna.says("three");
    let second = came(&api, next).await;
    assert_eq!(second.iter().map(says).collect::<Vec<_>>(), ["three"]);
    assert_eq!(server.pending(), 1);
    assert_eq!(came(&api, next_offset(&second)).await, []);
    // What was not asked for does not come any more.
    server.tells(json!({ "hologram": { "depth": 4 } }));
    assert_eq!(server.pending(), 0);
}

#[tokio::test]
async fn who_waits_is_told_at_once() {
    spec!("telegram#updates-are-read/waiting");
    let (server, api) = play().await;
    let (answer, ()) = tokio::join!(api.updates(None, LONG), async {
        eventually(LONG, "the call", async || (!server.calls().is_empty()).then_some(())).await;
        server.user(ANNA).says("now");
    });
    assert_eq!(answer.unwrap().len(), 1);
}

#[tokio::test]
async fn two_that_read_are_a_conflict() {
    spec!("telegram#updates-are-read/somebody-else-reads");
    let (server, api) = play().await;
    let other = client(server.url());
    let (answer, ()) = tokio::join!(api.updates(None, LONG), async {
        eventually(LONG, "the call", async || (!server.calls().is_empty()).then_some(())).await;
        other.updates(None, Duration::ZERO).await.unwrap();
    });
    assert!(matches!(answer, Err(BotError::Conflict(_))), "{answer:?}");
}

#[tokio::test]
async fn a_webhook_is_brought_each_update_with_the_secret() {
    spec!("telegram#updates-are-read/a-webhook");
    let (server, api) = play().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (told, mut brought) = mpsc::unbounded_channel();
    let receiving = tokio::spawn(async move {
        // The first one is not taken, so that it comes again.
        for status in ["503 Later", "200 OK", "200 OK"] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut raw = String::new();
            while body_of(&raw).is_none() {
                let mut piece = [0; 4096];
                let length = stream.read(&mut piece).await.unwrap();
                assert!(length > 0, "it ends within {raw}");
                raw.push_str(std::str::from_utf8(&piece[..length]).unwrap());
            }
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
            told.send(raw).unwrap();
        }
    });
    let url: Url = format!("http://127.0.0.1:{port}/telegram").parse().unwrap();
    api.set_webhook(&url, &Secret::new("s3cret_A-1")).await.unwrap();
    let conflict = api.updates(None, Duration::ZERO).await;
    assert!(matches!(conflict, Err(BotError::Conflict(_))), "{conflict:?}");
    server.user(ANNA).says("one");
    server.user(ANNA).says("two");
    for text in ["one", "one", "two"] {
        let raw = brought.recv().await.unwrap();
        assert!(raw.starts_with("POST /telegram HTTP/1.1\r\n"), "{raw}");
        assert!(raw.contains("X-Telegram-Bot-Api-Secret-Token: s3cret_A-1\r\n"), "{raw}");
        assert_eq!(says(&decode(&body_of(&raw).unwrap()).unwrap()), text);
    }
    receiving.await.unwrap();
    eventually(LONG, "both taken", async || (server.pending() == 0).then_some(())).await;
    let state = api.webhook().await.unwrap();
    assert_eq!((state.url.as_str(), state.pending_update_count), (url.as_str(), 0));
    server.user(ANNA).says("three");
    let why = eventually(LONG, "nobody takes it", async || {
        let state = api.webhook().await.unwrap();
        state.last_error_message.filter(|_| state.pending_update_count == 1)
    });
    assert!(why.await.contains("refused"));
    api.delete_webhook().await.unwrap();
    assert_eq!(api.webhook().await.unwrap().url, "");
    let kept = came(&api, None).await;
    assert_eq!(kept.iter().map(says).collect::<Vec<_>>(), ["three"]);
    let odd = api.set_webhook(&url, &Secret::new("no such sign")).await;
    assert!(matches!(odd, Err(BotError::BadRequest(_))));
}
