//! A match that is taken together with its plan: both, or neither.

use std::path::Path;

use tracker_domain::event::EventType;
use tracker_domain::ports::Files;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadId, DownloadState, Remark};
use tracker_layout::{Action, ApplyWish, LayError, Laying};
use tracker_testkit::spec;

use super::fixture::{FILM_IN_LIBRARY, Fixture, Setup, film, one, person, resolved, v1};
use crate::{AutoAccept, Policy};

/// A film that is complete, with a match that nobody has taken.
async fn proposed() -> (Fixture, DownloadId) {
    let policy = Policy { auto_accept: AutoAccept::Never, ..Policy::default() };
    let fixture = Fixture::with(Setup { policy, ..Setup::default() });
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(state_of(&fixture, id).await, RecognitionState::Proposed);
    (fixture, id)
}

async fn state_of(fixture: &Fixture, id: DownloadId) -> RecognitionState {
    fixture.read(move |tx| tx.recognition_of(id)).await.unwrap().state
}

#[tokio::test]
async fn a_match_is_taken_with_its_plan() {
    spec!("batches#a-person-carries-a-plan-out/the-match-with-it");
    let (fixture, id) = proposed().await;
    let without = fixture.pipeline.apply(id, ApplyWish::default(), &person()).await;
    assert!(matches!(without, Err(LayError::Held { .. })), "{without:?}");
    let plan = fixture.pipeline.plan_of(id).await.unwrap().id();
    let wish = ApplyWish { plan: Some(plan), take: true, ..ApplyWish::default() };
    fixture.pipeline.apply(id, wish, &person()).await.unwrap();
    let living = fixture.read(move |tx| tx.recognition_of(id)).await.unwrap();
    assert_eq!((living.state, living.chosen_by), (RecognitionState::Accepted, Some(person())));
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Done, None));
    assert_eq!(fixture.count(EventType::RecognitionAccepted).await, 1);
}

#[tokio::test]
async fn what_cannot_be_carried_out_takes_no_match() {
    spec!("batches#a-person-carries-a-plan-out/neither");
    let (fixture, id) = proposed().await;
    let before = (fixture.row(id).await, fixture.events().await);
    let refused = async |wish: ApplyWish| {
        let wish = ApplyWish { take: true, ..wish };
        let refused = fixture.pipeline.apply(id, wish, &person()).await.unwrap_err();
        assert_eq!((fixture.row(id).await, fixture.events().await), before, "{refused:?}");
        assert_eq!(state_of(&fixture, id).await, RecognitionState::Proposed);
        refused
    };
    let other = ApplyWish { plan: Some("0".repeat(64)), ..ApplyWish::default() };
    assert!(matches!(refused(other).await, LayError::PlanChanged(_)));
    // Something is in the way, and nobody says what to do about it.
    fixture.disk.dir(Path::new(FILM_IN_LIBRARY).parent().unwrap());
    fixture.disk.file(FILM_IN_LIBRARY, 7);
    assert!(matches!(refused(ApplyWish::default()).await, LayError::Conflict(_)));
    // No file gets a link.
    fixture.write(move |tx| tx.set_override(id, "file.0.skip", "true")).await;
    let before = fixture.events().await;
    let wish = ApplyWish { take: true, ..ApplyWish::default() };
    let nothing = fixture.pipeline.apply(id, wish, &person()).await.unwrap_err();
    assert!(matches!(nothing, LayError::Illegal { .. }), "{nothing:?}");
    assert_eq!(Remark::read(&nothing.to_string()), Remark::NothingIsLeft);
    assert_eq!(fixture.events().await, before);
    assert_eq!(state_of(&fixture, id).await, RecognitionState::Proposed);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    // With a word about each thing in the way both happen.
    fixture.write(move |tx| tx.remove_override(id, "file.0.skip").map(drop)).await;
    let keep = ApplyWish { take: true, ..resolved(FILM_IN_LIBRARY, Action::Keep) };
    fixture.pipeline.apply(id, keep, &person()).await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(state_of(&fixture, id).await, RecognitionState::Accepted);
    assert!(fixture.disk.stat(Path::new(FILM_IN_LIBRARY)).unwrap().is_some());
}
