//! Pausing, resuming, and what happens in the client meanwhile.

use tracker_domain::event::EventType;
use tracker_domain::observed::Phase;
use tracker_domain::ports::{ClientError, Live};
use tracker_domain::{Attention, DownloadId, DownloadState, Pause};
use tracker_ingest::{Wish, pause, resume};
use tracker_store::TaskKind;
use tracker_testkit::{AddMode, ClientCall, ClientOp, FakeTorrent, spec};

use super::fixture::{FILM, Fixture, film, one, person, v1};

impl Fixture {
    async fn pause(&self, id: DownloadId) {
        pause(&self.db, id, None, &person()).await.unwrap();
    }

    /// As the service does it: what the workers know of it goes along.
    async fn resume(&self, id: DownloadId) {
        let runs = self.pipeline.board().progress(id).is_some_and(|progress| !progress.stopped);
        resume(&self.db, id, runs, None, &person()).await.unwrap();
    }

    /// Accepted, sent, shown, with metadata.
    async fn running(&self) -> DownloadId {
        let id = self.accept(&[v1(1)], FILM).await;
        self.tick().await;
        self.hand_over().await;
        self.client.reveal(&v1(1));
        self.tick().await;
        self.wishes().await;
        id
    }

    fn stopped(&self) -> bool {
        self.client.torrent(&v1(1)).unwrap().stopped
    }

    fn steered(&self) -> usize {
        let calls = self.client.calls();
        let steers =
            |call: &&ClientCall| matches!(call, ClientCall::Stop(_) | ClientCall::Start(_));
        calls.iter().filter(steers).count()
    }
}

#[tokio::test]
async fn a_download_is_stopped_and_started() {
    spec!("daily-use#pause-and-resume/paused-and-resumed");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    let before = fixture.row(id).await;
    fixture.pause(id).await;
    let row = fixture.row(id).await;
    assert_eq!((row.pause, row.state), (Some(Pause::Wished), before.state));
    assert!(row.revision > before.revision);
    assert_eq!(fixture.open_wishes().await, [TaskKind::Stop]);
    assert_eq!(fixture.count(EventType::DownloadPaused).await, 1);
    fixture.wishes().await;
    assert!(fixture.stopped());
    fixture.tick().await;
    assert_eq!(fixture.row(id).await.pause, Some(Pause::Held));
    fixture.resume(id).await;
    assert_eq!(fixture.row(id).await.pause, None);
    fixture.wishes().await;
    assert!(!fixture.stopped());
    fixture.tick().await;
    assert_eq!(fixture.row(id).await.pause, None);
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    assert_eq!(fixture.count(EventType::DownloadResumed).await, 1);
}

#[tokio::test]
async fn one_that_was_there_before_is_stopped_too() {
    spec!("daily-use#pause-and-resume/paused-and-resumed");
    let fixture = Fixture::new();
    fixture.client.put(FakeTorrent::new(one(v1(1)), "Theirs").downloading().file("a.mkv", 4));
    let id = fixture.accept(&[v1(1)], "Theirs").await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.pause(id).await;
    fixture.wishes().await;
    assert!(fixture.stopped());
    fixture.resume(id).await;
    fixture.wishes().await;
    assert!(!fixture.stopped());
}

#[tokio::test]
async fn what_was_said_already_changes_nothing() {
    spec!("daily-use#pause-and-resume/said-twice");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    let (events, before) = (fixture.events().await, fixture.row(id).await);
    fixture.resume(id).await;
    assert_eq!((fixture.events().await, fixture.row(id).await), (events, before));
    fixture.pause(id).await;
    fixture.wishes().await;
    fixture.tick().await;
    let (events, before) = (fixture.events().await, fixture.row(id).await);
    fixture.pause(id).await;
    assert_eq!((fixture.events().await, fixture.row(id).await), (events, before));
    fixture.wishes().await;
    assert_eq!(fixture.steered(), 1);
}

