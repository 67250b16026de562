//! What a client shows, in the core's words.

use std::collections::BTreeSet;

use crate::infohash::{Infohash, InfohashSet};
use crate::time::UnixMillis;

/// What a client calls a torrent. Not identity: it may change when metadata
/// arrives, and has to be looked up again then.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub String);

/// A path as the client sees it; `TorrentClient::locate` finds it here.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientPath(pub String);

/// The many states of clients, reduced to what the core acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Metadata is being fetched.
    Metadata,
    /// Bytes are wanted: they come, wait or stall.
    Downloading,
    /// Bytes are wanted and nobody sends any.
    Stalled,
    /// Stopped below complete.
    Stopped,
    /// Whole, and the client neither checks nor moves it.
    Complete,
    /// Checking its data: says nothing about completeness.
    Checking,
    /// Moving its data: paths are not to be trusted.
    Moving,
    /// The client starts and has not read its own data yet.
    Starting,
    /// The client does not find its files.
    FilesMissing,
    /// The client reports an error.
    Errored,
    /// A state this version does not know: not good, not bad.
    Unknown,
}

/// How far a transfer is. Members are `None` where the client does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Bytes that are there.
    pub bytes_done: Option<u64>,
    /// Bytes that are wanted.
    pub bytes_total: Option<u64>,
    /// Bytes a second that arrive.
    pub download_bps: Option<u64>,
    /// Bytes a second that leave.
    pub upload_bps: Option<u64>,
    /// Seconds to go.
    pub eta_seconds: Option<u64>,
    /// Connected peers.
    pub peers: Option<u64>,
    /// Uploaded to downloaded.
    pub ratio: Option<f64>,
    /// The client has stopped it: nothing comes and nothing goes, whole or not.
    pub stopped: bool,
    /// Seconds that it was seeded, since it was whole.
    pub seeding_seconds: Option<u64>,
}

/// One torrent in a client at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// What the client calls it now.
    pub handle: Handle,
    /// The infohashes the client states; a truncated v2 is not among them.
    pub infohashes: InfohashSet,
    /// Its display name, which is not a path.
    pub name: String,
    /// What it is doing.
    pub phase: Phase,
    /// The client's own word for that, for people.
    pub client_state: String,
    /// How far it is.
    pub progress: Progress,
    /// Whether the file list is known.
    pub has_metadata: bool,
    /// Bytes of the selected files, when known; a client may count the whole of a
    /// piece that they share with others.
    pub size_bytes: Option<u64>,
    /// The folder that file names are relative to.
    pub save_path: ClientPath,
    /// Its tags.
    pub tags: Vec<String>,
}

/// What to ask a client for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// These infohashes, in each form the client may know them by. Absence from
    /// the answer is a question, never a conclusion: a handle may have changed.
    Infohashes(Vec<Infohash>),
    /// Everything that is or may be ours.
    Ours,
    /// Everything there is.
    Everything,
}

/// The answer to one question, and when it was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// When the answer came.
    pub at: UnixMillis,
    /// Whether it lists everything that is ours, so that absence means absence.
    pub complete: bool,
    /// The torrents.
    pub torrents: Vec<Seen>,
}

/// Lays a person's choice over the client's word. Before the client was `told` its
/// word is older than the choice; after that, what it leaves out was left out there.
pub fn choose(files: &mut [RemoteFile], unwanted: &BTreeSet<u32>, told: bool) {
    for file in files {
        file.selected = (file.selected || !told) && !unwanted.contains(&file.index);
    }
}

/// One file of a torrent, as its client lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteFile {
    /// Its place in the torrent, from 0.
    pub index: u32,
    /// Its path below the save path, as the client has it on disk.
    pub path: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Whether it is wanted.
    pub selected: bool,
    /// Whether all of its bytes are there.
    pub complete: bool,
}
