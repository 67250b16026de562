//! REST of a daemon that runs, where a connection of its own makes a difference.

use reqwest::Method;
use serde_json::json;
use tracker_testkit::spec;

use crate::daemon::{ClientSetup, Daemon, Setup};
use crate::{hash, running};

/// Codes of refusals that come with later parts, and of health checks.
const TO_COME: &[&str] = &["plan-changed", "conflict", "legacy-state"];

const HEALTH: &[&str] = &[
    "database",
    "no-client",
    "client-reachable",
    "client-unreachable",
    "client-credentials",
    "client-banned",
    "client-incident",
    "client-folder-not-visible",
    "client-settings",
    "no-library",
    "library-root-missing",
    "metadata-denied",
    "metadata-unreachable",
    "metadata-limited",
];

#[tokio::test]
async fn codes_to_come_and_of_health_have_pages() {
    spec!("http-api#a-page-for-every-code/codes-to-come-and-of-health");
    let (_folder, here) = running().await;
    let open = reqwest::Client::builder().no_proxy().build().unwrap();
    let health = here.get("/health").await.expect(200);
    let seen = health["checks"].as_array().unwrap().clone();
    let seen = seen.iter().map(|check| check["code"].as_str().unwrap());
    for code in TO_COME.iter().chain(HEALTH).copied().chain(seen) {
        let page = open.get(format!("{}/problems/{code}", here.url())).send().await.unwrap();
        assert_eq!(page.status(), 200, "{code}");
        let text = page.text().await.unwrap();
        assert!(text.contains(code) && text.contains("What to do"), "{code}: {text}");
    }
    let none = open.get(format!("{}/problems/nothing", here.url())).send().await.unwrap();
    assert_eq!(none.status(), 404);
}

#[tokio::test]
async fn metrics_have_a_listener_of_their_own() {
    spec!("health#metrics/a-listener-of-its-own");
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let more = format!("[metrics]\nlisten = \"{address}\"\n");
    let here = Daemon::started(Setup { more, ..Setup::without_client(folder.path()) }).await;
    let open = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = async |path: &str| open.get(format!("http://{address}{path}")).send().await.unwrap();
    let answer = get("/metrics").await;
    assert_eq!(answer.status(), 200);
    assert!(answer.text().await.unwrap().contains("tracker_build_info{version="));
    assert_eq!(get("/healthz").await.status(), 200);
    for path in ["/api/v1/downloads", "/api/v1/health", "/"] {
        assert_eq!(get(path).await.status(), 404, "{path}");
    }
    // The main one asks for the token still.
    let main = open.get(format!("{}/metrics", here.url())).send().await.unwrap();
    assert_eq!(main.status(), 401);
    drop(here);
    assert!(open.get(format!("http://{address}/metrics")).send().await.is_err());
}

#[tokio::test]
async fn a_queued_download_is_moved_to_another_client() {
    spec!("torrent-clients#moving-to-another-client/over-rest");
    let folder = tempfile::tempdir().unwrap();
    let client = |name: &str| ClientSetup {
        name: name.to_owned(),
        url: "http://127.0.0.1:1".to_owned(),
        username: String::new(),
        password: String::new(),
        more: String::new(),
    };
    let clients = vec![client("one"), client("two")];
    let here = Daemon::started(Setup { clients, ..Setup::without_client(folder.path()) }).await;
    let id = here.ingest(&hash('a')).await;
    let path = format!("/downloads/{id}/client");
    let moved = here.post(&path, &json!({ "client": "two" })).await.expect(200);
    assert_eq!((&moved["client"], &moved["state"]), (&"two".into(), &"queued".into()));
    assert_eq!(here.tracker(&["move", &id, "one"]).done(), format!("{id}\tqueued\n"));
    let unknown = here.post(&path, &json!({ "client": "three" })).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (422, "unknown-client"));
    let missing = here.post(&path, &json!({})).await.expect(422);
    assert_eq!(missing["errors"][0]["pointer"], "/client");
    here.post(&format!("/downloads/{id}/cancel"), &json!({})).await.expect(200);
    let late = here.post(&path, &json!({ "client": "two" })).await;
    assert_eq!((late.status, late.code().as_str()), (409, "illegal-transition"));
    assert_eq!(here.tracker(&["move", &id, "two"]).code, 5);
}

