//! The order in which downloads come to their turn.

use std::fmt;
use std::str::FromStr;

/// An end of the queue, that of a client and that of what is to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueEnd {
    /// Before all others.
    First,
    /// After all others.
    Last,
}

impl QueueEnd {
    /// Both of them.
    pub const ALL: [QueueEnd; 2] = [QueueEnd::First, QueueEnd::Last];

    /// The word of commands and of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            QueueEnd::First => "first",
            QueueEnd::Last => "last",
        }
    }
}

impl fmt::Display for QueueEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no end of a queue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither \"first\" nor \"last\"")]
pub struct ParseQueueEndError(String);

impl FromStr for QueueEnd {
    type Err = ParseQueueEndError;

    fn from_str(text: &str) -> Result<Self, ParseQueueEndError> {
        Self::ALL
            .into_iter()
            .find(|end| end.as_str() == text)
            .ok_or_else(|| ParseQueueEndError(text.to_owned()))
    }
}
