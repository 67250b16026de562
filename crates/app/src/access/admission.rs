//! Whether somebody who was let in may still be here: for answers that last longer than
//! a moment.

use tracker_domain::Timestamp;
use tracker_domain::access::LONGEST;
use tracker_domain::entity::{SessionId, TokenId, UserId};
use tracker_domain::event::EventType;
use tracker_store::{ReadTx, StoreError};

use super::Access;
use crate::error::AppError;

/// By what somebody was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// A program, by its token.
    Token(TokenId),
    /// A person, by the session of their browser.
    Session(SessionId),
    /// A person, by the word of a trusted proxy.
    Account(UserId),
    /// Whoever comes from a network without a login.
    Anybody,
}

/// How long an admission lasts, as things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// It is over.
    NoMore,
    /// Until this moment, unless it is ended before, or used again.
    Until(Timestamp),
    /// Until somebody ends it.
    UntilEnded,
}

impl Access {
    /// How long an admission lasts. It may end earlier only together with an entry of
    /// the journal that `ends_admissions` tells.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn lasts(&self, admission: Admission) -> Result<Lasts, AppError> {
        let now = self.db.clock().now();
        Ok(self.db.read(move |tx| lasts(tx, admission, now)).await?)
    }
}

fn lasts(tx: &ReadTx<'_>, admission: Admission, now: Timestamp) -> Result<Lasts, StoreError> {
    let is_let_in = |user| -> Result<bool, StoreError> {
        Ok(tx.user(user)?.is_some_and(|user| user.disabled_at.is_none()))
    };
    let ends = match admission {
        Admission::Anybody => Lasts::UntilEnded,
        Admission::Token(id) if tx.token(id)?.is_some_and(|row| row.revoked_at.is_none()) => {
            Lasts::UntilEnded
        }
        Admission::Account(id) if is_let_in(id)? => Lasts::UntilEnded,
        Admission::Token(_) | Admission::Account(_) => Lasts::NoMore,
        Admission::Session(id) => match tx.session(id)? {
            Some(row) if row.times.state(now).is_good() && is_let_in(row.user_id)? => {
                let longest = row.times.created_at.plus_seconds(LONGEST);
                Lasts::Until(row.times.expires_at.min(longest))
            }
            _ => Lasts::NoMore,
        },
    };
    Ok(ends)
}

/// Whether somebody who was let in may be here no more after an entry of this type.
#[must_use]
pub(crate) fn ends_admissions(kind: EventType) -> bool {
    matches!(
        kind,
        EventType::AuthLogout
            | EventType::AuthSessionRevoked
            | EventType::UserDisabled
            | EventType::TokenRevoked
    )
}
