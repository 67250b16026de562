//! What a person gets to see of a download, and what intake accepts.

use tracker_app::{AppError, IngestOptions, IngestRequest, Source};
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::FakeTorrent;
use tracker_testkit::made_up::{Kind, torrent};

use crate::fixture::{Fixture, NO_WISH, actor, request, v1, v2};

#[tokio::test]
async fn a_view_has_a_name_a_client_and_progress() {
    let fixture = Fixture::new();
    let named = fixture.ingest(v1(1), "A+Film").await;
    assert!(named.created);
    assert_eq!(named.download.name, "A Film");
    assert_eq!(named.download.client.as_deref(), Some("main"));
    assert_eq!(named.download.progress.unwrap().bytes_done, Some(7));
    assert_eq!((named.download.error, named.download.attention), (None, None));
    // Nothing better than the hash is known of this one.
    let bare = fixture.ingest(v2(2), "").await.download;
    assert_eq!(bare.name, v2(2).to_string());
    let again = fixture.ingest(v1(1), "Other").await;
    assert_eq!((again.created, again.download.id), (false, named.download.id));
}

#[tokio::test]
async fn an_ended_one_shows_no_progress_and_its_failure() {
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    fixture.fail(id).await;
    let view = fixture.app.intake.show(id).await.unwrap();
    assert_eq!((view.state, view.progress), (DownloadState::Failed, None));
    let error = view.error.unwrap();
    assert_eq!((error.code.as_str(), error.detail.as_str()), ("client-missing", "gone"));
    let view = fixture.app.intake.retry(id, None, None, &actor()).await.unwrap();
    assert_eq!((view.state, view.error), (DownloadState::Queued, None));
}

#[tokio::test]
async fn the_revision_a_caller_saw_decides() {
    let fixture = Fixture::new();
    let seen = fixture.ingest(v1(1), "A").await.download;
    fixture.mark(seen.id, Attention::DiskFull).await;
    let (app, actor) = (&fixture.app.intake, actor());
    let Err(AppError::Stale(present)) =
        app.cancel(seen.id, NO_WISH, Some(seen.revision), &actor).await
    else {
        panic!("not stale");
    };
    assert_eq!(present.attention, Some(Attention::DiskFull));
    let refused = app.retry(seen.id, None, Some(seen.revision), &actor).await;
    assert!(matches!(refused, Err(AppError::Stale(_))));
    let done = app.cancel(seen.id, NO_WISH, Some(present.revision), &actor).await.unwrap();
    assert_eq!(done.state, DownloadState::Cancelled);
}

#[tokio::test]
async fn pins_are_brought_into_one_form() {
    let fixture = Fixture::new();
    let table = [
        ("tmdb:603", Some("tmdb:603")),
        (" TMDB:603 ", Some("tmdb:603")),
        ("tmdb:tv/1399", Some("tmdb:tv/1399")),
        ("tmdb:movie/603", Some("tmdb:movie/603")),
        ("tvmaze:82", Some("tvmaze:82")),
        ("tt0133093", Some("imdb:tt0133093")),
        ("TT0133093", Some("imdb:tt0133093")),
        ("imdb:tt0133093", Some("imdb:tt0133093")),
        ("603", None),
        ("tmdb:", None),
        ("tmdb:x", None),
        ("tmdb:person/1", None),
        ("tmdb:12345678901", None),
        ("tvmaze:tt1", None),
        ("imdb:133", None),
        ("tmdb:603;drop", None),
        ("", None),
    ];
    for (number, (pin, expected)) in (1..).zip(table) {
        let options = IngestOptions { pin: Some(pin.to_owned()), ..IngestOptions::default() };
        let outcome = fixture.app.intake.ingest(request(v1(number), "A", options), &actor()).await;
        match (outcome, expected) {
            (Ok(ingested), Some(expected)) => {
                let id = ingested.download.id;
                let stored = fixture.db.read(move |tx| tx.overrides(id)).await;
                let stored: Vec<(String, String)> =
                    stored.map_err(|e: tracker_store::StoreError| e).unwrap();
                assert_eq!(stored, [("candidate".to_owned(), expected.to_owned())], "{pin:?}");
            }
            (Err(AppError::InvalidPin(told)), None) => assert_eq!(told, pin),
            (outcome, expected) => panic!("{pin:?}: {outcome:?} instead of {expected:?}"),
        }
    }
}

#[tokio::test]
async fn hints_are_trimmed_and_torrents_accepted() {
    let fixture = Fixture::new();
    let file = torrent(Kind::Hybrid, "Film.2020.mkv");
    let options = IngestOptions {
        hint: Some("  the 2020 one ".to_owned()),
        library: Some("films".to_owned()),
        client: Some("main".to_owned()),
        ..IngestOptions::default()
    };
    let request = IngestRequest { source: Source::Torrent(Box::new(file.clone())), options };
    let view = fixture.app.intake.ingest(request, &actor()).await.unwrap().download;
    assert_eq!(view.name, "Film.2020.mkv");
    assert_eq!(view.infohashes, file.infohashes().iter().collect::<Vec<_>>());
    let id = view.id;
    let hints = fixture.write(move |tx| tx.hints(id)).await;
    assert_eq!(hints, ["the 2020 one"]);
}

#[tokio::test]
async fn what_is_discovered_can_be_adopted() {
    let fixture = Fixture::new();
    let hashes = tracker_domain::InfohashSet::new([v1(1), v2(1)]).unwrap();
    fixture.client.put(FakeTorrent::new(hashes, "Theirs").downloading().file("a.mkv", 400));
    let page = fixture.app.intake.discovered().await.unwrap();
    let [item] = &page.items[..] else { panic!("{page:?}") };
    assert_eq!((item.client.as_str(), item.name.as_str()), ("main", "Theirs"));
    assert_eq!((item.size_bytes, item.state.as_str()), (Some(400), "downloading"));
    assert_eq!(item.infohashes, [v1(1), v2(1)]);
    let client = Some("main".to_owned());
    let adopted = fixture.app.intake.adopt(client, v1(1), &actor()).await.unwrap();
    assert_eq!((adopted.created, adopted.download.state), (true, DownloadState::Downloading));
    assert_eq!(fixture.app.intake.discovered().await.unwrap().items, vec![]);
}
