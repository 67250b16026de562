//! When a complete torrent has given enough, and what is done about it then: the
//! words of the configuration, the policy that follows from them, the decision.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What is done with a torrent that has given enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SeedingAction {
    /// It is stopped and stays in the client.
    #[default]
    Stop,
    /// It is removed from the client; its data stays.
    Remove,
    /// It is removed with its data, as far as a library holds all of that.
    RemoveData,
}

/// An end, or the word that there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit<T> {
    /// No end, whatever a wider word says.
    Never,
    /// This one.
    At(T),
}

/// What one place of the configuration says; what is `None` is left to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeedingWords {
    /// The ratio to reach.
    pub ratio: Option<Limit<f64>>,
    /// How long to seed.
    pub time: Option<Limit<Duration>>,
    /// How long to seed in any case.
    pub min_time: Option<Duration>,
    /// Whether to go on while a library has links of it.
    pub keep_while_linked: Option<bool>,
    /// What is done at the end.
    pub action: Option<SeedingAction>,
    /// Whether it is only told.
    pub dry_run: Option<bool>,
}

impl SeedingWords {
    /// These words, and those of a wider place where these say nothing.
    #[must_use]
    pub fn over(&self, wider: &SeedingWords) -> SeedingWords {
        SeedingWords {
            ratio: self.ratio.or(wider.ratio),
            time: self.time.or(wider.time),
            min_time: self.min_time.or(wider.min_time),
            keep_while_linked: self.keep_while_linked.or(wider.keep_while_linked),
            action: self.action.or(wider.action),
            dry_run: self.dry_run.or(wider.dry_run),
        }
    }

    /// Whether a ratio or a time is said, "never" too.
    #[must_use]
    pub const fn names_an_end(&self) -> bool {
        self.ratio.is_some() || self.time.is_some()
    }
}

/// What holds for one download.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeedingPolicy {
    /// The ratio to reach; `None` sets no end.
    pub ratio: Option<f64>,
    /// How long to seed; `None` sets no end.
    pub time: Option<Duration>,
    /// How long to seed in any case.
    pub min_time: Duration,
    /// Whether to go on while a library has links of it.
    pub keep_while_linked: bool,
    /// What is done at the end.
    pub action: SeedingAction,
    /// Whether it is only told.
    pub dry_run: bool,
}

/// Everything that is configured about seeding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeedingRules {
    /// What holds everywhere.
    pub everywhere: SeedingWords,
    /// What holds for downloads of a client, by its name.
    pub clients: BTreeMap<String, SeedingWords>,
    /// What holds for downloads that go to a library, by its name.
    pub libraries: BTreeMap<String, SeedingWords>,
    /// The end that stands in, by client, where nobody names one.
    pub bounds: BTreeMap<String, SeedingWords>,
}

impl SeedingRules {
    /// Whether no download can come to an end by them.
    #[must_use]
    pub fn is_off(&self) -> bool {
        let named = self.clients.values().chain(self.libraries.values());
        let mut all = named.chain(self.bounds.values()).chain([&self.everywhere]);
        let ends = |words: &SeedingWords| {
            matches!(words.ratio, Some(Limit::At(_))) || matches!(words.time, Some(Limit::At(_)))
        };
        !all.any(ends)
    }

    /// What holds for a download: the library's word before the client's, that
    /// before the one for all, key by key.
    #[must_use]
    pub fn policy(&self, client: &str, library: Option<&str>) -> SeedingPolicy {
        let none = SeedingWords::default();
        let client_words = self.clients.get(client).unwrap_or(&none);
        let library_words = library.and_then(|name| self.libraries.get(name)).unwrap_or(&none);
        let mut words = library_words.over(client_words).over(&self.everywhere);
        if let Some(bound) = self.bounds.get(client).filter(|_| !words.names_an_end()) {
            words = words.over(bound);
        }
        SeedingPolicy {
            ratio: words.ratio.and_then(Limit::at),
            time: words.time.and_then(Limit::at),
            min_time: words.min_time.unwrap_or_default(),
            keep_while_linked: words.keep_while_linked.unwrap_or_default(),
            action: words.action.unwrap_or_default(),
            dry_run: words.dry_run.unwrap_or_default(),
        }
    }
}

