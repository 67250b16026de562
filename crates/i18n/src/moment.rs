//! Moments in the time zone of the person who reads.

use std::str::FromStr;

use jiff::ZonedDateTime;
use jiff::tz::TimeZone;
use tracker_domain::Timestamp;

use crate::Language;
use crate::catalogue::{Argument, Catalogue};

/// A time zone of the IANA database.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone(TimeZone);

/// The text names no time zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time zone; write a name such as Europe/Berlin")]
pub struct ParseZoneError(String);

impl FromStr for Zone {
    type Err = ParseZoneError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        TimeZone::get(name).map(Zone).map_err(|_| ParseZoneError(name.to_owned()))
    }
}

impl From<TimeZone> for Zone {
    fn from(zone: TimeZone) -> Self {
        Zone(zone)
    }
}

impl Default for Zone {
    fn default() -> Self {
        Zone(TimeZone::UTC)
    }
}

impl Zone {
    /// The whole moment with its offset, such as `2 Dec 2026, 14:05:09 +01:00`.
    #[must_use]
    pub fn moment(&self, catalogue: &Catalogue, language: Language, at: Timestamp) -> String {
        let Some(local) = self.local(at) else { return at.to_string() };
        let time = local.strftime("%H:%M:%S %:z").to_string();
        dated(catalogue, language, "moment", &local, &time)
    }

    /// The moment as a list shows it: the time of today, else the day.
    #[must_use]
    pub fn brief(
        &self,
        catalogue: &Catalogue,
        language: Language,
        at: Timestamp,
        now: Timestamp,
    ) -> String {
        let (Some(local), Some(today)) = (self.local(at), self.local(now)) else {
            return at.to_string();
        };
        if local.date() == today.date() {
            return local.strftime("%H:%M").to_string();
        }
        let key = if local.year() == today.year() { "day-of-year" } else { "day-and-year" };
        dated(catalogue, language, key, &local, "")
    }

    fn local(&self, at: Timestamp) -> Option<ZonedDateTime> {
        let instant: jiff::Timestamp = at.to_string().parse().ok()?;
        Some(instant.to_zoned_datetime(self.0.clone()))
    }
}

/// A text that has a day in it; what it has no place for is left out.
fn dated(
    catalogue: &Catalogue,
    language: Language,
    key: &str,
    local: &ZonedDateTime,
    time: &str,
) -> String {
    let (day, year) = (local.day().to_string(), local.year().to_string());
    let month = catalogue.text(language, &format!("month-{}", local.month()), &[]);
    let parts = [("day", &*day), ("month", &*month), ("year", &*year), ("time", time)];
    catalogue.text(language, key, &parts.map(|(name, text)| (name, Argument::Text(text))))
}
