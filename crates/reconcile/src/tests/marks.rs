//! What a person should look at, and what heals by itself.

use tracker_domain::observed::Phase;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;

use super::support::*;

const NOTHING: [&str; 0] = [];
const HOUR: u64 = 3_600_000;

fn downloading() -> Scene {
    Scene::of([shown(1, DownloadState::Downloading, &[V1])])
}

#[test]
fn an_error_that_lasts_is_marked_once() {
    spec!("state-reconciliation#lasting-trouble-is-marked/an-error-that-lasts");
    let mut scene = downloading();
    let torrents = [seen(&[V1], Phase::Errored)];
    assert_eq!(scene.poll(0, &torrents), NOTHING);
    assert_eq!(scene.poll(29_000, &torrents), NOTHING);
    assert_eq!(scene.poll(1_000, &torrents), ["1 raised client-error"]);
    for _ in 0..100 {
        assert_eq!(scene.poll(60_000, &torrents), NOTHING);
    }
    assert_eq!(scene.get(1).state, DownloadState::Downloading);
}

#[test]
fn the_mark_says_the_word_of_the_client() {
    spec!("state-reconciliation#lasting-trouble-is-marked/an-error-that-lasts");
    let mut scene = downloading();
    scene.patience.error_ms = 0;
    let facts = scene.look(false, &[seen(&[V1], Phase::Errored)]).facts;
    assert!(format!("{facts:?}").contains("stateOfTheClient"), "{facts:?}");
}

#[test]
fn an_error_heals_and_the_download_goes_on() {
    spec!("state-reconciliation#lasting-trouble-is-marked/an-error-that-heals");
    let mut scene = downloading();
    scene.poll(0, &[seen(&[V1], Phase::Errored)]);
    scene.poll(30_000, &[seen(&[V1], Phase::Errored)]);
    assert_eq!(scene.get(1).attention, Some(Attention::ClientError));
    // A check proves nothing yet.
    assert_eq!(scene.poll(2_000, &[seen(&[V1], Phase::Checking)]), NOTHING);
    let facts = scene.poll(2_000, &[seen(&[V1], Phase::Downloading)]);
    assert_eq!(facts, ["1 cleared client-error"]);
    assert_eq!(scene.poll(2_000, &[seen(&[V1], Phase::Complete)]), ["1 finished"]);
}

#[test]
fn a_short_error_is_not_mentioned() {
    spec!("state-reconciliation#lasting-trouble-is-marked/a-short-error");
    let mut scene = downloading();
    for _ in 0..20 {
        assert_eq!(scene.poll(2_000, &[seen(&[V1], Phase::Errored)]), NOTHING);
        assert_eq!(scene.poll(25_000, &[seen(&[V1], Phase::Downloading)]), NOTHING);
    }
}

#[test]
fn metadata_that_does_not_come_is_marked() {
    spec!("state-reconciliation#lasting-trouble-is-marked/no-metadata-for-long");
    let mut scene = Scene::of([queued(1, &[V1])]);
    let torrents = [seen(&[V1], Phase::Metadata)];
    scene.poll(0, &torrents);
    assert_eq!(scene.poll(HOUR / 2 - 1, &torrents), NOTHING);
    assert_eq!(scene.poll(1, &torrents), ["1 raised no-metadata"]);
    assert_eq!(scene.poll(24 * HOUR, &torrents), NOTHING);
    let facts = scene.poll(0, &[seen(&[V1], Phase::Downloading)]);
    assert_eq!(facts, ["1 is named Film.2020", "1 cleared no-metadata"]);
}

#[test]
fn a_transfer_that_stands_still_is_marked() {
    spec!("state-reconciliation#lasting-trouble-is-marked/stalled-for-long");
    let mut scene = downloading();
    let stalled = [seen(&[V1], Phase::Stalled)];
    scene.poll(0, &stalled);
    assert_eq!(scene.poll(6 * HOUR - 1, &stalled), NOTHING);
    assert_eq!(scene.poll(1, &stalled), ["1 raised stalled"]);
    // A restart of the client is no news about the transfer.
    for phase in [Phase::Starting, Phase::Checking, Phase::Unknown, Phase::Moving] {
        assert_eq!(scene.poll(60_000, &[seen(&[V1], phase)]), NOTHING);
    }
    assert_eq!(scene.poll(60_000, &stalled), NOTHING);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Downloading)]), ["1 cleared stalled"]);
}

#[test]
fn the_clock_set_back_does_not_raise_early() {
    spec!("state-reconciliation#lasting-trouble-is-marked/the-clock-is-set-back-meanwhile");
    let mut scene = downloading();
    let torrents = [seen(&[V1], Phase::Errored)];
    scene.poll(0, &torrents);
    scene.now -= HOUR;
    assert_eq!(scene.poll(0, &torrents), NOTHING);
    assert_eq!(scene.poll(29_999, &torrents), NOTHING);
    assert_eq!(scene.poll(1, &torrents), ["1 raised client-error"]);
}

