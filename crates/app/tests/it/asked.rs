//! Rules that a person wants to be asked first.

use tracker_app::{AppError, EventQuery};
use tracker_domain::ask::AskScope;
use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState as S;
use tracker_domain::{Actor, Attention, DownloadCause as C, DownloadId};
use tracker_store::{NewRecognition, Recorded};
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor, candidate, found};

/// A worker is sure of a work.
async fn sure(fixture: &Fixture, id: DownloadId, work: u64) -> Recorded {
    fixture
        .write(move |tx| {
            let names = found(Some("Film"));
            let list = [candidate(work)];
            let new = NewRecognition {
                candidates: &list,
                candidate: Some(0),
                ..NewRecognition::of_names(&names, S::Accepted)
            };
            tx.record_recognition(id, &new)
        })
        .await
}

async fn state(fixture: &Fixture, id: DownloadId) -> S {
    fixture.app.review.recognition(id).await.unwrap().state
}

#[tokio::test]
async fn what_was_accepted_by_itself_is_asked_about() {
    spec!("review#a-person-may-be-asked-first/accepted-by-itself-before");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let mut ids = Vec::new();
    for number in 1..=5 {
        let id = fixture.accept(number).await;
        let work = if number == 5 { 604 } else { 603 };
        assert!(matches!(sure(&fixture, id, work).await, Recorded::Written(_)));
        ids.push(id);
    }
    let [one, other, chosen, done, foreign] = ids[..] else { panic!() };
    review.accept(chosen, None, None, &actor()).await.unwrap();
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    review.ask(one, AskScope::Title, None, &actor()).await.unwrap();
    for (id, now) in
        [(one, S::Pending), (other, S::Pending), (chosen, S::Accepted), (done, S::Accepted)]
    {
        assert_eq!(state(&fixture, id).await, now, "{id}");
    }
    assert_eq!(state(&fixture, foreign).await, S::Accepted);
    for id in [one, other] {
        assert!(matches!(sure(&fixture, id, 603).await, Recorded::HeldBack { .. }));
    }
    // The same of one download.
    review.ask(foreign, AskScope::Download, None, &actor()).await.unwrap();
    assert_eq!(state(&fixture, foreign).await, S::Pending);
}

#[tokio::test]
async fn the_rule_is_shown_and_is_of_the_work() {
    spec!("review#a-person-may-be-asked-first/shown-with-the-match");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    let first = review.ask(id, AskScope::Download, None, &actor()).await.unwrap();
    assert_eq!((first.asks, first.asks_of), (Some(AskScope::Download), None));
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let word = Some("tmdb:movie/603".to_owned());
    let both = review.ask(id, AskScope::Title, None, &actor()).await.unwrap();
    assert_eq!((both.asks, both.asks_of), (Some(AskScope::Title), word.clone()));
    let one = review.ask_no_more(id, AskScope::Title, None, &actor()).await.unwrap();
    assert_eq!((one.asks, one.asks_of), (Some(AskScope::Download), word));
    let query = EventQuery {
        types: vec![EventType::AskSet, EventType::AskRemoved],
        ..EventQuery::default()
    };
    let told = fixture.app.journal.events(query).await.unwrap().items;
    assert!(told.iter().all(|event| event.actor == actor().to_string()));
    assert_eq!(told.len(), 3);
}

#[tokio::test]
async fn what_waits_because_of_a_rule_goes_on_without_it() {
    spec!("review#a-person-may-be-asked-first/asked-no-more");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    review.ask(id, AskScope::Download, None, &actor()).await.unwrap();
    sure(&fixture, id, 603).await;
    fixture.mark(id, Attention::NeedsReview).await;
    let held = review.recognition(id).await.unwrap();
    assert_eq!(held.state, S::Proposed);
    assert!(held.doubts.iter().any(|doubt| *doubt == "you asked to be asked for this download"));
    // Without a rule of the title nothing happens.
    let same = review.ask_no_more(id, AskScope::Title, None, &actor()).await.unwrap();
    assert_eq!((same.id, same.state), (held.id, S::Proposed));
    let gone = review.ask_no_more(id, AskScope::Download, None, &actor()).await.unwrap();
    assert_eq!((gone.state, gone.asks), (S::Pending, None));
    assert_eq!(fixture.app.intake.show(id).await.unwrap().attention, None);
    assert!(matches!(sure(&fixture, id, 603).await, Recorded::Written(_)));
    assert_eq!(state(&fixture, id).await, S::Accepted);
}

#[tokio::test]
async fn a_title_has_to_be_known() {
    spec!("review#a-person-may-be-asked-first/no-title-yet");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    let refused = review.ask(id, AskScope::Title, None, &Actor::Api("tests".to_owned())).await;
    let Err(AppError::IllegalTransition { detail, .. }) = refused else { panic!("{refused:?}") };
    assert!(detail.contains("ask for the download instead"), "{detail}");
}
