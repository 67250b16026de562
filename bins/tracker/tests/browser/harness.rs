//! The harness notices what it is there to notice: a page that does everything
//! wrong, from a server of the test.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Html;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use axum::{Router, serve};
use futures::stream::{self, Stream, StreamExt};
use tokio::net::TcpListener;
use tracker_testkit::eventually;

use crate::browser::{Browser, Window, keys};
use crate::daemon::DEADLINE;

const PAGE: &str = r#"<!doctype html>
<html><head><meta charset="utf-8"><title>as it came</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"></head>
<body><h1>A page</h1><noscript><p id="without">scripts are off</p></noscript>
<form action="/heard"><input id="field" name="word"></form>
<p id="later"></p><p id="hidden" hidden>nothing to see</p>
<script>
  document.title = 'by a script';
  const say = (id, text) => { document.getElementById(id).textContent = text; };
  setTimeout(() => say('later', 'it came later'), 300);
  addEventListener('keydown', (event) => { if (event.key === 'Escape') say('later', 'escaped'); });
</script></body></html>"#;

const WRONG: &str = r#"<!doctype html>
<html><head><title>wrong</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><div id="wide" style="width: 500px">wide</div><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<script>missing();</script></body></html>"#;

const FORBIDDEN: &str = r#"<!doctype html>
<html lang="en"><head><title>forbidden</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'"></head>
<body><script>document.title = 'run';</script></body></html>"#;

const FOLLOWING: &str = r#"<!doctype html>
<html lang="en"><head><title>following</title><link rel="icon" href="data:,"></head>
<body><p id="line"></p><script>
  const source = new EventSource('/stream');
  const say = (text) => { document.getElementById('line').textContent = text; };
  source.onmessage = (event) => say('heard ' + event.data);
  source.onerror = () => say('lost');
</script></body></html>"#;

/// A stream with one event that goes on without an end; the number says how
/// often it was asked for.
async fn stream(State(asked): State<Arc<AtomicU32>>) -> Sse<impl Stream<Item = io::Result<Event>>> {
    let number = asked.fetch_add(1, Ordering::SeqCst) + 1;
    let event = Event::default().retry(Duration::from_millis(200)).data(number.to_string());
    Sse::new(stream::iter([Ok(event)]).chain(stream::pending()))
}

/// What the browser told of itself.
async fn heard(headers: HeaderMap) -> Html<String> {
    let header = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap());
    Html(format!("<title>heard</title><p>{}</p>", header("accept-language")))
}

async fn browser() -> Browser {
    let router = Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/wrong", get(|| async { Html(WRONG) }))
        .route("/forbidden", get(|| async { Html(FORBIDDEN) }))
        .route("/heard", get(heard))
        .route("/following", get(|| async { Html(FOLLOWING) }))
        .route("/stream", get(stream))
        .with_state(Arc::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { serve(listener, router).await });
    Browser::at(&format!("http://127.0.0.1:{port}")).await
}

#[tokio::test]
async fn it_waits_types_and_clicks() {
    let browser = browser().await;
    browser.goto("/").await;
    assert_eq!(browser.title().await, "by a script");
    browser.see("#later", "it came later").await;
    browser.see_no("#hidden").await;
    assert_eq!(browser.text("h1").await, "A page");
    assert_eq!(browser.attr("#field", "name").await.as_deref(), Some("word"));
    browser.press(keys::ESCAPE).await;
    browser.see("#later", "escaped").await;
    browser.no_complaints().await;
    browser.press(keys::TAB).await;
    assert_eq!(browser.script("return document.activeElement.id", &[]).await, "field");
    browser.click("#field").await;
    browser.fill("#field", "слово").await;
    browser.press(keys::ENTER).await;
    browser.see("p", "en").await;
    assert!(browser.address().await.ends_with("/heard?word=%D1%81%D0%BB%D0%BE%D0%B2%D0%BE"));
}

