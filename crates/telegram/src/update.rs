//! What came in, each update read by itself: one of unknown kind or odd shape is
//! known by its number alone and stops nothing.
//!
//! Nothing here decides who may say something.

use serde::Deserialize;
use serde_json::Value;

use crate::chat::{ChatId, MessageId, ThreadId, UpdateId, UserId};

/// One update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Its number, by which it is handled once.
    pub id: UpdateId,
    /// What it says.
    pub kind: UpdateKind,
}

/// What an update says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// Somebody wrote something.
    Message(Box<Message>),
    /// Somebody pressed a button.
    Press(Box<Press>),
    /// A kind that means nothing here, such as an edited message.
    Ignored,
    /// A kind that is not known, or one that is not of its shape.
    Unknown,
}

/// A message that somebody wrote or passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its number in the chat.
    pub id: MessageId,
    /// Where.
    pub chat: Chat,
    /// In which topic of the chat.
    pub thread: Option<ThreadId>,
    /// By whom; nobody where a channel or a group speaks.
    pub from: Option<User>,
    /// Its text or caption; empty where it has none.
    pub text: String,
    /// What Telegram has marked in the text.
    pub entities: Vec<Entity>,
    /// A file.
    pub document: Option<Document>,
    /// Whether it was written elsewhere.
    pub is_forwarded: bool,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// The chat that this one became.
    pub migrated_to: Option<ChatId>,
}

/// Where a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Its number.
    pub id: ChatId,
    /// What it is.
    pub kind: ChatKind,
    /// The name of a group.
    pub title: Option<String>,
}

/// What a chat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatKind {
    /// With one person.
    Private,
    /// A small group.
    Group,
    /// A large group, or one with topics.
    Supergroup,
    /// A channel.
    Channel,
    /// Something newer.
    Other,
}

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct User {
    /// The number.
    pub id: UserId,
    /// Whether it is a bot.
    #[serde(default)]
    pub is_bot: bool,
    /// How it calls itself.
    #[serde(default)]
    pub first_name: String,
    /// The rest of the name.
    #[serde(default)]
    pub last_name: Option<String>,
    /// The name after the `@`.
    #[serde(default)]
    pub username: Option<String>,
    /// The language of its program.
    #[serde(default)]
    pub language_code: Option<String>,
}

/// A stretch of the text that Telegram has marked. It counts UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Where it begins.
    pub offset: usize,
    /// How long it is.
    pub length: usize,
    /// What it is.
    pub kind: EntityKind,
}

/// What a marked stretch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// A text behind which there is this address.
    TextLink(String),
    /// A command, such as `/list`.
    Command,
    /// Anything else.
    Other,
}

/// A file of a message.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Document {
    /// By which it can be asked for.
    pub file_id: String,
    /// Its name.
    #[serde(default)]
    pub file_name: Option<String>,
    /// Its kind, as the sender says.
    #[serde(default)]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(default)]
    pub file_size: Option<u64>,
}

/// A button that somebody pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// By which it is answered.
    pub id: String,
    /// By whom.
    pub from: User,
    /// Where the button is, where that is still known.
    pub chat: Option<Chat>,
    /// The message with the button.
    pub message: Option<MessageId>,
    /// In which topic of the chat.
    pub thread: Option<ThreadId>,
    /// Whether the message is known to have a picture.
    pub has_photo: bool,
    /// What the button carries.
    pub data: Option<String>,
}

/// Reads one update; `None` where it has not even a number.
#[must_use]
pub fn decode(raw: &Value) -> Option<Update> {
    let id = UpdateId(raw.get("update_id")?.as_i64()?);
    let read = |name: &str| raw.get(name).cloned();
    let kind = if let Some(value) = read("message") {
        serde_json::from_value(value).ok().map(|raw: RawMessage| UpdateKind::Message(raw.into()))
    } else if let Some(value) = read("callback_query") {
        serde_json::from_value(value).ok().map(|raw: RawPress| UpdateKind::Press(raw.into()))
    } else if IGNORED.iter().any(|name| raw.get(name).is_some()) {
        Some(UpdateKind::Ignored)
    } else {
        None
    };
    Some(Update { id, kind: kind.unwrap_or(UpdateKind::Unknown) })
}

