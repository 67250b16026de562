//! What a person asks for: to see the plan, to carry it out, to undo it, to look
//! whether the links still stand.

use async_trait::async_trait;
use tracing::{Instrument, error, info_span};
use tracker_domain::entity::EntityKind;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, BatchId, DownloadCause, DownloadId, DownloadState, Remark};
use tracker_layout::{
    ApplyWish, LayError, Laying, Looked, OtherNames, Plan, Resolution, ResolveError, SkipReason,
    Skipped, Undone,
};
use tracker_store::{Batch, Download, Refusal, StoreError};

use super::act::{Applied, Ready, apply};
use super::ended::{end_batch, restore_left};
use super::looked::{forget_trouble, look_at};
use super::names::names_of;
use super::prepare::{Basis, Hold, planned, proven, to_link, to_show};
use crate::Pipeline;

#[async_trait]
impl Laying for Pipeline {
    async fn plan_of(&self, id: DownloadId) -> Result<Plan, LayError> {
        let row = row_of(self, id).await?;
        let basis = to_show(self, id).await.map_err(|hold| told(&row, hold))?;
        planned(self, &basis).await.map_err(|hold| told(&row, hold))
    }

    async fn apply(
        &self,
        id: DownloadId,
        wish: ApplyWish,
        actor: &Actor,
    ) -> Result<BatchId, LayError> {
        let (pipeline, actor) = (self.clone(), actor.clone());
        let span = info_span!("download", download_id = %id);
        in_one_go(async move { applied(&pipeline, id, wish, &actor).await }.instrument(span)).await
    }

    async fn undo(&self, id: BatchId, actor: &Actor) -> Result<Undone, LayError> {
        let (pipeline, actor) = (self.clone(), actor.clone());
        in_one_go(async move { undone(&pipeline, id, &actor).await }).await
    }

    async fn verify(&self, id: Option<DownloadId>) -> Result<Vec<Looked>, LayError> {
        if let Some(id) = id {
            row_of(self, id).await?;
        }
        let _laying = self.laying.lock().await;
        look_at(self, id).await.map_err(fault)
    }

    async fn names(&self, id: DownloadId) -> Result<Option<OtherNames>, LayError> {
        names_of(self, id).await
    }
}

pub(super) fn fault(error: StoreError) -> LayError {
    LayError::Fault(Box::new(error))
}

/// Runs to its end, also when nobody waits for it any more.
async fn in_one_go<T: Send + 'static>(
    work: impl Future<Output = Result<T, LayError>> + Send + 'static,
) -> Result<T, LayError> {
    match tokio::spawn(work).await {
        Ok(outcome) => outcome,
        Err(failure) => {
            error!(error = %failure, "laying out broke off");
            Err(LayError::BrokenOff)
        }
    }
}

pub(super) async fn row_of(pipeline: &Pipeline, id: DownloadId) -> Result<Download, LayError> {
    let row = pipeline.db.read(move |tx| tx.download(id)).await.map_err(fault)?;
    row.ok_or(LayError::NotFound(EntityKind::Download))
}

/// A hold as an answer.
fn told(row: &Download, hold: Hold) -> LayError {
    let state = row.state;
    let illegal = |detail: &str| LayError::Illegal { state, detail: detail.to_owned() };
    match hold {
        Hold::Look(attention, detail) => LayError::Held { state, attention, detail },
        Hold::Later => illegal(
            "what it is is not known yet, or its files are not in their place; wait for its file \
             list, or have the client check it",
        ),
        Hold::Busy => illegal(
            "the client is not done with it: it downloads, checks or moves it; \
             wait until it is complete",
        ),
        Hold::Unreachable { client, detail } => LayError::Unreachable { client, detail },
        Hold::Fault(error) => fault(error),
    }
}

