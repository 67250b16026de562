//! What holds for any client and any set of downloads.

use proptest::prelude::*;
use tracker_domain::fact::Fact;
use tracker_domain::observed::{ClientPath, Handle, Phase, Progress, Seen};
use tracker_domain::{Attention, DownloadState, Infohash, Pause, UnixMillis};
use tracker_testkit::spec;

use super::support::*;
use crate::{Known, Outcome};

pub const PHASES: [Phase; 11] = [
    Phase::Metadata,
    Phase::Downloading,
    Phase::Stalled,
    Phase::Stopped,
    Phase::Complete,
    Phase::Checking,
    Phase::Moving,
    Phase::Starting,
    Phase::FilesMissing,
    Phase::Errored,
    Phase::Unknown,
];

/// Phases from which nothing follows.
const SILENT: [Phase; 4] = [Phase::Checking, Phase::Moving, Phase::Starting, Phase::Unknown];

/// Sets of hashes that overlap in every way; the first is the front of a v2.
fn sets() -> Vec<Vec<String>> {
    let (a, b, c) = (some_v1(1), some_v1(2), some_v1(3));
    let (x, y) = (V2.to_owned(), format!("{:064x}", 9));
    [vec![FRONT.to_owned()], vec![a.clone()], vec![x.clone()], vec![a, x.clone()]]
        .into_iter()
        .chain([vec![b.clone()], vec![y.clone()], vec![b, y], vec![c.clone()], vec![c, x]])
        .collect()
}

fn of(set: usize) -> Vec<String> {
    sets().swap_remove(set)
}

prop_compose! {
    fn a_torrent(sets: usize)(
        set in 0..sets,
        phase in prop::sample::select(&PHASES[..]),
        handle in prop::option::of(0u8..3),
        path in 0u8..2,
        has_metadata: bool,
        stopped: bool,
    ) -> Seen {
        let texts = of(set);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut seen = seen(&texts, phase);
        if let Some(handle) = handle {
            seen.handle = Handle(format!("handle{handle}"));
        }
        seen.save_path = ClientPath(format!("/data/{path}"));
        seen.has_metadata = has_metadata;
        seen.progress.stopped = stopped;
        seen
    }
}

prop_compose! {
    fn a_download(sets: usize)(
        set in 0..sets,
        state in prop::sample::select(DownloadState::ALL),
        attention in prop::option::of(prop::sample::select(Attention::ALL)),
        handle in prop::option::of(0u8..3),
        path in prop::option::of(0u8..2),
        flags: [bool; 4],
        pause in prop::option::of(prop::sample::select(Pause::ALL)),
    ) -> Known {
        let texts = of(set);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Known {
            state,
            attention,
            bare: flags[0] && set == 0,
            handle: handle.map(|handle| Handle(format!("handle{handle}"))),
            save_path: path.map(|path| ClientPath(format!("/data/{path}"))),
            has_metadata: flags[1],
            has_links: flags[2],
            handed_over: flags[3],
            pause,
            ..queued(0, &texts)
        }
    }
}

/// Downloads as the store keeps them: no hash has two active owners.
fn downloads() -> impl Strategy<Value = Vec<Known>> {
    downloads_of(8)
}

/// With links among them that tie hashes of different torrents together.
fn false_links() -> impl Strategy<Value = Vec<Known>> {
    downloads_of(9)
}

fn downloads_of(sets: usize) -> impl Strategy<Value = Vec<Known>> {
    prop::collection::vec(a_download(sets), 0..7).prop_map(|mut known| {
        let mut owned: Vec<Infohash> = Vec::new();
        for (number, download) in (1..).zip(&mut known) {
            download.id = id(number);
            if download.infohashes.iter().any(|hash| owned.contains(&hash)) {
                download.state = DownloadState::Failed;
            }
            if download.state.is_active() {
                owned.extend(download.infohashes.iter());
            }
        }
        known
    })
}

/// What a client can list: one v2 has one v1, which leaves out the last set.
fn torrents() -> impl Strategy<Value = Vec<Seen>> {
    prop::collection::vec(a_torrent(8), 0..7)
}

