//! What a person can ask of links: the plan, carrying it out, undoing it, looking
//! whether it still stands. Who carries plans out implements it.

use std::error::Error;
use std::path::PathBuf;

use async_trait::async_trait;
use tracker_domain::entity::EntityKind;
use tracker_domain::{Actor, Attention, BatchId, DownloadId, DownloadState, FileLinkId};

use crate::error::LinkError;
use crate::other_names::OtherNames;
use crate::plan::{Conflict, Plan};
use crate::resolve::{Resolution, ResolveError};

/// Carries plans out, one at a time.
#[async_trait]
pub trait Laying: Send + Sync {
    /// What would be linked as things stand. Nothing is written.
    ///
    /// # Errors
    /// When there is no such download, or too little is known of it.
    async fn plan_of(&self, id: DownloadId) -> Result<Plan, LayError>;

    /// Carries a plan out. Older links of the download that are not in it go.
    ///
    /// # Errors
    /// Says why nothing was done. Whoever stops waiting does not stop the work.
    async fn apply(
        &self,
        id: DownloadId,
        wish: ApplyWish,
        actor: &Actor,
    ) -> Result<BatchId, LayError>;

    /// Undoes a batch: removes the links that still are what was linked, and
    /// brings back what they replaced. What was undone before stays undone.
    ///
    /// # Errors
    /// Says why nothing was done.
    async fn undo(&self, id: BatchId, actor: &Actor) -> Result<Undone, LayError>;

    /// Looks whether links still stand: those of one download, or all.
    ///
    /// # Errors
    /// When there is no such download, or the database fails.
    async fn verify(&self, id: Option<DownloadId>) -> Result<Vec<Looked>, LayError>;

    /// Counts the other names that the files of a download have: what stays when the
    /// files go. `None` where it cannot be told.
    ///
    /// # Errors
    /// When there is no such download, or the database fails.
    async fn names(&self, id: DownloadId) -> Result<Option<OtherNames>, LayError>;
}

/// How a plan should be carried out.
#[derive(Clone, Debug, Default)]
pub struct ApplyWish {
    /// The plan that the person saw; another one is not carried out.
    pub plan: Option<String>,
    /// What to do about each thing in the way.
    pub resolve: Vec<Resolution>,
    /// Take the match that is proposed with it. Where the plan cannot be carried out it
    /// is not taken either.
    pub take: bool,
    /// The revision of the download that the person saw.
    pub revision: Option<u64>,
}

/// A name that Undo left, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The name.
    pub target: PathBuf,
    /// The word for the reason: `shared`, or one of `KeptReason`.
    pub reason: &'static str,
}

/// What Undo came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The batch.
    pub batch: BatchId,
    /// What stays.
    pub left: Vec<Left>,
}

/// What was found where a link should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The link.
    pub link: FileLinkId,
    /// Its batch.
    pub batch: BatchId,
    /// Its download.
    pub download: DownloadId,
    /// The file.
    pub source: PathBuf,
    /// The name in the library.
    pub target: PathBuf,
    /// The word for it: `present`, `missing`, `replaced`, `source-gone`, …
    pub health: &'static str,
}

/// Why something that was asked for was not done. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum LayError {
    /// There is no such download or batch.
    #[error("there is no such {}", .0.as_str())]
    NotFound(EntityKind),
    /// The download changed since the caller looked.
    #[error("the download changed meanwhile and has revision {0} now")]
    Stale(u64),
    /// The state does not allow it.
    #[error("{detail}")]
    Illegal {
        /// The state it is in.
        state: DownloadState,
        /// What is not possible, and what is.
        detail: String,
    },
    /// Something else has to be settled first.
    #[error("{detail}")]
    Held {
        /// The state it is in.
        state: DownloadState,
        /// What kind of thing.
        attention: Attention,
        /// In words.
        detail: String,
    },
    /// The plan is another one by now.
    #[error("the plan changed since it was shown; look at the new one")]
    PlanChanged(Box<Plan>),
    /// Something is in the way that nobody has said what to do about.
    #[error("{} targets are taken; say keep, replace or other-name for each", .0.len())]
    Conflict(Vec<Conflict>),
    /// A resolution names a target that nothing is in the way of.
    #[error("{}", .0)]
    Resolve(ResolveError),
    /// The links could not be made. The download says so as well.
    #[error("{error}")]
    NotMade {
        /// The state that the download is in now.
        state: DownloadState,
        /// Why not.
        error: Box<LinkError>,
    },
    /// Another active download owns one of the infohashes.
    #[error("the active download {0} owns one of the infohashes")]
    OwnedBy(DownloadId),
    /// A newer batch of the download stands.
    #[error("the batch {by} took its place; undo that one")]
    Superseded {
        /// The newer one.
        by: BatchId,
    },
    /// The client does not answer.
    #[error("the client {client:?} cannot be asked: {detail}")]
    Unreachable {
        /// Its name.
        client: String,
        /// Why.
        detail: String,
    },
    /// The work broke off; it is finished or taken back by itself.
    #[error("the work broke off; it is finished or taken back by itself within a minute")]
    BrokenOff,
    /// A fault of ours, such as of the database.
    #[error("internal error")]
    Fault(#[source] Box<dyn Error + Send + Sync>),
}
