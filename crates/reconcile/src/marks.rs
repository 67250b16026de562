//! What a person should look at, and what healed by itself.
//!
//! A download has one place for a mark. What later steps put there (a review, a
//! conflict, a file that is not on the disk) is neither replaced nor taken away
//! here, since a client's word does not answer it.

use tracker_domain::fact::Fact;
use tracker_domain::observed::{Phase, Seen};
use tracker_domain::{Attention, DownloadId, DownloadState};

use crate::facts::below;
use crate::known::{Trace, lasting};
use crate::{Known, Memory, Outcome, Patience, Round};

/// Whether a mark may be put in the place of this one.
pub(crate) const fn replaceable(attention: Option<Attention>) -> bool {
    matches!(
        attention,
        None | Some(
            Attention::ClientError
                | Attention::NoMetadata
                | Attention::Stalled
                | Attention::GoneFromClient
        )
    )
}

/// A phase from which nothing follows: the client is starting, checking or
/// moving, or this version does not know its word.
const fn silent(phase: Phase) -> bool {
    matches!(phase, Phase::Unknown | Phase::Starting | Phase::Checking | Phase::Moving)
}

pub(crate) fn marks(
    known: &Known,
    seen: &Seen,
    round: Round<'_>,
    memory: &mut Memory,
    outcome: &mut Outcome,
) {
    let trace = memory.of(known.id);
    let healed = known.attention.filter(|attention| healed(*attention, known, seen, trace));
    let raised = if silent(seen.phase) { None } else { trouble(known, seen, round, trace) };
    let room = replaceable(known.attention) || healed.is_some();
    match (raised, healed) {
        (Some(Fact::Raised { attention, .. }), _)
            if !room || known.attention == Some(attention) => {}
        (Some(raised), _) => outcome.facts.push(raised),
        (None, Some(attention)) => {
            outcome.facts.push(Fact::Cleared { download: known.id, attention });
        }
        (None, None) => {}
    }
}

const fn erring(phase: Phase) -> bool {
    matches!(phase, Phase::Errored | Phase::FilesMissing)
}

/// Whether the observation proves that the mark no longer holds.
fn healed(attention: Attention, known: &Known, seen: &Seen, trace: &Trace) -> bool {
    let speaks = !silent(seen.phase);
    match attention {
        Attention::GoneFromClient => true,
        Attention::NoMetadata => seen.has_metadata,
        Attention::Stalled => speaks && seen.phase != Phase::Stalled,
        Attention::ClientError => speaks && !erring(seen.phase),
        // A client does not notice deleted files while it runs, so "complete"
        // proves nothing about the disk unless the client had missed them
        // itself. Below complete it has noticed and fetches them again.
        Attention::SourceMissing => {
            let again = known.state == DownloadState::Downloaded && below(seen.phase);
            speaks && !erring(seen.phase) && (trace.files_missing || again && !known.has_links)
        }
        // Each hash that the client states is this download's own by now.
        Attention::InfohashOwned => {
            seen.infohashes.iter().all(|hash| known.infohashes.contains(&hash))
        }
        _ => false,
    }
}

/// Keeps the times of a phase that says something, and tells what has lasted
/// too long.
fn trouble(known: &Known, seen: &Seen, round: Round<'_>, trace: &mut Trace) -> Option<Fact> {
    let (now, phase) = (round.observation.at, seen.phase);
    let Patience { error_ms, metadata_ms, stalled_ms, .. } = *round.patience;
    trace.files_missing = phase == Phase::FilesMissing;
    let errored = lasting(&mut trace.errored, erring(phase), now);
    // What a person has paused waits for that person, until the client stops it too.
    let free = known.pause.is_none();
    let bare = lasting(&mut trace.without_metadata, free && phase == Phase::Metadata, now);
    let stalled = lasting(&mut trace.stalled, free && phase == Phase::Stalled, now);
    if known.state == DownloadState::Downloaded && known.has_links && below(phase) {
        return Some(changed_below(known.id));
    }
    let over = |time: Option<u64>, limit: u64| time.is_some_and(|time| time >= limit);
    let (attention, detail) = if over(errored, error_ms) {
        client_trouble(known, seen)
    } else if over(bare, metadata_ms) {
        let detail = "no peer has sent the metadata; try a link with more trackers";
        (Attention::NoMetadata, detail.to_owned())
    } else if over(stalled, stalled_ms) {
        let detail = "no bytes have come for hours; nobody may have the rest";
        (Attention::Stalled, detail.to_owned())
    } else {
        return None;
    };
    Some(Fact::Raised { download: known.id, attention, detail })
}

fn client_trouble(known: &Known, seen: &Seen) -> (Attention, String) {
    let complete = matches!(known.state, DownloadState::Downloaded | DownloadState::Linking);
    if seen.phase == Phase::FilesMissing && complete {
        let detail = "the client does not find the files of the torrent any more";
        return (Attention::SourceMissing, detail.to_owned());
    }
    (Attention::ClientError, format!("the client reports the state {:?}", seen.client_state))
}

/// A torrent with links in a library wants bytes again.
pub(crate) fn changed_below(download: DownloadId) -> Fact {
    Fact::Raised {
        download,
        attention: Attention::SourceChanged,
        detail: "the client takes the linked torrent below complete again: after a check it \
                 writes into the files that the library shares, or more files were selected"
            .to_owned(),
    }
}
