//! Sending, and what becomes of the answer.

use std::sync::Arc;

use tracker_domain::ports::{AddSource, ClientError};
use tracker_domain::{Actor, Attention, DownloadCause as C, DownloadState, Magnet};
use tracker_ingest::{
    ClientPolicy, HandOver, NewIntake, Wish, accept, cancel, mark_of, wait_for_client,
};
use tracker_store::Placement;
use tracker_testkit::{AddMode, ClientCall, ClientOp, spec};

use crate::fixture::{Fixture, both, foreign, person, v1, v2};

#[tokio::test]
async fn the_request_says_everything() {
    spec!("ingest#hand-over/everything-is-said");
    let fixture =
        Fixture::with(ClientPolicy { category: "films".to_owned(), ..ClientPolicy::default() });
    let id = fixture.accept(&[v1(1)]).await;
    // A hash that became known after the intake is sent too.
    assert_eq!(fixture.accept(&[v1(1), v2(1)]).await, id);
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
    let added = fixture.client.adds().pop().unwrap();
    assert_eq!(added.save_path.unwrap().0, format!("/downloads/{id}"));
    assert_eq!(added.tags, ["tracker".to_owned(), mark_of(id)]);
    assert_eq!(added.category, "films");
    let AddSource::Magnet(link) = added.source else { panic!("it came as a link") };
    assert_eq!(*Magnet::parse(&link).unwrap().infohashes(), both(1));
    assert_eq!(fixture.row(id).await.client.as_deref(), Some("main"));
}

#[tokio::test]
async fn a_crash_after_the_add_does_not_add_twice() {
    spec!("ingest#hand-over/killed-after-the-client-took-it");
    let fixture = Arc::new(Fixture::new());
    let id = fixture.accept(&[v1(1), v2(1)]).await;
    let add = fixture.client.hold(ClientOp::Add);
    let attempt = tokio::spawn({
        let fixture = fixture.clone();
        async move { fixture.hand_over(id).await }
    });
    add.arrived().await;
    // The look after the add never comes back: the process is gone by then.
    let look = fixture.client.hold(ClientOp::Observe);
    add.release();
    look.arrived().await;
    attempt.abort();
    assert!(attempt.await.unwrap_err().is_cancelled());
    assert_eq!(fixture.client.torrents().len(), 1);
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
    fixture.client.forget_calls();
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.placement), (DownloadState::Downloading, Some(Placement::Added)));
    assert_eq!(fixture.client.adds(), vec![]);
    assert_eq!(fixture.client.torrents().len(), 1);
}

#[tokio::test]
async fn a_lost_answer_is_settled_by_looking() {
    spec!("ingest#hand-over/an-unclear-answer");
    let fixture = Fixture::new();
    let taken = fixture.accept(&[v1(1)]).await;
    fixture.client.set_add_mode(AddMode::AddedButUnclear);
    assert_eq!(fixture.hand_over(taken).await, HandOver::Shown);
    assert_eq!(fixture.row(taken).await.placement, Some(Placement::Added));
    // An add that was lost on the way is sent again, after its pause.
    let lost = fixture.accept(&[v1(2)]).await;
    fixture.client.set_add_mode(AddMode::Normal);
    fixture.client.fail_nth(ClientOp::Add, 1, ClientError::Unreachable("500".into()));
    assert!(matches!(fixture.hand_over(lost).await, HandOver::Unreachable(_)));
    assert_eq!(fixture.due().await, []);
    fixture.clock.advance_seconds(2);
    assert_eq!(fixture.due().await, [lost]);
    assert_eq!(fixture.hand_over(lost).await, HandOver::Shown);
    assert_eq!(fixture.client.torrents().len(), 2);
}

