//! People, sessions and login links, without a secret.

use serde::{Deserialize, Serialize};
use tracker_app::{LoginLinkView, SessionView, UserView};
use utoipa::ToSchema;

use crate::health::TokenDto;
use crate::words;

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserDto {
    /// Their id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The name.
    pub name: String,
    /// Whether there is a password; without one only a link or a proxy logs in.
    pub has_password: bool,
    /// When the account was made.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// Since when they are not let in.
    #[schema(required, value_type = Option<words::Moment>)]
    pub disabled_at: Option<String>,
}

/// One login, in one browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// Whose.
    pub user: String,
    /// When it was opened.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When it was used last, to the hour.
    #[schema(value_type = words::Moment)]
    pub last_seen_at: String,
    /// When it ends if it is not used.
    #[schema(value_type = words::Moment)]
    pub expires_at: String,
    /// When it was ended.
    #[schema(required, value_type = Option<words::Moment>)]
    pub revoked_at: Option<String>,
    /// Where the browser was at the login.
    #[schema(required)]
    pub address: Option<String>,
    /// What it called itself.
    #[schema(required)]
    pub user_agent: Option<String>,
}

/// Another token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenBody {
    /// What to call it.
    #[schema(value_type = words::TokenName)]
    pub name: String,
    /// How far it reaches.
    #[schema(value_type = words::TokenScope)]
    pub scope: String,
}

/// A token that was made, with its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenMadeDto {
    /// The token.
    pub token: TokenDto,
    /// What to send with each call; shown this once.
    pub secret: String,
}

/// A link that logs in once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoginLinkDto {
    /// Its id.
    pub id: String,
    /// Whom it logs in; nobody yet where it makes the first account.
    pub user: Option<String>,
    /// Until when it can be used.
    pub expires_at: String,
}

impl From<UserView> for UserDto {
    fn from(view: UserView) -> Self {
        UserDto {
            id: view.id.to_string(),
            name: view.name,
            has_password: view.has_password,
            created_at: view.created_at.to_string(),
            disabled_at: view.disabled_at.map(|at| at.to_string()),
        }
    }
}

impl From<SessionView> for SessionDto {
    fn from(view: SessionView) -> Self {
        SessionDto {
            id: view.id.to_string(),
            user: view.user,
            created_at: view.created_at.to_string(),
            last_seen_at: view.last_seen_at.to_string(),
            expires_at: view.expires_at.to_string(),
            revoked_at: view.revoked_at.map(|at| at.to_string()),
            address: view.address,
            user_agent: view.user_agent,
        }
    }
}

impl From<LoginLinkView> for LoginLinkDto {
    fn from(view: LoginLinkView) -> Self {
        LoginLinkDto {
            id: view.id.to_string(),
            user: view.user,
            expires_at: view.expires_at.to_string(),
        }
    }
}
