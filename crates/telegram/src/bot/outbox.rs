//! Everything that is sent goes through here, one after the other and at the pace of
//! the limiter; only answers to presses do not, for which Telegram has no limit.
//!
//! What has gone is noted in the rows of the messages. What is lost with the process is
//! an edit, which is found again by its row, or an answer whose update is not done yet.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, warn};
use tracker_app::{AppError, TelegramMessage, TelegramRole};
use tracker_domain::DownloadId;

use super::Shared;
use crate::api::{BotError, Keyboard, Outgoing, Photo, Place, Sent};
use crate::chat::{ChatId, MessageId, ThreadId};
use crate::limiter::{Edit, Limiter, Scope, Step, Ticket};
use crate::screens::Screen;
use crate::text::{Formatted, Limit};

/// Between two tries where Telegram is not reached, at first and at most.
const FIRST_PAUSE_S: u64 = 2;
const LONGEST_PAUSE_S: u64 = 60;

/// The process before this one may have written to the same chats a moment ago.
const AFTER_START_MS: u64 = 1000;

/// An answer that could not be sent for so long helps nobody any more.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// The door to the outbox.
pub(super) struct Outbox {
    orders: mpsc::UnboundedSender<Order>,
}

/// What a reader of a message sees.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// What it says where it has no picture.
    pub text: Formatted,
    /// The same as it stands below a picture.
    pub caption: Formatted,
    pub keyboard: Option<Keyboard>,
    pub poster: Option<Poster>,
}

/// A picture that belongs to what is said.
#[derive(Clone, Debug)]
pub(super) struct Poster {
    pub photo: Photo,
    /// Another one where the picture is another one.
    pub tag: String,
}

/// The download that a message is about, as it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct About {
    pub download: DownloadId,
    pub revision: u64,
    pub role: TelegramRole,
}

/// A message that is to be sent, as a picture where what it shows has one.
pub(super) struct Letter {
    pub chat: ChatId,
    pub thread: Option<ThreadId>,
    /// The message that it answers.
    pub answers: Option<MessageId>,
    pub shown: Shown,
    pub about: Option<About>,
}

/// Something to send.
pub(super) enum Order {
    Send(Box<Letter>, oneshot::Sender<Sent>),
    Edit(Place, Box<Change>, Need),
}

/// Who needs an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A person who pressed a button.
    Asked,
    /// Whoever looks, at any time.
    Lasting,
    /// Whoever looks within so long.
    Passing(Duration),
}

/// Another content of a message.
pub(super) struct Change {
    pub thread: Option<ThreadId>,
    pub answers: Option<MessageId>,
    /// Whether the message is one with a picture; it stays what it is.
    pub has_photo: bool,
    pub shown: Shown,
    pub about: About,
}

/// What waits in the limiter.
enum Job {
    Message(Box<Letter>, oneshot::Sender<Sent>, Instant),
    Change(Box<Change>),
}

impl Shown {
    pub(super) fn of(screen: &Screen) -> Self {
        Shown {
            text: screen.text(Limit::Message),
            caption: screen.text(Limit::Caption),
            keyboard: screen.keyboard().cloned(),
            poster: None,
        }
    }

    pub(super) fn with_poster(self, poster: Option<Poster>) -> Self {
        Shown { poster, ..self }
    }

    /// By which it is known whether a message, with a picture or without, shows this
    /// already.
    pub(super) fn digest(&self, has_photo: bool) -> String {
        let poster = self.poster.as_ref().filter(|_| has_photo).map(|poster| &poster.tag);
        let text = if has_photo { &self.caption } else { &self.text };
        let seen = format!("{}\0{:?}\0{poster:?}", text.html(), self.keyboard);
        hex::encode(Sha256::digest(seen.as_bytes()))
    }
}

impl Outbox {
    pub(super) fn new(orders: mpsc::UnboundedSender<Order>) -> Self {
        Outbox { orders }
    }

    /// Queues a message. What comes back tells when it has gone, or is dropped where
    /// it never will.
    pub(super) fn send(&self, letter: Letter) -> oneshot::Receiver<Sent> {
        let (sent, gone) = oneshot::channel();
        // Nobody takes orders any more where everything ends.
        let _ = self.orders.send(Order::Send(Box::new(letter), sent));
        gone
    }

    /// Queues another content of a message.
    pub(super) fn edit(&self, place: Place, change: Change, need: Need) {
        let _ = self.orders.send(Order::Edit(place, Box::new(change), need));
    }
}

