//! Every answer besides success is a problem, on every route.

use axum::http::Method;
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon, NOBODY};

/// Method and path of every operation of the document.
pub fn operations() -> Vec<(Method, String)> {
    let document = serde_json::to_value(tracker_http::document("")).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            found.push((method, path.clone()));
        }
    }
    found
}

/// The path with something in each place.
fn filled(path: &str, id: &str) -> String {
    let path = path.replace("{id}", id).replace("{cid}", NOBODY).replace("{name}", id);
    path.replace("{field}", "title").replace("{code}", "no-such-code")
}

fn judged(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

#[tokio::test]
async fn every_refusal_of_every_route_is_a_problem() {
    spec!("http-api#errors-are-problems/every-route");
    let daemon = Daemon::start().await;
    for (method, path) in operations() {
        // The stream of events has no end to wait for.
        if path.ends_with("/stream") {
            continue;
        }
        let whole = filled(&path, NOBODY);
        let bad = filled(&path, "abc!!!");

        let answer =
            daemon.raw(Ask { method: method.clone(), path: &whole, ..Ask::default() }).await;
        assert!(answer.status.is_success() || !answer.code().is_empty());

        let answer = daemon.ask(Ask { method: method.clone(), path: &bad, ..Ask::default() }).await;
        if bad != path {
            assert_eq!(judged(&answer), (404, "not-found".to_owned()), "{method} {path}");
        }

        let answer =
            daemon.ask(Ask { method: Method::PATCH, path: &whole, ..Ask::default() }).await;
        assert_eq!(judged(&answer), (405, "method-not-allowed".to_owned()), "{path}");
        assert!(answer.header("allow").contains(method.as_str()), "{path}");

        // They take no body, and none of its members.
        let bodyless = ["/api/v1/health", "/api/v1/verify", "/api/v1/backups", "/api/v1/backups/"];
        if bodyless
            .iter()
            .any(|front| path == *front || front.ends_with('/') && path.starts_with(front))
        {
            continue;
        }
        if method == Method::POST || method == Method::PUT {
            let answer = daemon.send(method, &whole, "{garbage").await;
            let right = if whole == path { 400 } else { 404 };
            assert_eq!(answer.status.as_u16(), right, "{path}");
            answer.code();
        }
    }
}

#[tokio::test]
async fn an_id_that_does_not_exist_comes_before_the_body() {
    spec!("http-api#ids-of-any-form/the-order-of-checks");
    let daemon = Daemon::start().await;
    for action in ["retry", "cancel", "remove"] {
        for body in ["{garbage", "[]", r#"{"client":1,"delete_data":"x"}"#] {
            let answer = daemon.post(&format!("/api/v1/downloads/{NOBODY}/{action}"), body).await;
            assert_eq!(judged(&answer), (404, "not-found".to_owned()), "{action} {body}");
        }
    }
}

#[tokio::test]
async fn text_that_is_no_id_is_not_found() {
    spec!("http-api#ids-of-any-form/garbage");
    let daemon = Daemon::start().await;
    let overflow = NOBODY.replacen('0', "8", 1);
    let alias = NOBODY.replacen('j', "i", 1);
    let short = &NOBODY[1..];
    for id in ["abc!!!", overflow.as_str(), alias.as_str(), short, "%FF", "%00", "1%2F2", "é"] {
        let id = if id == "é" { "%C3%A9" } else { id };
        for place in ["/api/v1/downloads", "/api/v1/events", "/api/v1/entities", "/download"] {
            let answer = daemon.get(&format!("{place}/{id}")).await;
            assert_eq!(judged(&answer), (404, "not-found".to_owned()), "{place}/{id}");
        }
    }
}

#[tokio::test]
async fn queries_are_refused_by_parameter() {
    spec!("http-api#errors-are-problems/parameters-are-wrong");
    let daemon = Daemon::start().await;
    for (path, parameter) in [
        ("/api/v1/downloads?state=nowhere", "state"),
        ("/api/v1/downloads?limit=0", "limit"),
        ("/api/v1/downloads?limit=201", "limit"),
        ("/api/v1/downloads?limit=-1", "limit"),
        ("/api/v1/downloads?before=abc", "before"),
        ("/api/v1/downloads?sort=name", "sort"),
        ("/api/v1/events?type=nothing", "type"),
        ("/api/v1/events?limit=201", "limit"),
        ("/api/v1/events?job_id=1", "job_id"),
    ] {
        let answer = daemon.get(path).await;
        assert_eq!(judged(&answer), (422, "invalid-request".to_owned()), "{path}");
        assert_eq!(answer.json()["errors"][0]["parameter"], parameter, "{path}");
    }
}

#[tokio::test]
async fn bodies_are_refused_by_kind() {
    spec!("http-api#errors-are-problems/bodies-of-the-wrong-kind");
    let daemon = Daemon::start().await;
    let path = "/api/v1/downloads";
    for (kind, body, status, code) in [
        ("application/json", b"{".to_vec(), 400, "invalid-request"),
        ("application/json", b"{}".to_vec(), 422, "invalid-request"),
        ("application/json", br#"{"magnet":""}"#.to_vec(), 422, "invalid-magnet"),
        ("application/json", br#"{"magnet":"hello"}"#.to_vec(), 422, "invalid-magnet"),
        ("application/json", vec![b' '; 128 * 1024 + 1], 413, "payload-too-large"),
        ("application/x-bittorrent", b"hello".to_vec(), 422, "invalid-torrent"),
        ("application/x-bittorrent", Vec::new(), 422, "invalid-torrent"),
        ("application/x-bittorrent", vec![b'd'; 10 * 1024 * 1024 + 1], 413, "payload-too-large"),
        ("text/plain", b"{}".to_vec(), 415, "unsupported-media-type"),
    ] {
        let headers = vec![("content-type", kind)];
        let answer = daemon.ask(Ask { method: Method::POST, path, headers, body }).await;
        assert_eq!(judged(&answer), (status, code.to_owned()), "{kind}");
    }
    let bare = Ask { method: Method::POST, path, body: b"{}".to_vec(), ..Ask::default() };
    assert_eq!(daemon.ask(bare).await.code(), "unsupported-media-type");
}

#[tokio::test]
async fn a_browser_is_answered_with_a_page() {
    let daemon = Daemon::start().await;
    let accept = ("accept", "text/html,application/xhtml+xml");
    let page =
        daemon.ask(Ask { path: "/download/x", headers: vec![accept], ..Ask::default() }).await;
    assert_eq!(page.status.as_u16(), 404);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.text.contains("href=\"/problems/not-found\""));
    let api = Ask { path: "/api/v1/health", headers: vec![accept], ..Ask::default() };
    assert_eq!(daemon.raw(api).await.code(), "unauthorised");
}