/// Without entries that differ in nothing but what they do: which of two such is
/// meant cannot be told.
fn told_apart() -> impl Strategy<Value = Vec<Seen>> {
    torrents().prop_map(|torrents| {
        let mut kept: Vec<Seen> = Vec::new();
        for seen in torrents {
            let like = |other: &Seen| Seen {
                phase: seen.phase,
                size_bytes: None,
                progress: seen.progress,
                ..other.clone()
            };
            if !kept.iter().any(|other| like(other) == like(&seen)) {
                kept.push(seen);
            }
        }
        kept
    })
}

/// What no client should list.
fn contradictions() -> impl Strategy<Value = Vec<Seen>> {
    prop::collection::vec(a_torrent(9), 0..7)
}

fn ends(outcome: &Outcome) -> bool {
    outcome.facts.iter().any(|fact| {
        matches!(
            fact,
            Fact::Missing { .. } | Fact::Raised { attention: Attention::GoneFromClient, .. }
        )
    })
}

proptest! {
    #[test]
    fn a_second_look_at_the_same_tells_nothing_new(
        known in downloads(),
        torrents in torrents(),
        complete: bool,
        clears: bool,
    ) {
        spec!("state-reconciliation#a-decision-repeats-nothing/the-same-look-twice");
        let mut scene = Scene::of(known);
        let owned = scene.known.iter().any(|one| one.attention == Some(Attention::InfohashOwned));
        let mut first = scene.look(complete, &torrents);
        // Each fact asks for a legal move: `apply` stops at any other.
        apply(&mut scene.known, &first.facts, clears);
        // A return and a merge decide themselves before the rest is looked at,
        // a hash that is revealed ties another entry of the same torrent to its
        // download, a hash that is mended takes its mark away and shows what the
        // mark had kept back, and a move may take away a mark that still holds.
        let apart = torrents.iter().enumerate().any(|(at, one)| {
            torrents[at + 1..].iter().any(|other| one.infohashes.intersects(&other.infohashes))
        });
        let decides = |fact: &Fact| {
            matches!(fact, Fact::SeenAgain { .. } | Fact::SameTorrent { .. })
                || (apart || owned) && matches!(fact, Fact::InfohashesRevealed { .. } | Fact::HandleWasV2 { .. })
                || clears && matches!(fact, Fact::Shown { .. } | Fact::TakenBelow { .. } | Fact::Finished { .. })
        };
        let mut looks = 0;
        while first.facts.iter().any(decides) {
            first = scene.look(complete, &torrents);
            if apply(&mut scene.known, &first.facts, clears) == 0 {
                break;
            }
            looks += 1;
            prop_assert!(looks < 6, "it does not come to rest: {:?}", words(&first));
        }
        let again = scene.look(complete, &torrents);
        let before = scene.known.clone();
        let changed = apply(&mut scene.known, &again.facts, clears);
        prop_assert_eq!(changed, 0, "{:?} of {:?}", words(&again), before);
        // What the store accepts is told once; what it refuses may be asked again.
        let refused = |fact: &Fact| matches!(fact, Fact::SeenAgain { .. });
        prop_assert!(again.facts.iter().all(refused), "{:?}", words(&again));
    }

    #[test]
    fn false_links_come_to_rest(
        known in false_links(),
        torrents in torrents(),
        complete: bool,
        clears: bool,
    ) {
        spec!("state-reconciliation#a-decision-repeats-nothing/the-same-look-twice");
        let mut scene = Scene::of(known);
        let changes = (0..8).map(|_| {
            let facts = scene.look(complete, &torrents).facts;
            apply(&mut scene.known, &facts, clears)
        });
        prop_assert_eq!(changes.last(), Some(0));
    }

    #[test]
    fn progress_is_never_a_fact(known in false_links(), torrents in torrents(), done: u64) {
        spec!("state-reconciliation#a-decision-repeats-nothing/progress-is-not-written");
        let moved: Vec<Seen> = torrents
            .iter()
            .cloned()
            .map(|seen| Seen {
                progress: Progress { bytes_done: Some(done), ratio: Some(0.5), ..seen.progress },
                ..seen
            })
            .collect();
        let one = Scene::of(known.clone()).look(true, &torrents);
        let other = Scene::of(known).look(true, &moved);
        prop_assert_eq!(one.facts, other.facts);
        let told = other.progress.iter().all(|(_, progress)| progress.bytes_done == Some(done));
        prop_assert!(told);
    }

    #[test]
    fn the_order_of_a_listing_decides_nothing(
        known in false_links(),
        (torrents, shuffled) in told_apart()
            .prop_flat_map(|torrents| (Just(torrents.clone()), Just(torrents).prop_shuffle())),
    ) {
        spec!("state-reconciliation#a-decision-repeats-nothing/the-order-of-the-listing");
        let one = Scene::of(known.clone()).look(true, &torrents);
        let other = Scene::of(known).look(true, &shuffled);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn nothing_bad_follows_from_what_is_not_known(
        known in downloads(),
        torrents in torrents(),
        phases in prop::collection::vec(prop::sample::select(&SILENT[..]), 7),
        complete: bool,
    ) {
        spec!("state-reconciliation#unknown-is-not-bad/silent-states-change-nothing");
        let silent: Vec<Seen> = torrents
            .into_iter()
            .zip(phases)
            .map(|(seen, phase)| Seen { phase, ..seen })
            .collect();
        let mut scene = Scene::of(known);
        for after in [0, 60_000, 60_000, 24 * 3_600_000] {
            scene.now += after;
            let facts = scene.look(complete, &silent).facts;
            for fact in facts.iter().filter(|fact| is_seen(&scene.known, fact, &silent)) {
                let bad = matches!(
                    fact,
                    Fact::Finished { .. } | Fact::TakenBelow { .. } | Fact::Missing { .. } | Fact::Raised { .. }
                );
                prop_assert!(!bad, "{}", say(fact));
            }
        }
    }

    #[test]
    fn an_empty_list_never_ends_several(known in false_links(), gaps in prop::collection::vec(0u64..100_000, 8)) {
        spec!("state-reconciliation#unknown-is-not-bad/empty-lists");
        let mut scene = Scene::of(known);
        for gap in gaps {
            scene.now += gap;
            let outcome = scene.look(true, &[]);
            let expected = outcome.incident.map_or(1, |incident| incident.expected);
            if outcome.incident.is_some() {
                prop_assert!(!ends(&outcome) && expected > 1);
            }
            prop_assert!(outcome.facts.len() <= 1, "{:?}", words(&outcome));
        }
    }

    #[test]
    fn no_input_makes_it_panic(
        known in prop::collection::vec(a_download(9), 0..6),
        looks in prop::collection::vec((contradictions(), any::<bool>(), any::<u64>()), 1..5),
        online_since: u64,
        patience: [u64; 3],
    ) {
        spec!("state-reconciliation#unknown-is-not-bad/any-input-is-survived");
        // Ids twice, hashes with two owners, times from anywhere.
        let mut scene = Scene::of(known);
        scene.online_since = online_since;
        scene.patience.missing_ms = patience[0];
        scene.patience.restart_ms = patience[1];
        scene.patience.error_ms = patience[2];
        for (torrents, complete, now) in looks {
            scene.now = UnixMillis(now).0;
            let outcome = scene.look(complete, &torrents);
            prop_assert!(outcome.incident.is_none_or(|incident| incident.missing <= incident.expected));
        }
    }
}

/// Whether the download of the fact is in the listing.
fn is_seen(known: &[Known], fact: &Fact, torrents: &[Seen]) -> bool {
    known
        .iter()
        .filter(|known| known.id == fact.download())
        .any(|known| torrents.iter().any(|seen| seen.infohashes.intersects(&known.infohashes)))
}

#[test]
fn three_hundred_that_start_for_minutes_are_left_alone() {
    spec!("state-reconciliation#unknown-is-not-bad/the-client-is-starting");
    let hashes: Vec<String> = (0..300).map(some_v1).collect();
    let states = [
        DownloadState::Downloading,
        DownloadState::Downloaded,
        DownloadState::Linking,
        DownloadState::Done,
    ];
    let known = (0..).zip(&hashes).zip(states.iter().cycle());
    let mut scene = Scene::of(known.map(|((at, hash), state)| shown(at, *state, &[hash])));
    let torrents: Vec<Seen> = hashes.iter().map(|hash| seen(&[hash], Phase::Starting)).collect();
    let before = scene.known.clone();
    for _ in 0..150 {
        scene.now += 2_000;
        let outcome = scene.look(true, &torrents);
        assert_eq!((words(&outcome), outcome.incident), (Vec::new(), None));
    }
    assert_eq!(scene.known, before);
}
