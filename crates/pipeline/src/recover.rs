//! What was left half done: batches that were intended and not recorded. Each is
//! finished when all of it is there, else taken back; what cannot be looked at now
//! is looked at again.

use std::path::Path;
use std::slice::from_ref;

use tracing::{Instrument, info, info_span, warn};
use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::{Files, FilesError};
use tracker_domain::{Actor, BatchId, DownloadCause, DownloadId, DownloadState};
use tracker_layout::{
    LinkToMake, Recovered, RecoveredState, StagedLink, WrittenLink, recover as look, take_back,
};
use tracker_store::{Batch, FileLink, Reason, StoreError};

use crate::Pipeline;
use crate::lay::{clear_outlived, finish, folder_of, record, remove_below, roll_back, root_of};
use crate::stage::survive;

pub(crate) async fn recover(pipeline: &Pipeline) -> Result<(), StoreError> {
    for batch in pipeline.db.read(|tx| tx.planned_batches()).await? {
        let Some(id) = batch.download else { continue };
        let span = info_span!("download", download_id = %id);
        survive("recover", id, recover_one(pipeline, batch, id).instrument(span).await);
    }
    clear_outlived(pipeline).await?;
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

async fn recover_one(
    pipeline: &Pipeline,
    batch: Batch,
    download: DownloadId,
) -> Result<(), StoreError> {
    let id = batch.id;
    let (links, row) = pipeline
        .db
        .read(move |tx| Ok::<_, StoreError>((tx.links_of(id)?, tx.download(download)?)))
        .await?;
    let root = root_of(pipeline, &batch);
    let (looked_for, below) = (written(&links), root.clone());
    let found = pipeline.on_disk(move |files| look_all(files, id, &looked_for, below.as_deref()));
    let Some(Ok(found)) = found.await else {
        warn!(download_id = %download, batch_id = %id,
            "a batch that was broken off cannot be looked at now");
        return Ok(());
    };
    let whole = |found: &Recovered| {
        matches!(found.state, RecoveredState::Made(_) | RecoveredState::Staged(_))
    };
    let wanted = row.is_some_and(|row| row.state == DownloadState::Linking);
    if let Some(root) = root.filter(|_| wanted && found.iter().all(whole))
        && let Some(staged) = links.iter().map(staged_of).collect::<Option<Vec<_>>>()
    {
        info!(download_id = %download, batch_id = %id, "finishing a batch that was broken off");
        let mode = links.first().map_or(LinkMode::Hardlink, |link| link.mode);
        let library = Library { name: String::new(), kind: LibraryKind::Other, root, mode };
        let todo = links.iter().map(to_make).collect();
        match finish(pipeline, id, &library, todo, staged).await {
            Some(Ok(())) => {
                record(pipeline, download, &Actor::Worker, id).await?;
                return Ok(());
            }
            Some(Err(error)) => warn!(download_id = %download, batch_id = %id, error = %error,
                "a batch that was broken off cannot be finished"),
            None => return Ok(()),
        }
    }
    info!(download_id = %download, batch_id = %id, "taking back a batch that was broken off");
    take_back_batch(pipeline, download, id).await
}

/// What of the links is there.
fn look_all(
    files: &dyn Files,
    batch: BatchId,
    links: &[WrittenLink],
    root: Option<&Path>,
) -> Result<Vec<Recovered>, FilesError> {
    if let Some(root) = root {
        return look(files, root, batch, links);
    }
    let mut found = Vec::new();
    for link in links {
        found.extend(look(files, folder_of(&link.target), batch, from_ref(link))?);
    }
    Ok(found)
}

fn written(links: &[FileLink]) -> Vec<WrittenLink> {
    let one = |link: &FileLink| WrittenLink {
        link_id: link.id,
        source: link.source.clone(),
        target: link.target.clone(),
        identity: link.identity,
        replaces: link.replaces,
        there_already: link.there_already,
    };
    links.iter().map(one).collect()
}

fn to_make(link: &FileLink) -> LinkToMake {
    LinkToMake {
        link_id: link.id,
        source: link.source.clone(),
        target: link.target.clone(),
        size_bytes: link.size_bytes,
        replace: link.replaces.is_some(),
        ours: None,
    }
}

/// What was written down before the crash; `None` where it came before that.
fn staged_of(link: &FileLink) -> Option<StagedLink> {
    Some(StagedLink {
        link_id: link.id,
        identity: link.identity?,
        size_bytes: link.size_bytes?,
        there_already: link.there_already,
        replaces: link.replaces,
        modified_ns: link.modified_ns,
    })
}

/// Removes what a batch made, brings back what it replaced, and records that
/// nothing of it stands. Names that another batch has linked stay: they are not of
/// this one. While the disk refuses, the batch stays planned and is looked at again.
pub(crate) async fn take_back_batch(
    pipeline: &Pipeline,
    download: DownloadId,
    id: BatchId,
) -> Result<(), StoreError> {
    let (batch, links, others) = pipeline
        .db
        .read(move |tx| {
            let links = tx.links_of(id)?;
            let others = tx.targets_of_others(&links)?;
            Ok::<_, StoreError>((tx.batch(id)?, links, others))
        })
        .await?;
    let Some(batch) = batch else { return Ok(()) };
    let root = root_of(pipeline, &batch);
    let mut ours = written(&links);
    ours.retain(|link| !others.contains(&link.target));
    let job = pipeline.on_disk(move |files| {
        let remove = |root: &Path, links: &[_]| take_back(files, root, id, links);
        remove_below(root.as_deref(), &ours, |link| &link.target, remove)
    });
    let Some(report) = job.await else { return Ok(()) };
    if !report.is_complete() {
        warn!(download_id = %download, batch_id = %id, left = report.left_behind().len(),
            "a batch that was broken off cannot be taken back now");
        return Ok(());
    }
    roll_back(pipeline, download, &Actor::Worker, id, None).await
}