#[tokio::test]
async fn the_pause_doubles_up_to_a_minute() {
    spec!("ingest#hand-over/the-pause-grows");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.client.set_add_mode(AddMode::AcceptedButLost);
    let mut pauses = Vec::new();
    for _ in 0..8 {
        assert_eq!(fixture.hand_over(id).await, HandOver::Sent);
        pauses.push(fixture.pause(id).await.unwrap());
        fixture.clock.advance_seconds(60);
    }
    assert_eq!(pauses, [2, 4, 8, 16, 32, 60, 60, 60]);
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
}

#[tokio::test]
async fn every_pause_ends_when_the_client_is_back() {
    spec!("ingest#hand-over/the-client-is-back");
    let fixture = Fixture::new();
    let ids = [fixture.accept(&[v1(1)]).await, fixture.accept(&[v1(2)]).await];
    let rows = [fixture.row(ids[0]).await, fixture.row(ids[1]).await];
    wait_for_client(&fixture.db, "main", &rows).await.unwrap();
    for id in ids {
        let pause = fixture.pause(id).await.unwrap();
        assert!((1..=60).contains(&pause), "{pause}");
        assert_eq!(fixture.row(id).await.attempts, 0);
    }
    assert_eq!(fixture.due().await, []);
    fixture.write(|tx| tx.end_backoff()).await;
    assert_eq!(fixture.due().await, ids);
}

#[tokio::test]
async fn a_pause_from_a_wrong_clock_is_over() {
    spec!("ingest#hand-over/a-clock-that-was-set-back");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture
        .write(move |tx| {
            let far = tx.now().plus_seconds(86_400);
            tx.set_next_attempt(id, 1, Some(far))
        })
        .await;
    assert_eq!(fixture.due().await, [id]);
}

#[tokio::test]
async fn looks_without_an_answer_do_not_count() {
    spec!("ingest#hand-over/nothing-sent-is-not-counted");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.client.unreachable();
    for _ in 0..10 {
        assert!(matches!(fixture.hand_over(id).await, HandOver::Unreachable(_)));
        assert!((1..=60).contains(&fixture.pause(id).await.unwrap()));
    }
    assert_eq!(fixture.row(id).await.attempts, 0);
    assert_eq!(fixture.client.adds(), vec![]);
    fixture.client.set_down(None);
    fixture.client.set_add_mode(AddMode::Refuse);
    assert_eq!(fixture.hand_over(id).await, HandOver::Sent);
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
}

#[tokio::test]
async fn what_is_given_up_meanwhile_is_not_sent() {
    spec!("ingest#hand-over/given-up-before-it-is-sent");
    let fixture = Arc::new(Fixture::new());
    let id = fixture.accept(&[v1(1)]).await;
    let look = fixture.client.hold(ClientOp::Observe);
    let attempt = tokio::spawn({
        let fixture = fixture.clone();
        async move { fixture.hand_over(id).await }
    });
    look.arrived().await;
    cancel(&fixture.db, id, Wish::Leave, None, &person()).await.unwrap();
    look.release();
    assert_eq!(attempt.await.unwrap(), HandOver::NotWanted);
    assert_eq!(fixture.client.adds(), vec![]);
}

/// Cancels the download while its add is under way.
async fn cancel_while_sending(fixture: &Arc<Fixture>, id: tracker_domain::DownloadId) {
    let add = fixture.client.hold(ClientOp::Add);
    let attempt = tokio::spawn({
        let fixture = fixture.clone();
        async move { fixture.hand_over(id).await }
    });
    add.arrived().await;
    cancel(&fixture.db, id, Wish::Leave, None, &person()).await.unwrap();
    add.release();
    assert_eq!(attempt.await.unwrap(), HandOver::NotWanted);
    assert_eq!(fixture.state(id).await, DownloadState::Cancelled);
}

