//! The worker that lays complete downloads out in a library: plan, intend, act,
//! record. What cannot be linked rests with the reason.

mod holds;

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use tokio_util::sync::CancellationToken;
use tracing::{Instrument, debug, info, info_span, warn};
use tracker_domain::library::{Library, LibraryKind};
use tracker_domain::observed::{ClientPath, Handle, Phase, RemoteFile, Scope, Seen};
use tracker_domain::ports::{Files, FilesError};
use tracker_domain::recognised::{Recognised, TitleKind};
use tracker_domain::{
    Actor, Attention, BatchId, DownloadCause, DownloadId, DownloadState, UnixMillis,
};
use tracker_ingest::ClientEntry;
use tracker_layout::{
    CheckError, LinkError, LinkToMake, MadeLink, Plan, PlanInput, check_sources, check_targets,
    execute, first_not_in_place, plan,
};
use tracker_store::{Download, Made, NewBatch, NewLink, Reason, Recognition, StoreError};

use crate::Pipeline;
use crate::recover::{recover, take_back};
use crate::stage::{Ends, Stage, survive};
use holds::{Matched, matched, what_holds};

/// How often a batch is looked at that could not be finished or taken back.
const RECOVER_MS: u64 = 60_000;

/// The stage. It alone makes batches, so between its passes none is under way.
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
        survive(LinkStage::NAME, id, settle(pipeline, id, stop).instrument(span).await);
    }
    Ok(())
}

/// What keeps a download from being linked: for a person, or nothing but time.
enum Hold {
    /// Something to look at.
    Look(Attention, String),
    /// The client does not answer or is busy; the next turn looks again.
    Later,
    /// A fault of the database.
    Fault(StoreError),
}

