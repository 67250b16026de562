//! Wishes to the client, and what answers them.

use tracker_domain::observed::Phase;
use tracker_domain::{DownloadState, InfohashSet};
use tracker_ingest::Wish;
use tracker_store::TaskKind;
use tracker_testkit::{AddMode, ClientCall, FakeTorrent, spec};

use super::fixture::{FILM, Fixture, both, film, one, v1};

/// Accepted, sent and shown.
async fn shown(fixture: &Fixture) -> tracker_domain::DownloadId {
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    id
}

#[tokio::test]
async fn a_wish_waits_for_the_client() {
    spec!("ingest#wishes-to-the-client/carried-out-later");
    let fixture = Fixture::new();
    let id = shown(&fixture).await;
    fixture.client.unreachable();
    fixture.cancel(id, Wish::Leave).await;
    fixture.wishes().await;
    assert_eq!(fixture.open_wishes().await, [TaskKind::Release, TaskKind::Stop]);
    fixture.listing().await;
    fixture.client.set_down(None);
    fixture.listing().await;
    fixture.wishes().await;
    assert_eq!(fixture.open_wishes().await, []);
    let torrent = fixture.client.torrent(&v1(1)).unwrap();
    assert_eq!(torrent.phase, Phase::Stopped);
    assert_eq!(torrent.tags, ["tracker"]);
}

#[tokio::test]
async fn an_active_one_is_neither_stopped_nor_removed() {
    spec!("ingest#wishes-to-the-client/active-again");
    for wish in [Wish::Leave, Wish::Remove, Wish::RemoveData] {
        let fixture = Fixture::new();
        let id = shown(&fixture).await;
        fixture.cancel(id, wish).await;
        fixture.retry(id).await;
        fixture.wishes().await;
        assert_eq!(fixture.open_wishes().await, []);
        fixture.hand_over().await;
        fixture.wishes().await;
        let torrent = fixture.client.torrent(&v1(1)).unwrap();
        assert_eq!(torrent.phase, Phase::Metadata);
        assert!(torrent.tags.contains(&format!("tracker-{id}")));
        assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    }
}

#[tokio::test]
async fn a_retry_starts_what_was_stopped() {
    let fixture = Fixture::new();
    let id = shown(&fixture).await;
    fixture.cancel(id, Wish::Leave).await;
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Stopped);
    fixture.retry(id).await;
    fixture.hand_over().await;
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Metadata);
    assert_eq!(fixture.client.adds().len(), 1);
}

#[tokio::test]
async fn the_torrent_of_another_active_download_stays() {
    spec!("ingest#wishes-to-the-client/taken-in-again");
    let fixture = Fixture::new();
    let first = shown(&fixture).await;
    fixture.cancel(first, Wish::RemoveData).await;
    let again = fixture.accept(&[v1(1)], FILM).await;
    fixture.wishes().await;
    fixture.hand_over().await;
    fixture.wishes().await;
    assert_eq!(fixture.open_wishes().await, []);
    let removed = |call: &ClientCall| matches!(call, ClientCall::Remove(..));
    assert!(!fixture.client.calls().iter().any(removed));
    assert_eq!(fixture.state(again).await, DownloadState::Downloading);
    let tags = fixture.tags(v1(1));
    assert!(tags.contains(&format!("tracker-{again}")), "{tags:?}");
    assert!(!tags.contains(&format!("tracker-{first}")), "{tags:?}");
}

#[tokio::test]
async fn what_is_shown_late_is_stopped() {
    spec!("ingest#wishes-to-the-client/shown-late");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.client.set_add_mode(AddMode::Pending);
    fixture.hand_over().await;
    fixture.cancel(id, Wish::Leave).await;
    fixture.wishes().await;
    assert_eq!(fixture.open_wishes().await, [TaskKind::Release, TaskKind::Stop]);
    let late = FakeTorrent::new(one(v1(1)), FILM)
        .saved_to(&format!("/downloads/{id}"))
        .ours()
        .tagged(&format!("tracker-{id}"));
    fixture.client.put(late);
    fixture.clock.advance_seconds(2);
    fixture.wishes().await;
    let torrent = fixture.client.torrent(&v1(1)).unwrap();
    assert_eq!((torrent.phase, torrent.tags), (Phase::Stopped, vec!["tracker".to_owned()]));
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn what_never_shows_is_not_waited_for_for_ever() {
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.client.set_add_mode(AddMode::Pending);
    fixture.hand_over().await;
    fixture.cancel(id, Wish::Leave).await;
    for _ in 0..6 {
        fixture.wishes().await;
        fixture.clock.advance_seconds(60);
    }
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn the_own_tag_is_that_of_the_active() {
    spec!("ingest#wishes-to-the-client/the-mark-of-the-active");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.tags(v1(1)), ["tracker".to_owned(), format!("tracker-{id}")]);
    fixture.wishes().await;
    assert_eq!(fixture.tags(v1(1)), ["tracker"]);
    // One that was there gets both while it is ours to follow.
    fixture.client.put(FakeTorrent::new(both(2), "Theirs"));
    let found = fixture.accept(&[v1(2)], "Theirs").await;
    fixture.hand_over().await;
    fixture.wishes().await;
    assert_eq!(fixture.tags(v1(2)), ["tracker".to_owned(), format!("tracker-{found}")]);
    fixture.cancel(found, Wish::Leave).await;
    fixture.wishes().await;
    assert_eq!(fixture.tags(v1(2)), ["tracker"]);
    assert_eq!(fixture.client.torrent(&v1(2)).unwrap().phase, Phase::Metadata);
}

#[tokio::test]
async fn a_torrent_that_was_never_ours_is_not_stopped() {
    spec!("ingest#wishes-to-the-client/found-and-never-ours");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    // Sent, and given up before anybody has looked what became of it.
    fixture.client.set_add_mode(AddMode::Pending);
    fixture.hand_over().await;
    fixture.cancel(id, Wish::Leave).await;
    let hashes: InfohashSet = one(v1(1));
    fixture.client.put(FakeTorrent::new(hashes, "Theirs").saved_to("/elsewhere").downloading());
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Downloading);
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn a_tag_goes_with_its_torrent() {
    let fixture = Fixture::new();
    let id = shown(&fixture).await;
    fixture.client.lose(&v1(1));
    fixture.cancel(id, Wish::Leave).await;
    fixture.client.forget_calls();
    fixture.wishes().await;
    let dropped = fixture.client.calls().into_iter().find_map(|call| match call {
        ClientCall::DropTags(_, tags) => Some(tags),
        _ => None,
    });
    assert_eq!(dropped, Some(vec![format!("tracker-{id}")]));
    assert_eq!(fixture.open_wishes().await, []);
}
