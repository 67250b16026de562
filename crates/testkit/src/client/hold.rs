//! Stops a call half-way, so that a test can act in between.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// A call that waits to be let go.
#[derive(Clone, Debug)]
pub struct Hold {
    arrived: Arc<Semaphore>,
    gate: Arc<Semaphore>,
}

impl Hold {
    pub(super) fn new() -> Self {
        Hold { arrived: Arc::new(Semaphore::new(0)), gate: Arc::new(Semaphore::new(0)) }
    }

    /// Waits until the call is there.
    pub async fn arrived(&self) {
        // Neither semaphore is ever closed.
        let _ = self.arrived.acquire().await;
    }

    /// Lets the call go on.
    pub fn release(&self) {
        self.gate.add_permits(1);
    }

    pub(super) async fn pass(&self) {
        self.arrived.add_permits(1);
        let _ = self.gate.acquire().await;
    }
}
