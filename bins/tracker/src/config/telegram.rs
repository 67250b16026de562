//! `[telegram]`: the bot.

use serde_json::Value;
use url::Url;

use super::reader::Section;
use super::values::url;
use tracker_domain::Secret;
use tracker_telegram::{AllowedChat, ParseAllowedChatError};

/// The section `[telegram]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telegram {
    /// The bot's token; `None` runs no bot.
    pub token: Option<Secret>,
    /// The numbers of those who may do everything.
    pub allowed_users: Vec<i64>,
    /// The numbers of those who may only look.
    pub viewers: Vec<i64>,
    /// The groups in which it works, and topics of them.
    pub allowed_chats: Vec<AllowedChat>,
    /// Where people open the pages; without it no button leads there.
    pub page_url: Option<Url>,
    /// Where the API is; `None` is Telegram's own.
    pub api_url: Option<Url>,
}

impl Telegram {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Telegram {
            token: section.secret("token"),
            allowed_users: users(&mut section, "allowed_users"),
            viewers: users(&mut section, "viewers"),
            allowed_chats: section.list(
                "allowed_chats",
                Vec::new(),
                |chat: &AllowedChat| match chat.thread {
                    Some(_) => Value::from(chat.to_string()),
                    None => Value::from(chat.chat.0),
                },
                |text| text.parse().map_err(|error: ParseAllowedChatError| error.to_string()),
            ),
            page_url: section
                .optional("page_url", ToString::to_string, |text| url(text, &["http", "https"])),
            api_url: section
                .optional("api_url", ToString::to_string, |text| url(text, &["http", "https"])),
        }
    }
}

fn users(section: &mut Section<'_, '_>, key: &'static str) -> Vec<i64> {
    let parse = |text: &str| {
        text.parse()
            .map_err(|_| format!("{text:?} is not the number of a user; ask @userinfobot for it"))
    };
    section.list(key, Vec::new(), |user: &i64| Value::from(*user), parse)
}
