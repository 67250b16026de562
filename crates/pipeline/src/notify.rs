//! The workers that tell receivers of events, one for each, so that a slow one
//! delays nobody.
//!
//! Each reads the journal from a place of its own, which is in the database: at
//! least once, in order, and on from there after a crash. Nothing here decides what
//! is written into the journal.

mod asked;
mod health;
mod message;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use tracker_domain::notify::NotifyRules;
use tracker_domain::ports::{Notice, Notifier, NotifyError, Receiver};
use tracker_domain::{Actor, EventId, Timestamp};
use tracker_store::{Consumer, EventFilter, StoreError};

use crate::stage::{Ends, Stage};
use crate::{Board, Pipeline};
use message::{Found, Next};

/// A message is tried so often, over more than three hours, before it is put aside.
pub(crate) const ATTEMPTS: u32 = 20;

/// The first pause between two attempts; each further one is twice as long.
const FIRST_PAUSE: i64 = 5;
const LONGEST_PAUSE: i64 = 900;

/// How many entries of the journal are read at a time.
const PAGE: u32 = 200;

/// One receiver and what it wants.
#[derive(Clone)]
pub struct Subscriber {
    /// The receiver.
    pub notifier: Arc<dyn Notifier>,
    /// What it is told, and when.
    pub rules: NotifyRules,
}

/// The receivers that are told of events.
#[derive(Clone, Default)]
pub struct Notifiers {
    told: Vec<Subscriber>,
    /// Those that are configured and cannot be told.
    faults: Vec<Fault>,
}

/// One that cannot be told.
#[derive(Clone)]
struct Fault {
    name: String,
    kind: &'static str,
    why: String,
}

impl Notifiers {
    /// These and no others; each has a name of its own.
    #[must_use]
    pub fn new(told: Vec<Subscriber>) -> Self {
        Notifiers { told, faults: Vec::new() }
    }

    /// With one that is configured and cannot be told; health says why.
    #[must_use]
    pub fn with_fault(mut self, name: String, kind: &'static str, why: String) -> Self {
        self.faults.push(Fault { name, kind, why });
        self
    }

    /// Tells health of those that cannot be told.
    pub(crate) fn tell_faults(&self, board: &Board, at: Timestamp) {
        for fault in &self.faults {
            health::tell_fault(board, &fault.name, &fault.why, at);
        }
    }

    /// All of them, those that cannot be told last.
    fn receivers(&self) -> Vec<Receiver> {
        let told = self.told.iter().map(|one| Receiver {
            name: one.notifier.name().to_owned(),
            kind: one.notifier.kind(),
            fault: None,
        });
        let faults = self.faults.iter().map(|fault| Receiver {
            name: fault.name.clone(),
            kind: fault.kind,
            fault: Some(fault.why.clone()),
        });
        told.chain(faults).collect()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().map(|one| one.notifier.name().to_owned());
        // One that cannot be set up is mended some day, and goes on where it was.
        told.chain(self.faults.iter().map(|fault| fault.name.clone())).collect()
    }
}

impl fmt::Debug for Notifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notifiers").field("names", &self.names()).finish()
    }
}

/// One receiver of this process.
pub(crate) struct Reader {
    subscriber: Subscriber,
    memory: Mutex<Memory>,
}

/// What a reader knows beside the database.
#[derive(Default)]
struct Memory {
    /// The last entry that was delivered or passed over. It is noted before the
    /// database is told, so that a write that fails sends nothing twice.
    done: Option<EventId>,
    /// What was put aside and is tried again; `None` is not looked up yet.
    again: Option<VecDeque<EventId>>,
}

impl Reader {
    pub(crate) fn all(notifiers: &Notifiers) -> Vec<Arc<Reader>> {
        let reader = |subscriber: &Subscriber| {
            Arc::new(Reader {
                subscriber: subscriber.clone(),
                memory: Mutex::new(Memory::default()),
            })
        };
        notifiers.told.iter().map(reader).collect()
    }

    pub(crate) fn name(&self) -> &str {
        self.subscriber.notifier.name()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes up the receivers of the configuration and forgets all others. Before any
/// worker starts, so that nothing of this run is missed.
pub(crate) async fn take_up(pipeline: &Pipeline) -> Result<(), StoreError> {
    let names = pipeline.policy.notifiers.names();
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            tx.keep_consumers(&names)?;
            names.iter().try_for_each(|name| tx.add_consumer(name))
        })
        .await
}

/// The stage of one receiver.
pub(crate) struct NotifyStage {
    pub pipeline: Pipeline,
    pub reader: Arc<Reader>,
    pub stop: CancellationToken,
}

impl Stage for NotifyStage {
    const NAME: &'static str = "notify";

    // What was acknowledged is noted before the worker ends.
    const ENDS: Ends = Ends::BetweenPasses;

    async fn pass(&self) -> Result<(), StoreError> {
        while !self.stop.is_cancelled() {
            if !step(&self.pipeline, &self.reader, &self.stop).await? {
                break;
            }
        }
        Ok(())
    }
}

/// Puts on the board how each receiver does. Sends nothing.
pub(crate) async fn examine(pipeline: &Pipeline) -> Result<(), StoreError> {
    for reader in pipeline.readers.iter() {
        health::tell(pipeline, reader.name()).await?;
    }
    Ok(())
}

