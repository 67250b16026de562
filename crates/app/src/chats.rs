//! What a bot has to know after any end of the process, and how it does.
//!
//! It decides nothing of downloads: those are asked for at the other services.

use std::sync::{Arc, PoisonError, RwLock};

use tracker_domain::access::Language;
use tracker_domain::health::{Check, Level};
use tracker_domain::{Actor, DownloadId, Timestamp};
use tracker_store::{Db, TelegramChat, TelegramMessage, WriteTx};

use crate::error::AppError;

/// What a transport has found of itself; [`crate::Ops::health`] tells it.
pub(crate) type Reported = Arc<RwLock<Vec<Check>>>;

/// The service for chats.
#[derive(Clone)]
pub struct Chats {
    db: Db,
    reported: Reported,
}

impl Chats {
    pub(crate) fn new(db: Db, reported: Reported) -> Self {
        Chats { db, reported }
    }

    /// The number of the next update; `None` before the first one.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn offset(&self) -> Result<Option<i64>, AppError> {
        Ok(self.db.read(|tx| tx.telegram_offset()).await?)
    }

    /// Whether an update was handled.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn is_done(&self, update: i64) -> Result<bool, AppError> {
        Ok(self.db.read(move |tx| tx.is_telegram_update_done(update)).await?)
    }

    /// Notes that an update was handled, whatever came of it.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn done(&self, update: i64) -> Result<(), AppError> {
        Ok(self.db.write(&Actor::System, move |tx| tx.telegram_update_done(update)).await?)
    }

    /// The addresses that were given to Telegram, of which it may bring updates to one.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn webhooks(&self) -> Result<Vec<String>, AppError> {
        Ok(self.db.read(|tx| tx.telegram_webhooks()).await?)
    }

    /// Keeps these addresses in the place of those before.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn remember_webhooks(&self, urls: Vec<String>) -> Result<(), AppError> {
        let write = move |tx: &mut WriteTx<'_>| tx.remember_telegram_webhooks(&urls);
        Ok(self.db.write(&Actor::System, write).await?)
    }

    /// Forgets these addresses, and how far was read: whoever asks next is told of
    /// everything that was not taken.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn forget_webhooks(&self) -> Result<(), AppError> {
        Ok(self.db.write(&Actor::System, |tx| tx.forget_telegram_webhooks()).await?)
    }

    /// Takes note of a chat in which somebody wrote. `kind` is the word of Telegram.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn meet(
        &self,
        chat: i64,
        kind: &'static str,
        title: Option<String>,
    ) -> Result<(), AppError> {
        let known = self.db.read(move |tx| tx.telegram_chat(chat)).await?;
        // Most messages come where nothing changed; those write nothing.
        let same = |known: &TelegramChat| {
            known.kind == kind && known.title == title && known.closed_at.is_none()
        };
        if known.as_ref().is_some_and(same) {
            return Ok(());
        }
        let write = move |tx: &mut WriteTx<'_>| tx.meet_telegram_chat(chat, kind, title.as_deref());
        Ok(self.db.write(&Actor::System, write).await?)
    }

    /// Notes that the bot may not write in a chat, until somebody writes there.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn close(&self, chat: i64) -> Result<(), AppError> {
        Ok(self.db.write(&Actor::System, move |tx| tx.close_telegram_chat(chat)).await?)
    }

    /// Notes that a group became another chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn became(&self, from: i64, to: i64) -> Result<(), AppError> {
        Ok(self.db.write(&Actor::System, move |tx| tx.telegram_chat_became(from, to)).await?)
    }

    /// A chat that was seen.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn chat(&self, chat: i64) -> Result<Option<TelegramChat>, AppError> {
        Ok(self.db.read(move |tx| tx.telegram_chat(chat)).await?)
    }

    /// The chats that became this one.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn former(&self, chat: i64) -> Result<Vec<i64>, AppError> {
        Ok(self.db.read(move |tx| tx.former_telegram_chats(chat)).await?)
    }

    /// The message that shows a download in a chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn message_of(
        &self,
        download: DownloadId,
        chat: i64,
    ) -> Result<Option<TelegramMessage>, AppError> {
        let all = self.messages_of(download).await?;
        Ok(all.into_iter().find(|message| message.chat_id == chat))
    }

    /// The messages that show a download, one a chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn messages_of(
        &self,
        download: DownloadId,
    ) -> Result<Vec<TelegramMessage>, AppError> {
        Ok(self.db.read(move |tx| tx.telegram_statuses(download)).await?)
    }

    /// A message about a download, by its place.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn message(
        &self,
        chat: i64,
        message: i64,
    ) -> Result<Option<TelegramMessage>, AppError> {
        Ok(self.db.read(move |tx| tx.telegram_message(chat, message)).await?)
    }

    /// The downloads of which a message shows a past revision.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn outdated(&self, limit: u32) -> Result<Vec<DownloadId>, AppError> {
        Ok(self.db.read(move |tx| tx.outdated_telegram_statuses(limit)).await?)
    }

    /// Takes note of a message and of what it shows.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn remember(&self, shown: TelegramMessage) -> Result<(), AppError> {
        let write = move |tx: &mut WriteTx<'_>| tx.remember_telegram_message(&shown);
        Ok(self.db.write(&Actor::System, write).await?)
    }

    /// Forgets a message that is not there any more.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn forget(&self, chat: i64, message: i64) -> Result<(), AppError> {
        let write = move |tx: &mut WriteTx<'_>| tx.forget_telegram_message(chat, message);
        Ok(self.db.write(&Actor::System, write).await?)
    }

    /// The language that a person has chosen.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn language(&self, user: i64) -> Result<Option<Language>, AppError> {
        let person = self.db.read(move |tx| tx.telegram_person(user)).await?;
        // A language of another version of the program is none.
        Ok(person.and_then(|person| person.language?.parse().ok()))
    }

    /// Keeps the language that a person has chosen.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn set_language(
        &self,
        user: i64,
        name: String,
        language: Language,
    ) -> Result<(), AppError> {
        let write =
            move |tx: &mut WriteTx<'_>| tx.set_telegram_language(user, &name, language.as_str());
        Ok(self.db.write(&Actor::System, write).await?)
    }

    /// Notes that somebody is refused. Tells whether that is the first time.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn refuse_once(&self, user: i64, name: String) -> Result<bool, AppError> {
        let known = self.db.read(move |tx| tx.telegram_person(user)).await?;
        if known.is_some_and(|person| person.refused_at.is_some()) {
            return Ok(false);
        }
        let write = move |tx: &mut WriteTx<'_>| tx.refuse_telegram_person(user, &name);
        Ok(self.db.write(&Actor::System, write).await?)
    }

    /// What the clock shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.db.clock().now()
    }

    /// Tells how the bot does, in the place of what it told before.
    pub fn report(&self, code: &'static str, level: Level, detail: String, remedy: &str) {
        let check = Check::new(code, "", level, detail, remedy, self.now());
        *self.reported.write().unwrap_or_else(PoisonError::into_inner) = vec![check];
    }
}
