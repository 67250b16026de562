//! The fake passes the contract, and behaves where that is what tests rely on.
#![allow(clippy::unwrap_used)]

use tracker_domain::observed::{ClientPath, Phase, Scope};
use tracker_domain::ports::{AddOutcome, AddRequest, AddSource, ClientError, TorrentClient};
use tracker_domain::{Infohash, InfohashSet};

use super::{AddMode, ClientCall, ClientOp, FakeClient, FakeTorrent};
use crate::contract::{ContractFixture, torrent_client_contract};

fn v1() -> Infohash {
    "b5f4a7c1a3ada361c59469d90c79d76f5ef07fcd".parse().unwrap()
}

fn v2() -> Infohash {
    "32bcc50c8f5385308227700e85b55929100c875f76ea37a65c595ad930391ac4".parse().unwrap()
}

fn both() -> InfohashSet {
    InfohashSet::new([v1(), v2()]).unwrap()
}

fn magnet(hash: &Infohash) -> AddRequest {
    let xt = match hash {
        Infohash::V1(v1) => format!("urn:btih:{v1}"),
        Infohash::V2(v2) => format!("urn:btmh:1220{v2}"),
    };
    AddRequest {
        source: AddSource::Magnet(format!("magnet:?xt={xt}&dn=Half")),
        save_path: Some(ClientPath("/downloads/one".into())),
        tags: vec!["tracker".into()],
        category: String::new(),
    }
}

#[tokio::test]
async fn the_fake_passes_the_contract() {
    let fixture = ContractFixture::made_up("fake", "/downloads");
    let pack = FakeTorrent::new(fixture.pack().infohashes().clone(), fixture.pack().name());
    let client = FakeClient::new().with_swarm(pack.file("one.mkv", 1000).file("two.mkv", 1000));
    torrent_client_contract(&client, &fixture).await;
}

#[tokio::test]
async fn a_hybrid_changes_its_handle_and_halves_merge() {
    let client = FakeClient::new()
        .with_swarm(FakeTorrent::new(both(), "Film.2023").file("Film.2023/film.mkv", 400));
    assert_eq!(client.add(&magnet(&v1())).await, Ok(AddOutcome::Accepted));
    assert_eq!(client.add(&magnet(&v1())).await, Ok(AddOutcome::Refused));
    assert_eq!(client.add(&magnet(&v2())).await, Ok(AddOutcome::Accepted));
    assert_eq!(client.torrents().len(), 2);
    client.reveal(&v1());
    let seen = client.observe(&Scope::Ours).await.unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].infohashes, both());
    assert_eq!(seen[0].handle.0, v2().to_string()[..40]);
    assert_eq!(seen[0].size_bytes, Some(400));
    // What it was called first finds nothing now.
    assert!(client.observe(&Scope::Infohashes(vec![v1()])).await.unwrap().is_empty());
    assert_eq!(client.observe(&Scope::Infohashes(vec![v2()])).await.unwrap().len(), 1);
    client.complete(&v1());
    assert_eq!(client.torrent(&v2()).unwrap().phase, Phase::Complete);
    assert!(client.files(&seen[0].handle).await.unwrap().iter().all(|file| file.complete));
}

#[tokio::test]
async fn calls_fail_as_told() {
    let client = FakeClient::new();
    client.fail_nth(ClientOp::Observe, 2, ClientError::Denied("told".into()));
    assert!(client.observe(&Scope::Ours).await.is_ok());
    assert_eq!(client.observe(&Scope::Ours).await, Err(ClientError::Denied("told".into())));
    assert!(client.observe(&Scope::Ours).await.is_ok());
    client.unreachable();
    assert!(matches!(client.probe().await, Err(ClientError::Unreachable(_))));
    client.set_down(None);
    client.set_add_mode(AddMode::AddedButUnclear);
    assert!(matches!(client.add(&magnet(&v1())).await, Err(ClientError::Unreachable(_))));
    assert!(client.torrent(&v1()).is_some());
    client.list_empty(true);
    assert!(client.observe(&Scope::Everything).await.unwrap().is_empty());
    client.list_empty(false);
    client.lose(&v1());
    assert!(client.torrents().is_empty());
    assert_eq!(client.calls().iter().filter(|call| **call == ClientCall::Probe).count(), 1);
    assert_eq!(client.adds().len(), 1);
}

#[tokio::test]
async fn a_held_call_waits() {
    let client = std::sync::Arc::new(FakeClient::new());
    let hold = client.hold(ClientOp::Add);
    let adding = tokio::spawn({
        let client = client.clone();
        async move { client.add(&magnet(&v1())).await }
    });
    hold.arrived().await;
    assert!(client.torrents().is_empty());
    hold.release();
    assert_eq!(adding.await.unwrap(), Ok(AddOutcome::Accepted));
}
