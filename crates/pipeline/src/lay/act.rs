//! Carrying a plan out: intend, stage, commit, record. A crash between any two of
//! them is finished or taken back at the next start.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracing::{info, warn};
use tracker_domain::library::Library;
use tracker_domain::observed::{Progress, RemoteFile};
use tracker_domain::ports::Files;
use tracker_domain::{
    Actor, Attention, BatchId, DownloadCause, DownloadId, DownloadState, RecognitionId,
};
use tracker_layout::{
    LinkError, LinkToMake, Plan, StagedLink, WrittenLink, commit, confirm_sources, stage, take_back,
};
use tracker_store::{AcceptRefused, NewBatch, NewLink, Reason, Refusal, Staged, StoreError};

use super::ended::clear_outlived;
use crate::recover::take_back_batch;
use crate::{Board, Pipeline};

/// A plan that nothing stands against, and what it was made of.
pub(super) struct Ready {
    /// The row as it was looked at.
    pub revision: u64,
    pub recognition: RecognitionId,
    pub library: Library,
    pub plan: Plan,
    pub files: Vec<RemoteFile>,
    /// Where the payload is here.
    pub folder: PathBuf,
    /// `PlanAccepted`, or `Reapply` of a download that is done.
    pub cause: DownloadCause,
    /// Whether the match that is proposed is taken with it.
    pub take: bool,
}

/// What carrying out came to.
pub(super) enum Applied {
    /// Every link stands.
    Made(BatchId),
    /// The download changed since it was looked at; nothing was done.
    Changed,
    /// The state does not allow it, or another download owns the hashes.
    Refused(Refusal),
    /// The match cannot be taken; nothing was done.
    NotTaken(AcceptRefused),
    /// The links could not be made; nothing of them is left.
    Failed(LinkError),
    /// It was given up meanwhile, or broke off: recovery looks at it.
    BrokenOff,
}

/// Intends, acts, records.
pub(super) async fn apply(
    pipeline: &Pipeline,
    id: DownloadId,
    actor: &Actor,
    ready: Ready,
) -> Result<Applied, StoreError> {
    let (batch, links) = match intend(pipeline, id, actor, &ready).await {
        Ok((batch, links)) => (batch, links),
        Err(NotIntended::Changed) => return Ok(Applied::Changed),
        Err(NotIntended::Refused(refusal)) => return Ok(Applied::Refused(refusal)),
        Err(NotIntended::NotTaken(refusal)) => return Ok(Applied::NotTaken(refusal)),
        Err(NotIntended::Fault(fault)) => return Err(fault),
    };
    info!(download_id = %id, batch_id = %batch, links = links.len(), "linking");
    let library = ready.library;
    let (todo, place, folder) = (links.clone(), library.clone(), ready.folder);
    let copy = Copying::new(pipeline, id, &links);
    let staged = pipeline
        .on_disk(move |files| {
            let staged = stage(files, &place, &todo, &|bytes| copy.went_on(bytes))?;
            match confirm_sources(files, &folder, &place, &todo, &staged) {
                Ok(()) => Ok(staged),
                Err(error) => Err(taken_back(files, batch, &place, (&todo, &staged), error)),
            }
        })
        .await;
    pipeline.board.set_linking(id, None);
    let staged = match staged {
        Some(Ok(staged)) => staged,
        Some(Err(error)) => return failed(pipeline, id, actor, batch, error).await,
        // The batch stays planned: recovery takes it back.
        None => return Ok(Applied::BrokenOff),
    };
    let rows: Vec<Staged> = staged.iter().map(row_of).collect();
    pipeline.db.write(actor, move |tx| tx.stage_batch(&rows)).await?;
    match finish(pipeline, batch, &library, links, staged).await {
        Some(Ok(())) => {}
        Some(Err(error)) => return failed(pipeline, id, actor, batch, error).await,
        None => return Ok(Applied::BrokenOff),
    }
    match record(pipeline, id, actor, batch).await? {
        true => Ok(Applied::Made(batch)),
        false => Ok(Applied::BrokenOff),
    }
}