impl From<StoreError> for Hold {
    fn from(error: StoreError) -> Self {
        Hold::Fault(error)
    }
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
        Ok(ready) => apply(pipeline, id, ready).await,
        Err(Hold::Later) => Ok(()),
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

/// A plan that nothing stands against, and what it was made of.
struct Ready {
    revision: u64,
    recognition: Recognition,
    library: Library,
    plan: Plan,
    files: Vec<RemoteFile>,
}

async fn prepare(pipeline: &Pipeline, id: DownloadId) -> Result<Ready, Hold> {
    let Some((row, matched)) = pipeline.db.read(move |tx| matched(tx, id)).await? else {
        return Err(Hold::Later);
    };
    let Matched { recognition, overrides, work } = matched;
    let recognised = what_holds(pipeline, &recognition, &overrides, work.as_ref())?;
    let named = overrides.iter().find(|(field, _)| field == "library").map(|(_, name)| name);
    let library = library_for(pipeline, recognised.fields.kind, named.map(String::as_str))?;
    let (seen, files) = ask(pipeline, &row).await?;
    let folder = local_folder(pipeline, &row, &seen.save_path).await?;
    let revision = row.revision;
    let made = planned(pipeline, recognised, &files, folder, &library).await?;
    in_place(pipeline, id, &made).await?;
    Ok(Ready { revision, recognition, library, plan: made, files })
}

/// The library by a person's word, or the first that holds the kind.
fn library_for(
    pipeline: &Pipeline,
    kind: Option<TitleKind>,
    named: Option<&str>,
) -> Result<Library, Hold> {
    let kind = match kind {
        Some(TitleKind::Movie) => LibraryKind::Movie,
        Some(TitleKind::Series) => LibraryKind::Series,
        Some(TitleKind::Anime) => LibraryKind::Anime,
        Some(TitleKind::Other) | None => LibraryKind::Other,
    };
    let found = pipeline.libraries.iter().find(|library| match named {
        Some(name) => library.name == name,
        None => library.kind == kind,
    });
    found.cloned().ok_or_else(|| {
        let detail = match named {
            Some(name) => format!("the library {name:?} is not in the configuration"),
            None => format!("no library of kind {kind} is configured; add one or name a library"),
        };
        Hold::Look(Attention::NeedsReview, detail)
    })
}

/// The client's word of this moment: paths and completeness may have changed
/// since the last look, and while data moves nothing is linked.
async fn ask(pipeline: &Pipeline, row: &Download) -> Result<(Seen, Vec<RemoteFile>), Hold> {
    if !pipeline.answers(row) {
        return Err(Hold::Later);
    }
    let entry = pipeline.clients.of(row.client.as_deref()).ok_or(Hold::Later)?;
    let handle = row.handle.as_ref().ok_or(Hold::Later)?;
    let seen = find(entry, row, handle).await.ok_or(Hold::Later)?;
    if seen.phase != Phase::Complete {
        return Err(Hold::Later);
    }
    let files = entry.client.files(&seen.handle).await.map_err(|_| Hold::Later)?;
    if files.is_empty() { Err(Hold::Later) } else { Ok((seen, files)) }
}

async fn find(entry: &ClientEntry, row: &Download, handle: &Handle) -> Option<Seen> {
    let hashes = row.infohashes.as_ref()?;
    let scope = Scope::Infohashes(hashes.iter().collect());
    let seen = entry.client.observe(&scope).await.ok()?;
    seen.into_iter().find(|seen| seen.handle == *handle || seen.infohashes.intersects(hashes))
}

/// Where the client's folder is here.
async fn local_folder(
    pipeline: &Pipeline,
    row: &Download,
    folder: &ClientPath,
) -> Result<PathBuf, Hold> {
    let unmapped = |detail: String| Hold::Look(Attention::PathUnmapped, detail);
    let entry = pipeline.clients.of(row.client.as_deref()).ok_or(Hold::Later)?;
    let local = entry.client.locate(folder).map_err(|error| unmapped(error.to_string()))?;
    let there = local.clone();
    let found = pipeline.on_disk(move |files| match files.stat(&there.join("."))? {
        Some(stat) => Ok(Ok(stat.is_dir)),
        None => Ok::<_, FilesError>(Err(first_missing(files, &there))),
    });
    match found.await.ok_or(Hold::Later)? {
        Ok(Ok(true)) => Ok(local),
        Ok(Ok(false)) => Err(unmapped(format!("{} is not a folder", local.display()))),
        // The torrent's own folder comes with its first file.
        Ok(Err(missing)) if missing == local && pipeline.is_settling(row.id) => Err(Hold::Later),
        Ok(Err(missing)) => Err(unmapped(format!(
            "the client's folder {:?} would be {} here, and {} does not exist; \
             set path_map of the client {:?}",
            folder.0,
            local.display(),
            missing.display(),
            entry.name
        ))),
        Err(error) => Err(unmapped(error.to_string())),
    }
}

fn first_missing(files: &dyn Files, path: &Path) -> PathBuf {
    let mut missing = path.to_path_buf();
    for ancestor in path.ancestors().skip(1) {
        if matches!(files.stat(ancestor), Ok(Some(_))) {
            break;
        }
        missing = ancestor.to_path_buf();
    }
    missing
}

/// The plan, compared with what is in the library.
async fn planned(
    pipeline: &Pipeline,
    recognised: Recognised,
    files: &[RemoteFile],
    folder: PathBuf,
    library: &Library,
) -> Result<Plan, Hold> {
    let (library, files) = (library.clone(), files.to_vec());
    let job = pipeline.on_disk(move |disk| {
        let name_limit = disk.name_limit(&library.root).unwrap_or(255);
        let input = PlanInput {
            recognised: &recognised,
            files: &files,
            source_root: &folder,
            library: &library,
            name_limit,
        };
        let plan = plan(&input);
        check_sources(disk, &plan, &folder)?;
        check_targets(disk, plan, &library.root)
    });
    let checked = job.await.ok_or(Hold::Later)?.map_err(|error| match error {
        CheckError::LeadsOut(_) => Hold::Look(Attention::UnsafeContent, error.to_string()),
        CheckError::RootMissing(_) | CheckError::Files(FilesError { .. }) => {
            Hold::Look(Attention::LinkFailed, error.to_string())
        }
    })?;
    if let Some(conflict) = checked.conflicts.first() {
        let detail = format!(
            "{}: {} cannot go to {} ({} in all)",
            conflict.kind.as_str(),
            conflict.source.display(),
            conflict.target.display(),
            checked.conflicts.len()
        );
        return Err(Hold::Look(Attention::Conflict, detail));
    }
    if checked.links.is_empty() {
        let reasons: Vec<&str> = checked.skipped.iter().map(|file| file.reason.as_str()).collect();
        let detail = format!("no file can be linked: {}", reasons.join(", "));
        return Err(Hold::Look(Attention::NeedsReview, detail));
    }
    Ok(checked)
}

/// A client calls a torrent complete when the hash of its last piece is right,
/// which may be before every file is on the disk. A file that is not there is
/// a fault only when that lasts; linking then says which.
async fn in_place(pipeline: &Pipeline, id: DownloadId, plan: &Plan) -> Result<(), Hold> {
    let looked_at = plan.clone();
    let found = pipeline.on_disk(move |files| first_not_in_place(files, &looked_at));
    match found.await.ok_or(Hold::Later)? {
        Ok(Some(source)) if pipeline.is_settling(id) => {
            debug!(download_id = %id, source = %source.display(), "not on the disk yet");
            Err(Hold::Later)
        }
        // Linking names the cause of what remains.
        Ok(_) | Err(_) => {
            pipeline.settling.forget(id);
            Ok(())
        }
    }
}

/// Intends, acts, records.
async fn apply(pipeline: &Pipeline, id: DownloadId, ready: Ready) -> Result<(), StoreError> {
    let Some((batch, links)) = intend(pipeline, id, &ready).await? else { return Ok(()) };
    let (library, todo) = (ready.library.clone(), links.clone());
    info!(download_id = %id, batch_id = %batch, links = links.len(), "linking");
    match pipeline.on_disk(move |files| execute(files, &todo, &library)).await {
        Some(Ok(made)) => record(pipeline, id, batch, Some(ready.library.root), &links, made).await,
        Some(Err(error)) => failed(pipeline, id, batch, &error).await,
        // The batch stays planned: recovery finishes it or takes it back.
        None => Ok(()),
    }
}

/// Writes the batch down before anything is done, in the transaction that moves
/// the download. `None` when it changed meanwhile.
async fn intend(
    pipeline: &Pipeline,
    id: DownloadId,
    ready: &Ready,
) -> Result<Option<(BatchId, Vec<LinkToMake>)>, StoreError> {
    let batch = NewBatch {
        download: id,
        recognition: ready.recognition.id,
        plan_id: ready.plan.id(),
        library: ready.library.name.clone(),
        mode: ready.library.mode,
        links: ready
            .plan
            .links
            .iter()
            .map(|link| NewLink {
                file_index: link.file,
                source: link.source.clone(),
                target: link.target.clone(),
            })
            .collect(),
    };
    let sizes: Vec<u64> = ready.plan.links.iter().map(|link| link.size_bytes).collect();
    let (revision, files) = (ready.revision, ready.files.clone());
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            if tx.download(id)?.is_none_or(|row| row.revision != revision) {
                return Ok(None);
            }
            let moved = tx.set_download_state(id, DownloadCause::PlanAccepted, &Reason::none())?;
            if moved.is_err() {
                return Ok(None);
            }
            tx.set_files(id, &files)?;
            let (batch_id, ids) = tx.plan_batch(&batch)?;
            let links = ids
                .into_iter()
                .zip(batch.links)
                .zip(sizes)
                .map(|((link_id, link), size_bytes)| LinkToMake {
                    link_id,
                    source: link.source,
                    target: link.target,
                    size_bytes: Some(size_bytes),
                })
                .collect();
            Ok(Some((batch_id, links)))
        })
        .await
}

