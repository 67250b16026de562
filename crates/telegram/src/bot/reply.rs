//! Answers: messages that a person waits for.

use std::time::Duration;

use futures::future::join_all;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::debug;
use tracker_app::{AppError, TelegramRole};

use super::outbox::{About, Letter, Shown};
use super::{Dossier, Shared};
use crate::api::Sent;
use crate::chat::{ChatId, MessageId, ThreadId};
use crate::screens::{Screen, Voice};

/// An update is done once its answers have gone, so that none is lost with the process,
/// or after so long: other updates wait behind it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where an answer goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub chat: ChatId,
    pub thread: Option<ThreadId>,
    /// The message that is answered.
    pub answers: Option<MessageId>,
}

impl Shared {
    /// Says something that is about no download.
    pub(super) fn say(&self, spot: Spot, screen: &Screen) -> oneshot::Receiver<Sent> {
        self.outbox.send(Letter {
            chat: spot.chat,
            thread: spot.thread,
            answers: spot.answers,
            shown: Shown::of(screen),
            about: None,
        })
    }

    /// Shows a download in a message that follows it from now on.
    pub(super) fn show_new(
        &self,
        spot: Spot,
        dossier: &Dossier,
        screen: &Screen,
    ) -> oneshot::Receiver<Sent> {
        self.outbox.send(Letter {
            chat: spot.chat,
            thread: spot.thread,
            answers: spot.answers,
            shown: Shown::of(screen),
            about: Some(About {
                download: dossier.download.id,
                revision: dossier.download.revision,
                role: TelegramRole::Status,
            }),
        })
    }

    /// Whether a message was answered with a download before, so that an update that is
    /// handled once more says nothing twice.
    pub(super) async fn is_answered(
        &self,
        spot: Spot,
        dossier: &Dossier,
    ) -> Result<bool, AppError> {
        let shown = self.app.chats.message_of(dossier.download.id, spot.chat.0).await?;
        let answers = shown.and_then(|shown| shown.answers);
        Ok(answers.is_some() && answers == spot.answers.map(|message| message.0))
    }

    /// Shows how a download is, as a command asks.
    pub(super) async fn show_status(
        &self,
        spot: Spot,
        voice: &Voice<'_>,
        dossier: &Dossier,
    ) -> Result<(), AppError> {
        if !self.is_answered(spot, dossier).await? {
            let screen = crate::screens::status(voice, &dossier.subject());
            gone([self.show_new(spot, dossier, &screen)]).await;
        }
        Ok(())
    }
}

/// Waits a moment until these have gone.
pub(super) async fn gone(answers: impl IntoIterator<Item = oneshot::Receiver<Sent>>) {
    if timeout(PATIENCE, join_all(answers)).await.is_err() {
        debug!("answers wait for their turn");
    }
}
