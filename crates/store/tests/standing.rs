//! What people decided, and what a worker writes after it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, ann, ben, candidate, found, v1};
use tracker_domain::ask::AskScope;
use tracker_domain::event::EventType;
use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, Remark};
use tracker_store::{
    NewRecognition, NoTitleToAsk, Reason, Recorded, StoreError, WaitCause, WriteTx,
};
use tracker_testkit::spec;

/// A worker is sure of a match.
fn sure(fixture: &Fixture, id: DownloadId) -> Recorded {
    sure_of(fixture, id, 603)
}

fn sure_of(fixture: &Fixture, id: DownloadId, work: u64) -> Recorded {
    let names = found(Some("Film"));
    let list = [candidate(work)];
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
            assert!(living.detail.unwrap().ends_with(&why.to_string()));
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

/// Whether a worker that is sure of a work is held, and by which words.
fn held_by(fixture: &Fixture, id: DownloadId, work: u64) -> Option<Remark> {
    match sure_of(fixture, id, work) {
        Recorded::HeldBack { why, .. } => {
            let living = fixture.living(id);
            assert_eq!((living.state, living.candidate), (RecognitionState::Proposed, None));
            assert_eq!(living.verdict.as_deref(), Some(found(None).verdict.as_str()));
            assert!(living.is_held_by_a_rule());
            Some(why)
        }
        _ => {
            assert_eq!(fixture.living(id).state, RecognitionState::Accepted);
            assert!(!fixture.living(id).is_held_by_a_rule());
            None
        }
    }
}

fn ask(fixture: &Fixture, id: DownloadId, scope: AskScope) -> Result<bool, NoTitleToAsk> {
    fixture.write_as(&ann(), |tx| tx.ask_for(id, scope))
}

#[test]
fn a_rule_keeps_a_match_from_being_accepted_by_itself() {
    spec!("recognition-rows#a-person-may-want-to-be-asked/held-by-a-rule");
    let fixture = Fixture::new();
    let [one, other, third] = [1, 2, 3].map(|number| fixture.create(&[v1(number)]));
    assert_eq!(held_by(&fixture, one, 603), None);
    assert_eq!(ask(&fixture, one, AskScope::Title), Ok(true));
    assert_eq!(ask(&fixture, third, AskScope::Download), Ok(true));
    for id in [one, other] {
        assert_eq!(held_by(&fixture, id, 603), Some(Remark::AskedForTitle));
        assert_eq!(held_by(&fixture, id, 604), None);
    }
    let of_download = Some(Remark::AskedForDownload);
    assert_eq!(held_by(&fixture, third, 604), of_download);
    assert_eq!(fixture.get(|tx| tx.asks(third, Some("tmdb:movie/603"))), Some(AskScope::Title));
    assert_eq!(fixture.get(|tx| tx.asks(third, None)), Some(AskScope::Download));
    // A worker does not get past it; a person does, and is not asked again.
    fixture.write_as(&Actor::Worker, |tx| tx.accept_recognition(third, None)).unwrap();
    assert_eq!(fixture.living(third).state, RecognitionState::Proposed);
    fixture.write_as(&ann(), |tx| tx.accept_recognition(third, None)).unwrap();
    assert_eq!(sure_of(&fixture, third, 604), Recorded::Kept(fixture.living(third).id));
    assert!(fixture.write_as(&ben(), |tx| tx.ask_no_more(third, AskScope::Download)));
    fixture.write_as(&ben(), |tx| tx.supersede_recognitions(third));
    assert_eq!(held_by(&fixture, third, 604), None);
}

#[test]
fn who_was_asked_before_the_file_list_is_not_asked_twice() {
    spec!("recognition-rows#a-person-may-want-to-be-asked/asked-once");
    let fixture = Fixture::new();
    let names = found(Some("Film"));
    let list = [candidate(603)];
    for (number, work, is_held) in [(1, 603, false), (2, 604, true)] {
        let id = fixture.create(&[v1(number)]);
        assert_eq!(ask(&fixture, id, AskScope::Download), Ok(true));
        let foreseen = NewRecognition {
            candidates: &list,
            provisional: true,
            ..NewRecognition::of_names(&names, RecognitionState::Proposed)
        };
        fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &foreseen));
        fixture.write_as(&ann(), |tx| tx.accept_recognition(id, None)).unwrap();
        assert_eq!(held_by(&fixture, id, work).is_some(), is_held, "{work}");
    }
}

#[test]
fn a_rule_is_told_of_once() {
    spec!("recognition-rows#a-person-may-want-to-be-asked/a-rule-is-told-of");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    assert_eq!(ask(&fixture, id, AskScope::Title), Err(NoTitleToAsk));
    assert!(!fixture.write_as(&ben(), |tx| tx.ask_no_more(id, AskScope::Title)));
    assert_eq!(held_by(&fixture, id, 603), None);
    let before = fixture.revision(id);
    assert_eq!(ask(&fixture, id, AskScope::Title), Ok(true));
    assert_eq!(ask(&fixture, id, AskScope::Title), Ok(false));
    assert_eq!(fixture.revision(id), before + 1);
    // The title is known while another recognition is awaited too.
    fixture.write_as(&ben(), |tx| tx.supersede_recognitions(id));
    assert!(fixture.write_as(&ben(), |tx| tx.ask_no_more(id, AskScope::Title)));
    assert!(!fixture.write_as(&ben(), |tx| tx.ask_no_more(id, AskScope::Title)));
    let told = fixture.journal().into_iter().filter_map(|row| {
        let ours = [EventType::AskSet, EventType::AskRemoved].contains(&row.event_type);
        ours.then_some((row.event_type, row.actor, row.download_id, row.data))
    });
    let data = serde_json::json!({ "scope": "title", "work": "tmdb:movie/603" });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            (EventType::AskSet, ann().to_string(), Some(id), data.clone()),
            (EventType::AskRemoved, ben().to_string(), Some(id), data)
        ]
    );
}

#[test]
fn a_rule_goes_over_with_a_merge() {
    spec!("recognition-rows#a-person-may-want-to-be-asked/the-rule-of-a-merged-download");
    let fixture = Fixture::new();
    let (winner, loser) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    assert_eq!(ask(&fixture, loser, AskScope::Download), Ok(true));
    fixture.write_as(&Actor::Reconciler, |tx| tx.merge_downloads(winner, loser)).unwrap();
    assert_eq!(fixture.get(|tx| tx.asks(winner, None)), Some(AskScope::Download));
    assert_eq!(fixture.attention(winner), None::<Attention>);
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