impl<T> Limit<T> {
    /// The end, where there is one.
    pub fn at(self) -> Option<T> {
        match self {
            Limit::Never => None,
            Limit::At(end) => Some(end),
        }
    }
}

/// What is known of a torrent when it is decided about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Given {
    /// Whether it is whole, and its client neither checks nor moves it.
    pub complete: bool,
    /// The ratio, where the client knows it.
    pub ratio: Option<f64>,
    /// Seconds it was seeded, where the client knows them.
    pub seconds: Option<u64>,
    /// Whether a batch of links of it stands.
    pub linked: bool,
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The ratio.
    Ratio,
    /// The time.
    Time,
}

/// Why a torrent goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Nothing sets an end.
    NoLimit,
    /// It is not whole, or its client is busy with it.
    Incomplete,
    /// A library has links of it.
    Linked,
    /// A limit is reached, the least time is not.
    MinTime,
    /// No limit is reached.
    Underway,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It has given enough.
    End(Reached),
    /// It goes on.
    Keep(Keeping),
}

/// Whether a torrent has given enough. What the client does not know reaches no
/// limit: unknown is not enough.
#[must_use]
pub fn decide(policy: &SeedingPolicy, given: Given) -> Decision {
    if policy.ratio.is_none() && policy.time.is_none() {
        return Decision::Keep(Keeping::NoLimit);
    }
    if !given.complete {
        return Decision::Keep(Keeping::Incomplete);
    }
    if policy.keep_while_linked && given.linked {
        return Decision::Keep(Keeping::Linked);
    }
    let seeded_for = |time: Duration| given.seconds.is_some_and(|seconds| seconds >= whole(time));
    let by_ratio = policy.ratio.zip(given.ratio).is_some_and(|(limit, ratio)| ratio >= limit);
    let by_time = policy.time.is_some_and(seeded_for);
    let reached = match (by_ratio, by_time) {
        (true, _) => Reached::Ratio,
        (false, true) => Reached::Time,
        (false, false) => return Decision::Keep(Keeping::Underway),
    };
    if policy.min_time > Duration::ZERO && !seeded_for(policy.min_time) {
        return Decision::Keep(Keeping::MinTime);
    }
    Decision::End(reached)
}

/// Seconds of seeding until it has given enough by time alone; `None` where no
/// time ends it, or how long it was seeded is not known.
#[must_use]
pub fn seconds_left(policy: &SeedingPolicy, given: Given) -> Option<u64> {
    let end = match decide(policy, given) {
        Decision::Keep(Keeping::MinTime) => policy.min_time,
        Decision::Keep(Keeping::Underway) => policy.time?.max(policy.min_time),
        Decision::Keep(_) | Decision::End(_) => return None,
    };
    Some(whole(end).saturating_sub(given.seconds?))
}

/// Clients count whole seconds: a part of one is not over before the next.
fn whole(time: Duration) -> u64 {
    time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0))
}

impl SeedingAction {
    /// Every action.
    pub const ALL: [SeedingAction; 3] =
        [SeedingAction::Stop, SeedingAction::Remove, SeedingAction::RemoveData];

    /// The word of the configuration, the database and the journal.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SeedingAction::Stop => "stop",
            SeedingAction::Remove => "remove",
            SeedingAction::RemoveData => "remove-data",
        }
    }
}

impl Reached {
    /// The word of the journal and of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reached::Ratio => "ratio",
            Reached::Time => "time",
        }
    }
}

impl Keeping {
    /// The word of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Keeping::NoLimit => "no-limit",
            Keeping::Incomplete => "incomplete",
            Keeping::Linked => "linked",
            Keeping::MinTime => "min-time",
            Keeping::Underway => "underway",
        }
    }
}

impl fmt::Display for SeedingAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is not the word of an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not one of stop, remove, remove-data")]
pub struct ParseSeedingActionError(String);

impl FromStr for SeedingAction {
    type Err = ParseSeedingActionError;

    fn from_str(text: &str) -> Result<Self, ParseSeedingActionError> {
        let found = SeedingAction::ALL.into_iter().find(|action| action.as_str() == text);
        found.ok_or_else(|| ParseSeedingActionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
