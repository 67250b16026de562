//! Taking a download out of the lists, and what goes with it.

use tracker_app::{AppError, DownloadQuery, InboxGroup, InboxQuery, RemoveRequest};
use tracker_domain::event::EventType;
use tracker_domain::{BatchId, DownloadCause as C, DownloadId, DownloadState, EntityKind};
use tracker_layout::{LayError, Left, OtherNames, Undone};
use tracker_store::{EventFilter, TaskKind};
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor, v1};
use crate::titles::link;

const NOTHING: RemoveRequest =
    RemoveRequest { links: false, remove_torrent: false, delete_data: false };

/// Done, as if its client had it.
async fn done(fixture: &Fixture, number: u8) -> DownloadId {
    let id = fixture.accept(number).await;
    fixture.write(move |tx| tx.set_next_attempt(id, 1, None)).await;
    fixture.step(id, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    id
}

fn undone(left: &[(&str, &'static str)]) -> Undone {
    let left = left.iter().map(|(target, reason)| Left { target: target.into(), reason });
    Undone { batch: "01jzabcdefghjkmnpqrstvwxyz".parse().unwrap(), left: left.collect() }
}

async fn wishes(fixture: &Fixture, id: DownloadId) -> Vec<TaskKind> {
    let open = fixture.db.read(move |tx| tx.open_tasks(id)).await.unwrap();
    open.into_iter().map(|task| task.kind).filter(|kind| *kind != TaskKind::Release).collect()
}

/// Undoing in the store, as the worker would have done it.
async fn stand(fixture: &Fixture, id: DownloadId) -> Vec<BatchId> {
    let batches = fixture.app.library.batches(id).await.unwrap();
    batches.into_iter().filter(|batch| batch.state == "applied").map(|batch| batch.id).collect()
}

#[tokio::test]
async fn links_go_first_and_what_stays_is_told() {
    spec!("ingest#out-of-the-lists/links-as-well");
    let fixture = Fixture::new();
    let id = done(&fixture, 1).await;
    link(&fixture, id, Some(603), 1).await;
    link(&fixture, id, Some(603), 2).await;
    assert_eq!(stand(&fixture, id).await.len(), 2);
    let all = RemoveRequest { links: true, remove_torrent: true, delete_data: true };
    let seen = fixture.app.intake.show(id).await.unwrap().revision;
    // The newest is asked for first; the fake hands out what was put in last.
    *fixture.laying.undone.lock().unwrap() =
        vec![undone(&[("/l/b", "last-copy")]), undone(&[("/l/a", "shared")])];

    let stale = fixture.app.removal.remove(id, all, Some(seen - 1), &actor()).await;
    assert!(matches!(stale, Err(AppError::Stale(_))), "{stale:?}");
    assert_eq!(fixture.laying.undone.lock().unwrap().len(), 2, "no link was touched");

    let removed = fixture.app.removal.remove(id, all, Some(seen), &actor()).await.unwrap();
    let left: Vec<_> = removed.left.iter().map(|left| left.reason).collect();
    assert_eq!(left, ["shared", "last-copy"]);
    assert_eq!(removed.download.state, DownloadState::Done);
    assert!(removed.download.hidden_at.is_some());
    assert_eq!(wishes(&fixture, id).await, [TaskKind::RemoveData]);
    let filter = EventFilter {
        types: vec![EventType::DownloadRemoved],
        limit: 10,
        ..EventFilter::default()
    };
    let told = fixture.db.read(move |tx| tx.events(&filter)).await.unwrap();
    assert_eq!((told.len(), told[0].actor.as_str()), (1, actor().to_string().as_str()));
}

#[tokio::test]
async fn what_cannot_be_undone_now_keeps_it_in_the_lists() {
    spec!("ingest#out-of-the-lists/links-as-well");
    let fixture = Fixture::new();
    let id = done(&fixture, 1).await;
    link(&fixture, id, None, 1).await;
    let links = RemoveRequest { links: true, ..NOTHING };
    *fixture.laying.refusal.lock().unwrap() = Some(LayError::BrokenOff);
    assert!(fixture.app.removal.remove(id, links, None, &actor()).await.is_err());
    assert_eq!(fixture.app.intake.show(id).await.unwrap().hidden_at, None);
    // Something of a newer batch stays, which keeps the older one.
    let by = stand(&fixture, id).await[0];
    *fixture.laying.refusal.lock().unwrap() = Some(LayError::Superseded { by });
    fixture.app.removal.remove(id, links, None, &actor()).await.unwrap();
}

#[tokio::test]
async fn each_refusal_says_what_helps() {
    let fixture = Fixture::new();
    let removal = &fixture.app.removal;
    let active = fixture.accept(1).await;
    let links = RemoveRequest { links: true, ..NOTHING };
    for request in [NOTHING, links] {
        let refused = removal.remove(active, request, None, &actor()).await;
        let Err(AppError::IllegalTransition { detail, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(detail, "a download that is queued cannot be removed; cancel it first");
    }
    let data_only = RemoveRequest { delete_data: true, ..NOTHING };
    let refused = removal.remove(active, data_only, None, &actor()).await;
    let Err(AppError::InvalidRequest(fields)) = refused else { panic!("{refused:?}") };
    assert_eq!(fields[0].pointer, "/delete_data");
    let nobody = "01jzabcdefghjkmnpqrstvwxyz".parse().unwrap();
    for request in [NOTHING, data_only, links] {
        let refused = removal.remove(nobody, request, None, &actor()).await;
        let Err(AppError::NotFound { kind, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(kind, EntityKind::Download);
    }
    let first = done(&fixture, 2).await;
    let second = fixture.accept(2).await;
    let with_torrent = RemoveRequest { links: true, remove_torrent: true, delete_data: false };
    let refused = removal.remove(first, with_torrent, None, &actor()).await;
    let Err(AppError::InfohashOwned { owner, detail }) = refused else { panic!("{refused:?}") };
    assert_eq!(owner, second);
    assert!(detail.contains("without its torrent"), "{detail}");
}

#[tokio::test]
async fn it_is_seen_nowhere_but_on_its_page() {
    spec!("ingest#out-of-the-lists/everywhere");
    let fixture = Fixture::new();
    let (app, gone) = (&fixture.app, done(&fixture, 1).await);
    let other = done(&fixture, 2).await;
    link(&fixture, other, Some(603), 2).await;
    link(&fixture, gone, Some(603), 3).await;
    let alone = done(&fixture, 3).await;
    link(&fixture, alone, None, 1).await;
    for id in [gone, alone] {
        app.removal.remove(id, NOTHING, None, &actor()).await.unwrap();
    }
    let titles = app.library.titles(None, None).await.unwrap().items;
    let told: Vec<_> = titles.iter().map(|title| (title.links, &title.downloads)).collect();
    assert_eq!(told, [(2, &vec![(other, "Film 2".to_owned())])]);
    for text in ["Film", &v1(1).to_string()] {
        let found = app.search.find(text).await.unwrap();
        let listed = &found.downloads;
        assert!(listed.iter().all(|view| view.id == other), "{text}: {listed:?}");
        assert!(found.removed.iter().any(|view| view.id == gone), "{text}: {found:?}");
    }
    let ended = app.inbox.page(InboxGroup::Done, InboxQuery::default(), None).await.unwrap();
    assert_eq!(ended.rows.iter().map(|row| row.download.id).collect::<Vec<_>>(), [other]);
    let listed = |hidden| app.intake.list(DownloadQuery { hidden, ..DownloadQuery::default() });
    assert_eq!(listed(false).await.unwrap().items.len(), 1);
    assert_eq!(listed(true).await.unwrap().items.len(), 3);
    assert!(app.intake.show(gone).await.unwrap().hidden_at.is_some());
}

#[tokio::test]
async fn other_names_are_passed_on() {
    let fixture = Fixture::new();
    let id = done(&fixture, 1).await;
    assert_eq!(fixture.app.removal.names(id).await.unwrap(), None);
    let names = OtherNames { looked: 1, unseen: 0, ours: 1, others: 2 };
    *fixture.laying.names.lock().unwrap() = Some(names);
    assert_eq!(fixture.app.removal.names(id).await.unwrap(), Some(names));
}
