//! Logging in and out, and the sessions in between.

use tracing::warn;
use tracker_domain::access::{SessionState, is_name};
use tracker_domain::entity::{SessionId, UserId};
use tracker_domain::event::EventType;
use tracker_domain::{Actor, EntityKind, Secret};
use tracker_store::{NewSession, Session, StoreError, User, WriteTx};

use super::{Access, Caller, digest, fresh, user_of};
use crate::access_views::{LoggedIn, SessionView, VisitorView, session_view, user_view};
use crate::convert::absent;
use crate::error::AppError;

/// The account that the first link makes.
const FIRST_USER: &str = "admin";

/// So much is kept of what a browser calls itself.
const AGENT_LENGTH: usize = 200;

impl Access {
    /// Logs a person in by name and password.
    ///
    /// # Errors
    /// `WrongLogin`, the same for an unknown name, a wrong password and a person who is
    /// not let in, and after the same time; `TooManyAttempts`.
    pub async fn login(
        &self,
        name: &str,
        password: &Secret,
        caller: Caller,
    ) -> Result<LoggedIn, AppError> {
        self.gate.pass_address(caller.address)?;
        // What is no name belongs to nobody, and must not fill the memory of the gate.
        if is_name(name) {
            self.gate.pass_account(name)?;
        }
        let asked = name.to_owned();
        let found = self.db.read(move |tx| tx.user_named(&asked)).await?;
        let kept = found.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.passwords.is_right(password, kept).await?;
        match found {
            Some(user) if is_right && user.disabled_at.is_none() => {
                self.opened(user, "password", caller).await
            }
            found => {
                self.failed(found, "password", &caller).await?;
                Err(AppError::WrongLogin)
            }
        }
    }

    /// Logs in by a link, which is used up by that. Where there is nobody yet, it makes
    /// the first account, `admin`, without a password.
    ///
    /// # Errors
    /// `WrongLink`, whatever is wrong with it; `TooManyAttempts`.
    pub async fn login_by_link(
        &self,
        secret: &Secret,
        caller: Caller,
    ) -> Result<LoggedIn, AppError> {
        self.gate.pass_address(caller.address)?;
        let digest = digest(secret.expose());
        let found = self.db.read(move |tx| tx.login_link_by_digest(&digest)).await?;
        let Some(link) = found else {
            self.failed(None, "link", &caller).await?;
            return Err(AppError::WrongLink);
        };
        let new_secret = fresh("");
        let session = new_session(&new_secret, "link", &caller);
        let name = match link.user_id {
            Some(id) => self.db.read(move |tx| user_of(tx, id)).await?.name,
            None => FIRST_USER.to_owned(),
        };
        let opened = self
            .db
            .write(&Actor::Web(name), move |tx| {
                let user = match link.user_id {
                    Some(id) => user_of(tx, id)?,
                    // Somebody was faster: a link for the first account is for nothing now.
                    None if !tx.users()?.is_empty() => return Err(AppError::WrongLink),
                    None => first_user(tx)?,
                };
                if user.disabled_at.is_some() || !tx.use_login_link(&link)? {
                    return Err(AppError::WrongLink);
                }
                let session = tx.add_session(&user, &session)?;
                Ok(VisitorView { user: user_view(user), session })
            })
            .await;
        match opened {
            Ok(visitor) => Ok(LoggedIn { secret: new_secret, visitor }),
            Err(error) => {
                if matches!(error, AppError::WrongLink) {
                    self.failed(None, "link", &caller).await?;
                }
                Err(error)
            }
        }
    }

    async fn opened(
        &self,
        user: User,
        by: &'static str,
        caller: Caller,
    ) -> Result<LoggedIn, AppError> {
        let secret = fresh("");
        let new = new_session(&secret, by, &caller);
        let id = user.id;
        let visitor = self
            .db
            .write(&Actor::Web(user.name), move |tx| {
                // Looked at again: the account may have been disabled meanwhile.
                let user = user_of(tx, id)?;
                if user.disabled_at.is_some() {
                    return Err(AppError::WrongLogin);
                }
                let session = tx.add_session(&user, &new)?;
                Ok(VisitorView { user: user_view(user), session })
            })
            .await?;
        Ok(LoggedIn { secret, visitor })
    }

