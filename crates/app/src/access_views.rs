//! People, sessions and login links as they are shown: without a secret.

use tracker_domain::access::Preferences;
use tracker_domain::entity::{LoginLinkId, SessionId, UserId};
use tracker_domain::{Secret, Timestamp};
use tracker_store::{LoginLink, Session, User};

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserView {
    /// Their id.
    pub id: UserId,
    /// The name, as the journal has it behind `web:`.
    pub name: String,
    /// Whether there is a password; without one only a link or a proxy logs in.
    pub has_password: bool,
    /// What they have set for the pages.
    pub preferences: Preferences,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Since when they are not let in.
    pub disabled_at: Option<Timestamp>,
}

/// One login, in one browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// Its id.
    pub id: SessionId,
    /// Whose.
    pub user_id: UserId,
    /// Their name.
    pub user: String,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was used last, to the hour.
    pub last_seen_at: Timestamp,
    /// When it ends if it is not used.
    pub expires_at: Timestamp,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// Where the browser was at the login.
    pub address: Option<String>,
    /// What it called itself.
    pub user_agent: Option<String>,
}

/// A link that logs in once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginLinkView {
    /// Its id.
    pub id: LoginLinkId,
    /// Whom it logs in; `None` makes the first account.
    pub user: Option<String>,
    /// Until when it can be used.
    pub expires_at: Timestamp,
}

/// Who stands behind a session that is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitorView {
    /// The person.
    pub user: UserView,
    /// The session.
    pub session: SessionId,
}

/// A login that succeeded.
#[derive(Clone, Debug)]
pub struct LoggedIn {
    /// What the browser keeps, shown this once.
    pub secret: Secret,
    /// Who it is.
    pub visitor: VisitorView,
}

pub(crate) fn user_view(row: User) -> UserView {
    UserView {
        id: row.id,
        name: row.name,
        has_password: row.password_hash.is_some(),
        preferences: row.preferences,
        created_at: row.created_at,
        updated_at: row.updated_at,
        disabled_at: row.disabled_at,
    }
}

pub(crate) fn session_view(row: Session, user: String) -> SessionView {
    SessionView {
        id: row.id,
        user_id: row.user_id,
        user,
        created_at: row.times.created_at,
        last_seen_at: row.times.last_seen_at,
        expires_at: row.times.expires_at,
        revoked_at: row.times.revoked_at,
        address: row.address,
        user_agent: row.user_agent,
    }
}

pub(crate) fn link_view(row: &LoginLink, user: Option<String>) -> LoginLinkView {
    LoginLinkView { id: row.id, user, expires_at: row.expires_at }
}
