//! A person's pause, held against what the client shows.
//!
//! **Invariant.** The latest word wins: once the client has shown the torrent
//! stopped, one that runs was started there, and the wish is over.

use tracker_domain::Pause;
use tracker_domain::fact::Fact;
use tracker_domain::observed::{Phase, Seen};

use crate::{Known, Outcome};

pub(crate) fn pause(known: &Known, seen: &Seen, outcome: &mut Outcome) {
    match known.pause {
        Some(Pause::Wished) if seen.progress.stopped => {
            outcome.facts.push(Fact::Held { download: known.id });
        }
        Some(Pause::Held) if runs(seen) => {
            outcome.facts.push(Fact::StartedThere { download: known.id });
        }
        _ => {}
    }
}

/// Whether it surely runs: one that is checked, moved or in error may be stopped
/// all the same.
const fn runs(seen: &Seen) -> bool {
    let settled = matches!(
        seen.phase,
        Phase::Metadata | Phase::Downloading | Phase::Stalled | Phase::Complete
    );
    settled && !seen.progress.stopped
}
