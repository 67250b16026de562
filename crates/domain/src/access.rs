//! Who may come in and how far: names of accounts, rights of tokens, and how long
//! a session lasts. The secrets themselves are the business of `app`.

use crate::time::Timestamp;
use crate::words::words;

/// The text is none of the words that are possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not possible here; the words are: {known}")]
pub struct ParseAccessWordError {
    found: String,
    known: String,
}

impl ParseAccessWordError {
    fn new(found: &str, known: &[&str]) -> Self {
        ParseAccessWordError { found: found.to_owned(), known: known.join(", ") }
    }
}

words! {
    ParseAccessWordError;
    /// How far a token reaches. The order is that of the rights: each has those before it.
    Scope {
        /// Looks at everything but accounts and tokens.
        Read = "read";
        /// Works with downloads as well.
        Write = "write";
        /// Everything.
        Admin = "admin";
    }
}

words! {
    ParseAccessWordError;
    /// The language of the pages.
    Language {
        /// English.
        En = "en";
        /// Russian.
        Ru = "ru";
    }
}

words! {
    ParseAccessWordError;
    /// Which colours the pages have.
    Theme {
        /// What the browser prefers.
        Auto = "auto";
        /// Dark letters on light ground.
        Light = "light";
        /// Light letters on dark ground.
        Dark = "dark";
    }
}

impl Scope {
    /// Whether what needs `needed` may be done with it.
    #[must_use]
    pub fn allows(self, needed: Scope) -> bool {
        self >= needed
    }
}

/// What a person has set for the pages; `None` follows the browser and the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// The language.
    pub language: Option<Language>,
    /// The time zone, by its name.
    pub timezone: Option<String>,
    /// The colours.
    pub theme: Option<Theme>,
}

/// Whether a text can be the name of a user or a token. The name stands in the
/// journal behind a colon, so it has no punctuation that could be taken for more.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

/// How long a session lasts without being used, in seconds: 30 days.
pub const IDLE: i64 = 30 * 86_400;

/// How long it lasts at most, in seconds: 90 days.
pub const LONGEST: i64 = 90 * 86_400;

/// The use of a session or a token is noted once in this many seconds, not each time.
pub const USE_NOTED_EVERY: i64 = 3600;

/// How long a login link can be used, in seconds.
pub const LINK_LASTS: i64 = 15 * 60;

/// The moments that decide whether a session is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTimes {
    /// When it was opened.
    pub created_at: Timestamp,
    /// When its use was noted last.
    pub last_seen_at: Timestamp,
    /// When it ends if it is not used.
    pub expires_at: Timestamp,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
}

/// What a session is at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// It opens the door.
    Open,
    /// It opens the door, and its use should be noted.
    Due,
    /// Its time is over.
    Expired,
    /// Somebody ended it.
    Revoked,
}

impl SessionState {
    /// Whether it opens the door.
    #[must_use]
    pub const fn is_good(self) -> bool {
        matches!(self, SessionState::Open | SessionState::Due)
    }
}

impl SessionTimes {
    /// Those of a session that is opened now.
    #[must_use]
    pub fn opened(now: Timestamp) -> Self {
        SessionTimes {
            created_at: now,
            last_seen_at: now,
            expires_at: now.plus_seconds(IDLE),
            revoked_at: None,
        }
    }

    /// What it is at a moment.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> SessionState {
        if self.revoked_at.is_some() {
            SessionState::Revoked
        } else if now >= self.expires_at || now >= self.created_at.plus_seconds(LONGEST) {
            SessionState::Expired
        } else if now.seconds_since(self.last_seen_at) >= USE_NOTED_EVERY {
            SessionState::Due
        } else {
            SessionState::Open
        }
    }

    /// The same after a use: it lasts on, but never beyond its longest time.
    #[must_use]
    pub fn used(self, now: Timestamp) -> Self {
        let end = self.created_at.plus_seconds(LONGEST).min(now.plus_seconds(IDLE));
        SessionTimes { last_seen_at: now, expires_at: end.max(self.expires_at), ..self }
    }
}

#[cfg(test)]
mod tests;
