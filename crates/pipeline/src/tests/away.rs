//! Clients that are away, and torrents that come back.

use tracker_domain::event::EventType;
use tracker_domain::health::Level;
use tracker_domain::ports::ClientError;
use tracker_domain::{Attention, DownloadCause, DownloadState};
use tracker_ingest::{NewIntake, Wish, accept};
use tracker_store::Reason;
use tracker_testkit::{AddMode, ClientOp, spec};

use super::fixture::{FILM, Fixture, film, one, person, v1, v2};
use crate::{Pipeline, Policy};

#[tokio::test]
async fn without_a_client_downloads_wait() {
    spec!("pipeline#clients-come-and-go/no-client");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    let alone = Pipeline::new(
        fixture.db.clone(),
        tracker_ingest::Clients::default(),
        fixture.disk.clone(),
        Vec::new(),
        Policy::default(),
    );
    crate::clients::pass(&alone).await.unwrap();
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Queued, None));
    assert!(row.next_attempt_at.is_some());
    use tracker_domain::ports::Live;
    let checks = alone.board().checks();
    let check = checks.iter().find(|check| check.code == "no-client").unwrap();
    assert!(check.level == Level::Warning && check.remedy.contains("[[client]]"));
    crate::clients::pass(&fixture.pipeline).await.unwrap();
    assert_eq!(fixture.health("no-client"), None);
}

#[tokio::test]
async fn an_unknown_client_is_marked_until_it_is_known() {
    spec!("pipeline#clients-come-and-go/client-not-configured");
    let fixture = Fixture::new();
    let link = format!("magnet:?xt=urn:btih:{}", v1(1));
    let mut intake = NewIntake::of_magnet(&tracker_domain::Magnet::parse(&link).unwrap());
    intake.client = Some("gone".to_owned());
    let id = accept(&fixture.db, intake, &person()).await.unwrap().id;
    fixture.tick().await;
    fixture.clients().await;
    fixture.hand_over().await;
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
    assert_eq!(fixture.mark(id).await, Some(Attention::ClientUnknown));
    assert!(fixture.detail(id).await.contains("gone"));
    assert_eq!(fixture.client.adds(), vec![]);
    let revision = fixture.row(id).await.revision;
    fixture.clients().await;
    assert_eq!(fixture.row(id).await.revision, revision);
    tracker_ingest::retry(&fixture.db, id, Some("main".to_owned()), None, &person()).await.unwrap();
    fixture.clients().await;
    assert_eq!(fixture.mark(id).await, None);
    fixture.hand_over().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
}

#[tokio::test]
async fn a_client_that_is_down_costs_nothing() {
    spec!("pipeline#clients-come-and-go/client-down");
    let fixture = Fixture::new();
    let seen = fixture.complete(film(one(v1(1)))).await;
    let waiting = fixture.accept(&[v1(2)], FILM).await;
    fixture.client.unreachable();
    for _ in 0..5 {
        fixture.listing().await;
        fixture.hand_over().await;
        fixture.recognise().await;
        fixture.link().await;
    }
    assert_eq!(fixture.health("client-unreachable").unwrap().subject, "main");
    assert_eq!(fixture.count(EventType::ClientOffline).await, 1);
    assert_eq!(fixture.state(seen).await, DownloadState::Downloaded);
    assert_eq!(fixture.mark(seen).await, None);
    assert_eq!(fixture.state(waiting).await, DownloadState::Queued);
    assert!(fixture.row(waiting).await.next_attempt_at.is_some());
    fixture.client.set_down(None);
    fixture.tick().await;
    assert_eq!(fixture.row(waiting).await.next_attempt_at, None);
    fixture.hand_over().await;
    assert_eq!(fixture.state(waiting).await, DownloadState::Downloading);
    assert_eq!(fixture.health("client-unreachable"), None);
    assert_eq!(fixture.count(EventType::ClientOnline).await, 2);
}

#[tokio::test]
async fn half_an_answer_is_no_coming_and_going() {
    spec!("pipeline#clients-come-and-go/half-an-answer");
    let fixture = Fixture::new();
    for _ in 0..5 {
        fixture.client.fail_nth(ClientOp::Observe, 1, ClientError::Unreachable("500".into()));
        fixture.tick().await;
    }
    assert_eq!(fixture.count(EventType::ClientOnline).await, 0);
    assert!(fixture.count(EventType::ClientOffline).await <= 1);
    assert!(fixture.health("client-unreachable").is_some());
    fixture.tick().await;
    assert_eq!(fixture.count(EventType::ClientOnline).await, 1);
}

/// Fails as a torrent that is gone from the client.
async fn fail(fixture: &Fixture, id: tracker_domain::DownloadId) {
    let reason = Reason::because(Attention::ClientMissing, "gone");
    fixture
        .write(move |tx| tx.set_download_state(id, DownloadCause::Missing, &reason))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_superseded_one_stays_failed() {
    spec!("pipeline#clients-come-and-go/seen-again-and-superseded");
    let fixture = Fixture::new();
    let failed = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fail(&fixture, failed).await;
    let later = fixture.accept(&[v1(1)], FILM).await;
    fixture.cancel(later, Wish::Leave).await;
    fixture.wishes().await;
    let (before, events) = (fixture.row(failed).await, fixture.events().await);
    fixture.client.edit(&v1(1), |there| there.save_path.0 = "/moved".to_owned());
    fixture.listing().await;
    fixture.listing().await;
    assert_eq!(fixture.row(failed).await, before);
    assert_eq!(fixture.events().await, events);
}

#[tokio::test]
async fn the_winner_of_a_merge_comes_back() {
    spec!("pipeline#clients-come-and-go/back-after-a-merge");
    let fixture = Fixture::new();
    let winner = fixture.accept(&[v1(1)], FILM).await;
    let loser = fixture.accept(&[v2(1)], FILM).await;
    fixture.write(move |tx| tx.merge_downloads(winner, loser)).await.unwrap();
    fixture.tick().await;
    fixture.hand_over().await;
    fail(&fixture, winner).await;
    fixture.wishes().await;
    fixture.listing().await;
    let row = fixture.row(winner).await;
    assert_eq!((row.state, row.attention), (DownloadState::Downloading, None));
    fixture.wishes().await;
    assert!(fixture.tags(v1(1)).contains(&format!("tracker-{winner}")));
}

#[tokio::test]
async fn a_bug_in_a_client_ends_no_worker() {
    spec!("pipeline#clients-come-and-go/a-bug-on-the-way");
    let fixture = Fixture::new();
    let first = fixture.accept(&[v1(1)], FILM).await;
    let second = fixture.accept(&[v1(2)], "b").await;
    fixture.tick().await;
    fixture.client.set_add_mode(AddMode::Panics);
    fixture.hand_over().await;
    for id in [first, second] {
        let row = fixture.row(id).await;
        assert_eq!((row.state, row.attempts), (DownloadState::Queued, 1), "it was tried");
    }
    fixture.client.set_add_mode(AddMode::Normal);
    fixture.clock.advance_seconds(61);
    fixture.hand_over().await;
    for id in [first, second] {
        assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    }
}
