//! What is asked of the torrent clients over REST.

use tracker_domain::{Infohash, InfohashSet};
use tracker_testkit::{FakeTorrent, spec};

use crate::fixture::Daemon;

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
