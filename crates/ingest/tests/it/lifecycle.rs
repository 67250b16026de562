//! Another try, and giving up.

use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadCause as C, DownloadId, DownloadState};
use tracker_ingest::{ChangeError, Wish, cancel, retry};
use tracker_store::{Placement, Reason, Refusal, TaskKind};
use tracker_testkit::spec;

use crate::fixture::{Fixture, person, v1};

async fn give_up(fixture: &Fixture, id: DownloadId, wish: Wish) -> Result<(), ChangeError> {
    cancel(&fixture.db, id, wish, None, &person()).await
}

async fn again(fixture: &Fixture, id: DownloadId, client: Option<&str>) -> Result<(), ChangeError> {
    retry(&fixture.db, id, client.map(str::to_owned), None, &person()).await
}

async fn mark(fixture: &Fixture, id: DownloadId, attention: Attention) {
    fixture.write(move |tx| tx.raise_attention(id, attention, "why")).await.unwrap();
}

fn illegal(outcome: &Result<(), ChangeError>) -> bool {
    matches!(outcome, Err(ChangeError::Refused(Refusal::Illegal(_))))
}

#[tokio::test]
async fn an_ended_one_is_queued_again() {
    spec!("ingest#another-try/an-ended-one");
    let fixture = Fixture::new();
    let failed = fixture.accept(&[v1(1)]).await;
    fixture
        .write(move |tx| {
            let reason = Reason::because(Attention::ClientRejected, "no");
            tx.set_download_state(failed, C::Rejected, &reason)
        })
        .await
        .unwrap();
    let cancelled = fixture.accept(&[v1(2)]).await;
    give_up(&fixture, cancelled, Wish::Leave).await.unwrap();
    for id in [failed, cancelled] {
        again(&fixture, id, None).await.unwrap();
        let row = fixture.row(id).await;
        assert_eq!((row.state, row.attention, row.attempts), (DownloadState::Queued, None, 0));
        assert_eq!((row.error, row.error_code), (None, None));
    }
    assert_eq!(fixture.due().await, [failed, cancelled]);
}

#[tokio::test]
async fn a_mark_is_cleared_and_the_state_stays() {
    spec!("ingest#another-try/an-active-one-with-a-mark");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.step(id, &[C::Shown, C::Finished]).await;
    mark(&fixture, id, Attention::PathUnmapped).await;
    again(&fixture, id, None).await.unwrap();
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Downloaded, None));
    let told = fixture.events(EventType::DownloadRetried).await.pop().unwrap();
    assert_eq!(told.data["attention"], "path-unmapped");
    assert_eq!(told.actor, person().to_string());
}

#[tokio::test]
async fn a_retry_for_space_keeps_what_is_known_of_the_client() {
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.write(move |tx| tx.set_next_attempt(id, 3, None)).await;
    mark(&fixture, id, Attention::DiskFull).await;
    again(&fixture, id, None).await.unwrap();
    // It may be in the client: a cancel from here has to look there.
    give_up(&fixture, id, Wish::Leave).await.unwrap();
    assert_eq!(fixture.wishes(id).await, [TaskKind::Release, TaskKind::Stop]);
}

#[tokio::test]
async fn nothing_to_try_is_refused() {
    spec!("ingest#another-try/nothing-to-try");
    let fixture = Fixture::new();
    let active = fixture.accept(&[v1(1)]).await;
    let done = fixture.accept(&[v1(2)]).await;
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    mark(&fixture, done, Attention::SourceChanged).await;
    let merged = fixture.accept(&[v1(3)]).await;
    fixture.write(move |tx| tx.merge_downloads(active, merged)).await.unwrap();
    for id in [active, done, merged] {
        let before = fixture.row(id).await;
        assert!(illegal(&again(&fixture, id, None).await));
        assert_eq!(fixture.row(id).await, before);
    }
    assert_eq!(fixture.events(EventType::DownloadRetried).await, vec![]);
}

#[tokio::test]
async fn what_giving_up_has_stopped_is_started() {
    spec!("ingest#another-try/stopped-by-giving-up");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.hand_over(id).await;
    fixture.hand_over(id).await;
    give_up(&fixture, id, Wish::Leave).await.unwrap();
    again(&fixture, id, None).await.unwrap();
    assert!(fixture.wishes(id).await.contains(&TaskKind::Start));
}

