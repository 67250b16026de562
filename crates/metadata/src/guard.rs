//! In front of each source: it asks the gate, keeps at most two calls on their
//! way, and tells what an answer's status means.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tracker_domain::Timestamp;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{Clock, MetadataError};

use crate::call::{Answer, Call, CallError, Fields, Http};
use crate::config::LONGEST_CALL;
use crate::gate::{Gate, Pass, Trouble};
use crate::retry_after;
use crate::status::MetadataStatus;

/// How many calls may be on their way at once.
const AT_ONCE: usize = 2;
/// What is told to who found both ways taken for all of its time.
const BUSY_MS: u64 = 1000;

/// One source behind its gate.
pub(crate) struct Guard {
    provider: Provider,
    http: Http,
    gate: Mutex<Gate>,
    slots: Semaphore,
    clock: Arc<dyn Clock>,
    timeout: Duration,
}

/// One question to the port: all of its calls share one deadline.
pub(crate) struct Asking<'a> {
    guard: &'a Guard,
    until: Instant,
}

/// A pass that was given and is not settled yet.
struct Ticket<'a> {
    guard: &'a Guard,
    pass: Option<Pass>,
}

impl Guard {
    /// Lets `calls` through in any ten seconds.
    pub(crate) fn new(
        provider: Provider,
        http: Http,
        calls: usize,
        timeout: Duration,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Guard {
            provider,
            http,
            gate: Mutex::new(Gate::new(provider, calls)),
            slots: Semaphore::new(AT_ONCE),
            clock,
            timeout: timeout.min(LONGEST_CALL),
        }
    }

    /// A question begins, and its time to run.
    pub(crate) fn asking(&self) -> Asking<'_> {
        Asking { guard: self, until: Instant::now() + self.timeout }
    }

    pub(crate) fn status(&self) -> MetadataStatus {
        let now = self.clock.now_ms();
        MetadataStatus { provider: self.provider, state: self.gate().state(now) }
    }

    fn gate(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asking<'_> {
    /// The body of an answer, which says that it is JSON.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) async fn get(&self, route: String, query: Fields) -> Result<Vec<u8>, MetadataError> {
        let guard = self.guard;
        // Before the queue, so that nobody waits in it to be told no.
        guard.gate().look(guard.clock.now_ms())?;
        let busy = MetadataError::Limited { retry_after_ms: BUSY_MS };
        let Ok(Ok(_slot)) = timeout_at(self.until, guard.slots.acquire()).await else {
            return Err(busy);
        };
        let pass = guard.gate().admit(guard.clock.now_ms())?;
        let ticket = Ticket { guard, pass: Some(pass) };
        let call = Call { route, query };
        let result = guard.http.get(&call, self.until).await;
        match meaning(&call.route, result, guard.clock.now()) {
            Ok(answer) => {
                ticket.answered();
                answer
            }
            Err(trouble) => Err(ticket.failed(trouble)),
        }
    }
}

impl Ticket<'_> {
    fn answered(mut self) {
        self.pass = None;
        self.guard.gate().answered();
    }

    fn failed(mut self, trouble: Trouble) -> MetadataError {
        let pass = self.pass.take().unwrap_or(Pass::Usual);
        self.guard.gate().failed(self.guard.clock.now_ms(), pass, trouble)
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if let Some(pass) = self.pass {
            self.guard.gate().abandon(pass);
        }
    }
}

/// What the end of a call means: an answer of a source that is alive, or trouble
/// with the source as a whole.
fn meaning(
    route: &str,
    result: Result<Answer, CallError>,
    now: Timestamp,
) -> Result<Result<Vec<u8>, MetadataError>, Trouble> {
    let unreadable = |why: String| Ok(Err(MetadataError::Unreadable(format!("{route}: {why}"))));
    let answer = match result {
        Ok(answer) => answer,
        // A page instead of JSON speaks for the whole source, a long answer for itself.
        Err(error @ CallError::NoJson) => {
            return Err(Trouble::Foreign(format!("{route}: {error}")));
        }
        Err(error @ CallError::TooLarge) => return unreadable(error.to_string()),
        Err(
            error @ (CallError::Connect
            | CallError::Timeout
            | CallError::Broken
            | CallError::Elsewhere),
        ) => return Err(Trouble::Down(format!("{route}: {error}"))),
    };
    match answer.status {
        200..=299 => Ok(Ok(answer.body)),
        404 => Ok(Err(MetadataError::NotFound)),
        status @ (401 | 403) => Err(Trouble::Denied(status)),
        429 => {
            let wait_ms = retry_after::wait_ms(answer.retry_after.as_deref(), now);
            Err(Trouble::Limited { wait_ms })
        }
        status @ 500..=599 => Err(Trouble::Down(format!("{route}: HTTP {status}"))),
        status => unreadable(format!("HTTP {status}")),
    }
}
