//! What one media server is still to be told, and how it does: a state machine
//! that is given the time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracker_domain::library::Library;
use tracker_domain::ports::{MediaServer, MediaServerError, OutsideFolder, Section};
use tracker_domain::{BatchId, DownloadId, UnixMillis};

/// How long nothing may be noted before a server is told: batches that follow one
/// another are told of at once.
const QUIET_MS: u64 = 5_000;
/// How long quiet is waited for at most.
const RESTLESS_MS: u64 = 60_000;
/// How long a batch is kept for a server that does not answer.
const KEEP_MS: u64 = 3_600_000;
const FIRST_PAUSE_MS: u64 = 10_000;
const LONGEST_PAUSE_MS: u64 = 600_000;
/// How long a token that was refused is not shown again, and how often a folder
/// outside is looked for again.
const PATIENCE_MS: u64 = 600_000;
/// How many folders outside are remembered.
const OUTSIDE: usize = 20;

/// The queue of one server.
pub(crate) struct ServerQueue {
    pub(super) server: Arc<dyn MediaServer>,
    state: Mutex<State>,
}

/// A batch that a server is to be told of.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) batch: BatchId,
    pub(super) download: DownloadId,
    pub(super) folders: Vec<PathBuf>,
    /// Counts the notes: what came in during a call is not part of it.
    turn: u64,
    /// When a call first failed that would have told of it.
    failing_since: Option<UnixMillis>,
}

/// A batch that the server is told of now.
pub(super) struct Due {
    pub(super) batch: BatchId,
    pub(super) download: DownloadId,
    pub(super) folders: Vec<PathBuf>,
    /// The last note that the call can speak for.
    turn: u64,
}

/// What is known of a server for health.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// What went wrong with the last call.
    pub(super) trouble: Option<MediaServerError>,
    /// What it was told last of folders that it does not have.
    pub(super) outside: Option<MediaServerError>,
    /// The names of its sections, once it has told them.
    pub(super) sections: Option<Vec<String>>,
    /// Which of our libraries it has, in their order.
    pub(super) covered: Option<Vec<bool>>,
}

#[derive(Default)]
struct State {
    waiting: Vec<Waiting>,
    turns: u64,
    first_note: Option<UnixMillis>,
    last_note: Option<UnixMillis>,
    /// Since when, and for how long, nothing is sent.
    pause: Option<(UnixMillis, u64)>,
    failures: u32,
    looked_at: Option<UnixMillis>,
    outside: Vec<PathBuf>,
    known: Known,
}

impl ServerQueue {
    pub(super) fn new(server: Arc<dyn MediaServer>) -> Self {
        ServerQueue { server, state: Mutex::new(State::default()) }
    }

    /// Takes note of the folders of a batch.
    pub(super) fn note(
        &self,
        batch: BatchId,
        download: DownloadId,
        folders: &[PathBuf],
        now: UnixMillis,
    ) {
        let mut state = self.state();
        state.turns += 1;
        let turn = state.turns;
        state.last_note = Some(now);
        state.first_note.get_or_insert(now);
        let folders = folders.to_vec();
        match state.waiting.iter_mut().find(|waiting| waiting.batch == batch) {
            Some(waiting) => {
                let all = waiting.folders.drain(..).chain(folders);
                waiting.folders = super::folders::to_scan(all.collect::<Vec<_>>());
                waiting.turn = turn;
                waiting.failing_since = None;
            }
            None => {
                let failing_since = None;
                state.waiting.push(Waiting { batch, download, folders, turn, failing_since });
            }
        }
    }

    /// The oldest batch, when it is time to tell of it.
    pub(super) fn due(&self, now: UnixMillis) -> Option<Due> {
        let mut state = self.state();
        // Each looks at the time, and learns of a clock that was set back.
        let (paused, quiet) = (state.is_paused(now), state.is_quiet(now));
        if paused || !quiet {
            return None;
        }
        let turn = state.turns;
        let Some(oldest) = state.waiting.first() else {
            state.first_note = None;
            return None;
        };
        Some(Due {
            batch: oldest.batch,
            download: oldest.download,
            folders: oldest.folders.clone(),
            turn,
        })
    }

    /// A call has told the server of these folders, but not of those outside.
    /// Gives the batches that are done by it, with the folders that were told:
    /// another batch whose folders are among them needs no call of its own.
    pub(super) fn told(&self, due: &Due, outside: &[PathBuf]) -> Vec<Waiting> {
        let mut state = self.state();
        state.well();
        let sent = |folder: &Path| due.folders.iter().any(|told| folder.starts_with(told));
        let done = |waiting: &Waiting| {
            waiting.turn <= due.turn && waiting.folders.iter().all(|folder| sent(folder))
        };
        let (mut told, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.waiting).into_iter().partition(done);
        state.waiting = left;
        for batch in &mut told {
            batch.folders.retain(|folder| !outside.iter().any(|out| folder.starts_with(out)));
        }
        told
    }

