//! Entries of real and of odd clients.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::{Value, json};
use tracker_domain::observed::{Phase, Scope, Seen};
use tracker_domain::{Infohash, InfohashV1, InfohashV2};
use tracker_testkit::{RECORDED_VERSIONS, recording, spec};

use super::*;
use crate::call::Payload;

fn read(body: &Value) -> (Vec<Seen>, usize) {
    let mut listing = Listing::new();
    listing.read(body.to_string().as_bytes()).unwrap();
    (listing.torrents.into_values().collect(), listing.skipped)
}

fn one(entry: &Value) -> Seen {
    let (mut seen, skipped) = read(&json!([entry]));
    assert_eq!((seen.len(), skipped), (1, 0), "{entry}");
    seen.remove(0)
}

fn v1(text: &str) -> InfohashSet {
    InfohashSet::one(text.parse::<InfohashV1>().unwrap())
}

const V1: &str = "edf46c7f938a3c678081734d7bff8b9c652ba5e5";
const V2: &str = "0bed5f40753b342cb143e83c2b21924cc847473134e44d1bd300bdc58c13010f";

#[test]
fn a_hybrid_reveals_its_second_hash_and_changes_its_handle() {
    spec!("qbittorrent-client#infohashes-as-stated/a-hybrid-gets-its-metadata");
    let before = one(&json!({"hash": V1, "infohash_v1": V1, "infohash_v2": "", "state": "metaDL"}));
    assert_eq!((before.handle.0.as_str(), &before.infohashes), (V1, &v1(V1)));
    let after = one(
        &json!({"hash": &V2[..40], "infohash_v1": V1, "infohash_v2": V2, "state": "downloading"}),
    );
    assert_eq!(after.handle.0, V2[..40]);
    let hashes: Vec<String> = after.infohashes.iter().map(|hash| hash.to_string()).collect();
    assert_eq!(hashes, [V1, V2]);
}

#[test]
fn the_front_of_a_v2_is_no_infohash() {
    spec!("qbittorrent-client#infohashes-as-stated/the-front-of-a-v2");
    let seen = one(&json!({"hash": &V2[..40], "infohash_v1": "", "infohash_v2": V2}));
    assert_eq!(seen.infohashes, InfohashSet::one(V2.parse::<InfohashV2>().unwrap()));
    let copied = one(&json!({"hash": &V2[..40], "infohash_v1": &V2[..40], "infohash_v2": V2}));
    assert_eq!(copied.infohashes, seen.infohashes);
}

#[test]
fn an_old_client_has_only_the_hash() {
    spec!("qbittorrent-client#infohashes-as-stated/a-client-without-infohash-fields");
    assert_eq!(one(&json!({"hash": V1.to_uppercase()})).infohashes, v1(V1));
    // Fields that are there and say nothing are no reason to guess.
    let (seen, skipped) = read(&json!([{"hash": V1, "infohash_v1": "", "infohash_v2": ""}]));
    assert_eq!((seen.len(), skipped), (0, 1));
}

#[test]
fn an_entry_that_cannot_be_read_is_left_out() {
    spec!("qbittorrent-client#listings/an-entry-that-cannot-be-read");
    let (seen, skipped) = read(&json!([
        {"hash": V1, "infohash_v1": V1, "infohash_v2": "", "brand_new_field": {"a": [1]}},
        {"hash": "short", "infohash_v1": "short", "infohash_v2": ""},
        {"name": "no hash"},
        {"hash": 5},
        "a word",
        null,
        {"hash": &V2[..40], "infohash_v1": "", "infohash_v2": V2, "size": "big"},
    ]));
    assert_eq!((seen.len(), skipped), (1, 6));
}

