//! The metadata sources that are asked, and how they do.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracker_domain::health::{Check, Level};
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{MetadataError, MetadataSource};
use tracker_domain::{Timestamp, UnixMillis};

use crate::Board;

/// The group of the checks of health.
const GROUP: &str = "metadata";

/// How often answers that are too old are looked for.
const SWEEP_MS: u64 = 3_600_000;

/// The sources that are asked, in the order in which they are asked.
#[derive(Clone, Default)]
pub struct Sources {
    asked: Vec<Arc<dyn MetadataSource>>,
    /// Those that are configured and cannot be asked, and why.
    faults: Vec<(Provider, String)>,
}

impl Sources {
    /// These and no others.
    #[must_use]
    pub fn new(asked: Vec<Arc<dyn MetadataSource>>) -> Self {
        Sources { asked, faults: Vec::new() }
    }

    /// With one that is configured and cannot be asked; health tells why, and it
    /// counts as turned off.
    #[must_use]
    pub fn with_fault(mut self, provider: Provider, why: String) -> Self {
        self.faults.push((provider, why));
        self
    }

    /// The names of those that are asked.
    pub fn providers(&self) -> impl Iterator<Item = Provider> {
        self.asked.iter().map(|source| source.provider())
    }

    /// Those that are asked, for whoever asks beside the workers: they share limits
    /// and refusals.
    #[must_use]
    pub fn asked(&self) -> Vec<Arc<dyn MetadataSource>> {
        self.asked.clone()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<dyn MetadataSource>> {
        self.asked.iter()
    }

    pub(crate) fn of(&self, provider: Provider) -> Option<&Arc<dyn MetadataSource>> {
        self.asked.iter().find(|source| source.provider() == provider)
    }

    /// Tells health of those that cannot be asked.
    pub(crate) fn tell_faults(&self, board: &Board, at: Timestamp) {
        for (provider, why) in &self.faults {
            let remedy = "correct the section [metadata] of tracker.toml and restart tracker";
            let check = Check::new(
                "metadata-setup",
                provider.as_str(),
                Level::Error,
                why.clone(),
                remedy,
                at,
            );
            board.set_checks(GROUP, provider.as_str(), vec![check]);
        }
    }
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked: Vec<Provider> = self.providers().collect();
        f.debug_struct("Sources").field("asked", &asked).field("faults", &self.faults).finish()
    }
}

/// What the calls so far have shown. Lost with the process, and known again
/// after the next call.
#[derive(Debug, Default)]
pub(crate) struct SourceHealth {
    /// Until when a source wants no more calls.
    limited: Mutex<HashMap<Provider, UnixMillis>>,
    swept: Mutex<Option<UnixMillis>>,
}

impl SourceHealth {
    /// Takes note of how a call ended.
    pub(crate) fn note(
        &self,
        board: &Board,
        provider: Provider,
        failure: Option<&MetadataError>,
        now: UnixMillis,
    ) {
        let mut limited = self.limited.lock().unwrap_or_else(PoisonError::into_inner);
        limited.remove(&provider);
        if let Some(MetadataError::Limited { retry_after_ms }) = failure {
            limited.insert(provider, UnixMillis(now.0.saturating_add(*retry_after_ms)));
        }
        drop(limited);
        let checks = failure.and_then(|error| trouble(provider, error, now.into()));
        board.set_checks(GROUP, provider.as_str(), checks.into_iter().collect());
    }

    /// Takes the word of a limit back once it is over: nobody may have a
    /// question that would show it.
    pub(crate) fn end_limits(&self, board: &Board, now: UnixMillis) {
        let mut limited = self.limited.lock().unwrap_or_else(PoisonError::into_inner);
        limited.retain(|provider, until| {
            let over = now >= *until;
            if over {
                board.set_checks(GROUP, provider.as_str(), Vec::new());
            }
            !over
        });
    }

    /// Whether it is time to drop answers that are too old.
    pub(crate) fn sweep_due(&self, now: UnixMillis) -> bool {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        let due = swept.is_none_or(|last| now < last || now.since(last) >= SWEEP_MS);
        if due {
            *swept = Some(now);
        }
        due
    }
}

/// How a failed call is told in health; `None` where the source works.
fn trouble(provider: Provider, error: &MetadataError, at: Timestamp) -> Option<Check> {
    let (code, level, remedy) = match error {
        MetadataError::Denied(_) => (
            "metadata-denied",
            Level::Error,
            "set tmdb_token of [metadata] anew and restart tracker, or take it out",
        ),
        MetadataError::Unreachable(_) => (
            "metadata-unreachable",
            Level::Warning,
            "check the way to the network; it is asked again by itself, and what waits goes on then",
        ),
        MetadataError::Unreadable(_) => (
            "metadata-unreachable",
            Level::Warning,
            "check its address in [metadata], or turn it off there until it answers as it should",
        ),
        MetadataError::Limited { .. } => (
            "metadata-limited",
            Level::Notice,
            "nothing has to be done: it is asked again by itself",
        ),
        MetadataError::NotFound => return None,
    };
    Some(Check::new(code, provider.as_str(), level, error.to_string(), remedy, at))
}
