//! The worker that carries out wishes towards one client, until they are done.

use std::sync::Arc;

use tracing::{info, warn};
use tracker_domain::Actor;
use tracker_domain::observed::{Handle, Scope};
use tracker_domain::ports::{ClientError, Removal};
use tracker_ingest::mark_of;
use tracker_store::{ClientTask, Download, StoreError, TaskKind};

use crate::Pipeline;
use crate::apply_facts::tags_of;
use crate::clients::ClientStatus;
use crate::stage::Stage;

/// A wish that no client took for this often is given up, with a word.
const MAX_ATTEMPTS: u64 = 50;

/// The stage.
pub(crate) struct CarryOutStage {
    pub pipeline: Pipeline,
    pub status: Arc<ClientStatus>,
}

impl Stage for CarryOutStage {
    const NAME: &'static str = "wishes";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline, &self.status).await
    }
}

async fn pass(pipeline: &Pipeline, status: &ClientStatus) -> Result<(), StoreError> {
    if status.online_since().is_none() {
        return Ok(());
    }
    let now = pipeline.db.clock().now();
    let due = pipeline.db.read(move |tx| tx.due_tasks(now)).await?;
    for task in due {
        let id = task.download;
        let Some(row) = pipeline.db.read(move |tx| tx.download(id)).await? else { continue };
        if !status.owns(&row, pipeline) {
            continue;
        }
        let outcome = carry_out(status, &task, &row).await;
        settle(pipeline, task, outcome).await?;
    }
    Ok(())
}

async fn settle(
    pipeline: &Pipeline,
    task: ClientTask,
    outcome: Result<(), ClientError>,
) -> Result<(), StoreError> {
    let actor = task.actor.clone();
    match outcome {
        Ok(()) | Err(ClientError::NotFound) => {
            info!(download_id = %task.download, wish = task.kind.as_str(), "wish carried out");
            pipeline.db.write(&actor, move |tx| tx.finish_task(&task, None)).await
        }
        Err(error) if task.attempts + 1 >= MAX_ATTEMPTS => {
            warn!(download_id = %task.download, error = %error, "wish given up");
            let detail = error.to_string();
            pipeline.db.write(&actor, move |tx| tx.finish_task(&task, Some(&detail))).await
        }
        Err(error) => {
            let detail = error.to_string();
            pipeline
                .db
                .write(&Actor::Worker, move |tx| {
                    let attempts = task.attempts + 1;
                    let pause = i64::try_from(1u64 << attempts.min(6)).unwrap_or(60).min(60);
                    let until = tx.now().plus_seconds(pause);
                    tx.delay_task(task.id, attempts, until, &detail)
                })
                .await
        }
    }
}

async fn carry_out(
    status: &ClientStatus,
    task: &ClientTask,
    row: &Download,
) -> Result<(), ClientError> {
    let client = &status.entry.client;
    // The mark is of active downloads: what changed since is settled by now.
    let outdated = match task.kind {
        TaskKind::Release => row.state.is_active(),
        TaskKind::Claim | TaskKind::Start => !row.state.is_active(),
        TaskKind::Stop | TaskKind::Remove | TaskKind::RemoveData => false,
    };
    if outdated {
        return Ok(());
    }
    let tagging = matches!(task.kind, TaskKind::Release | TaskKind::Claim);
    if tagging && !status.entry.policy.tags {
        return Ok(());
    }
    let Some(handle) = find(status, row).await? else { return Ok(()) };
    match task.kind {
        TaskKind::Release => client.drop_tags(&handle, &[mark_of(row.id)]).await,
        TaskKind::Claim => client.add_tags(&handle, &tags_of(row.id)).await,
        TaskKind::Stop => client.stop(&handle).await,
        TaskKind::Start => client.start(&handle).await,
        TaskKind::Remove => client.remove(&handle, Removal::KeepData).await,
        TaskKind::RemoveData => client.remove(&handle, Removal::DeleteData).await,
    }
}

/// What the client calls the torrent now: a stored handle may be outdated.
async fn find(status: &ClientStatus, row: &Download) -> Result<Option<Handle>, ClientError> {
    let Some(hashes) = &row.infohashes else { return Ok(None) };
    let by_hash = Scope::Infohashes(hashes.iter().collect());
    let scope = if status.entry.policy.tags { Scope::Ours } else { Scope::Everything };
    for scope in [by_hash, scope] {
        let seen = status.entry.client.observe(&scope).await?;
        if let Some(seen) = seen.into_iter().find(|seen| seen.infohashes.intersects(hashes)) {
            return Ok(Some(seen.handle));
        }
    }
    Ok(None)
}
