//! `[telegram]`: the bot.

use std::net::SocketAddr;

use serde_json::Value;
use url::{Host, Url};

use super::notify::Told;
use super::reader::Section;
use super::values::{listen, url};
use tracker_domain::Secret;
use tracker_domain::event::EventType;
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
    /// What is told in messages of their own, and when; without events nothing is.
    pub told: Told,
    /// Where people open the pages; without it no button leads there.
    pub page_url: Option<Url>,
    /// Where the API is; `None` is Telegram's own.
    pub api_url: Option<Url>,
    /// Where Telegram brings updates; without it the bot asks for them.
    pub webhook_url: Option<Url>,
    /// Where the bot listens for what arrives there.
    pub webhook_listen: SocketAddr,
    /// By which it knows Telegram; `None` is another one at each start.
    pub webhook_secret: Option<Secret>,
}

/// Done, needs you, failed.
const EVENTS: [EventType; 3] =
    [EventType::BatchApplied, EventType::DownloadAttention, EventType::BatchFailed];

const WEBHOOK_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8467);

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
            told: Told::from_source(
                &mut section,
                EVENTS.iter().filter_map(|event| event.as_str().parse().ok()).collect(),
            ),
            page_url: section
                .optional("page_url", ToString::to_string, |text| url(text, &["http", "https"])),
            api_url: section
                .optional("api_url", ToString::to_string, |text| url(text, &["http", "https"])),
            webhook_url: section.optional("webhook_url", ToString::to_string, webhook_url),
            webhook_listen: section.parsed(
                "webhook_listen",
                WEBHOOK_LISTEN,
                ToString::to_string,
                listen,
            ),
            webhook_secret: webhook_secret(&mut section),
        }
    }
}

/// Telegram itself takes `https` alone; a Bot API on this machine needs none.
fn webhook_url(text: &str) -> Result<Url, String> {
    let url = url(text, &["http", "https"])?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if url.scheme() == "http" && !is_here {
        return Err("Telegram brings nothing there; write an address that starts with https://, \
                    as people outside reach it"
            .to_owned());
    }
    Ok(url)
}

/// What Telegram takes as a secret.
fn webhook_secret(section: &mut Section<'_, '_>) -> Option<Secret> {
    let secret = section.secret("webhook_secret")?;
    let sign = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
    let text = secret.expose();
    if text.len() > 256 || !text.chars().all(sign) {
        section.complain(
            "webhook_secret",
            "it is not a secret that Telegram takes; write 1 to 256 of A-Z, a-z, 0-9, _ and -",
        );
    }
    Some(secret)
}

fn users(section: &mut Section<'_, '_>, key: &'static str) -> Vec<i64> {
    let parse = |text: &str| {
        text.parse()
            .map_err(|_| format!("{text:?} is not the number of a user; ask @userinfobot for it"))
    };
    section.list(key, Vec::new(), |user: &i64| Value::from(*user), parse)
}
