//! Which torrent is which download.

use tracker_domain::DownloadState;
use tracker_domain::observed::{Handle, Phase};
use tracker_testkit::spec;

use super::support::*;

#[test]
fn the_v2_alone_is_enough() {
    spec!("state-reconciliation#match-by-any-infohash/match-by-v2-only");
    assert_eq!(
        listed([queued(1, &[V2])], &[seen(&[V1, V2], Phase::Downloading)]),
        ["1 has edf46c7f", "1 shown as 0bed5f40 in /data", "1 is named Film.2020"]
    );
}

#[test]
fn the_v1_alone_is_enough() {
    spec!("state-reconciliation#match-by-any-infohash/hybrid-looked-up-by-its-v1");
    // The client calls it by the front of the v2, which the v1 does not contain.
    let torrent = seen(&[V1, V2], Phase::Complete);
    assert_eq!(torrent.handle.0, FRONT);
    assert_eq!(
        listed([queued(1, &[V1, V2])], &[torrent]),
        ["1 shown as 0bed5f40 in /data", "1 is named Film.2020", "1 finished"]
    );
}

#[test]
fn a_v2_only_download_goes_to_the_end() {
    spec!("state-reconciliation#match-by-any-infohash/v2-only-from-intake-to-complete");
    let mut scene = Scene::of([queued(1, &[V2])]);
    scene.poll(2_000, &[seen(&[V2], Phase::Metadata)]);
    scene.poll(2_000, &[seen(&[V2], Phase::Downloading)]);
    assert_eq!(scene.poll(2_000, &[seen(&[V2], Phase::Complete)]), ["1 finished"]);
    assert_eq!(scene.get(1).state, DownloadState::Downloaded);
    assert_eq!(scene.get(1).infohashes, hashes(&[V2]));
}

#[test]
fn a_handle_is_not_stored_as_a_hash() {
    spec!("state-reconciliation#match-by-any-infohash/handle-is-no-hash");
    let v1 = "6d8f96b4e4761a04a3193ed729ebb8993ad17f0e";
    let v2 = "9c38422213e30bff212b30c360d26f9a021364228b454d58fecc4894be6d1d56";
    let mut scene = Scene::of([queued(1, &[v1])]);
    let torrent = seen(&[v1, v2], Phase::Downloading);
    assert_eq!(torrent.handle.0, "9c38422213e30bff212b30c360d26f9a02136422");
    scene.listing(0, &[torrent]);
    assert_eq!(scene.get(1).infohashes, hashes(&[v1, v2]));
    assert_eq!(scene.get(1).infohashes.len(), 2);
}

#[test]
fn a_stranger_of_the_same_name_is_not_ours() {
    spec!("state-reconciliation#match-by-any-infohash/strangers-are-never-guessed");
    let strangers =
        [seen(&[&some_v1(7)], Phase::Complete), seen(&[&some_v1(8)], Phase::Downloading)];
    let mut scene = Scene::of([queued(1, &[V1])]);
    for _ in 0..10 {
        let outcome = scene.look(true, &strangers);
        assert_eq!((words(&outcome), outcome.progress), (Vec::new(), Vec::new()));
        scene.now += 60_000;
    }
    assert_eq!(scene.get(1).state, DownloadState::Queued);
}

#[test]
fn another_handle_of_our_own_is_not_identity() {
    spec!("state-reconciliation#match-by-any-infohash/strangers-are-never-guessed");
    // What the client calls a stranger is what it called ours before.
    let mut stranger = seen(&[&some_v1(7)], Phase::Complete);
    stranger.handle = Handle(V1.to_owned());
    assert_eq!(listed([shown(1, DownloadState::Downloading, &[V1])], &[stranger]), [] as [&str; 0]);
}

#[test]
fn bare_digits_may_be_the_front_of_a_v2() {
    spec!("state-reconciliation#match-by-any-infohash/bare-digits-that-are-a-handle");
    let mut bare = queued(1, &[FRONT]);
    bare.bare = true;
    let mut scene = Scene::of([bare.clone()]);
    assert_eq!(
        scene.poll(0, &[seen(&[V2], Phase::Metadata)]),
        ["1 0bed5f40 is v2 0bed5f40", "1 shown as 0bed5f40 in /data"]
    );
    assert_eq!(scene.get(1).infohashes, hashes(&[V2]));
    assert_eq!(scene.poll(0, &[seen(&[V2], Phase::Metadata)]), [] as [&str; 0]);

    // Of a hybrid: the v2 takes the place of the digits, the v1 is added.
    let mut scene = Scene::of([bare]);
    scene.poll(0, &[seen(&[V1, V2], Phase::Metadata)]);
    assert_eq!(scene.get(1).infohashes, hashes(&[V1, V2]));

    // A link that says it is a v1 is taken at its word.
    assert_eq!(listed([queued(1, &[FRONT])], &[seen(&[V2], Phase::Metadata)]), [] as [&str; 0]);
}

#[test]
fn halves_that_are_listed_apart_do_not_make_it_jump() {
    spec!("state-reconciliation#match-by-any-infohash/halves-listed-apart");
    let (v1, v2) = (seen(&[V1], Phase::Metadata), seen(&[V2], Phase::Downloading));
    let mut scene = Scene::of([queued(1, &[V1, V2])]);
    let first = scene.poll(2_000, &[v1.clone(), v2.clone()]);
    assert_eq!(first.iter().filter(|fact| fact.contains("shown")).count(), 1, "{first:?}");
    let place = scene.get(1).handle.clone();
    for torrents in [[v2.clone(), v1.clone()], [v1.clone(), v2.clone()]] {
        let outcome = scene.look(false, &torrents);
        assert_eq!((words(&outcome), outcome.progress.len()), (Vec::new(), 1));
    }
    assert_eq!(scene.get(1).handle, place);

    // The one that states both is what the client is about to keep.
    let both = seen(&[V1, V2], Phase::Downloading);
    let mut scene = Scene::of([shown(1, DownloadState::Downloading, &[V1, V2])]);
    assert_eq!(scene.poll(0, &[v1.clone(), both.clone()]), ["1 moved to 0bed5f40 in /data"]);
    assert_eq!(scene.poll(0, &[both.clone(), v1.clone()]), [] as [&str; 0]);
    let mut scene = Scene::of([shown(1, DownloadState::Downloading, &[V1])]);
    assert_eq!(scene.poll(0, &[v1, both]), ["1 has 0bed5f40", "1 moved to 0bed5f40 in /data"]);
}

#[test]
fn listed_twice_is_one_torrent() {
    spec!("state-reconciliation#match-by-any-infohash/listed-twice");
    let torrent = seen(&[V1], Phase::Complete);
    let mut scene = Scene::of([queued(1, &[V1])]);
    let outcome = scene.look(true, &[torrent.clone(), torrent]);
    assert_eq!(
        words(&outcome),
        ["1 shown as edf46c7f in /data", "1 is named Film.2020", "1 finished"]
    );
    assert_eq!(outcome.progress.len(), 1);
}

#[test]
fn ten_thousand_torrents_are_compared_in_one_pass() {
    spec!("state-reconciliation#a-decision-repeats-nothing/large-clients");
    let ids: Vec<String> = (0..10_000).map(some_v1).collect();
    let known: Vec<_> =
        (0..).zip(&ids).map(|(at, hash)| shown(at, DownloadState::Done, &[hash])).collect();
    let torrents: Vec<_> = ids.iter().map(|hash| seen(&[hash], Phase::Complete)).collect();
    assert_eq!(listed(known, &torrents), [] as [&str; 0]);
}
