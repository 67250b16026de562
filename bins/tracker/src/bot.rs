//! The bot of Telegram, where the configuration has one. The daemon goes on without it.

use std::sync::Arc;
use std::time::Duration;

use tracing::{error, warn};
use tracker_app::App;
use tracker_i18n::Catalogue;
use tracker_telegram::{Bot, BotApiConfig, BotSettings, Notices, Rights, UserId, WebhookSettings};
use url::Url;

use crate::config::Config;

/// Telegram's own Bot API.
const TELEGRAM: &str = "https://api.telegram.org";

/// One call, waiting for updates aside.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The bot that is configured. One that cannot be set up is none, and health says why.
pub(crate) fn of(
    config: &Config,
    app: &App,
    texts: &Arc<Catalogue>,
    notices: &Arc<Notices>,
) -> Option<Bot> {
    let settings = &config.telegram;
    let token = settings.token.clone()?;
    // The address of Telegram is one; without it there is no bot either.
    let url = settings.api_url.clone().or_else(|| Url::parse(TELEGRAM).ok())?;
    let users = |numbers: &[i64]| numbers.iter().copied().map(UserId).collect();
    let rights = Rights {
        operators: users(&settings.allowed_users),
        viewers: users(&settings.viewers),
        chats: settings.allowed_chats.clone(),
    };
    if rights.operators.is_empty() && rights.viewers.is_empty() {
        warn!("nobody may use the bot; name people in allowed_users of [telegram]");
    }
    let webhook = settings.webhook_url.clone().map(|url| WebhookSettings {
        url,
        listen: settings.webhook_listen,
        secret: settings.webhook_secret.clone(),
    });
    let api = BotApiConfig { token, url, timeout: TIMEOUT };
    let settings = BotSettings {
        api,
        rights,
        texts: Arc::clone(texts),
        language: config.general.language,
        zone: config.general.timezone.clone().into(),
        page_url: settings.page_url.clone(),
        notices: Arc::clone(notices),
        webhook,
    };
    Bot::new(&settings, app.clone())
        .inspect_err(|error| error!(%error, "the bot cannot be set up; there is none"))
        .ok()
}
