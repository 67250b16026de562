//! What is handed to the Bot API, in our words.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tracker_domain::Secret;
use url::Url;

use crate::callback::Callback;
use crate::chat::{ChatId, MessageId, ThreadId};
use crate::text::Formatted;

/// Everything that the client needs to know.
#[derive(Clone)]
pub struct BotApiConfig {
    /// The token of the bot.
    pub token: Secret,
    /// Where the Bot API is.
    pub url: Url,
    /// How long one call may take, waiting for updates aside.
    pub timeout: Duration,
}

impl std::fmt::Debug for BotApiConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotApiConfig")
            .field("token", &self.token)
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}

/// Why a configuration cannot be used. The text has no address and no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotApiConfigError {
    /// The address is none.
    #[error("the api_url is not an http or https address")]
    Url,
    /// The token has not the form of one.
    #[error("the token has not the form that @BotFather gives, such as 123456:AbC-dEf")]
    Token,
    /// TLS cannot be set up on this machine.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
}

/// A new message.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// Where to.
    pub chat: ChatId,
    /// Into which topic of the chat.
    pub thread: Option<ThreadId>,
    /// The message that it answers; where that is gone, it is sent all the same.
    pub reply_to: Option<MessageId>,
    /// What it says, or what stands below its picture.
    pub text: &'a Formatted,
    /// The buttons below it.
    pub keyboard: Option<&'a Keyboard>,
    /// Whether it comes without a sound.
    pub silent: bool,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// JPEG, PNG or WebP.
    pub bytes: Vec<u8>,
}

/// Where updates are brought.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WebhookState {
    /// The address; empty where they are kept until they are asked for.
    #[serde(default)]
    pub url: String,
    /// How many were not taken yet.
    #[serde(default)]
    pub pending_update_count: u64,
    /// Why the last one was not taken that was not.
    #[serde(default)]
    pub last_error_message: Option<String>,
}

/// A message that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Where.
    pub chat: ChatId,
    /// Its number there.
    pub message: MessageId,
}

/// A message that is to be edited.
pub type Place = Sent;

/// The buttons below a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keyboard {
    /// From top to bottom, each from left to right.
    pub rows: Vec<Vec<Button>>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What it says.
    pub text: String,
    /// What it does.
    pub action: ButtonAction,
}

/// What a button does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ButtonAction {
    /// It tells the bot.
    Press(Callback),
    /// It opens an address.
    Open(String),
}

/// A command that people are offered.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// Its name, without the slash.
    pub name: &'a str,
    /// What it does.
    pub about: &'a str,
}

impl Outgoing<'_> {
    pub(super) fn fields(&self) -> Map<String, Value> {
        let reply = self.reply_to.map(|message| {
            let how = json!({ "message_id": message, "allow_sending_without_reply": true });
            ("reply_parameters".to_owned(), how)
        });
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(self.chat));
        fields.extend(self.thread.map(|thread| ("message_thread_id".to_owned(), json!(thread))));
        fields.extend(reply);
        fields.extend(markup(self.keyboard));
        fields.extend(self.silent.then(|| ("disable_notification".to_owned(), json!(true))));
        fields
    }
}

impl Place {
    pub(super) fn fields(self, keyboard: Option<&Keyboard>) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(self.chat));
        fields.insert("message_id".to_owned(), json!(self.message));
        fields.extend(markup(keyboard));
        fields
    }
}

impl Keyboard {
    fn json(&self) -> Value {
        let button = |button: &Button| match &button.action {
            ButtonAction::Press(callback) => {
                json!({ "text": button.text, "callback_data": callback.to_string() })
            }
            ButtonAction::Open(url) => json!({ "text": button.text, "url": url }),
        };
        let row = |row: &Vec<Button>| Value::from(row.iter().map(button).collect::<Vec<_>>());
        json!({ "inline_keyboard": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

fn markup(keyboard: Option<&Keyboard>) -> Option<(String, Value)> {
    keyboard.map(|keyboard| ("reply_markup".to_owned(), keyboard.json()))
}
