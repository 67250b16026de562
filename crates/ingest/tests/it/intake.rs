//! What becomes of an intake.

use tracker_domain::event::EventType;
use tracker_domain::{DownloadState, Torrent};
use tracker_ingest::NewIntake;
use tracker_testkit::made_up::{Kind, torrent};
use tracker_testkit::spec;

use crate::fixture::{Fixture, magnet, person, v1};

fn of(torrent: &Torrent, client: Option<&str>) -> NewIntake {
    let mut intake = NewIntake::of_torrent(torrent);
    intake.client = client.map(str::to_owned);
    intake.default_client = Some("main".to_owned());
    intake
}

#[tokio::test]
async fn the_latest_word_of_a_person_wins() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/a-person-s-words");
    let fixture = Fixture::new();
    let words = |hint: &str, pin: &str| {
        let mut intake = NewIntake::of_magnet(&magnet(&[v1(1)]));
        intake.hint = Some(hint.to_owned());
        intake.pin = Some(pin.to_owned());
        intake.library = Some("films".to_owned());
        intake
    };
    let first = fixture.take(words("a hint", "tmdb:1")).await;
    let second = fixture.take(words("a hint", "tmdb:2")).await;
    let third = fixture.take(words("another", "tmdb:2")).await;
    assert!(first.created && !second.created && !third.created);
    assert_eq!((second.id, third.id), (first.id, first.id));
    let (hints, overrides) =
        fixture.read(move |tx| Ok((tx.hints(first.id)?, tx.overrides(first.id)?))).await;
    assert_eq!(hints, ["a hint", "another"]);
    let expected = [("candidate", "tmdb:2"), ("library", "films")];
    assert_eq!(overrides, expected.map(|(field, value)| (field.to_owned(), value.to_owned())));
    let set = fixture.events(EventType::OverrideSet).await;
    assert!(set.iter().all(|event| event.actor == person().to_string()));
}

#[tokio::test]
async fn a_torrent_file_merges_the_halves() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/a-torrent-file-proves-its-hashes");
    let fixture = Fixture::new();
    let file = torrent(Kind::Hybrid, "Film.2020.mkv");
    let hashes: Vec<_> = file.infohashes().iter().collect();
    let older = fixture.accept(&hashes[..1]).await;
    let mut named = NewIntake::of_magnet(&magnet(&hashes[1..]));
    // The default client by name is the same client.
    named.client = Some("main".to_owned());
    let newer = fixture.take(named).await.id;
    assert_ne!(older, newer);
    let accepted = fixture.take(of(&file, None)).await;
    assert_eq!((accepted.id, accepted.created), (older, false));
    assert_eq!(fixture.hashes(older).await, hashes);
    assert_eq!(fixture.state(newer).await, DownloadState::Merged);
    assert!(fixture.read(move |tx| tx.torrent_file(older)).await.is_some());
    assert_eq!(fixture.events(EventType::DownloadInfohashRefused).await, vec![]);
    let merged = fixture.events(EventType::DownloadMerged).await;
    assert_eq!(merged.len(), 2);
    assert!(merged.iter().all(|event| event.actor == person().to_string()));
}

#[tokio::test]
async fn a_torrent_file_merges_nothing_across_clients() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/a-torrent-file-across-clients");
    let fixture = Fixture::new();
    let file = torrent(Kind::Hybrid, "Film.2020.mkv");
    let hashes: Vec<_> = file.infohashes().iter().collect();
    let older = fixture.accept(&hashes[..1]).await;
    let mut elsewhere = NewIntake::of_magnet(&magnet(&hashes[1..]));
    elsewhere.client = Some("other".to_owned());
    let newer = fixture.take(elsewhere).await.id;
    assert_eq!(fixture.take(of(&file, None)).await.id, older);
    assert_eq!(fixture.hashes(older).await, &hashes[..1]);
    assert_eq!(fixture.hashes(newer).await, &hashes[1..]);
    assert_eq!(fixture.events(EventType::DownloadInfohashRefused).await.len(), 1);
}

#[test]
fn what_may_carry_a_passkey_is_not_shown_for_debugging() {
    let text = format!("magnet:?xt=urn:btih:{}&tr=udp://t.example:80/secret-passkey", v1(1));
    let magnet = tracker_domain::Magnet::parse(&text).unwrap();
    assert!(magnet.to_link().contains("secret-passkey"));
    let shown = format!("{:?}", NewIntake::of_magnet(&magnet));
    assert!(!shown.contains("secret-passkey") && !shown.contains("magnet:"), "{shown}");
}
