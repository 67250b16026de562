//! Downloads that are out of the lists.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use proptest::prelude::*;
use support::{Fixture, ann, v1};
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_domain::{DownloadCause as C, DownloadId, DownloadState};
use tracker_store::{DownloadFilter, InboxGroup, InboxQuery, Reason, Refusal};
use tracker_testkit::spec;

const DONE: &[C] = &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded];

fn step(fixture: &Fixture, id: DownloadId, causes: &[C]) {
    fixture.write(|tx| {
        for cause in causes {
            tx.set_download_state(id, *cause, &Reason::none())?.unwrap();
        }
        Ok(())
    });
}

fn hide(fixture: &Fixture, id: DownloadId) -> Result<(), Refusal> {
    fixture.write_as(&ann(), |tx| tx.hide_download(id, None))
}

fn is_hidden(fixture: &Fixture, id: DownloadId) -> bool {
    fixture.read(|tx| tx.download(id)).unwrap().hidden_at.is_some()
}

#[test]
fn only_what_has_ended_goes_and_it_is_told() {
    spec!("ingest#out-of-the-lists/only-what-has-ended");
    for (causes, goes) in [
        (&[][..], false),
        (&[C::Shown], false),
        (&[C::Shown, C::Finished], false),
        (&[C::Shown, C::Finished, C::PlanAccepted], false),
        (DONE, true),
        (&[C::Missing], true),
        (&[C::Cancel], true),
        (&[C::Merge], true),
    ] {
        let fixture = Fixture::new();
        let id = fixture.create(&[v1(1)]);
        step(&fixture, id, causes);
        let before = fixture.read(|tx| tx.download(id)).unwrap();
        fixture.clock.advance_seconds(5);
        let outcome = hide(&fixture, id);
        let row = fixture.read(|tx| tx.download(id)).unwrap();
        if !goes {
            assert!(matches!(outcome, Err(Refusal::Illegal(_))), "{causes:?}");
            assert_eq!(row, before);
            continue;
        }
        outcome.unwrap();
        assert_eq!((row.state, row.revision), (before.state, before.revision + 1));
        assert_eq!(row.hidden_at, Some(fixture.clock.now()));
        let told = fixture.journal().pop().unwrap();
        assert_eq!(told.event_type, EventType::DownloadRemoved);
        assert_eq!((told.actor, told.download_id), (ann().to_string(), Some(id)));
        // A second time nothing changes.
        fixture.clock.advance_seconds(5);
        hide(&fixture, id).unwrap();
        assert_eq!(fixture.read(|tx| tx.download(id)).unwrap(), row);
        assert_eq!(fixture.count_of(EventType::DownloadRemoved), 1);
    }
}

#[test]
fn it_is_in_no_list_unless_asked_for() {
    spec!("ingest#out-of-the-lists/in-no-list");
    let fixture = Fixture::new();
    let hidden = fixture.create(&[v1(1)]);
    step(&fixture, hidden, &[C::Missing]);
    let failed = fixture.create(&[v1(2)]);
    step(&fixture, failed, &[C::Missing]);
    hide(&fixture, hidden).unwrap();
    let listed = |hidden| {
        let filter = DownloadFilter { hidden, limit: 10, ..DownloadFilter::default() };
        let rows = fixture.get(|tx| tx.downloads(&filter));
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!((listed(false), listed(true)), (vec![failed], vec![failed, hidden]));
    let ended = fixture.get(|tx| tx.inbox(InboxGroup::Done, &InboxQuery::default(), 10));
    assert_eq!(ended.iter().map(|row| row.download.id).collect::<Vec<_>>(), [failed]);
    // Nor does a listing of its client bring it back.
    let watched = fixture.get(|tx| tx.ended_downloads_to_watch());
    assert_eq!(watched.iter().map(|row| row.id).collect::<Vec<_>>(), [failed]);
    assert!(fixture.read(|tx| tx.download(hidden)).is_some());
}

#[test]
fn what_is_active_again_is_shown_again() {
    spec!("ingest#out-of-the-lists/active-again");
    for (causes, back) in [(DONE, C::Reapply), (&[C::Missing], C::Retry), (&[C::Cancel], C::Retry)]
    {
        let fixture = Fixture::new();
        let id = fixture.create(&[v1(1)]);
        step(&fixture, id, causes);
        hide(&fixture, id).unwrap();
        assert!(is_hidden(&fixture, id));
        fixture.write(|tx| tx.activate_if_no_other_active(id, back, &Reason::none())).unwrap();
        assert!(!is_hidden(&fixture, id));
        let told = fixture.journal();
        let moved = told.iter().rfind(|event| event.event_type == EventType::DownloadStateChanged);
        assert_eq!(moved.unwrap().data["shown_again"], true);
    }
}

#[test]
fn a_new_intake_of_its_hash_is_a_new_download() {
    spec!("ingest#out-of-the-lists/taken-in-again");
    let fixture = Fixture::new();
    let first = fixture.create(&[v1(1)]);
    step(&fixture, first, DONE);
    hide(&fixture, first).unwrap();
    let second = fixture.create(&[v1(1)]);
    assert_ne!(first, second);
    assert!(is_hidden(&fixture, first) && !is_hidden(&fixture, second));
    // The torrent is another one's now, and stays so while that one is to be seen.
    let holder = |id| fixture.get(|tx| tx.holder_beside(id, [v1(1)]));
    assert_eq!((holder(first), holder(second)), (Some(second), None));
    step(&fixture, second, DONE);
    assert_eq!((holder(first), holder(second)), (Some(second), None));
    hide(&fixture, second).unwrap();
    assert_eq!((holder(first), holder(second)), (None, None));
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Move(C),
    Hide,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_active_is_ever_out_of_sight(
        steps in prop::collection::vec(
            prop_oneof![
                4 => prop::sample::select(C::ALL).prop_map(Step::Move),
                1 => Just(Step::Hide),
            ],
            1..30,
        ),
    ) {
        spec!("ingest#out-of-the-lists/any-sequence");
        let fixture = Fixture::new();
        let id = fixture.create(&[v1(1)]);
        for step in steps {
            let before = fixture.read(|tx| tx.download(id)).unwrap();
            match step {
                Step::Hide => {
                    let hidden = hide(&fixture, id).is_ok();
                    prop_assert_eq!(hidden, !before.state.is_active());
                }
                Step::Move(cause) => fixture.write(|tx| {
                    if before.state.is_active() {
                        tx.set_download_state(id, cause, &Reason::none()).map(drop)
                    } else {
                        tx.activate_if_no_other_active(id, cause, &Reason::none()).map(drop)
                    }
                }),
            }
            let after = fixture.read(|tx| tx.download(id)).unwrap();
            prop_assert!(after.hidden_at.is_none() || !after.state.is_active(), "{:?}", step);
            if before.hidden_at.is_some() && !after.state.is_active() {
                prop_assert_eq!(after.hidden_at, before.hidden_at, "{:?}", step);
            }
            prop_assert!(before.state != DownloadState::Merged || after.state == before.state);
        }
    }
}
