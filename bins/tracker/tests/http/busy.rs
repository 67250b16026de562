//! Another program keeps the database from being written.

use std::time::Duration;

use axum::http::Method;
use tracker_domain::access::USE_NOTED_EVERY;
use tracker_testkit::spec;

use crate::fixture::Ask;
use crate::login::{FAR, GET, PASSWORD, Sent, Site};

/// Soon enough for a test, and long enough for a write of another task.
const SOON: Duration = Duration::from_millis(50);

/// Longer than any test lasts.
const LONG: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn a_change_says_that_it_was_not_made() {
    spec!("fault-tolerance#a-database-that-is-kept/a-change");
    let site = Site::start().await;
    let daemon = &site.daemon;
    let cookie = site.login().await;
    let id = daemon.accepted('a').await;
    daemon.db.set_patience(SOON);
    let keeper = daemon.kept();
    for (path, json) in [
        ("/api/v1/downloads", format!("{{\"magnet\":\"{}\"}}", "b".repeat(40))),
        (&format!("/api/v1/downloads/{id}/cancel"), "{}".to_owned()),
        ("/api/v1/backups", String::new()),
        ("/api/v1/tokens", r#"{"name":"phone","scope":"read"}"#.to_owned()),
    ] {
        let refused = daemon.post(path, &json).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (503, "not-ready"),
            "{path}"
        );
        assert_eq!(refused.header("retry-after"), "10");
    }
    let origin = "https://tracker.example.org";
    let login = format!("name=anna&password={PASSWORD}");
    let cancel = format!("/download/{id}/cancel");
    for (path, body) in [("/login", login.as_str()), ("/login", "link=x"), (&cancel, "")] {
        let headers = [
            ("accept", "text/html"),
            ("cookie", &cookie),
            ("origin", origin),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let refused = site.ask(Sent { method: "POST", path, headers: &headers, body, ..GET }).await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, "10"), "{path}");
        assert!(refused.header("content-type").starts_with("text/html"));
        for part in ["Nothing was changed", "try again", "/problems/not-ready"] {
            assert!(refused.text.contains(part), "{part}: {}", refused.text);
        }
    }
    drop(keeper);
    let listed = daemon.get("/api/v1/downloads").await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    assert_eq!(listed["items"][0]["state"], "queued");
    assert_eq!(daemon.ingest('b').await.status.as_u16(), 201);
}

#[tokio::test]
async fn whoever_only_looks_does_not_wait() {
    spec!("fault-tolerance#a-database-that-is-kept/looking");
    let site = Site::start().await;
    let daemon = &site.daemon;
    let cookie = site.login().await;
    let kept = [("cookie", cookie.as_str())];
    let seen = || async { daemon.app.access.sessions(None).await.unwrap()[0].last_seen_at };
    let first = seen().await;
    daemon.clock.advance_seconds(USE_NOTED_EVERY.unsigned_abs());
    // What waited would never come back.
    daemon.db.set_patience(LONG);
    let keeper = daemon.kept();
    for path in ["/", "/api/v1/downloads", "/events", "/settings", "/login", "/static/app.css"] {
        let status = site.status(path, FAR, &kept).await;
        assert!([200, 303].contains(&status), "{path}: {status}");
    }
    for path in ["/", "/api/v1/downloads", "/metrics"] {
        assert_eq!(daemon.get(path).await.status.as_u16(), 200, "{path}");
    }
    assert_eq!(seen().await, first);
    drop(keeper);
    // What needs nobody notes nobody either.
    for path in ["/static/app.css", "/healthz", "/readyz", "/ping", "/api/v1/openapi.json"] {
        let headers = vec![("cookie", cookie.as_str())];
        let ask = Ask { method: Method::GET, path, headers, ..Ask::default() };
        assert_eq!(daemon.raw(ask).await.status.as_u16(), 200, "{path}");
        assert_eq!(seen().await, first, "{path}");
    }
    assert_eq!(site.status("/api/v1/health", FAR, &kept).await, 200);
    assert_ne!(seen().await, first);
}
