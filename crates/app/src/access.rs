//! Who may come in: accounts, logins, sessions and tokens.
//!
//! Secrets are 256 random bits and kept as a digest; passwords are kept as argon2
//! hashes. Neither is ever in a view or in the journal.

mod admission;
mod gate;
mod passwords;
mod sessions;
mod tokens;

use std::net::IpAddr;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tracker_domain::access::{Preferences, is_name};
use tracker_domain::entity::{SessionId, UserId};
use tracker_domain::{Actor, Secret};
use tracker_store::{Db, ReadTx, User};

pub(crate) use self::admission::ends_admissions;
pub use self::admission::{Admission, Lasts};
use self::gate::Gate;
use self::passwords::Passwords;
use crate::access_views::{LoginLinkView, UserView, link_view, user_view};
use crate::error::{AppError, FieldError};

/// The service for accounts, sessions and tokens.
#[derive(Clone)]
pub struct Access {
    db: Db,
    gate: Arc<Gate>,
    passwords: Passwords,
}

/// Where a login comes from.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// The address of the browser, where it is known.
    pub address: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
}

impl Access {
    pub(crate) fn new(db: Db) -> Self {
        let gate = Arc::new(Gate::new(Arc::clone(db.clock())));
        Access { db, gate, passwords: Passwords::default() }
    }

    /// Everybody with an account, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn users(&self) -> Result<Vec<UserView>, AppError> {
        let rows = self.db.read(|tx| tx.users()).await?;
        Ok(rows.into_iter().map(user_view).collect())
    }

    /// Makes an account. Without a password only a link or a proxy logs in.
    ///
    /// # Errors
    /// When the name is not usable or taken, or the password is too short.
    pub async fn user_add(
        &self,
        name: &str,
        password: Option<&Secret>,
        actor: &Actor,
    ) -> Result<UserView, AppError> {
        checked_name(name, "a user's")?;
        let hash = match password {
            Some(password) => Some(self.passwords.hash(password).await?),
            None => None,
        };
        let name = name.to_owned();
        self.db
            .write(actor, move |tx| match tx.add_user(&name, hash.as_ref())? {
                Some(_) => named(tx, &name).map(user_view),
                None => Err(AppError::InvalidRequest(vec![FieldError::body(
                    "/name",
                    format!(
                        "there is or was a user {name:?}, in these or other letters; choose \
                         another name"
                    ),
                )])),
            })
            .await
    }

    /// Gives a person another password, whatever the former one was, and ends all of
    /// their sessions.
    ///
    /// # Errors
    /// When there is nobody of this name, or the password is too short.
    pub async fn user_passwd(
        &self,
        name: &str,
        password: &Secret,
        actor: &Actor,
    ) -> Result<UserView, AppError> {
        let name = name.to_owned();
        let asked = name.clone();
        self.db.read(move |tx| named(tx, &asked)).await?;
        let hash = self.passwords.hash(password).await?;
        self.db
            .write(actor, move |tx| {
                let user = named(tx, &name)?;
                tx.set_password(&user, &hash, None)?;
                named(tx, &name).map(user_view)
            })
            .await
    }

    /// A person changes their own password: the former one is asked for where there is
    /// one. All of their other sessions end.
    ///
    /// # Errors
    /// When the former password is wrong, the new one too short, or too many were tried.
    pub async fn own_password(
        &self,
        user: UserId,
        session: Option<SessionId>,
        former: Option<&Secret>,
        new: &Secret,
        actor: &Actor,
    ) -> Result<UserView, AppError> {
        let row = self.db.read(move |tx| user_of(tx, user)).await?;
        if row.password_hash.is_some() {
            self.gate.pass_account(&row.name)?;
            let nothing = Secret::new("");
            let former = former.unwrap_or(&nothing);
            if !self.passwords.is_right(former, row.password_hash.as_ref()).await? {
                return Err(AppError::InvalidRequest(vec![FieldError::body(
                    "/former",
                    "this is not the password of now",
                )]));
            }
        }
        let hash = self.passwords.hash(new).await?;
        self.db
            .write(actor, move |tx| {
                let user = user_of(tx, user)?;
                tx.set_password(&user, &hash, session)?;
                user_of(tx, user.id).map(user_view)
            })
            .await
    }

    /// Lets a person in no more and ends their sessions, or lets them in again.
    ///
    /// # Errors
    /// When there is nobody of this name.
    pub async fn user_disable(
        &self,
        name: &str,
        disabled: bool,
        actor: &Actor,
    ) -> Result<UserView, AppError> {
        let name = name.to_owned();
        self.db
            .write(actor, move |tx| {
                let user = named(tx, &name)?;
                if user.disabled_at.is_some() != disabled {
                    tx.set_disabled(&user, disabled)?;
                }
                named(tx, &name).map(user_view)
            })
            .await
    }

    /// Keeps what a person sets for the pages.
    ///
    /// # Errors
    /// When the time zone does not exist.
    pub async fn set_preferences(
        &self,
        user: UserId,
        new: Preferences,
        actor: &Actor,
    ) -> Result<UserView, AppError> {
        if let Some(zone) = &new.timezone
            && (zone.len() > 64 || jiff::tz::TimeZone::get(zone).is_err())
        {
            return Err(AppError::InvalidRequest(vec![FieldError::body(
                "/timezone",
                format!("there is no time zone {zone:?}; write one such as Europe/Berlin"),
            )]));
        }
        self.db
            .write(actor, move |tx| {
                let user = user_of(tx, user)?;
                if user.preferences != new {
                    tx.set_preferences(&user, &new)?;
                }
                user_of(tx, user.id).map(user_view)
            })
            .await
    }

    /// The person whom a trusted proxy names, where they have an account and are let in.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn user_of_proxy(&self, name: &str) -> Result<Option<UserView>, AppError> {
        let name = name.to_owned();
        let found = self.db.read(move |tx| tx.user_named(&name)).await?;
        Ok(found.filter(|user| user.disabled_at.is_none()).map(user_view))
    }

    /// Makes a link that logs in once within 15 minutes; its secret is shown this once.
    /// Without a name it is for the only person there is; where there is nobody yet, it
    /// makes the first account.
    ///
    /// # Errors
    /// When there is nobody of this name, or several and none is named, or the person is
    /// not let in.
    pub async fn login_link(
        &self,
        name: Option<&str>,
        actor: &Actor,
    ) -> Result<(LoginLinkView, Secret), AppError> {
        let secret = fresh("");
        let digest = digest(secret.expose());
        let name = name.map(str::to_owned);
        let view = self
            .db
            .write(actor, move |tx| {
                let user = match name {
                    Some(name) => Some(named(tx, &name)?),
                    None => the_only_one(tx)?,
                };
                if let Some(user) = user.as_ref().filter(|user| user.disabled_at.is_some()) {
                    return Err(AppError::InvalidRequest(vec![FieldError::body(
                        "/name",
                        format!("{:?} is disabled; enable the account first", user.name),
                    )]));
                }
                let link = tx.add_login_link(user.as_ref(), &digest)?;
                Ok::<_, AppError>(link_view(&link, user.map(|user| user.name)))
            })
            .await?;
        Ok((view, secret))
    }
}

