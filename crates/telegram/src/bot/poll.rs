//! Reading: one question after the other for what came in, each update handled in its
//! order and noted as done before the next.
//!
//! Whatever Telegram answers, the loop goes on, and health tells how it does.

use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::info;
use tracker_domain::health::Level;

use super::Shared;
use super::take::Taking;
use super::trouble::{Tries, Trouble};
use super::webhook;
use crate::chat::UpdateId;

/// How long a question waits for something to come.
const WAIT: Duration = Duration::from_secs(30);

/// The same after trouble: soon it is known whether it is over.
const SHORT_WAIT: Duration = Duration::from_secs(2);

/// How the reading goes.
#[derive(Debug, Default)]
struct Reading {
    /// Whether the last question was answered.
    well: bool,
    /// Whether no webhook of ours is left from another configuration.
    is_cleared: bool,
    tries: Tries,
    taking: Taking,
}

/// Reads until `stop`.
pub(super) async fn read(shared: &Shared, stop: &CancellationToken) {
    let mut reading = Reading::default();
    while !stop.is_cancelled() {
        let outcome = tokio::select! {
            () = stop.cancelled() => return,
            outcome = reading.look(shared) => outcome,
        };
        let Err(trouble) = outcome else {
            reading.tries.over();
            continue;
        };
        reading.well = false;
        let pause = reading.tries.note(shared, &trouble);
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(pause) => {}
        }
    }
}

impl Reading {
    /// One question, and what came of it.
    async fn look(&mut self, shared: &Shared) -> Result<(), Trouble> {
        shared.introduce().await?;
        if !self.is_cleared {
            webhook::clear(shared).await?;
            self.is_cleared = true;
        }
        let offset = shared.app.chats.offset().await?.map(UpdateId);
        let wait = if self.well { WAIT } else { SHORT_WAIT };
        let updates = shared.api.updates(offset, wait).await?;
        self.answered(shared);
        for raw in &updates {
            self.taking.take(shared, raw).await?;
        }
        Ok(())
    }

    fn answered(&mut self, shared: &Shared) {
        if !self.well {
            info!("the bot reads what people write");
        }
        self.well = true;
        self.tries.answered();
        let name = shared.name().unwrap_or_default();
        let detail = format!("@{name} reads what people write");
        shared.app.chats.report("telegram", Level::Ok, detail, "");
    }
}