/// What to ask from next, once all of these are handled.
#[must_use]
pub fn next_offset(updates: &[Update]) -> Option<UpdateId> {
    updates.iter().map(|update| update.id.0).max().map(|last| UpdateId(last.saturating_add(1)))
}

/// What a bot is told of and has no use for: who edits a message means another one.
const IGNORED: [&str; 6] = [
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
];

#[derive(Deserialize)]
struct RawMessage {
    message_id: MessageId,
    chat: RawChat,
    #[serde(default)]
    message_thread_id: Option<ThreadId>,
    #[serde(default)]
    is_topic_message: bool,
    #[serde(default)]
    from: Option<User>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    caption: Option<String>,
    // What is decoration or may be of a newer kind is read leniently, one by one.
    #[serde(default)]
    entities: Value,
    #[serde(default)]
    caption_entities: Value,
    #[serde(default)]
    document: Value,
    #[serde(default)]
    forward_origin: Value,
    #[serde(default)]
    forward_date: Value,
    #[serde(default)]
    reply_to_message: Value,
    #[serde(default)]
    migrate_to_chat_id: Option<ChatId>,
}

#[derive(Deserialize)]
struct RawChat {
    id: ChatId,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    title: Option<String>,
}

#[derive(Deserialize)]
struct RawEntity {
    #[serde(rename = "type")]
    kind: String,
    offset: usize,
    length: usize,
    #[serde(default)]
    url: Option<String>,
}

#[derive(Deserialize)]
struct RawPress {
    id: String,
    from: User,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    data: Option<String>,
}

impl From<RawChat> for Chat {
    fn from(raw: RawChat) -> Self {
        let kind = match raw.kind.as_str() {
            "private" => ChatKind::Private,
            "group" => ChatKind::Group,
            "supergroup" => ChatKind::Supergroup,
            "channel" => ChatKind::Channel,
            _ => ChatKind::Other,
        };
        Chat { id: raw.id, kind, title: raw.title }
    }
}

impl From<RawMessage> for Box<Message> {
    fn from(raw: RawMessage) -> Self {
        let (text, entities) = match raw.text {
            Some(text) => (text, raw.entities),
            None => (raw.caption.unwrap_or_default(), raw.caption_entities),
        };
        let entities = match entities {
            Value::Array(list) => list.into_iter().filter_map(entity).collect(),
            _ => Vec::new(),
        };
        Box::new(Message {
            id: raw.message_id,
            chat: raw.chat.into(),
            // A reply in a group without topics has such a number as well.
            thread: raw.message_thread_id.filter(|_| raw.is_topic_message),
            from: raw.from,
            text,
            entities,
            document: serde_json::from_value(raw.document).ok(),
            is_forwarded: !raw.forward_origin.is_null() || !raw.forward_date.is_null(),
            reply_to: raw.reply_to_message.get("message_id").and_then(Value::as_i64).map(MessageId),
            migrated_to: raw.migrate_to_chat_id,
        })
    }
}

fn entity(raw: Value) -> Option<Entity> {
    let raw: RawEntity = serde_json::from_value(raw).ok()?;
    let kind = match (raw.kind.as_str(), raw.url) {
        ("text_link", Some(url)) => EntityKind::TextLink(url),
        ("bot_command", _) => EntityKind::Command,
        _ => EntityKind::Other,
    };
    Some(Entity { offset: raw.offset, length: raw.length, kind })
}

impl From<RawPress> for Box<Press> {
    fn from(raw: RawPress) -> Self {
        // A message that is too old to be shown still has a chat and a number.
        let message = raw.message;
        let chat = message.get("chat").cloned();
        let is_topic = message.get("is_topic_message").and_then(Value::as_bool).unwrap_or(false);
        let thread = message.get("message_thread_id").and_then(Value::as_i64);
        Box::new(Press {
            id: raw.id,
            from: raw.from,
            chat: chat.and_then(|chat| serde_json::from_value(chat).ok()).map(RawChat::into),
            message: message.get("message_id").and_then(Value::as_i64).map(MessageId),
            thread: thread.filter(|_| is_topic).map(ThreadId),
            has_photo: message.get("photo").is_some_and(Value::is_array),
            data: raw.data,
        })
    }
}

#[cfg(test)]
mod tests;