/// What was staged goes again: a source was exchanged while it was.
fn taken_back(
    files: &dyn Files,
    batch: BatchId,
    library: &Library,
    (links, staged): (&[LinkToMake], &[StagedLink]),
    error: LinkError,
) -> LinkError {
    let written: Vec<WrittenLink> =
        links.iter().zip(staged).map(|(link, staged)| link.written(staged)).collect();
    let left_behind = take_back(files, &library.root, batch, &written).left_behind();
    LinkError { left_behind, ..error }
}

/// Shows how far a copy is, and slows it down.
struct Copying {
    board: Arc<Board>,
    id: DownloadId,
    bytes_total: u64,
    bytes_done: Cell<u64>,
}

impl Copying {
    fn new(pipeline: &Pipeline, id: DownloadId, links: &[LinkToMake]) -> Self {
        let bytes_total = links.iter().filter_map(|link| link.size_bytes).sum();
        let board = Arc::clone(&pipeline.board);
        Copying { board, id, bytes_total, bytes_done: Cell::new(0) }
    }

    /// After each chunk. Whoever waits for the disk goes first.
    fn went_on(&self, bytes: u64) {
        let bytes_done = self.bytes_done.get() + bytes;
        self.bytes_done.set(bytes_done);
        let progress = Progress {
            bytes_done: Some(bytes_done),
            bytes_total: Some(self.bytes_total),
            ..Progress::default()
        };
        self.board.set_linking(self.id, Some(progress));
        std::thread::yield_now();
    }
}

/// Gives the staged links their names.
pub(crate) async fn finish(
    pipeline: &Pipeline,
    batch: BatchId,
    library: &Library,
    links: Vec<LinkToMake>,
    staged: Vec<StagedLink>,
) -> Option<Result<(), LinkError>> {
    let library = library.clone();
    pipeline.on_disk(move |files| commit(files, &library, batch, &links, &staged)).await
}

fn row_of(link: &StagedLink) -> Staged {
    Staged {
        id: link.link_id,
        identity: link.identity,
        size_bytes: link.size_bytes,
        there_already: link.there_already,
        replaces: link.replaces,
        modified_ns: link.modified_ns,
    }
}

/// Why nothing was written down.
enum NotIntended {
    Changed,
    Refused(Refusal),
    NotTaken(AcceptRefused),
    Fault(StoreError),
}

impl From<StoreError> for NotIntended {
    fn from(fault: StoreError) -> Self {
        NotIntended::Fault(fault)
    }
}

/// Writes the batch down before anything is done, in the transaction that takes the
/// match, where that is wished, and moves the download.
async fn intend(
    pipeline: &Pipeline,
    id: DownloadId,
    actor: &Actor,
    ready: &Ready,
) -> Result<(BatchId, Vec<LinkToMake>), NotIntended> {
    let planned = &ready.plan.links;
    let batch = NewBatch {
        download: id,
        recognition: ready.recognition,
        plan_id: ready.plan.id(),
        library: ready.library.name.clone(),
        root: ready.library.root.clone(),
        mode: ready.library.mode,
        links: planned
            .iter()
            .map(|link| NewLink {
                file_index: link.file,
                source: link.source.clone(),
                target: link.target.clone(),
            })
            .collect(),
    };
    let links = planned.clone();
    let (revision, files, cause) = (ready.revision, ready.files.clone(), ready.cause);
    let (recognition, take) = (ready.recognition, ready.take);
    pipeline
        .db
        .write(actor, move |tx| {
            if tx.download(id)?.is_none_or(|row| row.revision != revision) {
                return Err(NotIntended::Changed);
            }
            if take {
                let taken = tx.accept_recognition(id, None)?.map_err(NotIntended::NotTaken)?;
                if taken.id != recognition {
                    return Err(NotIntended::Changed);
                }
            }
            let moved = match cause {
                DownloadCause::Reapply => {
                    tx.activate_if_no_other_active(id, cause, &Reason::none())?
                }
                cause => tx.set_download_state(id, cause, &Reason::none())?,
            };
            moved.map_err(NotIntended::Refused)?;
            tx.set_files(id, &files)?;
            let (batch_id, ids) = tx.plan_batch(&batch)?;
            let todo = ids.into_iter().zip(links).map(|(link_id, link)| LinkToMake {
                link_id,
                source: link.source,
                target: link.target,
                size_bytes: Some(link.size_bytes),
                replace: link.replaces,
                ours: link.ours,
            });
            Ok((batch_id, todo.collect()))
        })
        .await
}

