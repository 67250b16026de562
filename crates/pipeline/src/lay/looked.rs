//! Looking whether links still stand, and saying so where they do not.

use tracker_domain::{Actor, Attention, DownloadId, DownloadState, FileLinkId};
use tracker_layout::{LinkHealth, LinkToVerify, Looked, verify};
use tracker_store::{Batch, Download, FileLink, LinkSeen, StoreError, WriteTx};

use super::ended::{root_of, standing};
use crate::Pipeline;

/// Looks at the links of every batch that stands, or of those of one download.
pub(super) async fn look_at(
    pipeline: &Pipeline,
    id: Option<DownloadId>,
) -> Result<Vec<Looked>, StoreError> {
    let batches = pipeline.db.read(|tx| tx.applied_batches()).await?;
    let mut found = Vec::new();
    for batch in batches.into_iter().filter(|batch| id.is_none() || batch.download == id) {
        let Some(download) = batch.download else { continue };
        found.extend(look_at_batch(pipeline, &batch, download).await?);
    }
    if let Some(id) = id.filter(|_| found.is_empty()) {
        forget_trouble(pipeline, id, &Actor::Worker).await?;
    }
    Ok(found)
}

/// Takes back what an earlier look said of links: they are not looked for any more,
/// or are looked at anew.
pub(super) async fn forget_trouble(
    pipeline: &Pipeline,
    id: DownloadId,
    actor: &Actor,
) -> Result<(), StoreError> {
    pipeline.db.write(actor, move |tx| mark(tx, id, None)).await
}

async fn look_at_batch(
    pipeline: &Pipeline,
    batch: &Batch,
    download: DownloadId,
) -> Result<Vec<Looked>, StoreError> {
    let id = batch.id;
    let links = pipeline.db.read(move |tx| tx.links_of(id)).await?;
    let links: Vec<(FileLinkId, FileLink)> = standing(links).collect();
    let todo: Vec<LinkToVerify> = links.iter().filter_map(|(_, link)| to_verify(link)).collect();
    let root = root_of(pipeline, batch);
    let look = pipeline.on_disk(move |files| verify(files, root.as_deref(), &todo));
    let Some(seen) = look.await else {
        return Ok(Vec::new());
    };
    let health = |link: FileLinkId| {
        let found = seen.iter().find(|(id, _)| *id == link).map(|(_, health)| health);
        // Nothing is told of links whose library is away, and a row of before
        // identities were kept cannot be compared.
        found.map_or("unknown", LinkHealth::as_str)
    };
    let looked: Vec<Looked> = links
        .into_iter()
        .map(|(link, row)| Looked {
            link,
            batch: id,
            download,
            source: row.source,
            target: row.target,
            health: health(link),
        })
        .collect();
    let rows: Vec<LinkSeen> =
        looked.iter().map(|one| LinkSeen { id: one.link, health: one.health }).collect();
    let word = trouble(&looked);
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            tx.verify_batch(id, download, &rows)?;
            mark(tx, download, word)
        })
        .await?;
    Ok(looked)
}

fn to_verify(link: &FileLink) -> Option<LinkToVerify> {
    Some(LinkToVerify {
        link_id: link.id,
        source: link.source.clone(),
        target: link.target.clone(),
        identity: link.identity?,
        size_bytes: link.size_bytes?,
        modified_ns: link.modified_ns,
        mode: link.mode,
    })
}

/// The begin of what this module says, by which its marks are told from others.
const SAYS: &str = "links do not stand as they were made";

/// What a person should know, of all that is not as it was.
fn trouble(looked: &[Looked]) -> Option<(Attention, String)> {
    let off = |one: &&Looked| !matches!(one.health, "present" | "unknown");
    let first = looked.iter().find(off)?;
    let count = looked.iter().filter(off).count();
    let attention = match first.health {
        "source-gone" => Attention::SourceMissing,
        "source-replaced" => Attention::SourceChanged,
        _ => Attention::LinkFailed,
    };
    let advice = match first.health {
        "source-gone" => "the payload is gone; what is linked in the library is all there is of it",
        "source-replaced" => {
            "the client has written the file anew; apply it again with `replace`, which keeps the \
             old one in the trash"
        }
        "missing" => "apply it again to make the link, or undo the batch",
        _ => "another file has the name; apply it again with a resolution, or undo the batch",
    };
    let detail = format!(
        "{SAYS}: {} is {} ({count} in all); {advice}",
        first.target.display(),
        first.health
    );
    Some((attention, detail))
}

/// Marks the download, or takes back a mark of an earlier look.
fn mark(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    word: Option<(Attention, String)>,
) -> Result<(), StoreError> {
    let Some(row) = tx.download(id)? else { return Ok(()) };
    let ours = |row: &Download| {
        row.attention_detail.as_deref().is_some_and(|detail| detail.starts_with(SAYS))
    };
    match word {
        Some((attention, detail))
            if row.state == DownloadState::Done && (row.attention.is_none() || ours(&row)) =>
        {
            tx.raise_attention(id, attention, &detail)?.ok();
        }
        None if ours(&row) => {
            tx.clear_attention(id, None)?.ok();
        }
        _ => {}
    }
    Ok(())
}