#[test]
fn marks_of_later_steps_stay() {
    spec!("state-reconciliation#lasting-trouble-is-marked/marks-of-other-steps-stay");
    let ours = [
        Attention::ClientError,
        Attention::NoMetadata,
        Attention::Stalled,
        Attention::GoneFromClient,
        Attention::InfohashOwned,
    ];
    for attention in Attention::ALL.iter().filter(|attention| !ours.contains(attention)) {
        for phase in super::properties::PHASES {
            let mut known = shown(1, DownloadState::Linking, &[V1]);
            known.attention = Some(*attention);
            let mut scene = Scene::of([known]);
            scene.poll(0, &[seen(&[V1], phase)]);
            let facts = scene.poll(24 * HOUR, &[seen(&[V1], phase)]);
            assert_eq!(facts, NOTHING, "{attention} {phase:?}");
        }
    }
}

#[test]
fn complete_does_not_prove_that_a_file_is_there() {
    spec!("state-reconciliation#lasting-trouble-is-marked/a-file-that-the-client-does-not-miss");
    let mut known = shown(1, DownloadState::Downloaded, &[V1]);
    known.attention = Some(Attention::SourceMissing);
    let mut scene = Scene::of([known]);
    for _ in 0..10 {
        assert_eq!(scene.poll(HOUR, &[seen(&[V1], Phase::Complete)]), NOTHING);
        assert_eq!(scene.poll(HOUR, &[seen(&[V1], Phase::Checking)]), NOTHING);
    }
    // The client has noticed it now and fetches it again.
    let facts = scene.poll(0, &[seen(&[V1], Phase::Stalled)]);
    assert_eq!(facts, ["1 taken below", "1 cleared source-missing"]);
}

#[test]
fn files_that_the_client_missed_itself_can_heal() {
    spec!("state-reconciliation#lasting-trouble-is-marked/files-that-the-client-misses");
    let mut scene = Scene::of([shown(1, DownloadState::Downloaded, &[V1])]);
    let missing = [seen(&[V1], Phase::FilesMissing)];
    scene.poll(0, &missing);
    assert_eq!(scene.poll(30_000, &missing), ["1 raised source-missing"]);
    assert_eq!(scene.poll(30_000, &missing), NOTHING);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Checking)]), NOTHING);
    let facts = scene.poll(0, &[seen(&[V1], Phase::Complete)]);
    assert_eq!(facts, ["1 cleared source-missing"]);

    // Below complete it is the transfer that has the error.
    let mut scene = downloading();
    scene.poll(0, &missing);
    assert_eq!(scene.poll(30_000, &missing), ["1 raised client-error"]);
}

#[test]
fn one_trouble_takes_the_place_of_another() {
    spec!("state-reconciliation#lasting-trouble-is-marked/one-trouble-after-another");
    let mut scene = downloading();
    scene.patience.error_ms = 0;
    scene.patience.stalled_ms = 0;
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Stalled)]), ["1 raised stalled"]);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Errored)]), ["1 raised client-error"]);
    assert_eq!(scene.poll(0, &[seen(&[V1], Phase::Stalled)]), ["1 raised stalled"]);
}

#[test]
fn what_healed_makes_room_at_once() {
    spec!("state-reconciliation#lasting-trouble-is-marked/one-trouble-after-another");
    let mut scene = Scene::of([shown(1, DownloadState::Downloaded, &[V1])]);
    scene.patience.error_ms = 0;
    scene.patience.stalled_ms = 0;
    let missing = [seen(&[V1], Phase::FilesMissing)];
    assert_eq!(scene.poll(0, &missing), ["1 raised source-missing"]);
    let facts = scene.poll(0, &[seen(&[V1], Phase::Stalled)]);
    assert_eq!(facts, ["1 taken below", "1 raised stalled"]);
}

#[test]
fn a_hash_that_came_to_its_torrent_is_owned_by_nobody_else() {
    spec!("state-reconciliation#lasting-trouble-is-marked/a-hash-that-another-one-owned");
    // The other half of the hybrid is not known here: it is on another client.
    let mut known = shown(1, DownloadState::Downloading, &[V1]);
    known.attention = Some(Attention::InfohashOwned);
    let both = [seen(&[V1, V2], Phase::Downloading)];
    let outcome = Scene::of([known.clone()]).look(true, &both);
    assert_eq!(words(&outcome), ["1 has 0bed5f40", "1 moved to 0bed5f40 in /data"]);
    known.infohashes = hashes(&[V1, V2]);
    let facts = listed([known], &both);
    assert_eq!(facts, ["1 moved to 0bed5f40 in /data", "1 cleared infohash-owned"]);
}
