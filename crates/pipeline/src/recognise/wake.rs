//! Which recognitions that wait are tried before their time: all after a start,
//! since the configuration and the world may have changed, and those of a source
//! that answers again.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracker_domain::DownloadId;
use tracker_domain::metadata::Provider;
use tracker_store::{ReadTx, StoreError};

/// What is to be tried at the next turn. A lost one costs a pause.
#[derive(Debug)]
pub(crate) struct Wake(Mutex<State>);

#[derive(Debug)]
struct State {
    next: Woken,
    /// The sources whose last call failed.
    failing: HashSet<Provider>,
}

/// Who is woken.
#[derive(Clone, Debug)]
pub(super) enum Woken {
    /// All that wait.
    All,
    /// Those that wait because of one of these.
    Of(HashSet<Provider>),
}

impl Default for Wake {
    fn default() -> Self {
        Wake(Mutex::new(State { next: Woken::All, failing: HashSet::new() }))
    }
}

impl Wake {
    /// Takes note of how a call ended.
    pub(super) fn note(&self, provider: Provider, failed: bool) {
        let mut state = self.lock();
        if failed {
            state.failing.insert(provider);
        } else if state.failing.remove(&provider)
            && let Woken::Of(back) = &mut state.next
        {
            back.insert(provider);
        }
    }

    pub(super) fn take(&self) -> Woken {
        std::mem::replace(&mut self.lock().next, Woken::Of(HashSet::new()))
    }

    /// They could not be found; the next turn does it.
    pub(super) fn give_back(&self, woken: Woken) {
        let mut state = self.lock();
        match (&mut state.next, woken) {
            (Woken::All, _) => {}
            (Woken::Of(known), Woken::Of(more)) => known.extend(more),
            (next, Woken::All) => *next = Woken::All,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Woken {
    pub(super) fn downloads(&self, tx: &ReadTx<'_>) -> Result<Vec<DownloadId>, StoreError> {
        match self {
            Woken::All => tx.waiting(),
            Woken::Of(sources) => {
                let mut all = Vec::new();
                for source in sources {
                    all.extend(tx.waiting_for(*source)?);
                }
                Ok(all)
            }
        }
    }
}
