//! Which events a receiver is told of, and when: the rules of `[[notify]]`, in the
//! order types, quiet hours, grouping.
//!
//! Nothing here reads the journal or a clock.

use std::str::FromStr;

use jiff::tz::TimeZone;

use crate::Timestamp;
use crate::event::EventType;

const MINUTES_A_DAY: u16 = 24 * 60;

/// A pattern of types of event, such as `download.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPattern(String);

/// The text is no pattern, or nothing fits it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no type of event fits {0:?}; write a type such as batch.applied, or a pattern such as download.*"
)]
pub struct ParsePatternError(String);

impl EventPattern {
    /// Whether a type fits.
    #[must_use]
    pub fn fits(&self, kind: EventType) -> bool {
        glob(self.0.as_bytes(), kind.as_str().as_bytes())
    }

    /// The text it was read from.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EventPattern {
    type Err = ParsePatternError;

    /// A pattern that fits nothing is a slip of the pen, and would be silence.
    fn from_str(text: &str) -> Result<Self, ParsePatternError> {
        let pattern = EventPattern(text.trim().to_owned());
        if EventType::ALL.iter().any(|kind| pattern.fits(*kind)) {
            Ok(pattern)
        } else {
            Err(ParsePatternError(text.to_owned()))
        }
    }
}

/// Whether a text fits a pattern in which `*` is any run of characters.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // Where the last star stood, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(byte) if *byte == text[read] => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((back, taken)) = star else { return false };
                star = Some((back, taken + 1));
                at = back + 1;
                read = taken + 1;
            }
        }
    }
    pattern[at.min(pattern.len())..].iter().all(|byte| *byte == b'*')
}

/// A span of each day in which nothing is sent; it may go over midnight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietHours {
    from: u16,
    until: u16,
}

/// The text is no span of a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no span of a day; write two times such as 23:00-07:30")]
pub struct ParseQuietHoursError(String);

impl QuietHours {
    /// Whether a moment lies in it, as the clock on the wall shows it.
    #[must_use]
    pub fn hold(&self, at: Timestamp, zone: &TimeZone) -> bool {
        let Ok(moment) = jiff::Timestamp::from_second(at.unix()) else { return false };
        let local = zone.to_datetime(moment);
        let minute = |value: i8| u16::try_from(value).unwrap_or_default();
        self.has(minute(local.hour()) * 60 + minute(local.minute()))
    }

    fn has(&self, minute: u16) -> bool {
        if self.from <= self.until {
            (self.from..self.until).contains(&minute)
        } else {
            minute >= self.from || minute < self.until
        }
    }
}

impl std::fmt::Display for QuietHours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (from, until) = (self.from, self.until);
        write!(f, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, until / 60, until % 60)
    }
}

impl FromStr for QuietHours {
    type Err = ParseQuietHoursError;

    fn from_str(text: &str) -> Result<Self, ParseQuietHoursError> {
        let refused = || ParseQuietHoursError(text.to_owned());
        let (from, until) = text.split_once('-').ok_or_else(refused)?;
        let minute = |time: &str| -> Option<u16> {
            let (hour, minute) = time.trim().split_once(':')?;
            let digits = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
            if !digits(hour) || !digits(minute) {
                return None;
            }
            let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
            (hour < 24 && minute < 60).then_some(hour * 60 + minute)
        };
        let (from, until) = (minute(from).ok_or_else(refused)?, minute(until).ok_or_else(refused)?);
        debug_assert!(from < MINUTES_A_DAY && until < MINUTES_A_DAY);
        if from == until {
            return Err(refused());
        }
        Ok(QuietHours { from, until })
    }
}

/// The rules of one receiver.
#[derive(Clone, Debug)]
pub struct NotifyRules {
    /// Which types; empty is all.
    pub events: Vec<EventPattern>,
    /// When nothing is sent.
    pub quiet: Option<QuietHours>,
    /// The zone that the quiet hours are in.
    pub zone: TimeZone,
    /// For so long a message about an episode waits for more of its season, to be
    /// one message with them. 0 never waits.
    pub group_seconds: i64,
}

