//! What stands in the libraries, a work once.

use std::path::PathBuf;

use tracker_app::App;
use tracker_domain::library::LinkMode;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{BatchId, DownloadId};
use tracker_store::{NewBatch, NewLink, NewRecognition};
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor, candidate, found};

/// Takes a download for a film of TMDB, or for what its names say, and links it.
pub async fn link(
    fixture: &Fixture,
    download: DownloadId,
    film: Option<u64>,
    links: u32,
) -> BatchId {
    fixture
        .write(move |tx| {
            let names = found(Some("Film"));
            let candidates: Vec<_> = film.into_iter().map(candidate).collect();
            let new = NewRecognition {
                candidates: &candidates,
                candidate: film.map(|_| 0),
                ..NewRecognition::of_names(&names, RecognitionState::Accepted)
            };
            let recognition = tx.record_recognition(download, &new)?.id();
            let of = |index| NewLink {
                file_index: index,
                source: PathBuf::from(format!("/d/{download}/{index}")),
                target: PathBuf::from(format!("/l/{download}/{index}")),
            };
            let batch = NewBatch {
                download,
                recognition,
                plan_id: "0".repeat(64),
                library: "films".to_owned(),
                root: PathBuf::from("/l"),
                mode: LinkMode::Hardlink,
                links: (0..links).map(of).collect(),
            };
            let (id, _) = tx.plan_batch(&batch)?;
            tx.record_batch(id, download)?;
            Ok(id)
        })
        .await
}

#[tokio::test]
async fn a_work_is_one_title_of_all_its_downloads() {
    spec!("web-ui#the-library-shows-each-title-once/several-downloads-of-a-work");
    let fixture = Fixture::new();
    let mut ids = Vec::new();
    for number in 1..=4 {
        ids.push(fixture.accept(number).await);
    }
    link(&fixture, ids[0], Some(603), 2).await;
    link(&fixture, ids[1], Some(604), 1).await;
    let newest = link(&fixture, ids[2], Some(603), 3).await;
    link(&fixture, ids[3], None, 1).await;
    let page = fixture.app.library.titles(None, None).await.unwrap();
    let told: Vec<_> = page
        .items
        .iter()
        .map(|title| (title.title.as_str(), title.work.as_deref(), title.links))
        .collect();
    assert_eq!(
        told,
        [
            ("Film", None, 1),
            ("Film 603", Some("tmdb:movie/603"), 5),
            ("Film 604", Some("tmdb:movie/604"), 1),
        ]
    );
    let film = &page.items[1];
    let of: Vec<_> = film.downloads.iter().map(|(id, _)| *id).collect();
    assert_eq!((of, film.batch, film.year), (vec![ids[2], ids[0]], newest, Some(1999)));
    assert_eq!((film.library.as_deref(), page.next), (Some("films"), None));
    // A person's word counts here too.
    fixture.app.review.set_override(ids[2], "year", "2001", None, &actor()).await.unwrap();
    let page = fixture.app.library.titles(None, None).await.unwrap();
    assert_eq!(page.items[1].year, Some(2001));
    // What was undone stands no more; the title then is as old as what is left of it.
    let third = ids[2];
    fixture.write(move |tx| tx.drop_batch(newest, third, None)).await;
    let page = fixture.app.library.titles(None, None).await.unwrap();
    let works: Vec<_> = page.items.iter().map(|title| title.work.as_deref()).collect();
    assert_eq!(works, [None, Some("tmdb:movie/604"), Some("tmdb:movie/603")]);
    assert_eq!((page.items[2].links, page.items[2].downloads[0].0), (2, ids[0]));
}

