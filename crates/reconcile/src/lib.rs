//! Observed against known: a pure function from what a client shows and what is
//! known to the facts that follow.
//!
//! It reads no clock, no database and no client's JSON, and it changes nothing:
//! the loop in `pipeline` applies its facts in one transaction a tick.
//!
//! **Invariant.** Unknown is not bad: a state this version does not know, an
//! empty list after a restart, a client that is checking make nothing failed.

mod absence;
mod facts;
mod known;
mod marks;
mod matching;
mod pause;

pub use absence::Incident;
pub use known::{Known, Memory, Patience};

use tracker_domain::fact::Fact;
use tracker_domain::observed::{Observation, Progress};
use tracker_domain::{DownloadId, UnixMillis};

/// One look at one client.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// The downloads that belong to this client: with a complete observation all
    /// that it may show, with a poll at least the active ones. One that is left
    /// out is neither merged nor waited for.
    pub known: &'a [Known],
    /// What it showed.
    pub observation: &'a Observation,
    /// Since when it answers without a break.
    pub online_since: UnixMillis,
    /// How long to wait before something is worth a word.
    pub patience: &'a Patience,
}

/// What follows from a look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What became known, in an order that can be applied.
    pub facts: Vec<Fact>,
    /// How far each transfer is. Never written down.
    pub progress: Vec<(DownloadId, Progress)>,
    /// Something expected was not in a partial answer: ask for a listing.
    pub ask_listing: bool,
    /// The listing cannot be believed.
    pub incident: Option<Incident>,
}

/// Compares and decides. `memory` carries what a single look cannot tell from
/// one look to the next; losing it costs time, never correctness.
#[must_use]
pub fn reconcile(round: Round<'_>, memory: &mut Memory) -> Outcome {
    let matches = matching::match_up(round.known, &round.observation.torrents);
    let mut outcome = Outcome::default();
    for group in &matches.groups {
        facts::of_group(round, group, memory, &mut outcome);
    }
    absence::judge(round, &matches, memory, &mut outcome);
    // A poll may be about fewer downloads than a listing counts for.
    if round.observation.complete {
        memory.keep_only(round.known);
    }
    outcome
}

#[cfg(test)]
mod tests;
