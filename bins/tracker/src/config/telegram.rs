//! `[telegram]`: the bot.

use serde_json::Value;
use url::Url;

use super::reader::Section;
use super::values::url;
use tracker_domain::Secret;

/// The section `[telegram]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telegram {
    /// The bot's token; `None` runs no bot.
    pub token: Option<Secret>,
    /// The ids of those who may use it.
    pub allowed_users: Vec<i64>,
    /// Where the API is; `None` is Telegram's own.
    pub api_url: Option<Url>,
}

impl Telegram {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Telegram {
            token: section.secret("token"),
            allowed_users: section.list(
                "allowed_users",
                Vec::new(),
                |user: &i64| Value::from(*user),
                |text| {
                    text.parse().map_err(|_| {
                        format!("{text:?} is not the number of a user; ask @userinfobot for it")
                    })
                },
            ),
            api_url: section
                .optional("api_url", ToString::to_string, |text| url(text, &["http", "https"])),
        }
    }
}
