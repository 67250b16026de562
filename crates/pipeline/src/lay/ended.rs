//! Batches that end: undone by a person, or outlived by a newer one.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tracing::{info, warn};
use tracker_domain::library::LinkMode;
use tracker_domain::{Actor, BatchId, DownloadId, FileLinkId};
use tracker_layout::{
    KeptReason, Left, LinkToRemove, UndoReport, Undone, are_twins, is_one_entry, restore,
    trash_path, twins_of, undo,
};
use tracker_store::{Batch, FileLink, LinkEnd, ReadTx, StoreError};

use super::act::tell_servers;
use crate::Pipeline;

/// Another batch that stands records the same name.
const SHARED: &str = "shared";

/// Somebody had made the link before the batch did.
const THERE_BEFORE: &str = "there-before";

/// Removes the links of a batch that stands, and records it. Names that another
/// batch records as well stay.
pub(super) async fn end_batch(
    pipeline: &Pipeline,
    actor: &Actor,
    batch: &Batch,
    download: DownloadId,
    superseded_by: Option<BatchId>,
) -> Result<Undone, StoreError> {
    let id = batch.id;
    let (links, others, newer) = pipeline
        .db
        .read(move |tx| {
            let links: Vec<_> = standing(tx.links_of(id)?).map(|(_, link)| link).collect();
            let others = tx.targets_of_others(&links)?;
            let newer = match superseded_by {
                Some(by) => tx.links_of(by)?,
                None => Vec::new(),
            };
            let links = links.into_iter().map(|link| with_others(tx, link));
            let links = links.collect::<Result<Vec<_>, _>>()?;
            Ok::<_, StoreError>((links, others, newer))
        })
        .await?;
    let others = with_same_entries(pipeline, &links, others, &newer).await;
    let root = root_of(pipeline, batch);
    let Sorted { stays, ours, trashes, remove } = sorted(links, &others, root.as_deref());
    let job = pipeline.on_disk(move |files| {
        let undo = |root: &Path, links: &[_]| undo(files, root, id, links);
        remove_below(root.as_deref(), &remove, |link| &link.target, undo)
    });
    let report = job.await;
    let Some(report) = report else {
        // Nothing is recorded, so it can be asked for again.
        let left = ours.into_iter().map(|link| Left { target: link.target, reason: "failed" });
        return Ok(Undone { batch: id, left: left.collect() });
    };
    for (path, reason) in &report.kept {
        warn!(download_id = %download, batch_id = %id, path = %path.display(),
            reason = reason.as_str(), "a link was kept");
    }
    // What could not be brought back is brought back once its name is free.
    let failed = |link: &FileLink, trash: &Option<PathBuf>| {
        report.kept.iter().any(|(path, why)| {
            (why.may_pass() || *why == KeptReason::NotRestored)
                && (*path == link.target || Some(path) == trash.as_ref())
        })
    };
    let ends: Vec<LinkEnd> = stays
        .iter()
        .map(|(link, _)| LinkEnd { id: link.id, ended: true })
        .chain(
            ours.iter()
                .zip(&trashes)
                .map(|(link, trash)| LinkEnd { id: link.id, ended: !failed(link, trash) }),
        )
        .collect();
    let outlived = superseded_by.is_some();
    if outlived && !ends.is_empty() && ends.iter().all(|end| !end.ended) {
        // The disk is away: it is tried again, and told when something came of it.
        return Ok(Undone { batch: id, left: Vec::new() });
    }
    let mut left: Vec<Left> =
        stays.into_iter().map(|(link, reason)| Left { target: link.target, reason }).collect();
    left.extend(kept(&report));
    let told = told(&report, &left, superseded_by);
    pipeline
        .db
        .write(actor, move |tx| tx.undo_batch(id, download, &ends, superseded_by, told))
        .await?;
    info!(download_id = %download, batch_id = %id, left = left.len(), "links undone");
    tell_servers(pipeline, download, id).await?;
    Ok(Undone { batch: id, left })
}

