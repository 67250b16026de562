//! A torrent client without a network: a state machine behind the two client
//! ports that behaves as qBittorrent does where that has bitten people.
//!
//! It calls a torrent by its truncated v2 once it knows the v2, by its v1
//! before; finds torrents by that handle alone; merges the halves of a hybrid;
//! and gives the same answer to a duplicate and to a refusal. Tests tell it what
//! the swarm has, when metadata and bytes arrive, and which call fails.

mod hold;
mod ports;
mod torrent;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracker_domain::observed::{ClientPath, Handle, Phase, Scope};
use tracker_domain::ports::{AddRequest, ClientError, Removal};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Infohash, InfohashSet};

pub use hold::Hold;
pub use torrent::{FakeFile, FakeTorrent};

/// A method of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the method of its name")]
pub enum ClientOp {
    Add,
    Observe,
    Files,
    Probe,
    Stop,
    Start,
    SelectFiles,
    Queue,
    Remove,
    AddTags,
    DropTags,
}

/// A call as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the method of its name with its arguments")]
pub enum ClientCall {
    Add(AddRequest),
    Observe(Scope),
    Files(Handle),
    Probe,
    Stop(Handle),
    Start(Handle),
    SelectFiles(Handle, BTreeSet<u32>),
    Queue(Handle, QueueEnd),
    Remove(Handle, Removal),
    AddTags(Handle, Vec<String>),
    DropTags(Handle, Vec<String>),
}

/// How adds go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddMode {
    /// As in a healthy client.
    Normal,
    /// Refused without a reason, and not added.
    Refuse,
    /// Rejected for good, and not added.
    Reject,
    /// Accepted for later; nothing appears until the mode changes.
    Pending,
    /// Added, and the answer is lost.
    AddedButUnclear,
    /// Accepted, and nothing appears.
    AcceptedButLost,
    /// A bug in the adapter, or in a library below it.
    Panics,
}

/// The fake. Share it in an `Arc`.
pub struct FakeClient {
    state: Mutex<State>,
}

struct State {
    torrents: Vec<FakeTorrent>,
    /// What torrents turn out to be once metadata arrives.
    swarm: Vec<FakeTorrent>,
    calls: Vec<ClientCall>,
    failures: Vec<Failure>,
    holds: Vec<(ClientOp, Hold)>,
    down: Option<ClientError>,
    add_mode: AddMode,
    list_empty: bool,
    everything_is_ours: bool,
    default_save_path: ClientPath,
    path_map: Vec<(String, PathBuf)>,
    notices: Vec<String>,
}

struct Failure {
    op: ClientOp,
    /// Calls to let through before.
    after: usize,
    error: ClientError,
}

impl FakeClient {
    /// The tag by which ours are told from others.
    pub const TAG: &'static str = "tracker";

    /// A client without torrents that saves to `/downloads`.
    #[must_use]
    pub fn new() -> Self {
        FakeClient {
            state: Mutex::new(State {
                torrents: Vec::new(),
                swarm: Vec::new(),
                calls: Vec::new(),
                failures: Vec::new(),
                holds: Vec::new(),
                down: None,
                add_mode: AddMode::Normal,
                list_empty: false,
                everything_is_ours: false,
                default_save_path: ClientPath("/downloads".into()),
                path_map: Vec::new(),
                notices: Vec::new(),
            }),
        }
    }

    /// With a torrent in it from the start.
    #[must_use]
    pub fn with_torrent(self, torrent: FakeTorrent) -> Self {
        self.put(torrent);
        self
    }

    /// With something that peers have: a magnet with one of its hashes turns
    /// into it when metadata arrives.
    #[must_use]
    pub fn with_swarm(self, torrent: FakeTorrent) -> Self {
        self.state().swarm.push(torrent);
        self
    }

    /// With another default folder.
    #[must_use]
    pub fn with_save_path(self, path: &str) -> Self {
        self.state().default_save_path = ClientPath(path.into());
        self
    }

    /// With a folder of the client that is elsewhere here.
    #[must_use]
    pub fn with_path_map(self, client: &str, local: impl Into<PathBuf>) -> Self {
        self.state().path_map.push((client.into(), local.into()));
        self
    }

    /// With a notice that a probe shows.
    #[must_use]
    pub fn with_notice(self, text: &str) -> Self {
        self.state().notices.push(text.into());
        self
    }

    /// Without tags to tell ours from others: `Scope::Ours` is everything.
    #[must_use]
    pub fn with_everything_ours(self) -> Self {
        self.state().everything_is_ours = true;
        self
    }

    /// Puts a torrent in, as a person in the client's own interface would.
    pub fn put(&self, torrent: FakeTorrent) {
        self.state().torrents.push(torrent);
    }

    /// Metadata arrives: hidden hashes, name and files show, the handle may
    /// change, and a torrent that shares a hash now is merged into it.
    ///
    /// # Panics
    /// When there is no such torrent.
    pub fn reveal(&self, hash: &Infohash) {
        let mut state = self.state();
        let at = state.place(hash);
        let known = state.torrents[at].infohashes.clone();
        let seed = state.swarm.iter().find(|seed| seed.infohashes.intersects(&known)).cloned();
        state.torrents[at].reveal(seed.as_ref());
        state.merge_halves(at);
    }