impl Default for NotifyRules {
    fn default() -> Self {
        NotifyRules { events: Vec::new(), quiet: None, zone: TimeZone::UTC, group_seconds: 0 }
    }
}

impl NotifyRules {
    /// Whether a type is wanted.
    #[must_use]
    pub fn want(&self, kind: EventType) -> bool {
        self.events.is_empty() || self.events.iter().any(|pattern| pattern.fits(kind))
    }

    /// Whether nothing is sent now.
    #[must_use]
    pub fn are_quiet(&self, now: Timestamp) -> bool {
        self.quiet.as_ref().is_some_and(|quiet| quiet.hold(now, &self.zone))
    }

    /// Whether something of a season is to wait for more of it.
    #[must_use]
    pub fn gather(&self, first: Timestamp, now: Timestamp) -> bool {
        let waited = now.seconds_since(first);
        // A clock that was set back must not make it wait for long.
        (0..self.group_seconds).contains(&waited)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    fn pattern(text: &str) -> Result<EventPattern, ParsePatternError> {
        text.parse()
    }

    #[test]
    fn patterns_pick_types() {
        spec!("notifications#which-events/patterns");
        for (text, kind, fits) in [
            ("download.*", EventType::DownloadCreated, true),
            ("download.*", EventType::BatchApplied, false),
            ("*.failed", EventType::BatchFailed, true),
            ("*.failed", EventType::BatchApplied, false),
            ("batch.applied", EventType::BatchApplied, true),
            ("*", EventType::SystemStarted, true),
            ("*a*d*", EventType::BatchApplied, true),
        ] {
            assert_eq!(pattern(text).unwrap().fits(kind), fits, "{text} {kind}");
        }
        for text in ["", "download", "downloads.*", "batch.applie", "Download.*"] {
            assert!(pattern(text).is_err(), "{text}");
        }
        assert!(NotifyRules::default().want(EventType::BatchApplied), "empty is all");
    }

    proptest! {
        /// Against the definition: a star is any run of characters.
        #[test]
        fn a_glob_is_what_it_says(pattern in "[ab*]{0,6}", text in "[ab]{0,8}") {
            fn by_definition(pattern: &[u8], text: &[u8]) -> bool {
                match pattern.split_first() {
                    None => text.is_empty(),
                    Some((b'*', rest)) => {
                        (0..=text.len()).any(|taken| by_definition(rest, &text[taken..]))
                    }
                    Some((byte, rest)) => {
                        text.split_first().is_some_and(|(first, left)| {
                            first == byte && by_definition(rest, left)
                        })
                    }
                }
            }
            let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
            prop_assert_eq!(glob(pattern, text), by_definition(pattern, text));
        }

        #[test]
        fn quiet_hours_read_back(text in "\\PC{0,12}") {
            if let Ok(quiet) = text.parse::<QuietHours>() {
                prop_assert_eq!(quiet.to_string().parse(), Ok(quiet));
            }
        }
    }

    #[test]
    fn quiet_hours_go_over_midnight_and_follow_the_zone() {
        spec!("notifications#quiet-hours/over-midnight");
        let quiet: QuietHours = "23:00-07:30".parse().unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (moment, zone, holds) in [
            ("2026-01-01T23:00:00Z", &TimeZone::UTC, true),
            ("2026-01-01T22:59:59Z", &TimeZone::UTC, false),
            ("2026-01-01T07:29:59Z", &TimeZone::UTC, true),
            ("2026-01-01T07:30:00Z", &TimeZone::UTC, false),
            ("2026-01-01T22:00:00Z", &berlin, true),
            // In summer the clock on the wall is two hours ahead.
            ("2026-07-01T21:00:00Z", &berlin, true),
            ("2026-07-01T05:30:00Z", &berlin, false),
        ] {
            assert_eq!(quiet.hold(at(moment), zone), holds, "{moment}");
        }
        let noon: QuietHours = "12:00-13:00".parse().unwrap();
        assert!(noon.hold(at("2026-01-01T12:30:00Z"), &TimeZone::UTC));
        for text in ["", "23:00", "24:00-07:00", "7:00-8:00", "23:00-23:00", "23:60-01:00", "a-b"] {
            assert!(text.parse::<QuietHours>().is_err(), "{text}");
        }
    }
}
