//! What a person wants to be asked about before it is accepted.

use std::fmt;
use std::str::FromStr;

/// How far a rule reaches that nothing is accepted by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskScope {
    /// One download, whatever it turns out to be.
    Download,
    /// Every download of one work.
    Title,
}

impl AskScope {
    /// Both of them.
    pub const ALL: [AskScope; 2] = [AskScope::Download, AskScope::Title];

    /// The word of commands and of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            AskScope::Download => "download",
            AskScope::Title => "title",
        }
    }
}

impl fmt::Display for AskScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text says not how far a rule reaches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither \"download\" nor \"title\"")]
pub struct ParseAskScopeError(String);

impl FromStr for AskScope {
    type Err = ParseAskScopeError;

    fn from_str(text: &str) -> Result<Self, ParseAskScopeError> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| ParseAskScopeError(text.to_owned()))
    }
}
