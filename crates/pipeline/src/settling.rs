//! Downloads that the client calls complete while files are still being written.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tracker_domain::{DownloadId, UnixMillis};

/// How long a client may take to write what it calls complete. Its queue to the
/// disk is emptied in seconds; after a minute the file is missing.
const SETTLE_MS: u64 = 60_000;

/// Since when each of them is waited for. Lost with the process, which costs
/// one more wait.
#[derive(Debug, Default)]
pub(crate) struct Settling(Mutex<HashMap<DownloadId, UnixMillis>>);

impl Settling {
    /// Whether it is too early to call a file missing.
    pub(crate) fn is_early(&self, id: DownloadId, now: UnixMillis) -> bool {
        let mut since = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *since.entry(id).or_insert(now);
        now >= first && now.since(first) < SETTLE_MS
    }

    /// The files are there, or it is a fault by now.
    pub(crate) fn forget(&self, id: DownloadId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}