#[tokio::test]
async fn what_is_given_up_while_it_is_sent_is_taken_back() {
    spec!("ingest#hand-over/given-up-while-it-is-sent");
    // Without tags the folder is the mark.
    for tags in [true, false] {
        let fixture = Arc::new(Fixture::with(ClientPolicy { tags, ..ClientPolicy::default() }));
        let id = fixture.accept(&[v1(1)]).await;
        cancel_while_sending(&fixture, id).await;
        assert_eq!(fixture.client.torrent(&v1(1)), None, "tags: {tags}");
        let removed = |call: &ClientCall| matches!(call, ClientCall::Remove(..));
        assert_eq!(fixture.client.calls().iter().filter(|call| removed(call)).count(), 1);
    }
}

#[tokio::test]
async fn what_the_watcher_has_seen_first_stays() {
    spec!("ingest#hand-over/shown-while-it-is-sent");
    for causes in [&[C::Shown][..], &[C::Shown, C::Finished], &[C::Merge]] {
        let fixture = Fixture::new();
        let id = fixture.accept(&[v1(1)]).await;
        let sending = fixture.client.hold(ClientOp::Add);
        let (outcome, ()) = tokio::join!(fixture.hand_over(id), async {
            sending.arrived().await;
            let looking = fixture.client.hold(ClientOp::Observe);
            sending.release();
            looking.arrived().await;
            fixture.step(id, causes).await;
            looking.release();
        });
        assert_eq!(outcome, HandOver::NotWanted);
        assert!(fixture.client.torrent(&v1(1)).is_some(), "{causes:?}");
    }
}

#[tokio::test]
async fn what_was_there_is_not_taken_back() {
    spec!("ingest#hand-over/given-up-and-not-ours");
    let fixture = Arc::new(Fixture::new());
    // A hybrid does not answer to its v1, so the look before sending misses it.
    fixture.client.put(foreign(both(1)));
    let id = fixture.accept(&[v1(1)]).await;
    let before = fixture.client.torrents();
    cancel_while_sending(&fixture, id).await;
    assert_eq!(fixture.client.torrents(), before);
}

#[tokio::test]
async fn a_rejection_is_for_good() {
    spec!("ingest#hand-over/rejected-for-good");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.client.set_add_mode(AddMode::Reject);
    assert_eq!(fixture.hand_over(id).await, HandOver::Held(Attention::ClientRejected));
    let row = fixture.row(id).await;
    assert_eq!(row.state, DownloadState::Failed);
    assert_eq!(row.attention, Some(Attention::ClientRejected));
    assert_eq!(row.error_code.as_deref(), Some("client-rejected"));
    assert_eq!(fixture.due().await, []);
}

#[tokio::test]
async fn what_was_rejected_and_is_there_is_taken_over() {
    spec!("ingest#hand-over/rejected-and-there-all-the-same");
    let fixture = Arc::new(Fixture::new());
    let id = fixture.accept(&[v1(1)]).await;
    let add = fixture.client.hold(ClientOp::Add);
    fixture.client.fail_nth(ClientOp::Add, 1, ClientError::Rejected("400".into()));
    let attempt = tokio::spawn({
        let fixture = fixture.clone();
        async move { fixture.hand_over(id).await }
    });
    add.arrived().await;
    let ours = foreign(crate::fixture::one(v1(1)))
        .saved_to(&format!("/downloads/{id}"))
        .ours()
        .tagged(&mark_of(id));
    fixture.client.put(ours);
    add.release();
    assert_eq!(attempt.await.unwrap(), HandOver::Shown);
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.placement), (DownloadState::Downloading, Some(Placement::Added)));
}

#[tokio::test]
async fn five_refusals_are_for_good() {
    spec!("ingest#hand-over/refused-again-and-again");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.client.set_add_mode(AddMode::Refuse);
    for _ in 0..4 {
        assert_eq!(fixture.hand_over(id).await, HandOver::Sent);
    }
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
    assert_eq!(fixture.hand_over(id).await, HandOver::Held(Attention::ClientRejected));
    assert_eq!(fixture.state(id).await, DownloadState::Failed);
}

