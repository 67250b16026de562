//! Any sequence of what workers and people do with a recognition.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;
use support::{Fixture, ann, ben, candidate, found, v1};
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, DownloadId};
use tracker_store::{NewRecognition, StoreError, WriteTx};
use tracker_testkit::spec;

#[derive(Clone, Debug)]
enum Step {
    Record { state: RecognitionState, candidates: u64, provisional: bool, title: bool },
    Accept(Option<u32>),
    AcceptAsRead,
    Reject,
    Again,
    Hint(String),
    Set(&'static str, String),
    Remove(&'static str),
}

fn step() -> impl Strategy<Value = Step> {
    let state = prop::sample::select(vec![
        RecognitionState::Waiting,
        RecognitionState::Proposed,
        RecognitionState::Accepted,
    ]);
    let field = || prop::sample::select(vec!["candidate", "year"]);
    prop_oneof![
        4 => (state, 0u64..3, any::<bool>(), any::<bool>()).prop_map(
            |(state, candidates, provisional, title)| Step::Record { state, candidates, provisional, title }
        ),
        3 => prop::option::of(0u32..6).prop_map(Step::Accept),
        1 => Just(Step::AcceptAsRead),
        2 => Just(Step::Reject),
        2 => Just(Step::Again),
        1 => "[ab]".prop_map(Step::Hint),
        2 => (field(), "tmdb:[12]").prop_map(|(field, value)| Step::Set(field, value)),
        1 => field().prop_map(Step::Remove),
    ]
}

fn actor() -> impl Strategy<Value = Actor> {
    prop::sample::select(vec![ann(), ben(), Actor::Worker])
}

/// The id of a candidate of any recognition, living or not.
fn candidate_at(conn: &Connection, place: u32) -> Option<String> {
    let sql = "SELECT id FROM metadata_candidate ORDER BY id LIMIT 1 OFFSET ?1";
    conn.query_row(sql, [place], |row| row.get(0)).ok()
}

fn take(
    tx: &mut WriteTx<'_>,
    conn: &Connection,
    id: DownloadId,
    step: &Step,
) -> Result<(), StoreError> {
    match step {
        Step::Record { state, candidates, provisional, title } => {
            let names = found(title.then_some("Film"));
            let list: Vec<_> = (1..=*candidates).map(candidate).collect();
            let new = NewRecognition {
                candidates: &list,
                candidate: (!list.is_empty() && *title).then_some(0),
                provisional: *provisional,
                ..NewRecognition::of_names(&names, *state)
            };
            tx.record_recognition(id, &new).map(drop)
        }
        Step::Accept(place) => {
            let chosen = place.and_then(|place| candidate_at(conn, place));
            tx.accept_recognition(id, chosen.map(|id| id.parse().unwrap())).map(drop)
        }
        Step::AcceptAsRead => tx.accept_as_read(id).map(drop),
        Step::Reject => tx.reject_recognition(id).map(drop),
        Step::Again => tx.supersede_recognitions(id),
        Step::Hint(words) => tx.add_hint(id, words).map(drop),
        Step::Set(field, value) => tx.set_override(id, field, value),
        Step::Remove(field) => tx.remove_override(id, field).map(drop),
    }
}

/// Every row that a step may change.
fn rows(conn: &Connection) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for table in ["download", "recognition", "metadata_candidate", "hint", "override"] {
        let mut statement = conn.prepare(&format!("SELECT * FROM {table} ORDER BY id")).unwrap();
        let columns = statement.column_count();
        let read = statement.query_map([], |row| (0..columns).map(|at| row.get(at)).collect());
        all.extend(read.unwrap().map(Result::unwrap));
    }
    all
}

fn count(conn: &Connection, sql: &str) -> i64 {
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn one_lives_and_each_change_is_told(steps in prop::collection::vec((actor(), step()), 1..16)) {
        spec!("recognition-rows#one-living-recognition/any-sequence");
        let fixture = Fixture::new();
        let id = fixture.create(&[v1(1)]);
        let conn = Connection::open(fixture.dir.path().join("tracker.db")).unwrap();
        let mut rejected = false;
        for (actor, step) in &steps {
            let (before, told) = (rows(&conn), count(&conn, "SELECT count(*) FROM event"));
            let decided = fixture.get(|tx| tx.recognition_of(id));
            fixture.write_as(actor, |tx| take(tx, &conn, id, step));
            let living = count(&conn, "SELECT count(*) FROM recognition WHERE state <> 'superseded'");
            prop_assert!(living <= 1, "{living} live after {step:?}");
            let changed = rows(&conn) != before;
            let told_more = count(&conn, "SELECT count(*) FROM event") > told;
            prop_assert_eq!(changed, told_more, "{:?}", step);
            // After a rejection nothing is accepted without a newer word.
            let accepted = fixture.get(|tx| tx.recognition_of(id))
                .is_some_and(|living| living.state == RecognitionState::Accepted);
            match (step, told_more && *actor != Actor::Worker) {
                (Step::Reject, true) => rejected = true,
                (Step::Accept(_) | Step::AcceptAsRead | Step::Record { .. }, true) => {
                    rejected &= !accepted;
                }
                (Step::Hint(_) | Step::Set(..), true) => rejected = false,
                _ => prop_assert!(!(rejected && accepted), "{:?} by {:?}", step, actor),
            }
            // What a person chose is what the override says, until they say otherwise.
            let now = fixture.get(|tx| tx.recognition_of(id));
            if let (true, Some(now)) = (*actor == Actor::Worker, &now)
                && let Some(was) = decided.filter(|was| was.chosen_by.is_some() && !was.provisional)
            {
                prop_assert_eq!(&was, now);
            }
            if let (Step::Accept(_) | Step::AcceptAsRead, Some(now)) = (step, &now)
                && now.chosen_by.as_ref() == Some(actor)
            {
                let word = fixture.get(|tx| tx.override_of(id, "candidate")).map(|row| row.value);
                let chosen = now.candidate.and_then(|id| fixture.get(|tx| tx.candidate(id)));
                prop_assert!(word.is_none() || now.candidate.is_some() || !changed);
                if changed {
                    prop_assert_eq!(word, chosen.and_then(|candidate| candidate.word()));
                }
            }
        }
        let problems = tracker_store::check(&conn).unwrap().problems;
        prop_assert_eq!(problems, vec![]);
    }
}
