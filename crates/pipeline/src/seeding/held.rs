//! Whether libraries hold the data of a torrent, so that it may go with it.

use std::path::PathBuf;

use tracker_domain::observed::{Scope, Seen};
use tracker_ingest::is_own_folder;
use tracker_layout::{LinkToVerify, NotHeld, PayloadFile, held};
use tracker_store::{Download, FileLink, ReadTx, StoreError};

use crate::Pipeline;
use crate::clients::ClientStatus;

/// What a look at the data came to.
pub(crate) enum Holding {
    /// Libraries hold all of it.
    All,
    /// It has to stay; in words.
    Not(String),
    /// The client did not answer; in words.
    Unknown(String),
}

/// Looks whether the data of a torrent may go: it lies in a folder that only this
/// download has, no other torrent of the client is there, and a library link holds
/// each file of it.
pub(crate) async fn holding(
    pipeline: &Pipeline,
    status: &ClientStatus,
    row: &Download,
    seen: &Seen,
) -> Result<Holding, StoreError> {
    let (client, id) = (&status.entry.client, row.id);
    if !is_own_folder(id, &seen.save_path) {
        // Other torrents may have the same files there.
        return Ok(Holding::Not(format!(
            "{} is not a folder of its own: other torrents may use what is in it",
            seen.save_path.0
        )));
    }
    let others = match client.observe(&Scope::Everything).await {
        Ok(all) => all,
        Err(error) => return Ok(Holding::Unknown(error.to_string())),
    };
    let inside = |other: &&Seen| {
        let mut parts = other.save_path.0.split(['/', '\\']);
        other.handle != seen.handle && parts.any(|part| part == id.to_string())
    };
    if let Some(other) = others.iter().find(inside) {
        return Ok(Holding::Not(format!("the torrent {:?} uses the same folder", other.name)));
    }
    let listed = match client.files(&seen.handle).await {
        Ok(listed) => listed,
        Err(error) => return Ok(Holding::Unknown(error.to_string())),
    };
    let folder = match client.locate(&seen.save_path) {
        Ok(folder) => folder,
        Err(error) => return Ok(Holding::Not(error.to_string())),
    };
    let payload: Vec<PayloadFile> = listed
        .into_iter()
        .map(|file| PayloadFile {
            path: folder.join(&file.path),
            size_bytes: file.size_bytes,
            complete: file.complete,
        })
        .collect();
    let links = pipeline.db.read(move |tx| links_with_roots(tx, id)).await?;
    let looked = pipeline.on_disk(move |files| held(files, &folder, &payload, &links)).await;
    Ok(match looked {
        Some(Ok(())) => Holding::All,
        Some(Err(NotHeld::Files(error))) => Holding::Not(error.to_string()),
        Some(Err(why)) => Holding::Not(why.to_string()),
        None => Holding::Unknown("the look at the files broke off".to_owned()),
    })
}

/// The links that stand and can be compared, with the roots that they lie below.
fn links_with_roots(
    tx: &ReadTx<'_>,
    id: tracker_domain::DownloadId,
) -> Result<Vec<(PathBuf, LinkToVerify)>, StoreError> {
    let mut found = Vec::new();
    for link in tx.standing_links(id)? {
        let root = tx.batch(link.batch)?.and_then(|batch| batch.root);
        found.extend(root.zip(to_verify(link)));
    }
    Ok(found)
}

fn to_verify(link: FileLink) -> Option<LinkToVerify> {
    Some(LinkToVerify {
        link_id: link.id,
        identity: link.identity?,
        size_bytes: link.size_bytes?,
        modified_ns: link.modified_ns,
        mode: link.mode,
        source: link.source,
        target: link.target,
    })
}
