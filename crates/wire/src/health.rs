//! Health checks and API tokens.

use serde::{Deserialize, Serialize};
use tracker_app::{CheckView, HealthView, TokenView};
use utoipa::ToSchema;

use crate::words;

/// All checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthDto {
    /// The worst level.
    #[schema(value_type = words::Level)]
    pub status: String,
    /// Each check.
    #[serde(default)]
    #[schema(required)]
    pub checks: Vec<CheckDto>,
}

/// One check and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckDto {
    /// A stable code, such as `client-unreachable`.
    pub code: String,
    /// The client, library or source it is about; empty when it is about all.
    pub subject: String,
    /// How bad it is.
    #[schema(value_type = words::Level)]
    pub level: String,
    /// What was found.
    pub detail: String,
    /// What to do.
    pub remedy: String,
    /// When it was looked at.
    #[schema(value_type = words::Moment)]
    pub checked_at: String,
}

/// A named API token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// Its name.
    pub name: String,
    /// How far it reaches.
    #[schema(value_type = words::TokenScope)]
    pub scope: String,
    /// When it was made.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When it was last used, to the hour.
    #[schema(required, value_type = Option<words::Moment>)]
    pub last_used_at: Option<String>,
    /// When it was revoked.
    #[schema(required, value_type = Option<words::Moment>)]
    pub revoked_at: Option<String>,
}

impl From<HealthView> for HealthDto {
    fn from(view: HealthView) -> Self {
        HealthDto {
            status: view.status.as_str().to_owned(),
            checks: view.checks.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<CheckView> for CheckDto {
    fn from(view: CheckView) -> Self {
        CheckDto {
            code: view.code,
            subject: view.subject,
            level: view.level.as_str().to_owned(),
            detail: view.detail,
            remedy: view.remedy,
            checked_at: view.checked_at.to_string(),
        }
    }
}

impl From<TokenView> for TokenDto {
    fn from(view: TokenView) -> Self {
        TokenDto {
            id: view.id.to_string(),
            name: view.name,
            scope: view.scope.as_str().to_owned(),
            created_at: view.created_at.to_string(),
            last_used_at: view.last_used_at.map(|at| at.to_string()),
            revoked_at: view.revoked_at.map(|at| at.to_string()),
        }
    }
}
