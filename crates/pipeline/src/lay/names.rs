//! What other names the payload of a download has. The client is not asked: its file
//! list is known since it was complete.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use tokio::time::timeout;
use tracker_domain::DownloadId;
use tracker_layout::{LayError, OtherNames, other_names};

use super::asked::{fault, row_of};
use crate::Pipeline;

/// A disk that does not answer for so long keeps nobody waiting.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where a download's files are, by what is known of them, and the names that were made
/// for them. `None` where no file of it is known here, or the disk does not answer.
pub(super) async fn names_of(
    pipeline: &Pipeline,
    id: DownloadId,
) -> Result<Option<OtherNames>, LayError> {
    let row = row_of(pipeline, id).await?;
    let (listed, linked) = pipeline
        .db
        .read(move |tx| {
            Ok::<_, tracker_store::StoreError>((tx.download_files(id)?, tx.standing_links(id)?))
        })
        .await
        .map_err(fault)?;
    let folder = row.save_path.as_ref().and_then(|told| {
        let entry = pipeline.clients.of(row.client.as_deref())?;
        entry.client.locate(told).ok()
    });
    let Some(folder) = folder.filter(|_| !listed.is_empty()) else { return Ok(None) };
    let payload: BTreeSet<PathBuf> = listed
        .into_iter()
        // What was not chosen was never written.
        .filter(|file| file.selected && file.size_bytes > 0)
        .map(|file| folder.join(&file.path))
        .collect();
    let links: BTreeSet<PathBuf> = linked.into_iter().map(|link| link.target).collect();
    let look = pipeline.on_disk(move |files| other_names(files, &payload, &links));
    Ok(timeout(PATIENCE, look).await.ok().flatten())
}
