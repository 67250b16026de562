//! The hands of a test: people who write and press, and chats as a reader sees them.

use serde_json::{Value, json};

use super::BotApiServer;
use super::html::Parsed;
use super::world::{Answer, DATE, File, MessageState, PressState};

/// A person in a chat, at first in the one with the bot.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    pub(super) bot: &'a BotApiServer,
    pub(super) id: i64,
    pub(super) chat: i64,
    pub(super) thread: Option<i64>,
}

/// A chat.
#[derive(Clone, Copy)]
pub struct Chat<'a> {
    pub(super) bot: &'a BotApiServer,
    pub(super) id: i64,
}

/// A message of the bot as a reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its number in the chat.
    pub id: i64,
    /// Its text, or what stands below its picture.
    pub text: String,
    /// What its buttons say, row by row.
    pub buttons: Vec<Vec<String>>,
    /// Whether it has a picture.
    pub photo: bool,
    /// How often it was edited.
    pub edits: usize,
    /// In which topic it is.
    pub thread: Option<i64>,
    /// The message that it answers.
    pub reply_to: Option<i64>,
    /// Whether it came without a sound.
    pub silent: bool,
}

impl<'a> Person<'a> {
    /// The same person in another chat.
    #[must_use]
    pub fn in_chat(self, chat: i64) -> Self {
        self.bot.world().chat(chat);
        Person { chat, thread: None, ..self }
    }

    /// The same person in a topic of this chat.
    #[must_use]
    pub fn in_topic(self, thread: i64) -> Self {
        self.bot.world().chat(self.chat).topics.insert(thread);
        Person { thread: Some(thread), ..self }
    }

    /// Writes a text; the number of the message. A command at its front is marked.
    pub fn says(self, text: &str) -> i64 {
        let length = text.split_whitespace().next().map_or(0, |word| word.encode_utf16().count());
        let command = json!({ "type": "bot_command", "offset": 0, "length": length });
        let entities = if text.starts_with('/') { vec![command] } else { Vec::new() };
        self.writes(json!({ "text": text, "entities": entities }))
    }

    /// Sends a file with this content.
    pub fn sends_file(self, name: &str, bytes: &[u8]) -> i64 {
        self.sends_file_of(name, bytes, bytes.len() as u64)
    }

    /// Sends a file that is said to have this size.
    pub fn sends_file_of(self, name: &str, bytes: &[u8], size: u64) -> i64 {
        let id = {
            let mut world = self.bot.world();
            let id = format!("file{}", world.files.len() + 1);
            let file = File { name: name.to_owned(), bytes: bytes.to_vec(), size };
            world.files.insert(id.clone(), file);
            id
        };
        self.writes(json!({ "document": {
            "file_id": id, "file_unique_id": format!("u{id}"), "file_name": name,
            "mime_type": "application/x-bittorrent", "file_size": size,
        }}))
    }

    /// Writes a message with these fields, whatever they are; its number.
    ///
    /// # Panics
    /// When `fields` is no object.
    pub fn writes(self, fields: Value) -> i64 {
        let Value::Object(fields) = fields else { panic!("fields are an object") };
        let id = {
            let mut world = self.bot.world();
            let text = fields.get("text").or_else(|| fields.get("caption"));
            let text = text.and_then(Value::as_str).unwrap_or_default().to_owned();
            let content = Parsed { text, entities: Vec::new() };
            let thread = self.thread;
            let id =
                world.put(self.chat, MessageState { content, thread, ..MessageState::default() });
            let mut message = json!({
                "message_id": id, "date": DATE, "chat": world.chat_json(self.chat),
                "from": self.json(),
            });
            if let Some(thread) = self.thread {
                message["message_thread_id"] = thread.into();
                message["is_topic_message"] = true.into();
            }
            if let Some(whole) = message.as_object_mut() {
                whole.extend(fields);
            }
            world.tell(json!({ "message": message }));
            id
        };
        self.bot.changed();
        id
    }

    /// Presses the button that says this; the number of the press.
    ///
    /// # Panics
    /// When there is no such button below the message.
    pub fn presses(self, message: i64, button: &str) -> String {
        let data = {
            let world = self.bot.world();
            let chat = world.chats.get(&self.chat);
            let shown = chat.and_then(|chat| chat.messages.get(&message));
            let keyboard = shown.and_then(|message| message.keyboard.clone()).unwrap_or_default();
            let pressed = buttons(&keyboard).into_iter().flatten().find(|it| it["text"] == button);
            pressed.unwrap_or_else(|| panic!("no button {button:?} below message {message}"))
        };
        self.presses_with(message, data["callback_data"].as_str().unwrap_or_default())
    }

