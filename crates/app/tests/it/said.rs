//! What people say about a download: hints, fields, pins.

use tracker_app::{AppError, EventQuery, IngestOptions};
use tracker_domain::event::EventType;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::RecognitionState as S;
use tracker_domain::{Attention, DownloadId};
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor, request, v1};

/// A download that was recognised and asks for review.
async fn in_doubt(fixture: &Fixture, number: u8) -> DownloadId {
    let id = fixture.accept(number).await;
    fixture.recognise(id, S::Proposed, |_| ()).await;
    fixture.mark(id, Attention::NeedsReview).await;
    id
}

/// How often another recognition was asked for.
async fn reruns(fixture: &Fixture) -> usize {
    let query = EventQuery { types: vec![EventType::RecognitionRerun], ..EventQuery::default() };
    fixture.app.journal.events(query).await.unwrap().items.len()
}

async fn is_asked_again(fixture: &Fixture, id: DownloadId) -> bool {
    let recognition = fixture.app.review.recognition(id).await.unwrap();
    let download = fixture.app.intake.show(id).await.unwrap();
    recognition.id.is_none() && download.attention.is_none()
}

async fn revision(fixture: &Fixture, id: DownloadId) -> u64 {
    fixture.app.intake.show(id).await.unwrap().revision
}

#[tokio::test]
async fn a_hint_is_recognised_anew() {
    spec!("review#words-are-recognised-anew/a-hint");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    let (new, hint) = review.hint(id, "  the first one ", None, &actor()).await.unwrap();
    assert_eq!((new, hint.text.as_str(), &hint.author), (true, "the first one", &actor()));
    assert!(is_asked_again(&fixture, id).await);
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let before = revision(&fixture, id).await;
    let (new, same) = review.hint(id, "the first one", None, &actor()).await.unwrap();
    assert_eq!((new, same), (false, hint.clone()));
    assert_eq!(revision(&fixture, id).await, before);
    assert_eq!(review.hints(id).await.unwrap().items, [hint]);
}

#[tokio::test]
async fn a_hint_has_words() {
    spec!("review#words-are-recognised-anew/a-hint-that-is-none");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    for text in ["", " \n", "é".repeat(2001).as_str()] {
        let refused = review.hint(id, text, None, &actor()).await;
        let Err(AppError::InvalidRequest(errors)) = refused else { panic!("{refused:?}") };
        assert_eq!(errors[0].pointer, "/text");
    }
    assert!(review.hint(id, &"é".repeat(2000), None, &actor()).await.is_ok());
    let options = IngestOptions { hint: Some("é".repeat(2001)), ..IngestOptions::default() };
    let refused = fixture.app.intake.ingest(request(v1(2), "A", options), &actor()).await;
    let Err(AppError::InvalidRequest(errors)) = refused else { panic!("{refused:?}") };
    assert_eq!(errors[0].pointer, "/hint");
}

#[tokio::test]
async fn a_field_is_recognised_anew() {
    spec!("review#words-are-recognised-anew/a-field");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    let set = review.set_override(id, "kind", " MOVIE", None, &actor()).await.unwrap();
    assert_eq!((set.field.as_str(), set.value.as_str()), ("kind", "movie"));
    assert!(is_asked_again(&fixture, id).await);
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let before = revision(&fixture, id).await;
    assert_eq!(review.set_override(id, "kind", "movie", None, &actor()).await.unwrap(), set);
    assert_eq!(revision(&fixture, id).await, before);
    let other = review.set_override(id, "kind", "series", None, &actor()).await.unwrap();
    assert_eq!((other.id, other.value.as_str()), (set.id, "series"));
    assert!(is_asked_again(&fixture, id).await);
    assert_eq!(reruns(&fixture).await, 2);
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    spec!("review#words-are-recognised-anew/a-value-that-does-not-fit");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    let before = revision(&fixture, id).await;
    for field in ["colour", "", "file.x.season", "file.1.colour", "Year"] {
        let refused = review.set_override(id, field, "1", None, &actor()).await;
        let Err(AppError::UnknownField(told)) = refused else { panic!("{field}: {refused:?}") };
        assert!(told.contains("episode_offset"), "{told}");
        let refused = review.remove_override(id, field, None, &actor()).await;
        assert!(matches!(refused, Err(AppError::UnknownField(_))), "{field}: {refused:?}");
    }
    for (field, value) in [("year", "soon"), ("kind", "book"), ("file.0.part", "0"), ("title", "")]
    {
        let refused = review.set_override(id, field, value, None, &actor()).await;
        let Err(AppError::InvalidRequest(errors)) = refused else { panic!("{field}: {refused:?}") };
        assert_eq!(errors[0].pointer, "/value");
        assert!(errors[0].detail.contains(field), "{}", errors[0].detail);
    }
    let refused = review.set_override(id, "candidate", "the film", None, &actor()).await;
    assert!(matches!(refused, Err(AppError::InvalidPin(_))), "{refused:?}");
    assert_eq!(revision(&fixture, id).await, before);
}

