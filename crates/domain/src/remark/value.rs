//! The values in remarks: each is written in one way, and read back from it.

use std::fmt;

use super::Remark;
use crate::metadata::{Pin, Provider, WorkId};
use crate::number::EpisodeNumber;
use crate::recognised::TitleKind;

/// A value as whoever shows the remark needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Words or figures that are the same in each language.
    Text(String),
    /// A number of things, by which a language chooses its form.
    Count(u64),
    /// A stable word of a group: `work`, `movie`.
    Word(&'static str, &'static str),
    /// Another remark within the sentence.
    Remark(Box<Remark>),
}

/// A text in quotation marks, so that nothing in it is taken for the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(pub String);

/// A share in whole percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent(u8);

/// What can stand in a sentence.
pub(super) trait Told: fmt::Display + Sized {
    /// Reads it back. Text that is not written as [`Display`](fmt::Display) does is
    /// found out by who asks.
    fn read(text: &str) -> Option<Self>;

    fn value(&self) -> Value;
}

impl Percent {
    /// Of a share from 0 to 1.
    #[must_use]
    pub fn of(share: f64) -> Percent {
        let percent = (share * 100.0).round_ties_even().clamp(0.0, 100.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 100"
        )]
        Percent(percent as u8)
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Told for Quoted {
    fn read(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('"')?.strip_suffix('"')?;
        let mut plain = String::with_capacity(inner.len());
        let mut rest = inner.chars();
        while let Some(letter) = rest.next() {
            let letter = match letter {
                '"' => return None,
                '\\' => escaped(&mut rest)?,
                letter => letter,
            };
            plain.push(letter);
        }
        Some(Quoted(plain))
    }

    fn value(&self) -> Value {
        Value::Text(self.0.clone())
    }
}

/// The letter that is written behind a `\`.
fn escaped(rest: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let (digits, behind) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            *rest = behind.chars();
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
        }
        same @ ('\\' | '"' | '\'') => same,
        _ => return None,
    })
}

/// What has one written form that every language shows.
macro_rules! texts {
    ($($kind:ty),+ $(,)?) => {
        $(impl Told for $kind {
            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn value(&self) -> Value {
                Value::Text(self.to_string())
            }
        })+
    };
}

// The numbers with a sign are years and offsets: nothing is counted by them.
texts!(String, i32, EpisodeNumber, WorkId, Pin);

/// What is counted.
macro_rules! counts {
    ($($kind:ty),+ $(,)?) => {
        $(impl Told for $kind {
            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn value(&self) -> Value {
                Value::Count((*self).into())
            }
        })+
    };
}

counts!(u32, u64);

impl Told for Percent {
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|percent| *percent <= 100).map(Percent)
    }

    fn value(&self) -> Value {
        Value::Text(self.to_string())
    }
}

impl Told for Provider {
    fn read(text: &str) -> Option<Self> {
        Provider::ALL.iter().copied().find(|provider| provider.as_str() == text)
    }

    fn value(&self) -> Value {
        Value::Text(self.to_string())
    }
}

impl Told for TitleKind {
    fn read(text: &str) -> Option<Self> {
        TitleKind::ALL.iter().copied().find(|kind| kind.as_str() == text)
    }

    fn value(&self) -> Value {
        Value::Word("work", self.as_str())
    }
}

impl Told for Box<Remark> {
    fn read(text: &str) -> Option<Self> {
        Remark::known(text).map(Box::new)
    }

    fn value(&self) -> Value {
        Value::Remark(self.clone())
    }
}
