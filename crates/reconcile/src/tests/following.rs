//! Hidden hashes, places, metadata, completeness.

use tracker_domain::DownloadState;
use tracker_domain::observed::{ClientPath, Phase};
use tracker_testkit::spec;

use super::support::*;

const NOTHING: [&str; 0] = [];

#[test]
fn a_hybrid_reveals_itself() {
    spec!("state-reconciliation#hidden-hashes-are-added/a-hybrid-reveals-itself");
    let mut scene = Scene::of([queued(1, &[V1])]);
    assert_eq!(
        scene.poll(2_000, &[seen(&[V1], Phase::Metadata)]),
        ["1 shown as edf46c7f in /data"]
    );
    // With the metadata the handle changes: the known hash finds nothing.
    scene.now += 2_000;
    let unanswered = scene.look(false, &[]);
    assert!(unanswered.ask_listing);
    assert_eq!(words(&unanswered), NOTHING);
    let torrents = [seen(&[V1, V2], Phase::Downloading)];
    assert_eq!(
        scene.listing(0, &torrents),
        ["1 has 0bed5f40", "1 moved to 0bed5f40 in /data", "1 is named Film.2020"]
    );
    assert_eq!(scene.get(1).infohashes, hashes(&[V1, V2]));
    assert_eq!(scene.poll(2_000, &torrents), NOTHING);
}

#[test]
fn the_v1_of_a_hybrid_is_added_too() {
    spec!("state-reconciliation#hidden-hashes-are-added/the-v1-is-the-hidden-one");
    let known = shown(1, DownloadState::Downloading, &[V2]);
    assert_eq!(listed([known], &[seen(&[V1, V2], Phase::Downloading)]), ["1 has edf46c7f"]);
}

#[test]
fn a_handle_change_is_asked_for_at_once_but_not_at_every_look() {
    spec!("state-reconciliation#hidden-hashes-are-added/absence-from-a-poll-asks-for-a-listing");
    let mut scene =
        Scene::of([shown(1, DownloadState::Downloading, &[V1]), queued(2, &[&some_v1(2)])]);
    let asked: Vec<bool> = (0..20)
        .map(|_| {
            scene.now += 2_000;
            scene.look(false, &[]).ask_listing
        })
        .collect();
    assert!(asked[0]);
    assert_eq!(asked.iter().filter(|asked| **asked).count(), 2, "{asked:?}");

    // Another one that vanishes asks for itself.
    scene.known.push(shown(3, DownloadState::Downloading, &[&some_v1(3)]));
    assert!(scene.look(false, &[]).ask_listing);
    // One that was seen in between asks at once again.
    scene.poll(0, &[seen(&[V1], Phase::Downloading)]);
    assert!(scene.look(false, &[]).ask_listing);
    // So does everything after the client was away.
    scene.online_since = scene.now + 1;
    scene.now += 2;
    assert!(scene.look(false, &[]).ask_listing);
    // A clock that was set back does not silence the question.
    scene.now -= 500_000;
    scene.online_since = 0;
    assert!(scene.look(false, &[]).ask_listing);
}

#[test]
fn only_what_is_expected_asks_for_a_listing() {
    spec!("state-reconciliation#hidden-hashes-are-added/only-what-is-expected-asks");
    let mut fresh = queued(1, &[V1]);
    fresh.handed_over = false;
    let others = DownloadState::ALL
        .iter()
        .filter(|state| !matches!(state, DownloadState::Queued | DownloadState::Downloading))
        .map(|state| shown(2, *state, &[&some_v1(2)]));
    for known in [fresh].into_iter().chain(others) {
        let state = known.state;
        assert!(!Scene::of([known]).look(false, &[]).ask_listing, "{state}");
    }
}

#[test]
fn a_move_of_the_files_is_followed() {
    spec!("state-reconciliation#place-and-metadata-are-followed/moved-by-the-client");
    for state in [DownloadState::Downloading, DownloadState::Downloaded, DownloadState::Done] {
        let mut scene = Scene::of([shown(1, state, &[V1])]);
        let mut torrent = seen(&[V1], Phase::Moving);
        torrent.save_path = ClientPath("/data/complete".to_owned());
        assert_eq!(scene.listing(0, &[torrent.clone()]), NOTHING, "{state}");
        torrent.phase = Phase::Complete;
        let facts = scene.listing(0, &[torrent.clone()]);
        assert_eq!(facts[0], "1 moved to edf46c7f in /data/complete", "{state}");
        assert_eq!(scene.listing(0, &[torrent]), NOTHING, "{state}");
    }
}