fn with_others(tx: &ReadTx<'_>, link: FileLink) -> Result<OfBatch, StoreError> {
    let mut earlier = tx.earlier_at(&link)?;
    if link.there_already && earlier.is_empty() {
        // It may have had other letters.
        earlier = tx.earlier_of(&link)?;
        earlier.retain(|one| are_twins(&one.target, &link.target));
    }
    let taken_by = tx.taker_of(&link)?.map(|taker| taker.batch);
    Ok(OfBatch { link, earlier, taken_by })
}

/// Brings back what a batch replaced that was undone while the names were taken.
pub(super) async fn restore_left(pipeline: &Pipeline, batch: &Batch) -> Result<Undone, StoreError> {
    let id = batch.id;
    let links = pipeline.db.read(move |tx| tx.links_of(id)).await?;
    let root = root_of(pipeline, batch);
    let todo: Vec<LinkToRemove> = links
        .iter()
        .filter(|link| link.replaces.is_some())
        .filter_map(|link| to_remove(link, &[]))
        .collect();
    let Some(root) = root.filter(|_| !todo.is_empty()) else {
        return Ok(Undone { batch: id, left: Vec::new() });
    };
    let report = pipeline.on_disk(move |files| restore(files, &root, id, &todo)).await;
    let report = report.unwrap_or_default();
    if let Some(download) = batch.download.filter(|_| !report.restored.is_empty()) {
        info!(download_id = %download, batch_id = %id, files = report.restored.len(),
            "replaced files are back");
        tell_servers(pipeline, download, id).await?;
    }
    Ok(Undone { batch: id, left: kept(&report).collect() })
}

fn kept(report: &UndoReport) -> impl Iterator<Item = Left> {
    report.kept.iter().map(|(path, reason)| Left { target: path.clone(), reason: reason.as_str() })
}