/// What the delivery knows from one message to the next.
struct Delivery<'a> {
    shared: &'a Shared,
    limiter: Limiter<Job>,
    began: Instant,
    /// The chat for which Telegram asked for a wait last, and until when.
    asked: Option<(ChatId, u64)>,
    pause_s: u64,
}

/// Sends what is ordered, until `stop`.
pub(super) async fn deliver(
    shared: &Shared,
    mut orders: mpsc::UnboundedReceiver<Order>,
    stop: &CancellationToken,
) {
    let mut delivery = Delivery {
        shared,
        limiter: Limiter::new(),
        began: Instant::now(),
        asked: None,
        pause_s: FIRST_PAUSE_S,
    };
    delivery.limiter.rest(AFTER_START_MS, 0);
    loop {
        while let Ok(order) = orders.try_recv() {
            delivery.take(order);
        }
        let wait = match delivery.limiter.step(delivery.now_ms()) {
            Step::Send(ticket, job) => {
                let carried = AssertUnwindSafe(delivery.carry(ticket, job)).catch_unwind();
                tokio::select! {
                    () = stop.cancelled() => return,
                    outcome = carried => {
                        if outcome.is_err() {
                            // The text and the place of a panic are in the log already.
                            error!("a message panicked and is dropped");
                        }
                        continue;
                    }
                }
            }
            Step::Wait(ms) => Some(Duration::from_millis(ms)),
            Step::Idle => None,
        };
        tokio::select! {
            () = stop.cancelled() => return,
            order = orders.recv() => match order {
                Some(order) => delivery.take(order),
                None => return,
            },
            () = sleep(wait.unwrap_or_default()), if wait.is_some() => {}
        }
    }
}

