//! `[telegram]`: the bot.

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::reader::Section;
use super::values::{duration, duration_text, url};
use tracker_domain::Secret;
use tracker_domain::event::EventType;
use tracker_domain::notify::{EventPattern, ParsePatternError, QuietHours};
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
    /// Which events are told in messages of their own; none where it is empty.
    pub events: Vec<EventPattern>,
    /// When none of them is sent.
    pub quiet: Option<QuietHours>,
    /// How long a message about an episode waits for more of its season.
    pub group: Duration,
    /// Where people open the pages; without it no button leads there.
    pub page_url: Option<Url>,
    /// Where the API is; `None` is Telegram's own.
    pub api_url: Option<Url>,
}

/// Done, needs you, failed.
const EVENTS: [EventType; 3] =
    [EventType::BatchApplied, EventType::DownloadAttention, EventType::BatchFailed];

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
            events: section.list(
                "events",
                EVENTS.iter().filter_map(|event| event.as_str().parse().ok()).collect(),
                |event: &EventPattern| Value::String(event.as_str().to_owned()),
                |text| text.parse().map_err(|error: ParsePatternError| error.to_string()),
            ),
            quiet: section.optional("quiet", ToString::to_string, |text| {
                text.parse::<QuietHours>().map_err(|error| error.to_string())
            }),
            group: section.parsed(
                "group",
                Duration::from_secs(30),
                |group| duration_text(*group),
                duration,
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
