//! What a former process left half done: batches that were intended and not
//! recorded. Each is finished when all of it stands, else taken back.

use std::path::{Path, PathBuf};

use tokio::task::spawn_blocking;
use tracing::{info, warn};
use tracker_domain::{Actor, BatchId, DownloadCause, DownloadId, DownloadState};
use tracker_layout::{
    LinkToMake, LinkToRemove, MadeLink, Recovered, RecoveredState, recover as look, undo,
};
use tracker_store::{FileLink, PlannedBatch, Reason, StoreError};

use crate::Pipeline;
use crate::link::{record, roll_back};

pub(crate) async fn recover(pipeline: &Pipeline) -> Result<(), StoreError> {
    for batch in pipeline.db.read(|tx| tx.planned_batches()).await? {
        recover_one(pipeline, batch).await?;
    }
    let stranded = pipeline.db.read(|tx| tx.linking_without_batch()).await?;
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            for id in stranded {
                let older_applied = tx.has_applied_batch(id)?;
                let cause = DownloadCause::BatchRolledBack { older_applied };
                let _moved = tx.set_download_state(id, cause, &Reason::none())?;
            }
            Ok(())
        })
        .await
}

async fn recover_one(pipeline: &Pipeline, batch: PlannedBatch) -> Result<(), StoreError> {
    let (id, download) = (batch.id, batch.download);
    let (links, row) = pipeline
        .db
        .read(move |tx| Ok::<_, StoreError>((tx.links_of(id)?, tx.download(download)?)))
        .await?;
    let library = pipeline
        .libraries
        .iter()
        .find(|library| Some(&library.name) == batch.library.as_ref())
        .cloned();
    let Some(library) = library else {
        warn!(download_id = %download, batch_id = %id,
            "the library of a batch that was broken off is not configured any more");
        return Ok(());
    };
    let todo: Vec<LinkToMake> = links.iter().map(to_make).collect();
    let (files, root, looked_for) = (pipeline.files.clone(), library.root.clone(), todo.clone());
    let found = spawn_blocking(move || look(&*files, &looked_for, &root)).await;
    let Ok(Ok(found)) = found else {
        warn!(download_id = %download, batch_id = %id, "a batch that was broken off cannot be looked at");
        return Ok(());
    };
    let made: Vec<MadeLink> = found.iter().filter_map(made_of).collect();
    let wanted = row.is_some_and(|row| row.state == DownloadState::Linking);
    if wanted && made.len() == todo.len() {
        info!(download_id = %download, batch_id = %id, "finishing a batch that was broken off");
        return record(pipeline, download, id, &library, &todo, made).await;
    }
    info!(download_id = %download, batch_id = %id, "taking back a batch that was broken off");
    take_back(pipeline, download, id, &library.root, &todo, &made, None).await
}

fn made_of(found: &Recovered) -> Option<MadeLink> {
    match found.state {
        RecoveredState::Made(made) => Some(made),
        RecoveredState::Missing | RecoveredState::Foreign => None,
    }
}

fn to_make(link: &FileLink) -> LinkToMake {
    LinkToMake {
        link_id: link.id,
        source: link.source.clone(),
        target: link.target.clone(),
        size_bytes: None,
    }
}

/// Removes what a batch made and records that nothing of it stands. Names that
/// another batch has linked stay: they are not of this one.
pub(crate) async fn take_back(
    pipeline: &Pipeline,
    download: DownloadId,
    batch: BatchId,
    root: &Path,
    links: &[LinkToMake],
    made: &[MadeLink],
    failure: Option<(tracker_domain::Attention, String)>,
) -> Result<(), StoreError> {
    let targets: Vec<PathBuf> = links.iter().map(|link| link.target.clone()).collect();
    let others: Vec<PathBuf> =
        pipeline.db.read(move |tx| tx.targets_of_others(batch, &targets)).await?;
    let remove: Vec<LinkToRemove> = links
        .iter()
        .filter(|link| !others.contains(&link.target))
        .filter_map(|link| {
            let made = made.iter().find(|made| made.link_id == link.link_id)?;
            Some(LinkToRemove {
                link_id: link.link_id,
                identity: made.identity,
                target: link.target.clone(),
            })
        })
        .collect();
    let (files, root) = (pipeline.files.clone(), root.to_path_buf());
    let report = spawn_blocking(move || undo(&*files, &remove, &root)).await;
    if let Ok(report) = report {
        for (path, reason) in &report.kept {
            warn!(download_id = %download, batch_id = %batch, path = %path.display(),
                reason = reason.as_str(), "a link was kept");
        }
    }
    roll_back(pipeline, download, batch, failure).await
}
