//! The worker that looks at the library roots. A configured root that is
//! missing is never made: it may be a disk that is not mounted.

use std::path::Path;

use tracker_domain::health::{Check, Level};
use tracker_domain::{Actor, Attention, DownloadId, DownloadState};
use tracker_store::{Download, DownloadFilter, StoreError};

use crate::Pipeline;
use crate::stage::Stage;

/// So many that could not be linked are tried again at once.
const MOST_AT_ONCE: u32 = 1000;

/// The stage.
pub(crate) struct RootsStage {
    pub pipeline: Pipeline,
}

impl Stage for RootsStage {
    const NAME: &'static str = "roots";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline).await
    }
}

pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    let at = pipeline.db.clock().now();
    for library in pipeline.libraries.iter() {
        let root = library.root.clone();
        // A root may be reached through a symbolic link.
        let problem = match pipeline.on_disk(move |files| files.stat(&root.join("."))).await {
            Some(Ok(Some(stat))) if stat.is_dir => None,
            Some(Ok(Some(_))) => Some(format!("{} is not a folder", library.root.display())),
            Some(Ok(None)) => Some(format!("{} is not there", library.root.display())),
            Some(Err(error)) => Some(error.to_string()),
            None => Some("looking at it broke off".to_owned()),
        };
        let fine = problem.is_none();
        let was_fine = pipeline.board.is_fine("library", &library.name);
        let checks = problem.map(|detail| Check {
            code: "library-root-missing",
            subject: library.name.clone(),
            level: Level::Error,
            detail,
            remedy: "mount the disk or make the folder; it is never made by itself".to_owned(),
            checked_at: at,
        });
        pipeline.board.set_checks("library", &library.name, checks.into_iter().collect());
        if fine && was_fine != Some(true) {
            try_again(pipeline, &library.root).await?;
        }
    }
    let none = pipeline.libraries.is_empty().then(|| Check {
        code: "no-library",
        subject: String::new(),
        level: Level::Warning,
        detail: "no library is configured; downloads rest when they are complete".to_owned(),
        remedy: "add a [[library]] to tracker.toml and restart tracker".to_owned(),
        checked_at: at,
    });
    pipeline.board.set_checks("no-library", "", none.into_iter().collect());
    Ok(())
}

/// What could not be linked into a library is tried again once the library is well:
/// at the start, and when its root or its links come back.
pub(crate) async fn try_again(pipeline: &Pipeline, root: &Path) -> Result<(), StoreError> {
    let root = root.display().to_string();
    let filter = DownloadFilter {
        states: vec![DownloadState::Downloaded],
        attention: Some(vec![Attention::LinkFailed]),
        limit: MOST_AT_ONCE,
        ..DownloadFilter::default()
    };
    let waiting = pipeline.db.read(move |tx| tx.downloads(&filter)).await?;
    let below = |row: &Download| {
        row.attention_detail.as_deref().is_some_and(|detail| detail.contains(&root))
    };
    let ids: Vec<DownloadId> = waiting.iter().filter(|row| below(row)).map(|row| row.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            for id in ids {
                tx.clear_attention(id, Some(Attention::LinkFailed))?.ok();
            }
            Ok(())
        })
        .await
}