async fn applied(
    pipeline: &Pipeline,
    id: DownloadId,
    wish: ApplyWish,
    actor: &Actor,
) -> Result<BatchId, LayError> {
    let _laying = pipeline.laying.lock().await;
    let row = row_of(pipeline, id).await?;
    if let Some(expected) = wish.revision.filter(|expected| *expected != row.revision) {
        tracing::debug!(expected, "the download changed since it was looked at");
        return Err(LayError::Stale(row.revision));
    }
    let cause = match row.state {
        DownloadState::Downloaded => DownloadCause::PlanAccepted,
        DownloadState::Done => DownloadCause::Reapply,
        state => {
            let detail = format!(
                "a download that is {state} has nothing to link; it can be applied when it is \
                 downloaded or done"
            );
            return Err(LayError::Illegal { state, detail });
        }
    };
    let basis = to_link(pipeline, id, wish.take).await.map_err(|hold| told(&row, hold))?;
    let plan = planned(pipeline, &basis).await.map_err(|hold| told(&row, hold))?;
    if wish.plan.is_some_and(|seen| seen != plan.id()) {
        return Err(LayError::PlanChanged(Box::new(plan)));
    }
    let answered = !wish.resolve.is_empty();
    let plan = resolved(pipeline, basis.library.root.clone(), plan, wish.resolve).await?;
    // A person who keeps what has the names is done with it all the same.
    let kept = |skipped: &Skipped| {
        matches!(skipped.reason, SkipReason::KeptExisting | SkipReason::Duplicate)
    };
    if plan.links.is_empty() && !(answered && plan.skipped.iter().any(kept)) {
        let detail = Remark::NothingIsLeft.to_string();
        return Err(LayError::Illegal { state: row.state, detail });
    }
    proven(pipeline, &basis, &plan).await.map_err(|hold| told(&row, hold))?;
    let Basis { row, recognition, library, files, folder, .. } = basis;
    let (state, revision) = (row.state, row.revision);
    let take = wish.take && recognition.state == RecognitionState::Proposed;
    let recognition = recognition.id;
    let ready = Ready { revision, recognition, library, plan, files, folder, cause, take };
    match apply(pipeline, id, actor, ready).await.map_err(fault)? {
        Applied::Made(batch) => Ok(batch),
        Applied::Changed => Err(LayError::Stale(row_of(pipeline, id).await?.revision)),
        Applied::Refused(Refusal::OwnedBy(owner)) => Err(LayError::OwnedBy(owner)),
        Applied::Refused(refusal) => Err(LayError::Illegal { state, detail: refusal.to_string() }),
        Applied::NotTaken(refusal) => Err(LayError::Illegal { state, detail: refusal.to_string() }),
        Applied::Failed(error) => {
            let state = row_of(pipeline, id).await?.state;
            Err(LayError::NotMade { state, error: Box::new(error) })
        }
        Applied::BrokenOff => Err(LayError::BrokenOff),
    }
}

/// The plan with what the person said about each thing in the way.
async fn resolved(
    pipeline: &Pipeline,
    root: std::path::PathBuf,
    plan: Plan,
    said: Vec<Resolution>,
) -> Result<Plan, LayError> {
    let job = pipeline.on_disk(move |files| {
        let taken = |path: &std::path::Path| !matches!(files.stat(path), Ok(None));
        let limit = files.name_limit(&root).unwrap_or(255);
        plan.resolve(&said, limit, &taken)
    });
    match job.await.ok_or(LayError::BrokenOff)? {
        Ok(plan) => Ok(plan),
        Err(ResolveError::Unresolved(conflicts)) => Err(LayError::Conflict(conflicts)),
        Err(error @ ResolveError::UnknownTarget(_)) => Err(LayError::Resolve(error)),
    }
}

async fn undone(pipeline: &Pipeline, id: BatchId, actor: &Actor) -> Result<Undone, LayError> {
    let _laying = pipeline.laying.lock().await;
    let found = pipeline.db.read(move |tx| tx.batch(id)).await.map_err(fault)?;
    let batch = found.ok_or(LayError::NotFound(EntityKind::ApplyBatch))?;
    let Some(download) = batch.download else { return Ok(Undone { batch: id, left: Vec::new() }) };
    let row = row_of(pipeline, download).await?;
    if batch.state == "planned" {
        let detail = "the batch is being made; undo it when it is applied".to_owned();
        return Err(LayError::Illegal { state: row.state, detail });
    }
    let all = pipeline.db.read(move |tx| tx.batches_of(download)).await.map_err(fault)?;
    if let Some(by) = all.iter().find(|other| takes_its_place(other, &batch)) {
        return Err(LayError::Superseded { by: by.id });
    }
    if batch.state != "applied" {
        return restore_left(pipeline, &batch).await.map_err(fault);
    }
    let undone = end_batch(pipeline, actor, &batch, download, None).await.map_err(fault)?;
    forget_trouble(pipeline, download, actor).await.map_err(fault)?;
    Ok(undone)
}

/// Whether another batch stands in the place of this one.
fn takes_its_place(other: &Batch, batch: &Batch) -> bool {
    let newer = other.id > batch.id && other.state == "applied";
    newer && (batch.state == "applied" || batch.superseded_by.is_some())
}
