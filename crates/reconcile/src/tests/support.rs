//! A scene of known downloads and a client, the facts in words, and what they
//! do to what is known.

use tracker_domain::fact::Fact;
use tracker_domain::observed::{ClientPath, Handle, Observation, Phase, Progress, Seen};
use tracker_domain::{
    Attention, DownloadCause, DownloadId, DownloadState, Infohash, InfohashSet, Pause, UnixMillis,
};

use crate::{Known, Memory, Outcome, Patience, Round, reconcile};

/// The pair of hashes of one hybrid.
pub const V1: &str = "edf46c7f938a3c678081734d7bff8b9c652ba5e5";
pub const V2: &str = "0bed5f40753b342cb143e83c2b21924cc847473134e44d1bd300bdc58c13010f";
pub const FRONT: &str = "0bed5f40753b342cb143e83c2b21924cc8474731";

/// A moment long after the client came up.
pub const LATER: u64 = 10_000_000;

pub fn id(number: u64) -> DownloadId {
    tracker_ident::derived(1_000, number, "download").typed()
}

/// The number that [`id`] made the id from.
pub fn number(wanted: DownloadId) -> u64 {
    (0..1_000).find(|number| id(*number) == wanted).unwrap()
}

pub fn hash(text: &str) -> Infohash {
    text.parse().unwrap()
}

/// A v1 that nothing else has.
pub fn some_v1(number: u64) -> String {
    format!("{number:040x}")
}

pub fn hashes(texts: &[&str]) -> InfohashSet {
    InfohashSet::new(texts.iter().map(|text| hash(text))).unwrap()
}

/// A download that was never in a client.
pub fn queued(number: u64, infohashes: &[&str]) -> Known {
    Known {
        id: id(number),
        state: DownloadState::Queued,
        attention: None,
        infohashes: hashes(infohashes),
        bare: false,
        handle: None,
        save_path: None,
        has_metadata: false,
        has_links: false,
        handed_over: true,
        pause: None,
    }
}

/// One that the client has shown under its first hash, with its metadata.
pub fn shown(number: u64, state: DownloadState, infohashes: &[&str]) -> Known {
    Known {
        state,
        handle: Some(Handle(infohashes[0].chars().take(40).collect())),
        save_path: Some(ClientPath("/data".to_owned())),
        has_metadata: true,
        has_links: state == DownloadState::Done,
        ..queued(number, infohashes)
    }
}

/// A torrent with its metadata, called what qBittorrent would call it.
pub fn seen(infohashes: &[&str], phase: Phase) -> Seen {
    let infohashes = hashes(infohashes);
    let handle = infohashes.v2().map(|v2| v2.truncated()).or(infohashes.v1()).unwrap();
    Seen {
        handle: Handle(handle.to_string()),
        infohashes,
        name: "Film.2020".to_owned(),
        phase,
        client_state: "stateOfTheClient".to_owned(),
        progress: Progress { bytes_done: Some(1), ..Progress::default() },
        has_metadata: phase != Phase::Metadata,
        size_bytes: (phase != Phase::Metadata).then_some(1000),
        save_path: ClientPath("/data".to_owned()),
        tags: Vec::new(),
    }
}

/// Known downloads, a client that has been up for long, and the memory between
/// the looks.
pub struct Scene {
    pub known: Vec<Known>,
    pub memory: Memory,
    pub patience: Patience,
    pub online_since: u64,
    pub now: u64,
}

impl Scene {
    pub fn of(known: impl IntoIterator<Item = Known>) -> Self {
        Scene {
            known: known.into_iter().collect(),
            memory: Memory::default(),
            patience: Patience::default(),
            online_since: 0,
            now: LATER,
        }
    }

    /// Looks and changes nothing but the memory.
    pub fn look(&mut self, complete: bool, torrents: &[Seen]) -> Outcome {
        let observation =
            Observation { at: UnixMillis(self.now), complete, torrents: torrents.to_vec() };
        let round = Round {
            known: &self.known,
            observation: &observation,
            online_since: UnixMillis(self.online_since),
            patience: &self.patience,
        };
        reconcile(round, &mut self.memory)
    }

    /// A listing, `after` milliseconds later, whose facts are applied.
    pub fn listing(&mut self, after: u64, torrents: &[Seen]) -> Vec<String> {
        self.now += after;
        let outcome = self.look(true, torrents);
        apply(&mut self.known, &outcome.facts, true);
        words(&outcome)
    }

    /// A poll by hashes, `after` milliseconds later, whose facts are applied.
    pub fn poll(&mut self, after: u64, torrents: &[Seen]) -> Vec<String> {
        self.now += after;
        let outcome = self.look(false, torrents);
        apply(&mut self.known, &outcome.facts, true);
        words(&outcome)
    }

    pub fn get(&self, number: u64) -> &Known {
        self.known.iter().find(|known| known.id == id(number)).unwrap()
    }
}

/// The facts of one listing of these torrents.
pub fn listed(known: impl IntoIterator<Item = Known>, torrents: &[Seen]) -> Vec<String> {
    Scene::of(known).listing(0, torrents)
}

/// The facts in words, hashes by their first eight digits.
pub fn words(outcome: &Outcome) -> Vec<String> {
    outcome.facts.iter().map(say).collect()
}

fn short(text: &impl ToString) -> String {
    text.to_string().chars().take(8).collect()
}