#[tokio::test]
async fn pages_of_titles_have_nothing_twice() {
    spec!("web-ui#the-library-shows-each-title-once/page-by-page");
    let fixture = Fixture::new();
    let mut ids = Vec::new();
    for number in 1..=6 {
        let id = fixture.accept(number).await;
        link(&fixture, id, Some(600 + u64::from(number)), 1).await;
        ids.push(id);
    }
    let first = fixture.app.library.titles(None, Some(3)).await.unwrap();
    // A new one, and a newer batch of one that was seen.
    let seventh = fixture.accept(7).await;
    link(&fixture, seventh, Some(607), 1).await;
    let again = fixture.accept(8).await;
    link(&fixture, again, Some(606), 1).await;
    let next = first.next.map(tracker_ident::AnyId::typed);
    let second = fixture.app.library.titles(next, Some(3)).await.unwrap();
    let works = |items: &[tracker_app::TitleView]| -> Vec<String> {
        items.iter().filter_map(|title| title.work.clone()).collect()
    };
    assert_eq!(works(&first.items), ["tmdb:movie/606", "tmdb:movie/605", "tmdb:movie/604"]);
    assert_eq!(works(&second.items), ["tmdb:movie/603", "tmdb:movie/602", "tmdb:movie/601"]);
    assert_eq!(second.next, None);
    assert!(fixture.app.library.titles(None, Some(0)).await.is_err());
}

/// What every page tells of a download, which is the same.
async fn told(app: &App, id: DownloadId) -> (Option<String>, Option<i32>) {
    let fields = app.review.recognition(id).await.unwrap().fields;
    let inbox = app.inbox.overview().await.unwrap();
    let mut rows = [inbox.needs_you, inbox.active, inbox.done].into_iter().flat_map(|of| of.rows);
    let row = rows.find(|row| row.download.id == id).unwrap();
    assert_eq!((&row.title, row.year), (&fields.title, fields.year));
    (row.title, row.year)
}

#[tokio::test]
async fn a_title_is_the_same_everywhere() {
    spec!("review#what-a-download-is-taken-for/one-title-everywhere");
    let fixture = Fixture::new();
    let app = fixture.app.clone().with_languages(vec!["ru-RU".to_owned()]);
    let id = fixture.accept(1).await;
    let is = |title: &str, year| (Some(title.to_owned()), year);
    assert_eq!(told(&app, id).await, (None, None));
    let recognise = async || {
        let mut named = candidate(603);
        named.work.other_titles = vec!["Фильм".to_owned()];
        fixture.recognise(id, RecognitionState::Proposed, |new| new.candidates = vec![named]).await;
    };
    recognise().await;
    assert_eq!(told(&app, id).await, is("Film", None));
    app.review.accept(id, None, None, &actor()).await.unwrap();
    assert_eq!(told(&app, id).await, is("Фильм", Some(1999)));
    // While another recognition is awaited no work holds; what people say does.
    app.review.set_override(id, "title", "Own Film", None, &actor()).await.unwrap();
    app.review.set_override(id, "year", "1987", None, &actor()).await.unwrap();
    assert_eq!(app.review.recognition(id).await.unwrap().id, None);
    assert_eq!(told(&app, id).await, is("Own Film", Some(1987)));
    recognise().await;
    assert_eq!(told(&app, id).await, is("Own Film", Some(1987)));
    app.review.accept(id, None, None, &actor()).await.unwrap();
    assert_eq!(told(&app, id).await, is("Own Film", Some(1987)));
    app.review.remove_override(id, "title", None, &actor()).await.unwrap();
    assert_eq!(told(&app, id).await, is("Film", Some(1987)));
    // What is in the library has the same title there.
    let linked = fixture.accept(2).await;
    link(&fixture, linked, Some(604), 1).await;
    let library = async || app.library.titles(None, None).await.unwrap().items[0].title.clone();
    assert_eq!(told(&app, linked).await, is("Film 604", Some(1999)));
    assert_eq!(library().await, "Film 604");
    app.review.set_override(linked, "title", "Own Film", None, &actor()).await.unwrap();
    assert_eq!(told(&app, linked).await.0.as_deref(), Some("Own Film"));
    assert_eq!(library().await, "Own Film");
}
