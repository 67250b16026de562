//! The worker that looks at the library roots. A configured root that is
//! missing is never made: it may be a disk that is not mounted.

use tracker_domain::health::{Check, Level};
use tracker_store::StoreError;

use crate::Pipeline;
use crate::stage::Stage;

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
        let checks = problem.map(|detail| Check {
            code: "library-root-missing",
            subject: library.name.clone(),
            level: Level::Error,
            detail,
            remedy: "mount the disk or make the folder; it is never made by itself".to_owned(),
            checked_at: at,
        });
        pipeline.board.set_checks("library", &library.name, checks.into_iter().collect());
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