#[tokio::test]
async fn a_body_that_is_far_too_large_is_answered() {
    spec!("http-api#errors-are-problems/a-body-far-too-large");
    let (_folder, here) = running().await;
    for (kind, size) in [("application/json", 12 << 20), ("application/x-bittorrent", 30 << 20)] {
        let request = here
            .request(Method::POST, "/api/v1/downloads")
            .header("content-type", kind)
            .body(vec![b' '; size]);
        let answer = here.send(request).await;
        assert_eq!((answer.status, answer.code().as_str()), (413, "payload-too-large"), "{kind}");
    }
    // Also where nobody reads the body: what is refused before it is looked at.
    let open = reqwest::Client::builder().no_proxy().build().unwrap();
    for (path, token, kind, status) in [
        ("/api/v1/downloads", false, "application/json", 401),
        ("/api/v1/downloads", true, "text/plain", 415),
        ("/api/v1/downloads/abc/retry", true, "application/json", 404),
        ("/api/v1/nothing", true, "application/json", 404),
        ("/api/v1/events", true, "application/json", 405),
    ] {
        let mut request = open.post(format!("{}{path}", here.url())).header("content-type", kind);
        if token {
            request = request.bearer_auth(here.token());
        }
        let answer = here.send(request.body(vec![b' '; 12 << 20])).await;
        assert_eq!(answer.status, status, "{path} {kind}");
        assert_eq!(answer.headers["content-type"], "application/problem+json");
    }
    let fits = here.upload(vec![b' '; 10 << 20], "").await;
    assert_eq!((fits.status, fits.code().as_str()), (422, "invalid-torrent"));
}

#[tokio::test]
async fn nothing_but_the_open_list_is_answered_without_a_token() {
    spec!("http-api#a-token-comes-first/an-address-that-does-not-exist");
    let (_folder, here) = running().await;
    let open = reqwest::Client::builder().no_proxy().build().unwrap();
    let status = async |method: Method, path: &str, header: Option<(&str, &str)>| {
        let mut request = open.request(method, format!("{}{path}", here.url()));
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        request.send().await.unwrap().status().as_u16()
    };
    for path in ["/healthz", "/readyz", "/ping", "/api/v1/openapi.json", "/problems/stale"] {
        assert_eq!(status(Method::GET, path, None).await, 200, "{path}");
    }
    let token = here.token();
    let in_query = format!("/api/v1/downloads?token={token}");
    for path in ["/", "/metrics", "/nothing", "/api/v1/nothing", "/download/x", &in_query] {
        assert_eq!(status(Method::GET, path, None).await, 401, "{path}");
        assert_eq!(status(Method::DELETE, path, Some(("x-api-key", "wrong"))).await, 401, "{path}");
    }
    assert_eq!(status(Method::GET, "/api/v1/downloads", Some(("x-api-key", &token))).await, 200);
    assert_eq!(status(Method::GET, "/nothing", Some(("x-api-key", &token))).await, 404);
}

#[tokio::test]
async fn an_intake_is_accepted_while_the_client_is_away() {
    spec!("http-api#discovery/a-client-that-does-not-answer");
    let (_folder, here) = running().await;
    let answer = here.post("/downloads", &json!({"magnet": format!(" {} ", hash('A'))})).await;
    let made = answer.expect(201);
    let id = made["download"]["id"].as_str().unwrap();
    assert_eq!(answer.headers["location"], format!("/api/v1/downloads/{id}").as_str());
    assert_eq!(made["created"], true);
    assert_eq!(made["download"]["infohashes"], json!([hash('a')]));
    let members = [
        "id",
        "state",
        "attention",
        "attention_detail",
        "name",
        "infohashes",
        "client",
        "progress",
        "error",
        "merged_into",
        "revision",
        "created_at",
        "updated_at",
    ];
    for member in members {
        assert!(made["download"].get(member).is_some(), "{member}");
    }
    // The same hash in its other spelling.
    let again =
        here.post("/downloads", &json!({"magnet": "VKVKVKVKVKVKVKVKVKVKVKVKVKVKVKVK"})).await;
    assert_eq!(again.expect(200)["download"]["id"], id);

    let discovered = here.get("/discovered").await;
    assert_eq!((discovered.status, discovered.code().as_str()), (503, "client-unreachable"));
    assert!(discovered.headers.contains_key("retry-after"));
    let body = json!({"client": "qb", "infohash": hash('b')});
    let adopted = here.post("/discovered/adopt", &body).await;
    assert_eq!((adopted.status, adopted.code().as_str()), (503, "client-unreachable"));
    assert!(adopted.headers.contains_key("retry-after"));
}
