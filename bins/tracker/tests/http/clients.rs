//! What is asked of the torrent clients over REST.

use axum::http::Method;
use tracker_domain::observed::RemoteFile;
use tracker_domain::{Actor, Infohash, InfohashSet};
use tracker_testkit::{FakeTorrent, spec};

use crate::fixture::{Ask, Daemon, NOBODY};

fn hash(digit: char) -> Infohash {
    Infohash::from_any_form(&digit.to_string().repeat(40)).unwrap()
}

#[tokio::test]
async fn a_foreign_torrent_is_listed_and_adopted() {
    spec!("http-api#discovery/a-torrent-of-nobody");
    let daemon = Daemon::start().await;
    let torrent = FakeTorrent::new(InfohashSet::one(hash('a')), "Foreign").file("Foreign.mkv", 7);
    daemon.client.put(torrent.complete());

    let list = daemon.get("/api/v1/discovered").await.json();
    assert_eq!(list["next"], serde_json::Value::Null);
    let item = &list["items"][0];
    assert_eq!((&item["client"], &item["name"]), (&"qb".into(), &"Foreign".into()));
    assert_eq!(item["infohashes"], serde_json::json!(["a".repeat(40)]));

    let body = format!(r#"{{"client":"qb","infohash":"{}"}}"#, "A".repeat(40));
    let adopted = daemon.post("/api/v1/discovered/adopt", &body).await;
    assert_eq!(adopted.status.as_u16(), 201, "{}", adopted.text);
    assert!(adopted.header("location").starts_with("/api/v1/downloads/"));
    assert_eq!(adopted.json()["download"]["state"], "downloading");

    assert_eq!(daemon.get("/api/v1/discovered").await.json()["items"], serde_json::json!([]));
    let none = format!(r#"{{"infohash":"{}"}}"#, "b".repeat(40));
    assert_eq!(daemon.post("/api/v1/discovered/adopt", &none).await.code(), "not-found");
}

#[tokio::test]
async fn a_client_that_is_away_is_said_to_be_so() {
    spec!("http-api#discovery/a-client-that-does-not-answer");
    let daemon = Daemon::start().await;
    daemon.client.unreachable();
    let answer = daemon.get("/api/v1/discovered").await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (503, "client-unreachable"));
    assert_eq!(answer.header("retry-after"), "10");
    assert_eq!(answer.json()["client"], "qb");
    assert_eq!(daemon.ingest('c').await.status.as_u16(), 201);
}

#[tokio::test]
async fn many_are_taken_over_in_one_call() {
    spec!("daily-use#moving-in-with-a-client/over-rest");
    let daemon = Daemon::start().await;
    for digit in ['a', 'b'] {
        let torrent = FakeTorrent::new(InfohashSet::one(hash(digit)), "Foreign").file("F.mkv", 7);
        daemon.client.put(torrent.complete());
    }
    let there = daemon.get("/api/v1/discovered/clients").await.json();
    assert_eq!(
        (&there["items"][0]["client"], &there["items"][0]["known"]),
        (&"qb".into(), &0.into())
    );
    assert_eq!(there["items"][0]["torrents"].as_array().unwrap().len(), 2);
    let nobody = daemon.get("/api/v1/discovered/clients?client=nobody").await;
    assert_eq!((nobody.status.as_u16(), nobody.code().as_str()), (422, "unknown-client"));

    let path = "/api/v1/discovered/adopt-many";
    let (a, b, c) = ("a".repeat(40), "B".repeat(40), "c".repeat(40));
    let body = format!(r#"{{"client":"qb","infohashes":["{a}","{c}","{b}","{a}"]}}"#);
    let answer = daemon.post(path, &body).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
    let items = answer.json()["items"].clone();
    let created: Vec<_> = (0..4).map(|at| items[at]["created"].clone()).collect();
    assert_eq!(created, [true, false, true, false]);
    assert_eq!(items[1]["error"]["code"], "not-found");
    assert_eq!(items[0]["download"]["id"], items[3]["download"]["id"]);

    let many = format!(r#"{{"infohashes":[{}"{a}"]}}"#, format!("\"{a}\",").repeat(200));
    for wrong in
        [r#"{"infohashes":[]}"#, r#"{"infohashes":["x"]}"#, r#"{"infohashes":[7]}"#, "{}", &many]
    {
        let refused = daemon.post(path, wrong).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "invalid-request"));
        let pointer = refused.json()["errors"][0]["pointer"].as_str().unwrap().to_owned();
        assert!(pointer.starts_with("/infohashes"), "{pointer}");
    }
}

#[tokio::test]
async fn files_are_listed_and_chosen() {
    spec!("daily-use#choosing-files/the-files-over-rest");
    let daemon = Daemon::start().await;
    let put = async |path: &str, json: &str, revision: &str| {
        let headers = vec![("content-type", "application/json"), ("if-match", revision)];
        let body = json.as_bytes().to_vec();
        daemon.ask(Ask { method: Method::PUT, path, headers, body }).await
    };
    let id = daemon.accepted('a').await;
    let path = format!("/api/v1/downloads/{id}/files");
    assert_eq!(daemon.get(&path).await.json()["items"], serde_json::json!([]));
    let early = put(&path, r#"{"skip":[0]}"#, "*").await;
    assert_eq!((early.status.as_u16(), early.code().as_str()), (409, "illegal-transition"));

    let key = id.parse().unwrap();
    let file = |index: u32| RemoteFile {
        index,
        path: format!("Pack/{index}.mkv"),
        size_bytes: 7,
        selected: true,
        complete: false,
    };
    let files = [file(0), file(1)];
    daemon.db.write(&Actor::Worker, move |tx| tx.set_files(key, &files)).await.unwrap();
    let chosen = put(&path, r#"{"skip":[1]}"#, "*").await;
    assert_eq!(chosen.status.as_u16(), 200, "{}", chosen.text);
    let told = serde_json::json!([
        {"index": 0, "path": "Pack/0.mkv", "size": 7, "wanted": true},
        {"index": 1, "path": "Pack/1.mkv", "size": 7, "wanted": false},
    ]);
    assert_eq!(chosen.json()["items"], told);
    assert_eq!(daemon.get(&path).await.json()["items"], told);

    for wrong in
        [r#"{"skip":[2]}"#, r#"{"skip":[0,1]}"#, r#"{"skip":["0"]}"#, r#"{"skip":[-1]}"#, "{}"]
    {
        let refused = put(&path, wrong, "*").await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "invalid-request"));
        let pointer = refused.json()["errors"][0]["pointer"].as_str().unwrap().to_owned();
        assert!(pointer.starts_with("/skip"), "{pointer}");
    }
    assert_eq!(put(&path, r#"{"skip":[]}"#, "\"99\"").await.code(), "stale");
    let nobody = put(&format!("/api/v1/downloads/{NOBODY}/files"), "{", "*").await;
    assert_eq!((nobody.status.as_u16(), nobody.code().as_str()), (404, "not-found"));
}