#[tokio::test]
async fn an_address_names_a_work() {
    spec!("review#words-are-recognised-anew/the-address-of-a-page");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    let page = "https://www.themoviedb.org/tv/1399-name?language=ru";
    let set = review.set_override(id, "candidate", page, None, &actor()).await.unwrap();
    assert_eq!(set.value, "tmdb:tv/1399");
    assert!(is_asked_again(&fixture, id).await);
    let pin = Some("https://www.imdb.com/title/tt0133093/".to_owned());
    let options = IngestOptions { pin, ..IngestOptions::default() };
    let other =
        fixture.app.intake.ingest(request(v1(2), "A", options), &actor()).await.unwrap().download;
    let [kept] = &review.overrides(other.id).await.unwrap().items[..] else { panic!() };
    assert_eq!(kept.value, "imdb:tt0133093");
}

#[tokio::test]
async fn a_file_has_to_be_there() {
    spec!("review#words-are-recognised-anew/a-file-that-is-not-there");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    review.set_override(id, "file.7.season", "2", None, &actor()).await.unwrap();
    let files = [RemoteFile {
        index: 0,
        path: "a.mkv".to_owned(),
        size_bytes: 1,
        selected: true,
        complete: false,
    }];
    fixture.write(move |tx| tx.set_files(id, &files)).await;
    // What can be spoken of is what is listed.
    let listed = review.recognition(id).await.unwrap().files;
    let listed: Vec<_> = listed.iter().map(|file| (file.index, file.path.as_deref())).collect();
    assert_eq!(listed, [(0, Some("a.mkv"))]);
    let refused = review.set_override(id, "file.1.season", "2", None, &actor()).await;
    let Err(AppError::InvalidRequest(errors)) = refused else { panic!("{refused:?}") };
    assert_eq!(errors[0].parameter.as_deref(), Some("field"));
    review.set_override(id, "file.0.season", "2", None, &actor()).await.unwrap();
    review.remove_override(id, "file.7.season", None, &actor()).await.unwrap();
}

#[tokio::test]
async fn a_library_says_nothing_of_what_it_is() {
    spec!("review#words-are-recognised-anew/the-library");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    let refused = review.set_override(id, "library", "books", None, &actor()).await;
    let Err(AppError::UnknownLibrary { known, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(known, "films, series");
    review.set_override(id, "library", "films", None, &actor()).await.unwrap();
    let download = fixture.app.intake.show(id).await.unwrap();
    assert_eq!(download.attention, Some(Attention::NeedsReview));
    let view = review.accept(id, None, None, &actor()).await.unwrap();
    fixture.mark(id, Attention::NeedsReview).await;
    review.set_override(id, "library", "series", None, &actor()).await.unwrap();
    assert_eq!(review.recognition(id).await.unwrap().id, view.id);
    assert_eq!(fixture.app.intake.show(id).await.unwrap().attention, None);
    assert_eq!(reruns(&fixture).await, 0);
}

#[tokio::test]
async fn what_was_set_is_taken_back() {
    spec!("review#words-are-recognised-anew/taken-back");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    review.set_override(id, "year", "1999", None, &actor()).await.unwrap();
    fixture.recognise(id, S::Proposed, |_| ()).await;
    review.remove_override(id, "year", None, &actor()).await.unwrap();
    assert!(is_asked_again(&fixture, id).await);
    assert_eq!(review.overrides(id).await.unwrap().items, vec![]);
    let before = revision(&fixture, id).await;
    review.remove_override(id, "year", None, &actor()).await.unwrap();
    assert_eq!((revision(&fixture, id).await, reruns(&fixture).await), (before, 2));
}

#[tokio::test]
async fn the_first_recognition_knows_what_was_said() {
    spec!("review#words-are-recognised-anew/before-the-first-recognition");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    review.hint(id, "a film", None, &actor()).await.unwrap();
    review.set_override(id, "year", "1999", None, &actor()).await.unwrap();
    assert_eq!(reruns(&fixture).await, 0);
    assert_eq!(review.hints(id).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn a_second_intake_speaks_too() {
    spec!("review#words-are-recognised-anew/with-a-second-intake");
    let fixture = Fixture::new();
    let id = in_doubt(&fixture, 1).await;
    let with = |pin: Option<&str>, hint: Option<&str>| {
        let options = IngestOptions {
            pin: pin.map(str::to_owned),
            hint: hint.map(str::to_owned),
            ..IngestOptions::default()
        };
        let intake = fixture.app.intake.clone();
        async move { intake.ingest(request(v1(1), "A", options), &actor()).await.unwrap() }
    };
    assert!(!with(Some("tmdb:603"), None).await.created);
    assert!(is_asked_again(&fixture, id).await);
    fixture.recognise(id, S::Proposed, |_| ()).await;
    with(Some("tmdb:603"), None).await;
    with(None, None).await;
    assert!(!is_asked_again(&fixture, id).await);
    with(None, Some("a film")).await;
    assert!(is_asked_again(&fixture, id).await);
    assert_eq!(reruns(&fixture).await, 2);
}

#[tokio::test]
async fn it_is_recognised_again_on_demand() {
    spec!("review#words-are-recognised-anew/asked-again");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = in_doubt(&fixture, 1).await;
    review.accept(id, None, None, &actor()).await.unwrap();
    review.rerun(id, None, &actor()).await.unwrap();
    assert!(is_asked_again(&fixture, id).await);
    let waiting = fixture.accept(2).await;
    fixture.recognise(waiting, S::Waiting, |_| ()).await;
    fixture.mark(waiting, Attention::MetadataUnavailable).await;
    fixture.app.intake.retry(waiting, None, None, &actor()).await.unwrap();
    assert!(is_asked_again(&fixture, waiting).await);
}