/// The links of a batch, by what becomes of them.
#[derive(Default)]
struct Sorted {
    /// Links that stay, and why.
    stays: Vec<(FileLink, &'static str)>,
    ours: Vec<FileLink>,
    /// Where what each of ours replaced is, if it replaced something.
    trashes: Vec<Option<PathBuf>>,
    remove: Vec<LinkToRemove>,
}

/// A link, and what other batches have to do with it.
struct OfBatch {
    link: FileLink,
    /// Links of earlier batches at its name.
    earlier: Vec<FileLink>,
    /// The batch for whose sake it moved to the trash.
    taken_by: Option<BatchId>,
}

fn sorted(links: Vec<OfBatch>, others: &[PathBuf], root: Option<&Path>) -> Sorted {
    let mut sorted = Sorted::default();
    for OfBatch { link, earlier, taken_by } in links {
        let trash = |batch| root.and_then(|root| trash_path(root, batch, &link.target));
        let (trash, remove) = if let Some(trash) = taken_by.and_then(trash) {
            let there = |one| LinkToRemove { target: trash.clone(), replaced: None, ..one };
            let remove = to_remove(&link, &[]).map(there);
            (Some(trash), remove)
        } else if others.contains(&link.target) {
            sorted.stays.push((link, SHARED));
            continue;
        } else if was_there_before(&link, &earlier) {
            sorted.stays.push((link, THERE_BEFORE));
            continue;
        } else {
            let remove = to_remove(&link, &earlier);
            let of = remove.as_ref().and_then(|one| one.trash_of).unwrap_or(link.batch);
            (trash(of), remove)
        };
        sorted.trashes.push(trash);
        sorted.remove.extend(remove);
        sorted.ours.push(link);
    }
    sorted
}

/// A disk that folds case takes the old and the new name of a link for one: then
/// the old one must not be removed either.
async fn with_same_entries(
    pipeline: &Pipeline,
    links: &[OfBatch],
    mut others: Vec<PathBuf>,
    newer: &[FileLink],
) -> Vec<PathBuf> {
    if newer.is_empty() {
        return others;
    }
    let old: Vec<PathBuf> = links.iter().map(|one| one.link.target.clone()).collect();
    let new: Vec<PathBuf> = newer.iter().map(|link| link.target.clone()).collect();
    let same = pipeline.on_disk(move |files| {
        // What cannot be looked at is left alone.
        let one = |(old, new): &(&PathBuf, &PathBuf)| is_one_entry(files, old, new).unwrap_or(true);
        twins_of(&old, &new).filter(one).map(|(old, _)| old.clone()).collect::<Vec<_>>()
    });
    others.extend(same.await.unwrap_or_default());
    others
}

/// So many names stand in the journal's entry.
const TOLD: usize = 20;

fn told(report: &UndoReport, left: &[Left], superseded_by: Option<BatchId>) -> Value {
    let names: Vec<Value> = left
        .iter()
        .take(TOLD)
        .map(|left| json!({ "target": left.target, "reason": left.reason }))
        .collect();
    json!({
        "removed": report.removed.len(),
        "gone": report.gone.len(),
        "left": left.len(),
        "names": names,
        "superseded_by": superseded_by.map(|id| id.to_string()),
    })
}

/// Whether the link stood before, and none of our earlier batches had made it.
fn was_there_before(link: &FileLink, earlier: &[FileLink]) -> bool {
    let inode = |link: &FileLink| link.identity.map(|file| file.inode);
    let made = |one: &FileLink| !one.there_already && inode(one) == inode(link);
    link.there_already && !earlier.iter().any(made)
}

fn to_remove(link: &FileLink, earlier: &[FileLink]) -> Option<LinkToRemove> {
    // What an earlier batch replaced under this name is still in the trash of that one.
    let before = earlier.iter().find(|one| one.download == link.download && one.replaces.is_some());
    let before = before.filter(|_| link.replaces.is_none());
    Some(LinkToRemove {
        link_id: link.id,
        identity: link.identity?,
        target: link.target.clone(),
        replaced: link.replaces.or_else(|| before?.replaces),
        size_bytes: link.size_bytes,
        modified_ns: link.modified_ns,
        last_stays: link.mode == LinkMode::Hardlink,
        trash_of: before.map(|one| one.batch),
    })
}

/// The root that a batch was made below: as it was written down, else as the
/// configuration has it.
pub(crate) fn root_of(pipeline: &Pipeline, batch: &Batch) -> Option<PathBuf> {
    let named = |name: &String| pipeline.libraries.iter().find(|library| library.name == *name);
    let configured = || batch.library.as_ref().and_then(named).map(|library| library.root.clone());
    batch.root.clone().or_else(configured)
}

/// Removes links below their root. Without one each link is removed in its own
/// folder: the links are ours all the same, only folders are not removed.
pub(crate) fn remove_below<L>(
    root: Option<&Path>,
    links: &[L],
    target: fn(&L) -> &Path,
    remove: impl Fn(&Path, &[L]) -> UndoReport,
) -> UndoReport {
    if let Some(root) = root {
        return remove(root, links);
    }
    let mut all = UndoReport::default();
    for link in links {
        all.join(remove(folder_of(target(link)), std::slice::from_ref(link)));
    }
    all
}

/// The folder of a name.
pub(crate) fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(target)
}

/// Removes the links of batches that a newer one of their download has taken the
/// place of. What cannot be removed now is tried again at the next look.
pub(crate) async fn clear_outlived(pipeline: &Pipeline) -> Result<(), StoreError> {
    for batch in pipeline.db.read(|tx| tx.outlived_batches()).await? {
        let Some(download) = batch.download else { continue };
        let newest = pipeline.db.read(move |tx| tx.batches_of(download)).await?;
        let by = newest.iter().find(|newer| newer.state == "applied").map(|newer| newer.id);
        end_batch(pipeline, &Actor::Worker, &batch, download, by).await?;
    }
    Ok(())
}

/// The links that a batch still records.
pub(super) fn standing(links: Vec<FileLink>) -> impl Iterator<Item = (FileLinkId, FileLink)> {
    links.into_iter().filter(|link| link.state == "linked").map(|link| (link.id, link))
}
