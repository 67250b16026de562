//! What a person sees of plans, batches and links.

use std::collections::HashSet;
use std::path::PathBuf;

use tracker_domain::entity::CandidateId;
use tracker_domain::library::LinkMode;
use tracker_domain::recognised::TitleKind;
use tracker_domain::{BatchId, DownloadId, FileLinkId, Timestamp};
use tracker_layout::{Conflict, PlannedLink, Skipped};

/// What would be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanView {
    /// The SHA-256 of the canonical plan, in hex.
    pub id: String,
    /// The links.
    pub links: Vec<PlannedLinkView>,
    /// What gets no link, and why.
    pub skipped: Vec<SkippedView>,
    /// What is in the way.
    pub conflicts: Vec<ConflictView>,
}

impl PlanView {
    /// Whether its links are what stands of the download, as far as is known, so that
    /// carrying it out would change nothing.
    #[must_use]
    pub fn stands(&self, batches: &[BatchView]) -> bool {
        let standing = batches.iter().filter(|batch| batch.stands());
        let mut names = HashSet::new();
        for link in standing.flat_map(|batch| &batch.links).filter(|link| link.state == "linked") {
            if !link.is_well() {
                return false;
            }
            names.insert((link.source.as_path(), link.target.as_path()));
        }
        let planned: HashSet<_> =
            self.links.iter().map(|link| (link.source.as_path(), link.target.as_path())).collect();
        !planned.is_empty() && self.conflicts.is_empty() && planned == names
    }

    /// Whether there is neither a link to make nor a thing to decide on.
    #[must_use]
    pub fn has_nothing(&self) -> bool {
        self.links.is_empty() && self.conflicts.is_empty()
    }
}

/// One link that would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedLinkView {
    /// The file's index in the torrent.
    pub file: u32,
    /// The file.
    pub source: PathBuf,
    /// Its name in the library.
    pub target: PathBuf,
}

/// One file that gets no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedView {
    /// The file's index in the torrent.
    pub file: u32,
    /// The file.
    pub source: PathBuf,
    /// The word for the reason.
    pub reason: &'static str,
}

/// One link that cannot be made as things stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictView {
    /// The file's index in the torrent.
    pub file: u32,
    /// The file.
    pub source: PathBuf,
    /// The name it should get.
    pub target: PathBuf,
    /// The word for what is in the way.
    pub kind: &'static str,
}

/// A title that stands in a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleView {
    /// The title as it holds now; the name of the download where there is none.
    pub title: String,
    /// The year of the same.
    pub year: Option<i32>,
    /// What kind of title it is.
    pub kind: Option<TitleKind>,
    /// The name of the library that the newest batch is in.
    pub library: Option<String>,
    /// The work as a pin names it; without one a download is a title of its own.
    pub work: Option<String>,
    /// The candidate that was taken for the work, for its poster.
    pub candidate: Option<CandidateId>,
    /// How many links stand.
    pub links: u64,
    /// The downloads that they are of, with their names, newest first.
    pub downloads: Vec<(DownloadId, String)>,
    /// The newest batch, for Undo.
    pub batch: BatchId,
    /// When that one was planned.
    pub newest_at: Timestamp,
}

/// A batch of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchView {
    /// Its id.
    pub id: BatchId,
    /// The download; a migrated batch may have none.
    pub download_id: Option<DownloadId>,
    /// `planned`, `applied`, `undone` or `failed`.
    pub state: String,
    /// The plan that was carried out.
    pub plan: Option<String>,
    /// The name of the library.
    pub library: Option<String>,
    /// Why it failed.
    pub detail: Option<String>,
    /// The batch that took its place.
    pub superseded_by: Option<BatchId>,
    /// When it was planned.
    pub created_at: Timestamp,
    /// Its links.
    pub links: Vec<BatchLinkView>,
    /// What Undo left; empty but in its answer.
    pub left: Vec<LeftView>,
}

/// One link of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchLinkView {
    /// Its id.
    pub id: FileLinkId,
    /// The file.
    pub source: PathBuf,
    /// The name in the library.
    pub target: PathBuf,
    /// How it got there.
    pub mode: LinkMode,
    /// `planned`, `linked`, `undone` or `failed`.
    pub state: String,
    /// What was found when it was looked at last.
    pub health: Option<String>,
}

impl BatchLinkView {
    /// Whether nothing was found against it when it was looked at last.
    fn is_well(&self) -> bool {
        self.health.as_deref().is_none_or(|word| matches!(word, "present" | "unknown"))
    }
}

/// A name that Undo left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftView {
    /// The name.
    pub target: PathBuf,
    /// The word for the reason.
    pub reason: &'static str,
}

/// What was found where a link should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkLookView {
    /// The link.
    pub id: FileLinkId,
    /// Its batch.
    pub batch_id: BatchId,
    /// Its download.
    pub download_id: DownloadId,
    /// The file.
    pub source: PathBuf,
    /// The name in the library.
    pub target: PathBuf,
    /// The word for it.
    pub health: &'static str,
}

impl From<&PlannedLink> for PlannedLinkView {
    fn from(link: &PlannedLink) -> Self {
        PlannedLinkView {
            file: link.file,
            source: link.source.clone(),
            target: link.target.clone(),
        }
    }
}

impl From<&Skipped> for SkippedView {
    fn from(skipped: &Skipped) -> Self {
        SkippedView {
            file: skipped.file,
            source: skipped.source.clone(),
            reason: skipped.reason.as_str(),
        }
    }
}

impl From<&Conflict> for ConflictView {
    fn from(conflict: &Conflict) -> Self {
        ConflictView {
            file: conflict.file,
            source: conflict.source.clone(),
            target: conflict.target.clone(),
            kind: conflict.kind.as_str(),
        }
    }
}
