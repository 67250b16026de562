//! Several downloads that are one torrent.

use tracker_domain::observed::Phase;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;

use super::support::*;

#[test]
fn the_halves_of_a_hybrid_merge() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/halves-of-a-hybrid");
    let v1 = "b5f4a7c1a3ada361c59469d90c79d76f5ef07fcd";
    let v2 = "32bcc50c8f5385308227700e85b55929100c875f76ea37a65c595ad930391ac4";
    let mut scene = Scene::of([queued(1, &[v1]), queued(2, &[v2])]);
    scene.poll(2_000, &[seen(&[v1], Phase::Metadata), seen(&[v2], Phase::Metadata)]);
    assert_eq!(scene.get(1).state, DownloadState::Downloading);
    // The client removes the v1 entry by itself.
    let merged = [seen(&[v1, v2], Phase::Downloading)];
    assert_eq!(
        scene.poll(2_000, &merged),
        ["1 absorbs 2", "1 moved to 32bcc50c in /data", "1 is named Film.2020"]
    );
    assert_eq!(scene.get(1).infohashes, hashes(&[v1, v2]));
    assert_eq!(scene.get(2).state, DownloadState::Merged);
    // The loser is neither missing nor failed, however long one looks.
    for _ in 0..5 {
        assert_eq!(scene.listing(60_000, &merged), [] as [&str; 0]);
    }
    assert_eq!(scene.get(2).attention, None);
}

#[test]
fn the_older_wins_and_goes_on_from_the_further_state() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/the-older-takes-the-further-state");
    let torrents = [seen(&[V1, V2], Phase::Complete)];
    let mut scene = Scene::of([shown(2, DownloadState::Downloaded, &[V2]), queued(1, &[V1])]);
    assert_eq!(
        scene.listing(0, &torrents),
        ["1 absorbs 2", "1 moved to 0bed5f40 in /data", "1 is named Film.2020"]
    );
    assert_eq!(scene.get(1).state, DownloadState::Downloaded);
    assert_eq!(scene.listing(0, &torrents), [] as [&str; 0]);

    let two_queued = [queued(1, &[V1]), queued(2, &[V2])];
    assert_eq!(
        listed(two_queued, &torrents),
        ["1 absorbs 2", "1 shown as 0bed5f40 in /data", "1 is named Film.2020", "1 finished"]
    );
}

#[test]
fn three_become_one() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/three-downloads");
    // A bare front, the v1 and the v2, each accepted apart.
    let mut bare = queued(2, &[FRONT]);
    bare.bare = true;
    let known = [queued(3, &[V2]), bare, queued(1, &[V1])];
    let mut scene = Scene::of(known);
    let torrents = [seen(&[V1, V2], Phase::Downloading)];
    let facts = scene.listing(0, &torrents);
    assert_eq!(facts[..2], ["1 absorbs 2", "1 absorbs 3"]);
    assert_eq!(scene.get(1).infohashes, hashes(&[V1, V2]));
    // The digits that are no v1 go from the loser too.
    assert_eq!(scene.get(2).infohashes, hashes(&[V2]));
    assert_eq!(
        [2, 3].map(|number| scene.get(number).state),
        [DownloadState::Merged, DownloadState::Merged]
    );
    assert_eq!(scene.listing(0, &torrents), [] as [&str; 0]);
}

#[test]
fn a_bare_front_that_wins_does_not_keep_its_digits() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/three-downloads");
    let mut bare = queued(1, &[FRONT]);
    bare.bare = true;
    let mut scene = Scene::of([bare, queued(2, &[V2])]);
    let facts = scene.listing(0, &[seen(&[V2], Phase::Downloading)]);
    assert_eq!(facts[..2], ["1 absorbs 2", "1 0bed5f40 is v2 0bed5f40"]);
    assert_eq!(scene.get(1).infohashes, hashes(&[V2]));
}

#[test]
fn a_running_batch_is_waited_for() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/a-running-batch-is-waited-for");
    let torrents = [seen(&[V1, V2], Phase::Complete)];
    for (linking, other) in [(1, 2), (2, 1)] {
        let batch = shown(linking, DownloadState::Linking, &[V1]);
        let waiting = shown(other, DownloadState::Downloading, &[V2]);
        let mut scene = Scene::of([batch, waiting]);
        let handle_only = format!("{linking} moved to 0bed5f40 in /data");
        assert_eq!(scene.listing(0, &torrents), [handle_only]);
        assert_eq!(scene.listing(0, &torrents), [] as [&str; 0]);
        assert_eq!(scene.look(true, &torrents).progress.len(), 2);

        // The batch was rolled back: now they merge.
        scene.known[0].state = DownloadState::Downloaded;
        let facts = scene.listing(0, &torrents);
        assert_eq!(facts[0], "1 absorbs 2");
        assert_eq!(scene.get(1).state, DownloadState::Downloaded);
    }
}

#[test]
fn an_ended_one_does_not_merge() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/an-ended-one-does-not-merge");
    for ended in [
        DownloadState::Done,
        DownloadState::Failed,
        DownloadState::Cancelled,
        DownloadState::Merged,
    ] {
        let known =
            [shown(1, ended, &[V1]), shown(2, DownloadState::Downloading, &[FRONT, V1, V2])];
        let mut one_hash = known.clone();
        one_hash[1].infohashes = hashes(&[V2]);
        let torrents = [seen(&[V1, V2], Phase::Checking)];
        assert_eq!(listed(one_hash, &torrents), ["2 has edf46c7f"], "{ended}");
        assert_eq!(listed(known, &torrents), [] as [&str; 0], "{ended}");
    }
}

#[test]
fn a_merge_leaves_room_for_its_own_mark() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/marks-wait-for-the-merge");
    let mut older = shown(1, DownloadState::Downloading, &[FRONT, V1]);
    older.infohashes = hashes(&[V1]);
    let mut scene = Scene::of([older, queued(2, &[V2])]);
    scene.patience.error_ms = 0;
    let torrents = [seen(&[V1, V2], Phase::Errored)];
    assert_eq!(scene.listing(0, &torrents), ["1 absorbs 2"]);
    // A person had said different things of the two.
    scene.known[0].attention = Some(Attention::MergeDiffers);
    assert_eq!(scene.listing(60_000, &torrents), [] as [&str; 0]);
}
