//! The few methods of the Bot API that a bot of ours needs.
//!
//! It knows the shapes of calls and answers. It never tries again by itself, but for
//! a text whose markup is not understood, and keeps to no pace: that is the limiter's.

mod error;
mod shapes;

use std::time::Duration;

use reqwest::multipart::{Form, Part};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tracker_domain::Secret;
use url::Url;

use crate::call::{Content, Door};
use crate::chat::{ChatId, MessageId, UpdateId};
use crate::text::{Draft, Formatted};
use crate::update::User;

pub use error::BotError;
pub(crate) use error::meaning;
pub use shapes::{
    BotApiConfig, BotApiConfigError, Button, ButtonAction, Command, Keyboard, Outgoing, Photo,
    Place, Sent, WebhookState,
};

/// The kinds of updates that are wanted.
const WANTED: [&str; 2] = ["message", "callback_query"];

/// The longest answer to a press, as Telegram counts.
const LONGEST_ANSWER: usize = 200;

/// A client of the Bot API for one bot.
pub struct BotApi {
    door: Door,
}

#[derive(Deserialize)]
struct RawSent {
    message_id: MessageId,
    chat: RawChat,
}

#[derive(Deserialize)]
struct RawChat {
    id: ChatId,
}

#[derive(Deserialize)]
struct RawFile {
    #[serde(default)]
    file_path: Option<String>,
    #[serde(default)]
    file_size: Option<u64>,
}

impl BotApi {
    /// Checks the configuration; calls nobody yet.
    ///
    /// # Errors
    /// When the address or the token cannot be used, or TLS cannot be set up.
    pub fn new(config: &BotApiConfig) -> Result<Self, BotApiConfigError> {
        Ok(BotApi { door: Door::new(&config.url, &config.token, config.timeout)? })
    }

    /// Calls a method by its name.
    ///
    /// # Errors
    /// What the Bot API says, or why it says nothing.
    pub async fn call(&self, method: &'static str, body: Value) -> Result<Value, BotError> {
        self.door.call(method, Content::Json(body), Duration::ZERO).await
    }

