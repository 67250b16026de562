//! What the comparison needs of a download, and what it remembers of the last
//! looks.

use std::collections::{HashMap, HashSet};

use tracker_domain::observed::{ClientPath, Handle};
use tracker_domain::{Attention, DownloadId, DownloadState, InfohashSet, Pause, UnixMillis};

/// A download, as far as the comparison is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its id.
    pub id: DownloadId,
    /// Where it is.
    pub state: DownloadState,
    /// What a person has to look at.
    pub attention: Option<Attention>,
    /// Its infohashes.
    pub infohashes: InfohashSet,
    /// It came as a bare hash: 40 digits may be a client's handle.
    pub bare: bool,
    /// What the client called it when last seen; `None` when it never was.
    pub handle: Option<Handle>,
    /// Where its files were then.
    pub save_path: Option<ClientPath>,
    /// Whether the file list is known.
    pub has_metadata: bool,
    /// Whether links of it stand in a library.
    pub has_links: bool,
    /// Whether it was handed over at least once.
    pub handed_over: bool,
    /// A person's wish that it stands still.
    pub pause: Option<Pause>,
}

/// How long to wait before something is worth a word, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Absence in this many complete listings in a row …
    pub missing_listings: u32,
    /// … over at least this long is absence.
    pub missing_ms: u64,
    /// A client that answers again for less than this is still starting.
    pub restart_ms: u64,
    /// An error that heals within this is not mentioned.
    pub error_ms: u64,
    /// Metadata may take this long.
    pub metadata_ms: u64,
    /// A transfer may stand still this long.
    pub stalled_ms: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            missing_listings: 3,
            missing_ms: 30_000,
            restart_ms: 20_000,
            error_ms: 30_000,
            metadata_ms: 30 * 60_000,
            stalled_ms: 6 * 3_600_000,
        }
    }
}

/// What is remembered between looks, per download.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    traces: HashMap<DownloadId, Trace>,
}

/// Since when something holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trace {
    /// Complete listings without it, and the time of the first.
    pub missing: Option<(u32, UnixMillis)>,
    /// When a listing was asked for because it was not in an answer.
    pub asked: Option<UnixMillis>,
    pub errored: Option<UnixMillis>,
    pub without_metadata: Option<UnixMillis>,
    pub stalled: Option<UnixMillis>,
    /// The client itself has said that it does not find the files.
    pub files_missing: bool,
}

impl Memory {
    pub(crate) fn of(&mut self, id: DownloadId) -> &mut Trace {
        self.traces.entry(id).or_default()
    }

    /// Whether some absence is being counted, so that listings should follow
    /// each other faster.
    #[must_use]
    pub fn counts_absences(&self) -> bool {
        self.traces.values().any(|trace| trace.missing.is_some())
    }

    /// It was seen: its absence is no longer counted.
    pub(crate) fn found(&mut self, id: DownloadId) {
        if let Some(trace) = self.traces.get_mut(&id) {
            trace.missing = None;
            trace.asked = None;
        }
    }

    /// Forgets all counts of absence and hands them out; who is still absent in
    /// a listing that can be believed is written down again.
    pub(crate) fn take_absences(&mut self) -> HashMap<DownloadId, (u32, UnixMillis)> {
        self.traces
            .iter_mut()
            .filter_map(|(id, trace)| trace.missing.take().map(|missing| (*id, missing)))
            .collect()
    }

    pub(crate) fn keep_only(&mut self, known: &[Known]) {
        if self.traces.len() <= known.len() {
            return;
        }
        let ids: HashSet<DownloadId> = known.iter().map(|known| known.id).collect();
        self.traces.retain(|id, _| ids.contains(id));
    }
}

/// Starts or keeps the time since when `holds`, and tells how long it has been.
/// After the clock was set back the time starts anew.
pub(crate) fn lasting(since: &mut Option<UnixMillis>, holds: bool, now: UnixMillis) -> Option<u64> {
    *since = holds.then(|| since.map_or(now, |since| since.min(now)));
    since.map(|since| now.since(since))
}
