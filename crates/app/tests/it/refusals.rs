//! Every way in which a request can end besides its answer.

use tracker_app::{AppError, CancelRequest, IngestOptions};
use tracker_domain::ports::Clock;
use tracker_domain::{Attention, DownloadCause as C, DownloadId, DownloadState, EntityKind};
use tracker_ident::Generator;
use tracker_ingest::Clients;

use crate::fixture::{Fixture, NO_WISH, actor, request, v1};

/// An id that nothing has.
fn nobody(fixture: &Fixture) -> DownloadId {
    Generator::new().next(fixture.clock.now_ms().0, None).typed()
}

#[tokio::test]
async fn options_that_name_nothing_accept_nothing() {
    let fixture = Fixture::new();
    let library = IngestOptions { library: Some("x".to_owned()), ..IngestOptions::default() };
    let refused = fixture.app.intake.ingest(request(v1(1), "A", library), &actor()).await;
    let Err(AppError::UnknownLibrary { name, known }) = refused else { panic!("accepted") };
    assert_eq!((name.as_str(), known.as_str()), ("x", "films, series"));
    let client = IngestOptions { client: Some("x".to_owned()), ..IngestOptions::default() };
    let refused = fixture.app.intake.ingest(request(v1(1), "A", client), &actor()).await;
    let Err(AppError::UnknownClient { name, known }) = refused else { panic!("accepted") };
    assert_eq!((name.as_str(), known.as_str()), ("x", "main"));
    let all = fixture.app.intake.list(Default::default()).await.unwrap();
    assert_eq!(all.items, vec![]);
}

#[tokio::test]
async fn what_is_not_there_is_told_first() {
    let fixture = Fixture::new();
    let (app, actor, id) = (&fixture.app.intake, actor(), nobody(&fixture));
    let data_only = CancelRequest { remove_torrent: false, delete_data: true };
    let outcomes = [
        app.show(id).await,
        app.retry(id, None, None, &actor).await,
        app.retry(id, Some("x".to_owned()), None, &actor).await,
        app.cancel(id, NO_WISH, None, &actor).await,
        app.cancel(id, data_only, None, &actor).await,
    ];
    for outcome in outcomes {
        let Err(AppError::NotFound { kind, id: told }) = outcome else { panic!("{outcome:?}") };
        assert_eq!((kind, told), (EntityKind::Download, id.any()));
    }
    let there = fixture.accept(1).await;
    let refused = app.retry(there, Some("x".to_owned()), None, &actor).await;
    assert!(matches!(refused, Err(AppError::UnknownClient { .. })));
    let refused = app.cancel(there, data_only, None, &actor).await;
    let Err(AppError::InvalidRequest(fields)) = refused else { panic!("{refused:?}") };
    assert_eq!(fields[0].pointer, "/delete_data");
    assert_eq!(app.show(there).await.unwrap().state, DownloadState::Queued);
}

#[tokio::test]
async fn the_id_of_another_kind_says_what_it_is() {
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    let event = fixture.app.journal.newest().await.unwrap().unwrap();
    let outcome = fixture.app.intake.show(event.typed()).await;
    let Err(AppError::WrongEntityKind { kind, id: told, url }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!((kind, told), (EntityKind::Event, event));
    assert_eq!(url, format!("/api/v1/events/{event}"));
    let outcome = fixture.app.intake.retry(event.typed(), None, None, &actor()).await;
    assert!(matches!(outcome, Err(AppError::WrongEntityKind { .. })));
    let outcome = fixture.app.journal.event(id.any().typed()).await;
    let Err(AppError::WrongEntityKind { kind, url, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!((kind, url), (EntityKind::Download, format!("/api/v1/downloads/{id}")));
}

#[tokio::test]
async fn an_owner_is_named_with_its_state() {
    let fixture = Fixture::new();
    let first = fixture.accept(1).await;
    fixture.fail(first).await;
    let owner = fixture.accept(1).await;
    let refused = fixture.app.intake.retry(first, None, None, &actor()).await;
    let Err(AppError::InfohashOwned { owner: told, detail }) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(told, owner);
    assert!(detail.contains(&owner.to_string()) && detail.contains("queued"), "{detail}");
    assert!(detail.contains("Film 1"), "{detail}");
    assert_eq!(fixture.app.intake.show(first).await.unwrap().state, DownloadState::Failed);
}

#[tokio::test]
async fn moves_that_are_not_in_the_table_are_refused() {
    let fixture = Fixture::new();
    let active = fixture.accept(1).await;
    let done = fixture.accept(2).await;
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    fixture.mark(done, Attention::SourceChanged).await;
    for (id, state) in [(active, DownloadState::Queued), (done, DownloadState::Done)] {
        let refused = fixture.app.intake.retry(id, None, None, &actor()).await;
        let Err(AppError::IllegalTransition { state: told, detail }) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(told, state);
        assert!(detail.contains("cannot be retried"), "{detail}");
    }
    let refused = fixture.app.intake.cancel(done, NO_WISH, None, &actor()).await;
    assert!(matches!(refused, Err(AppError::IllegalTransition { .. })));
}

#[tokio::test]
async fn clients_that_cannot_be_asked() {
    let fixture = Fixture::new();
    let (app, actor) = (&fixture.app.intake, actor());
    let refused = app.adopt(Some("main".to_owned()), v1(1), &actor).await;
    let Err(AppError::TorrentNotFound { client }) = refused else { panic!("{refused:?}") };
    assert_eq!(client, "main");
    let refused = app.adopt(Some("x".to_owned()), v1(1), &actor).await;
    assert!(matches!(refused, Err(AppError::UnknownClient { .. })));
    fixture.client.unreachable();
    for refused in
        [app.adopt(None, v1(1), &actor).await.map(|_| ()), app.discovered().await.map(|_| ())]
    {
        let Err(AppError::ClientUnreachable { client, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(client, "main");
    }
    let alone = Fixture::with(fixture.client.clone(), Clients::default());
    let refused = alone.app.intake.adopt(None, v1(1), &actor).await;
    assert!(matches!(refused, Err(AppError::NoClient)));
    assert_eq!(alone.app.intake.discovered().await.unwrap().items, vec![]);
    assert_eq!(alone.ingest(v1(1), "A").await.download.client, None);
}