/// Records a batch that stands; or takes it back when the download was given up
/// meanwhile.
pub(crate) async fn record(
    pipeline: &Pipeline,
    id: DownloadId,
    batch: BatchId,
    root: Option<PathBuf>,
    links: &[LinkToMake],
    made: Vec<MadeLink>,
) -> Result<(), StoreError> {
    let rows: Vec<Made> = made
        .iter()
        .map(|link| Made { id: link.link_id, identity: link.identity, size_bytes: link.size_bytes })
        .collect();
    let recorded = pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            if tx.download(id)?.is_none_or(|row| row.state != DownloadState::Linking) {
                return Ok::<_, StoreError>(false);
            }
            tx.record_batch(batch, id, &rows)?;
            let moved = tx.set_download_state(id, DownloadCause::BatchRecorded, &Reason::none())?;
            Ok(moved.is_ok())
        })
        .await?;
    if recorded {
        info!(download_id = %id, batch_id = %batch, "links made");
        return Ok(());
    }
    take_back(pipeline, id, batch, root, links, &made).await
}

async fn failed(
    pipeline: &Pipeline,
    id: DownloadId,
    batch: BatchId,
    error: &LinkError,
) -> Result<(), StoreError> {
    warn!(download_id = %id, batch_id = %batch, error = %error, "links could not be made");
    if !error.left_behind.is_empty() {
        // What stands must not be called undone: recovery takes it back later.
        return Ok(());
    }
    roll_back(pipeline, id, batch, Some((error.kind.attention(), error.to_string()))).await
}

/// Records that nothing of a batch stands.
pub(crate) async fn roll_back(
    pipeline: &Pipeline,
    id: DownloadId,
    batch: BatchId,
    failure: Option<(Attention, String)>,
) -> Result<(), StoreError> {
    let row = pipeline.db.read(move |tx| tx.download(id)).await?;
    // A batch that a person's cancel has undone is undone by that person.
    let given_up = row.is_some_and(|row| row.state == DownloadState::Cancelled);
    let actor = match pipeline.db.read(move |tx| tx.last_mover(id)).await? {
        Some(actor) if given_up => actor,
        _ => Actor::Worker,
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
