//! What the log says about a request, and what it never says.
//!
//! A program of its own: while there is one subscriber only, a call site that
//! another thread meets first is switched off for all of them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../http/fixture.rs"]
#[expect(dead_code, reason = "shared with the other tests")]
mod fixture;

use axum::http::Method;
use tracker_testkit::{Captured, spec};

use fixture::{Ask, Daemon, NOBODY};

#[tokio::test]
async fn a_record_names_the_download_and_no_secret() {
    spec!("http-api#requests-in-the-log/a-change-of-a-download");
    let kept = Captured::default();
    let daemon = Daemon::start().await;
    let guard = kept.listen();

    let path = format!("/api/v1/downloads/{}/retry?token=in-the-query", NOBODY.to_uppercase());
    let headers = vec![("content-type", "application/json"), ("cookie", "in-the-cookie")];
    let body = br#"{"client":"in-the-body"}"#.to_vec();
    let answer = daemon.ask(Ask { method: Method::POST, path: &path, headers, body }).await;
    let id = answer.header("x-request-id").to_owned();
    let magnet = format!("magnet:?xt=urn:btih:{}&tr=http://a.example/passkey", "a".repeat(40));
    daemon.post("/api/v1/downloads", &format!(r#"{{"magnet":"{magnet}"}}"#)).await;
    drop(guard);

    let text = kept.text();
    let record = text.lines().find(|line| line.contains("request answered")).unwrap();
    for part in [
        format!("download_id={NOBODY}"),
        format!("request_id={id}"),
        "method=POST".to_owned(),
        "/api/v1/downloads/{id}/retry".to_owned(),
        "status=404".to_owned(),
        "duration_ms=".to_owned(),
    ] {
        assert!(record.contains(&part), "{part} in {record}");
    }
    for secret in ["in-the-query", "in-the-cookie", "in-the-body", "passkey", &daemon.token] {
        assert!(!text.contains(secret), "{secret} was logged");
    }
}