    /// The bot itself.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn me(&self) -> Result<User, BotError> {
        read(self.call("getMe", json!({})).await?)
    }

    /// What came in from this number on, as it came; what is before it is confirmed by
    /// that. Where nothing is there, the answer waits this long for something.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn updates(
        &self,
        offset: Option<UpdateId>,
        wait: Duration,
    ) -> Result<Vec<Value>, BotError> {
        let mut body = json!({ "timeout": wait.as_secs(), "allowed_updates": WANTED });
        if let (Some(offset), Some(fields)) = (offset, body.as_object_mut()) {
            fields.insert("offset".to_owned(), json!(offset));
        }
        read(self.door.call("getUpdates", Content::Json(body), wait).await?)
    }

    /// Sends a message.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn send(&self, message: &Outgoing<'_>) -> Result<Sent, BotError> {
        let mut fields = message.fields();
        fields.insert("link_preview_options".to_owned(), json!({ "is_disabled": true }));
        sent(self.with_text("sendMessage", "text", fields, message.text).await?)
    }

    /// Sends a picture with a caption.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn send_photo(
        &self,
        message: &Outgoing<'_>,
        photo: &Photo,
    ) -> Result<Sent, BotError> {
        let fields = |text: &str, mode: Option<&str>| {
            let mut fields = message.fields();
            fields.insert("caption".to_owned(), json!(text));
            fields.extend(mode.map(|mode| ("parse_mode".to_owned(), json!(mode))));
            fields
        };
        let file = ("photo", photo);
        sent(self.with_file("sendPhoto", file, message.text, fields).await?)
    }

    /// Shows another text in a message. Without a keyboard it has none any more.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn edit_text(
        &self,
        place: Place,
        text: &Formatted,
        keyboard: Option<&Keyboard>,
    ) -> Result<(), BotError> {
        let mut fields = place.fields(keyboard);
        fields.insert("link_preview_options".to_owned(), json!({ "is_disabled": true }));
        self.with_text("editMessageText", "text", fields, text).await.map(drop)
    }

    /// Shows another picture in a message, with another caption.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn edit_photo(
        &self,
        place: Place,
        photo: &Photo,
        text: &Formatted,
        keyboard: Option<&Keyboard>,
    ) -> Result<(), BotError> {
        let fields = |text: &str, mode: Option<&str>| {
            let mut media = json!({ "type": "photo", "media": "attach://poster", "caption": text });
            if let (Some(mode), Some(media)) = (mode, media.as_object_mut()) {
                media.insert("parse_mode".to_owned(), json!(mode));
            }
            let mut fields = place.fields(keyboard);
            fields.insert("media".to_owned(), media);
            fields
        };
        self.with_file("editMessageMedia", ("poster", photo), text, fields).await.map(drop)
    }

    /// Shows another caption below a picture.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn edit_caption(
        &self,
        place: Place,
        text: &Formatted,
        keyboard: Option<&Keyboard>,
    ) -> Result<(), BotError> {
        let fields = place.fields(keyboard);
        self.with_text("editMessageCaption", "caption", fields, text).await.map(drop)
    }

    /// Shows other buttons, or none, below a message.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn edit_keyboard(
        &self,
        place: Place,
        keyboard: Option<&Keyboard>,
    ) -> Result<(), BotError> {
        self.call("editMessageReplyMarkup", place.fields(keyboard).into()).await.map(drop)
    }

    /// Answers a press: its reader sees the text above the chat for a moment, or in a
    /// window to be closed where it is an `alert`. Without a text only the waiting ends.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn answer(
        &self,
        press: &str,
        text: Option<&str>,
        alert: bool,
    ) -> Result<(), BotError> {
        let mut body = json!({ "callback_query_id": press });
        if let (Some(text), Some(fields)) = (text, body.as_object_mut()) {
            let short = Draft::new().text(text).within(LONGEST_ANSWER, None);
            fields.insert("text".to_owned(), json!(short.plain()));
            fields.insert("show_alert".to_owned(), json!(alert));
        }
        self.call("answerCallbackQuery", body).await.map(drop)
    }

    /// Fetches a file of at most this many bytes that somebody sent.
    ///
    /// # Errors
    /// As [`BotApi::call`]; [`BotError::FileTooBig`] where it is larger.
    pub async fn fetch(&self, file_id: &str, most: usize) -> Result<Vec<u8>, BotError> {
        let file: RawFile = read(self.call("getFile", json!({ "file_id": file_id })).await?)?;
        if file.file_size.is_some_and(|size| usize::try_from(size).map_or(true, |size| size > most))
        {
            return Err(BotError::FileTooBig);
        }
        let path = file.file_path.ok_or(BotError::Unreadable("the file has no path"))?;
        // A server that runs beside its bots names a place on its disk, which is not ours.
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(BotError::Unreadable("the file has a path that cannot be fetched"));
        }
        self.door.fetch(&path, most).await
    }

    /// Sets the commands that people are offered, for one language or for all others.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn set_commands(
        &self,
        commands: &[Command<'_>],
        language: Option<&str>,
    ) -> Result<(), BotError> {
        let list: Vec<Value> = commands
            .iter()
            .map(|Command { name, about }| json!({ "command": name, "description": about }))
            .collect();
        let body = json!({ "commands": list, "language_code": language.unwrap_or_default() });
        self.call("setMyCommands", body).await.map(drop)
    }

    /// Has updates brought to an address, each with this secret in the header
    /// `X-Telegram-Bot-Api-Secret-Token`.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn set_webhook(&self, url: &Url, secret: &Secret) -> Result<(), BotError> {
        let body = json!({
            "url": url.as_str(),
            "secret_token": secret.expose(),
            "allowed_updates": WANTED,
            // One after the other, as they are handled.
            "max_connections": 1,
        });
        self.call("setWebhook", body).await.map(drop)
    }

    /// Where updates are brought, and how that goes.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn webhook(&self) -> Result<WebhookState, BotError> {
        read(self.call("getWebhookInfo", json!({})).await?)
    }

    /// Has updates kept until they are asked for.
    ///
    /// # Errors
    /// As [`BotApi::call`].
    pub async fn delete_webhook(&self) -> Result<(), BotError> {
        self.call("deleteWebhook", json!({})).await.map(drop)
    }

    /// Sends a text with its markup; as it is read where the markup is not understood,
    /// since a message without bold letters is better than none.
    async fn with_text(
        &self,
        method: &'static str,
        name: &str,
        fields: Map<String, Value>,
        text: &Formatted,
    ) -> Result<Value, BotError> {
        let mut marked = fields.clone();
        marked.insert(name.to_owned(), json!(text.html()));
        marked.insert("parse_mode".to_owned(), json!("HTML"));
        match self.call(method, marked.into()).await {
            Err(BotError::CannotParse(_)) => {
                let mut plain = fields;
                plain.insert(name.to_owned(), json!(text.plain()));
                self.call(method, plain.into()).await
            }
            other => other,
        }
    }

    /// The same with a picture under a name: `fields` are those of a text and its mode.
    async fn with_file(
        &self,
        method: &'static str,
        (name, photo): (&'static str, &Photo),
        text: &Formatted,
        fields: impl Fn(&str, Option<&str>) -> Map<String, Value>,
    ) -> Result<Value, BotError> {
        let form = |text: &str, mode: Option<&str>| {
            // The kind is looked for in the bytes on the other side.
            let part = Part::bytes(photo.bytes.clone()).file_name("poster");
            let form = Form::new().part(name, part);
            Content::Form(fields(text, mode).into_iter().fold(form, |form, (name, value)| {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                form.text(name, text)
            }))
        };
        match self.door.call(method, form(text.html(), Some("HTML")), Duration::ZERO).await {
            Err(BotError::CannotParse(_)) => {
                self.door.call(method, form(text.plain(), None), Duration::ZERO).await
            }
            other => other,
        }
    }
}

impl std::fmt::Debug for BotApi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotApi").finish_non_exhaustive()
    }
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, BotError> {
    serde_json::from_value(value).map_err(|_| BotError::Unreadable("it has another shape"))
}

fn sent(value: Value) -> Result<Sent, BotError> {
    let RawSent { message_id, chat } = read(value)?;
    Ok(Sent { chat: chat.id, message: message_id })
}

#[cfg(test)]
mod tests;
