//! The one shape of every error: RFC 9457.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ConflictDto, DownloadDto, PlanDto, words};

/// Why a request was refused: `application/problem+json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The page about it: `/problems/{code}`.
    #[serde(rename = "type", default)]
    #[schema(required)]
    pub kind_url: String,
    /// What it is, the same for each occurrence of the code.
    #[serde(default)]
    #[schema(required)]
    pub title: String,
    /// The status of the answer.
    #[serde(default)]
    #[schema(required, minimum = 400, maximum = 599)]
    pub status: u16,
    /// What is wrong this time and what to do; left out where the fault is ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
    /// The stable word for it.
    #[serde(default)]
    #[schema(required)]
    pub code: String,
    /// The request, as the log names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub instance: Option<String>,
    /// The fields that cannot be used (`invalid-request`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldErrorDto>,
    /// The download that owns the infohash (`infohash-owned`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Ulid>)]
    pub owner_id: Option<String>,
    /// What the id belongs to (`wrong-entity-kind`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Kind>)]
    pub kind: Option<String>,
    /// Where that is found (`wrong-entity-kind`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// The download as it is now (`stale`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub download: Option<Box<DownloadDto>>,
    /// The plan as it is now (`plan-changed`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub plan: Option<Box<PlanDto>>,
    /// What is in the way (`conflict`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ConflictDto>,
    /// The batch that took its place (`superseded`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Ulid>)]
    pub batch_id: Option<String>,
    /// The client that does not answer (`client-unreachable`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub client: Option<String>,
}

/// One field that cannot be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldErrorDto {
    /// A JSON pointer into the body; empty when it is not about one member of it.
    #[serde(default)]
    #[schema(required)]
    pub pointer: String,
    /// The parameter or header, when it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parameter: Option<String>,
    /// What is wrong and what to write instead.
    #[serde(default)]
    #[schema(required)]
    pub detail: String,
}

impl From<tracker_app::FieldError> for FieldErrorDto {
    fn from(error: tracker_app::FieldError) -> Self {
        FieldErrorDto { pointer: error.pointer, parameter: error.parameter, detail: error.detail }
    }
}

/// What a code means and what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemPageDto {
    /// The code.
    pub code: String,
    /// What it is.
    pub title: String,
    /// What it means.
    pub meaning: String,
    /// What to do.
    pub remedy: String,
}
