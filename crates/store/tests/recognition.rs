//! Recognitions and their candidates: one lives, and people decide.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, ann, ben, candidate, found, v1};
use tracker_domain::entity::CandidateId;
use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, Remark};
use tracker_store::{
    AcceptRefused, Candidate, NewCandidate, NewRecognition, Reason, Recorded, StoreError, WaitCause,
};
use tracker_testkit::spec;

/// A recognition of a worker with these candidates, the first of them chosen.
fn proposed(fixture: &Fixture, id: DownloadId, candidates: &[NewCandidate]) -> Vec<Candidate> {
    let names = found(Some("Film"));
    let new = NewRecognition {
        candidates,
        candidate: (!candidates.is_empty()).then_some(0),
        ..NewRecognition::of_names(&names, RecognitionState::Proposed)
    };
    fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new));
    let living = fixture.living(id);
    fixture.get(|tx| tx.candidates(living.id))
}

fn word(fixture: &Fixture, id: DownloadId) -> Option<(String, Actor)> {
    let row = fixture.get(|tx| tx.override_of(id, "candidate"));
    row.map(|row| (row.value, row.author))
}

fn accept(
    fixture: &Fixture,
    actor: &Actor,
    id: DownloadId,
    candidate: Option<CandidateId>,
) -> Result<tracker_store::Recognition, AcceptRefused> {
    fixture.write_as(actor, |tx| tx.accept_recognition(id, candidate))
}

fn reject(fixture: &Fixture, actor: &Actor, id: DownloadId) {
    fixture.write_as(actor, |tx| tx.reject_recognition(id)).unwrap();
}

#[test]
fn a_newer_recognition_supersedes_the_former() {
    spec!("recognition-rows#one-living-recognition/a-newer-one");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    proposed(&fixture, id, &[candidate(1)]);
    let former = fixture.living(id);
    proposed(&fixture, id, &[]);
    let newer = fixture.living(id);
    assert_ne!(former.id, newer.id);
    assert_eq!((newer.candidate, newer.detail.as_deref()), (None, Some("not plain")));
    let told = fixture.journal().pop().unwrap();
    assert_eq!(told.event_type, EventType::RecognitionCreated);
    assert_eq!(told.entity_id, Some(newer.id.any()));
    assert_eq!(told.data["supersedes"], former.id.to_string());
}

#[test]
fn candidates_are_read_as_they_were_written() {
    spec!("recognition-rows#candidates-keep-their-order/read-back");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let low =
        NewCandidate { score: -0.5, excluded: Some(Remark::read("a series")), ..candidate(2) };
    let written = [candidate(3), low, candidate(1)];
    let rows = proposed(&fixture, id, &written);
    for (rank, (row, new)) in (0u32..).zip(rows.iter().zip(&written)) {
        assert_eq!(row.work.as_ref(), Some(&new.work));
        assert_eq!((row.score, &row.parts, &row.excluded), (new.score, &new.parts, &new.excluded));
        assert_eq!((row.rank, row.source.as_str()), (Some(rank), "tmdb"));
        assert_eq!((&row.title, row.year), (&new.work.title, new.work.year));
        assert_eq!(fixture.get(|tx| tx.candidate(row.id)).as_ref(), Some(row));
    }
    assert_eq!(rows.len(), 3);
    assert_eq!(fixture.living(id).candidate, Some(rows[0].id));
}

#[test]
fn a_number_that_is_none_counts_as_zero() {
    spec!("recognition-rows#candidates-keep-their-order/a-number-that-is-none");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let mut odd = candidate(1);
    odd.score = f64::NAN;
    odd.parts[0].points = f64::INFINITY;
    odd.work.popularity = f64::NAN;
    let row = proposed(&fixture, id, &[odd]).pop().unwrap();
    let zeros = (row.score, row.parts[0].points, row.work.unwrap().popularity);
    assert_eq!(zeros, (0.0, 0.0, 0.0));
}

