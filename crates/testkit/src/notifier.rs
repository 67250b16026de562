//! A receiver of messages that a test can tell what to do.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::sync::watch;
use tracker_domain::Timestamp;
use tracker_domain::ports::{Notice, Notifier, NotifyError};

/// The fake of the port.
pub struct FakeNotifier {
    name: String,
    state: Mutex<State>,
    hanging: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    error: Option<NotifyError>,
    tried: usize,
    taken: Vec<Notice>,
}

impl FakeNotifier {
    /// One that takes everything.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let hanging = watch::Sender::new(false);
        FakeNotifier { name: name.to_owned(), state: Mutex::default(), hanging }
    }

    /// From now on it fails in this way, or takes everything again.
    pub fn fail_with(&self, error: Option<NotifyError>) {
        self.state().error = error;
    }

    /// Whether calls wait without an answer; those that wait go on once it ends.
    pub fn hang(&self, hangs: bool) {
        self.hanging.send_replace(hangs);
    }

    /// How many calls there were.
    #[must_use]
    pub fn tried(&self) -> usize {
        self.state().tried
    }

    /// What it took, in order.
    #[must_use]
    pub fn taken(&self) -> Vec<Notice> {
        self.state().taken.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Notifier for FakeNotifier {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &'static str {
        "fake"
    }

    async fn send(&self, notice: &Notice, _now: Timestamp) -> Result<(), NotifyError> {
        self.state().tried += 1;
        // The sender lives as long as we do.
        let _ = self.hanging.subscribe().wait_for(|hangs| !hangs).await;
        let mut state = self.state();
        match &state.error {
            Some(error) => Err(error.clone()),
            None => {
                state.taken.push(notice.clone());
                Ok(())
            }
        }
    }
}