#[test]
fn a_list_that_is_cut_off_is_no_list() {
    spec!("qbittorrent-client#listings/an-answer-that-is-cut-off");
    let whole = json!([{"hash": V1}, {"hash": &V2[..40]}]).to_string();
    for end in 0..whole.len() {
        assert!(Listing::new().read(&whole.as_bytes()[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn missing_members_are_unknown() {
    spec!("qbittorrent-client#listings/fields-a-version-lacks");
    let seen = one(&json!({"hash": V1, "size": null, "tags": null, "eta": 8_640_000, "ratio": -1,
        "seeding_time": -1}));
    assert_eq!(seen.phase, Phase::Unknown);
    assert!(!seen.has_metadata && seen.tags.is_empty() && seen.name.is_empty());
    assert_eq!(seen.progress, Progress::default());
}

#[test]
fn metadata_and_bytes_are_told_without_the_field() {
    spec!("qbittorrent-client#listings/fields-a-version-lacks");
    let waiting = one(&json!({"hash": V1, "state": "metaDL", "size": 0, "total_size": -1,
        "completed": 0, "amount_left": 0, "progress": 0}));
    assert!(!waiting.has_metadata);
    assert_eq!((waiting.size_bytes, waiting.progress.bytes_done), (None, None));
    let coming = one(&json!({"hash": V1, "state": "downloading", "size": 100, "total_size": 120,
        "completed": 40, "amount_left": 60, "progress": 0.4, "dlspeed": 7, "upspeed": 3, "eta": 9,
        "num_seeds": 2, "num_leechs": 1, "ratio": 0.5, "seeding_time": 61, "tags": "tracker, tracker-01, "}));
    assert!(coming.has_metadata);
    let progress = coming.progress;
    assert_eq!((progress.bytes_done, progress.bytes_total), (Some(40), Some(100)));
    assert_eq!((progress.download_bps, progress.upload_bps), (Some(7), Some(3)));
    assert_eq!(
        (progress.eta_seconds, progress.peers, progress.ratio),
        (Some(9), Some(3), Some(0.5))
    );
    assert_eq!(progress.seeding_seconds, Some(61));
    assert_eq!(coming.tags, ["tracker", "tracker-01"]);
    let derived = one(&json!({"hash": V1, "size": 100, "amount_left": 60}));
    assert_eq!(derived.progress.bytes_done, Some(40));
}

#[test]
fn a_check_of_a_whole_torrent_is_not_complete() {
    spec!("qbittorrent-client#states-become-phases/a-client-that-checks");
    let checking =
        json!({"hash": V1, "state": "checkingUP", "progress": 0.42, "size": 9, "amount_left": 5});
    assert_eq!(one(&checking).phase, Phase::Checking);
    let nearly = json!({"hash": V1, "state": "stalledUP", "progress": 0.999_999, "size": 9});
    assert_eq!(one(&nearly).phase, Phase::Unknown);
    let whole = json!({"hash": V1, "state": "stalledUP", "progress": 1, "size": 9});
    assert_eq!(one(&whole).phase, Phase::Complete);
}

/// What each recorded state is.
fn expected(state: &str) -> Phase {
    match state {
        "metaDL" | "forcedMetaDL" => Phase::Metadata,
        // Recorded before metadata.
        "queuedDL" => Phase::Metadata,
        "downloading" | "forcedDL" => Phase::Downloading,
        "stalledDL" => Phase::Stalled,
        "pausedDL" | "stoppedDL" => Phase::Stopped,
        "uploading" | "stalledUP" | "forcedUP" | "pausedUP" | "stoppedUP" => Phase::Complete,
        "checkingUP" | "checkingDL" => Phase::Checking,
        "moving" => Phase::Moving,
        "missingFiles" => Phase::FilesMissing,
        "error" => Phase::Errored,
        other => panic!("a recorded state without a meaning: {other}"),
    }
}

#[test]
fn recorded_entries_are_understood() {
    spec!("qbittorrent-client#listings/answers-of-each-version");
    for version in RECORDED_VERSIONS {
        let mut states = 0;
        for step in recording(version, "states") {
            let Some(state) = step["body"]["state"].as_str() else { continue };
            let seen = one(&step["body"]);
            assert_eq!(seen.phase, expected(state), "{version} {}", step["step"]);
            assert_eq!(seen.client_state, state);
            let without = matches!(seen.phase, Phase::Metadata)
                || step["step"].as_str().is_some_and(|name| name.contains("magnet added stopped"));
            assert_eq!(seen.has_metadata, !without, "{version} {}", step["step"]);
            assert!(!seen.save_path.0.is_empty());
            assert!(seen.progress.seeding_seconds.is_some(), "{version} {}", step["step"]);
            states += 1;
        }
        assert!(states > 25, "{version} has {states} recorded entries");
    }
}

#[test]
fn recorded_hybrids_are_one_torrent() {
    spec!("qbittorrent-client#infohashes-as-stated/a-hybrid-gets-its-metadata");
    for version in RECORDED_VERSIONS {
        let steps = recording(version, "hybrid");
        let body = |name: &str| {
            let step = steps.iter().find(|step| step["step"] == name).unwrap();
            read(&step["body"]).0.remove(0)
        };
        let before = body("v1_only: before metadata");
        let after = body("v1_only: after the transfer");
        assert_ne!(before.handle, after.handle, "{version}");
        assert!(before.infohashes.intersects(&after.infohashes), "{version}");
        assert_eq!((before.infohashes.len(), after.infohashes.len()), (1, 2), "{version}");
    }
}

#[test]
fn a_scope_is_asked_for_in_every_form() {
    spec!("qbittorrent-client#cheap-questions/by-infohash");
    let v2: InfohashV2 = V2.parse().unwrap();
    let some = vec![V1.parse().unwrap(), Infohash::V2(v2), Infohash::V2(v2)];
    let asked = queries(&Scope::Infohashes(some), &Marking::Everything);
    assert_eq!(asked, [format!("hashes={}|{V2}|{V1}", &V2[..40])]);
    assert!(queries(&Scope::Infohashes(Vec::new()), &Marking::Everything).is_empty());
    let tag = Marking::Tag("tracker".into());
    assert_eq!(queries(&Scope::Ours, &tag), ["tag=tracker"]);
    assert_eq!(queries(&Scope::Ours, &Marking::Everything), [""]);
    assert_eq!(queries(&Scope::Everything, &tag), [""]);
}

fn queries(scope: &Scope, ours: &Marking) -> Vec<String> {
    calls(scope, ours)
        .into_iter()
        .map(|call| {
            assert_eq!(
                (call.endpoint, call.weight),
                ("torrents/info", crate::call::Weight::Listing)
            );
            let Payload::Query(query) = call.payload else { panic!("a question is a GET") };
            let parts: Vec<_> =
                query.iter().map(|(name, value)| format!("{name}={value}")).collect();
            parts.join("&")
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chunks_cover_every_hash_and_stay_short(seeds in prop::collection::vec(any::<[u8; 32]>(), 0..180)) {
        spec!("qbittorrent-client#cheap-questions/many-infohashes");
        let hashes: Vec<Infohash> =
            seeds.iter().map(|seed| Infohash::V2(InfohashV2::from_bytes(*seed))).collect();
        let asked = queries(&Scope::Infohashes(hashes.clone()), &Marking::Everything);
        let all: Vec<&str> =
            asked.iter().flat_map(|query| query["hashes=".len()..].split('|')).collect();
        for hash in &hashes {
            let long = hash.to_string();
            prop_assert!(all.contains(&long.as_str()) && all.contains(&&long[..40]));
        }
        for query in &asked {
            prop_assert!(query.split('|').count() <= 100);
        }
    }

    #[test]
    fn no_answer_makes_it_panic(body in "\\PC{0,200}", state in "[a-zA-Z]{0,10}", size: i64, eta: i64) {
        spec!("qbittorrent-client#listings/an-entry-that-cannot-be-read");
        let _ = Listing::new().read(body.as_bytes());
        let (seen, _) = read(&json!([{"hash": V1, "state": state, "size": size, "eta": eta}]));
        prop_assert_eq!(seen.len(), 1);
    }
}