#[test]
fn a_chosen_place_beyond_the_list_writes_nothing() {
    spec!("recognition-rows#candidates-keep-their-order/a-place-that-is-not-in-the-list");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let before = fixture.journal().len();
    let names = found(None);
    let list = [candidate(1)];
    let new = NewRecognition {
        candidates: &list,
        candidate: Some(1),
        ..NewRecognition::of_names(&names, RecognitionState::Proposed)
    };
    let outcome = fixture.db.write_blocking(&Actor::Worker, |tx| tx.record_recognition(id, &new));
    assert!(matches!(outcome, Err(StoreError::Corrupt { column: "candidate_id", .. })));
    assert_eq!(fixture.get(|tx| tx.recognition_of(id)), None);
    assert_eq!(fixture.journal().len(), before);
}

#[test]
fn what_keeps_a_recognition_waiting_is_read_back() {
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let names = found(None);
    let causes = [WaitCause {
        source: "tmdb".into(),
        cause: "limited".into(),
        detail: "again in 60 s".into(),
    }];
    let at = fixture.write(|tx| Ok(tx.now())).plus_seconds(60);
    let new = NewRecognition {
        causes: &causes,
        next_look_at: Some(at),
        provisional: true,
        ..NewRecognition::of_names(&names, RecognitionState::Waiting)
    };
    let recorded = fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new));
    let living = fixture.living(id);
    assert_eq!(recorded, Recorded::Written(living.id));
    assert_eq!((living.state, living.causes.as_slice()), (RecognitionState::Waiting, &causes[..]));
    assert_eq!((living.next_look_at, living.provisional), (Some(at), true));
}

#[test]
fn the_choice_of_a_person_is_also_their_word() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/a-candidate");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write_as(&ben(), |tx| tx.set_override(id, "candidate", "tmdb:movie/1"));
    let rows = proposed(&fixture, id, &[candidate(1), candidate(603)]);
    let held = accept(&fixture, &ann(), id, Some(rows[1].id)).unwrap();
    assert_eq!((held.state, held.candidate), (RecognitionState::Accepted, Some(rows[1].id)));
    assert_eq!(held.chosen_by, Some(ann()));
    assert_eq!(held, fixture.living(id));
    assert_eq!(word(&fixture, id), Some(("tmdb:movie/603".to_owned(), ann())));
    let told: Vec<EventType> =
        fixture.journal().iter().rev().take(2).map(|event| event.event_type).collect();
    assert_eq!(told, [EventType::RecognitionAccepted, EventType::OverrideSet]);
    // The latest word wins, in this form too.
    accept(&fixture, &ben(), id, Some(rows[0].id)).unwrap();
    assert_eq!(word(&fixture, id), Some(("tmdb:movie/1".to_owned(), ben())));
}

#[test]
fn without_a_candidate_it_is_the_chosen_or_the_best_or_the_names() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/the-best-one");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let out = NewCandidate { excluded: Some(Remark::read("a series")), ..candidate(1) };
    // The one that the recognition has chosen, even against its own doubts.
    let rows = proposed(&fixture, id, &[out.clone(), candidate(2)]);
    assert_eq!(accept(&fixture, &ann(), id, None).unwrap().candidate, Some(rows[0].id));
    // Nothing is chosen: the first that nothing speaks against.
    let id = fixture.create(&[v1(2)]);
    let names = found(Some("Film"));
    let list = [out.clone(), candidate(2), candidate(3)];
    let new = NewRecognition {
        candidates: &list,
        ..NewRecognition::of_names(&names, RecognitionState::Proposed)
    };
    fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new));
    let rows = fixture.get(|tx| tx.candidates(fixture.living(id).id));
    assert_eq!(accept(&fixture, &ann(), id, None).unwrap().candidate, Some(rows[1].id));
    // Everything is excluded: the names.
    let id = fixture.create(&[v1(3)]);
    let new = NewRecognition {
        candidates: &list[..1],
        ..NewRecognition::of_names(&names, RecognitionState::Proposed)
    };
    fixture.write_as(&Actor::Worker, |tx| tx.record_recognition(id, &new));
    let held = accept(&fixture, &ann(), id, None).unwrap();
    assert_eq!((held.state, held.candidate), (RecognitionState::Accepted, None));
    assert_eq!(word(&fixture, id), None);
}

