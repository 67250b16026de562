//! Plans, batches and links.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tracker_app::{
    BatchLinkView, BatchView, ConflictView, LeftView, LinkLookView, PlanView, PlannedLinkView,
    SkippedView,
};
use utoipa::ToSchema;

use crate::words;

/// What would be linked as things stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlanDto {
    /// The SHA-256 of the canonical plan, in hex. Two plans with one id make the
    /// same links.
    pub id: String,
    /// The links.
    pub links: Vec<PlannedLinkDto>,
    /// What gets no link, and why.
    pub skipped: Vec<SkippedDto>,
    /// What is in the way.
    pub conflicts: Vec<ConflictDto>,
}

/// One link that would be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedLinkDto {
    /// The file's index in the torrent.
    pub file: u32,
    /// The file.
    pub source: String,
    /// Its name in the library.
    pub target: String,
}

/// One file that gets no link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SkippedDto {
    /// The file's index in the torrent.
    pub file: u32,
    /// The file.
    pub source: String,
    /// Why.
    #[schema(value_type = words::SkipWord)]
    pub reason: String,
}

/// One link that cannot be made as things stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConflictDto {
    /// The file's index in the torrent.
    pub file: u32,
    /// The file.
    pub source: String,
    /// The name it should get.
    pub target: String,
    /// What is in the way.
    #[schema(value_type = words::ConflictWord)]
    pub kind: String,
}

/// How a plan should be carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApplyBody {
    /// The plan that was seen; another one is 409 `plan-changed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What to do about each thing in the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolve: Vec<ResolveBody>,
}

/// What to do about one thing in the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResolveBody {
    /// The target, as the conflict has it.
    pub target: String,
    /// `keep` what is there, `replace` it (it goes to the trash of the batch), or
    /// link under another name.
    #[schema(value_type = words::ActionWord)]
    pub action: String,
}

/// A batch of links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The download; null for a batch that is older than the keys of today.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub download_id: Option<String>,
    /// Where it is.
    #[schema(value_type = words::BatchWord)]
    pub state: String,
    /// The plan that was carried out.
    #[schema(required)]
    pub plan: Option<String>,
    /// The name of the library.
    #[schema(required)]
    pub library: Option<String>,
    /// Why it failed.
    #[schema(required)]
    pub detail: Option<String>,
    /// The batch that took its place.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub superseded_by: Option<String>,
    /// When it was planned.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// Its links.
    pub links: Vec<BatchLinkDto>,
    /// What Undo left, and why; empty but in its answer.
    #[serde(default)]
    #[schema(required)]
    pub left: Vec<LeftDto>,
}

/// One link of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchLinkDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The file.
    pub source: String,
    /// The name in the library.
    pub target: String,
    /// How it got there: `hardlink`, `reflink`, `copy` or `symlink`.
    pub mode: String,
    /// `planned`, `linked`, `undone` or `failed`.
    pub state: String,
    /// What was found when it was looked at last; null before that.
    #[schema(required)]
    pub health: Option<String>,
}

/// A name that Undo left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeftDto {
    /// The name.
    pub target: String,
    /// Why: `shared` with another batch, `not-our-link`, `failed`, …
    pub reason: String,
}

/// What was found where a link should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkLookDto {
    /// The link.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// Its batch.
    #[schema(value_type = words::Ulid)]
    pub batch_id: String,
    /// Its download.
    #[schema(value_type = words::Ulid)]
    pub download_id: String,
    /// The file.
    pub source: String,
    /// The name in the library.
    pub target: String,
    /// `present`, `missing`, `replaced`, `source-gone`, `source-replaced` or
    /// `unknown`.
    pub health: String,
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl From<PlanView> for PlanDto {
    fn from(view: PlanView) -> Self {
        PlanDto {
            id: view.id,
            links: view.links.into_iter().map(Into::into).collect(),
            skipped: view.skipped.into_iter().map(Into::into).collect(),
            conflicts: view.conflicts.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<PlannedLinkView> for PlannedLinkDto {
    fn from(view: PlannedLinkView) -> Self {
        PlannedLinkDto { file: view.file, source: text(&view.source), target: text(&view.target) }
    }
}

impl From<SkippedView> for SkippedDto {
    fn from(view: SkippedView) -> Self {
        SkippedDto { file: view.file, source: text(&view.source), reason: view.reason.to_owned() }
    }
}

impl From<ConflictView> for ConflictDto {
    fn from(view: ConflictView) -> Self {
        ConflictDto {
            file: view.file,
            source: text(&view.source),
            target: text(&view.target),
            kind: view.kind.to_owned(),
        }
    }
}

impl From<BatchView> for BatchDto {
    fn from(view: BatchView) -> Self {
        BatchDto {
            id: view.id.to_string(),
            download_id: view.download_id.map(|id| id.to_string()),
            state: view.state,
            plan: view.plan,
            library: view.library,
            detail: view.detail,
            superseded_by: view.superseded_by.map(|id| id.to_string()),
            created_at: view.created_at.to_string(),
            links: view.links.into_iter().map(Into::into).collect(),
            left: view.left.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<BatchLinkView> for BatchLinkDto {
    fn from(view: BatchLinkView) -> Self {
        BatchLinkDto {
            id: view.id.to_string(),
            source: text(&view.source),
            target: text(&view.target),
            mode: view.mode.as_str().to_owned(),
            state: view.state,
            health: view.health,
        }
    }
}

impl From<LeftView> for LeftDto {
    fn from(view: LeftView) -> Self {
        LeftDto { target: text(&view.target), reason: view.reason.to_owned() }
    }
}

impl From<LinkLookView> for LinkLookDto {
    fn from(view: LinkLookView) -> Self {
        LinkLookDto {
            id: view.id.to_string(),
            batch_id: view.batch_id.to_string(),
            download_id: view.download_id.to_string(),
            source: text(&view.source),
            target: text(&view.target),
            health: view.health.to_owned(),
        }
    }
}
