//! The receivers of messages: how each does, what was put aside, a test, another try.

use std::sync::Arc;

use serde_json::json;
use tracing::info;
use tracker_domain::event::EventType;
use tracker_domain::ports::{Notice, Receiver, Receivers};
use tracker_domain::{Actor, EventId, Timestamp};
use tracker_store::{Consumer, Db, NewEvent, StoreError};

use crate::convert::event_view;
use crate::error::AppError;
use crate::views::{EventView, Page};

/// So many entries are counted; a page must not read the whole journal.
const MOST_COUNTED: u32 = 10_000;

/// One receiver, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverView {
    /// Its name in the configuration.
    pub name: String,
    /// What it takes, as a word of the configuration.
    pub kind: &'static str,
    /// Why it cannot be told of anything, where it cannot.
    pub fault: Option<String>,
    /// The last entry of the journal that it is done with; `None` until a daemon has
    /// taken it up.
    pub cursor: Option<EventId>,
    /// How many entries come behind that, wanted or not; not more than 10,000 are
    /// counted.
    pub behind: u64,
    /// How often the next message was tried in vain.
    pub attempts: u32,
    /// When it is tried again.
    pub next_attempt_at: Option<Timestamp>,
    /// Why the last attempt failed.
    pub detail: Option<String>,
    /// When the last message was taken.
    pub delivered_at: Option<Timestamp>,
    /// How many entries were put aside.
    pub dead_letters: u64,
}

/// An entry of the journal that a receiver would not take.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadLetterView {
    /// The entry.
    pub event_id: EventId,
    /// What the last attempt said.
    pub detail: String,
    /// When it was put aside.
    pub put_aside_at: Timestamp,
    /// What it says; `None` where the journal does not have it any more.
    pub event: Option<EventView>,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotifyTestView {
    /// Who was tested.
    pub name: String,
    /// The entry of the journal about the test, which is the id of the message.
    pub event_id: EventId,
    /// Whether the receiver took it.
    pub taken: bool,
    /// Why not.
    pub detail: Option<String>,
}

/// The service for the receivers of messages.
#[derive(Clone)]
pub struct Notify {
    db: Db,
    receivers: Arc<dyn Receivers>,
}

impl Notify {
    pub(crate) fn new(db: Db, receivers: Arc<dyn Receivers>) -> Self {
        Notify { db, receivers }
    }

    pub(crate) fn with(self, receivers: Arc<dyn Receivers>) -> Self {
        Notify { receivers, ..self }
    }

    /// Every receiver, in the order of the configuration.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn list(&self) -> Result<Page<ReceiverView>, AppError> {
        let mut items = Vec::new();
        for receiver in self.receivers.all() {
            items.push(self.view(receiver).await?);
        }
        Ok(Page { items, next: None })
    }

    /// What a receiver would not take, the oldest entry first.
    ///
    /// # Errors
    /// When there is no receiver of this name.
    pub async fn dead_letters(&self, name: &str) -> Result<Page<DeadLetterView>, AppError> {
        let name = self.known(name)?.name;
        let items = self
            .db
            .read(move |tx| {
                let mut items = Vec::new();
                for letter in tx.dead_letters(&name)? {
                    items.push(DeadLetterView {
                        event: tx.event(letter.event_id)?.map(event_view),
                        event_id: letter.event_id,
                        detail: letter.detail,
                        put_aside_at: letter.created_at,
                    });
                }
                Ok::<_, StoreError>(items)
            })
            .await?;
        Ok(Page { items, next: None })
    }

    /// Sends a message to a receiver now, whatever its rules and quiet hours are. Its
    /// place in the journal stays.
    ///
    /// # Errors
    /// When there is no receiver of this name.
    pub async fn test(&self, name: &str, actor: &Actor) -> Result<NotifyTestView, AppError> {
        let Receiver { name, fault, .. } = self.known(name)?;
        let event = NewEvent::new(EventType::NotificationTested, "a test message")
            .named(&name)
            .with(json!({ "consumer": name }));
        let event_id = self.db.write(actor, move |tx| tx.append_event(event)).await?;
        let now = self.db.clock().now();
        let notice = Notice {
            first: event_id,
            rest: Vec::new(),
            kind: EventType::NotificationTested,
            at: now,
            entity: None,
            download_id: None,
            name: Some(name.clone()),
            message: "a test message".to_owned(),
        };
        let detail = match fault {
            Some(fault) => Some(fault),
            None => self.receivers.send_now(&name, &notice, now).await.err().map(|e| e.to_string()),
        };
        let taken = detail.is_none();
        info!(consumer = %name, %event_id, taken, "a receiver was tested");
        Ok(NotifyTestView { name, event_id, taken, detail })
    }

    /// Lets a receiver be told again of what was put aside, and of what waits for its
    /// next attempt, at once. Nothing happens where there is neither.
    ///
    /// # Errors
    /// When there is no receiver of this name.
    pub async fn retry(&self, name: &str, actor: &Actor) -> Result<ReceiverView, AppError> {
        let receiver = self.known(name)?;
        // Before the write, which wakes whoever tells it.
        self.receivers.look_again(&receiver.name);
        let asked = receiver.name.clone();
        self.db.write(actor, move |tx| tx.retry_consumer(&asked)).await?;
        self.view(receiver).await
    }

    fn known(&self, name: &str) -> Result<Receiver, AppError> {
        let all = self.receivers.all();
        let names: Vec<&str> = all.iter().map(|receiver| receiver.name.as_str()).collect();
        let known = names.join(", ");
        let found = all.iter().find(|receiver| receiver.name == name).cloned();
        found.ok_or_else(|| AppError::ReceiverNotFound { name: name.to_owned(), known })
    }

    async fn view(&self, receiver: Receiver) -> Result<ReceiverView, AppError> {
        let Receiver { name, kind, fault } = receiver;
        let asked = name.clone();
        let (row, behind, dead_letters) = self
            .db
            .read(move |tx| {
                let row: Option<Consumer> = tx.consumer(&asked)?;
                let behind = match &row {
                    Some(row) => tx.events_behind(row.cursor, MOST_COUNTED)?,
                    None => 0,
                };
                Ok::<_, StoreError>((row, behind, tx.count_dead_letters(&asked)?))
            })
            .await?;
        Ok(ReceiverView {
            name,
            kind,
            fault,
            cursor: row.as_ref().map(|row| row.cursor),
            behind,
            attempts: row.as_ref().map_or(0, |row| row.attempts),
            next_attempt_at: row.as_ref().and_then(|row| row.next_attempt_at),
            delivered_at: row.as_ref().and_then(|row| row.delivered_at),
            detail: row.and_then(|row| row.detail),
            dead_letters,
        })
    }
}
