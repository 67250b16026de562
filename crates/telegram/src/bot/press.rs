//! Presses of buttons: each carries what is to be done, to which download, and the
//! revision that its reader saw. What changed meanwhile is shown, and nothing is done.

use tracing::debug;
use tracker_app::{AppError, ApplyRequest, CancelRequest, TelegramMessage, TelegramRole};
use tracker_domain::{Actor, DownloadId};

use super::outbox::Need;
use super::reply::Spot;
use super::{Dossier, Shared};
use crate::callback::{Callback, ParseCallbackError, PlanMark, Verb};
use crate::screens::{
    Phrase, Screen, Voice, cancelling, candidate, none_fits, plan, refused, status, undone,
};
use crate::update::Press;

/// What a press came to.
enum Done {
    /// It was done, and the message follows its download.
    Changed(Phrase),
    /// It was done, and there is more to tell than the message shows.
    Told(Phrase, Screen),
    /// Something else is shown in the message.
    Seen(Screen),
    /// Something else is so by now, which is shown.
    Other(Screen),
    /// It is another revision by now.
    Stale,
}

impl Shared {
    /// Does what a button asks for, and answers the press.
    pub(super) async fn pressed(&self, press: &Press, voice: Voice<'_>) -> Result<(), AppError> {
        let callback = match press.data.as_deref().unwrap_or_default().parse::<Callback>() {
            Ok(callback) => callback,
            Err(error) => {
                let phrase = match error {
                    ParseCallbackError::OtherForm | ParseCallbackError::UnknownVerb => {
                        Phrase::OtherVersion
                    }
                    ParseCallbackError::Malformed => Phrase::BadButton,
                };
                self.answer_press(&press.id, Some(&phrase.text(&voice)), true).await;
                return self.refresh(press, voice).await;
            }
        };
        if callback.verb.changes() && !voice.may_change {
            let text = Phrase::ViewerRefused.text(&voice);
            self.answer_press(&press.id, Some(&text), true).await;
            return Ok(());
        }
        let actor = Actor::Telegram(press.from.id.0);
        let outcome = self.act(callback, voice, &actor).await;
        let id = callback.download;
        let (told, alert, screen) = match outcome {
            Ok(Done::Changed(phrase)) => (Some(phrase.text(&voice)), false, None),
            Ok(Done::Told(phrase, screen)) => {
                if let Some(chat) = &press.chat {
                    let spot = Spot { chat: chat.id, thread: press.thread, answers: press.message };
                    // Nobody waits for it: what was done shows in the message.
                    drop(self.say(spot, &screen));
                }
                (Some(phrase.text(&voice)), false, None)
            }
            Ok(Done::Seen(screen)) => (None, false, Some(screen)),
            Ok(Done::Other(screen)) => (Some(Phrase::Changed.text(&voice)), true, Some(screen)),
            Ok(Done::Stale) | Err(AppError::Stale(_)) => {
                (Some(Phrase::Changed.text(&voice)), true, None)
            }
            Err(AppError::NotFound { .. }) => (Some(Phrase::Gone.text(&voice)), true, None),
            Err(error) if error.is_ours() => {
                self.answer_press(&press.id, Some(&refused(&voice, &error)), true).await;
                return Err(error);
            }
            Err(error) => (Some(refused(&voice, &error)), true, None),
        };
        self.answer_press(&press.id, told.as_deref(), alert).await;
        match self.dossier(id).await {
            Ok(dossier) => self.show_pressed(press, &dossier, voice, screen).await,
            Err(AppError::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Answers a press. Nobody waits for one that is too old.
    pub(super) async fn answer_press(&self, press: &str, text: Option<&str>, alert: bool) {
        if let Err(error) = self.api.answer(press, text, alert).await {
            debug!(%error, "a press is not answered");
        }
    }

    async fn act(
        &self,
        callback: Callback,
        voice: Voice<'_>,
        actor: &Actor,
    ) -> Result<Done, AppError> {
        let Callback { verb, download: id, revision } = callback;
        let expected = Some(revision);
        let (intake, review) = (&self.app.intake, &self.app.review);
        Ok(match verb {
            Verb::Show => {
                let dossier = self.dossier(id).await?;
                Done::Seen(status(&voice, &dossier.subject()))
            }
            Verb::Candidate(place) => {
                let dossier = self.dossier(id).await?;
                Done::Seen(candidate(&voice, &dossier.subject(), place))
            }
            Verb::NoneFits => {
                let dossier = self.dossier(id).await?;
                Done::Seen(none_fits(&voice, &dossier.subject()))
            }
            Verb::Plan => {
                let (download, found) = (intake.show(id).await?, self.app.library.plan(id).await?);
                Done::Seen(plan(&voice, &download, &found))
            }
            Verb::Cancel => Done::Seen(cancelling(&voice, &intake.show(id).await?)),
            Verb::CancelSurely => {
                intake.cancel(id, CancelRequest::default(), expected, actor).await?;
                Done::Changed(Phrase::Cancelled)
            }
            Verb::Retry => {
                intake.retry(id, None, expected, actor).await?;
                Done::Changed(Phrase::Retried)
            }
            Verb::Accept(place) => {
                let all = review.candidates(id).await?.items;
                let chosen = match all.get(usize::from(place)) {
                    Some(chosen) => Some(chosen.id),
                    // Where there is none, the button means what the names say.
                    None if all.is_empty() && place == 0 => None,
                    None => return Ok(Done::Stale),
                };
                review.accept(id, chosen, expected, actor).await?;
                Done::Changed(Phrase::Accepted)
            }
            Verb::Kind(kind) => self.say_field(id, "kind", kind.as_str(), expected, actor).await?,
            Verb::Season(season) => {
                self.say_field(id, "season", &season.to_string(), expected, actor).await?
            }
            Verb::Apply(seen) => self.apply(id, seen, expected, voice, actor).await?,
            Verb::Undo => self.undo(id, revision, voice, actor).await?,
        })
    }

    async fn say_field(
        &self,
        id: DownloadId,
        field: &str,
        value: &str,
        expected: Option<u64>,
        actor: &Actor,
    ) -> Result<Done, AppError> {
        self.app.review.set_override(id, field, value, expected, actor).await?;
        Ok(Done::Changed(Phrase::Said))
    }

    /// Carries out the plan that the reader of the button saw, and takes the match that
    /// is proposed with it; another plan is shown instead.
    async fn apply(
        &self,
        id: DownloadId,
        seen: PlanMark,
        expected: Option<u64>,
        voice: Voice<'_>,
        actor: &Actor,
    ) -> Result<Done, AppError> {
        let found = self.app.library.plan(id).await?;
        if PlanMark::of(&found.id) != seen {
            let download = self.app.intake.show(id).await?;
            return Ok(Done::Other(plan(&voice, &download, &found)));
        }
        let request = ApplyRequest { plan: Some(found.id), resolve: Vec::new(), take: true };
        self.app.library.apply(id, request, expected, actor).await?;
        Ok(Done::Changed(Phrase::Applied))
    }

    /// Takes back the newest batch that stands. A batch has no revision of its own, so
    /// it is compared here.
    async fn undo(
        &self,
        id: DownloadId,
        revision: u64,
        voice: Voice<'_>,
        actor: &Actor,
    ) -> Result<Done, AppError> {
        let download = self.app.intake.show(id).await?;
        let batches = self.app.library.batches(id).await?;
        let standing = batches.iter().find(|batch| batch.stands());
        let Some(batch) = standing.filter(|_| download.revision == revision) else {
            return Ok(Done::Stale);
        };
        let batch = self.app.library.undo(batch.id, actor).await?;
        if batch.left.is_empty() {
            return Ok(Done::Changed(Phrase::Undone));
        }
        let download = self.app.intake.show(id).await?;
        Ok(Done::Told(Phrase::Undone, undone(&voice, &download, &batch)))
    }

    /// Shows the download of a message as it is now.
    async fn refresh(&self, press: &Press, voice: Voice<'_>) -> Result<(), AppError> {
        let (Some(chat), Some(message)) = (&press.chat, press.message) else { return Ok(()) };
        let Some(row) = self.app.chats.message(chat.id.0, message.0).await? else { return Ok(()) };
        let dossier = self.dossier(row.download_id).await?;
        self.show_pressed(press, &dossier, voice, None).await
    }

    /// Shows something in the message whose button was pressed, or below it where it has
    /// a poster and the message has no room for one.
    async fn show_pressed(
        &self,
        press: &Press,
        dossier: &Dossier,
        voice: Voice<'_>,
        screen: Option<Screen>,
    ) -> Result<(), AppError> {
        let (Some(chat), Some(message)) = (&press.chat, press.message) else { return Ok(()) };
        let row = self.app.chats.message(chat.id.0, message.0).await?;
        // A message that no row knows any more still has a button that works.
        let row = row.unwrap_or_else(|| TelegramMessage {
            chat_id: chat.id.0,
            message_id: message.0,
            thread_id: press.thread.map(|thread| thread.0),
            answers: None,
            download_id: dossier.download.id,
            role: TelegramRole::Notice,
            has_photo: press.has_photo,
            shown_digest: None,
            shown_revision: None,
        });
        if !row.has_photo
            && let Some(screen) = &screen
            && let Some(poster) = self.poster_of(screen).await?
        {
            return self.show_card(&row, dossier, screen, poster).await;
        }
        // In a group others read along, who may do more.
        let voice = if chat.id.is_group() { self.voice_in(chat.id).await? } else { voice };
        let screen = screen.unwrap_or_else(|| status(&voice, &dossier.subject()));
        self.redraw(&row, dossier, &screen, Need::Asked).await
    }
}
