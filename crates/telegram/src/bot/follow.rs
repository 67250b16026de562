//! The messages that follow downloads: each shows its download as it is now.
//!
//! What is to be shown anew is found by the journal while the bot runs, and by the
//! revision that each message shows after a start and now and then, so that nothing
//! has to be remembered here.

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};
use tracker_app::{AppError, TelegramMessage};
use tracker_domain::event::EventType;
use tracker_domain::{DownloadId, EventId};

use super::outbox::{About, Change, Need, Shown};
use super::reply::{Spot, gone};
use super::{Dossier, Shared};
use crate::api::Place;
use crate::chat::{ChatId, MessageId, ThreadId};
use crate::screens::{Screen, share, status};

/// How long what another process wrote may stay unseen.
const PATIENCE: Duration = Duration::from_secs(2);

/// So many entries of the journal are read at once.
const BATCH: u32 = 200;

/// How often messages are looked for that show a past revision.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// How often progress is shown, and how long it is worth being shown.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// Where the following is.
#[derive(Default)]
struct Followed {
    /// The last entry of the journal that was seen.
    cursor: Option<EventId>,
    looked_at: Option<Instant>,
    progress_at: Option<Instant>,
    /// The last percentage of what is being downloaded.
    shares: HashMap<DownloadId, u64>,
}

/// Why a download is shown anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// Where its revision is another one.
    Revision,
    /// There is more of it.
    Progress,
    /// Something happened.
    Event,
}

/// Shows what changed, until `stop`.
pub(super) async fn follow(shared: &Shared, stop: &CancellationToken) {
    let mut followed = Followed::default();
    while !stop.is_cancelled() {
        let look = AssertUnwindSafe(followed.look(shared)).catch_unwind();
        let outcome = tokio::select! {
            () = stop.cancelled() => return,
            outcome = look => outcome,
        };
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(error)) => warn!(%error, "messages could not be brought up to date"),
            // The text and the place of a panic are in the log already.
            Err(_) => error!("a look at the messages panicked; it is repeated"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = shared.app.journal.changed(PATIENCE) => {}
        }
    }
}

impl Followed {
    async fn look(&mut self, shared: &Shared) -> Result<(), AppError> {
        let mut changed = BTreeMap::new();
        self.read_journal(shared, &mut changed).await?;
        let due = |at: Option<Instant>, every| at.is_none_or(|at| at.elapsed() >= every);
        if due(self.looked_at, LOOK_EVERY) {
            for id in shared.app.chats.outdated(BATCH).await? {
                note(&mut changed, id, Cause::Revision);
            }
            self.looked_at = Some(Instant::now());
        }
        if due(self.progress_at, PROGRESS_EVERY) {
            self.read_progress(shared, &mut changed);
            self.progress_at = Some(Instant::now());
        }
        for (id, cause) in changed {
            // One that cannot be shown keeps no other from it.
            if let Err(error) = shared.show_anew(id, cause).await {
                warn!(download_id = %id, %error, "a download could not be shown anew");
            }
        }
        Ok(())
    }

    async fn read_journal(
        &mut self,
        shared: &Shared,
        changed: &mut BTreeMap<DownloadId, Cause>,
    ) -> Result<(), AppError> {
        let journal = &shared.app.journal;
        let Some(mut cursor) = self.cursor else {
            // What was before is found by the revisions.
            self.cursor = journal.newest().await?.map(|id| id.typed());
            return Ok(());
        };
        loop {
            let events = journal.events_after(Some(cursor.any()), BATCH).await?;
            let Some(last) = events.last() else { return Ok(()) };
            cursor = last.id;
            for event in &events {
                let Some(id) = event.download_id else { continue };
                let of_intake = [EventType::DownloadCreated, EventType::HintAdded];
                let is_known = of_intake.contains(&event.event_type);
                note(changed, id, if is_known { Cause::Revision } else { Cause::Event });
            }
            self.cursor = Some(cursor);
        }
    }

    /// Those of which another percent has come.
    fn read_progress(&mut self, shared: &Shared, changed: &mut BTreeMap<DownloadId, Cause>) {
        let all = shared.app.ops.progress();
        let shares: HashMap<DownloadId, u64> =
            all.iter().filter_map(|(id, progress)| Some((*id, share(Some(progress))?))).collect();
        for (id, share) in &shares {
            if self.shares.get(id) != Some(share) {
                note(changed, *id, Cause::Progress);
            }
        }
        self.shares = shares;
    }
}

fn note(changed: &mut BTreeMap<DownloadId, Cause>, id: DownloadId, cause: Cause) {
    let known = changed.entry(id).or_insert(cause);
    *known = cause.max(*known);
}

impl Shared {
    /// Shows a download as it is now in each message that follows it.
    async fn show_anew(&self, id: DownloadId, cause: Cause) -> Result<(), AppError> {
        let messages = self.app.chats.messages_of(id).await?;
        if messages.is_empty() {
            return Ok(());
        }
        let dossier = self.dossier(id).await?;
        for message in messages {
            let current = message.shown_revision == Some(dossier.download.revision);
            if current && cause == Cause::Revision {
                continue;
            }
            let voice = self.voice_in(ChatId(message.chat_id)).await?;
            let screen = status(&voice, &dossier.subject());
            let chat = self.app.chats.chat(message.chat_id).await?;
            let is_closed = chat.as_ref().is_some_and(|chat| chat.closed_at.is_some());
            if let Some(to) = chat.and_then(|chat| chat.became) {
                self.move_message(&message, ChatId(to), &dossier, &screen).await?;
            } else if !is_closed {
                let need = match cause {
                    Cause::Progress => Need::Passing(PROGRESS_EVERY),
                    Cause::Revision | Cause::Event => Need::Lasting,
                };
                self.redraw(&message, &dossier, &screen, need).await?;
            }
        }
        Ok(())
    }

    /// Shows this in a message, where it does not yet.
    pub(super) async fn redraw(
        &self,
        message: &TelegramMessage,
        dossier: &Dossier,
        screen: &Screen,
        need: Need,
    ) -> Result<(), AppError> {
        let has_photo = message.has_photo;
        let poster = if has_photo { self.poster_of(screen).await? } else { None };
        let shown = Shown::of(screen).with_poster(poster);
        let revision = dossier.download.revision;
        if message.shown_digest.as_ref() == Some(&shown.digest(has_photo)) {
            if message.shown_revision == Some(revision) {
                return Ok(());
            }
            let row = TelegramMessage { shown_revision: Some(revision), ..message.clone() };
            return self.app.chats.remember(row).await;
        }
        let change = Change {
            thread: message.thread_id.map(ThreadId),
            answers: message.answers.map(MessageId),
            has_photo,
            shown,
            about: About { download: dossier.download.id, revision, role: message.role },
        };
        let place = Place { chat: ChatId(message.chat_id), message: MessageId(message.message_id) };
        self.outbox.edit(place, change, need);
        Ok(())
    }

    /// The messages of a group that became another stay behind: what they follow is
    /// shown there anew, once.
    async fn move_message(
        &self,
        message: &TelegramMessage,
        to: ChatId,
        dossier: &Dossier,
        screen: &Screen,
    ) -> Result<(), AppError> {
        let id = dossier.download.id;
        if self.app.chats.message_of(id, to.0).await?.is_none() {
            let spot = Spot { chat: to, thread: None, answers: None };
            gone([self.show_new(spot, dossier, screen)]).await;
        }
        if self.app.chats.message_of(id, to.0).await?.is_some() {
            self.app.chats.forget(message.chat_id, message.message_id).await?;
        }
        Ok(())
    }
}
