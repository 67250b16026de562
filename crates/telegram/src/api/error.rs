//! What the Bot API means by an answer that is not the one that was asked for.

use serde::Deserialize;
use serde_json::Value;

use crate::call::{Answer, CallError};
use crate::chat::ChatId;

/// Where it is said to wait and not how long.
const UNSAID_S: u64 = 5;

/// Why a call brought nothing. The texts are those of the Bot API; none has the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotError {
    /// We may not write there: blocked, removed from the group, or never spoken to.
    #[error("the chat is closed to the bot: {0}")]
    Blocked(String),
    /// The group became a supergroup and has this number now.
    #[error("the group became the chat {0}")]
    ChatMigrated(ChatId),
    /// The message shows this already.
    #[error("the message is as it should be")]
    NotModified,
    /// The message is not there, or cannot be edited any more.
    #[error("the message cannot be edited: {0}")]
    MessageGone(String),
    /// The markup of the text is not understood.
    #[error("the text is not understood: {0}")]
    CannotParse(String),
    /// It is to be tried again later.
    #[error("too much was sent; again in {retry_after_s} s")]
    TooManyRequests {
        /// How much later, in seconds.
        retry_after_s: u64,
    },
    /// Another program reads the updates of this bot, or a webhook is set.
    #[error("somebody else reads the messages of this bot: {0}")]
    Conflict(String),
    /// The token is not, or not any more, that of a bot.
    #[error("the token is refused")]
    Unauthorized,
    /// The press of a button waited too long for an answer.
    #[error("the button was pressed too long ago")]
    PressTooOld,
    /// The file is larger than is taken.
    #[error("the file is too big")]
    FileTooBig,
    /// Anything else that is wrong with the call.
    #[error("the call is refused: {0}")]
    BadRequest(String),
    /// No answer.
    #[error("{0}")]
    Network(&'static str),
    /// The Bot API has trouble of its own.
    #[error("the server answers HTTP {0}")]
    Server(u16),
    /// An answer that is none of the Bot API.
    #[error("the answer cannot be read: {0}")]
    Unreadable(&'static str),
}

#[derive(Deserialize)]
struct Envelope {
    ok: bool,
    #[serde(default)]
    result: Value,
    #[serde(default)]
    error_code: Option<u16>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Default, Deserialize)]
struct Parameters {
    #[serde(default)]
    migrate_to_chat_id: Option<ChatId>,
    #[serde(default)]
    retry_after: Option<u64>,
}

/// What an answer brings, or what it means that it brings nothing.
pub(crate) fn meaning(answer: Result<Answer, CallError>) -> Result<Value, BotError> {
    let answer = answer.map_err(|error| match error {
        CallError::Connect => BotError::Network("no connection"),
        CallError::Timeout => BotError::Network("no answer in time"),
        CallError::Broken => BotError::Network("the connection broke"),
        CallError::TooLarge => BotError::Unreadable("it is too large"),
    })?;
    let unsaid = answer.retry_after.and_then(|text| text.trim().parse().ok()).unwrap_or(UNSAID_S);
    let Ok(envelope) = serde_json::from_slice::<Envelope>(&answer.body) else {
        return Err(match answer.status {
            429 => BotError::TooManyRequests { retry_after_s: unsaid },
            status @ 500..=599 => BotError::Server(status),
            300..=399 => BotError::Unreadable("it redirects to another address; check api_url"),
            _ => BotError::Unreadable("it is not that of a Bot API; check api_url"),
        });
    };
    if envelope.ok {
        return Ok(envelope.result);
    }
    let Envelope { error_code, description, parameters, .. } = envelope;
    if let Some(chat) = parameters.migrate_to_chat_id {
        return Err(BotError::ChatMigrated(chat));
    }
    Err(match error_code.unwrap_or(answer.status) {
        401 => BotError::Unauthorized,
        403 => BotError::Blocked(description),
        // So a token is answered that has not even the form of one; an unknown method says more.
        404 if description == "Not Found" => BotError::Unauthorized,
        409 => BotError::Conflict(description),
        429 => {
            BotError::TooManyRequests { retry_after_s: parameters.retry_after.unwrap_or(unsaid) }
        }
        status @ 500..=599 => BotError::Server(status),
        _ => bad_request(description),
    })
}

/// The Bot API tells these apart by their words alone.
fn bad_request(description: String) -> BotError {
    let lower = description.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["message is not modified"]) {
        BotError::NotModified
    } else if says(&["can't parse entities"]) {
        BotError::CannotParse(description)
    } else if says(&["message to edit not found", "message can't be edited", "message_id_invalid"])
    {
        BotError::MessageGone(description)
    } else if says(&["query is too old", "query_id_invalid"]) {
        BotError::PressTooOld
    } else if says(&["file is too big"]) {
        BotError::FileTooBig
    } else if says(&["chat not found", "peer_id_invalid"]) {
        BotError::Blocked(description)
    } else {
        BotError::BadRequest(description)
    }
}
