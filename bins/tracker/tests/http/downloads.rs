//! Downloads over REST.

use axum::http::Method;
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon, NOBODY};

#[tokio::test]
async fn an_intake_is_created_once() {
    spec!("http-api#intake/a-link-twice");
    let daemon = Daemon::start().await;
    let first = daemon.ingest('a').await;
    assert_eq!(first.status.as_u16(), 201, "{}", first.text);
    let body = first.json();
    assert_eq!(body["created"], true);
    let id = body["download"]["id"].as_str().unwrap();
    assert_eq!(first.header("location"), format!("/api/v1/downloads/{id}"));
    assert_eq!(body["download"]["state"], "queued");
    assert_eq!(body["download"]["infohashes"], serde_json::json!(["a".repeat(40)]));

    let again = daemon.ingest('A').await;
    assert_eq!(again.status.as_u16(), 200);
    assert_eq!(again.json()["created"], false);
    assert_eq!(again.json()["download"]["id"], id);
}

#[tokio::test]
async fn a_file_is_taken_like_a_link() {
    spec!("http-api#intake/a-file");
    let daemon = Daemon::start().await;
    let mut body = b"d4:infod6:lengthi1e4:name1:a12:piece lengthi16384e6:pieces20:".to_vec();
    body.extend_from_slice(&[7; 20]);
    body.extend_from_slice(b"ee");
    let headers = vec![("content-type", "application/x-bittorrent")];
    let path = "/api/v1/downloads?hint=film";
    let answer = daemon.ask(Ask { method: Method::POST, path, headers, body }).await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text);
    assert_eq!(answer.json()["download"]["name"], "a");
}

#[tokio::test]
async fn the_location_has_the_base_path() {
    let daemon = Daemon::below("/tracker").await;
    let answer = daemon.ingest('a').await;
    assert!(answer.header("location").starts_with("/tracker/api/v1/downloads/"));
}

