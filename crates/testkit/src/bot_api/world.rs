//! What the server knows: chats, messages, updates, presses and files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::html::Parsed;
use super::rates::Rates;
use crate::StubAnswer;

/// The kinds that come only to who asks for them by name.
const ASKED_FOR: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

/// When everything happens.
pub(super) const DATE: u64 = 1_767_323_045;

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    pub(super) code: u16,
    pub(super) description: String,
    pub(super) parameters: Option<Value>,
}

#[derive(Default)]
pub(super) struct World {
    pub(super) chats: BTreeMap<i64, ChatState>,
    pub(super) updates: VecDeque<Update>,
    pub(super) last_update: i64,
    pub(super) allowed: Option<Vec<String>>,
    pub(super) presses: BTreeMap<String, PressState>,
    pub(super) files: BTreeMap<String, File>,
    pub(super) commands: BTreeMap<String, Vec<(String, String)>>,
    pub(super) webhook: Option<Webhook>,
    /// Which of the pollers is the newest.
    pub(super) poll: u64,
    pub(super) rates: Rates,
    pub(super) calls: Vec<Call>,
    pub(super) script: VecDeque<(String, StubAnswer)>,
}

/// A call that came in.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its method, in lower case.
    pub method: String,
    /// Its fields.
    pub fields: BTreeMap<String, Value>,
}

pub(super) struct Update {
    pub(super) id: i64,
    pub(super) body: Value,
}

pub(super) struct Webhook {
    pub(super) url: String,
    pub(super) secret: Option<String>,
    pub(super) last_error: Option<String>,
}

#[derive(Default)]
pub(super) struct PressState {
    pub(super) answered: Option<Answer>,
    pub(super) too_old: bool,
}

/// How a press was answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What its reader sees; nothing where only the waiting ended.
    pub text: Option<String>,
    /// Whether in a window to be closed.
    pub alert: bool,
}

pub(super) struct File {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) size: u64,
}

#[derive(Default)]
pub(super) struct ChatState {
    pub(super) kind: &'static str,
    pub(super) messages: BTreeMap<i64, MessageState>,
    pub(super) last_message: i64,
    pub(super) topics: BTreeSet<i64>,
    /// Why the bot may not write there.
    pub(super) closed: Option<String>,
    pub(super) became: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MessageState {
    pub(super) from_bot: bool,
    pub(super) content: Parsed,
    pub(super) photo: Option<Vec<u8>>,
    pub(super) keyboard: Option<Value>,
    pub(super) thread: Option<i64>,
    pub(super) reply_to: Option<i64>,
    pub(super) silent: bool,
    pub(super) edits: usize,
}

impl Refusal {
    pub(super) fn new(code: u16, description: impl Into<String>) -> Self {
        Refusal { code, description: description.into(), parameters: None }
    }

    pub(super) fn bad(what: &str) -> Self {
        Self::new(400, format!("Bad Request: {what}"))
    }

    pub(super) fn answer(&self) -> StubAnswer {
        let mut body =
            json!({ "ok": false, "error_code": self.code, "description": self.description });
        if let Some(parameters) = &self.parameters {
            body["parameters"] = parameters.clone();
        }
        StubAnswer::json(self.code, body.to_string())
    }
}

impl World {
    /// A chat that is there from now on.
    pub(super) fn chat(&mut self, id: i64) -> &mut ChatState {
        let kind = match id {
            0.. => "private",
            ..=-1_000_000_000_000 => "supergroup",
            _ => "group",
        };
        self.chats.entry(id).or_insert_with(|| ChatState { kind, ..ChatState::default() })
    }

    /// The chat as it stands in updates and messages.
    pub(super) fn chat_json(&self, id: i64) -> Value {
        let kind = self.chats.get(&id).map_or("private", |chat| chat.kind);
        let forum = self.chats.get(&id).is_some_and(|chat| !chat.topics.is_empty());
        let mut chat = json!({ "id": id, "type": kind });
        match kind {
            "private" => chat["first_name"] = format!("Person {id}").into(),
            _ => chat["title"] = format!("Group {id}").into(),
        }
        if forum {
            chat["is_forum"] = true.into();
        }
        chat
    }

    /// Puts something into the chat; its number there.
    pub(super) fn put(&mut self, chat: i64, message: MessageState) -> i64 {
        let chat = self.chat(chat);
        chat.last_message += 1;
        chat.messages.insert(chat.last_message, message);
        chat.last_message
    }

    /// The message as the bot is shown it.
    pub(super) fn message_json(&self, chat: i64, id: i64) -> Value {
        let mut shown = json!({ "message_id": id, "date": DATE, "chat": self.chat_json(chat) });
        let Some(message) = self.chats.get(&chat).and_then(|chat| chat.messages.get(&id)) else {
            // What is there no more is still known by its number.
            shown["date"] = 0.into();
            return shown;
        };
        let (text, entities) = match message.photo {
            Some(_) => ("caption", "caption_entities"),
            None => ("text", "entities"),
        };
        if message.from_bot {
            shown["from"] = super::methods::me();
        }
        if !message.content.text.is_empty() {
            shown[text] = message.content.text.clone().into();
        }
        if !message.content.entities.is_empty() {
            shown[entities] = message.content.entities.clone().into();
        }
        if let Some(photo) = &message.photo {
            let size = json!({
                "file_id": format!("photo{id}"), "file_unique_id": format!("u{id}"),
                "width": 500, "height": 750, "file_size": photo.len(),
            });
            shown["photo"] = vec![size].into();
        }
        if let Some(keyboard) = &message.keyboard {
            shown["reply_markup"] = keyboard.clone();
        }
        if let Some(thread) = message.thread {
            shown["message_thread_id"] = thread.into();
            shown["is_topic_message"] = true.into();
        }
        shown
    }

    /// Something happened: the bot will be told, if it wants to know of such.
    pub(super) fn tell(&mut self, mut body: Value) {
        let kind = body.as_object().and_then(|fields| fields.keys().next().cloned());
        let kind = kind.unwrap_or_default();
        let wanted = match &self.allowed {
            Some(list) if !list.is_empty() => list.contains(&kind),
            _ => !ASKED_FOR.contains(&kind.as_str()),
        };
        if wanted {
            self.last_update += 1;
            body["update_id"] = self.last_update.into();
            self.updates.push_back(Update { id: self.last_update, body });
        }
    }
}
