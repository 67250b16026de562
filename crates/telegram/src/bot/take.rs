//! One update that came in, whether it was asked for or brought: it is handled once,
//! and one that fails or panics stops nothing behind it.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use serde_json::Value;
use tracing::{error, warn};
use tracker_app::AppError;

use super::Shared;
use crate::chat::UpdateId;
use crate::update::decode;

/// An update that fails so often is passed over.
const MOST_TRIES: u32 = 5;

/// What is known of updates that could not be handled.
#[derive(Debug, Default)]
pub(super) struct Taking {
    /// How often each of them was tried.
    tries: BTreeMap<UpdateId, u32>,
}

impl Taking {
    /// Handles an update. One that is not done after that is to come again.
    pub(super) async fn take(&mut self, shared: &Shared, raw: &Value) -> Result<(), AppError> {
        let Some(update) = decode(raw) else {
            warn!("an update has no number and is passed over");
            return Ok(());
        };
        let id = update.id;
        if shared.app.chats.is_done(id.0).await? {
            // Also where the numbers begin anew: the next one is behind it.
            return shared.app.chats.done(id.0).await;
        }
        match AssertUnwindSafe(shared.handle(update)).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(error)) if self.is_worth_another_try(id) => return Err(error),
            Ok(Err(error)) => error!(update = id.0, %error, "an update is passed over"),
            // The text and the place of a panic are in the log already.
            Err(_) => error!(update = id.0, "an update panicked and is passed over"),
        }
        self.tries.remove(&id);
        shared.app.chats.done(id.0).await
    }

    fn is_worth_another_try(&mut self, id: UpdateId) -> bool {
        let tries = self.tries.entry(id).or_default();
        *tries += 1;
        *tries < MOST_TRIES
    }
}
