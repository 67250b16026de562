//! Torrents of downloads that have ended.

use tracker_domain::observed::{ClientPath, Phase};
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;

use super::support::*;

const NOTHING: [&str; 0] = [];

#[test]
fn a_failed_one_returns() {
    spec!("state-reconciliation#a-returned-torrent-revives/the-torrent-is-back");
    for attention in [None, Some(Attention::ClientMissing), Some(Attention::ClientRejected)] {
        let mut failed = shown(1, DownloadState::Failed, &[V1]);
        failed.attention = attention;
        let mut scene = Scene::of([failed]);
        let torrents = [seen(&[V1, V2], Phase::Complete)];
        assert_eq!(scene.listing(0, &torrents), ["1 seen again as 0bed5f40 in /data"]);
        assert_eq!(scene.listing(0, &torrents), ["1 has 0bed5f40", "1 finished"]);
        assert_eq!(scene.listing(0, &torrents), NOTHING);
    }
}

#[test]
fn a_failed_one_stays_while_another_owns_the_torrent() {
    spec!("state-reconciliation#a-returned-torrent-revives/a-later-one-is-active");
    let known =
        [shown(1, DownloadState::Failed, &[V1]), shown(2, DownloadState::Downloading, &[V1])];
    assert_eq!(listed(known, &[seen(&[V1], Phase::Downloading)]), NOTHING);
}

#[test]
fn who_is_active_takes_its_hashes_first() {
    spec!("state-reconciliation#a-returned-torrent-revives/a-later-one-is-active");
    let mut bare = queued(2, &[FRONT]);
    bare.bare = true;
    let mut scene = Scene::of([shown(1, DownloadState::Failed, &[V1, V2]), bare]);
    // Each is found by an entry of its own.
    let facts = scene.listing(0, &[seen(&[V1], Phase::Metadata), seen(&[V2], Phase::Metadata)]);
    assert_eq!(facts[0], "2 0bed5f40 is v2 0bed5f40");
    assert_eq!(scene.get(1).state, DownloadState::Failed);
    assert_eq!(scene.get(2).infohashes, hashes(&[V2]));
}

#[test]
fn a_failed_one_stays_when_a_later_one_ended() {
    spec!("state-reconciliation#a-returned-torrent-revives/a-later-one-has-ended");
    for later in [DownloadState::Done, DownloadState::Cancelled] {
        let known = [shown(1, DownloadState::Failed, &[V1]), shown(2, later, &[V1])];
        assert_eq!(listed(known, &[seen(&[V1], Phase::Complete)]), NOTHING, "{later}");
    }
    // Of two failed ones the later returns.
    let both = [1, 2].map(|number| shown(number, DownloadState::Failed, &[V1]));
    assert_eq!(
        listed(both, &[seen(&[V1], Phase::Complete)]),
        ["2 seen again as edf46c7f in /data"]
    );
}

#[test]
fn what_was_absorbed_does_not_stand_in_the_way() {
    spec!("state-reconciliation#a-returned-torrent-revives/the-winner-of-a-merge");
    let known = [shown(1, DownloadState::Failed, &[V1]), shown(2, DownloadState::Merged, &[V1])];
    assert_eq!(
        listed(known, &[seen(&[V1], Phase::Complete)]),
        ["1 seen again as edf46c7f in /data"]
    );
}

#[test]
fn other_ends_are_final() {
    spec!("state-reconciliation#a-returned-torrent-revives/other-ends-are-final");
    for state in [DownloadState::Done, DownloadState::Cancelled, DownloadState::Merged] {
        let known = shown(1, state, &[V1]);
        assert_eq!(listed([known], &[seen(&[V1], Phase::Complete)]), NOTHING, "{state}");
    }
}

#[test]
fn two_entries_bring_a_failed_one_back_once() {
    spec!("state-reconciliation#a-returned-torrent-revives/the-torrent-is-back");
    let known = shown(1, DownloadState::Failed, &[V1]);
    let mut both = known.clone();
    both.infohashes = hashes(&[V1, V2]);
    let torrents = [seen(&[V2], Phase::Metadata), seen(&[V1], Phase::Metadata)];
    assert_eq!(listed([both], &torrents), ["1 seen again as edf46c7f in /data"]);
}

#[test]
fn an_imported_one_does_not_block_the_next() {
    spec!("state-reconciliation#a-returned-torrent-revives/taken-in-again-after-done");
    let done = shown(1, DownloadState::Done, &[V1]);
    let mut scene = Scene::of([done, queued(2, &[V1])]);
    let torrents = [seen(&[V1], Phase::Complete)];
    assert_eq!(
        scene.listing(0, &torrents),
        ["2 shown as edf46c7f in /data", "2 is named Film.2020", "2 finished"]
    );
    assert_eq!(scene.listing(0, &torrents), NOTHING);
}

#[test]
fn the_library_of_an_earlier_one_is_watched_while_it_shares_the_files() {
    spec!("state-reconciliation#a-returned-torrent-revives/files-shared-with-an-earlier-one");
    for later in [DownloadState::Downloading, DownloadState::Cancelled] {
        let known = [shown(1, DownloadState::Done, &[V1]), shown(2, later, &[V1])];
        let mut torrent = seen(&[V1], Phase::Downloading);
        assert_eq!(listed(known.clone(), &[torrent.clone()]), ["1 raised source-changed"]);

        // Fetched anew into another folder: other files.
        torrent.save_path = ClientPath("/data/2".to_owned());
        let mut elsewhere = known;
        elsewhere[1].save_path = Some(torrent.save_path.clone());
        assert_eq!(listed(elsewhere, &[torrent]), NOTHING, "{later}");
    }
}
