//! Cards: a candidate with its poster, to decide on, in a message of its own.
//!
//! A message that has a picture has one for ever, and the one that follows its download
//! is better off with the room of a text; so a card answers the message that was pressed.

use std::time::Duration;

use tokio::time::timeout;
use tracing::debug;
use tracker_app::{AppError, TelegramMessage, TelegramRole};

use super::outbox::{About, Letter, Need, Poster, Shown};
use super::reply::gone;
use super::{Dossier, Shared};
use crate::api::Photo;
use crate::chat::{ChatId, MessageId, ThreadId};
use crate::screens::{Screen, status};

/// Somebody waits, so a poster that has not come by then is done without.
const PATIENCE: Duration = Duration::from_secs(5);

impl Shared {
    /// The poster of the candidate that a screen shows, where it can be had now.
    pub(super) async fn poster_of(&self, screen: &Screen) -> Result<Option<Poster>, AppError> {
        let Some(candidate) = screen.photo() else { return Ok(None) };
        let Ok(found) = timeout(PATIENCE, self.app.posters.poster(candidate)).await else {
            debug!(candidate_id = %candidate, "a poster is not waited for any longer");
            return Ok(None);
        };
        let picture = found?.and_then(|view| view.picture);
        Ok(picture
            .map(|picture| Poster { photo: Photo { bytes: picture.bytes }, tag: picture.etag }))
    }

    /// Shows a candidate with its poster below the message in which it was asked for.
    pub(super) async fn show_card(
        &self,
        asked: &TelegramMessage,
        dossier: &Dossier,
        screen: &Screen,
        poster: Poster,
    ) -> Result<(), AppError> {
        let chat = ChatId(asked.chat_id);
        let card = Letter {
            chat,
            thread: asked.thread_id.map(ThreadId),
            answers: Some(MessageId(asked.message_id)),
            shown: Shown::of(screen).with_poster(Some(poster)),
            about: Some(About {
                download: dossier.download.id,
                revision: dossier.download.revision,
                role: TelegramRole::Notice,
            }),
        };
        gone([self.outbox.send(card)]).await;
        if asked.role == TelegramRole::Status {
            // It may show another candidate, one without a poster.
            let screen = status(&self.voice_in(chat).await?, &dossier.subject());
            self.redraw(asked, dossier, &screen, Need::Asked).await?;
        }
        Ok(())
    }
}
