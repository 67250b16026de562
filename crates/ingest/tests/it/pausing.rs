//! Which downloads can be paused.

use tracker_domain::event::EventType;
use tracker_domain::{DownloadCause as C, DownloadId, Pause};
use tracker_ingest::{ChangeError, pause, resume};
use tracker_store::{Refusal, TaskKind};
use tracker_testkit::spec;

use crate::fixture::{Fixture, person, v1};

async fn both(fixture: &Fixture, id: DownloadId, expected: Option<u64>) -> [Refusal; 2] {
    let refusal = |outcome: Result<(), ChangeError>| match outcome {
        Err(ChangeError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    [
        refusal(pause(&fixture.db, id, expected, &person()).await),
        refusal(resume(&fixture.db, id, false, expected, &person()).await),
    ]
}

#[tokio::test]
async fn what_moves_nothing_cannot_be_paused() {
    spec!("daily-use#pause-and-resume/not-to-be-paused");
    let fixture = Fixture::new();
    let failed = fixture.accept(&[v1(1)]).await;
    fixture.step(failed, &[C::Rejected]).await;
    let cancelled = fixture.accept(&[v1(2)]).await;
    fixture.step(cancelled, &[C::Cancel]).await;
    let winner = fixture.accept(&[v1(3)]).await;
    let merged = fixture.accept(&[v1(4)]).await;
    fixture.write(move |tx| tx.merge_downloads(winner, merged)).await.unwrap();
    for id in [failed, cancelled, merged] {
        let before = fixture.row(id).await;
        for refusal in both(&fixture, id, None).await {
            assert!(matches!(refusal, Refusal::Illegal(_)), "{refusal}");
        }
        assert_eq!(fixture.row(id).await, before);
    }
    // The torrent of one that is done is a later one's by now.
    let done = fixture.accept(&[v1(5)]).await;
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    let later = fixture.accept(&[v1(5)]).await;
    assert_eq!(both(&fixture, done, None).await, [Refusal::OwnedBy(later); 2]);
    let revision = fixture.row(later).await.revision;
    assert_eq!(both(&fixture, later, Some(revision + 7)).await, [Refusal::Stale(revision); 2]);
    assert_eq!(fixture.events(EventType::DownloadPaused).await, vec![]);
}

#[tokio::test]
async fn each_active_one_and_a_done_one_can_be_paused() {
    spec!("daily-use#pause-and-resume/paused-and-resumed");
    let steps: [&'static [C]; 4] = [
        &[C::Shown],
        &[C::Shown, C::Finished],
        &[C::Shown, C::Finished, C::PlanAccepted],
        &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded],
    ];
    for (number, steps) in (1..).zip(steps) {
        let fixture = Fixture::new();
        let id = fixture.accept(&[v1(number)]).await;
        fixture.step(id, steps).await;
        let state = fixture.state(id).await;
        pause(&fixture.db, id, None, &person()).await.unwrap();
        assert_eq!(fixture.wishes(id).await, [TaskKind::Stop]);
        assert_eq!(fixture.row(id).await.pause, Some(Pause::Wished));
        let told = fixture.events(EventType::DownloadPaused).await.remove(0);
        assert_eq!(told.actor, person().to_string());
        resume(&fixture.db, id, false, None, &person()).await.unwrap();
        resume(&fixture.db, id, false, None, &person()).await.unwrap();
        assert_eq!(fixture.wishes(id).await, [TaskKind::Stop, TaskKind::Start]);
        assert_eq!((fixture.row(id).await.pause, fixture.state(id).await), (None, state));
    }
}
