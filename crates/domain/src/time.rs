//! Time as it is stored and shown to programs: RFC 3339, UTC, whole seconds.
//!
//! Nothing here reads a clock; the port `Clock` does.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;
use jiff::civil::DateTime;

/// Milliseconds since the Unix epoch, as the clock gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub u64);

/// A moment in whole seconds; its text is `2006-01-02T15:04:05Z`, 20 bytes wide,
/// so that texts sort as the moments do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The text is not a timestamp of the stored form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a time of the form 2006-01-02T15:04:05Z")]
pub struct ParseTimestampError(String);

impl UnixMillis {
    /// Milliseconds from `earlier` to `self`; 0 when the clock was set back.
    #[must_use]
    pub const fn since(self, earlier: UnixMillis) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Timestamp {
    /// The first and the last moment that four digits of a year can write.
    const MIN: i64 = -62_167_219_200;
    const MAX: i64 = 253_402_300_799;

    /// Moments are counted from here, as a civil time: jiff's own `Timestamp`
    /// ends a few hours before the year 9999 does.
    const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

    /// Seconds since the Unix epoch, or `None` outside the years 0000 to 9999.
    #[must_use]
    pub fn from_unix(seconds: i64) -> Option<Self> {
        (Self::MIN..=Self::MAX).contains(&seconds).then_some(Timestamp(seconds))
    }

    /// Seconds since the Unix epoch.
    #[must_use]
    pub const fn unix(self) -> i64 {
        self.0
    }

    /// Seconds from `earlier` to `self`; negative when `earlier` is later.
    #[must_use]
    pub const fn seconds_since(self, earlier: Timestamp) -> i64 {
        self.0 - earlier.0
    }

    /// The moment `seconds` later (or earlier, when negative), held at the first
    /// and the last one that can be written.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Timestamp(self.0.saturating_add(seconds).clamp(Self::MIN, Self::MAX))
    }

    /// Reads what former versions and SQLite wrote: `2024-05-06 07:08:09`, with
    /// a `T`, a fraction, a `Z` or an offset as well. UTC where nothing is said.
    #[must_use]
    pub fn from_legacy(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(moment) = text.parse::<jiff::Timestamp>() {
            return Timestamp::from_unix(moment.as_second());
        }
        let civil: DateTime = text.trim_end_matches(['Z', 'z']).parse().ok()?;
        Self::from_civil(civil)
    }

    fn from_civil(civil: DateTime) -> Option<Self> {
        Timestamp::from_unix(civil.duration_since(Self::EPOCH).as_secs())
    }

    /// The compact form for file names: `20261201T093000Z`.
    #[must_use]
    pub fn compact(self) -> String {
        self.to_string().replace(['-', ':'], "")
    }
}

impl From<UnixMillis> for Timestamp {
    fn from(millis: UnixMillis) -> Self {
        let seconds = i64::try_from(millis.0 / 1000).unwrap_or(Self::MAX);
        Timestamp(seconds.min(Self::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Within the bounds of the type the conversion cannot fail.
        let since = SignedDuration::from_secs(self.0);
        let civil = Self::EPOCH.checked_add(since).map_err(|_| fmt::Error)?;
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            civil.year(),
            civil.month(),
            civil.day(),
            civil.hour(),
            civil.minute(),
            civil.second()
        )
    }
}

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    /// Strict: exactly the stored form, so that two spellings of one moment can
    /// never stand in the database.
    fn from_str(text: &str) -> Result<Self, ParseTimestampError> {
        let refused = || ParseTimestampError(text.to_owned());
        let civil: DateTime =
            text.strip_suffix('Z').ok_or_else(refused)?.parse().map_err(|_| refused())?;
        let found = Self::from_civil(civil).ok_or_else(refused)?;
        if found.to_string() == text { Ok(found) } else { Err(refused()) }
    }
}

#[cfg(test)]
mod tests;
