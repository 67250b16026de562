//! What people decided, and what a worker writes after it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, ann, ben, candidate, found, v1};
use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, DownloadCause, DownloadId};
use tracker_store::{NewRecognition, Reason, Recorded, StoreError, WaitCause, WriteTx};
use tracker_testkit::spec;

/// A worker is sure of a match.
fn sure(fixture: &Fixture, id: DownloadId) -> Recorded {
    let names = found(Some("Film"));
    let list = [candidate(603)];
    let new = NewRecognition {
        candidates: &list,
        candidate: Some(0),
        ..NewRecognition::of_names(&names, RecognitionState::Accepted)
    };
    fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new))
}

fn is_held_back(fixture: &Fixture, id: DownloadId) -> bool {
    let recorded = sure(fixture, id);
    let living = fixture.living(id);
    assert_eq!(recorded.id(), living.id);
    match recorded {
        Recorded::HeldBack { why, .. } => {
            assert_eq!((living.state, living.candidate), (RecognitionState::Proposed, None));
            assert!(living.detail.unwrap().ends_with(why));
            true
        }
        _ => {
            assert_eq!(living.state, RecognitionState::Accepted);
            false
        }
    }
}

/// Rejected, and asked for again.
fn rejected(fixture: &Fixture, number: u8) -> DownloadId {
    let id = fixture.create(&[v1(number)]);
    assert!(!is_held_back(fixture, id));
    fixture.write_as(&ann(), |tx| tx.reject_recognition(id)).unwrap();
    fixture.write_as(&ann(), |tx| tx.supersede_recognitions(id));
    assert!(is_held_back(fixture, id));
    id
}

type Word = fn(&mut WriteTx<'_>, DownloadId) -> Result<(), StoreError>;

#[test]
fn a_rejection_holds_until_a_newer_word() {
    spec!("recognition-rows#a-match-is-rejected-by-a-person/until-a-newer-word");
    let fixture = Fixture::new();
    let words: [(Word, bool); 6] = [
        (|tx, id| tx.add_hint(id, "a hint").map(drop), true),
        (|tx, id| tx.set_override(id, "candidate", "tmdb:movie/603"), true),
        (|tx, id| tx.set_override(id, "year", "1999"), true),
        (|tx, id| tx.accept_recognition(id, None).map(drop), true),
        (|tx, id| tx.set_override(id, "library", "films"), false),
        (|_, _| Ok(()), false),
    ];
    for (number, (word, newer)) in (1..).zip(words) {
        let id = rejected(&fixture, number);
        // A worker has no word to say.
        fixture.write_as(&Actor::Reconciler, |tx| tx.add_hint(id, "from a merge"));
        assert!(is_held_back(&fixture, id));
        fixture.write_as(&ben(), |tx| word(tx, id));
        fixture.write_as(&ben(), |tx| tx.supersede_recognitions(id));
        assert_eq!(is_held_back(&fixture, id), !newer, "{number}");
    }
    // Another download is none of its business.
    let other = fixture.create(&[v1(99)]);
    assert!(!is_held_back(&fixture, other));
}

#[test]
fn accepted_names_are_carried_over_to_the_file_list() {
    spec!("recognition-rows#decisions-hold-against-workers/names-that-were-accepted");
    let fixture = Fixture::new();
    let names = found(Some("Film"));
    let new = |provisional, carries_over, state| NewRecognition {
        provisional,
        carries_over,
        ..NewRecognition::of_names(&names, state)
    };
    for (number, accepts, carries) in [(1, true, true), (2, true, false), (3, false, true)] {
        let id = fixture.create(&[v1(number)]);
        let foreseen = new(true, false, RecognitionState::Proposed);
        fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &foreseen));
        if accepts {
            fixture.write_as(&ann(), |tx| tx.accept_as_read(id)).unwrap();
        }
        let next = new(false, carries, RecognitionState::Accepted);
        fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &next));
        let living = fixture.living(id);
        assert_eq!((living.state, living.provisional), (RecognitionState::Accepted, false));
        assert_eq!(living.chosen_by, (accepts && carries).then(ann), "{number}");
    }
}

#[test]
fn those_that_wait_are_found_before_their_time() {
    spec!("recognition-rows#work-for-the-recogniser/before-their-time");
    let fixture = Fixture::new();
    let names = found(None);
    let cause = |source: &str| WaitCause {
        source: source.to_owned(),
        cause: "unreachable".to_owned(),
        detail: "away".to_owned(),
    };
    let causes = [vec![cause("tmdb")], vec![cause("tvmaze"), cause("tmdb")], vec![]];
    let mut ids = Vec::new();
    for (number, causes) in (1..).zip(&causes) {
        let id = fixture.create(&[v1(number)]);
        fixture.write(|tx| tx.set_metadata(id, "Film", Some(1)));
        let shown = DownloadCause::Shown;
        fixture.write(|tx| tx.set_download_state(id, shown, &Reason::none())).unwrap();
        let at = fixture.db.clock().now().plus_seconds(600);
        let new = NewRecognition {
            causes,
            next_look_at: Some(at),
            ..NewRecognition::of_names(&names, RecognitionState::Waiting)
        };
        fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new));
        ids.push(id);
    }
    let now = fixture.db.clock().now();
    assert_eq!(fixture.get(|tx| tx.waiting_due(now)), []);
    assert_eq!(fixture.get(|tx| tx.waiting()), ids);
    assert_eq!(fixture.get(|tx| tx.waiting_for(Provider::Tmdb)), ids[..2]);
    assert_eq!(fixture.get(|tx| tx.waiting_for(Provider::Tvmaze)), ids[1..2]);
}
