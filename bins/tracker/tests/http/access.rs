//! Who may ask what.

use axum::http::Method;
use tracker_domain::{Actor, JobId};
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon, NOBODY};

fn plain(path: &str) -> Ask<'_> {
    Ask { path, ..Ask::default() }
}

#[tokio::test]
async fn metrics_tell_numbers_and_no_names() {
    spec!("health#metrics/what-there-is");
    spec!("health#metrics/no-names");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let asked = daemon.post("/api/v1/backups", "").await.json();
    let job: JobId = asked["id"].as_str().unwrap().parse().unwrap();
    daemon.app.backups.carry_out(job, &Actor::System).await.unwrap();
    let answer = daemon.get("/metrics").await;
    assert_eq!(answer.status.as_u16(), 200);
    assert!(answer.header("content-type").starts_with("text/plain; version=0.0.4"));
    for line in [
        "tracker_downloads{state=\"queued\"} 1",
        "tracker_client_tasks_open 0",
        "tracker_jobs{state=\"done\"} 1",
        "tracker_notify_dead_letters 0",
        "tracker_health_checks{code=\"database\",level=\"ok\"} 1",
    ] {
        assert!(answer.text.lines().any(|told| told == line), "{line}: {}", answer.text);
    }
    for name in [
        "tracker_backup_last_timestamp_seconds",
        "tracker_database_bytes",
        "tracker_database_wal_bytes",
        "process_start_time_seconds",
    ] {
        let told = answer.text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        assert!(told.trim().parse::<f64>().unwrap() > 0.0, "{name}");
    }
    // Each sample follows its own head, and each name is there once.
    let heads: Vec<&str> = answer
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" gauge"))
        .collect();
    let unique: std::collections::BTreeSet<&str> = heads.iter().copied().collect();
    assert_eq!(heads.len(), unique.len());
    for secret in [id.as_str(), &"a".repeat(40)] {
        assert!(!answer.text.contains(secret), "{}", answer.text);
    }
}

#[tokio::test]
async fn whatever_is_not_open_needs_a_token() {
    spec!("http-api#a-token-comes-first/an-address-that-does-not-exist");
    let daemon = Daemon::start().await;
    let garbage = "/api/v1/downloads/abc!!!";
    for (method, path) in [
        (Method::GET, "/api/v1/downloads"),
        (Method::GET, garbage),
        (Method::DELETE, garbage),
        (Method::GET, "/no/such/path"),
        (Method::GET, "/"),
        (Method::GET, "/metrics"),
        (Method::GET, "/login/x"),
        (Method::POST, "/healthz"),
        (Method::OPTIONS, "/api/v1/downloads"),
        (Method::OPTIONS, "*"),
        (Method::GET, "/problems/a/b"),
    ] {
        let answer = daemon.raw(Ask { method, ..plain(path) }).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (401, "unauthorised"),
            "{path}"
        );
        assert!(answer.header("www-authenticate").starts_with("Bearer"));
    }
}

#[tokio::test]
async fn with_a_token_what_does_not_exist_is_not_found() {
    let daemon = Daemon::start().await;
    for path in ["/no/such/path", "/api/v1/", "/api/v2/downloads"] {
        let answer = daemon.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (404, "not-found"), "{path}");
    }
}

#[tokio::test]
async fn a_token_is_read_from_two_headers_and_never_from_the_query() {
    spec!("http-api#a-token-comes-first/a-token-in-the-query");
    let daemon = Daemon::start().await;
    let token = daemon.token.as_str();
    let ok = |name: &'static str, value: String| {
        let daemon = &daemon;
        async move {
            let headers = vec![(name, value.as_str())];
            daemon.raw(Ask { headers, ..plain("/api/v1/health") }).await.status.as_u16()
        }
    };
    assert_eq!(ok("authorization", format!("Bearer {token}")).await, 200);
    assert_eq!(ok("Authorization", format!("bEaReR {token}")).await, 200);
    assert_eq!(ok("X-Api-Key", token.to_owned()).await, 200);
    assert_eq!(ok("authorization", format!("Basic {token}")).await, 401);
    assert_eq!(ok("authorization", format!("Bearer {token}x")).await, 401);
    assert_eq!(ok("x-api-key", "wrong".to_owned()).await, 401);
    for name in ["token", "api_key", "apikey", "access_token", "X-Api-Key"] {
        let path = format!("/api/v1/health?{name}={token}");
        assert_eq!(daemon.raw(plain(&path)).await.status.as_u16(), 401, "{name}");
    }
}

