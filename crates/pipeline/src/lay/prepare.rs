//! What a plan is made of: what the torrent is, its files, and where they are. It
//! looks, and changes nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracing::debug;
use tracker_domain::library::{Library, LibraryKind};
use tracker_domain::metadata::{Provider, Work};
use tracker_domain::observed::{ClientPath, Handle, Phase, RemoteFile, Scope, Seen, choose};
use tracker_domain::ports::{ClientError, Files, FilesError};
use tracker_domain::recognised::Recognised;
use tracker_domain::{Attention, DownloadId};
use tracker_ingest::ClientEntry;
use tracker_layout::{
    CheckError, OwnLink, Plan, PlanInput, Style, check_sources, check_targets, first_not_in_place,
    plan_as,
};
use tracker_store::{Download, ReadTx, Recognition, StoreError, TaskKind};

use super::holds::{Matched, matched, proposed, what_holds};
use crate::{Pipeline, proofs};

/// What keeps a download from being linked: for a person, or nothing but time.
#[derive(Debug)]
pub(super) enum Hold {
    /// Something to look at.
    Look(Attention, String),
    /// Nothing is known yet, or the look broke off; the next turn looks again.
    Later,
    /// The client does not answer; the next turn asks again.
    Unreachable {
        /// Its name.
        client: String,
        /// Why.
        detail: String,
    },
    /// The client has it, and is not done with it.
    Busy,
    /// A fault of the database.
    Fault(StoreError),
}

impl From<StoreError> for Hold {
    fn from(error: StoreError) -> Self {
        Hold::Fault(error)
    }
}

/// Everything a plan depends on, but the disk.
pub(super) struct Basis {
    pub row: Download,
    pub recognition: Recognition,
    pub recognised: Recognised,
    pub library: Library,
    pub files: Vec<RemoteFile>,
    /// Where the payload is here.
    pub folder: PathBuf,
    /// Every selected file is there: the plan can be carried out.
    pub complete: bool,
    /// The number of the work at TMDB, for names that carry it.
    pub tmdb: Option<u64>,
}

/// What can be linked now, by the client's and the person's word; with `take` also by a
/// match that is proposed.
pub(super) async fn to_link(
    pipeline: &Pipeline,
    id: DownloadId,
    take: bool,
) -> Result<Basis, Hold> {
    let (row, matched) = found(pipeline, id).await?;
    let recognised = what_holds(pipeline, &matched, take)?;
    let Matched { recognition, overrides, work } = matched;
    let library = library_for(pipeline, &recognised, &overrides)?;
    let (seen, files) = ask(pipeline, &row).await?;
    let folder = local_folder(pipeline, &row, &seen.save_path).await?;
    let tmdb = work.as_ref().and_then(number_at_tmdb);
    Ok(Basis { row, recognition, recognised, library, files, folder, complete: true, tmdb })
}

fn number_at_tmdb(work: &Work) -> Option<u64> {
    Some(work.id).filter(|id| id.provider == Provider::Tmdb).map(|id| id.number)
}

/// What would be linked as things stand: with the best match where none is
/// accepted, and as if what is still under way were here.
pub(super) async fn to_show(pipeline: &Pipeline, id: DownloadId) -> Result<Basis, Hold> {
    let (row, matched) = found(pipeline, id).await?;
    let Matched { recognition, overrides, work } = matched;
    let recognised = proposed(pipeline, &recognition, &overrides, work.as_ref());
    let library = library_for(pipeline, &recognised, &overrides)?;
    let tmdb = work.as_ref().and_then(number_at_tmdb);
    if let Ok((seen, files)) = ask(pipeline, &row).await {
        let folder = local_folder(pipeline, &row, &seen.save_path).await?;
        let complete = true;
        return Ok(Basis { row, recognition, recognised, library, files, folder, complete, tmdb });
    }
    let mut files = pipeline.db.read(move |tx| tx.download_files(id)).await?;
    if files.is_empty() {
        let detail = "the file list is not known yet; wait for the client to show it".to_owned();
        return Err(Hold::Look(Attention::NeedsReview, detail));
    }
    if let Some(unwanted) = &row.unwanted {
        choose(&mut files, unwanted, false);
    }
    for file in files.iter_mut().filter(|file| file.selected) {
        file.complete = true;
    }
    let folder = known_folder(pipeline, &row);
    Ok(Basis { row, recognition, recognised, library, files, folder, complete: false, tmdb })
}

