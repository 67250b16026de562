//! Posters of candidates.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tracker_app::App;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{Image, Images};
use tracker_domain::recognised::RecognitionState;
use tracker_testkit::spec;

use crate::fixture::Fixture;

/// Gives what a test has put in, and remembers what it was asked.
#[derive(Default)]
struct Shelf {
    bytes: Mutex<Vec<u8>>,
    asked: Mutex<Vec<(Provider, String)>>,
}

#[async_trait]
impl Images for Shelf {
    async fn poster(&self, provider: Provider, place: &str) -> Option<Image> {
        self.asked.lock().unwrap().push((provider, place.to_owned()));
        let bytes = self.bytes.lock().unwrap().clone();
        (!bytes.is_empty()).then_some(Image { bytes, media_type: "image/png" })
    }
}

#[tokio::test]
async fn a_candidate_has_the_poster_of_its_work() {
    spec!("web-ui#posters-are-ours/the-poster-of-a-candidate");
    let fixture = Fixture::new();
    let shelf = Arc::new(Shelf::default());
    let app = fixture.app.clone().with_posters(shelf.clone());
    let id = fixture.accept(1).await;
    fixture
        .recognise(id, RecognitionState::Proposed, |new| {
            new.candidates[0].work.poster = Some("/a.jpg".to_owned());
        })
        .await;
    let candidates = app.review.candidates(id).await.unwrap().items;
    let of = async |app: &App, place: usize| {
        let view = app.posters.poster(candidates[place].id).await.unwrap().unwrap();
        assert_eq!(view.title, candidates[place].title);
        assert_eq!(view.year, candidates[place].year);
        view.picture
    };
    assert_eq!(of(&app, 0).await, None, "the shelf is empty");
    *shelf.bytes.lock().unwrap() = b"one".to_vec();
    let one = of(&app, 0).await.unwrap();
    assert_eq!((one.bytes.as_slice(), one.media_type), (b"one".as_slice(), "image/png"));
    assert!(one.etag.starts_with('"') && one.etag.ends_with('"'), "{}", one.etag);
    *shelf.bytes.lock().unwrap() = b"two".to_vec();
    let two = of(&app, 0).await.unwrap();
    assert_ne!(one.etag, two.etag);
    let asked = shelf.asked.lock().unwrap().clone();
    assert_eq!(asked, vec![(Provider::Tmdb, "/a.jpg".to_owned()); 3]);
    assert_eq!(of(&app, 1).await, None);
    let nobody = app.journal.newest().await.unwrap().unwrap().typed();
    assert_eq!(app.posters.poster(nobody).await.unwrap(), None);
    assert_eq!(shelf.asked.lock().unwrap().len(), 3, "nobody was asked for what is not there");
    assert_eq!(of(&fixture.app, 0).await, None);
}