#[test]
fn a_handle_that_changes_during_a_move_is_followed() {
    spec!("state-reconciliation#place-and-metadata-are-followed/moved-by-the-client");
    let mut torrent = seen(&[V1, V2], Phase::Moving);
    torrent.save_path = ClientPath("/elsewhere".to_owned());
    let mut known = shown(1, DownloadState::Downloading, &[V1]);
    known.infohashes = hashes(&[V1, V2]);
    assert_eq!(listed([known], &[torrent]), ["1 moved to 0bed5f40 in /data"]);
}

#[test]
fn any_state_of_the_client_is_being_shown() {
    spec!("state-reconciliation#place-and-metadata-are-followed/shown-whatever-its-state");
    for phase in super::properties::PHASES {
        let facts = listed([queued(1, &[V1])], &[seen(&[V1], phase)]);
        assert_eq!(facts[0], "1 shown as edf46c7f in /data", "{phase:?}");
    }
}

#[test]
fn the_file_list_becomes_known_once() {
    spec!("state-reconciliation#place-and-metadata-are-followed/metadata-arrives");
    let mut scene = Scene::of([queued(1, &[V1])]);
    scene.poll(0, &[seen(&[V1], Phase::Metadata)]);
    assert!(!scene.get(1).has_metadata);
    let torrents = [seen(&[V1], Phase::Stopped)];
    assert_eq!(scene.poll(0, &torrents), ["1 is named Film.2020"]);
    assert_eq!(scene.poll(0, &torrents), NOTHING);
}

#[test]
fn only_a_whole_torrent_at_rest_is_finished() {
    spec!("state-reconciliation#complete-and-below-complete/checking-and-moving-prove-nothing");
    let finishing: Vec<Phase> = super::properties::PHASES
        .into_iter()
        .filter(|phase| {
            let known = shown(1, DownloadState::Downloading, &[V1]);
            listed([known], &[seen(&[V1], *phase)]).contains(&"1 finished".to_owned())
        })
        .collect();
    assert_eq!(finishing, [Phase::Complete]);
}

#[test]
fn nothing_is_finished_before_its_file_list_is_known() {
    spec!("state-reconciliation#complete-and-below-complete/before-the-metadata");
    let mut torrent = seen(&[V1], Phase::Complete);
    torrent.has_metadata = false;
    let known = shown(1, DownloadState::Downloading, &[V1]);
    assert_eq!(listed([known], &[torrent]), NOTHING);
}

#[test]
fn a_check_that_fails_takes_it_back() {
    spec!("state-reconciliation#complete-and-below-complete/below-complete-with-nothing-linked");
    let mut scene = Scene::of([shown(1, DownloadState::Downloaded, &[V1])]);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Checking)]), NOTHING);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Stalled)]), ["1 taken below"]);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Downloading)]), NOTHING);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Complete)]), ["1 finished"]);
}

#[test]
fn a_running_batch_is_not_taken_back() {
    spec!("state-reconciliation#complete-and-below-complete/below-complete-during-a-batch");
    let known = shown(1, DownloadState::Linking, &[V1]);
    assert_eq!(listed([known], &[seen(&[V1], Phase::Downloading)]), NOTHING);
}

#[test]
fn a_linked_one_below_complete_stays_and_is_marked() {
    spec!("state-reconciliation#complete-and-below-complete/below-complete-with-links");
    for state in [DownloadState::Done, DownloadState::Downloaded] {
        for phase in [Phase::Downloading, Phase::Stalled, Phase::Stopped] {
            let mut known = shown(1, state, &[V1]);
            known.has_links = true;
            let mut scene = Scene::of([known]);
            let torrents = [seen(&[V1], phase)];
            assert_eq!(scene.listing(0, &torrents), ["1 raised source-changed"], "{state}");
            assert_eq!(scene.get(1).state, state);
            assert_eq!(scene.listing(0, &torrents), NOTHING);
            // What was overwritten stays overwritten.
            assert_eq!(scene.listing(0, &[seen(&[V1], Phase::Complete)]), NOTHING);
        }
    }
}

#[test]
fn a_check_alone_does_not_mark_a_linked_one() {
    spec!("state-reconciliation#complete-and-below-complete/a-linked-one-is-only-checked");
    for phase in super::properties::PHASES {
        let writes = matches!(phase, Phase::Downloading | Phase::Stalled | Phase::Stopped);
        let facts = listed([shown(1, DownloadState::Done, &[V1])], &[seen(&[V1], phase)]);
        assert_eq!(facts.is_empty(), !writes, "{phase:?}");
    }
    // Without links the bytes are the client's alone.
    let mut unlinked = shown(1, DownloadState::Done, &[V1]);
    unlinked.has_links = false;
    assert_eq!(listed([unlinked], &[seen(&[V1], Phase::Downloading)]), NOTHING);
}
