//! What is not in an answer.

use tracker_domain::observed::{Phase, Seen};
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;

use super::support::*;
use crate::{Incident, Known};

const NOTHING: [&str; 0] = [];

/// As many in this state, each its own torrent, and what the client lists.
fn many(count: u64, state: DownloadState) -> (Vec<Known>, Vec<Seen>) {
    let hashes: Vec<String> = (0..count).map(some_v1).collect();
    let known = (0..).zip(&hashes).map(|(at, hash)| shown(at, state, &[hash])).collect();
    let torrents = hashes.iter().map(|hash| seen(&[hash], Phase::Downloading)).collect();
    (known, torrents)
}

#[test]
fn one_that_is_deleted_in_the_client_is_missing() {
    spec!("state-reconciliation#missing-only-on-good-evidence/deleted-in-the-client");
    let (known, torrents) = many(3, DownloadState::Downloading);
    let mut scene = Scene::of(known);
    let left = &torrents[1..];
    assert_eq!(scene.listing(0, left), NOTHING);
    assert!(scene.memory.counts_absences());
    assert_eq!(scene.listing(15_000, left), NOTHING);
    assert_eq!(scene.listing(15_000, left), ["0 missing"]);
    assert_eq!(scene.get(0).state, DownloadState::Failed);
    assert_eq!(scene.get(0).attention, Some(Attention::ClientMissing));
    assert_eq!(scene.listing(15_000, left), NOTHING);
    assert!(!scene.memory.counts_absences());
}

#[test]
fn the_only_one_can_be_missing_too() {
    spec!("state-reconciliation#missing-only-on-good-evidence/deleted-in-the-client");
    let mut scene = Scene::of([shown(1, DownloadState::Downloading, &[V1])]);
    let facts: Vec<_> = (0..3).map(|_| scene.listing(15_000, &[])).collect();
    assert_eq!(facts.concat(), ["1 missing"]);
}

#[test]
fn three_listings_and_half_a_minute_are_both_needed() {
    spec!("state-reconciliation#missing-only-on-good-evidence/too-early-to-tell");
    let (known, torrents) = many(3, DownloadState::Downloading);
    // Ten listings within less than half a minute.
    let mut scene = Scene::of(known.clone());
    for _ in 0..10 {
        assert_eq!(scene.listing(2_900, &torrents[1..]), NOTHING);
    }
    // Two listings over an hour.
    let mut scene = Scene::of(known);
    for _ in 0..2 {
        assert_eq!(scene.listing(3_600_000, &torrents[1..]), NOTHING);
    }
}

#[test]
fn being_seen_in_between_starts_the_count_anew() {
    spec!("state-reconciliation#missing-only-on-good-evidence/seen-in-between");
    let (known, torrents) = many(3, DownloadState::Downloading);
    for poll in [false, true] {
        let mut scene = Scene::of(known.clone());
        for _ in 0..10 {
            assert_eq!(scene.listing(30_000, &torrents[1..]), NOTHING);
            assert_eq!(scene.listing(30_000, &torrents[1..]), NOTHING);
            // A poll by hashes is as good as a listing to show that it is there.
            scene.now += 1_000;
            assert_eq!(words(&scene.look(!poll, &torrents)), NOTHING);
        }
    }
}

#[test]
fn a_poll_by_hashes_concludes_nothing() {
    spec!("state-reconciliation#missing-only-on-good-evidence/absent-from-a-poll");
    let mut scene = Scene::of([shown(1, DownloadState::Downloading, &[V1])]);
    for _ in 0..100 {
        assert_eq!(scene.poll(60_000, &[]), NOTHING);
    }
}

#[test]
fn an_empty_list_is_an_incident_of_the_client() {
    spec!("state-reconciliation#missing-only-on-good-evidence/the-whole-list-is-empty");
    let (known, torrents) = many(200, DownloadState::Downloading);
    let mut scene = Scene::of(known.clone());
    for _ in 0..10 {
        scene.now += 60_000;
        let outcome = scene.look(true, &[]);
        assert_eq!(outcome.incident, Some(Incident { expected: 200, missing: 200 }));
        assert_eq!(words(&outcome), NOTHING);
        assert!(!scene.memory.counts_absences());
    }
    let outcome = scene.look(true, &torrents);
    assert_eq!((outcome.incident, words(&outcome)), (None, Vec::new()));
}

#[test]
fn a_list_that_lost_most_is_an_incident_too() {
    spec!("state-reconciliation#missing-only-on-good-evidence/most-of-the-list-is-gone");
    let (known, torrents) = many(10, DownloadState::Downloading);
    let mut scene = Scene::of(known);
    for _ in 0..10 {
        scene.now += 60_000;
        let outcome = scene.look(true, &torrents[6..]);
        assert_eq!(outcome.incident, Some(Incident { expected: 10, missing: 6 }));
        assert_eq!(words(&outcome), NOTHING);
    }
    // The counts of before the incident are worth nothing after it.
    scene.now += 1_000;
    assert_eq!(words(&scene.look(true, &torrents[1..])), NOTHING);
}

#[test]
fn a_client_that_just_came_back_is_not_believed() {
    spec!("state-reconciliation#missing-only-on-good-evidence/the-client-just-came-back");
    let mut scene = Scene::of([shown(1, DownloadState::Downloading, &[V1])]);
    scene.listing(0, &[]);
    scene.listing(60_000, &[]);
    // Away and back: an empty list right after the start.
    scene.online_since = scene.now + 59_000;
    let outcome = {
        scene.now += 60_000;
        scene.look(true, &[])
    };
    assert_eq!((words(&outcome), outcome.incident), (Vec::new(), None));
    assert!(!scene.memory.counts_absences(), "the count starts anew");
}

