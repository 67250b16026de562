//! Taking an ended download out of the lists.

use tracker_domain::event::EventType;
use tracker_domain::{DownloadCause as C, DownloadId, DownloadState};
use tracker_ingest::{
    ChangeError, Wish, adopt, cancel, foreign_torrents, may_remove, remove, retry,
};
use tracker_store::{Refusal, TaskKind};
use tracker_testkit::spec;

use crate::fixture::{Fixture, foreign, one, person, v1};

async fn removed(fixture: &Fixture, id: DownloadId, wish: Wish) -> Result<(), ChangeError> {
    let looked = may_remove(&fixture.db, id, wish, None).await;
    let outcome = remove(&fixture.db, id, wish, None, &person()).await;
    assert_eq!(looked.is_ok(), outcome.is_ok(), "{looked:?} {outcome:?}");
    outcome
}

/// Sent, shown and linked.
async fn done(fixture: &Fixture, number: u8) -> DownloadId {
    let id = fixture.accept(&[v1(number)]).await;
    fixture.hand_over(id).await;
    fixture.step(id, &[C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    id
}

#[tokio::test]
async fn without_a_wish_the_client_is_left_alone() {
    spec!("ingest#out-of-the-lists/forgotten-and-nothing-else");
    let fixture = Fixture::new();
    let id = done(&fixture, 1).await;
    let before = fixture.wishes(id).await;
    removed(&fixture, id, Wish::Leave).await.unwrap();
    assert_eq!(fixture.wishes(id).await, before);
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.hidden_at.is_some()), (DownloadState::Done, true));
}

#[tokio::test]
async fn a_wish_is_written_with_it() {
    spec!("ingest#out-of-the-lists/with-the-torrent");
    let fixture = Fixture::new();
    for (number, wish, kind) in
        [(1, Wish::Remove, TaskKind::Remove), (2, Wish::RemoveData, TaskKind::RemoveData)]
    {
        let id = done(&fixture, number).await;
        removed(&fixture, id, wish).await.unwrap();
        let task = fixture.tasks().await.pop().unwrap();
        assert_eq!((task.download, task.kind, task.actor), (id, kind, person()));
        let told = fixture.events(EventType::DownloadRemoved).await;
        assert_eq!(told[0].data["wish"], kind.as_str());
        // The same once more is no second wish.
        removed(&fixture, id, wish).await.unwrap();
        assert_eq!(fixture.tasks().await.iter().filter(|task| task.download == id).count(), 2);
    }
    // Nothing was ever sent of this one.
    let queued = fixture.accept(&[v1(3)]).await;
    cancel(&fixture.db, queued, Wish::Leave, None, &person()).await.unwrap();
    removed(&fixture, queued, Wish::RemoveData).await.unwrap();
    assert_eq!(fixture.wishes(queued).await, []);
    assert_eq!(
        fixture.events(EventType::DownloadRemoved).await[0].data["wish"],
        serde_json::Value::Null
    );
}

#[tokio::test]
async fn a_stronger_wish_may_follow() {
    spec!("ingest#out-of-the-lists/a-stronger-wish");
    let fixture = Fixture::new();
    let id = done(&fixture, 1).await;
    let rest = fixture.wishes(id).await;
    let with = |kind| [rest.clone(), vec![kind]].concat();
    removed(&fixture, id, Wish::Leave).await.unwrap();
    let revision = fixture.row(id).await.revision;
    removed(&fixture, id, Wish::Remove).await.unwrap();
    assert_eq!(fixture.wishes(id).await, with(TaskKind::Remove));
    removed(&fixture, id, Wish::RemoveData).await.unwrap();
    assert_eq!(fixture.wishes(id).await, with(TaskKind::RemoveData));
    // A weaker one takes nothing back.
    removed(&fixture, id, Wish::Remove).await.unwrap();
    removed(&fixture, id, Wish::Leave).await.unwrap();
    assert_eq!(fixture.wishes(id).await, with(TaskKind::RemoveData));
    assert_eq!(fixture.row(id).await.revision, revision);
    assert_eq!(fixture.events(EventType::DownloadRemoved).await.len(), 1);
}

#[tokio::test]
async fn what_another_download_has_is_not_taken_from_it() {
    spec!("ingest#out-of-the-lists/another-download-has-it");
    let fixture = Fixture::new();
    let first = done(&fixture, 1).await;
    let second = fixture.accept(&[v1(1)]).await;
    for _ in 0..2 {
        let before = fixture.row(first).await;
        for wish in [Wish::Remove, Wish::RemoveData] {
            let outcome = removed(&fixture, first, wish).await;
            let Err(ChangeError::Refused(Refusal::OwnedBy(owner))) = outcome else {
                panic!("{outcome:?}")
            };
            assert_eq!(owner, second);
        }
        assert_eq!(fixture.row(first).await, before);
        if before.state == DownloadState::Done && fixture.state(second).await.is_active() {
            fixture.hand_over(second).await;
            fixture.step(second, &[C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
        }
    }
    assert_eq!(fixture.state(second).await, DownloadState::Done);
    removed(&fixture, first, Wish::Leave).await.unwrap();
    removed(&fixture, second, Wish::RemoveData).await.unwrap();
    assert!(fixture.wishes(second).await.contains(&TaskKind::RemoveData));
}

#[tokio::test]
async fn what_is_not_possible_changes_nothing() {
    spec!("ingest#out-of-the-lists/seen-by-two");
    let fixture = Fixture::new();
    let active = fixture.accept(&[v1(1)]).await;
    let outcome = removed(&fixture, active, Wish::Remove).await;
    assert!(matches!(outcome, Err(ChangeError::Refused(Refusal::Illegal(_)))), "{outcome:?}");
    let id = done(&fixture, 2).await;
    let row = fixture.row(id).await;
    let seen = Some(row.revision - 1);
    for outcome in [
        may_remove(&fixture.db, id, Wish::RemoveData, seen).await,
        remove(&fixture.db, id, Wish::RemoveData, seen, &person()).await,
    ] {
        assert!(matches!(outcome, Err(ChangeError::Refused(Refusal::Stale(_)))), "{outcome:?}");
    }
    assert_eq!(fixture.row(id).await, row);
    remove(&fixture.db, id, Wish::RemoveData, Some(row.revision), &person()).await.unwrap();
}

#[tokio::test]
async fn its_torrent_is_nobodys_again() {
    spec!("ingest#out-of-the-lists/its-torrent-is-nobody-s");
    let fixture = Fixture::new();
    fixture.client.put(foreign(one(v1(1))));
    let id = done(&fixture, 1).await;
    assert_eq!(foreign_torrents(&fixture.db, &fixture.entry).await.unwrap().len(), 0);
    removed(&fixture, id, Wish::Leave).await.unwrap();
    assert_eq!(foreign_torrents(&fixture.db, &fixture.entry).await.unwrap().len(), 1);
    let adopted = adopt(&fixture.db, &fixture.entry, v1(1), &person()).await.unwrap();
    assert!(adopted.created && adopted.id != id);
}

#[tokio::test]
async fn a_retry_brings_it_back() {
    spec!("ingest#out-of-the-lists/active-again");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    cancel(&fixture.db, id, Wish::Leave, None, &person()).await.unwrap();
    removed(&fixture, id, Wish::Leave).await.unwrap();
    retry(&fixture.db, id, None, None, &person()).await.unwrap();
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.hidden_at), (DownloadState::Queued, None));
}
