//! The worker that hands queued downloads to one client, oldest first.

use std::collections::HashMap;
use std::sync::Arc;

use tracing::{Instrument, info_span};
use tracker_ingest::{HandOver, hand_over, wait_for_client};
use tracker_store::{Download, StoreError};

use crate::Pipeline;
use crate::choose;
use crate::clients::ClientStatus;
use crate::stage::{Stage, caught, survive};
use crate::twins;

/// The stage.
pub(crate) struct HandOverStage {
    pub pipeline: Pipeline,
    pub status: Arc<ClientStatus>,
}

impl Stage for HandOverStage {
    const NAME: &'static str = "hand-over";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline, &self.status).await
    }
}

pub(crate) async fn pass(pipeline: &Pipeline, status: &ClientStatus) -> Result<(), StoreError> {
    let now = pipeline.db.clock().now();
    let due = pipeline.db.read(move |tx| tx.due_hand_overs(now)).await?;
    let mine = |row: &Download| status.owns(row, pipeline) && !choose::waits(pipeline, row);
    let mine: Vec<Download> = due.into_iter().filter(mine).collect();
    let name = &status.entry.name;
    let holders = match status.online_since() {
        Some(_) => twins::holders(pipeline, Some(name), &mine).await,
        // Nothing is handed over.
        None => HashMap::new(),
    };
    for (index, row) in mine.iter().enumerate() {
        // The watcher tells whether the client answers; knocking for each
        // waiting download would only keep a tired client down.
        if status.online_since().is_none() {
            return wait_for_client(&pipeline.db, name, &mine[index..]).await;
        }
        let holder = holders.get(&row.id);
        if let Some(holder) = holder.filter(|_| row.client.is_none()) {
            survive(
                HandOverStage::NAME,
                row.id,
                twins::leave_it_there(pipeline, row.id, holder).await,
            );
            continue;
        }
        let folder = status.default_folder();
        let handing =
            hand_over(&pipeline.db, &status.entry, &pipeline.files, folder.as_ref(), row.id)
                .instrument(info_span!("download", download_id = %row.id));
        let Some(outcome) = caught(HandOverStage::NAME, handing).await else { continue };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(failure) => {
                survive(HandOverStage::NAME, row.id, Err(failure));
                continue;
            }
        };
        if let Some(holder) = holder
            && matches!(outcome, HandOver::Shown | HandOver::Sent)
        {
            survive(
                HandOverStage::NAME,
                row.id,
                twins::warn_of(pipeline, row.id, name, holder).await,
            );
        }
        // One knock a turn. The others are not put off: a single torn answer says
        // little of the client, and the watcher tells when it is down.
        if let HandOver::Unreachable(_) = outcome {
            return Ok(());
        }
    }
    Ok(())
}