async fn found(pipeline: &Pipeline, id: DownloadId) -> Result<(Download, Matched), Hold> {
    pipeline.db.read(move |tx| matched(tx, id)).await?.ok_or(Hold::Later)
}

/// The folder that was told last, here; where the client's paths cannot be told
/// from ours it is shown as the client has it.
fn known_folder(pipeline: &Pipeline, row: &Download) -> PathBuf {
    let Some(told) = &row.save_path else { return PathBuf::new() };
    let entry = pipeline.clients.of(row.client.as_deref());
    let local = entry.and_then(|entry| entry.client.locate(told).ok());
    local.unwrap_or_else(|| PathBuf::from(&told.0))
}

/// The library by a person's word, or the first that holds the kind.
fn library_for(
    pipeline: &Pipeline,
    recognised: &Recognised,
    overrides: &[(String, String)],
) -> Result<Library, Hold> {
    let named = overrides.iter().find(|(field, _)| field == "library").map(|(_, name)| name);
    let kind = recognised.fields.kind.map_or(LibraryKind::Other, LibraryKind::from);
    let found = pipeline.libraries.iter().find(|library| match named {
        Some(name) => library.name == *name,
        None => library.kind == kind,
    });
    found.cloned().ok_or_else(|| {
        let detail = match named {
            Some(name) => format!("the library {name:?} is not in the configuration"),
            None if recognised.fields.kind.is_none() => "whether it is a film or a series is not \
                known: `tracker override ID kind movie`, `series` or `anime` says it"
                .to_owned(),
            None => format!(
                "no library of kind {kind} is configured; add one, or name one with \
                 `tracker override ID library NAME`"
            ),
        };
        Hold::Look(Attention::NeedsReview, detail)
    })
}

/// The client's word of this moment: paths and completeness may have changed
/// since the last look, and while data moves nothing is linked.
async fn ask(pipeline: &Pipeline, row: &Download) -> Result<(Seen, Vec<RemoteFile>), Hold> {
    let silent = |detail: String| Hold::Unreachable {
        client: row.client.clone().unwrap_or_default(),
        detail,
    };
    let entry = pipeline
        .clients
        .of(row.client.as_deref())
        .ok_or_else(|| silent("it is not in the configuration".to_owned()))?;
    let handle = row.handle.as_ref().ok_or(Hold::Busy)?;
    let seen = find(entry, row, handle).await.map_err(|error| silent(error.to_string()))?;
    let seen = seen.ok_or(Hold::Busy)?;
    if seen.phase != Phase::Complete {
        return Err(Hold::Busy);
    }
    let files = entry.client.files(&seen.handle).await;
    let mut files = files.map_err(|error| silent(error.to_string()))?;
    if let Some(unwanted) = &row.unwanted {
        let id = row.id;
        if pipeline.db.read(move |tx| tx.has_open_task(id, TaskKind::Select)).await? {
            return Err(Hold::Busy);
        }
        choose(&mut files, unwanted, true);
        // Chosen just now, it may count as complete for one more moment.
        if files.iter().any(|file| file.selected && !file.complete) {
            return Err(Hold::Busy);
        }
    }
    if files.is_empty() { Err(Hold::Busy) } else { Ok((seen, files)) }
}

