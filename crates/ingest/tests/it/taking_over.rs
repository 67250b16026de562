//! A torrent that is in the client before it is sent.

use tracker_domain::observed::Phase;
use tracker_domain::{Attention, DownloadState, InfohashV1, Magnet};
use tracker_ingest::{HandOver, NewIntake, Wish, cancel};
use tracker_store::{Placement, TaskKind};
use tracker_testkit::{ClientCall, spec};

use crate::fixture::{Fixture, both, foreign, one, person, v1, v2};

#[tokio::test]
async fn it_is_taken_over_where_it_is() {
    spec!("ingest#hand-over/there-before-us");
    let fixture = Fixture::new();
    fixture.client.put(foreign(one(v1(1))));
    // This one answers to its v2 only, and is found when the add is refused.
    fixture.client.put(foreign(both(2)));
    for hash in [v1(1), v1(2)] {
        let id = fixture.accept(&[hash]).await;
        assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
        let row = fixture.row(id).await;
        assert_eq!(row.state, DownloadState::Downloading);
        assert_eq!(row.placement, Some(Placement::Found));
        assert_eq!(row.save_path.unwrap().0, "/elsewhere");
        assert_eq!(fixture.wishes(id).await, [TaskKind::Claim]);
    }
    let looked = |call: &ClientCall| matches!(call, ClientCall::Observe(_) | ClientCall::Add(_));
    assert!(fixture.client.calls().iter().all(looked));
    assert_eq!(fixture.client.torrents().len(), 2);
}

#[tokio::test]
async fn what_we_stopped_is_started_and_what_a_person_stopped_is_not() {
    spec!("ingest#hand-over/stopped-by-an-earlier-end");
    let fixture = Fixture::new();
    let first = fixture.accept(&[v1(1)]).await;
    fixture.hand_over(first).await;
    cancel(&fixture.db, first, Wish::Leave, None, &person()).await.unwrap();
    fixture.client.set_phase(&v1(1), Phase::Stopped);
    let again = fixture.accept(&[v1(1)]).await;
    assert_ne!(again, first);
    assert_eq!(fixture.hand_over(again).await, HandOver::Shown);
    assert_eq!(fixture.row(again).await.placement, Some(Placement::Found));
    assert_eq!(fixture.wishes(again).await, [TaskKind::Claim, TaskKind::Start]);

    fixture.client.put(foreign(one(v1(2))));
    fixture.client.set_phase(&v1(2), Phase::Stopped);
    let theirs = fixture.accept(&[v1(2)]).await;
    assert_eq!(fixture.hand_over(theirs).await, HandOver::Shown);
    assert_eq!(fixture.wishes(theirs).await, [TaskKind::Claim]);
}

#[tokio::test]
async fn a_handle_gives_way_to_its_v2() {
    spec!("ingest#hand-over/a-bare-handle");
    let fixture = Fixture::new();
    fixture.client.put(foreign(one(v2(1))));
    let handle: InfohashV1 = v2(1).v2().unwrap().truncated();
    let bare = Magnet::parse(&handle.to_string()).unwrap();
    let id = fixture.take(NewIntake::of_magnet(&bare)).await.id;
    assert_eq!(fixture.hashes(id).await, [handle.into()]);
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
    assert_eq!(fixture.hashes(id).await, [v2(1)]);
    assert_eq!(fixture.client.adds(), vec![]);
}

#[tokio::test]
async fn a_mark_of_a_person_stays() {
    spec!("ingest#hand-over/a-mark-does-not-hold-it-back");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture
        .write(move |tx| tx.raise_attention(id, Attention::MergeDiffers, "two words"))
        .await
        .unwrap();
    assert_eq!(fixture.due().await, [id]);
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
    let row = fixture.row(id).await;
    assert_eq!(row.state, DownloadState::Downloading);
    assert_eq!(row.attention, Some(Attention::MergeDiffers));
}

#[tokio::test]
async fn what_does_not_fit_is_not_started() {
    let fixture = Fixture::new();
    let first = fixture.accept(&[v1(1)]).await;
    fixture.hand_over(first).await;
    fixture.client.reveal(&v1(1));
    cancel(&fixture.db, first, Wish::Leave, None, &person()).await.unwrap();
    fixture.client.set_phase(&v1(1), Phase::Stopped);
    fixture.disk.set_free_bytes(999);
    let again = fixture.accept(&[v1(1)]).await;
    assert_eq!(fixture.hand_over(again).await, HandOver::Shown);
    assert_eq!(fixture.wishes(again).await, [TaskKind::Claim]);
    assert_eq!(fixture.row(again).await.attention, Some(Attention::DiskFull));
}

#[tokio::test]
async fn what_the_client_takes_without_a_word_is_found_in_the_end() {
    let fixture = Fixture::new();
    // It answers well to an add of what it has, and the v1 finds nothing there.
    fixture.client.put(foreign(both(1)));
    fixture.client.set_add_mode(tracker_testkit::AddMode::AcceptedButLost);
    let id = fixture.accept(&[v1(1)]).await;
    assert_eq!(fixture.hand_over(id).await, HandOver::Sent);
    assert_eq!(fixture.hand_over(id).await, HandOver::Sent);
    assert_eq!(fixture.hand_over(id).await, HandOver::Shown);
    assert_eq!(fixture.row(id).await.placement, Some(Placement::Found));
}
