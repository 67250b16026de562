//! The bot of Telegram: a client of the Bot API, what an update says, what a message
//! hands over, texts and buttons of the form that is taken, the screens that people see,
//! the pace at which anything may be sent, and the bot itself, which brings these and the
//! services together.
//!
//! It never shows the token: not in a log, not in an error, not in debug output.

mod api;
mod bot;
mod call;
mod callback;
mod chat;
mod intake;
mod limiter;
mod screens;
mod text;
mod update;

pub use api::{
    BotApi, BotApiConfig, BotApiConfigError, BotError, Button, ButtonAction, Command, Keyboard,
    Outgoing, Photo, Place, Sent, WebhookState,
};
pub use bot::{
    AllowedChat, Bot, BotSettings, Notices, ParseAllowedChatError, Rights, WebhookSettings,
};
pub use callback::{Callback, ParseCallbackError, PlanMark, Verb};
pub use chat::{ChatId, MessageId, ThreadId, UpdateId, UserId};
pub use intake::{Intake, read_intake};
pub use limiter::{Edit, Limiter, Scope, Step, Ticket};
pub use screens::{
    Pages, Phrase, Refusal, Screen, Subject, Voice, cancelling, candidate, commands, events,
    health, help, list, none_fits, not_accepted, notice, plan, refused, search, status, taken,
    undone,
};
pub use text::{Draft, Formatted, Limit, More, Style, utf16_units};
pub use update::{
    Chat, ChatKind, Document, Entity, EntityKind, Message, Press, Update, UpdateKind, User, decode,
    next_offset,
};