pub fn say(fact: &Fact) -> String {
    let at = |handle: &Handle, path: &ClientPath| format!("{} in {}", short(&handle.0), path.0);
    let what = match fact {
        Fact::Shown { handle, save_path, .. } => format!("shown as {}", at(handle, save_path)),
        Fact::Moved { handle, save_path, .. } => format!("moved to {}", at(handle, save_path)),
        Fact::InfohashesRevealed { infohashes, .. } => {
            let texts: Vec<String> = infohashes.iter().map(short).collect();
            format!("has {}", texts.join(", "))
        }
        Fact::HandleWasV2 { handle, v2, .. } => format!("{} is v2 {}", short(handle), short(v2)),
        Fact::MetadataKnown { name, .. } => format!("is named {name}"),
        Fact::Finished { .. } => "finished".to_owned(),
        Fact::TakenBelow { .. } => "taken below".to_owned(),
        Fact::Missing { .. } => "missing".to_owned(),
        Fact::Held { .. } => "held".to_owned(),
        Fact::StartedThere { .. } => "started there".to_owned(),
        Fact::SeenAgain { handle, save_path, .. } => {
            format!("seen again as {}", at(handle, save_path))
        }
        Fact::SameTorrent { loser, .. } => format!("absorbs {}", number(*loser)),
        Fact::Raised { attention, .. } => format!("raised {attention}"),
        Fact::Cleared { attention, .. } => format!("cleared {attention}"),
    };
    format!("{} {what}", number(fact.download()))
}

/// Does to the downloads what the store does, guards included. `clears`: a move
/// takes the mark away. Returns how many facts changed anything.
pub fn apply(known: &mut [Known], facts: &[Fact], clears: bool) -> usize {
    facts.iter().filter(|fact| apply_one(known, fact, clears)).count()
}

fn apply_one(known: &mut [Known], fact: &Fact, clears: bool) -> bool {
    let before = known.to_vec();
    let at = known.iter().position(|known| known.id == fact.download()).unwrap();
    match fact {
        Fact::Shown { handle, save_path, .. } => {
            step(&mut known[at], DownloadCause::Shown, clears);
            place(&mut known[at], handle, save_path);
        }
        Fact::Moved { handle, save_path, .. } => place(&mut known[at], handle, save_path),
        Fact::InfohashesRevealed { infohashes, .. } => add(known, at, infohashes),
        Fact::HandleWasV2 { handle, v2, .. } => {
            add(known, at, &[*v2]);
            if known[at].infohashes.contains(v2) {
                let left = known[at].infohashes.iter().filter(|hash| hash != handle);
                known[at].infohashes = InfohashSet::new(left).unwrap();
            }
        }
        Fact::MetadataKnown { .. } => known[at].has_metadata = true,
        Fact::Finished { .. } => step(&mut known[at], DownloadCause::Finished, clears),
        Fact::TakenBelow { .. } => step(&mut known[at], DownloadCause::TakenBelow, clears),
        Fact::Held { .. } => known[at].pause = Some(Pause::Held),
        Fact::StartedThere { .. } => known[at].pause = None,
        Fact::Missing { .. } => {
            step(&mut known[at], DownloadCause::Missing, clears);
            known[at].attention = Some(Attention::ClientMissing);
        }
        Fact::SeenAgain { handle, save_path, .. } => {
            let own = known[at].infohashes.clone();
            if !owned(known, at, own.iter()) {
                step(&mut known[at], DownloadCause::SeenAgain, clears);
                place(&mut known[at], handle, save_path);
            }
        }
        Fact::SameTorrent { loser, .. } => absorb(known, at, *loser, clears),
        Fact::Raised { attention, .. } => known[at].attention = Some(*attention),
        Fact::Cleared { attention, .. } => {
            if known[at].attention == Some(*attention) {
                known[at].attention = None;
            }
        }
    }
    before != known
}

/// Panics on a move that the table does not have: no fact may ask for one.
fn step(known: &mut Known, cause: DownloadCause, clears: bool) {
    known.state = known.state.after(cause).unwrap();
    if clears {
        known.attention = None;
    }
}

fn place(known: &mut Known, handle: &Handle, save_path: &ClientPath) {
    known.handle = Some(handle.clone());
    known.save_path = Some(save_path.clone());
}

fn owned(known: &[Known], at: usize, hashes: impl IntoIterator<Item = Infohash>) -> bool {
    hashes.into_iter().any(|hash| {
        known.iter().enumerate().any(|(other, known)| {
            other != at && known.state.is_active() && known.infohashes.contains(&hash)
        })
    })
}

fn add(known: &mut [Known], at: usize, hashes: &[Infohash]) {
    if known[at].state.is_active() && owned(known, at, hashes.iter().copied()) {
        return;
    }
    let all = known[at].infohashes.iter().chain(hashes.iter().copied());
    known[at].infohashes = InfohashSet::new(all).unwrap();
    // Who owned it has ended.
    known[at].attention = known[at].attention.filter(|it| *it != Attention::InfohashOwned);
}

fn absorb(known: &mut [Known], at: usize, loser: DownloadId, clears: bool) {
    let other = known.iter().position(|known| known.id == loser).unwrap();
    let (first, second) = (known[at].state, known[other].state);
    first.after(DownloadCause::Merge).unwrap();
    step(&mut known[other], DownloadCause::Merge, clears);
    let hashes: Vec<Infohash> = known[other].infohashes.iter().collect();
    add(known, at, &hashes);
    let causes: &[DownloadCause] = match (first, second) {
        (DownloadState::Queued, DownloadState::Downloading) => &[DownloadCause::Shown],
        (DownloadState::Queued, DownloadState::Downloaded) => {
            &[DownloadCause::Shown, DownloadCause::Finished]
        }
        (DownloadState::Downloading, DownloadState::Downloaded) => &[DownloadCause::Finished],
        _ => &[],
    };
    for cause in causes {
        step(&mut known[at], *cause, clears);
    }
}