#[tokio::test]
async fn a_queued_one_is_sent_after_the_pause() {
    spec!("daily-use#pause-and-resume/still-queued");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.pause(id).await;
    fixture.hand_over().await;
    assert_eq!(fixture.client.adds().len(), 0);
    assert_eq!(fixture.open_wishes().await, []);
    fixture.resume(id).await;
    fixture.hand_over().await;
    fixture.wishes().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    assert!(!fixture.stopped());
}

#[tokio::test]
async fn one_that_is_sent_just_now_is_stopped_when_it_shows() {
    spec!("daily-use#pause-and-resume/paused-on-the-way");
    // While it is sent.
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    let hold = fixture.client.hold(ClientOp::Add);
    tokio::join!(fixture.hand_over(), async {
        hold.arrived().await;
        fixture.pause(id).await;
        hold.release();
    });
    fixture.wishes().await;
    assert!(fixture.stopped());
    fixture.tick().await;
    assert_eq!(fixture.row(id).await.pause, Some(Pause::Held));
    // After it was sent, before it shows.
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.client.set_add_mode(AddMode::Pending);
    fixture.hand_over().await;
    fixture.pause(id).await;
    let late = FakeTorrent::new(one(v1(1)), FILM).saved_to(&format!("/downloads/{id}")).ours();
    fixture.client.put(late);
    fixture.tick().await;
    fixture.wishes().await;
    assert!(fixture.stopped());
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    let removed = |call: &ClientCall| matches!(call, ClientCall::Remove(..));
    assert!(!fixture.client.calls().iter().any(removed));
}

#[tokio::test]
async fn one_that_is_looked_for_is_not_sent() {
    spec!("daily-use#pause-and-resume/paused-on-the-way");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    let hold = fixture.client.hold(ClientOp::Observe);
    tokio::join!(fixture.hand_over(), async {
        hold.arrived().await;
        fixture.pause(id).await;
        hold.release();
    });
    assert_eq!(fixture.client.adds().len(), 0);
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
}

#[tokio::test]
async fn a_done_one_stops_seeding() {
    spec!("daily-use#pause-and-resume/it-may-seed");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.wishes().await;
    fixture.pause(id).await;
    fixture.wishes().await;
    assert!(fixture.stopped());
    fixture.listing().await;
    assert_eq!(fixture.row(id).await.pause, Some(Pause::Held));
    assert_eq!(fixture.mark(id).await, None);
    fixture.resume(id).await;
    fixture.wishes().await;
    assert!(!fixture.stopped());
    fixture.listing().await;
    let row = fixture.row(id).await;
    assert_eq!((row.pause, row.state), (None, DownloadState::Done));
}

#[tokio::test]
async fn the_wish_waits_for_the_client() {
    spec!("daily-use#pause-and-resume/the-client-is-away");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.client.unreachable();
    fixture.pause(id).await;
    fixture.wishes().await;
    fixture.restart().await;
    assert!(!fixture.stopped());
    assert_eq!(fixture.row(id).await.pause, Some(Pause::Wished));
    fixture.client.set_down(None);
    fixture.listing().await;
    // A look before the stop says nothing against the pause.
    assert_eq!(fixture.row(id).await.pause, Some(Pause::Wished));
    fixture.wishes().await;
    assert!(fixture.stopped());
    // Taken back before it was carried out.
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.client.unreachable();
    fixture.pause(id).await;
    fixture.wishes().await;
    fixture.resume(id).await;
    fixture.client.set_down(None);
    fixture.listing().await;
    fixture.wishes().await;
    let stops = |call: &ClientCall| matches!(call, ClientCall::Stop(_));
    assert!(!fixture.client.calls().iter().any(stops));
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn who_starts_it_in_the_client_has_the_last_word() {
    spec!("daily-use#pause-and-resume/started-in-the-client");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.pause(id).await;
    fixture.wishes().await;
    fixture.tick().await;
    fixture.restart().await;
    fixture.client.edit(&v1(1), |torrent| {
        torrent.stopped = false;
        torrent.phase = Phase::Downloading;
    });
    fixture.client.forget_calls();
    fixture.tick().await;
    fixture.wishes().await;
    fixture.listing().await;
    assert_eq!(fixture.row(id).await.pause, None);
    assert_eq!(fixture.count(EventType::DownloadResumed).await, 1);
    assert_eq!(fixture.steered(), 0);
    assert!(!fixture.stopped());
}

#[tokio::test]
async fn what_a_person_stops_in_the_client_stays_stopped() {
    spec!("daily-use#pause-and-resume/stopped-in-the-client");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.client.set_phase(&v1(1), Phase::Stopped);
    fixture.tick().await;
    fixture.wishes().await;
    fixture.listing().await;
    assert!(fixture.pipeline.board().progress(id).unwrap().stopped);
    assert_eq!((fixture.steered(), fixture.row(id).await.pause), (0, None));
    fixture.resume(id).await;
    fixture.wishes().await;
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Downloading);
}