#[test]
fn the_names_take_a_pin_away() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/the-names-against-a-pin");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write_as(&ben(), |tx| tx.set_override(id, "candidate", "tmdb:603"));
    fixture.write_as(&ben(), |tx| tx.set_override(id, "year", "1999"));
    proposed(&fixture, id, &[]);
    accept(&fixture, &ann(), id, None).unwrap();
    assert_eq!(word(&fixture, id), None);
    assert_eq!(fixture.count_of(EventType::OverrideRemoved), 1);
    assert_eq!(fixture.get(|tx| tx.overrides(id)).len(), 1);
    // The same where there are candidates, and the person wants none of them.
    let id = fixture.create(&[v1(2)]);
    fixture.write_as(&ben(), |tx| tx.set_override(id, "candidate", "tmdb:603"));
    proposed(&fixture, id, &[candidate(603)]);
    let held = fixture.write_as(&ann(), |tx| tx.accept_as_read(id)).unwrap();
    assert_eq!((held.candidate, held.chosen_by), (None, Some(ann())));
    assert_eq!(word(&fixture, id), None);
}

#[test]
fn an_accepted_match_lets_linking_go_on() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/linking-goes-on");
    let fixture = Fixture::new();
    for (number, mark, goes) in [
        (1, Attention::NeedsReview, true),
        (2, Attention::MetadataUnavailable, true),
        (3, Attention::DiskFull, false),
        (5, Attention::Conflict, true),
        (6, Attention::LinkFailed, true),
        (7, Attention::PathUnmapped, false),
    ] {
        let id = fixture.create(&[v1(number)]);
        proposed(&fixture, id, &[candidate(1)]);
        fixture.write(|tx| tx.raise_attention(id, mark, "why")).unwrap();
        accept(&fixture, &ann(), id, None).unwrap();
        assert_eq!(fixture.attention(id), (!goes).then_some(mark));
    }
    // A worker that is sure answers the same marks.
    let id = fixture.create(&[v1(4)]);
    fixture.write(|tx| tx.raise_attention(id, Attention::MetadataUnavailable, "why")).unwrap();
    let names = found(Some("Film"));
    fixture
        .write_as(&Actor::Worker, |tx| tx.add_recognition(id, &names, RecognitionState::Accepted));
    assert_eq!(fixture.attention(id), None);
}

#[test]
fn what_a_worker_accepts_is_nobodys_word() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/by-itself");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    proposed(&fixture, id, &[candidate(603)]);
    let held = accept(&fixture, &Actor::Worker, id, None).unwrap();
    assert_eq!((held.state, held.chosen_by), (RecognitionState::Accepted, None));
    assert_eq!(word(&fixture, id), None);
    // A person who agrees makes it theirs.
    let held = accept(&fixture, &ann(), id, None).unwrap();
    assert_eq!(held.chosen_by, Some(ann()));
    assert_eq!(word(&fixture, id).unwrap().0, "tmdb:movie/603");
}

#[test]
fn accepting_twice_writes_once() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/twice-the-same");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let rows = proposed(&fixture, id, &[candidate(603)]);
    let first = accept(&fixture, &ann(), id, Some(rows[0].id)).unwrap();
    let before = (fixture.journal().len(), fixture.revision(id));
    let again = accept(&fixture, &ann(), id, None).unwrap();
    assert_eq!(first, again);
    assert_eq!((fixture.journal().len(), fixture.revision(id)), before);
}