    async fn failed(
        &self,
        user: Option<User>,
        by: &'static str,
        caller: &Caller,
    ) -> Result<(), AppError> {
        let address = caller.address.map(|address| address.to_string());
        self.db
            .write(&Actor::System, move |tx| tx.login_failed(user.as_ref(), by, address.as_deref()))
            .await?;
        Ok(())
    }

    /// Who stands behind the secret of a session that is good.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn verify_session(&self, secret: &str) -> Result<Option<VisitorView>, AppError> {
        let digest = digest(secret);
        let found = self.db.read(move |tx| tx.session_by_digest(&digest)).await?;
        let Some((session, user)) = found else { return Ok(None) };
        let state = session.times.state(self.db.clock().now());
        if !state.is_good() || user.disabled_at.is_some() {
            return Ok(None);
        }
        if state == SessionState::Due
            && let Err(failure) = self.note_session(&session).await
        {
            // The session is good all the same.
            warn!(session_id = %session.id, error = %failure, "the use of a session was not noted");
        }
        Ok(Some(VisitorView { user: user_view(user), session: session.id }))
    }

    /// Whoever only looks never waits for a write: while somebody writes it is left to
    /// the next use.
    async fn note_session(&self, session: &Session) -> Result<(), StoreError> {
        let (id, times) = (session.id, session.times.used(self.db.clock().now()));
        self.db.write_if_idle(&Actor::System, move |tx| tx.session_used(id, times)).await?;
        Ok(())
    }

    /// The sessions that are good, newest first: of one person, or of everybody.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn sessions(&self, user: Option<UserId>) -> Result<Vec<SessionView>, AppError> {
        let now = self.db.clock().now();
        self.db
            .read(move |tx| {
                let users = tx.users()?;
                let name = |id| users.iter().find(|user| user.id == id).map(|user| &user.name);
                let good =
                    tx.sessions(user)?.into_iter().filter(|row| row.times.state(now).is_good());
                Ok(good
                    .map(|row| {
                        let name = name(row.user_id).cloned().unwrap_or_default();
                        session_view(row, name)
                    })
                    .collect())
            })
            .await
    }

    /// Ends a session of one's own. One that has ended already stays so.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn logout(&self, session: SessionId, actor: &Actor) -> Result<(), AppError> {
        self.db.write(actor, move |tx| tx.end_session(session, EventType::AuthLogout)).await?;
        Ok(())
    }

    /// Puts an end to a session, whosever it is. One that has ended already stays so.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn session_revoke(
        &self,
        id: SessionId,
        actor: &Actor,
    ) -> Result<SessionView, AppError> {
        self.db
            .write(actor, move |tx| {
                tx.end_session(id, EventType::AuthSessionRevoked)?;
                match tx.session(id)? {
                    Some(row) => {
                        let name = user_of(tx, row.user_id)?.name;
                        Ok(session_view(row, name))
                    }
                    None => Err(absent(tx, EntityKind::Session, id)?),
                }
            })
            .await
    }
}

fn first_user(tx: &mut WriteTx<'_>) -> Result<User, AppError> {
    let made = tx.add_user(FIRST_USER, None)?;
    made.map_or(Err(AppError::WrongLink), |id| user_of(tx, id))
}

fn new_session(secret: &Secret, by: &'static str, caller: &Caller) -> NewSession {
    let agent = caller.user_agent.as_deref().map(|agent| {
        agent.chars().filter(|letter| !letter.is_control()).take(AGENT_LENGTH).collect()
    });
    NewSession {
        digest: digest(secret.expose()),
        by,
        address: caller.address.map(|address| address.to_string()),
        user_agent: agent,
    }
}