#[tokio::test]
async fn a_revoked_token_opens_nothing() {
    let daemon = Daemon::start().await;
    assert_eq!(daemon.get("/api/v1/health").await.status.as_u16(), 200);
    daemon.app.access.token_revoke("tests", &Actor::System).await.unwrap();
    assert_eq!(daemon.get("/api/v1/health").await.code(), "unauthorised");
}

#[tokio::test]
async fn the_open_list_is_open() {
    spec!("http-api#a-token-comes-first/what-is-open");
    let daemon = Daemon::start().await;
    for path in
        ["/healthz", "/ping", "/readyz", "/api/v1/openapi.json", "/problems/needs-review", "/login"]
    {
        for method in [Method::GET, Method::HEAD] {
            let answer = daemon.raw(Ask { method: method.clone(), ..plain(path) }).await;
            assert_eq!(answer.status.as_u16(), 200, "{path}");
            assert_eq!(answer.text.is_empty(), method == Method::HEAD, "{path}");
        }
    }
}

#[tokio::test]
async fn probes_tell_nothing_about_the_program() {
    spec!("http-api#probes/they-are-silent");
    let daemon = Daemon::start().await;
    let said = |path: &'static str| {
        let daemon = &daemon;
        async move { daemon.raw(plain(path)).await.text }
    };
    assert_eq!(said("/healthz").await, "ok\n");
    assert_eq!(said("/ping").await, "ok\n");
    assert_eq!(said("/readyz").await, "ready\n");
}

#[tokio::test]
async fn every_answer_has_its_guards() {
    let daemon = Daemon::start().await;
    let mut seen = std::collections::BTreeSet::new();
    for path in ["/healthz", "/api/v1/health", "/no", "/problems/stale", "/api/v1/downloads/x"] {
        let answer = daemon.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("access-control-allow-origin"), "");
        assert!(seen.insert(answer.header("x-request-id").to_owned()), "an id was used twice");
    }
}

#[tokio::test]
async fn a_base_path_may_be_there_or_taken_off() {
    spec!("http-api#a-base-path/behind-a-proxy");
    let daemon = Daemon::below("/tracker").await;
    for prefix in ["", "/tracker"] {
        assert_eq!(daemon.raw(plain(&format!("{prefix}/healthz"))).await.status.as_u16(), 200);
        let list = format!("{prefix}/api/v1/downloads");
        assert_eq!(daemon.raw(plain(&list)).await.code(), "unauthorised");
        assert_eq!(daemon.get(&list).await.status.as_u16(), 200);
        let none = daemon.get(&format!("{prefix}/no")).await;
        assert_eq!(none.code(), "not-found");
        assert_eq!(none.json()["type"], "/tracker/problems/not-found");
        let method = daemon.post(&format!("{prefix}/healthz"), "{}").await;
        assert_eq!(method.code(), "method-not-allowed");
        assert_eq!(daemon.get(&format!("{list}/{NOBODY}")).await.code(), "not-found");
    }
}

#[tokio::test]
async fn what_is_no_place_in_a_list_is_refused() {
    spec!("http-api#lists/on-pages-for-people");
    let daemon = Daemon::start().await;
    for path in ["/jobs?before=garbage", "/events?before=garbage", "/events?type=garbage"] {
        let refused = daemon.get(path).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "invalid-request"));
    }
    for _ in 0..51 {
        let asked = daemon.post("/api/v1/backups", "").await.json();
        let job: JobId = asked["id"].as_str().unwrap().parse().unwrap();
        daemon.app.jobs.cancel(job, &Actor::System).await.unwrap();
    }
    let newest = daemon.get("/jobs").await.text;
    let (_, rest) = newest.split_once("href=\"/jobs?before=").unwrap();
    let before = rest.split('"').next().unwrap();
    let older = daemon.get(&format!("/jobs?before={before}")).await.text;
    let rows = |page: &str| page.matches("<tr data-row>").count();
    assert!(rows(&older) < rows(&newest) && !older.contains("href=\"/jobs?before="), "{older}");
}

#[tokio::test]
async fn a_stream_takes_no_parameters() {
    spec!("http-api#the-stream-of-events/other-parameters");
    let daemon = Daemon::start().await;
    for path in ["/api/v1/events/stream?foo=bar", "/events/stream?foo=bar"] {
        let refused = daemon.get(path).await;
        assert_eq!(refused.code(), "invalid-request");
        assert_eq!(refused.json()["errors"][0]["parameter"], "foo");
    }
}
