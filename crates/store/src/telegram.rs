//! What the bot of Telegram has to know after any end of the process: how far it has
//! read, what it has shown where, and whom it has refused.
//!
//! Nothing here tells the journal: what people do through the bot is told where it is
//! done. The numbers are those of Telegram, and nothing here decides who may do what.

use rusqlite::{OptionalExtension, params};
use tracker_domain::{DownloadId, Timestamp};

use crate::row::{Columns, collect, maybe_time, parse, signed, text};
use crate::{ReadTx, StoreError, WriteTx};

/// The name of the state that holds the number of the next update.
const OFFSET: &str = "offset";

/// The name of the state that holds the addresses at which updates may be brought to us.
const WEBHOOKS: &str = "webhooks";

/// Handled updates are known for so long. Telegram begins with another number where
/// nothing came for a week.
const KNOWN_SECONDS: i64 = 7 * 24 * 60 * 60;

/// So many are known at most.
const KNOWN_UPDATES: u32 = 1000;

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TelegramRole {
    /// It shows the download as it is; there is one in a chat.
    Status,
    /// It told of something once, and its buttons act on the download.
    Notice,
}

/// A chat that the bot has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramChat {
    /// Its number.
    pub chat_id: i64,
    /// What it is, in the word of Telegram.
    pub kind: String,
    /// The name of a group.
    pub title: Option<String>,
    /// Since when the bot may not write there.
    pub closed_at: Option<Timestamp>,
    /// The chat that it became.
    pub became: Option<i64>,
}

/// A message of the bot about a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramMessage {
    /// Where it is.
    pub chat_id: i64,
    /// Its number there.
    pub message_id: i64,
    /// In which topic it is.
    pub thread_id: Option<i64>,
    /// The message of a person that it answers.
    pub answers: Option<i64>,
    /// What it is about.
    pub download_id: DownloadId,
    /// What it is for.
    pub role: TelegramRole,
    /// Whether it is a picture with a caption.
    pub has_photo: bool,
    /// A digest of what it shows.
    pub shown_digest: Option<String>,
    /// The revision of the download that it shows.
    pub shown_revision: Option<u64>,
}

/// Somebody who wrote to the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramPerson {
    /// The number.
    pub user_id: i64,
    /// How the person is called there.
    pub name: String,
    /// The language that the person has chosen.
    pub language: Option<String>,
    /// When the person was told that the bot is not for them.
    pub refused_at: Option<Timestamp>,
}

const DONE: &str = "
    INSERT INTO telegram_update (update_id, handled_at) VALUES (?1, ?2)
    ON CONFLICT (update_id) DO UPDATE SET handled_at = excluded.handled_at";

const FORGET_OLD: &str = "
    DELETE FROM telegram_update WHERE handled_at < ?1 OR update_id NOT IN (
        SELECT update_id FROM telegram_update
        ORDER BY handled_at DESC, CAST(update_id AS INTEGER) DESC LIMIT ?2)";

const SET_STATE: &str = "
    INSERT INTO telegram_state (name, value, updated_at) VALUES (?1, ?2, ?3)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at";

/// Who writes in a chat finds it open.
const MEET_CHAT: &str = "
    INSERT INTO telegram_chat (chat_id, kind, title, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?4)
    ON CONFLICT (chat_id) DO UPDATE
        SET kind = excluded.kind, title = excluded.title, closed_at = NULL,
            updated_at = excluded.updated_at
        WHERE kind <> excluded.kind OR title IS NOT excluded.title OR closed_at IS NOT NULL";

const CLOSE_CHAT: &str = "
    UPDATE telegram_chat SET closed_at = ?2, updated_at = ?2
    WHERE chat_id = ?1 AND closed_at IS NULL";

/// A chat that became this one before is now what this one becomes.
const BECAME: &str = "
    UPDATE telegram_chat SET became = ?2, updated_at = ?3
    WHERE chat_id <> ?2 AND (chat_id = ?1 OR became = ?1)";