#[tokio::test]
async fn a_pause_does_not_count_as_a_standstill() {
    spec!("daily-use#pause-and-resume/a-pause-is-no-standstill");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.client.set_phase(&v1(1), Phase::Stalled);
    fixture.listing().await;
    fixture.clock.advance_seconds(7 * 3600);
    fixture.tick().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::Stalled));
    fixture.pause(id).await;
    assert_eq!(fixture.mark(id).await, None);
    // The client cannot be told for long.
    for _ in 0..3 {
        fixture.clock.advance_seconds(24 * 3600);
        fixture.tick().await;
        assert_eq!(fixture.mark(id).await, None);
    }
    fixture.wishes().await;
    fixture.clock.advance_seconds(24 * 3600);
    fixture.tick().await;
    assert_eq!(fixture.mark(id).await, None);
    // Resumed, it has its hours anew.
    fixture.resume(id).await;
    fixture.wishes().await;
    fixture.client.set_phase(&v1(1), Phase::Stalled);
    fixture.tick().await;
    assert_eq!(fixture.mark(id).await, None);
}

#[tokio::test]
async fn a_stop_that_is_given_up_ends_the_pause() {
    spec!("daily-use#pause-and-resume/a-stop-that-never-comes");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.pause(id).await;
    for _ in 0..50 {
        let error = ClientError::Unreachable("it stops nothing".into());
        fixture.client.fail_nth(ClientOp::Stop, 1, error);
        fixture.wishes().await;
        fixture.clock.advance_seconds(60);
    }
    assert_eq!(fixture.open_wishes().await, []);
    assert_eq!(fixture.count(EventType::ClientTaskFailed).await, 1);
    assert_eq!(fixture.row(id).await.pause, None);
}

#[tokio::test]
async fn an_end_ends_the_pause() {
    spec!("daily-use#pause-and-resume/it-ends");
    let fixture = Fixture::new();
    let id = fixture.running().await;
    fixture.pause(id).await;
    fixture.wishes().await;
    fixture.cancel(id, Wish::Leave).await;
    assert_eq!(fixture.row(id).await.pause, None);
    fixture.wishes().await;
    fixture.retry(id).await;
    fixture.hand_over().await;
    fixture.wishes().await;
    assert!(!fixture.stopped());
    // The loser of a merge leaves its pause to the winner.
    let winner = fixture.accept(&[v1(2)], FILM).await;
    let loser = fixture.accept(&[v1(3)], FILM).await;
    fixture.pause(loser).await;
    fixture.write(move |tx| tx.merge_downloads(winner, loser)).await.unwrap();
    assert_eq!(fixture.row(winner).await.pause, Some(Pause::Wished));
    assert_eq!(fixture.row(loser).await.pause, None);
}
