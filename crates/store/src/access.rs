//! People, their sessions and the links that log in: only digests are kept.

use rusqlite::params;
use serde_json::json;
use tracker_domain::access::{LINK_LASTS, Preferences, SessionTimes};
use tracker_domain::entity::{LoginLinkId, SessionId, UserId};
use tracker_domain::event::EventType;
use tracker_domain::{EntityKind, Secret, Timestamp};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, text};
use crate::{ReadTx, StoreError, WriteTx};

/// Sessions and links that are over are kept for so many seconds, for whoever asks who
/// was here.
const KEPT: i64 = 30 * 86_400;

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct User {
    pub id: UserId,
    pub name: String,
    pub password_hash: Option<Secret>,
    pub preferences: Preferences,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub disabled_at: Option<Timestamp>,
}

/// One login, in one browser.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Session {
    pub id: SessionId,
    pub user_id: UserId,
    pub times: SessionTimes,
    pub address: Option<String>,
    pub user_agent: Option<String>,
}

/// A link that logs in once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct LoginLink {
    pub id: LoginLinkId,
    pub user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

/// A session to open.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The digest of its secret.
    pub digest: String,
    /// By what: `password` or `link`.
    pub by: &'static str,
    /// Where the browser is.
    pub address: Option<String>,
    /// What it calls itself.
    pub user_agent: Option<String>,
}

impl ReadTx<'_> {
    /// Everybody with an account, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn users(&self) -> Result<Vec<User>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM user ORDER BY id")?;
        collect("user", statement.query([])?, read_user)
    }

    /// One of them.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM user WHERE id = ?1")?;
        Ok(collect("user", statement.query([text(id)])?, read_user)?.pop())
    }

    /// The one of this name, in whatever letter case. Former versions let two differ by
    /// that alone: then it is the one that is spelled so.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn user_named(&self, name: &str) -> Result<Option<User>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM user WHERE name = ?1 COLLATE NOCASE ORDER BY name = ?1, id DESC",
        )?;
        Ok(collect("user", statement.query([name])?, read_user)?.pop())
    }

    /// Sessions, newest first: of one person, or of all.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn sessions(&self, user: Option<UserId>) -> Result<Vec<Session>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM session WHERE ?1 IS NULL OR user_id = ?1 ORDER BY id DESC",
        )?;
        collect("session", statement.query([user.map(text)])?, read_session)
    }

    /// One session.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM session WHERE id = ?1")?;
        Ok(collect("session", statement.query([text(id)])?, read_session)?.pop())
    }

    /// The session that has this digest, whatever became of it, and whose it is.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn session_by_digest(&self, digest: &str) -> Result<Option<(Session, User)>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM session WHERE hash = ?1")?;
        let found = collect("session", statement.query([digest])?, read_session)?.pop();
        let Some(session) = found else { return Ok(None) };
        Ok(self.user(session.user_id)?.map(|user| (session, user)))
    }

    /// The link that has this digest, whatever became of it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn login_link_by_digest(&self, digest: &str) -> Result<Option<LoginLink>, StoreError> {
        let mut statement =
            self.conn().prepare_cached("SELECT * FROM login_link WHERE hash = ?1")?;
        Ok(collect("login_link", statement.query([digest])?, read_link)?.pop())
    }
}

