//! API tokens: named, scoped, shown once.

use tracing::warn;
use tracker_domain::Actor;
use tracker_domain::access::{Scope, USE_NOTED_EVERY};
use tracker_store::{StoreError, Token};

use super::{Access, checked_name, digest, fresh};
use crate::error::{AppError, FieldError};
use crate::views::TokenView;

impl Access {
    /// The token in force that this secret belongs to.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn verify_token(&self, secret: &str) -> Result<Option<TokenView>, AppError> {
        let digest = digest(secret);
        let found = self.db.read(move |tx| tx.token_by_digest(&digest)).await?;
        let Some(token) = found else { return Ok(None) };
        if let Err(failure) = self.note_use(&token).await {
            // The token is good all the same.
            warn!(token_id = %token.id, error = %failure, "the use of a token was not noted");
        }
        Ok(Some(token_view(token)))
    }

    /// As with sessions, nobody waits for it.
    async fn note_use(&self, token: &Token) -> Result<(), StoreError> {
        let now = self.db.clock().now();
        let recent =
            token.last_used_at.is_some_and(|used| now.seconds_since(used) < USE_NOTED_EVERY);
        if recent {
            return Ok(());
        }
        let id = token.id;
        self.db.write_if_idle(&Actor::System, move |tx| tx.token_used(id)).await?;
        Ok(())
    }

    /// Makes a token; its secret is shown this once.
    ///
    /// # Errors
    /// When the name is not usable or taken.
    pub async fn token_new(
        &self,
        name: &str,
        scope: Scope,
        actor: &Actor,
    ) -> Result<(TokenView, String), AppError> {
        checked_name(name, "a token's")?;
        let secret = fresh_token();
        let (asked, digest) = (name.to_owned(), digest(&secret));
        let made = self.db.write(actor, move |tx| tx.add_token(&asked, scope, &digest)).await?;
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

    /// The token for programs on this machine: made once, with all rights, and given a
    /// new secret when the file that held it is lost.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn local_token(&self, name: &'static str) -> Result<String, AppError> {
        let secret = fresh_token();
        let digest = digest(&secret);
        self.db
            .write(&Actor::System, move |tx| {
                if tx.add_token(name, Scope::Admin, &digest)?.is_none() {
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

fn fresh_token() -> String {
    fresh("tracker_").expose().to_owned()
}

fn gone(name: &str) -> AppError {
    AppError::TokenNotFound { name: name.to_owned() }
}

fn token_view(row: Token) -> TokenView {
    TokenView {
        id: row.id,
        name: row.name,
        scope: row.scope,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
    }
}
