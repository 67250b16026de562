//! Telling somebody outside of what has happened.

use async_trait::async_trait;
use tracker_ident::AnyId;

use crate::event::EventType;
use crate::{DownloadId, EntityKind, EventId, Timestamp};

/// One message: an entry of the journal, or several of one type that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The first entry. A message that is sent again has the same one, so that a
    /// receiver can tell.
    pub first: EventId,
    /// The entries behind it, in order.
    pub rest: Vec<EventId>,
    /// What happened.
    pub kind: EventType,
    /// When the first of it happened.
    pub at: Timestamp,
    /// What the first entry is about.
    pub entity: Option<(EntityKind, AnyId)>,
    /// The download that the first entry belongs to.
    pub download_id: Option<DownloadId>,
    /// What it is called.
    pub name: Option<String>,
    /// In words.
    pub message: String,
}

impl Notice {
    /// How many entries it tells of.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rest.len() + 1
    }

    /// All entries, in order.
    pub fn events(&self) -> impl Iterator<Item = EventId> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

/// Why a message was not taken. The text has no address and no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotifyError {
    /// No answer, or one of a broken server.
    #[error("the receiver cannot be reached: {0}")]
    Unreachable(String),
    /// It answered and did not take it.
    #[error("the receiver does not take it: {0}")]
    Refused(String),
}

/// One receiver of messages. A call ends within eight seconds.
#[async_trait]
pub trait Notifier: Send + Sync {
    /// The name of the configuration.
    fn name(&self) -> &str;

    /// What it takes, as a word of the configuration.
    fn kind(&self) -> &'static str;

    /// Sends a message; `now` is when it is sent. `Ok` means that the receiver has
    /// acknowledged it.
    ///
    /// # Errors
    /// Why it is not known to have arrived.
    async fn send(&self, notice: &Notice, now: Timestamp) -> Result<(), NotifyError>;
}
