//! Decisions of people against workers, and what the workers find to do.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, ann, ben, candidate, found, v1};
use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, Timestamp};
use tracker_store::{NewRecognition, Reason, Recorded};
use tracker_testkit::spec;

fn record(
    fixture: &Fixture,
    actor: &Actor,
    id: DownloadId,
    state: RecognitionState,
    change: impl FnOnce(&mut NewRecognition<'_>),
) -> Recorded {
    let names = found(Some("Film"));
    let list = [candidate(603)];
    let mut new = NewRecognition { candidates: &list, ..NewRecognition::of_names(&names, state) };
    change(&mut new);
    fixture.write_as(actor, |tx| tx.record_recognition(id, &new))
}

fn worker_records(fixture: &Fixture, id: DownloadId) -> Recorded {
    record(fixture, &Actor::Worker, id, RecognitionState::Proposed, |_| ())
}

fn foreseen(fixture: &Fixture, id: DownloadId) -> Recorded {
    record(fixture, &Actor::Worker, id, RecognitionState::Proposed, |new| new.provisional = true)
}

fn step(fixture: &Fixture, id: DownloadId, causes: &[DownloadCause]) {
    fixture.write(|tx| {
        for cause in causes {
            tx.set_download_state(id, *cause, &Reason::none())?.unwrap();
        }
        Ok(())
    });
}

fn know_files(fixture: &Fixture, id: DownloadId) {
    fixture.write(|tx| tx.set_metadata(id, "Film", Some(1)));
}

fn now(fixture: &Fixture) -> Timestamp {
    fixture.db.clock().now()
}

fn to_recognise(fixture: &Fixture) -> Vec<DownloadId> {
    fixture.get(|tx| tx.downloads_to_recognise())
}

fn due(fixture: &Fixture) -> Vec<DownloadId> {
    let now = now(fixture);
    fixture.get(|tx| tx.waiting_due(now))
}

#[test]
fn a_late_answer_does_not_undo_a_decision() {
    spec!("recognition-rows#decisions-hold-against-workers/a-late-answer");
    let fixture = Fixture::new();
    for (number, accepts) in [(1, true), (2, false)] {
        let id = fixture.create(&[v1(number)]);
        worker_records(&fixture, id);
        fixture
            .write_as(&ann(), |tx| {
                if accepts { tx.accept_recognition(id, None) } else { tx.reject_recognition(id) }
            })
            .unwrap();
        let decided = fixture.living(id);
        let before = fixture.journal().len();
        assert_eq!(worker_records(&fixture, id), Recorded::Kept(decided.id));
        fixture.write_as(&Actor::Reconciler, |tx| tx.supersede_recognitions(id));
        let again = fixture.write_as(&Actor::Worker, |tx| tx.accept_recognition(id, None));
        assert_eq!(again.unwrap(), decided);
        assert_eq!(fixture.living(id), decided);
        assert_eq!(fixture.journal().len(), before);
    }
}

#[test]
fn a_person_may_ask_again() {
    spec!("recognition-rows#decisions-hold-against-workers/asked-again-by-a-person");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    worker_records(&fixture, id);
    fixture.write_as(&ann(), |tx| tx.accept_recognition(id, None)).unwrap();
    fixture.write_as(&ben(), |tx| tx.supersede_recognitions(id));
    assert_eq!(fixture.get(|tx| tx.recognition_of(id)), None);
    let before = fixture.journal().len();
    // Asking twice is asking once.
    fixture.write_as(&ben(), |tx| tx.supersede_recognitions(id));
    assert_eq!(fixture.journal().len(), before);
    assert!(matches!(worker_records(&fixture, id), Recorded::Written(_)));
}

#[test]
fn a_choice_outlives_the_provisional_recognition() {
    spec!("recognition-rows#decisions-hold-against-workers/the-file-list-comes");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    foreseen(&fixture, id);
    let chosen = fixture.write_as(&ann(), |tx| tx.accept_recognition(id, None)).unwrap();
    // Another provisional one does not take its place.
    assert_eq!(foreseen(&fixture, id), Recorded::Kept(chosen.id));
    step(&fixture, id, &[DownloadCause::Shown]);
    know_files(&fixture, id);
    assert_eq!(to_recognise(&fixture), [id]);
    let Recorded::Written(newer) = worker_records(&fixture, id) else { panic!("kept") };
    assert_eq!(fixture.living(id).id, newer);
    assert_eq!(to_recognise(&fixture), []);
    let word = fixture.get(|tx| tx.override_of(id, "candidate")).unwrap();
    assert_eq!((word.value.as_str(), word.author), ("tmdb:movie/603", ann()));
}

#[test]
fn what_has_a_file_list_is_recognised_once() {
    spec!("recognition-rows#work-for-the-recogniser/the-file-list-is-known");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    assert_eq!(to_recognise(&fixture), []);
    foreseen(&fixture, id);
    step(&fixture, id, &[DownloadCause::Shown]);
    assert_eq!(to_recognise(&fixture), []);
    know_files(&fixture, id);
    assert_eq!(to_recognise(&fixture), [id]);
    step(&fixture, id, &[DownloadCause::Finished]);
    assert_eq!(to_recognise(&fixture), [id]);
    worker_records(&fixture, id);
    assert_eq!(to_recognise(&fixture), []);
    assert_eq!(fixture.get(|tx| tx.downloads_to_settle()), [id]);
}

#[test]
fn a_done_download_is_recognised_when_somebody_asks() {
    spec!("recognition-rows#work-for-the-recogniser/done");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let other = fixture.create(&[v1(2)]);
    for id in [id, other] {
        know_files(&fixture, id);
        step(&fixture, id, &[DownloadCause::Shown, DownloadCause::Finished]);
        worker_records(&fixture, id);
        step(&fixture, id, &[DownloadCause::PlanAccepted]);
    }
    // Asked for while its links are made: it is not forgotten.
    fixture.write_as(&ann(), |tx| tx.supersede_recognitions(id));
    assert_eq!(to_recognise(&fixture), []);
    for id in [id, other] {
        step(&fixture, id, &[DownloadCause::BatchRecorded]);
    }
    assert_eq!(to_recognise(&fixture), [id]);
    worker_records(&fixture, id);
    assert_eq!(to_recognise(&fixture), []);
    fixture.write_as(&ann(), |tx| tx.supersede_recognitions(other));
    assert_eq!(to_recognise(&fixture), [other]);
}

#[test]
fn what_waits_is_due_in_its_time() {
    spec!("recognition-rows#work-for-the-recogniser/waiting");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    know_files(&fixture, id);
    step(&fixture, id, &[DownloadCause::Shown]);
    let waits = |at: Option<Timestamp>| {
        record(&fixture, &Actor::Worker, id, RecognitionState::Waiting, |new| {
            new.next_look_at = at;
        })
    };
    waits(Some(now(&fixture).plus_seconds(60)));
    assert_eq!((due(&fixture), to_recognise(&fixture)), (vec![], vec![]));
    fixture.clock.advance_seconds(60);
    assert_eq!(due(&fixture), [id]);
    waits(Some(now(&fixture).plus_seconds(86_400)));
    assert_eq!(due(&fixture), []);
    // The clock is set back by two days: what it said before is no time to wait for.
    fixture.clock.set_ms(fixture.db.clock().now_ms().0 - 2 * 86_400_000);
    assert_eq!(due(&fixture), [id]);
    waits(None);
    assert_eq!(due(&fixture), [id]);
    fixture.write_as(&ann(), |tx| tx.accept_recognition(id, None)).unwrap();
    assert_eq!(due(&fixture), []);
    let held = fixture.living(id);
    assert_eq!((held.next_look_at, held.causes), (None, vec![]));
}

#[test]
fn a_provisional_one_that_waits_gives_way_to_the_files() {
    spec!("recognition-rows#work-for-the-recogniser/waiting");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    record(&fixture, &Actor::Worker, id, RecognitionState::Waiting, |new| new.provisional = true);
    assert_eq!(due(&fixture), [id]);
    step(&fixture, id, &[DownloadCause::Shown]);
    know_files(&fixture, id);
    assert_eq!((due(&fixture), to_recognise(&fixture)), (vec![], vec![id]));
}

#[test]
fn a_name_alone_is_foreseen_and_never_linked() {
    spec!("recognition-rows#work-for-the-recogniser/only-a-name");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.create_named(&[v1(2)], "");
    let known = fixture.create(&[v1(3)]);
    know_files(&fixture, known);
    let to_foresee = || fixture.get(|tx| tx.downloads_to_foresee());
    assert_eq!(to_foresee(), [id]);
    step(&fixture, id, &[DownloadCause::Shown]);
    assert_eq!(to_foresee(), [id]);
    foreseen(&fixture, id);
    assert_eq!(to_foresee(), []);
    // Other words, another look.
    fixture.write_as(&ann(), |tx| {
        tx.add_hint(id, "the film of 1999")?;
        tx.supersede_recognitions(id)
    });
    assert_eq!(to_foresee(), [id]);
    foreseen(&fixture, id);
    fixture.write_as(&ann(), |tx| tx.accept_recognition(id, None)).unwrap();
    step(&fixture, id, &[DownloadCause::Finished]);
    assert_eq!(fixture.get(|tx| tx.downloads_to_settle()), []);
    assert_eq!(fixture.attention(id), None::<Attention>);
}

#[test]
fn answers_are_kept_by_source_and_request() {
    spec!("recognition-rows#answers-of-the-sources-are-kept/kept-and-replaced");
    let fixture = Fixture::new();
    let (first, second) = (now(&fixture), now(&fixture).plus_seconds(60));
    fixture.write(|tx| {
        tx.put_cached(Provider::Tmdb, "show/82", "{\"a\":1}", first)?;
        tx.put_cached(Provider::Tvmaze, "show/82", "[]", first)?;
        tx.put_cached(Provider::Tmdb, "show/82", "{\"a\":2}", second)
    });
    let cached = |provider, request: &str| fixture.get(|tx| tx.cached(provider, request));
    assert_eq!(cached(Provider::Tmdb, "show/82"), Some(("{\"a\":2}".to_owned(), second)));
    assert_eq!(cached(Provider::Tvmaze, "show/82"), Some(("[]".to_owned(), first)));
    assert_eq!(cached(Provider::Tmdb, "show/83"), None);
}

#[test]
fn old_answers_go_in_portions() {
    spec!("recognition-rows#answers-of-the-sources-are-kept/old-ones-go");
    let fixture = Fixture::new();
    let start = now(&fixture);
    fixture.write(|tx| {
        for number in 0..700 {
            let at = start.plus_seconds(number);
            tx.put_cached(Provider::Tmdb, &number.to_string(), "{}", at)?;
        }
        Ok(())
    });
    let limit = start.plus_seconds(600);
    let drop_old = || fixture.write(|tx| tx.drop_cached_before(limit));
    assert_eq!((drop_old(), drop_old(), drop_old()), (500, 100, 0));
    let kept = |request: &str| fixture.get(|tx| tx.cached(Provider::Tmdb, request)).is_some();
    assert!(!kept("599") && kept("600") && kept("699"));
}
