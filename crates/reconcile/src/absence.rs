//! What is not in an answer: a question in a partial one, a conclusion only
//! after several complete listings that can be believed.

use tracker_domain::fact::Fact;
use tracker_domain::observed::Phase;
use tracker_domain::{Attention, DownloadState};

use crate::matching::Matches;
use crate::{Known, Memory, Outcome, Round};

/// A listing that cannot be believed: nothing follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incident {
    /// Downloads that should have been in it.
    pub expected: usize,
    /// Those that were not.
    pub missing: usize,
}

/// Whether the client should show it, and its absence would be news.
///
/// One that is known to be gone counts neither as expected nor as missing:
/// people remove finished torrents one by one, and in the end most are gone.
fn expected(known: &Known) -> bool {
    match known.state {
        // The state itself says that the client has shown it.
        DownloadState::Downloading => true,
        DownloadState::Downloaded | DownloadState::Linking => {
            known.handle.is_some() && absence_is_news(known)
        }
        DownloadState::Done => known.has_links && known.handle.is_some() && absence_is_news(known),
        DownloadState::Queued
        | DownloadState::Failed
        | DownloadState::Cancelled
        | DownloadState::Merged => false,
    }
}

/// Whether `gone-from-client` may take the one place for a mark: where there is
/// none, or one about a transfer that is no more. A complete payload that waits
/// for a person is worth less than the news that its torrent was removed; the
/// recognition itself still says that it waits.
fn absence_is_news(known: &Known) -> bool {
    match known.attention {
        None | Some(Attention::ClientError | Attention::NoMetadata | Attention::Stalled) => true,
        Some(Attention::NeedsReview) => known.state == DownloadState::Downloaded,
        Some(_) => false,
    }
}

pub(crate) fn judge(
    round: Round<'_>,
    matches: &Matches<'_>,
    memory: &mut Memory,
    outcome: &mut Outcome,
) {
    for group in &matches.groups {
        for known in group.active.iter().chain(&group.ended) {
            memory.found(known.id);
        }
    }
    if !round.observation.complete {
        outcome.ask_listing = unanswered(round, matches, memory);
        return;
    }
    let before = memory.take_absences();
    let missing: Vec<&Known> =
        matches.unmatched.iter().copied().filter(|known| expected(known)).collect();
    let now = round.observation.at;
    if missing.is_empty() || now.since(round.online_since) < round.patience.restart_ms {
        return;
    }
    let all = round.known.iter().filter(|known| expected(known)).count();
    // A person removes one or a few; a client that lost its session or its
    // disk shows none or a few.
    if missing.len() > 1 && missing.len() * 2 > all {
        outcome.incident = Some(Incident { expected: all, missing: missing.len() });
        return;
    }
    if busy(round) {
        return;
    }
    for known in missing {
        let (count, since) = before.get(&known.id).copied().unwrap_or((0, now));
        // A clock that was set back must not keep the wait going for long.
        let (count, since) = (count.saturating_add(1), since.min(now));
        memory.of(known.id).missing = Some((count, since));
        let patience = round.patience;
        if count >= patience.missing_listings && now.since(since) >= patience.missing_ms {
            outcome.facts.push(conclusion(known));
        }
    }
}

/// Whether a listing should be asked for: a handle may have changed, and then
/// the client no longer answers to the hash that is known. Each download asks
/// at once, and again only after a while: a listing costs a client a lot.
fn unanswered(round: Round<'_>, matches: &Matches<'_>, memory: &mut Memory) -> bool {
    let now = round.observation.at;
    let mut ask = false;
    for known in &matches.unmatched {
        let unshown = known.state == DownloadState::Queued && known.handed_over;
        // Polls ask for what is unfinished; the rest waits for the next listing.
        if !unshown && known.state != DownloadState::Downloading {
            continue;
        }
        let asked = &mut memory.of(known.id).asked;
        let recently = asked.is_some_and(|asked| {
            asked >= round.online_since
                && asked <= now
                && now.since(asked) < round.patience.missing_ms
        });
        if !recently {
            *asked = Some(now);
            ask = true;
        }
    }
    ask
}

/// Whether the client is busy reading its own data.
fn busy(round: Round<'_>) -> bool {
    let torrents = &round.observation.torrents;
    let reading = |phase| matches!(phase, Phase::Starting | Phase::Checking);
    torrents.iter().filter(|seen| reading(seen.phase)).count() * 2 > torrents.len()
}

fn conclusion(known: &Known) -> Fact {
    if known.state == DownloadState::Downloading {
        return Fact::Missing { download: known.id };
    }
    Fact::Raised {
        download: known.id,
        attention: Attention::GoneFromClient,
        detail: "the torrent was removed from the client after it was complete".to_owned(),
    }
}
