//! Space that turns out to be too little when the size becomes known.

use tracker_domain::observed::Phase;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::{FakeTorrent, spec};

use super::fixture::{FILM, Fixture, film, one, v1};

#[tokio::test]
async fn what_does_not_fit_is_stopped() {
    spec!("ingest#hand-over/too-little-space-with-the-metadata");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.disk.set_free_bytes(399);
    fixture.client.edit(&v1(1), |there| there.files = film(one(v1(1))).files);
    fixture.client.reveal(&v1(1));
    fixture.tick().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::DiskFull));
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Stopped);
    // A retry without room stops where it was, with the mark.
    fixture.retry(id).await;
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Stopped);
    assert_eq!(fixture.mark(id).await, Some(Attention::DiskFull));
    fixture.disk.set_free_bytes(400);
    fixture.retry(id).await;
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Downloading);
    assert_eq!(fixture.mark(id).await, None);
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
}

#[tokio::test]
async fn what_does_not_fit_is_stopped_after_a_check() {
    spec!("ingest#hand-over/too-little-space-while-the-client-reads");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.disk.set_free_bytes(399);
    fixture.client.reveal(&v1(1));
    fixture.client.edit(&v1(1), |there| {
        there.files = film(one(v1(1))).files;
        there.phase = Phase::Starting;
    });
    fixture.tick().await;
    assert!(fixture.row(id).await.metadata_at.is_some());
    assert_eq!(fixture.mark(id).await, None);
    fixture.client.edit(&v1(1), |there| there.phase = Phase::Downloading);
    fixture.tick().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::DiskFull));
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Stopped);
}

#[tokio::test]
async fn what_is_there_already_needs_nothing() {
    spec!("ingest#hand-over/what-is-there-needs-no-space");
    let fixture = Fixture::new();
    fixture.disk.set_free_bytes(1);
    // One is there and whole, one is somebody's and on its way.
    let theirs = |number: u8| {
        FakeTorrent::new(one(v1(number)), FILM)
            .saved_to("/downloads")
            .downloading()
            .file("film.mkv", 400)
    };
    fixture.client.put(theirs(1).complete());
    fixture.client.put(theirs(2));
    let whole = fixture.accept(&[v1(1)], FILM).await;
    let theirs = fixture.accept(&[v1(2)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.tick().await;
    fixture.wishes().await;
    assert_eq!(fixture.mark(whole).await, None);
    assert_eq!(fixture.mark(theirs).await, None);
    assert_eq!(fixture.client.torrent(&v1(2)).unwrap().phase, Phase::Downloading);
    assert!(fixture.row(theirs).await.metadata_at.is_some());
}

#[tokio::test]
async fn what_was_compared_before_is_not_stopped() {
    let fixture = Fixture::new();
    let file = tracker_testkit::made_up::torrent(tracker_testkit::made_up::Kind::V1, "Film.mkv");
    let hash = file.infohashes().iter().next().unwrap();
    let intake = tracker_ingest::NewIntake::of_torrent(&file);
    let accepted = tracker_ingest::accept(&fixture.db, intake, &super::fixture::person()).await;
    let id = accepted.unwrap().id;
    fixture.disk.set_free_bytes(1000);
    fixture.tick().await;
    fixture.hand_over().await;
    // The client has set the space aside, and not a byte has come.
    fixture.disk.set_free_bytes(0);
    fixture.tick().await;
    assert!(fixture.row(id).await.metadata_at.is_some());
    assert_eq!(fixture.mark(id).await, None);
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&hash).unwrap().phase, Phase::Downloading);
}