impl WriteTx<'_> {
    /// Makes an account; `None` when there is or was one of that name, in whatever letter
    /// case.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_user(
        &mut self,
        name: &str,
        password_hash: Option<&Secret>,
    ) -> Result<Option<UserId>, StoreError> {
        if self.user_named(name)?.is_some() {
            return Ok(None);
        }
        let id: UserId = self.new_id();
        let now = self.now().to_string();
        self.conn()
            .prepare_cached(
                "INSERT INTO user (id, name, password_hash, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?4)",
            )?
            .execute(params![text(id), name, password_hash.map(Secret::expose), now])?;
        let told = json!({ "name": name, "password": password_hash.is_some() });
        self.tell_of_user(EventType::UserCreated, "user made", id, name, told)?;
        Ok(Some(id))
    }

    /// Gives a person another password, which ends all sessions of theirs but the one
    /// that `keep` names, and their login links.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_password(
        &mut self,
        user: &User,
        hash: &Secret,
        keep: Option<SessionId>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("UPDATE user SET password_hash = ?2, updated_at = ?3 WHERE id = ?1")?
            .execute(params![text(user.id), hash.expose(), self.now().to_string()])?;
        let told = json!({ "changed": ["password"] });
        self.tell_of_user(EventType::UserChanged, "password set", user.id, &user.name, told)?;
        self.end_sessions_of(user, keep)
    }

    /// Keeps what a person has set for the pages.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_preferences(&mut self, user: &User, new: &Preferences) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE user SET language = ?2, timezone = ?3, theme = ?4, updated_at = ?5
                 WHERE id = ?1",
            )?
            .execute(params![
                text(user.id),
                new.language.map(|word| word.as_str()),
                new.timezone,
                new.theme.map(|word| word.as_str()),
                self.now().to_string(),
            ])?;
        let told = json!({
            "changed": ["preferences"],
            "language": new.language.map(|word| word.as_str()),
            "timezone": new.timezone,
            "theme": new.theme.map(|word| word.as_str()),
        });
        self.tell_of_user(EventType::UserChanged, "preferences set", user.id, &user.name, told)
    }

    /// Lets a person in no more, and ends their sessions and login links; or lets them in
    /// again.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_disabled(&mut self, user: &User, disabled: bool) -> Result<(), StoreError> {
        let now = self.now().to_string();
        self.conn()
            .prepare_cached("UPDATE user SET disabled_at = ?2, updated_at = ?3 WHERE id = ?1")?
            .execute(params![text(user.id), disabled.then_some(&now), now])?;
        if disabled {
            let told = json!({ "name": user.name });
            self.tell_of_user(EventType::UserDisabled, "user disabled", user.id, &user.name, told)?;
            return self.end_sessions_of(user, None);
        }
        let told = json!({ "changed": ["enabled"] });
        self.tell_of_user(EventType::UserChanged, "user enabled", user.id, &user.name, told)
    }

    /// Opens a session. What was over long ago goes at this occasion: there is never
    /// much of it, and a schedule of its own would be more than it is worth.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_session(&mut self, user: &User, new: &NewSession) -> Result<SessionId, StoreError> {
        self.drop_what_is_over()?;
        let id: SessionId = self.new_id();
        let times = SessionTimes::opened(self.now());
        self.conn()
            .prepare_cached(
                "INSERT INTO session (id, user_id, hash, created_at, last_seen_at, expires_at,
                                      address, user_agent)
                 VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                text(id),
                text(user.id),
                new.digest,
                times.created_at.to_string(),
                times.expires_at.to_string(),
                new.address,
                new.user_agent,
            ])?;
        let told = json!({
            "user": user.name, "by": new.by, "address": new.address, "user_agent": new.user_agent,
        });
        self.tell_of_session(EventType::AuthLogin, "logged in", id, &user.name, told)?;
        Ok(id)
    }

    /// Notes that a session was used.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn session_used(&mut self, id: SessionId, times: SessionTimes) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE session SET last_seen_at = ?2, expires_at = ?3
                 WHERE id = ?1 AND revoked_at IS NULL",
            )?
            .execute(params![
                text(id),
                times.last_seen_at.to_string(),
                times.expires_at.to_string()
            ])?;
        Ok(())
    }

    /// Ends a session that has not been ended yet; tells whether there was one. The
    /// type says whether its own person left or somebody put an end to it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn end_session(&mut self, id: SessionId, how: EventType) -> Result<bool, StoreError> {
        let Some(session) = self.session(id)? else { return Ok(false) };
        let ended = self
            .conn()
            .prepare_cached(
                "UPDATE session SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL",
            )?
            .execute(params![text(id), self.now().to_string()])?;
        if ended == 0 {
            return Ok(false);
        }
        let name = self.user(session.user_id)?.map(|user| user.name).unwrap_or_default();
        let words = if how == EventType::AuthLogout { "logged out" } else { "session revoked" };
        self.tell_of_session(how, words, id, &name, json!({ "user": name }))?;
        Ok(true)
    }

    fn end_sessions_of(&mut self, user: &User, keep: Option<SessionId>) -> Result<(), StoreError> {
        let now = self.now();
        for session in self.sessions(Some(user.id))? {
            if keep != Some(session.id) && session.times.state(now).is_good() {
                self.end_session(session.id, EventType::AuthSessionRevoked)?;
            }
        }
        self.end_links_of(user)
    }

    /// A link that could still be used is over now.
    fn end_links_of(&mut self, user: &User) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE login_link SET expires_at = ?2
                 WHERE user_id = ?1 AND used_at IS NULL AND expires_at > ?2",
            )?
            .execute(params![text(user.id), self.now().to_string()])?;
        Ok(())
    }

    /// Makes a link that logs a person in, or without one whoever sets the program up.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_login_link(
        &mut self,
        user: Option<&User>,
        digest: &str,
    ) -> Result<LoginLink, StoreError> {
        let now = self.now();
        let link = LoginLink {
            id: self.new_id(),
            user_id: user.map(|user| user.id),
            created_at: now,
            expires_at: now.plus_seconds(LINK_LASTS),
            used_at: None,
        };
        self.conn()
            .prepare_cached(
                "INSERT INTO login_link (id, hash, user_id, created_at, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                text(link.id),
                digest,
                link.user_id.map(text),
                link.created_at.to_string(),
                link.expires_at.to_string(),
            ])?;
        let name = user.map(|user| user.name.as_str());
        let event = NewEvent::new(EventType::AuthLinkCreated, "login link made")
            .about(EntityKind::LoginLink, link.id)
            .with(json!({ "user": name, "expires_at": link.expires_at.to_string() }));
        self.append_event(name.into_iter().fold(event, NewEvent::named))?;
        Ok(link)
    }

    /// Uses a link up; tells whether it could still be used.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn use_login_link(&mut self, link: &LoginLink) -> Result<bool, StoreError> {
        let used = self
            .conn()
            .prepare_cached(
                "UPDATE login_link SET used_at = ?2
                 WHERE id = ?1 AND used_at IS NULL AND expires_at > ?2",
            )?
            .execute(params![text(link.id), self.now().to_string()])?;
        Ok(used > 0)
    }

    /// Writes a failed login down. Only the name of a person who exists: what else is
    /// typed there may be a password.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn login_failed(
        &mut self,
        user: Option<&User>,
        by: &'static str,
        address: Option<&str>,
    ) -> Result<(), StoreError> {
        let name = user.map(|user| user.name.as_str());
        let mut event = NewEvent::new(EventType::AuthFailed, "login refused")
            .with(json!({ "user": name, "by": by, "address": address }));
        if let Some(user) = user {
            event = event.about(EntityKind::User, user.id).named(&user.name);
        }
        self.append_event(event)?;
        Ok(())
    }

    fn drop_what_is_over(&mut self) -> Result<(), StoreError> {
        let before = self.now().plus_seconds(-KEPT).to_string();
        for sql in [
            "DELETE FROM session WHERE expires_at < ?1 OR revoked_at < ?1",
            "DELETE FROM login_link WHERE expires_at < ?1",
        ] {
            self.conn().prepare_cached(sql)?.execute([&before])?;
        }
        Ok(())
    }

    fn tell_of_user(
        &mut self,
        kind: EventType,
        words: &str,
        id: UserId,
        name: &str,
        told: serde_json::Value,
    ) -> Result<(), StoreError> {
        let event = NewEvent::new(kind, words).about(EntityKind::User, id).named(name).with(told);
        self.append_event(event)?;
        Ok(())
    }

    fn tell_of_session(
        &mut self,
        kind: EventType,
        words: &str,
        id: SessionId,
        name: &str,
        told: serde_json::Value,
    ) -> Result<(), StoreError> {
        let event =
            NewEvent::new(kind, words).about(EntityKind::Session, id).named(name).with(told);
        self.append_event(event)?;
        Ok(())
    }
}

