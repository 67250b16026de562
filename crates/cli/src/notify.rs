//! The receivers of messages, here or at a daemon.

use async_trait::async_trait;
use tracker_wire::{DeadLetterDto, NotifyTestDto, Page, ReceiverDto};

use crate::call::Fields;
use crate::failure::{ApiFailure, failure_of};
use crate::local::LocalApi;
use crate::remote::RemoteApi;

/// What a command can ask about receivers of messages.
#[async_trait]
pub trait NotifyApi: Send + Sync {
    /// All of them, and how far each is.
    async fn receivers(&self) -> Result<Page<ReceiverDto>, ApiFailure>;
    /// What one would not take.
    async fn dead_letters(&self, name: &str) -> Result<Page<DeadLetterDto>, ApiFailure>;
    /// Sends one message to it now.
    async fn notify_test(&self, name: &str) -> Result<NotifyTestDto, ApiFailure>;
    /// Sends again what it would not take.
    async fn notify_retry(&self, name: &str) -> Result<ReceiverDto, ApiFailure>;
}

#[async_trait]
impl NotifyApi for LocalApi {
    async fn receivers(&self) -> Result<Page<ReceiverDto>, ApiFailure> {
        self.app.notify.list().await.map(Into::into).map_err(failure_of)
    }

    async fn dead_letters(&self, name: &str) -> Result<Page<DeadLetterDto>, ApiFailure> {
        self.app.notify.dead_letters(name).await.map(Into::into).map_err(failure_of)
    }

    async fn notify_test(&self, name: &str) -> Result<NotifyTestDto, ApiFailure> {
        self.app.notify.test(name, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn notify_retry(&self, name: &str) -> Result<ReceiverDto, ApiFailure> {
        self.app.notify.retry(name, &self.actor).await.map(Into::into).map_err(failure_of)
    }
}

/// What is asked of one. A name that a receiver cannot have must not lead to another
/// address.
fn path(name: &str, what: &str) -> Result<String, ApiFailure> {
    let fits = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    if !name.chars().all(fits) || !name.chars().any(char::is_alphanumeric) {
        return Err(ApiFailure::not_found(format!(
            "there is no receiver {name:?}; `tracker notify list` shows them"
        )));
    }
    Ok(format!("notify/{name}/{what}"))
}

#[async_trait]
impl NotifyApi for RemoteApi {
    async fn receivers(&self) -> Result<Page<ReceiverDto>, ApiFailure> {
        self.get("notify", Fields::new()).await
    }

    async fn dead_letters(&self, name: &str) -> Result<Page<DeadLetterDto>, ApiFailure> {
        self.get(&path(name, "dead-letters")?, Fields::new()).await
    }

    async fn notify_test(&self, name: &str) -> Result<NotifyTestDto, ApiFailure> {
        self.act(&path(name, "test")?).await
    }

    async fn notify_retry(&self, name: &str) -> Result<ReceiverDto, ApiFailure> {
        self.act(&path(name, "retry")?).await
    }
}
