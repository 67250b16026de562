//! One field that finds everything.

use std::sync::Arc;

use tracker_app::{AppError, DownloadView, SearchView};
use tracker_domain::metadata::Provider;
use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{EntityKind, Infohash, InfohashV1};
use tracker_store::{NewCandidate, NewRecognition};
use tracker_testkit::{FakeMetadata, spec};

use crate::fixture::{Fixture, candidate, found, v1, v2};

/// The services with both sources, which know the catalogue.
struct Sources {
    fixture: Fixture,
    tmdb: Arc<FakeMetadata>,
    tvmaze: Arc<FakeMetadata>,
}

impl Sources {
    fn new() -> Self {
        let mut fixture = Fixture::new();
        let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
        let tvmaze = Arc::new(FakeMetadata::with_catalogue(Provider::Tvmaze));
        let app = fixture.app.clone();
        fixture.app = app.with_sources(vec![tmdb.clone(), tvmaze.clone()]);
        Sources { fixture, tmdb, tvmaze }
    }

    async fn find(&self, text: &str) -> SearchView {
        self.fixture.app.search.find(text).await.unwrap()
    }
}

fn works(view: &SearchView) -> Vec<&str> {
    view.works.iter().map(|work| work.work.as_str()).collect()
}

#[tokio::test]
async fn a_name_finds_works_and_downloads() {
    spec!("web-ui#one-field-finds-everything/a-name");
    let sources = Sources::new();
    let hash = v1(1);
    let named = sources.fixture.ingest(hash, "Lanterns.of.Kesh.S01").await.download.id;
    let other = sources.fixture.ingest(v1(2), "lanterns+of+kesh+extras").await.download.id;
    let view = sources.find("Lanterns of Kesh").await;
    let shows: Vec<_> = view.works.iter().map(|work| (work.provider, &*work.title)).collect();
    assert_eq!(
        shows,
        [(Provider::Tmdb, "Lanterns of Kesh"), (Provider::Tvmaze, "Lanterns of Kesh")]
    );
    // A name is found as it is written; points in it are no spaces.
    let downloads: Vec<_> = view.downloads.iter().map(|download| download.id).collect();
    assert_eq!(downloads, [other]);
    assert_eq!(sources.find("lanterns.OF").await.downloads[0].id, named);
    let dated = sources.find("Iron Orchard 2014").await;
    assert!(dated.works.iter().all(|work| work.year == Some(2014)), "{dated:?}");
    assert_eq!(dated.works.len(), 2);
    assert_eq!(sources.find("  ").await, SearchView::default());
    let refused = sources.fixture.app.search.find(&"x".repeat(501)).await;
    assert!(matches!(refused, Err(AppError::InvalidRequest(_))), "{refused:?}");
}

#[tokio::test]
async fn a_bare_number_is_a_film_and_a_series() {
    spec!("web-ui#one-field-finds-everything/a-bare-number");
    let sources = Sources::new();
    let mut film = candidate(77).work;
    let mut show = film.clone();
    film.title = "The film".to_owned();
    show.id.kind = tracker_domain::metadata::WorkKind::Series;
    sources.tmdb.put(film, Vec::new());
    sources.tmdb.put(show, Vec::new());
    let view = sources.find("77").await;
    assert_eq!(works(&view)[..2], ["tmdb:movie/77", "tmdb:tv/77"]);
    assert_eq!(works(&sources.find("tmdb:tv/77").await), ["tmdb:tv/77"]);
    assert_eq!(view.causes, []);
}

#[tokio::test]
async fn an_id_and_a_hash_lead_to_what_has_them() {
    spec!("web-ui#one-field-finds-everything/an-id-or-a-hash");
    let sources = Sources::new();
    let id = sources.fixture.ingest(v1(1), "One").await.download.id;
    for text in [id.to_string(), id.to_string().to_uppercase()] {
        let view = sources.find(&text).await;
        let entity = view.entity.unwrap();
        assert_eq!((entity.kind, entity.id), (EntityKind::Download, id.any()));
    }
    sources.fixture.recognise(id, RecognitionState::Proposed, |_| {}).await;
    let candidates = sources.fixture.app.review.candidates(id).await.unwrap().items;
    let view = sources.find(&candidates[0].id.to_string()).await;
    assert_eq!(view.entity.unwrap().kind, EntityKind::MetadataCandidate);
    assert_eq!(view.downloads[0].id, id);
    let view = sources.find(&v1(1).to_string().to_uppercase()).await;
    assert_eq!((view.downloads[0].id, view.works.len()), (id, 0));
    assert_eq!(sources.find(&v2(9).to_string()).await.downloads, []);
    assert_eq!((sources.tmdb.call_count(), sources.tvmaze.call_count()), (0, 0));
    // A name of 26 letters that nobody has as an id is a name.
    sources.find("abcdefghjkmnpqrstvwxyzabcd").await;
    assert!(sources.tmdb.call_count() > 0 || sources.tvmaze.call_count() > 0);
}