    /// Presses a button that carries this, as one of an earlier day may.
    pub fn presses_with(self, message: i64, data: &str) -> String {
        let id = {
            let mut world = self.bot.world();
            let id = format!("{}", 4_000_000 + world.presses.len());
            world.presses.insert(id.clone(), PressState::default());
            let query = json!({
                "id": id, "from": self.json(), "chat_instance": "1", "data": data,
                "message": world.message_json(self.chat, message),
            });
            world.tell(json!({ "callback_query": query }));
            id
        };
        self.bot.changed();
        id
    }

    /// Blocks the bot.
    pub fn blocks_bot(self) {
        self.bot.world().chat(self.id).closed = Some("bot was blocked by the user".to_owned());
    }

    /// Lets the bot write again.
    pub fn unblocks_bot(self) {
        self.bot.world().chat(self.id).closed = None;
    }

    fn json(self) -> Value {
        json!({
            "id": self.id, "is_bot": false, "first_name": format!("Person {}", self.id),
            "language_code": "en",
        })
    }
}

impl Chat<'_> {
    /// The messages of the bot, in their order.
    #[must_use]
    pub fn messages(self) -> Vec<Seen> {
        let world = self.bot.world();
        let messages = world.chats.get(&self.id).map(|chat| &chat.messages);
        let own = messages.into_iter().flatten().filter(|(_, message)| message.from_bot);
        own.map(|(id, message)| seen(*id, message)).collect()
    }

    /// The last message of the bot.
    #[must_use]
    pub fn last(self) -> Option<Seen> {
        self.messages().pop()
    }

    /// The picture that a message shows.
    #[must_use]
    pub fn picture(self, message: i64) -> Option<Vec<u8>> {
        let world = self.bot.world();
        world.chats.get(&self.id)?.messages.get(&message)?.photo.clone()
    }

    /// A message is deleted.
    pub fn deletes(self, message: i64) {
        self.bot.world().chat(self.id).messages.remove(&message);
    }

    /// The group becomes a supergroup with this number.
    pub fn becomes(self, other: i64) {
        {
            let mut world = self.bot.world();
            world.chat(other);
            world.chat(self.id).became = Some(other);
            let id = world.put(self.id, MessageState::default());
            let message = json!({
                "message_id": id, "date": DATE, "chat": world.chat_json(self.id),
                "migrate_to_chat_id": other,
            });
            world.tell(json!({ "message": message }));
        }
        self.bot.changed();
    }

    /// The bot is removed from the group.
    pub fn removes_bot(self) {
        let mut world = self.bot.world();
        let kind = world.chat(self.id).kind;
        world.chat(self.id).closed = Some(format!("bot was kicked from the {kind} chat"));
    }

    /// A press is too old to be answered.
    pub fn forgets_press(self, press: &str) {
        if let Some(press) = self.bot.world().presses.get_mut(press) {
            press.too_old = true;
        }
    }

    /// How a press was answered, if it was.
    #[must_use]
    pub fn answer_to(self, press: &str) -> Option<Answer> {
        self.bot.world().presses.get(press).and_then(|press| press.answered.clone())
    }
}

fn seen(id: i64, message: &MessageState) -> Seen {
    let says = |button: &Value| button["text"].as_str().unwrap_or_default().to_owned();
    let keyboard = message.keyboard.clone().unwrap_or_default();
    let rows = buttons(&keyboard);
    Seen {
        id,
        text: message.content.text.clone(),
        buttons: rows.iter().map(|row| row.iter().map(says).collect()).collect(),
        photo: message.photo.is_some(),
        edits: message.edits,
        thread: message.thread,
        reply_to: message.reply_to,
        silent: message.silent,
    }
}

fn buttons(keyboard: &Value) -> Vec<Vec<Value>> {
    let rows = keyboard["inline_keyboard"].as_array().cloned().unwrap_or_default();
    rows.iter().map(|row| row.as_array().cloned().unwrap_or_default()).collect()
}
