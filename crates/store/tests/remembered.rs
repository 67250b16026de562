//! What is remembered for the releases of a group, and what downloads take over.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, ann, ben, candidate, found, v1, v2};
use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, DownloadId, EntityKind};
use tracker_store::{NewRecognition, ReleaseKeys, RememberedWord, Remembering};
use tracker_testkit::spec;

const GRP: ReleaseKeys<'static> = ReleaseKeys { group_key: "grp", title_key: "film" };
const FIELDS: &[&str] = &["title", "year", "candidate"];

fn remember(fixture: &Fixture, id: DownloadId, actor: &Actor) -> Remembering {
    fixture.write_as(actor, |tx| tx.remember(id, GRP, ("GRP", "Film"), FIELDS))
}

fn remembered(fixture: &Fixture) -> Vec<(String, String)> {
    let rows = fixture.get(|tx| tx.remembered());
    rows.into_iter().map(|row| (row.field, row.value)).collect()
}

fn words_for(fixture: &Fixture, id: DownloadId, release: ReleaseKeys<'_>) -> Vec<RememberedWord> {
    fixture.get(|tx| tx.remembered_for(id, release))
}

/// As a recognition does it.
fn take_over(fixture: &Fixture, id: DownloadId) {
    let words = words_for(fixture, id, GRP);
    fixture.write_as(&Actor::Worker, |tx| tx.take_over(id, &words));
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn it_is_kept_once_a_field_with_its_story() {
    spec!("review#remembered-for-a-release-group/told-in-the-journal");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write_as(&ann(), |tx| {
        tx.set_override(id, "year", "1999")?;
        tx.set_override(id, "season", "2")
    });
    assert_eq!(remember(&fixture, id, &ann()), Remembering { words: 1, forgotten: 0 });
    let first = fixture.get(|tx| tx.remembered()).pop().unwrap();
    assert_eq!((first.group.as_str(), first.title.as_str()), ("GRP", "Film"));
    assert_eq!((first.field.as_str(), first.value.as_str(), first.author), ("year", "1999", ann()));
    // The same again is no other word.
    fixture.clock.advance_seconds(60);
    remember(&fixture, id, &ben());
    fixture.write_as(&ben(), |tx| tx.set_override(id, "year", "2000"));
    remember(&fixture, id, &ben());
    let [row] = fixture.get(|tx| tx.remembered()).try_into().unwrap();
    assert_eq!((row.id, row.value.as_str(), row.author), (first.id, "2000", ben()));
    assert_eq!(row.updated_at, first.created_at.plus_seconds(60));
    assert_eq!(fixture.count_of(EventType::RememberedSet), 2);
    let entity = fixture.get(|tx| tx.entity(row.id.any())).unwrap();
    assert_eq!((entity.kind, entity.download), (EntityKind::Remembered, None));

    let forget = || fixture.write_as(&ann(), |tx| tx.forget(row.id));
    assert!(forget());
    let told = fixture.journal().pop().unwrap();
    assert_eq!((told.event_type, told.actor), (EventType::RememberedRemoved, ann().to_string()));
    assert_eq!((&told.data["release_group"], &told.data["value"]), (&"GRP".into(), &"2000".into()));
    assert!(!forget());
    assert_eq!(fixture.count_of(EventType::RememberedRemoved), 1);
}

#[test]
fn it_is_of_one_group_and_one_title() {
    spec!("review#remembered-for-a-release-group/another-group-or-title");
    let fixture = Fixture::new();
    let (one, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    fixture.write_as(&ann(), |tx| tx.set_override(one, "year", "1999"));
    remember(&fixture, one, &ann());
    assert_eq!(words_for(&fixture, other, GRP).len(), 1);
    for (group_key, title_key) in [("grp", "film 1999"), ("grp", "films"), ("other", "film")] {
        assert_eq!(words_for(&fixture, other, ReleaseKeys { group_key, title_key }), []);
    }
}

#[test]
fn what_is_taken_over_is_no_word_of_the_download() {
    spec!("review#remembered-for-a-release-group/a-person-s-own-word");
    let fixture = Fixture::new();
    let (one, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    fixture.write_as(&ann(), |tx| {
        tx.set_override(one, "year", "1999")?;
        tx.set_override(one, "title", "The Film")?;
        tx.set_override(other, "title", "My Film")
    });
    remember(&fixture, one, &ann());
    take_over(&fixture, other);
    let year = fixture.get(|tx| tx.override_of(other, "year")).unwrap();
    assert_eq!((year.value.as_str(), &year.author), ("1999", &ann()));
    assert!(year.remembered_at.is_some());
    assert_eq!(
        fixture.get(|tx| tx.overrides(other)),
        pairs(&[("title", "My Film"), ("year", "1999")])
    );
    // Taking over the same again writes nothing.
    let before = (fixture.journal().len(), fixture.revision(other));
    take_over(&fixture, other);
    assert_eq!((fixture.journal().len(), fixture.revision(other)), before);
    // Said of the download, it is its own, and stays.
    fixture.write_as(&ben(), |tx| tx.set_override(other, "year", "2000"));
    assert_eq!(words_for(&fixture, other, GRP), []);
    take_over(&fixture, other);
    assert_eq!(fixture.get(|tx| tx.override_of(other, "year")).unwrap().value, "2000");
}

#[test]
fn a_hint_is_a_word_of_a_person_too() {
    spec!("review#remembered-for-a-release-group/a-person-s-own-word");
    let fixture = Fixture::new();
    let (one, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    fixture.write_as(&ann(), |tx| {
        for (field, value) in [("title", "A"), ("candidate", "tmdb:1"), ("library", "films")] {
            tx.set_override(one, field, value)?;
        }
        let fields = &["title", "candidate", "library"];
        tx.remember(one, GRP, ("GRP", "Film"), fields)
    });
    take_over(&fixture, other);
    assert_eq!(fixture.get(|tx| tx.overrides(other)).len(), 3);
    fixture.write_as(&ben(), |tx| tx.add_hint(other, "the other one"));
    take_over(&fixture, other);
    assert_eq!(fixture.get(|tx| tx.overrides(other)), pairs(&[("library", "films")]));
}

#[test]
fn what_was_taken_over_changes_with_the_next_recognition_only() {
    spec!("review#remembered-for-a-release-group/forgotten");
    let fixture = Fixture::new();
    let (one, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    fixture.write_as(&ann(), |tx| tx.set_override(one, "year", "1999"));
    remember(&fixture, one, &ann());
    take_over(&fixture, other);
    let row = fixture.get(|tx| tx.remembered()).pop().unwrap();
    fixture.write_as(&ann(), |tx| tx.forget(row.id));
    for id in [one, other] {
        assert_eq!(fixture.get(|tx| tx.overrides(id)), pairs(&[("year", "1999")]));
    }
    for id in [one, other] {
        take_over(&fixture, id);
    }
    assert_eq!(fixture.get(|tx| tx.overrides(one)), pairs(&[("year", "1999")]));
    assert_eq!(fixture.get(|tx| tx.overrides(other)), []);
}

#[test]
fn what_a_person_took_back_is_not_taken_over_again() {
    spec!("review#remembered-for-a-release-group/taken-back");
    let fixture = Fixture::new();
    let (one, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    fixture.write_as(&ann(), |tx| tx.set_override(one, "year", "1999"));
    remember(&fixture, one, &ann());
    take_over(&fixture, other);
    for id in [one, other] {
        assert!(fixture.write_as(&ben(), |tx| tx.take_back_override(id, "year")));
        take_over(&fixture, id);
        assert_eq!(fixture.get(|tx| tx.overrides(id)), []);
    }
    // To remember that is to forget it.
    assert_eq!(remembered(&fixture), pairs(&[("year", "1999")]));
    assert_eq!(remember(&fixture, other, &ben()), Remembering { words: 0, forgotten: 1 });
    assert_eq!(remembered(&fixture), []);
    assert_eq!(remember(&fixture, other, &ben()), Remembering::default());
    // A new word ends it.
    fixture.write_as(&ben(), |tx| tx.set_override(other, "year", "2000"));
    remember(&fixture, other, &ben());
    fixture.write(|tx| tx.remove_override(other, "year"));
    take_over(&fixture, other);
    assert_eq!(fixture.get(|tx| tx.overrides(other)), pairs(&[("year", "2000")]));
}

/// Recognises a download with a work that may be meant.
fn propose(fixture: &Fixture, id: DownloadId) {
    let (names, list) = (found(Some("Film")), [candidate(603)]);
    let new = NewRecognition {
        candidates: &list,
        ..NewRecognition::of_names(&names, RecognitionState::Proposed)
    };
    fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new));
    take_over(fixture, id);
}

#[test]
fn a_decision_on_a_remembered_work_is_a_word_of_its_own() {
    spec!("review#remembered-for-a-release-group/a-person-s-own-word");
    let fixture = Fixture::new();
    let word = "tmdb:movie/603";
    let ids: Vec<DownloadId> = (1..=4).map(|number| fixture.create(&[v1(number)])).collect();
    let [one, accepted, rejected, as_read] = ids.as_slice().try_into().unwrap();
    fixture.write_as(&ann(), |tx| tx.set_override(one, "candidate", word));
    remember(&fixture, one, &ann());
    for id in [accepted, rejected, as_read] {
        propose(&fixture, id);
        assert!(fixture.get(|tx| tx.override_of(id, "candidate")).is_some());
    }
    fixture.write_as(&ben(), |tx| tx.accept_recognition(accepted, None)).unwrap();
    let own = fixture.get(|tx| tx.override_of(accepted, "candidate")).unwrap();
    assert_eq!((own.author, own.remembered_at), (ben(), None));
    fixture.write_as(&ben(), |tx| tx.accept_as_read(as_read)).unwrap();
    let list = fixture.living(rejected);
    let first = fixture.get(|tx| tx.candidates(list.id)).remove(0);
    fixture
        .write_as(&ben(), |tx| {
            tx.accept_recognition(rejected, Some(first.id))?.unwrap();
            tx.reject_recognition(rejected)
        })
        .unwrap();
    for id in [rejected, as_read] {
        take_over(&fixture, id);
        assert_eq!(fixture.get(|tx| tx.override_of(id, "candidate")), None);
    }
}

#[test]
fn a_merge_gives_no_remembered_words() {
    spec!("review#remembered-for-a-release-group/a-person-s-own-word");
    let fixture = Fixture::new();
    let one = fixture.create(&[v1(9)]);
    fixture.write_as(&ann(), |tx| tx.set_override(one, "year", "1999"));
    remember(&fixture, one, &ann());
    let (winner, loser) = (fixture.create(&[v1(1)]), fixture.create(&[v2(1)]));
    take_over(&fixture, loser);
    take_over(&fixture, winner);
    fixture.write_as(&ben(), |tx| tx.set_override(loser, "year", "2000"));
    fixture.write_as(&Actor::Reconciler, |tx| tx.merge_downloads(winner, loser)).unwrap();
    let year = fixture.get(|tx| tx.override_of(winner, "year")).unwrap();
    assert_eq!((year.value.as_str(), year.remembered_at), ("2000", None));
}