    /// A call failed. Gives the batches that the server will not be told of.
    pub(super) fn failed(&self, error: &MediaServerError, now: UnixMillis) -> Vec<Waiting> {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        let rounds = state.failures.saturating_sub(1).min(10);
        let growing = (FIRST_PAUSE_MS << rounds).min(LONGEST_PAUSE_MS);
        let (wait_ms, keep) = match error {
            MediaServerError::Limited { retry_after_ms } => {
                ((*retry_after_ms).clamp(growing, KEEP_MS), true)
            }
            MediaServerError::Denied(_) => (PATIENCE_MS, false),
            MediaServerError::Unreachable(_)
            | MediaServerError::Unreadable(_)
            | MediaServerError::OutsideSections { .. } => (growing, true),
        };
        state.pause = Some((now, wait_ms));
        state.known.trouble = Some(error.clone());
        let mut lost = Vec::new();
        for mut batch in std::mem::take(&mut state.waiting) {
            // A clock that was set back makes no wait longer.
            let since = batch.failing_since.map_or(now, |since| since.min(now));
            batch.failing_since = Some(since);
            if keep && now.since(since) < KEEP_MS {
                state.waiting.push(batch);
            } else {
                lost.push(batch);
            }
        }
        lost
    }

    /// Remembers folders that lie in none of its sections.
    pub(super) fn found_outside(
        &self,
        error: &MediaServerError,
        folders: &[OutsideFolder],
        now: UnixMillis,
    ) {
        let mut state = self.state();
        for OutsideFolder { folder, .. } in folders {
            if !state.outside.contains(folder) {
                state.outside.push(folder.clone());
            }
        }
        let surplus = state.outside.len().saturating_sub(OUTSIDE);
        state.outside.drain(..surplus);
        state.known.outside = Some(error.clone());
        state.looked_at = Some(now);
    }

    /// Whether its sections should be asked for: at the start, while it is in
    /// trouble, and now and then while a folder lies outside.
    pub(super) fn look_is_due(&self, now: UnixMillis) -> bool {
        let mut state = self.state();
        if state.is_paused(now) {
            return false;
        }
        let Some(looked_at) = state.looked_at else { return true };
        state.known.trouble.is_some()
            || state.known.sections.is_none()
            || !state.outside.is_empty() && (now < looked_at || now.since(looked_at) >= PATIENCE_MS)
    }

    /// It has told its sections.
    pub(super) fn looked(&self, sections: Vec<Section>, libraries: &[Library], now: UnixMillis) {
        let covers = |folder: &Path| self.server.covers(&sections, folder);
        let covered = libraries.iter().map(|library| covers(&library.root)).collect();
        let mut state = self.state();
        state.well();
        state.looked_at = Some(now);
        state.outside.retain(|folder| !covers(folder));
        if state.outside.is_empty() {
            state.known.outside = None;
        }
        state.known.covered = Some(covered);
        state.known.sections = Some(sections.into_iter().map(|section| section.name).collect());
    }

    /// What is known of it.
    pub(super) fn known(&self) -> Known {
        self.state().known.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// It has answered.
    fn well(&mut self) {
        self.pause = None;
        self.failures = 0;
        self.known.trouble = None;
    }

    fn is_paused(&mut self, now: UnixMillis) -> bool {
        let Some((from, wait_ms)) = &mut self.pause else { return false };
        // A clock that was set back must not make the pause longer.
        *from = (*from).min(now);
        now.since(*from) < *wait_ms
    }

    fn is_quiet(&mut self, now: UnixMillis) -> bool {
        let earlier = |note: &mut Option<UnixMillis>| {
            *note = note.map(|at| at.min(now));
            note.map_or(u64::MAX, |at| now.since(at))
        };
        earlier(&mut self.last_note) >= QUIET_MS || earlier(&mut self.first_note) >= RESTLESS_MS
    }
}

#[cfg(test)]
mod tests {
    use tracker_ident::derived;
    use tracker_testkit::{FakeMediaServer, spec};

    use super::*;

    #[test]
    fn what_is_noted_during_a_call_is_not_part_of_it() {
        spec!("media-servers#one-scan-a-folder-and-batch/noted-during-a-call");
        let queue = ServerQueue::new(Arc::new(FakeMediaServer::new("den", &["/f"])));
        let at = UnixMillis;
        let note = |number: u64, now| {
            let batch = derived(1, number, "apply_batch").typed();
            queue.note(batch, derived(1, number, "download").typed(), &["/f/A".into()], now);
        };
        note(1, at(0));
        let due = queue.due(at(QUIET_MS)).expect("it is due");
        // Of the same batch, and of another one: the call may have come too early.
        note(1, at(QUIET_MS));
        note(2, at(QUIET_MS));
        assert_eq!(queue.told(&due, &[]).len(), 0);
        assert!(queue.due(at(QUIET_MS)).is_none(), "it waits for quiet again");
        let due = queue.due(at(2 * QUIET_MS)).expect("it is due");
        assert_eq!(queue.told(&due, &[]).len(), 2);
        assert!(queue.due(at(4 * QUIET_MS)).is_none());
    }
}
