//! A person's wish that nothing of a download moves for now.

use std::fmt;
use std::str::FromStr;

/// How far the wish has come. It ends when it is taken back, here or in the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pause {
    /// Asked for; the client has not shown it yet, or does not have the torrent.
    Wished,
    /// The client has shown the torrent stopped. From here on one that runs was
    /// started there by a person, whose word is the later one.
    Held,
}

impl Pause {
    /// Each of them.
    pub const ALL: &'static [Pause] = &[Pause::Wished, Pause::Held];

    /// The word of the column.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Pause::Wished => "wished",
            Pause::Held => "held",
        }
    }
}

/// The text is not a word of the column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither `wished` nor `held`")]
pub struct ParsePauseError(String);

impl FromStr for Pause {
    type Err = ParsePauseError;

    fn from_str(text: &str) -> Result<Self, ParsePauseError> {
        let known = Self::ALL.iter().copied().find(|pause| pause.as_str() == text);
        known.ok_or_else(|| ParsePauseError(text.to_owned()))
    }
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn each_word_is_read_back() {
        for pause in Pause::ALL {
            assert_eq!(pause.to_string().parse::<Pause>().unwrap(), *pause);
        }
        assert!("paused".parse::<Pause>().is_err());
    }
}
