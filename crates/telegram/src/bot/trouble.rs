//! Why nothing comes in: health is told of it, and how long to wait before the next try.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tracing::{error, warn};
use tracker_app::AppError;
use tracker_domain::Timestamp;
use tracker_domain::health::Level;

use super::Shared;
use crate::api::BotError;

/// Between two tries, at first and at most.
pub(super) const FIRST_PAUSE: Duration = Duration::from_secs(1);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A token does not become right by itself.
const PAUSE_WHEN_REFUSED: Duration = Duration::from_secs(300);

/// Why nothing comes in.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(transparent)]
    Bot(#[from] BotError),
    #[error(transparent)]
    App(#[from] AppError),
    #[error("cannot listen on {0}: {1}")]
    Listener(SocketAddr, io::Error),
    #[error("the webhook is refused: {0}")]
    WebhookRefused(String),
    #[error("the webhook is another one by now")]
    WebhookReplaced,
    #[error("Telegram cannot bring updates to the webhook: {0}")]
    NotBrought(String),
}

/// The tries so far.
#[derive(Debug, Default)]
pub(super) struct Tries {
    pause: Duration,
    /// Since when somebody else reads.
    conflict_since: Option<Timestamp>,
}

/// What health is told.
struct Told {
    code: &'static str,
    level: Level,
    detail: String,
    remedy: &'static str,
}

impl Tries {
    /// Telegram has answered.
    pub(super) fn answered(&mut self) {
        self.conflict_since = None;
    }

    /// Everything is as it should be.
    pub(super) fn over(&mut self) {
        self.pause = Duration::ZERO;
    }

    /// Tells of trouble, and how long to wait.
    pub(super) fn note(&mut self, shared: &Shared, trouble: &Trouble) -> Duration {
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        let mut pause = self.pause;
        match trouble {
            Trouble::Bot(BotError::Unauthorized) => pause = PAUSE_WHEN_REFUSED,
            Trouble::Bot(BotError::TooManyRequests { retry_after_s }) => {
                pause = pause.max(Duration::from_secs(*retry_after_s));
            }
            _ => {}
        }
        let Some(Told { code, level, detail, remedy }) = self.words(shared, trouble) else {
            error!(error = %trouble, "the bot cannot read on");
            return pause;
        };
        shared.app.chats.report(code, level, detail, remedy);
        let pause_s = pause.as_secs();
        warn!(error = %trouble, pause_s, "the bot cannot read; it tries again");
        pause
    }

    /// Of the database health tells by itself.
    fn words(&mut self, shared: &Shared, trouble: &Trouble) -> Option<Told> {
        let told = |code, level, remedy| Told { code, level, detail: trouble.to_string(), remedy };
        Some(match trouble {
            Trouble::App(_) => return None,
            Trouble::Bot(BotError::Conflict(detail)) => {
                let detail = format!("since {}: {detail}", self.conflict(shared));
                let remedy = "end the other program, or give one of the two another token";
                Told { detail, ..told("telegram-conflict", Level::Warning, remedy) }
            }
            Trouble::WebhookReplaced => {
                let detail = format!("since {}: {trouble}", self.conflict(shared));
                let remedy = "give one of the two programs another token, then restart this one";
                Told { detail, ..told("telegram-conflict", Level::Warning, remedy) }
            }
            Trouble::Bot(BotError::Unauthorized) => {
                let remedy = "ask @BotFather for the token, correct [telegram] token and restart";
                told("telegram-denied", Level::Error, remedy)
            }
            Trouble::Bot(_) => {
                let remedy = "look at the network and at [telegram] api_url; it is asked again";
                told("telegram-unreachable", Level::Warning, remedy)
            }
            Trouble::Listener(..) => {
                let remedy = "free the address or set [telegram] webhook_listen to another one";
                told("telegram-setup", Level::Error, remedy)
            }
            Trouble::WebhookRefused(_) => {
                let remedy = "correct [telegram] webhook_url in the configuration, then restart";
                told("telegram-setup", Level::Error, remedy)
            }
            Trouble::NotBrought(_) => {
                let remedy = "look at the proxy between [telegram] webhook_url and webhook_listen";
                told("telegram-webhook", Level::Warning, remedy)
            }
        })
    }

    fn conflict(&mut self, shared: &Shared) -> Timestamp {
        *self.conflict_since.get_or_insert_with(|| shared.app.chats.now())
    }
}