#[test]
fn an_acceptance_is_refused_with_its_cause() {
    spec!("recognition-rows#a-match-is-accepted-by-a-person/refused");
    let fixture = Fixture::new();
    let (id, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    assert_eq!(accept(&fixture, &ann(), id, None), Err(AcceptRefused::NoRecognition));
    let former = proposed(&fixture, id, &[candidate(1)]);
    let foreign = proposed(&fixture, other, &[candidate(2)]);
    let nameless = found(Some("  "));
    fixture.write(|tx| tx.add_recognition(id, &nameless, RecognitionState::Proposed));
    let before = (fixture.journal().len(), fixture.revision(id));
    let unknown: CandidateId = fixture.living(id).id.any().typed();
    for (candidate, refused) in [
        (None, AcceptRefused::NoTitle),
        (Some(former[0].id), AcceptRefused::Superseded),
        (Some(foreign[0].id), AcceptRefused::NoSuchCandidate),
        (Some(unknown), AcceptRefused::NoSuchCandidate),
    ] {
        assert_eq!(accept(&fixture, &ann(), id, candidate), Err(refused));
    }
    let read = fixture.write_as(&ann(), |tx| tx.accept_as_read(id));
    assert_eq!(read, Err(AcceptRefused::NoTitle));
    assert_eq!((fixture.journal().len(), fixture.revision(id)), before);
    // A work has a title of its own.
    proposed(&fixture, id, &[candidate(1)]);
    assert!(accept(&fixture, &ann(), id, None).is_ok());
}

#[test]
fn a_rejected_match_asks_for_review() {
    spec!("recognition-rows#a-match-is-rejected-by-a-person/rejected");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let none = fixture.write_as(&ann(), |tx| tx.reject_recognition(id));
    assert_eq!(none, Err(AcceptRefused::NoRecognition));
    let rows = proposed(&fixture, id, &[candidate(603)]);
    accept(&fixture, &Actor::Worker, id, None).unwrap();
    reject(&fixture, &ann(), id);
    let living = fixture.living(id);
    assert_eq!((living.state, living.chosen_by), (RecognitionState::Rejected, None));
    assert_eq!(living.candidate, Some(rows[0].id));
    let row = fixture.get(|tx| tx.download(id)).unwrap();
    assert_eq!(row.attention, Some(Attention::NeedsReview));
    assert!(row.attention_detail.unwrap().contains("choose a candidate"));
    let kinds = [EventType::RecognitionRejected, EventType::DownloadAttention];
    let told: Vec<_> =
        fixture.journal().into_iter().filter(|event| kinds.contains(&event.event_type)).collect();
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|event| event.actor == ann().to_string()));
    // Twice is once, and a person may think again.
    let before = fixture.journal().len();
    reject(&fixture, &ann(), id);
    assert_eq!(fixture.journal().len(), before);
    accept(&fixture, &ann(), id, None).unwrap();
    assert_eq!(fixture.attention(id), None);
}

#[test]
fn the_pin_of_what_was_rejected_goes() {
    spec!("recognition-rows#a-match-is-rejected-by-a-person/the-pin-of-what-was-rejected");
    let fixture = Fixture::new();
    for (number, pin, goes) in [
        (1, "tmdb:603", true),
        (2, "tmdb:movie/603", true),
        (3, "imdb:tt0000603", true),
        (4, "tmdb:tv/603", false),
        (5, "tmdb:604", false),
        (6, "tvmaze:603", false),
    ] {
        let id = fixture.create(&[v1(number)]);
        fixture.write_as(&ben(), |tx| tx.set_override(id, "candidate", pin));
        proposed(&fixture, id, &[candidate(603)]);
        reject(&fixture, &ann(), id);
        assert_eq!(word(&fixture, id), (!goes).then(|| (pin.to_owned(), ben())), "{pin}");
    }
}

#[test]
fn a_rejection_leaves_other_marks_alone() {
    spec!("recognition-rows#a-match-is-rejected-by-a-person/something-else-to-look-at");
    let fixture = Fixture::new();
    let (full, ended) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    for id in [full, ended] {
        proposed(&fixture, id, &[]);
    }
    fixture.write(|tx| {
        tx.raise_attention(full, Attention::DiskFull, "full")?.unwrap();
        tx.set_download_state(ended, DownloadCause::Cancel, &Reason::none())?.unwrap();
        Ok(())
    });
    for id in [full, ended] {
        reject(&fixture, &ann(), id);
        assert_eq!(fixture.living(id).state, RecognitionState::Rejected);
    }
    assert_eq!(fixture.attention(full), Some(Attention::DiskFull));
    assert_eq!(fixture.attention(ended), None);
}