/// Records a batch that stands, and lets those that it takes the place of go; or
/// takes it back when the download was given up meanwhile. Tells whether it stands.
pub(crate) async fn record(
    pipeline: &Pipeline,
    id: DownloadId,
    actor: &Actor,
    batch: BatchId,
) -> Result<bool, StoreError> {
    let recorded = pipeline
        .db
        .write(actor, move |tx| {
            if tx.download(id)?.is_none_or(|row| row.state != DownloadState::Linking) {
                return Ok::<_, StoreError>(false);
            }
            tx.record_batch(batch, id)?;
            let moved = tx.set_download_state(id, DownloadCause::BatchRecorded, &Reason::none())?;
            Ok(moved.is_ok())
        })
        .await?;
    if !recorded {
        take_back_batch(pipeline, id, batch).await?;
        return Ok(false);
    }
    info!(download_id = %id, batch_id = %batch, "links made");
    tell_servers(pipeline, id, batch).await?;
    clear_outlived(pipeline).await?;
    Ok(true)
}

/// Media servers look at the folders of a batch that changed.
pub(super) async fn tell_servers(
    pipeline: &Pipeline,
    id: DownloadId,
    batch: BatchId,
) -> Result<(), StoreError> {
    let links = pipeline.db.read(move |tx| tx.links_of(batch)).await?;
    let folders = links.iter().filter_map(|link| link.target.parent());
    pipeline.refresh.note(batch, id, folders.map(Path::to_path_buf));
    Ok(())
}

async fn failed(
    pipeline: &Pipeline,
    id: DownloadId,
    actor: &Actor,
    batch: BatchId,
    error: LinkError,
) -> Result<Applied, StoreError> {
    warn!(download_id = %id, batch_id = %batch, error = %error, "links could not be made");
    if !error.left_behind.is_empty() {
        // What stands must not be called undone: recovery takes it back later.
        return Ok(Applied::BrokenOff);
    }
    let failure = (error.kind.attention(), error.to_string());
    roll_back(pipeline, id, actor, batch, Some(failure)).await?;
    Ok(Applied::Failed(error))
}

/// Records that nothing of a batch stands.
pub(crate) async fn roll_back(
    pipeline: &Pipeline,
    id: DownloadId,
    actor: &Actor,
    batch: BatchId,
    failure: Option<(Attention, String)>,
) -> Result<(), StoreError> {
    let row = pipeline.db.read(move |tx| tx.download(id)).await?;
    // A batch that a person's cancel has undone is undone by that person.
    let given_up = row.is_some_and(|row| row.state == DownloadState::Cancelled);
    let actor = match pipeline.db.read(move |tx| tx.last_mover(id)).await? {
        Some(mover) if given_up => mover,
        _ => actor.clone(),
    };
    pipeline
        .db
        .write(&actor, move |tx| {
            let detail = failure.as_ref().map(|(_, detail)| detail.as_str());
            tx.drop_batch(batch, id, detail)?;
            if tx.download(id)?.is_some_and(|row| row.state == DownloadState::Linking) {
                let older_applied = tx.has_applied_batch(id)?;
                let reason = failure.map_or_else(Reason::none, |(attention, detail)| {
                    Reason::because(attention, detail)
                });
                let cause = DownloadCause::BatchRolledBack { older_applied };
                let _moved = tx.set_download_state(id, cause, &reason)?;
            }
            Ok(())
        })
        .await
}