#[test]
fn a_client_that_is_checking_is_not_believed() {
    spec!("state-reconciliation#missing-only-on-good-evidence/the-client-is-checking");
    let (known, mut torrents) = many(10, DownloadState::Downloading);
    let mut scene = Scene::of(known);
    for torrent in &mut torrents[4..] {
        torrent.phase = Phase::Checking;
    }
    for _ in 0..10 {
        assert_eq!(scene.listing(60_000, &torrents[1..]), NOTHING);
    }
}

#[test]
fn one_that_was_never_shown_stays_unconfirmed() {
    spec!("state-reconciliation#missing-only-on-good-evidence/never-shown");
    let mut scene = Scene::of([queued(1, &[V1])]);
    for _ in 0..100 {
        assert_eq!(scene.listing(60_000, &[]), NOTHING);
    }
    assert_eq!(scene.get(1).state, DownloadState::Queued);
}

#[test]
fn a_complete_one_is_gone_not_failed() {
    spec!("state-reconciliation#missing-only-on-good-evidence/gone-after-completion");
    for state in [DownloadState::Downloaded, DownloadState::Linking, DownloadState::Done] {
        let mut scene = Scene::of([shown(1, state, &[V1])]);
        let facts: Vec<_> = (0..6).map(|_| scene.listing(15_000, &[])).collect();
        assert_eq!(facts.concat(), ["1 raised gone-from-client"]);
        assert_eq!(scene.get(1).state, state);
        assert!(!scene.memory.counts_absences());
        // It is back: nothing to look at any more.
        let facts = scene.listing(15_000, &[seen(&[V1], Phase::Complete)]);
        assert_eq!(facts, ["1 cleared gone-from-client"]);
    }
    let mut unlinked = shown(1, DownloadState::Done, &[V1]);
    unlinked.has_links = false;
    let mut scene = Scene::of([unlinked]);
    let facts: Vec<_> = (0..6).map(|_| scene.listing(15_000, &[])).collect();
    assert_eq!(facts.concat(), NOTHING);
}

#[test]
fn what_is_known_to_be_gone_makes_no_incident() {
    spec!("state-reconciliation#missing-only-on-good-evidence/finished-torrents-removed-over-time");
    // A person removes what was seeded long enough, one at a time.
    let (known, torrents) = many(20, DownloadState::Done);
    let torrents: Vec<Seen> =
        torrents.into_iter().map(|seen| Seen { phase: Phase::Complete, ..seen }).collect();
    let mut scene = Scene::of(known);
    let mut facts = Vec::new();
    for left in (0..20).rev() {
        for _ in 0..3 {
            scene.now += 30_000;
            let outcome = scene.look(true, &torrents[..left]);
            assert_eq!(outcome.incident, None, "{left} left");
            apply(&mut scene.known, &outcome.facts, true);
            facts.extend(words(&outcome));
        }
    }
    assert_eq!(facts.len(), 20);
    assert!(facts.iter().all(|fact| fact.ends_with("raised gone-from-client")));
}

#[test]
fn which_marks_make_room_for_gone() {
    spec!("state-reconciliation#missing-only-on-good-evidence/one-place-for-a-mark");
    let replaced: Vec<Attention> = Attention::ALL
        .iter()
        .copied()
        .filter(|attention| {
            let mut known = shown(1, DownloadState::Downloaded, &[V1]);
            known.attention = Some(*attention);
            let mut scene = Scene::of([known]);
            (0..4).any(|_| !scene.listing(15_000, &[]).is_empty())
        })
        .collect();
    assert_eq!(
        replaced,
        [Attention::NeedsReview, Attention::NoMetadata, Attention::Stalled, Attention::ClientError]
    );
}

#[test]
fn a_clock_that_is_set_back_does_not_hurry() {
    spec!("state-reconciliation#missing-only-on-good-evidence/the-clock-is-set-back");
    let (known, torrents) = many(3, DownloadState::Downloading);
    let mut scene = Scene::of(known);
    scene.listing(0, &torrents[1..]);
    scene.now -= 3_600_000;
    assert_eq!(scene.listing(0, &torrents[1..]), NOTHING);
    assert_eq!(scene.listing(10_000, &torrents[1..]), NOTHING);
    // Nor is the hour waited for a second time.
    assert_eq!(scene.listing(20_000, &torrents[1..]), ["0 missing"]);
}

#[test]
fn a_poll_about_others_does_not_stop_the_count() {
    spec!("state-reconciliation#missing-only-on-good-evidence/polls-about-others-in-between");
    let (known, mut torrents) = many(3, DownloadState::Downloaded);
    for torrent in &mut torrents {
        torrent.phase = Phase::Complete;
    }
    let mut scene = Scene::of(known);
    let unfinished = [shown(9, DownloadState::Downloading, &[V1])];
    let mut facts = Vec::new();
    for _ in 0..3 {
        facts.extend(scene.listing(15_000, &torrents[1..]));
        let all = std::mem::replace(&mut scene.known, unfinished.to_vec());
        facts.extend(scene.poll(2_000, &[seen(&[V1], Phase::Downloading)]));
        scene.known = all;
    }
    assert_eq!(facts, ["0 raised gone-from-client"]);
}
