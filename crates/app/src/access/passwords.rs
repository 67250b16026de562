//! Passwords: slow to hash on purpose, so off the threads of the runtime and few at
//! a time.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;
use tokio::task;
use tracker_domain::Secret;

use crate::error::{AppError, FieldError};

/// Each hash takes 19 MiB for a moment, so a crowd has to queue.
const AT_A_TIME: usize = 2;

const SHORTEST: usize = 10;
const LONGEST: usize = 256;

/// Hashes passwords and compares them.
#[derive(Clone)]
pub(super) struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Passwords(Arc::new(Semaphore::new(AT_A_TIME)))
    }
}

impl Passwords {
    /// What is kept of a password; refuses one that is too short or too long.
    pub(super) async fn hash(&self, password: &Secret) -> Result<Secret, AppError> {
        let length = password.expose().chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            return Err(AppError::InvalidRequest(vec![FieldError::body(
                "/password",
                format!("a password has {SHORTEST} to {LONGEST} characters"),
            )]));
        }
        let password = password.clone();
        self.apart(move || hashed(&password)).await?
    }

    /// Whether it is the password of the hash. Without a hash the same work is done for
    /// nothing, so that the time does not tell whether a person exists.
    pub(super) async fn is_right(
        &self,
        password: &Secret,
        kept: Option<&Secret>,
    ) -> Result<bool, AppError> {
        if password.expose().len() > 4 * LONGEST {
            return Ok(false);
        }
        let (password, kept) = (password.clone(), kept.cloned());
        self.apart(move || match kept {
            Some(kept) => Argon2::default()
                .verify_password(password.expose().as_bytes(), kept.expose())
                .is_ok(),
            None => hashed(&password).is_err(),
        })
        .await
    }

    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        // The semaphore is never closed while the handle lives.
        let _turn = self.0.acquire().await.map_err(|error| AppError::Internal(error.into()))?;
        task::spawn_blocking(work).await.map_err(|error| AppError::Internal(error.into()))
    }
}

fn hashed(password: &Secret) -> Result<Secret, AppError> {
    let hash = Argon2::default()
        .hash_password(password.expose().as_bytes())
        .map_err(|error| AppError::Internal(error.to_string().into()))?;
    Ok(Secret::new(hash.to_string()))
}
