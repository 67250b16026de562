//! The program itself: whether it is ready and well, and who may ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use tracing::warn;
use tracker_domain::health::{Check, Level};
use tracker_domain::observed::Progress;
use tracker_domain::ports::{Examiner, Live, NobodyWatches};
use tracker_domain::{Actor, DownloadId, UnixMillis};
use tracker_store::{Db, StoreError, Token};

use crate::error::{AppError, FieldError};
use crate::views::{CheckView, HealthLevel, HealthView, TokenView};

/// The use of a token is noted once in this many seconds, not at each call.
const USE_NOTED_EVERY: i64 = 3600;

/// The service for the program itself.
#[derive(Clone)]
pub struct Ops {
    pub(crate) db: Db,
    /// When this process began to serve, or to run its command.
    pub(crate) started: UnixMillis,
    live: Arc<dyn Live>,
    ready: Arc<AtomicBool>,
    /// Who runs the checks.
    examiner: Arc<dyn Examiner>,
    /// Held by who has them run: one at a time.
    examining: Arc<Mutex<()>>,
}

impl Ops {
    pub(crate) fn new(db: Db, live: Arc<dyn Live>) -> Self {
        Ops {
            started: db.clock().now_ms(),
            db,
            live,
            ready: Arc::default(),
            examiner: Arc::new(NobodyWatches),
            examining: Arc::default(),
        }
    }

    pub(crate) fn with_examiner(self, examiner: Arc<dyn Examiner>) -> Self {
        Ops { examiner, ..self }
    }

    /// Runs every check now, then what [`Ops::health`] tells. Without anybody who can,
    /// that is what was found last.
    pub async fn examine(&self) -> HealthView {
        let turn = self.examining.lock().await;
        self.examiner.examine().await;
        drop(turn);
        self.health().await
    }

    /// Whether it serves: database open and current, workers running.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Says that everything that serving needs is there, or no longer.
    pub fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Release);
    }

    /// What works and what does not, as the workers know it. Asks nobody but
    /// the database.
    pub async fn health(&self) -> HealthView {
        let mut checks: Vec<CheckView> = vec![self.database().await];
        checks.extend(self.live.checks().into_iter().map(check_view));
        let status = checks.iter().map(|check| check.level).max().unwrap_or(HealthLevel::Ok);
        HealthView { status, checks }
    }

    /// How far the transfers are that are watched now, in the order of their ids.
    #[must_use]
    pub fn progress(&self) -> Vec<(DownloadId, Progress)> {
        let mut all = self.live.all_progress();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    async fn database(&self) -> CheckView {
        let answer = self.db.read(|tx| tx.newest_event()).await;
        let (level, detail, remedy) = match answer {
            Ok(_) => (HealthLevel::Ok, "the database answers".to_owned(), ""),
            Err(error) => (
                HealthLevel::Error,
                error.to_string(),
                "run `tracker db check`; restore a copy when it reports damage",
            ),
        };
        CheckView {
            code: "database".to_owned(),
            subject: String::new(),
            level,
            detail,
            remedy: remedy.to_owned(),
            checked_at: self.db.clock().now(),
        }
    }

    /// The name of the token in force that this secret belongs to.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn verify_token(&self, secret: &str) -> Result<Option<String>, AppError> {
        // The secret is 256 random bits: a plain digest cannot be guessed back,
        // and looking it up by an index tells nothing of it by time.
        let digest = digest(secret);
        let found = self.db.read(move |tx| tx.token_by_digest(&digest)).await?;
        let Some(token) = found else { return Ok(None) };
        if let Err(failure) = self.note_use(&token).await {
            // The token is good all the same.
            warn!(token_id = %token.id, error = %failure, "the use of a token was not noted");
        }
        Ok(Some(token.name))
    }

    async fn note_use(&self, token: &Token) -> Result<(), StoreError> {
        let now = self.db.clock().now();
        let recent =
            token.last_used_at.is_some_and(|used| now.seconds_since(used) < USE_NOTED_EVERY);
        if recent {
            return Ok(());
        }
        let id = token.id;
        self.db.write(&Actor::System, move |tx| tx.token_used(id)).await
    }

    /// Makes a token; its secret is shown this once.
    ///
    /// # Errors
    /// When the name is not usable or taken.
    pub async fn token_new(
        &self,
        name: &str,
        actor: &Actor,
    ) -> Result<(TokenView, String), AppError> {
        let fine = (1..=64).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        if !fine {
            return Err(AppError::InvalidRequest(vec![FieldError::body(
                "/name",
                "a token's name has 1 to 64 letters, digits, dots, dashes or underscores",
            )]));
        }
        let secret = fresh_secret();
        let (asked, digest) = (name.to_owned(), digest(&secret));
        let made = self.db.write(actor, move |tx| tx.add_token(&asked, &digest)).await?;
        if made.is_none() {
            return Err(AppError::InvalidRequest(vec![FieldError::body(
                "/name",
                format!("there is or was a token {name:?}; choose another name"),
            )]));
        }
        let tokens = self.tokens().await?;
        let view = tokens.into_iter().find(|token| token.name == name);
        view.map(|view| (view, secret)).ok_or_else(|| gone(name))
    }

    /// The token for programs on this machine: made once, and given a new
    /// secret when the file that held it is lost.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn local_token(&self, name: &'static str) -> Result<String, AppError> {
        let secret = fresh_secret();
        let digest = digest(&secret);
        self.db
            .write(&Actor::System, move |tx| {
                if tx.add_token(name, &digest)?.is_none() {
                    tx.renew_token(name, &digest)?;
                }
                Ok::<_, StoreError>(())
            })
            .await?;
        Ok(secret)
    }

    /// All tokens, without their secrets.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn tokens(&self) -> Result<Vec<TokenView>, AppError> {
        let rows = self.db.read(|tx| tx.tokens()).await?;
        Ok(rows.into_iter().map(token_view).collect())
    }

    /// Takes a token out of force.
    ///
    /// # Errors
    /// When there is none of this name in force.
    pub async fn token_revoke(&self, name: &str, actor: &Actor) -> Result<TokenView, AppError> {
        let asked = name.to_owned();
        let revoked = self.db.write(actor, move |tx| tx.revoke_token(&asked)).await?;
        let tokens = self.tokens().await?;
        let view = revoked.and_then(|id| tokens.into_iter().find(|token| token.id == id));
        view.ok_or_else(|| gone(name))
    }
}

fn gone(name: &str) -> AppError {
    AppError::TokenNotFound { name: name.to_owned() }
}

/// 256 random bits with a front that scanners for leaked secrets know.
fn fresh_secret() -> String {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).expect("the system provides randomness");
    format!("tracker_{}", hex::encode(bytes))
}

fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

fn token_view(row: Token) -> TokenView {
    TokenView {
        id: row.id,
        name: row.name,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
    }
}

fn check_view(check: Check) -> CheckView {
    CheckView {
        code: check.code.to_owned(),
        subject: check.subject,
        level: match check.level {
            Level::Ok => HealthLevel::Ok,
            Level::Notice => HealthLevel::Notice,
            Level::Warning => HealthLevel::Warning,
            Level::Error => HealthLevel::Error,
        },
        detail: check.detail,
        remedy: check.remedy,
        checked_at: check.checked_at,
    }
}