    /// All bytes arrive, and metadata before them.
    ///
    /// # Panics
    /// When there is no such torrent.
    pub fn complete(&self, hash: &Infohash) {
        if !self.torrent_or_panic(hash).has_metadata {
            self.reveal(hash);
        }
        self.edit(hash, |torrent| {
            torrent.phase = Phase::Complete;
            for file in &mut torrent.files {
                file.complete = file.selected;
            }
        });
    }

    /// Puts a torrent into a phase.
    ///
    /// # Panics
    /// When there is no such torrent.
    pub fn set_phase(&self, hash: &Infohash, phase: Phase) {
        self.edit(hash, |torrent| torrent.phase = phase);
    }

    /// Changes anything about a torrent.
    ///
    /// # Panics
    /// When there is no such torrent.
    pub fn edit(&self, hash: &Infohash, change: impl FnOnce(&mut FakeTorrent)) {
        let mut state = self.state();
        let at = state.place(hash);
        change(&mut state.torrents[at]);
    }

    /// Loses a torrent without a word.
    pub fn lose(&self, hash: &Infohash) {
        self.state().torrents.retain(|torrent| !torrent.infohashes.contains(hash));
    }

    /// Merges two entries into one with the hashes of both, as happens to the
    /// halves of a hybrid. The first survives.
    ///
    /// # Panics
    /// When either is not there, or they are one.
    pub fn merge(&self, survivor: &Infohash, other: &Infohash) {
        let mut state = self.state();
        let gone = state.place(other);
        let gone = state.torrents.remove(gone);
        let at = state.place(survivor);
        state.torrents[at].infohashes = state.torrents[at].infohashes.union(&gone.infohashes);
    }

    /// Answers every listing with nothing, as after a crash.
    pub fn list_empty(&self, on: bool) {
        self.state().list_empty = on;
    }

    /// Fails every call from now on, or none.
    pub fn set_down(&self, error: Option<ClientError>) {
        self.state().down = error;
    }

    /// Cannot be reached from now on.
    pub fn unreachable(&self) {
        self.set_down(Some(ClientError::Unreachable("the fake is down".into())));
    }

    /// Fails one call of this method: 1 is the next one.
    pub fn fail_nth(&self, op: ClientOp, nth: usize, error: ClientError) {
        self.state().failures.push(Failure { op, after: nth.saturating_sub(1), error });
    }

    /// How adds go from now on.
    pub fn set_add_mode(&self, mode: AddMode) {
        self.state().add_mode = mode;
    }

    /// Holds the next call of this method until it is let go.
    #[must_use]
    pub fn hold(&self, op: ClientOp) -> Hold {
        let hold = Hold::new();
        self.state().holds.push((op, hold.clone()));
        hold
    }

    /// Every call so far, in order, failed ones too.
    #[must_use]
    pub fn calls(&self) -> Vec<ClientCall> {
        self.state().calls.clone()
    }

    /// Forgets the calls so far.
    pub fn forget_calls(&self) {
        self.state().calls.clear();
    }

    /// The adds so far.
    #[must_use]
    pub fn adds(&self) -> Vec<AddRequest> {
        let calls = self.calls().into_iter();
        calls
            .filter_map(|call| if let ClientCall::Add(add) = call { Some(add) } else { None })
            .collect()
    }

    /// What is in the client.
    #[must_use]
    pub fn torrents(&self) -> Vec<FakeTorrent> {
        self.state().torrents.clone()
    }

    /// The torrent with this hash among those that show.
    #[must_use]
    pub fn torrent(&self, hash: &Infohash) -> Option<FakeTorrent> {
        self.state().torrents.iter().find(|torrent| torrent.infohashes.contains(hash)).cloned()
    }

    fn torrent_or_panic(&self, hash: &Infohash) -> FakeTorrent {
        let state = self.state();
        state.torrents[state.place(hash)].clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FakeClient {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// Where the torrent with this hash is, hidden hashes included.
    fn place(&self, hash: &Infohash) -> usize {
        let by_swarm = |torrent: &FakeTorrent| {
            self.swarm.iter().any(|seed| {
                seed.infohashes.contains(hash) && seed.infohashes.intersects(&torrent.infohashes)
            })
        };
        let place = self
            .torrents
            .iter()
            .position(|torrent| torrent.infohashes.contains(hash) || torrent.hides(hash))
            .or_else(|| self.torrents.iter().position(by_swarm));
        place.unwrap_or_else(|| panic!("the fake client has no torrent {hash}"))
    }

    fn at_handle(&mut self, handle: &Handle) -> Option<&mut FakeTorrent> {
        self.torrents.iter_mut().find(|torrent| torrent.handle() == *handle)
    }

    /// Entries that share a hash with the one at this place become part of it.
    fn merge_halves(&mut self, at: usize) {
        let full = self.torrents[at].infohashes.clone();
        let mut place = 0;
        self.torrents.retain(|torrent| {
            let keep = place == at || !torrent.infohashes.intersects(&full);
            place += 1;
            keep
        });
    }

    /// An add of these hashes while some are there: they become one entry.
    fn merge_into_present(&mut self, hashes: &InfohashSet) -> bool {
        let Some(at) =
            self.torrents.iter().position(|torrent| torrent.infohashes.intersects(hashes))
        else {
            return false;
        };
        self.torrents[at].infohashes = self.torrents[at].infohashes.union(hashes);
        self.merge_halves(at);
        true
    }
}

#[cfg(test)]
mod tests;