async fn find(
    entry: &ClientEntry,
    row: &Download,
    handle: &Handle,
) -> Result<Option<Seen>, ClientError> {
    let Some(hashes) = row.infohashes.as_ref() else { return Ok(None) };
    let scope = Scope::Infohashes(hashes.iter().collect());
    let seen = entry.client.observe(&scope).await?;
    let ours = |seen: &Seen| seen.handle == *handle || seen.infohashes.intersects(hashes);
    Ok(seen.into_iter().find(ours))
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

/// The plan, compared with what is in the library. Conflicts are part of it.
pub(super) async fn planned(pipeline: &Pipeline, basis: &Basis) -> Result<Plan, Hold> {
    let (library, files) = (basis.library.clone(), basis.files.clone());
    let (recognised, folder) = (basis.recognised.clone(), basis.folder.clone());
    let (complete, tmdb) = (basis.complete, basis.tmdb);
    let id = basis.row.id;
    let own = pipeline.db.read(move |tx| own_links(tx, id)).await?;
    let policy = Arc::clone(&pipeline.policy);
    let job = pipeline.on_disk(move |disk| {
        let name_limit = disk.name_limit(&library.root).unwrap_or(255);
        let input = PlanInput {
            recognised: &recognised,
            files: &files,
            source_root: &folder,
            library: &library,
            name_limit,
        };
        let plan = plan_as(&input, &Style { naming: &policy.naming, tmdb });
        if complete {
            check_sources(disk, &plan, &folder)?;
        }
        let plan = check_targets(disk, plan, &library)?;
        let (mut plan, renamed) = plan.beside_own(disk, library.mode, &own)?;
        if renamed {
            // What follows its video to another name may meet something there.
            plan = check_targets(disk, plan, &library)?.beside_own(disk, library.mode, &own)?.0;
        }
        Ok(plan.without_taken_artwork())
    });
    job.await.ok_or(Hold::Later)?.map_err(|error: CheckError| match error {
        CheckError::LeadsOut(_) => Hold::Look(Attention::UnsafeContent, error.to_string()),
        CheckError::RootMissing(_) | CheckError::Files(FilesError { .. }) => {
            Hold::Look(Attention::LinkFailed, error.to_string())
        }
    })
}

/// The links of a download that stand.
fn own_links(tx: &ReadTx<'_>, id: DownloadId) -> Result<Vec<OwnLink>, StoreError> {
    let mut own = Vec::new();
    for batch in tx.batches_of(id)?.into_iter().filter(|batch| batch.state == "applied") {
        let links = tx.links_of(batch.id)?.into_iter().filter(|link| link.state == "linked");
        own.extend(links.filter_map(|link| {
            Some(OwnLink {
                identity: link.identity?,
                source: link.source,
                target: link.target,
                size_bytes: link.size_bytes,
                modified_ns: link.modified_ns,
            })
        }));
    }
    Ok(own)
}

/// A plan that can be carried out by itself: nothing stands in the way.
pub(super) fn ready(plan: Plan) -> Result<Plan, Hold> {
    if let Some(conflict) = plan.conflicts.first() {
        let detail = format!(
            "{}: {} cannot go to {} ({} in all)",
            conflict.kind.as_str(),
            conflict.source.display(),
            conflict.target.display(),
            plan.conflicts.len()
        );
        return Err(Hold::Look(Attention::Conflict, detail));
    }
    if plan.links.is_empty() {
        let reasons: Vec<&str> = plan.skipped.iter().map(|file| file.reason.as_str()).collect();
        let detail = format!("no file can be linked: {}", reasons.join(", "));
        return Err(Hold::Look(Attention::NeedsReview, detail));
    }
    Ok(plan)
}

/// A client calls a torrent complete when the hash of its last piece is right,
/// which may be before every file is on the disk. A file that is not there is
/// a fault only when that lasts; linking then says which.
pub(super) async fn in_place(pipeline: &Pipeline, id: DownloadId, plan: &Plan) -> Result<(), Hold> {
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

/// Whether links of this client into this library are known to work: the first
/// file of the plan shows it, before anything is written down.
pub(super) async fn proven(pipeline: &Pipeline, basis: &Basis, plan: &Plan) -> Result<(), Hold> {
    let Some(first) = plan.links.first() else { return Ok(()) };
    let client = pipeline.clients.of(basis.row.client.as_deref());
    let client = client.map_or("", |entry| entry.name.as_str());
    proofs::settle(pipeline, client, &basis.library, &basis.folder, &first.source).await.map_err(
        |why| {
            let (source, target) = (first.source.display(), first.target.display());
            let detail = format!("cannot link {source} to {target}: {why}; nothing was changed");
            Hold::Look(Attention::LinkFailed, detail)
        },
    )
}
