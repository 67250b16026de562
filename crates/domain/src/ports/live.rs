//! What the workers know and nobody writes down.

use async_trait::async_trait;

use crate::entity::DownloadId;
use crate::health::Check;
use crate::observed::Progress;

/// The memory of running workers, for whoever shows it.
pub trait Live: Send + Sync {
    /// How far the transfer of a download is; `None` where nobody watches it.
    fn progress(&self, id: DownloadId) -> Option<Progress>;

    /// The same of every download that is watched, in no order.
    fn all_progress(&self) -> Vec<(DownloadId, Progress)> {
        Vec::new()
    }

    /// What was found of clients and libraries.
    fn checks(&self) -> Vec<Check>;
}

/// Nobody watches: a command that runs without the workers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NobodyWatches;

impl Live for NobodyWatches {
    fn progress(&self, _id: DownloadId) -> Option<Progress> {
        None
    }

    fn checks(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// Whoever can run every health check now.
#[async_trait]
pub trait Examiner: Send + Sync {
    /// Looks at everything; what was found is then known to [`Live`].
    async fn examine(&self);
}

#[async_trait]
impl Examiner for NobodyWatches {
    async fn examine(&self) {}
}
