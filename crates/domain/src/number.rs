//! Numbers and days by which episodes are called.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of an episode. A recap or an extra between two episodes has a
/// fraction: 12.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EpisodeNumber {
    hundredths: u64,
}

impl EpisodeNumber {
    /// A whole number.
    #[must_use]
    pub const fn whole(number: u32) -> Self {
        EpisodeNumber { hundredths: number as u64 * 100 }
    }

    /// A number with hundredths, of which only the last two digits count.
    #[must_use]
    pub const fn with_hundredths(number: u32, hundredths: u32) -> Self {
        EpisodeNumber { hundredths: number as u64 * 100 + (hundredths % 100) as u64 }
    }

    /// The number, where it is whole.
    #[must_use]
    pub fn as_whole(self) -> Option<u32> {
        let whole = u32::try_from(self.hundredths / 100).ok()?;
        self.hundredths.is_multiple_of(100).then_some(whole)
    }
}

impl From<u32> for EpisodeNumber {
    fn from(number: u32) -> Self {
        Self::whole(number)
    }
}

impl PartialEq<u32> for EpisodeNumber {
    fn eq(&self, other: &u32) -> bool {
        *self == Self::whole(*other)
    }
}

impl fmt::Display for EpisodeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        match (rest, rest % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl fmt::Debug for EpisodeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no number of an episode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no number of an episode: expected digits, with up to two after a point")]
pub struct ParseEpisodeNumberError(String);

impl FromStr for EpisodeNumber {
    type Err = ParseEpisodeNumberError;

    fn from_str(text: &str) -> Result<Self, ParseEpisodeNumberError> {
        let refused = || ParseEpisodeNumberError(text.to_owned());
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        if !digits(whole) || !digits(rest) || rest.len() > 2 {
            return Err(refused());
        }
        let number: u32 = whole.parse().map_err(|_| refused())?;
        let hundredths: u32 = rest.parse().map_err(|_| refused())?;
        let scale = if rest.len() == 1 { 10 } else { 1 };
        Ok(Self::with_hundredths(number, hundredths * scale))
    }
}

impl Serialize for EpisodeNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => serializer.serialize_u32(whole),
            None =>
            {
                #[expect(clippy::cast_precision_loss, reason = "below 2^42 an f64 is exact")]
                serializer.serialize_f64(self.hundredths as f64 / 100.0)
            }
        }
    }
}

impl<'de> Deserialize<'de> for EpisodeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        format!("{:.2}", number.abs()).parse().map_err(serde::de::Error::custom)
    }
}

/// A day, as `2006-01-02`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A day of the calendar between 1900 and 2199.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        if year < 1900 || year > 2199 || day == 0 || day > days {
            return None;
        }
        Some(Date { year, month, day })
    }

    /// The year.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no day: expected YYYY-MM-DD between 1900 and 2199")]
pub struct ParseDateError(String);

impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        let mut parts = text.splitn(3, '-');
        let mut next = |len: usize| {
            let digits = parts.next().filter(|digits| digits.len() == len)?;
            digits.bytes().all(|b| b.is_ascii_digit()).then_some(digits)
        };
        let read = || {
            let year = next(4)?.parse().ok()?;
            let month = next(2)?.parse().ok()?;
            Date::new(year, month, next(2)?.parse().ok()?)
        };
        let mut read = read;
        read().ok_or_else(|| ParseDateError(text.to_owned()))
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