#[tokio::test]
async fn it_notices_what_is_wrong() {
    let browser = browser().await;
    browser.goto("/wrong").await;
    let complaints = browser.complaints().await.join("\n");
    assert!(complaints.contains("missing is not defined"), "{complaints}");
    let broken: Vec<String> = browser.violations().await.into_iter().map(|one| one.rule).collect();
    for rule in ["html-has-lang", "image-alt", "landmark-one-main"] {
        assert!(broken.iter().any(|broken| broken == rule), "{rule}: {broken:?}");
    }
    browser.no_overflow().await;
    browser.window(Window::Phone).await;
    assert_eq!(browser.overflow().await.1, ["div#wide"]);
    assert!(browser.overflow().await.0 > 100);

    browser.goto("/forbidden").await;
    assert_eq!(browser.title().await, "forbidden");
    let complaints = browser.complaints().await.join("\n");
    assert!(complaints.contains("Content Security Policy"), "{complaints}");
    assert!(complaints.contains("missing is not defined"), "they are kept: {complaints}");
}

#[tokio::test]
async fn it_is_what_a_test_wants_it_to_be() {
    let browser = browser().await;
    let dark = "return matchMedia('(prefers-color-scheme: dark)').matches";
    assert_eq!(browser.script(dark, &[]).await, false);
    browser.colours("dark").await;
    browser.language("ru").await;
    browser.window(Window::Phone).await;
    browser.goto("/heard").await;
    browser.see("p", "ru").await;
    assert_eq!(browser.script(dark, &[]).await, true);
    assert_eq!(browser.script("return navigator.language", &[]).await, "ru");
    browser.goto("/").await;
    assert_eq!(browser.script("return innerWidth", &[]).await, 360);
    let coarse = "return matchMedia('(pointer: coarse)').matches";
    assert_eq!(browser.script(coarse, &[]).await, true);

    browser.scripts(false).await;
    browser.goto("/").await;
    assert_eq!(browser.title().await, "as it came");
    browser.see("#without", "scripts are off").await;
    browser.scripts(true).await;
    browser.goto("/").await;
    assert_eq!(browser.title().await, "by a script");
    browser.see_no("#without").await;

    let answers = "return fetch('/heard').then(() => true, () => false)";
    assert_eq!(browser.script(answers, &[]).await, true);
    browser.offline(true).await;
    assert_eq!(browser.script(answers, &[]).await, false);
    browser.offline(false).await;
    assert_eq!(browser.script(answers, &[]).await, true);
}

#[tokio::test]
async fn a_stream_is_cut_off_and_comes_back() {
    let browser = browser().await;
    browser.goto("/following").await;
    browser.see("#line", "heard 1").await;
    browser.offline(true).await;
    browser.see("#line", "lost").await;
    browser.offline(false).await;
    browser.see("#line", "heard 2").await;
}

#[tokio::test]
async fn it_reaches_nothing_beyond_this_machine() {
    let browser = browser().await;
    browser.goto("/").await;
    let outside = "return fetch('http://example.com/', {mode: 'no-cors'})
        .then(() => 'reached', (error) => String(error))";
    assert_eq!(browser.script(outside, &[]).await, "TypeError: Failed to fetch");
    let complaints = browser.complaints().await.join("\n");
    assert!(complaints.contains("ERR_NAME_NOT_RESOLVED"), "{complaints}");
}

#[tokio::test]
async fn it_leaves_no_process_behind() {
    let browser = browser().await;
    let group = browser.group();
    let processes = || {
        let found = std::process::Command::new("pgrep").arg("-g").arg(group.to_string()).output();
        String::from_utf8(found.unwrap().stdout).unwrap().lines().count()
    };
    assert!(processes() > 2, "a driver, a browser and its parts");
    let failed = tokio::task::LocalSet::new()
        .run_until(async move {
            tokio::task::spawn_local(async move {
                let _browser = browser;
                panic!("a test that fails");
            })
            .await
        })
        .await;
    assert!(failed.unwrap_err().is_panic());
    eventually(DEADLINE, "an end of every process", async || (processes() == 0).then_some(()))
        .await;
}