#[tokio::test]
async fn what_the_client_cannot_have_waits_for_another() {
    spec!("torrent-clients#a-client-that-knows-v1-only/it-rests-with-the-remedy");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v2(1)]).await;
    fixture.client.fail_nth(ClientOp::Add, 1, ClientError::CannotV2);
    assert_eq!(fixture.hand_over(id).await, HandOver::Held(Attention::ClientCannotV2));
    let row = fixture.row(id).await;
    assert_eq!(
        (row.state, row.attention),
        (DownloadState::Queued, Some(Attention::ClientCannotV2))
    );
    assert!(row.attention_detail.unwrap().contains("qBittorrent"));
    assert_eq!(fixture.due().await, [], "it is not asked for again at once");
    // Another client, or another version of this one, takes it.
    let again = fixture.hand_over(id).await;
    assert!(matches!(again, HandOver::Sent | HandOver::Shown), "{again:?}");
}

#[tokio::test]
async fn refused_credentials_are_waited_for() {
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.client.fail_nth(ClientOp::Add, 1, ClientError::Denied("403".into()));
    assert!(matches!(fixture.hand_over(id).await, HandOver::Unreachable(_)));
    assert_eq!(fixture.state(id).await, DownloadState::Queued);
}

/// A link that states a size.
async fn sized(fixture: &Fixture, bytes: u64) -> tracker_domain::DownloadId {
    let link = format!("magnet:?xt=urn:btih:{}&xl={bytes}", v1(1));
    let intake = NewIntake::of_magnet(&Magnet::parse(&link).unwrap());
    accept(&fixture.db, intake, &Actor::Worker).await.unwrap().id
}

#[tokio::test]
async fn too_little_space_sends_nothing() {
    spec!("ingest#hand-over/too-little-space");
    let fixture = Fixture::new();
    fixture.disk.set_free_bytes(999);
    let id = sized(&fixture, 1000).await;
    assert_eq!(fixture.hand_over(id).await, HandOver::Held(Attention::DiskFull));
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Queued, Some(Attention::DiskFull)));
    let detail = row.attention_detail.unwrap();
    assert!(detail.contains("1000") && detail.contains("999"), "{detail}");
    // Other numbers at the next look are no news.
    fixture.disk.set_free_bytes(998);
    assert_eq!(fixture.hand_over(id).await, HandOver::Held(Attention::DiskFull));
    assert_eq!(fixture.row(id).await.revision, row.revision);
    assert_eq!(fixture.client.adds(), vec![]);
}

#[tokio::test]
async fn a_later_intake_may_state_the_size() {
    let fixture = Fixture::new();
    fixture.disk.set_free_bytes(999);
    let id = fixture.accept(&[v1(1)]).await;
    assert_eq!(sized(&fixture, 1000).await, id);
    assert_eq!(fixture.hand_over(id).await, HandOver::Held(Attention::DiskFull));
    // What was stated first stays.
    assert_eq!(sized(&fixture, 1).await, id);
    assert_eq!(fixture.row(id).await.size_bytes, Some(1000));
}

#[tokio::test]
async fn room_lets_it_go_on() {
    spec!("ingest#hand-over/room-again");
    let fixture = Fixture::new();
    fixture.disk.set_free_bytes(999);
    let id = sized(&fixture, 1000).await;
    fixture.hand_over(id).await;
    fixture.disk.set_free_bytes(1000);
    assert_eq!(fixture.due().await, []);
    fixture.clock.advance_seconds(60);
    assert_eq!(fixture.due().await, [id]);
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
    assert_eq!(fixture.row(id).await.attention, None);
}

#[tokio::test]
async fn space_that_is_not_visible_is_not_compared() {
    spec!("ingest#hand-over/a-folder-that-is-not-visible");
    let fixture = Fixture::with(ClientPolicy {
        save_path: "/on/another/machine".to_owned(),
        ..ClientPolicy::default()
    });
    fixture.disk.set_free_bytes(1);
    let id = sized(&fixture, 1000).await;
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
}