const REMEMBER: &str = "
    INSERT INTO telegram_message (chat_id, message_id, download_id, thread_id, answers, role,
        has_photo, shown_digest, shown_revision, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)
    ON CONFLICT (chat_id, message_id) DO UPDATE
        SET download_id = excluded.download_id, role = excluded.role,
            has_photo = excluded.has_photo, shown_digest = excluded.shown_digest,
            shown_revision = excluded.shown_revision, updated_at = excluded.updated_at";

/// A newer message takes the place of the one that showed the download there.
const RETIRE: &str = "
    UPDATE telegram_message SET role = 'notice', updated_at = ?4
    WHERE download_id = ?1 AND chat_id = ?2 AND message_id <> ?3 AND role = 'status'";

/// What a message shows of a revision that is past, the longest ago first.
const OUTDATED: &str = "
    SELECT m.download_id FROM telegram_message m
    JOIN download d ON d.id = m.download_id
    LEFT JOIN telegram_chat c ON c.chat_id = m.chat_id
    WHERE m.role = 'status' AND m.shown_revision IS NOT d.revision AND c.closed_at IS NULL
    GROUP BY m.download_id ORDER BY min(m.updated_at), m.download_id LIMIT ?1";

const MEET_PERSON: &str = "
    INSERT INTO telegram_person (user_id, name, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)
    ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at
        WHERE name <> excluded.name";

impl TelegramRole {
    /// As the database keeps it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TelegramRole::Status => "status",
            TelegramRole::Notice => "notice",
        }
    }
}

impl ReadTx<'_> {
    /// The number of the next update, once one was handled.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_offset(&self) -> Result<Option<i64>, StoreError> {
        let found = self.telegram_state(OFFSET)?;
        found.map(|value| parse("telegram_state", "value", &value)).transpose()
    }

    /// The addresses that were given to Telegram, of which it may bring updates to one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_webhooks(&self) -> Result<Vec<String>, StoreError> {
        let found = self.telegram_state(WEBHOOKS)?.unwrap_or_default();
        Ok(found.lines().map(str::to_owned).collect())
    }

    fn telegram_state(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM telegram_state WHERE name = ?1";
        Ok(self.conn().prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Whether an update was handled.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn is_telegram_update_done(&self, update: i64) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM telegram_update WHERE update_id = ?1";
        Ok(self.conn().prepare_cached(sql)?.exists([update.to_string()])?)
    }

    /// A chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_chat(&self, chat: i64) -> Result<Option<TelegramChat>, StoreError> {
        let sql = "SELECT * FROM telegram_chat WHERE chat_id = ?1";
        let mut statement = self.conn().prepare_cached(sql)?;
        Ok(collect("telegram_chat", statement.query([chat.to_string()])?, read_chat)?.pop())
    }

    /// The chats that became this one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn former_telegram_chats(&self, chat: i64) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT chat_id FROM telegram_chat WHERE became = ?1 ORDER BY chat_id";
        let mut statement = self.conn().prepare_cached(sql)?;
        collect("telegram_chat", statement.query([chat.to_string()])?, |row| row.parsed("chat_id"))
    }

    /// A message about a download, by its place.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_message(
        &self,
        chat: i64,
        message: i64,
    ) -> Result<Option<TelegramMessage>, StoreError> {
        let sql = "SELECT * FROM telegram_message WHERE chat_id = ?1 AND message_id = ?2";
        let mut statement = self.conn().prepare_cached(sql)?;
        let rows = statement.query([chat.to_string(), message.to_string()])?;
        Ok(collect("telegram_message", rows, read_message)?.pop())
    }

    /// The messages that show a download, one a chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_statuses(
        &self,
        download: DownloadId,
    ) -> Result<Vec<TelegramMessage>, StoreError> {
        let sql = "SELECT * FROM telegram_message WHERE download_id = ?1 AND role = 'status'
                   ORDER BY chat_id";
        let mut statement = self.conn().prepare_cached(sql)?;
        collect("telegram_message", statement.query([text(download)])?, read_message)
    }

    /// The downloads of which a message in an open chat shows a past revision, the
    /// message that waits the longest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn outdated_telegram_statuses(&self, limit: u32) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self.conn().prepare_cached(OUTDATED)?;
        collect("telegram_message", statement.query([limit])?, |row| row.parsed("download_id"))
    }

    /// Somebody who wrote to the bot.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_person(&self, user: i64) -> Result<Option<TelegramPerson>, StoreError> {
        let sql = "SELECT * FROM telegram_person WHERE user_id = ?1";
        let mut statement = self.conn().prepare_cached(sql)?;
        Ok(collect("telegram_person", statement.query([user.to_string()])?, read_person)?.pop())
    }
}

