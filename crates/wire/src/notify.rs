//! Receivers of messages, and what they would not take.

use serde::{Deserialize, Serialize};
use tracker_app::{DeadLetterView, NotifyTestView, ReceiverView};
use utoipa::ToSchema;

use crate::{EventDto, words};

/// One receiver, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReceiverDto {
    /// Its name in the configuration.
    pub name: String,
    /// `webhook`, `ntfy`, `gotify` or `apprise`.
    pub kind: String,
    /// Why it cannot be told of anything; null where it can.
    #[schema(required)]
    pub fault: Option<String>,
    /// The last entry of the journal that it is done with; null until the daemon has
    /// taken it up.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub cursor: Option<String>,
    /// How many entries come behind that, wanted or not; not more than 10,000 are
    /// counted.
    pub behind: u64,
    /// How often the next message was tried in vain.
    pub attempts: u32,
    /// When it is tried again.
    #[schema(required, value_type = Option<words::Moment>)]
    pub next_attempt_at: Option<String>,
    /// Why the last attempt failed.
    #[schema(required)]
    pub detail: Option<String>,
    /// When the last message was taken.
    #[schema(required, value_type = Option<words::Moment>)]
    pub delivered_at: Option<String>,
    /// How many entries were put aside after all attempts.
    pub dead_letters: u64,
}

/// An entry of the journal that a receiver would not take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterDto {
    /// The entry.
    #[schema(value_type = words::Ulid)]
    pub event_id: String,
    /// What the last attempt said.
    pub detail: String,
    /// When it was put aside.
    #[schema(value_type = words::Moment)]
    pub put_aside_at: String,
    /// What it says; null where the journal does not have it any more.
    #[schema(required)]
    pub event: Option<EventDto>,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotifyTestDto {
    /// Who was tested.
    pub name: String,
    /// The entry of the journal about the test, which is the id of the message.
    #[schema(value_type = words::Ulid)]
    pub event_id: String,
    /// Whether the receiver took it.
    pub taken: bool,
    /// Why not.
    #[schema(required)]
    pub detail: Option<String>,
}

impl From<ReceiverView> for ReceiverDto {
    fn from(view: ReceiverView) -> Self {
        ReceiverDto {
            name: view.name,
            kind: view.kind.to_owned(),
            fault: view.fault,
            cursor: view.cursor.map(|id| id.to_string()),
            behind: view.behind,
            attempts: view.attempts,
            next_attempt_at: view.next_attempt_at.map(|at| at.to_string()),
            detail: view.detail,
            delivered_at: view.delivered_at.map(|at| at.to_string()),
            dead_letters: view.dead_letters,
        }
    }
}

impl From<DeadLetterView> for DeadLetterDto {
    fn from(view: DeadLetterView) -> Self {
        DeadLetterDto {
            event_id: view.event_id.to_string(),
            detail: view.detail,
            put_aside_at: view.put_aside_at.to_string(),
            event: view.event.map(Into::into),
        }
    }
}

impl From<NotifyTestView> for NotifyTestDto {
    fn from(view: NotifyTestView) -> Self {
        NotifyTestDto {
            name: view.name,
            event_id: view.event_id.to_string(),
            taken: view.taken,
            detail: view.detail,
        }
    }
}