/// One message at most. Tells whether there may be another one at once.
pub(crate) async fn step(
    pipeline: &Pipeline,
    reader: &Reader,
    stop: &CancellationToken,
) -> Result<bool, StoreError> {
    let name = reader.name().to_owned();
    let asked = name.clone();
    let Some(row) = pipeline.db.read(move |tx| tx.consumer(&asked)).await? else {
        return Ok(false);
    };
    let now = pipeline.db.clock().now();
    if !is_due(&row, now) {
        return Ok(false);
    }
    if send_again(pipeline, reader, &row, now, stop).await? {
        health::tell(pipeline, &name).await?;
        return Ok(true);
    }
    let from = reader.memory().done.map_or(row.cursor, |done| done.max(row.cursor));
    let more = match message::next(pipeline, reader.name(), &reader.subscriber.rules, from).await? {
        Next::Nothing { until } => {
            pass_over(pipeline, reader, until).await?;
            until.is_some()
        }
        // Those before it are passed over with it.
        Next::Later => false,
        Next::Found(found) => deliver(pipeline, reader, &row, found, stop).await?,
    };
    health::tell(pipeline, &name).await?;
    Ok(more)
}

/// A time further ahead than any pause comes from a wrong clock.
fn is_due(row: &Consumer, now: Timestamp) -> bool {
    row.next_attempt_at.is_none_or(|at| at <= now || at.seconds_since(now) > LONGEST_PAUSE)
}

/// Notes that nothing up to an entry is wanted.
async fn pass_over(
    pipeline: &Pipeline,
    reader: &Reader,
    until: Option<EventId>,
) -> Result<(), StoreError> {
    let Some(until) = until else { return Ok(()) };
    let name = reader.name().to_owned();
    reader.memory().done = Some(until);
    pipeline.db.write(&Actor::Worker, move |tx| tx.move_consumer(&name, until, false)).await
}

/// Sends; `None` when the program is to end meanwhile, and nobody knows.
async fn send(
    reader: &Reader,
    notice: &Notice,
    now: Timestamp,
    stop: &CancellationToken,
) -> Option<Result<(), NotifyError>> {
    tokio::select! {
        biased;
        sent = reader.subscriber.notifier.send(notice, now) => Some(sent),
        () = stop.cancelled() => None,
    }
}

async fn deliver(
    pipeline: &Pipeline,
    reader: &Reader,
    row: &Consumer,
    found: Found,
    stop: &CancellationToken,
) -> Result<bool, StoreError> {
    let (name, now) = (reader.name().to_owned(), pipeline.db.clock().now());
    let Some(sent) = send(reader, &found.notice, now, stop).await else { return Ok(false) };
    let event_id = found.notice.first;
    match sent {
        Ok(()) => {
            let last = found.until;
            {
                let mut memory = reader.memory();
                memory.done = Some(last);
                if row.attempts > 0 {
                    // It is back: what was put aside may go now.
                    memory.again = None;
                }
            }
            info!(consumer = %name, %event_id, events = found.notice.count(), "message delivered");
            let write =
                move |tx: &mut tracker_store::WriteTx<'_>| tx.move_consumer(&name, last, true);
            pipeline.db.write(&Actor::Worker, write).await?;
            Ok(true)
        }
        Err(error) => {
            let attempts = row.attempts.saturating_add(1);
            let detail = error.to_string();
            if attempts < ATTEMPTS {
                warn!(consumer = %name, %event_id, attempts, %error, "a message was not taken");
                let next = now.plus_seconds(pause(attempts));
                pipeline
                    .db
                    .write(&Actor::Worker, move |tx| {
                        tx.fail_consumer(&name, attempts, next, &detail)
                    })
                    .await?;
                return Ok(false);
            }
            tracing::error!(consumer = %name, %event_id, attempts, %error, "a message is put aside");
            let events: Vec<EventId> = found.notice.events().collect();
            pipeline
                .db
                .write(&Actor::Worker, move |tx| tx.put_aside(&name, &events, &detail))
                .await?;
            Ok(true)
        }
    }
}

/// How long after the nth attempt in vain the next one is.
fn pause(attempts: u32) -> i64 {
    let doubled = FIRST_PAUSE.saturating_mul(1 << attempts.saturating_sub(1).min(16));
    doubled.min(LONGEST_PAUSE)
}

/// Tries one entry again that was put aside: once after each start, and once the
/// receiver takes messages again. Tells whether it did.
async fn send_again(
    pipeline: &Pipeline,
    reader: &Reader,
    row: &Consumer,
    now: Timestamp,
    stop: &CancellationToken,
) -> Result<bool, StoreError> {
    if row.attempts > 0 || reader.subscriber.rules.are_quiet(now) {
        return Ok(false);
    }
    let name = reader.name().to_owned();
    if reader.memory().again.is_none() {
        let asked = name.clone();
        let dead = pipeline.db.read(move |tx| tx.dead_letters(&asked)).await?;
        reader.memory().again = Some(dead.into_iter().map(|letter| letter.event_id).collect());
    }
    let next = reader.memory().again.as_mut().and_then(VecDeque::pop_front);
    let Some(id) = next else { return Ok(false) };
    let event = pipeline.db.read(move |tx| tx.event(id)).await?;
    if let Some(event) = event {
        let Some(sent) = send(reader, &message::of(&event), now, stop).await else {
            return Ok(false);
        };
        if let Err(error) = sent {
            warn!(consumer = %name, event_id = %id, %error, "what was put aside was not taken again");
            if matches!(error, NotifyError::Unreachable(_)) {
                // The rest would fare no better.
                reader.memory().again = Some(VecDeque::new());
            }
            return Ok(true);
        }
        info!(consumer = %name, event_id = %id, "what was put aside was delivered");
    }
    // An entry that the journal does not have any more cannot be told of.
    pipeline.db.write(&Actor::Worker, move |tx| tx.settle_dead_letter(&name, id)).await?;
    Ok(true)
}

/// How a filter for what comes behind an entry looks.
fn behind(cursor: EventId) -> EventFilter {
    EventFilter { after: Some(cursor.any()), limit: PAGE, ..EventFilter::default() }
}
