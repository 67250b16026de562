//! Reading: one question after the other for what came in, each update handled in its
//! order and noted as done before the next.
//!
//! Whatever Telegram answers, the loop goes on, and health tells how it does.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use serde_json::Value;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use tracker_app::AppError;
use tracker_domain::Timestamp;
use tracker_domain::health::Level;

use super::Shared;
use crate::api::BotError;
use crate::chat::UpdateId;
use crate::update::decode;

/// How long a question waits for something to come.
const WAIT: Duration = Duration::from_secs(30);

/// The same after trouble: soon it is known whether it is over.
const SHORT_WAIT: Duration = Duration::from_secs(2);

/// Between two questions in trouble, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A token does not become right by itself.
const PAUSE_WHEN_REFUSED: Duration = Duration::from_secs(300);

/// Why nothing came in.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Bot(#[from] BotError),
    #[error(transparent)]
    App(#[from] AppError),
}

/// How the reading goes.
#[derive(Debug, Default)]
struct Reading {
    /// Whether the last question was answered.
    well: bool,
    pause: Duration,
    /// Since when somebody else reads.
    conflict_since: Option<Timestamp>,
    /// The update that could not be handled last, and how often.
    stuck: Option<(UpdateId, u32)>,
}

/// An update that fails so often is passed over.
const MOST_TRIES: u32 = 5;

/// Reads until `stop`.
pub(super) async fn read(shared: &Shared, stop: &CancellationToken) {
    let mut reading = Reading::default();
    while !stop.is_cancelled() {
        let outcome = tokio::select! {
            () = stop.cancelled() => return,
            outcome = reading.look(shared) => outcome,
        };
        let Err(trouble) = outcome else {
            reading.pause = Duration::ZERO;
            continue;
        };
        let pause = reading.note(shared, &trouble);
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(pause) => {}
        }
    }
}

impl Reading {
    /// One question, and what came of it.
    async fn look(&mut self, shared: &Shared) -> Result<(), Trouble> {
        if shared.name().is_none() {
            let me = shared.api.me().await?;
            info!(name = me.username, "the bot is known to Telegram");
            shared.set_name(me.username);
            shared.offer_commands().await;
        }
        let offset = shared.app.chats.offset().await?.map(UpdateId);
        let wait = if self.well { WAIT } else { SHORT_WAIT };
        let updates = shared.api.updates(offset, wait).await?;
        self.answered(shared);
        for raw in &updates {
            self.take(shared, raw).await?;
        }
        Ok(())
    }

    fn answered(&mut self, shared: &Shared) {
        if !self.well {
            info!("the bot reads what people write");
        }
        self.well = true;
        self.conflict_since = None;
        let name = shared.name().unwrap_or_default();
        let detail = format!("@{name} reads what people write");
        shared.app.chats.report("telegram", Level::Ok, detail, "");
    }

    async fn take(&mut self, shared: &Shared, raw: &Value) -> Result<(), Trouble> {
        let Some(update) = decode(raw) else {
            warn!("an update has no number and is passed over");
            return Ok(());
        };
        let id = update.id;
        if shared.app.chats.is_done(id.0).await? {
            // Also where the numbers begin anew: the next one is behind it.
            return Ok(shared.app.chats.done(id.0).await?);
        }
        match AssertUnwindSafe(shared.handle(update)).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(error)) if self.is_worth_another_try(id) => return Err(error.into()),
            Ok(Err(error)) => error!(update = id.0, %error, "an update is passed over"),
            // The text and the place of a panic are in the log already.
            Err(_) => error!(update = id.0, "an update panicked and is passed over"),
        }
        self.stuck = None;
        Ok(shared.app.chats.done(id.0).await?)
    }

    fn is_worth_another_try(&mut self, id: UpdateId) -> bool {
        let tries = self.stuck.filter(|(stuck, _)| *stuck == id).map_or(1, |(_, tries)| tries + 1);
        self.stuck = Some((id, tries));
        tries < MOST_TRIES
    }

    /// Tells of trouble, and how long to wait.
    fn note(&mut self, shared: &Shared, trouble: &Trouble) -> Duration {
        let chats = &shared.app.chats;
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        let mut pause = self.pause;
        self.well = false;
        match trouble {
            Trouble::App(error) => {
                // Health tells of the database by itself.
                error!(%error, "the bot cannot read on");
                return pause;
            }
            Trouble::Bot(BotError::Conflict(detail)) => {
                let since = *self.conflict_since.get_or_insert_with(|| chats.now());
                let detail = format!("since {since}: {detail}");
                let remedy = "end the other program, or give one of the two another token";
                chats.report("telegram-conflict", Level::Warning, detail, remedy);
            }
            Trouble::Bot(BotError::Unauthorized) => {
                let remedy = "ask @BotFather for the token, correct [telegram] token and restart";
                chats.report("telegram-denied", Level::Error, trouble.to_string(), remedy);
                pause = PAUSE_WHEN_REFUSED;
            }
            Trouble::Bot(error) => {
                if let BotError::TooManyRequests { retry_after_s } = error {
                    pause = pause.max(Duration::from_secs(*retry_after_s));
                }
                let remedy = "look at the network and at [telegram] api_url; it is asked again";
                chats.report("telegram-unreachable", Level::Warning, trouble.to_string(), remedy);
            }
        }
        let pause_s = pause.as_secs();
        warn!(error = %trouble, pause_s, "the bot cannot read; it tries again");
        pause
    }
}