impl WriteTx<'_> {
    /// Notes that an update was handled, and that what comes next is behind it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_update_done(&mut self, update: i64) -> Result<(), StoreError> {
        let now = self.now();
        let cutoff = now.plus_seconds(-KNOWN_SECONDS).to_string();
        let (now, next) = (now.to_string(), update.saturating_add(1).to_string());
        self.conn().prepare_cached(DONE)?.execute([&update.to_string(), &now])?;
        self.conn().prepare_cached(SET_STATE)?.execute([OFFSET, &next, &now])?;
        self.conn().prepare_cached(FORGET_OLD)?.execute(params![cutoff, KNOWN_UPDATES])?;
        Ok(())
    }

    /// Keeps the addresses that were given to Telegram; no address has a line break.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn remember_telegram_webhooks(&mut self, urls: &[String]) -> Result<(), StoreError> {
        let (value, now) = (urls.join("\n"), self.now().to_string());
        self.conn().prepare_cached(SET_STATE)?.execute([WEBHOOKS, &value, &now])?;
        Ok(())
    }

    /// Forgets the addresses, and how far was read: what waits at Telegram then is what
    /// was not taken, whatever its number.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn forget_telegram_webhooks(&mut self) -> Result<(), StoreError> {
        let sql = "DELETE FROM telegram_state WHERE name IN (?1, ?2)";
        self.conn().prepare_cached(sql)?.execute([WEBHOOKS, OFFSET])?;
        Ok(())
    }

    /// Takes note of a chat in which somebody wrote: so it is open.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn meet_telegram_chat(
        &mut self,
        chat: i64,
        kind: &str,
        title: Option<&str>,
    ) -> Result<(), StoreError> {
        let values = params![chat.to_string(), kind, title, self.now().to_string()];
        self.conn().prepare_cached(MEET_CHAT)?.execute(values)?;
        Ok(())
    }

    /// Notes that the bot may not write in a chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn close_telegram_chat(&mut self, chat: i64) -> Result<(), StoreError> {
        let now = self.now().to_string();
        self.conn().prepare_cached(CLOSE_CHAT)?.execute([chat.to_string(), now])?;
        Ok(())
    }

    /// Notes that a group became another chat. Its messages stay where they are, and
    /// cannot be edited from there: whoever shows a download anew does so in the other.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn telegram_chat_became(&mut self, from: i64, to: i64) -> Result<(), StoreError> {
        let now = self.now().to_string();
        self.conn()
            .prepare_cached(
                "INSERT INTO telegram_chat (chat_id, kind, created_at, updated_at)
                 VALUES (?1, 'group', ?2, ?2) ON CONFLICT (chat_id) DO NOTHING",
            )?
            .execute([&from.to_string(), &now])?;
        self.conn().prepare_cached(BECAME)?.execute([from.to_string(), to.to_string(), now])?;
        Ok(())
    }

    /// Takes note of a message and of what it shows. A new one that shows a download
    /// takes the place of the one before it in the chat.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn remember_telegram_message(&mut self, shown: &TelegramMessage) -> Result<(), StoreError> {
        let (now, chat, message) =
            (self.now().to_string(), shown.chat_id.to_string(), shown.message_id.to_string());
        let download = text(shown.download_id);
        if shown.role == TelegramRole::Status {
            let values = [&download, &chat, &message, &now];
            self.conn().prepare_cached(RETIRE)?.execute(values)?;
        }
        let values = params![
            chat,
            message,
            download,
            shown.thread_id.map(|thread| thread.to_string()),
            shown.answers.map(|message| message.to_string()),
            shown.role.as_str(),
            shown.has_photo,
            shown.shown_digest,
            shown.shown_revision.map(signed),
            now,
        ];
        self.conn().prepare_cached(REMEMBER)?.execute(values)?;
        Ok(())
    }

    /// Forgets a message that is not there any more.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn forget_telegram_message(&mut self, chat: i64, message: i64) -> Result<(), StoreError> {
        let sql = "DELETE FROM telegram_message WHERE chat_id = ?1 AND message_id = ?2";
        self.conn().prepare_cached(sql)?.execute([chat.to_string(), message.to_string()])?;
        Ok(())
    }

    /// Keeps the language that a person has chosen.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_telegram_language(
        &mut self,
        user: i64,
        name: &str,
        language: &str,
    ) -> Result<(), StoreError> {
        let (now, user) = (self.now().to_string(), user.to_string());
        self.conn().prepare_cached(MEET_PERSON)?.execute([&user, name, &now])?;
        self.conn()
            .prepare_cached(
                "UPDATE telegram_person SET language = ?2, updated_at = ?3 WHERE user_id = ?1",
            )?
            .execute([&user, language, &now])?;
        Ok(())
    }

    /// Notes that somebody is refused. Tells whether that is the first time.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn refuse_telegram_person(&mut self, user: i64, name: &str) -> Result<bool, StoreError> {
        let (now, user) = (self.now(), user.to_string());
        let (refused, now) = (maybe_time(Some(now)), now.to_string());
        self.conn().prepare_cached(MEET_PERSON)?.execute([&user, name, &now])?;
        let changed = self
            .conn()
            .prepare_cached(
                "UPDATE telegram_person SET refused_at = ?2, updated_at = ?2
                 WHERE user_id = ?1 AND refused_at IS NULL",
            )?
            .execute(params![user, refused])?;
        Ok(changed > 0)
    }
}