#[tokio::test]
async fn a_part_of_an_id_or_a_hash_is_enough() {
    spec!("web-ui#one-field-finds-everything/a-part-of-an-id-or-a-hash");
    let sources = Sources::new();
    let hash = |last: u8| -> Infohash {
        let mut bytes = [0xab; 20];
        bytes[19] = last;
        InfohashV1::from_bytes(bytes).into()
    };
    let mut ids = Vec::new();
    for last in [1, 2] {
        ids.push(sources.fixture.ingest(hash(last), "One").await.download.id);
    }
    let end = ids[0].to_string()[18..].to_owned();
    for text in [end.to_uppercase(), end] {
        let view = sources.find(&text).await;
        assert_eq!(view.entity.map(|entity| entity.id), Some(ids[0].any()), "{text}");
    }
    // An entry of the journal has a short id as well, and leads to its download.
    let event = sources.fixture.app.journal.newest().await.unwrap().unwrap().to_string();
    let view = sources.find(&event[18..]).await;
    assert_eq!(view.entity.unwrap().kind, EntityKind::Event);
    assert_eq!(view.downloads[0].id, ids[1]);
    // Several begin alike.
    for text in ["abababab", "ABABABABAB", &"ab".repeat(19)] {
        let found: Vec<_> = sources.find(text).await.downloads.iter().map(|view| view.id).collect();
        assert_eq!(found, [ids[1], ids[0]], "{text}");
    }
    assert_eq!((sources.tmdb.call_count(), sources.tvmaze.call_count()), (0, 0));
    // What no hash and no id has is a name.
    for text in ["abababa", "20190101", "zzzzzzzz"] {
        let view = sources.find(text).await;
        assert_eq!((view.downloads.len(), view.asked), (0, Some(2)), "{text}");
    }
}

#[tokio::test]
async fn what_was_removed_is_told_apart() {
    spec!("web-ui#one-field-finds-everything/a-removed-download");
    let sources = Sources::new();
    let hash = v1(1);
    let gone = sources.fixture.ingest(hash, "Harbour+Tales").await.download.id;
    let other = sources.fixture.ingest(v1(2), "Harbour+Tales+2").await.download.id;
    sources.fixture.fail(gone).await;
    sources.fixture.write(move |tx| tx.hide_download(gone, None)).await.unwrap();
    let found = async |text: &str| {
        let view = sources.find(text).await;
        let ids = |views: &[DownloadView]| views.iter().map(|view| view.id).collect::<Vec<_>>();
        (ids(&view.downloads), ids(&view.removed))
    };
    assert_eq!(found("Harbour Tales").await, (vec![other], vec![gone]));
    assert_eq!(found(&hash.to_string()).await, (vec![], vec![gone]));
    assert_eq!(found(&hash.to_string()[..12]).await, (vec![], vec![gone]));
    assert_eq!(found(&gone.to_string()).await, (vec![], vec![gone]));
}

#[tokio::test]
async fn a_source_that_is_silent_is_named_and_the_others_count() {
    spec!("web-ui#one-field-finds-everything/a-source-does-not-answer");
    let sources = Sources::new();
    sources.tmdb.fail_with(MetadataError::Unreachable("no connection".to_owned()));
    let view = sources.find("Lanterns of Kesh").await;
    assert_eq!(view.works.len(), 1);
    assert_eq!(view.works[0].provider, Provider::Tvmaze);
    let causes: Vec<_> = view.causes.iter().map(|cause| (&*cause.source, &*cause.cause)).collect();
    assert_eq!(causes, [("tmdb", "unreachable")]);
}

#[tokio::test]
async fn a_work_tells_what_is_here_of_it() {
    spec!("web-ui#one-field-finds-everything/what-is-here");
    let sources = Sources::new();
    let id = sources.fixture.ingest(v1(1), "One").await.download.id;
    let film = candidate(603).work;
    sources.tmdb.put(film.clone(), Vec::new());
    let before = sources.find("tmdb:movie/603").await;
    assert_eq!((before.works[0].in_library, before.works[0].downloads.len()), (false, 0));
    sources
        .fixture
        .write(move |tx| {
            let names = found(Some("Film"));
            let taken = NewCandidate { work: film, ..candidate(603) };
            let new = NewRecognition {
                candidates: &[candidate(604), taken],
                candidate: Some(1),
                ..NewRecognition::of_names(&names, RecognitionState::Accepted)
            };
            tx.record_recognition(id, &new)
        })
        .await;
    let after = sources.find("tmdb:movie/603").await;
    assert_eq!((after.works[0].in_library, &after.works[0].downloads), (false, &vec![id]));
}