#[tokio::test]
async fn only_what_no_client_has_goes_to_another() {
    spec!("ingest#another-try/to-another-client");
    let fixture = Fixture::new();
    let queued = fixture.accept(&[v1(1)]).await;
    mark(&fixture, queued, Attention::ClientUnknown).await;
    let failed = fixture.accept(&[v1(2)]).await;
    fixture.step(failed, &[C::Missing]).await;
    for id in [queued, failed] {
        again(&fixture, id, Some("other")).await.unwrap();
        assert_eq!(fixture.row(id).await.client.as_deref(), Some("other"));
    }
    let told = fixture.events(EventType::DownloadRetried).await;
    assert!(told.len() == 2 && told.iter().all(|event| event.data["client"] == "other"));
    let shown = fixture.accept(&[v1(3)]).await;
    fixture.hand_over(shown).await;
    mark(&fixture, shown, Attention::Stalled).await;
    fixture.step(shown, &[C::Finished]).await;
    mark(&fixture, shown, Attention::PathUnmapped).await;
    assert!(illegal(&again(&fixture, shown, Some("other")).await));
    assert_eq!(fixture.row(shown).await.attention, Some(Attention::PathUnmapped));
    // Naming the client it is in changes no client.
    again(&fixture, shown, Some("main")).await.unwrap();
    assert!(fixture.row(shown).await.handle.is_some());
}

#[tokio::test]
async fn an_outdated_revision_is_refused() {
    spec!("ingest#another-try/seen-by-two");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    let seen = fixture.row(id).await.revision;
    mark(&fixture, id, Attention::DiskFull).await;
    let stale = |outcome: Result<(), ChangeError>| {
        matches!(outcome, Err(ChangeError::Refused(Refusal::Stale(_))))
    };
    assert!(stale(retry(&fixture.db, id, None, Some(seen), &person()).await));
    assert!(stale(cancel(&fixture.db, id, Wish::Leave, Some(seen), &person()).await));
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Queued, Some(Attention::DiskFull)));
    retry(&fixture.db, id, None, Some(row.revision), &person()).await.unwrap();
}

#[tokio::test]
async fn what_we_added_is_stopped() {
    spec!("ingest#giving-up/added-by-us");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture.hand_over(id).await;
    assert_eq!(fixture.row(id).await.placement, Some(Placement::Added));
    give_up(&fixture, id, Wish::Leave).await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Cancelled);
    assert_eq!(fixture.wishes(id).await, [TaskKind::Release, TaskKind::Stop]);
}

#[tokio::test]
async fn what_was_there_is_left_alone() {
    spec!("ingest#giving-up/there-before");
    let fixture = Fixture::new();
    fixture.client.put(crate::fixture::foreign(crate::fixture::one(v1(1))));
    let id = fixture.accept(&[v1(1)]).await;
    fixture.hand_over(id).await;
    give_up(&fixture, id, Wish::Leave).await.unwrap();
    assert_eq!(fixture.wishes(id).await, [TaskKind::Claim, TaskKind::Release]);
}

#[tokio::test]
async fn a_wish_is_written_with_the_cancel() {
    spec!("ingest#giving-up/with-the-torrent");
    let fixture = Fixture::new();
    for (number, wish, kind) in
        [(1, Wish::Remove, TaskKind::Remove), (2, Wish::RemoveData, TaskKind::RemoveData)]
    {
        let id = fixture.accept(&[v1(number)]).await;
        fixture.hand_over(id).await;
        give_up(&fixture, id, wish).await.unwrap();
        assert_eq!(fixture.wishes(id).await, [TaskKind::Release, kind]);
    }
    let tasks = fixture.tasks().await;
    assert!(tasks.iter().all(|task| task.actor == person()));
    let told = fixture.events(EventType::ClientTaskCreated).await;
    assert_eq!(told.len(), 2);
}

#[tokio::test]
async fn what_was_never_sent_leaves_nothing_to_do() {
    spec!("ingest#giving-up/never-sent");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    give_up(&fixture, id, Wish::RemoveData).await.unwrap();
    assert_eq!(fixture.wishes(id).await, []);
}

#[tokio::test]
async fn cancelling_twice_changes_nothing() {
    spec!("ingest#giving-up/twice");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    give_up(&fixture, id, Wish::Leave).await.unwrap();
    let before = fixture.row(id).await;
    give_up(&fixture, id, Wish::RemoveData).await.unwrap();
    assert_eq!(fixture.row(id).await, before);
    assert_eq!(fixture.wishes(id).await, []);
}

#[tokio::test]
async fn an_end_that_is_no_cancel_stays() {
    spec!("ingest#giving-up/an-end-that-stays");
    let fixture = Fixture::new();
    let winner = fixture.accept(&[v1(9)]).await;
    let done = fixture.accept(&[v1(1)]).await;
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    let failed = fixture.accept(&[v1(2)]).await;
    fixture.step(failed, &[C::Missing]).await;
    let merged = fixture.accept(&[v1(3)]).await;
    fixture.write(move |tx| tx.merge_downloads(winner, merged)).await.unwrap();
    for id in [done, failed, merged] {
        let before = fixture.row(id).await;
        assert!(illegal(&give_up(&fixture, id, Wish::Leave).await));
        assert_eq!(fixture.row(id).await, before);
    }
}