fn read_user(row: &Columns<'_, '_>) -> Result<User, StoreError> {
    let hash: Option<String> = row.plain("password_hash")?;
    Ok(User {
        id: row.parsed("id")?,
        name: row.plain("name")?,
        password_hash: hash.map(Secret::new),
        preferences: Preferences {
            language: row.maybe("language")?,
            timezone: row.plain("timezone")?,
            theme: row.maybe("theme")?,
        },
        created_at: row.parsed("created_at")?,
        updated_at: row.parsed("updated_at")?,
        disabled_at: row.maybe("disabled_at")?,
    })
}

fn read_session(row: &Columns<'_, '_>) -> Result<Session, StoreError> {
    Ok(Session {
        id: row.parsed("id")?,
        user_id: row.parsed("user_id")?,
        times: SessionTimes {
            created_at: row.parsed("created_at")?,
            last_seen_at: row.parsed("last_seen_at")?,
            expires_at: row.parsed("expires_at")?,
            revoked_at: row.maybe("revoked_at")?,
        },
        address: row.plain("address")?,
        user_agent: row.plain("user_agent")?,
    })
}

fn read_link(row: &Columns<'_, '_>) -> Result<LoginLink, StoreError> {
    Ok(LoginLink {
        id: row.parsed("id")?,
        user_id: row.maybe("user_id")?,
        created_at: row.parsed("created_at")?,
        expires_at: row.parsed("expires_at")?,
        used_at: row.maybe("used_at")?,
    })
}