/// Whom a link without a name is for; `None` where there is nobody yet.
fn the_only_one(tx: &ReadTx<'_>) -> Result<Option<User>, AppError> {
    let everybody = tx.users()?;
    let nobody_yet = everybody.is_empty();
    let mut let_in: Vec<User> =
        everybody.into_iter().filter(|user| user.disabled_at.is_none()).collect();
    match (let_in.len(), nobody_yet) {
        (0, true) => Ok(None),
        (1, _) => Ok(let_in.pop()),
        _ => Err(AppError::InvalidRequest(vec![FieldError::body(
            "/name",
            "there is not just one user; say for whom the link is",
        )])),
    }
}

fn named(tx: &ReadTx<'_>, name: &str) -> Result<User, AppError> {
    tx.user_named(name)?.ok_or_else(|| AppError::UserNotFound { name: name.to_owned() })
}

fn user_of(tx: &ReadTx<'_>, id: UserId) -> Result<User, AppError> {
    match tx.user(id)? {
        Some(user) => Ok(user),
        None => Err(crate::convert::absent(tx, tracker_domain::EntityKind::User, id)?),
    }
}

fn checked_name(name: &str, whose: &str) -> Result<(), AppError> {
    if is_name(name) {
        return Ok(());
    }
    Err(AppError::InvalidRequest(vec![FieldError::body(
        "/name",
        format!("{whose} name has 1 to 64 letters, digits, dots, dashes or underscores"),
    )]))
}

/// 256 random bits, with a front that scanners for leaked secrets know.
fn fresh(front: &str) -> Secret {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).expect("the system provides randomness");
    Secret::new(format!("{front}{}", hex::encode(bytes)))
}

/// The secret is 256 random bits: a plain digest cannot be guessed back, and looking
/// it up by an index tells nothing of it by time.
fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}
