//! Taking a download out of the lists, with what a person wishes beside: that its
//! links go, its torrent, its data. Nothing else goes.

use tracker_domain::{Actor, DownloadId};
use tracker_ingest::{may_remove, remove};
use tracker_layout::OtherNames;

use crate::convert::REMOVED;
use crate::error::AppError;
use crate::intake::{Intake, wish_of};
use crate::library::Library;
use crate::library_views::LeftView;
use crate::requests::{Expected, RemoveRequest};
use crate::views::RemovedView;

/// The service that takes downloads out of the lists.
#[derive(Clone)]
pub struct Removal {
    intake: Intake,
    library: Library,
}

impl Removal {
    pub(crate) fn new(intake: Intake, library: Library) -> Self {
        Removal { intake, library }
    }

    /// Takes an ended download out of the lists. Links go first: as long as the data is
    /// there, each is known for what it is. What keeps a link keeps nothing else, and is
    /// told. The rest is written down at once, and a worker asks the client.
    ///
    /// # Errors
    /// When the state, another owner or the wish does not allow it; nothing happened
    /// then.
    pub async fn remove(
        &self,
        id: DownloadId,
        request: RemoveRequest,
        expected: Expected,
        actor: &Actor,
    ) -> Result<RemovedView, AppError> {
        let wish = match wish_of(request.remove_torrent, request.delete_data) {
            Ok(wish) => wish,
            Err(refusal) => {
                // A download that does not exist is the first thing to say.
                self.intake.show(id).await?;
                return Err(refusal);
            }
        };
        let mut left = Vec::new();
        let mut expected = expected;
        if request.links {
            let allowed = may_remove(&self.intake.db, id, wish, expected).await;
            self.intake.settled(id, allowed, REMOVED).await?;
            left = self.undo_links(id, actor).await?;
            // What was seen is settled; taking links out may have changed the row.
            expected = None;
        }
        let outcome = remove(&self.intake.db, id, wish, expected, actor).await;
        let download = self.intake.settled(id, outcome, REMOVED).await?;
        Ok(RemovedView { download, left })
    }

    /// Undoes what stands of a download, the newest batch first.
    async fn undo_links(&self, id: DownloadId, actor: &Actor) -> Result<Vec<LeftView>, AppError> {
        let mut left = Vec::new();
        let standing = self.library.batches(id).await?;
        for batch in standing.into_iter().filter(|batch| batch.state == "applied") {
            match self.library.undo(batch.id, actor).await {
                Ok(undone) => left.extend(undone.left),
                // Something of the newer one stays, and is told.
                Err(AppError::SupersededBatch(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(left)
    }

    /// The other names that the files of a download have: what stays when its data
    /// goes. `None` where it cannot be told.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn names(&self, id: DownloadId) -> Result<Option<OtherNames>, AppError> {
        self.library.names(id).await
    }
}
