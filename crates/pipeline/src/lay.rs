//! Laying complete downloads out in a library: by itself, and when a person asks.
//! Plan, intend, act, record. What cannot be linked rests with the reason.

mod act;
mod asked;
mod ended;
mod holds;
mod looked;
mod names;
mod offers;
mod prepare;

use std::sync::{PoisonError, RwLock};

use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info, info_span};
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, DownloadState, UnixMillis};
use tracker_store::{Download, StoreError};

use crate::Pipeline;
use crate::recover::recover;
use crate::stage::{Ends, Stage, survive};
use act::Ready;
use prepare::{Hold, in_place, planned, proven, ready, to_link};

pub(crate) use act::{finish, record, roll_back};
pub(crate) use ended::{clear_outlived, folder_of, remove_below, root_of};

/// How often a batch is looked at that could not be finished or taken back.
const RECOVER_MS: u64 = 60_000;

/// The stage. Who makes or undoes links holds `Pipeline::laying`, so that nobody
/// takes a batch that is under way for one that broke off.
pub(crate) struct LinkStage {
    pipeline: Pipeline,
    stop: CancellationToken,
    /// When batches that were broken off were looked at last.
    recovered: RwLock<Option<UnixMillis>>,
}

impl LinkStage {
    pub(crate) fn new(pipeline: Pipeline, stop: CancellationToken) -> Self {
        LinkStage { pipeline, stop, recovered: RwLock::new(None) }
    }

    /// Whether it is time to look at batches that were broken off.
    fn recovery_due(&self) -> bool {
        let now = self.pipeline.db.clock().now_ms();
        let mut last = self.recovered.write().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| now < last || now.since(last) >= RECOVER_MS);
        if due {
            *last = Some(now);
        }
        due
    }
}

impl Stage for LinkStage {
    const NAME: &'static str = "link";
    const ENDS: Ends = Ends::BetweenPasses;

    async fn pass(&self) -> Result<(), StoreError> {
        if self.recovery_due() {
            let _laying = self.pipeline.laying.lock().await;
            recover(&self.pipeline).await?;
        }
        pass(&self.pipeline, &self.stop).await
    }
}

pub(crate) async fn pass(pipeline: &Pipeline, stop: &CancellationToken) -> Result<(), StoreError> {
    for id in pipeline.db.read(|tx| tx.downloads_to_settle()).await? {
        if stop.is_cancelled() {
            break;
        }
        let span = info_span!("download", download_id = %id);
        let _laying = pipeline.laying.lock().await;
        survive(LinkStage::NAME, id, settle(pipeline, id, stop).instrument(span).await);
    }
    Ok(())
}

async fn settle(
    pipeline: &Pipeline,
    id: DownloadId,
    stop: &CancellationToken,
) -> Result<(), StoreError> {
    // Nothing is done before everything is known, so a stop need not wait for a
    // client that takes its time.
    let prepared = tokio::select! {
        () = stop.cancelled() => Err(Hold::Later),
        prepared = prepare(pipeline, id) => prepared,
    };
    match prepared {
        Ok(ready) => act::apply(pipeline, id, &Actor::Worker, ready).await.map(drop),
        Err(Hold::Later | Hold::Busy | Hold::Unreachable { .. }) => Ok(()),
        Err(Hold::Fault(error)) => Err(error),
        Err(Hold::Look(attention, detail)) => {
            info!(download_id = %id, attention = %attention, "not linked");
            pipeline
                .db
                .write(&Actor::Worker, move |tx| {
                    // It may have moved on while the client was asked.
                    let waits = |row: &Download| {
                        row.state == DownloadState::Downloaded && row.attention.is_none()
                    };
                    if tx.download(id)?.as_ref().is_some_and(waits) {
                        tx.raise_attention(id, attention, &detail)?.ok();
                    }
                    Ok(())
                })
                .await
        }
    }
}

async fn prepare(pipeline: &Pipeline, id: DownloadId) -> Result<Ready, Hold> {
    let row = pipeline.db.read(move |tx| tx.download(id)).await?;
    if !row.is_some_and(|row| pipeline.answers(&row)) {
        return Err(Hold::Later);
    }
    let basis = to_link(pipeline, id, false).await?;
    let plan = planned(pipeline, &basis).await?;
    let offer = offers::offer(pipeline, &basis, &plan).await?;
    let plan = ready(plan).map_err(|hold| match (hold, offer) {
        (Hold::Look(Attention::Conflict, detail), Some(offer)) => {
            Hold::Look(Attention::Conflict, format!("{offer}. {detail}"))
        }
        (hold, _) => hold,
    })?;
    in_place(pipeline, id, &plan).await?;
    proven(pipeline, &basis, &plan).await?;
    Ok(Ready {
        revision: basis.row.revision,
        recognition: basis.recognition.id,
        library: basis.library,
        plan,
        files: basis.files,
        folder: basis.folder,
        cause: DownloadCause::PlanAccepted,
        take: false,
    })
}