#[tokio::test]
async fn a_list_goes_on_where_its_page_ended() {
    spec!("http-api#lists/page-after-page");
    let daemon = Daemon::start().await;
    let mut made = Vec::new();
    for digit in ['a', 'b', 'c'] {
        made.push(daemon.accepted(digit).await);
    }
    made.reverse();
    let first = daemon.get("/api/v1/downloads?limit=2").await.json();
    let next = first["next"].as_str().unwrap().to_uppercase();
    let second = daemon.get(&format!("/api/v1/downloads?limit=2&before={next}")).await.json();
    assert_eq!(second["next"], serde_json::Value::Null);
    let pages = [&first, &second];
    let found: Vec<&str> = pages
        .iter()
        .flat_map(|page| page["items"].as_array().unwrap())
        .map(|item| item["id"].as_str().unwrap())
        .collect();
    assert_eq!(found, made);
    let none = daemon.get("/api/v1/downloads?state=done&state=failed").await.json();
    assert_eq!(none["items"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn an_id_is_found_in_any_letter_case() {
    spec!("http-api#ids-of-any-form/upper-case");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let answer = daemon.get(&format!("/api/v1/downloads/{}", id.to_uppercase())).await;
    assert_eq!(answer.json()["id"], id);
}

#[tokio::test]
async fn the_id_of_another_kind_says_what_it_is() {
    spec!("http-api#ids-of-any-form/another-kind");
    let daemon = Daemon::below("/base").await;
    daemon.accepted('a').await;
    let events = daemon.get("/api/v1/events?type=download.created").await.json();
    let event = events["items"][0]["id"].as_str().unwrap().to_owned();
    for place in ["/api/v1/downloads", "/download"] {
        let answer = daemon.get(&format!("{place}/{event}")).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (404, "wrong-entity-kind"));
        assert_eq!(answer.json()["kind"], "event");
        assert_eq!(answer.json()["url"], format!("/base/api/v1/events/{event}"));
    }
}

async fn change(daemon: &Daemon, path: &str, revision: &str, json: &str) -> Answer {
    let headers = vec![("content-type", "application/json"), ("if-match", revision)];
    let body = json.as_bytes().to_vec();
    daemon.ask(Ask { method: Method::POST, path, headers, body }).await
}

#[tokio::test]
async fn a_change_for_another_revision_is_refused() {
    spec!("http-api#changes/for-another-revision");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/api/v1/downloads/{id}/cancel");
    let stale = change(&daemon, &path, "\"999999\"", "{}").await;
    assert_eq!((stale.status.as_u16(), stale.code().as_str()), (409, "stale"));
    let present = &stale.json()["download"];
    assert_eq!(present["id"], id);
    assert_eq!(present["state"], "queued");

    assert_eq!(change(&daemon, &path, "seven", "{}").await.code(), "invalid-request");

    let revision = format!("W/\"{}\"", present["revision"]);
    let done = change(&daemon, &path, &revision, "{}").await;
    assert_eq!(done.status.as_u16(), 200, "{}", done.text);
    assert_eq!(done.json()["state"], "cancelled");
}

#[tokio::test]
async fn what_the_state_does_not_allow_is_a_conflict() {
    spec!("http-api#changes/not-possible-in-this-state");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let retry = daemon.post(&format!("/api/v1/downloads/{id}/retry"), "{}").await;
    assert_eq!((retry.status.as_u16(), retry.code().as_str()), (409, "illegal-transition"));
    let bad =
        daemon.post(&format!("/api/v1/downloads/{id}/cancel"), r#"{"delete_data":true}"#).await;
    assert_eq!((bad.status.as_u16(), bad.code().as_str()), (422, "invalid-request"));

    let path = format!("/api/v1/downloads/{id}/cancel");
    let ask = Ask { method: Method::POST, path: &path, ..Ask::default() };
    assert_eq!(daemon.ask(ask).await.json()["state"], "cancelled");

    daemon.accepted('a').await;
    let owned = daemon.post(&format!("/api/v1/downloads/{id}/retry"), "{}").await;
    assert_eq!((owned.status.as_u16(), owned.code().as_str()), (409, "infohash-owned"));
    assert!(owned.json()["owner_id"].is_string());
}

#[tokio::test]
async fn a_download_is_removed() {
    spec!("http-api#changes/removed");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/api/v1/downloads/{id}/remove");
    let open = daemon.post(&path, "{}").await;
    assert_eq!((open.status.as_u16(), open.code().as_str()), (409, "illegal-transition"));
    assert!(open.text.contains("cancel it first"), "{}", open.text);
    daemon.post(&format!("/api/v1/downloads/{id}/cancel"), "{}").await;
    let data = daemon.post(&path, r#"{"delete_data":true}"#).await;
    assert_eq!(
        (data.status.as_u16(), &data.json()["errors"][0]["pointer"]),
        (422, &"/delete_data".into())
    );
    let stale = change(&daemon, &path, "\"999999\"", "{}").await;
    assert_eq!((stale.status.as_u16(), stale.code().as_str()), (409, "stale"));
    let before = &stale.json()["download"];
    assert_eq!(before["hidden_at"], serde_json::Value::Null);

    // Another one has the torrent by now.
    let second = daemon.accepted('a').await;
    let owned = daemon.post(&path, r#"{"remove_torrent":true}"#).await;
    assert_eq!(
        (owned.code().as_str(), &owned.json()["owner_id"]),
        ("infohash-owned", &second.into())
    );

    // Without a body it is forgotten, and nothing else.
    let ask = Ask { method: Method::POST, path: &path, ..Ask::default() };
    let removed = daemon.ask(ask).await;
    assert_eq!(removed.status.as_u16(), 200, "{}", removed.text);
    let told = removed.json();
    assert_eq!((&told["id"], &told["left"]), (&id.as_str().into(), &serde_json::json!([])));
    assert!(told["hidden_at"].is_string());
    assert_eq!(told["revision"].as_u64(), before["revision"].as_u64().map(|was| was + 1));
    let again = daemon.post(&path, r#"{"links":true}"#).await;
    assert_eq!((again.status.as_u16(), &again.json()["revision"]), (200, &told["revision"]));

    let listed = async |query: &str| {
        let page = daemon.get(&format!("/api/v1/downloads?{query}")).await.json();
        page["items"].as_array().unwrap().len()
    };
    assert_eq!((listed("").await, listed("hidden=true").await), (1, 2));
    let shown = daemon.get(&format!("/api/v1/downloads/{id}")).await.json();
    assert_eq!((&shown["hidden_at"], &shown["state"]), (&told["hidden_at"], &"cancelled".into()));
    let nobody = daemon.post(&format!("/api/v1/downloads/{NOBODY}/remove"), "{}").await;
    assert_eq!((nobody.status.as_u16(), nobody.code().as_str()), (404, "not-found"));
}

#[tokio::test]
async fn a_download_is_paused_and_resumed() {
    spec!("http-api#changes/paused-and-resumed");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = |what: &str| format!("/api/v1/downloads/{id}/{what}");
    assert_eq!(daemon.get(&format!("/api/v1/downloads/{id}")).await.json()["paused"], false);
    let stale = change(&daemon, &path("pause"), "\"999999\"", "").await;
    assert_eq!((stale.status.as_u16(), stale.code().as_str()), (409, "stale"));
    for (what, paused) in [("pause", true), ("pause", true), ("resume", false), ("resume", false)] {
        let ask = Ask { method: Method::POST, path: &path(what), ..Ask::default() };
        let answer = daemon.ask(ask).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
        assert_eq!(
            (&answer.json()["paused"], &answer.json()["state"]),
            (&paused.into(), &"queued".into())
        );
    }
    daemon.post(&path("cancel"), "{}").await;
    for what in ["pause", "resume"] {
        let refused = daemon.post(&path(what), "").await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "illegal-transition"));
        let nobody = daemon.post(&format!("/api/v1/downloads/{NOBODY}/{what}"), "").await;
        assert_eq!((nobody.status.as_u16(), nobody.code().as_str()), (404, "not-found"));
    }
}

#[tokio::test]
async fn a_download_is_put_first() {
    spec!("daily-use#priority/priority-over-rest");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/api/v1/downloads/{id}/priority");
    for place in ["first", "last"] {
        let answer = daemon.post(&path, &format!(r#"{{"place":"{place}"}}"#)).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["id"]), (200, &id.clone().into()));
    }
    let wrong = daemon.post(&path, r#"{"place":"7"}"#).await;
    assert_eq!((wrong.status.as_u16(), wrong.code().as_str()), (422, "invalid-request"));
    assert_eq!(wrong.json()["errors"][0]["pointer"], "/place");
    assert_eq!(daemon.post(&path, "{}").await.json()["errors"][0]["pointer"], "/place");
    let stale = change(&daemon, &path, "\"999999\"", r#"{"place":"first"}"#).await;
    assert_eq!((stale.status.as_u16(), stale.code().as_str()), (409, "stale"));
    let nobody =
        daemon.post(&format!("/api/v1/downloads/{NOBODY}/priority"), r#"{"place":"first"}"#).await;
    assert_eq!((nobody.status.as_u16(), nobody.code().as_str()), (404, "not-found"));
}

#[tokio::test]
async fn options_that_name_nothing_are_refused() {
    spec!("http-api#intake/options-that-name-nothing");
    let daemon = Daemon::start().await;
    let hash = "d".repeat(40);
    for (member, value, code) in [
        ("client", "no-such", "unknown-client"),
        ("library", "no-such", "unknown-library"),
        ("pin", "nonsense", "invalid-pin"),
    ] {
        let body = format!(r#"{{"magnet":"{hash}","{member}":"{value}"}}"#);
        let answer = daemon.post("/api/v1/downloads", &body).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, code));
    }
    assert_eq!(daemon.get("/api/v1/downloads").await.json()["items"], serde_json::json!([]));
}

#[tokio::test]
async fn any_id_is_found_among_the_entities() {
    let daemon = Daemon::below("/base").await;
    let id = daemon.accepted('a').await;
    let found = daemon.get(&format!("/api/v1/entities/{}", id.to_uppercase())).await.json();
    assert_eq!(found["kind"], "download");
    assert_eq!(found["id"], id);
    assert_eq!(found["url"], format!("/base/api/v1/downloads/{id}"));
    assert_eq!(daemon.get(&format!("/api/v1/entities/{NOBODY}")).await.code(), "not-found");
}

#[tokio::test]
async fn adopting_names_what_is_wrong() {
    let daemon = Daemon::start().await;
    let path = "/api/v1/discovered/adopt";
    let bad = daemon.post(path, r#"{"client":"x","infohash":"12"}"#).await;
    assert_eq!(bad.code(), "invalid-request");
    assert_eq!(bad.json()["errors"][0]["pointer"], "/infohash");
    let missing = daemon.post(path, r#"{"client":"x"}"#).await;
    assert_eq!(missing.json()["errors"][0]["pointer"], "/infohash");
}
