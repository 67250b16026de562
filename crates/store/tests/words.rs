//! Hints and overrides: who said what, and what a merge makes of it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, ann, ben, candidate, found, v1, v2};
use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, EntityKind};
use tracker_ident::AnyId;
use tracker_store::NewRecognition;
use tracker_testkit::spec;

#[test]
fn words_have_authors_and_the_latest_wins() {
    spec!("recognition-rows#words-of-people-keep-their-authors/hints-and-overrides");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write_as(&ann(), |tx| {
        tx.add_hint(id, "the one of 1999")?;
        tx.set_override(id, "year", "1998")
    });
    let first = fixture.get(|tx| tx.override_of(id, "year")).unwrap();
    fixture.clock.advance_seconds(60);
    fixture.write_as(&ben(), |tx| {
        tx.add_hint(id, "a film")?;
        tx.set_override(id, "year", "1999")
    });
    let hints = fixture.get(|tx| tx.hint_rows(id));
    let said: Vec<(&str, &Actor)> =
        hints.iter().map(|hint| (hint.text.as_str(), &hint.author)).collect();
    assert_eq!(said, [("the one of 1999", &ann()), ("a film", &ben())]);
    assert_eq!(fixture.get(|tx| tx.hints(id)), ["the one of 1999", "a film"]);
    let rows = fixture.get(|tx| tx.override_rows(id));
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((row.id, row.value.as_str(), &row.author), (first.id, "1999", &ben()));
    assert_eq!(row.created_at, first.created_at);
    assert_eq!(row.updated_at, first.created_at.plus_seconds(60));
}

#[test]
fn an_override_that_is_removed_is_told_of_once() {
    spec!("recognition-rows#words-of-people-keep-their-authors/an-override-is-removed");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write_as(&ann(), |tx| tx.set_override(id, "year", "1999"));
    let row = fixture.get(|tx| tx.override_of(id, "year")).unwrap();
    let remove = || fixture.write_as(&ben(), |tx| tx.remove_override(id, "year"));
    assert!(remove());
    let told = fixture.journal().pop().unwrap();
    assert_eq!(told.event_type, EventType::OverrideRemoved);
    assert_eq!((told.entity_id, told.actor), (Some(row.id.any()), ben().to_string()));
    assert_eq!((&told.data["field"], &told.data["value"]), (&"year".into(), &"1999".into()));
    let before = (fixture.journal().len(), fixture.revision(id));
    assert!(!remove());
    assert_eq!((fixture.journal().len(), fixture.revision(id)), before);
    assert_eq!(fixture.get(|tx| tx.overrides(id)), []);
}

#[test]
fn a_merge_keeps_the_authors() {
    spec!("recognition-rows#words-of-people-keep-their-authors/a-merge");
    let fixture = Fixture::new();
    let (winner, loser) = (fixture.create(&[v1(1)]), fixture.create(&[v2(1)]));
    fixture.write_as(&ann(), |tx| {
        tx.add_hint(winner, "both")?;
        tx.add_hint(loser, "hers")?;
        tx.set_override(loser, "year", "1999")
    });
    fixture.write_as(&ben(), |tx| tx.add_hint(loser, "both"));
    fixture.write_as(&Actor::Reconciler, |tx| tx.merge_downloads(winner, loser)).unwrap();
    let hints = fixture.get(|tx| tx.hint_rows(winner));
    let said: Vec<(&str, &Actor)> =
        hints.iter().map(|hint| (hint.text.as_str(), &hint.author)).collect();
    assert_eq!(said, [("both", &ann()), ("hers", &ann())]);
    assert_eq!(fixture.get(|tx| tx.override_of(winner, "year")).unwrap().author, ann());
}

#[test]
fn words_from_a_merge_ask_for_another_look() {
    spec!("recognition-rows#words-of-people-keep-their-authors/words-from-a-merge");
    for (decided, field, stays) in
        [(false, "candidate", false), (true, "candidate", true), (false, "library", true)]
    {
        let fixture = Fixture::new();
        let (winner, loser) = (fixture.create(&[v1(1)]), fixture.create(&[v2(1)]));
        let names = found(Some("Film"));
        fixture.write_as(&Actor::Worker, |tx| {
            tx.add_recognition(winner, &names, RecognitionState::Accepted)
        });
        if decided {
            fixture.write_as(&ann(), |tx| tx.accept_recognition(winner, None)).unwrap();
        }
        fixture.write_as(&ben(), |tx| tx.set_override(loser, field, "tmdb:603"));
        fixture.write_as(&Actor::Reconciler, |tx| tx.merge_downloads(winner, loser)).unwrap();
        let living = fixture.get(|tx| tx.recognition_of(winner));
        assert_eq!(living.is_some(), stays, "{decided} {field}");
    }
}

#[test]
fn every_word_raises_the_revision() {
    spec!("recognition-rows#words-of-people-keep-their-authors/revision");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let names = found(Some("Film"));
    fixture.write(|tx| tx.add_recognition(id, &names, RecognitionState::Proposed));
    let mut last = fixture.revision(id);
    let mut rises = |what: &str| {
        let now = fixture.revision(id);
        assert!(now > last, "{what}: {now}");
        last = now;
    };
    fixture.write_as(&ann(), |tx| tx.add_hint(id, "a hint"));
    rises("hint");
    fixture.write_as(&ann(), |tx| tx.set_override(id, "year", "1999"));
    rises("set");
    fixture.write_as(&ann(), |tx| tx.remove_override(id, "year"));
    rises("removed");
    fixture.write_as(&ann(), |tx| tx.accept_recognition(id, None)).unwrap();
    rises("accepted");
    fixture.write_as(&ann(), |tx| tx.reject_recognition(id)).unwrap();
    rises("rejected");
    fixture.write_as(&ann(), |tx| tx.supersede_recognitions(id));
    rises("asked again");
}

#[test]
fn ids_of_words_and_candidates_lead_to_their_download() {
    spec!("recognition-rows#words-of-people-keep-their-authors/ids");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let names = found(Some("Film"));
    let list = [candidate(603)];
    let new = NewRecognition {
        candidates: &list,
        ..NewRecognition::of_names(&names, RecognitionState::Proposed)
    };
    let hint = fixture.write_as(&ann(), |tx| {
        tx.set_override(id, "year", "1999")?;
        tx.record_recognition(id, &new)?;
        tx.add_hint(id, "a hint")
    });
    let word = fixture.get(|tx| tx.override_of(id, "year")).unwrap().id;
    let living = fixture.living(id).id;
    let of = fixture.get(|tx| tx.candidates(living)).pop().unwrap().id;
    let ids: [(AnyId, EntityKind); 4] = [
        (hint.any(), EntityKind::Hint),
        (word.any(), EntityKind::Override),
        (of.any(), EntityKind::MetadataCandidate),
        (living.any(), EntityKind::Recognition),
    ];
    for (any, kind) in ids {
        let entity = fixture.get(|tx| tx.entity(any)).unwrap();
        assert_eq!((entity.kind, entity.download), (kind, Some(id)));
    }
}
