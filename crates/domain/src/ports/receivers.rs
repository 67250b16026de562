//! The receivers of messages as a person may ask about them.

use async_trait::async_trait;

use super::{Notice, NotifyError};
use crate::Timestamp;

/// One receiver of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// Its name.
    pub name: String,
    /// What it takes, as a word of the configuration.
    pub kind: &'static str,
    /// Why it cannot be told of anything, where it cannot.
    pub fault: Option<String>,
}

/// Those that are configured. What they were told is in the database.
#[async_trait]
pub trait Receivers: Send + Sync {
    /// All of them, in the order of the configuration.
    fn all(&self) -> Vec<Receiver>;

    /// Sends a message to one of them at once, past its place in the journal, its
    /// rules and its quiet hours.
    ///
    /// # Errors
    /// Why it is not known to have arrived.
    async fn send_now(
        &self,
        name: &str,
        notice: &Notice,
        now: Timestamp,
    ) -> Result<(), NotifyError>;

    /// Lets whoever tells this one look again for what was put aside. Nothing where
    /// nobody does: who begins looks by itself.
    fn look_again(&self, name: &str);
}

/// No receiver is configured.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReceivers;

#[async_trait]
impl Receivers for NoReceivers {
    fn all(&self) -> Vec<Receiver> {
        Vec::new()
    }

    async fn send_now(
        &self,
        _name: &str,
        _notice: &Notice,
        _now: Timestamp,
    ) -> Result<(), NotifyError> {
        Err(NotifyError::Refused("no receiver is configured".to_owned()))
    }

    fn look_again(&self, _name: &str) {}
}