impl Delivery<'_> {
    /// A clock that only goes forward.
    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Send(letter, sent) => {
                self.limiter.send(letter.chat, Job::Message(letter, sent, Instant::now()));
            }
            Order::Edit(place, change, need) => {
                let stale_at_ms = match need {
                    Need::Asked | Need::Lasting => None,
                    Need::Passing(worth) => {
                        let worth = u64::try_from(worth.as_millis()).unwrap_or(u64::MAX);
                        Some(self.now_ms().saturating_add(worth))
                    }
                };
                let edit = Edit {
                    message: place.message,
                    content: Job::Change(change),
                    stale_at_ms,
                    asked: need == Need::Asked,
                };
                self.limiter.edit(place.chat, edit);
            }
        }
    }

    async fn carry(&mut self, ticket: Ticket, job: Job) {
        let outcome = match &job {
            Job::Message(letter, ..) => self.post(ticket.chat, letter).await.map(Some),
            Job::Change(change) => self.change(&ticket, change).await.map(|()| None),
        };
        let now = self.now_ms();
        self.limiter.answered(&ticket, now);
        let noted = match (outcome, job) {
            (Ok(Some(sent)), Job::Message(letter, told, _)) => {
                self.pause_s = FIRST_PAUSE_S;
                let noted = self.note(sent, &letter).await;
                let _ = told.send(sent.0);
                noted
            }
            (Ok(_) | Err(BotError::NotModified), Job::Change(change)) => {
                self.pause_s = FIRST_PAUSE_S;
                self.note_change(&ticket, &change).await
            }
            (Ok(_), Job::Message(..)) => Ok(()),
            (Err(error), job) => self.failed(ticket, job, error).await,
        };
        if let Err(error) = noted {
            warn!(%error, "what was sent could not be noted");
        }
    }

    /// Sends a letter; whether it has become a message with a picture.
    async fn post(&self, chat: ChatId, letter: &Letter) -> Result<(Sent, bool), BotError> {
        let Shown { text, caption, keyboard, poster } = &letter.shown;
        let outgoing = Outgoing {
            chat,
            thread: letter.thread,
            reply_to: letter.answers,
            text,
            keyboard: keyboard.as_ref(),
            silent: false,
        };
        let api = &self.shared.api;
        if let Some(Poster { photo, .. }) = poster {
            match api.send_photo(&Outgoing { text: caption, ..outgoing }, photo).await {
                Err(BotError::BadRequest(reason)) => tell_refused(chat, &reason),
                other => return other.map(|sent| (sent, true)),
            }
        }
        Ok((api.send(&outgoing).await?, false))
    }

    /// A message with a picture has no text that could be edited, and never becomes one
    /// without.
    async fn change(&self, ticket: &Ticket, change: &Change) -> Result<(), BotError> {
        let Some(message) = ticket.edited else { return Ok(()) };
        let place = Place { chat: ticket.chat, message };
        let Shown { text, caption, keyboard, poster } = &change.shown;
        let (api, keyboard) = (&self.shared.api, keyboard.as_ref());
        if !change.has_photo {
            return api.edit_text(place, text, keyboard).await;
        }
        if let Some(Poster { photo, .. }) = poster {
            match api.edit_photo(place, photo, caption, keyboard).await {
                Err(BotError::BadRequest(reason)) => tell_refused(ticket.chat, &reason),
                other => return other,
            }
        }
        api.edit_caption(place, caption, keyboard).await
    }

    async fn note(&self, (sent, has_photo): (Sent, bool), letter: &Letter) -> Result<(), AppError> {
        let Some(about) = letter.about else { return Ok(()) };
        let Letter { thread, answers, shown, .. } = letter;
        let row = row_of(sent, (*thread, *answers), shown, about, has_photo);
        self.shared.app.chats.remember(row).await
    }

    async fn note_change(&self, ticket: &Ticket, change: &Change) -> Result<(), AppError> {
        let Some(message) = ticket.edited else { return Ok(()) };
        let place = Place { chat: ticket.chat, message };
        let Change { thread, answers, has_photo, shown, about } = change;
        let row = row_of(place, (*thread, *answers), shown, *about, *has_photo);
        self.shared.app.chats.remember(row).await
    }

    async fn failed(&mut self, ticket: Ticket, job: Job, error: BotError) -> Result<(), AppError> {
        let (chat, chats) = (ticket.chat, &self.shared.app.chats);
        match error {
            BotError::TooManyRequests { retry_after_s } => {
                let scope = self.scope_of(chat, retry_after_s);
                warn!(chat = chat.0, retry_after_s, "Telegram asks for a wait");
                let now = self.now_ms();
                self.limiter.refused(ticket, job, scope, retry_after_s, now);
            }
            BotError::ChatMigrated(to) => {
                self.limiter.migrated(chat, to);
                if let Job::Message(letter, told, at) = job {
                    self.limiter.send(to, Job::Message(letter, told, at));
                }
                return chats.became(chat.0, to.0).await;
            }
            BotError::Blocked(reason) => {
                warn!(chat = chat.0, reason, "the chat is closed to the bot");
                self.limiter.closed(chat);
                return chats.close(chat.0).await;
            }
            BotError::MessageGone(_) => {
                let Some(message) = ticket.edited else { return Ok(()) };
                debug!(chat = chat.0, message_id = message.0, "the message is not there any more");
                self.limiter.gone(chat, message);
                return chats.forget(chat.0, message.0).await;
            }
            BotError::Network(_) | BotError::Server(_) if is_worth_it(&job) => {
                let pause_s = self.pause_s;
                self.pause_s = (pause_s * 2).min(LONGEST_PAUSE_S);
                warn!(chat = chat.0, %error, retry_after_s = pause_s, "a message did not go");
                let now = self.now_ms();
                self.limiter.refused(ticket, job, Scope::All, pause_s, now);
            }
            error => warn!(chat = chat.0, %error, "a message cannot be sent and is dropped"),
        }
        Ok(())
    }

    /// A wait counts for its chat, and for all where a second chat is asked meanwhile.
    fn scope_of(&mut self, chat: ChatId, retry_after_s: u64) -> Scope {
        let now = self.now_ms();
        let others = self.asked.is_some_and(|(other, until)| other != chat && now < until);
        let until = now.saturating_add(retry_after_s.saturating_mul(1000));
        self.asked = Some((chat, until));
        if others { Scope::All } else { Scope::Chat }
    }
}

/// It may be something else that is wrong; then it is wrong with the text as well.
fn tell_refused(chat: ChatId, reason: &str) {
    warn!(chat = chat.0, reason, "a picture is refused; it is told without");
}

fn row_of(
    place: Place,
    (thread, answers): (Option<ThreadId>, Option<MessageId>),
    shown: &Shown,
    about: About,
    has_photo: bool,
) -> TelegramMessage {
    TelegramMessage {
        chat_id: place.chat.0,
        message_id: place.message.0,
        thread_id: thread.map(|thread| thread.0),
        answers: answers.map(|message| message.0),
        download_id: about.download,
        role: about.role,
        has_photo,
        shown_digest: Some(shown.digest(has_photo)),
        shown_revision: Some(about.revision),
    }
}

/// Edits are found again by their rows.
fn is_worth_it(job: &Job) -> bool {
    match job {
        Job::Message(_, _, since) => since.elapsed() < LONGEST_WAIT,
        Job::Change(_) => false,
    }
}
