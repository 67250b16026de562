//! What was left half done: batches that were intended and not recorded. Each is
//! finished when all of it stands, else taken back; what cannot be looked at now
//! is looked at again.

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use tracing::{Instrument, info, info_span, warn};
use tracker_domain::ports::{Files, FilesError};
use tracker_domain::{Actor, BatchId, DownloadCause, DownloadId, DownloadState};
use tracker_layout::{
    KeptReason, LinkToMake, LinkToRemove, MadeLink, Recovered, RecoveredState, UndoReport,
    recover as look, undo,
};
use tracker_store::{FileLink, PlannedBatch, Reason, StoreError};

use crate::Pipeline;
use crate::link::{record, roll_back};
use crate::stage::survive;

pub(crate) async fn recover(pipeline: &Pipeline) -> Result<(), StoreError> {
    for batch in pipeline.db.read(|tx| tx.planned_batches()).await? {
        let id = batch.download;
        let span = info_span!("download", download_id = %id);
        survive("recover", id, recover_one(pipeline, batch).instrument(span).await);
    }
    let stranded = pipeline.db.read(|tx| tx.linking_without_batch()).await?;
    if stranded.is_empty() {
        return Ok(());
    }
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
    let named = |name: &String| pipeline.libraries.iter().find(|library| library.name == *name);
    // Without its library in the configuration each link is looked at in its own
    // folder: the links are ours all the same, only folders are not removed.
    let root = batch.library.as_ref().and_then(named).map(|library| library.root.clone());
    let todo: Vec<LinkToMake> = links.iter().map(to_make).collect();
    let (looked_for, below) = (todo.clone(), root.clone());
    let found = pipeline.on_disk(move |files| look_all(files, &looked_for, below.as_deref())).await;
    let Some(Ok(Some(found))) = found else {
        warn!(download_id = %download, batch_id = %id,
            "a batch that was broken off cannot be looked at now");
        return Ok(());
    };
    let made: Vec<MadeLink> = found.iter().filter_map(made_of).collect();
    let wanted = row.is_some_and(|row| row.state == DownloadState::Linking);
    if wanted && made.len() == todo.len() {
        info!(download_id = %download, batch_id = %id, "finishing a batch that was broken off");
        return record(pipeline, download, id, root, &todo, made).await;
    }
    info!(download_id = %download, batch_id = %id, "taking back a batch that was broken off");
    take_back(pipeline, download, id, root, &todo, &made).await
}

/// What of the links is there; `None` while the root is not: a disk that is not
/// mounted tells nothing of what is on it.
fn look_all(
    files: &dyn Files,
    links: &[LinkToMake],
    root: Option<&Path>,
) -> Result<Option<Vec<Recovered>>, FilesError> {
    if let Some(root) = root {
        if !files.stat(&root.join("."))?.is_some_and(|stat| stat.is_dir) {
            return Ok(None);
        }
        return look(files, links, root).map(Some);
    }
    let mut found = Vec::new();
    for link in links {
        found.extend(look(files, from_ref(link), folder_of(&link.target))?);
    }
    Ok(Some(found))
}

fn undo_all(files: &dyn Files, links: &[LinkToRemove], root: Option<&Path>) -> UndoReport {
    if let Some(root) = root {
        return undo(files, links, root);
    }
    let mut all = UndoReport::default();
    for link in links {
        let one = undo(files, from_ref(link), folder_of(&link.target));
        all.removed.extend(one.removed);
        all.gone.extend(one.gone);
        all.kept.extend(one.kept);
        all.errors.extend(one.errors);
    }
    all
}

fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(target)
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
/// another batch has linked stay: they are not of this one. While the disk
/// refuses, the batch stays planned and is looked at again.
pub(crate) async fn take_back(
    pipeline: &Pipeline,
    download: DownloadId,
    batch: BatchId,
    root: Option<PathBuf>,
    links: &[LinkToMake],
    made: &[MadeLink],
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
    let report = pipeline.on_disk(move |files| undo_all(files, &remove, root.as_deref())).await;
    let Some(report) = report else { return Ok(()) };
    for (path, reason) in &report.kept {
        warn!(download_id = %download, batch_id = %batch, path = %path.display(),
            reason = reason.as_str(), "a link was kept");
    }
    if report.kept.iter().any(|(_, reason)| *reason == KeptReason::Failed) {
        return Ok(());
    }
    roll_back(pipeline, download, batch, None).await
}
