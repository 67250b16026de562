//! API tokens: only a digest is kept.

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use tracker_domain::access::Scope;
use tracker_domain::entity::TokenId;
use tracker_domain::event::EventType;
use tracker_domain::{EntityKind, Timestamp};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, text};
use crate::{ReadTx, StoreError, WriteTx};

/// One token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Token {
    pub id: TokenId,
    pub name: String,
    pub scope: Scope,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl ReadTx<'_> {
    /// All tokens, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM token ORDER BY id")?;
        collect("token", statement.query([])?, read_token)
    }

    /// One of them, whatever became of it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn token(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM token WHERE id = ?1")?;
        Ok(collect("token", statement.query([text(id)])?, read_token)?.pop())
    }

    /// The token in force that has this digest.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn token_by_digest(&self, digest: &str) -> Result<Option<Token>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT * FROM token WHERE hash = ?1 AND revoked_at IS NULL")?;
        Ok(collect("token", statement.query([digest])?, read_token)?.pop())
    }
}

impl WriteTx<'_> {
    /// Makes a token; `None` when one of that name was ever there.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_token(
        &mut self,
        name: &str,
        scope: Scope,
        digest: &str,
    ) -> Result<Option<TokenId>, StoreError> {
        let id: TokenId = self.new_id();
        let made = self
            .conn()
            .prepare_cached(
                "INSERT INTO token (id, name, hash, scope, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (name) DO NOTHING",
            )?
            .execute(params![text(id), name, digest, scope.as_str(), self.now().to_string()])?;
        if made == 0 {
            return Ok(None);
        }
        self.append_event(
            NewEvent::new(EventType::TokenCreated, "token made")
                .about(EntityKind::Token, id)
                .named(name)
                .with(json!({ "name": name, "scope": scope.as_str() })),
        )?;
        Ok(Some(id))
    }

    /// Gives the token of this name a new digest and puts it in force: its
    /// secret was lost with its file.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn renew_token(&mut self, name: &str, digest: &str) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("UPDATE token SET hash = ?2, revoked_at = NULL WHERE name = ?1")?
            .execute(params![name, digest])?;
        Ok(())
    }

    /// Takes a token out of force; `None` when there is none in force.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn revoke_token(&mut self, name: &str) -> Result<Option<TokenId>, StoreError> {
        let id: Option<String> = self
            .conn()
            .prepare_cached(
                "UPDATE token SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL
                 RETURNING id",
            )?
            .query_row(params![name, self.now().to_string()], |row| row.get(0))
            .optional()?;
        let Some(id) = id else { return Ok(None) };
        let id: TokenId = crate::row::parse("token", "id", &id)?;
        self.append_event(
            NewEvent::new(EventType::TokenRevoked, "token revoked")
                .about(EntityKind::Token, id)
                .named(name)
                .with(json!({ "name": name })),
        )?;
        Ok(Some(id))
    }

    /// Notes that a token was used.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn token_used(&mut self, id: TokenId) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("UPDATE token SET last_used_at = ?2 WHERE id = ?1")?
            .execute(params![text(id), self.now().to_string()])?;
        Ok(())
    }
}

fn read_token(row: &Columns<'_, '_>) -> Result<Token, StoreError> {
    Ok(Token {
        id: row.parsed("id")?,
        name: row.plain("name")?,
        scope: row.parsed("scope")?,
        created_at: row.parsed("created_at")?,
        last_used_at: row.maybe("last_used_at")?,
        revoked_at: row.maybe("revoked_at")?,
    })
}