fn read_chat(row: &Columns<'_, '_>) -> Result<TelegramChat, StoreError> {
    Ok(TelegramChat {
        chat_id: row.parsed("chat_id")?,
        kind: row.plain("kind")?,
        title: row.plain("title")?,
        closed_at: row.maybe("closed_at")?,
        became: row.maybe("became")?,
    })
}

fn read_message(row: &Columns<'_, '_>) -> Result<TelegramMessage, StoreError> {
    Ok(TelegramMessage {
        chat_id: row.parsed("chat_id")?,
        message_id: row.parsed("message_id")?,
        thread_id: row.maybe("thread_id")?,
        answers: row.maybe("answers")?,
        download_id: row.parsed("download_id")?,
        role: read_role(&row.plain::<String>("role")?)?,
        has_photo: row.plain("has_photo")?,
        shown_digest: row.plain("shown_digest")?,
        shown_revision: row.maybe_unsigned("shown_revision")?,
    })
}

fn read_role(word: &str) -> Result<TelegramRole, StoreError> {
    let all = [TelegramRole::Status, TelegramRole::Notice];
    all.into_iter().find(|role| role.as_str() == word).ok_or_else(|| StoreError::Corrupt {
        table: "telegram_message",
        column: "role",
        found: word.to_owned(),
        detail: "no role of a message".to_owned(),
    })
}

fn read_person(row: &Columns<'_, '_>) -> Result<TelegramPerson, StoreError> {
    Ok(TelegramPerson {
        user_id: row.parsed("user_id")?,
        name: row.plain("name")?,
        language: row.plain("language")?,
        refused_at: row.maybe("refused_at")?,
    })
}
