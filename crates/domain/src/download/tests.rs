//! The whole table of moves, as one picture.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

#[test]
fn every_state_with_every_cause() {
    let mut table = String::new();
    for state in DownloadState::ALL {
        for cause in DownloadCause::ALL {
            match state.after(*cause) {
                Ok(next) => writeln!(table, "{state} + {cause:?} -> {next}").unwrap(),
                Err(refused) => assert_eq!((refused.from, refused.cause), (*state, *cause)),
            }
        }
    }
    insta::assert_snapshot!(table, @"
    queued + Shown -> downloading
    queued + Rejected -> failed
    queued + Missing -> failed
    queued + Cancel -> cancelled
    queued + Merge -> merged
    queued + Pause -> queued
    queued + Choose -> queued
    queued + Prioritise -> queued
    downloading + Finished -> downloaded
    downloading + Rejected -> failed
    downloading + Missing -> failed
    downloading + Cancel -> cancelled
    downloading + Merge -> merged
    downloading + Pause -> downloading
    downloading + Choose -> downloading
    downloading + Prioritise -> downloading
    downloaded + TakenBelow -> downloading
    downloaded + PlanAccepted -> linking
    downloaded + Cancel -> cancelled
    downloaded + Merge -> merged
    downloaded + Pause -> downloaded
    downloaded + Choose -> downloaded
    linking + BatchRecorded -> done
    linking + BatchRolledBack { older_applied: false } -> downloaded
    linking + BatchRolledBack { older_applied: true } -> done
    linking + Cancel -> cancelled
    linking + Pause -> linking
    done + Reapply -> linking
    done + Pause -> done
    done + Remove -> done
    failed + SeenAgain -> downloading
    failed + Retry -> queued
    failed + Remove -> failed
    cancelled + Retry -> queued
    cancelled + Remove -> cancelled
    merged + Remove -> merged
    ");
}

#[test]
fn four_states_own_their_infohashes() {
    let active: Vec<&str> = DownloadState::ALL
        .iter()
        .filter(|state| state.is_active())
        .map(|state| state.as_str())
        .collect();
    assert_eq!(active, ["queued", "downloading", "downloaded", "linking"]);
}

#[test]
fn states_are_read_from_their_words() {
    let words: Vec<&str> = DownloadState::ALL.iter().map(|state| state.as_str()).collect();
    assert_eq!(
        words,
        ["queued", "downloading", "downloaded", "linking", "done", "failed", "cancelled", "merged"]
    );
    for state in DownloadState::ALL {
        assert_eq!(state.to_string().parse::<DownloadState>().unwrap(), *state);
    }
    for text in ["", "Done", "done ", "canceled", "completed"] {
        assert!(text.parse::<DownloadState>().is_err(), "{text:?}");
    }
}

#[test]
fn a_refused_move_says_what_was_asked_of_what() {
    let refused = DownloadState::Done.after(DownloadCause::Retry).unwrap_err();
    assert_eq!(refused.to_string(), "a download that is done cannot take the step Retry");
}

proptest! {
    #[test]
    fn only_guarded_causes_make_an_ended_download_active(
        causes in proptest::collection::vec(proptest::sample::select(DownloadCause::ALL), 1..40),
    ) {
        let mut state = DownloadState::Queued;
        for cause in causes {
            let Ok(next) = state.after(cause) else { continue };
            if !state.is_active() && next.is_active() {
                // The store asks for each of these who owns the hashes.
                let guarded = [DownloadCause::Retry, DownloadCause::SeenAgain, DownloadCause::Reapply];
                prop_assert!(guarded.contains(&cause), "{} + {:?}", state, cause);
            }
            let stays = state != DownloadState::Merged || next == state;
            prop_assert!(stays, "a merged download moved");
            state = next;
        }
    }
}
