//! What one torrent tells of the downloads that are it.

use tracker_domain::fact::Fact;
use tracker_domain::observed::{Phase, Seen};
use tracker_domain::{Attention, DownloadState, Infohash, InfohashSet};

use crate::marks::{changed_below, marks, replaceable};
use crate::matching::Group;
use crate::pause::pause;
use crate::{Known, Memory, Outcome, Round};

pub(crate) fn of_group(
    round: Round<'_>,
    group: &Group<'_>,
    memory: &mut Memory,
    outcome: &mut Outcome,
) {
    let seen = group.seen;
    outcome.progress.extend(group.active.iter().map(|known| (known.id, seen.progress)));
    match group.active.as_slice() {
        [] => of_ended(group, outcome),
        [only] => {
            hashes(only, seen, outcome);
            follow(only, seen, outcome);
            marks(only, seen, round, memory, outcome);
        }
        several if several.iter().any(|known| known.state == DownloadState::Linking) => {
            // A batch that runs is waited for. The others stand still for so
            // long: what they are is decided by how the batch ends.
            for linking in several.iter().filter(|known| known.state == DownloadState::Linking) {
                follow(linking, seen, outcome);
                marks(linking, seen, round, memory, outcome);
            }
        }
        [first, others @ ..] => merge(first, others, seen, outcome),
    }
    // The files of an earlier download may be those of the later one.
    let earlier = group.ended.iter().skip(usize::from(group.active.is_empty()));
    for known in earlier.filter(|known| known.save_path.as_ref() == Some(&seen.save_path)) {
        linked(known, seen, outcome);
    }
}

/// Several active downloads are one torrent, on the client's word: the oldest
/// absorbs the others. Marks wait for the next look, since the merge may leave
/// one of its own.
fn merge(first: &Known, others: &[&Known], seen: &Seen, outcome: &mut Outcome) {
    let mut merged = first.clone();
    for other in others {
        outcome.facts.push(Fact::SameTorrent { winner: first.id, loser: other.id });
        merged.state = further(merged.state, other.state);
        merged.has_links |= other.has_links;
    }
    let all = || std::iter::once(&first).chain(others);
    let union = all().flat_map(|known| known.infohashes.iter());
    if let Some((handle, v2)) = front(seen)
        && all().any(|known| known.infohashes.contains(&handle))
    {
        // The digits that were no v1 go from whoever has them, and from the
        // winner, who may have got them by the merge.
        let bare = others.iter().filter(|known| known.infohashes.contains(&handle));
        for known in std::iter::once(&first).chain(bare) {
            outcome.facts.push(Fact::HandleWasV2 { download: known.id, handle, v2 });
        }
        merged.infohashes = InfohashSet::new(union.chain([v2])).unwrap_or(merged.infohashes);
    } else {
        merged.infohashes = InfohashSet::new(union).unwrap_or(merged.infohashes);
    }
    reveal(&merged, &merged.infohashes, seen, outcome);
    follow(&merged, seen, outcome);
}

/// The further of two states before linking.
fn further(one: DownloadState, other: DownloadState) -> DownloadState {
    let step = |state| match state {
        DownloadState::Queued => 0,
        DownloadState::Downloading => 1,
        _ => 2,
    };
    if step(other) > step(one) { other } else { one }
}

/// The value that looks like a v1 and is what clients call this torrent, unless
/// the torrent really has it as its v1.
fn front(seen: &Seen) -> Option<(Infohash, Infohash)> {
    let v2 = seen.infohashes.v2()?;
    let handle = Infohash::from(v2.truncated());
    (!seen.infohashes.contains(&handle)).then_some((handle, Infohash::from(v2)))
}

/// Hashes that the client states and we did not know.
fn hashes(known: &Known, seen: &Seen, outcome: &mut Outcome) {
    match front(seen) {
        Some((handle, v2)) if known.infohashes.contains(&handle) => {
            outcome.facts.push(Fact::HandleWasV2 { download: known.id, handle, v2 });
            // The union leaves the handle out.
            let left = known.infohashes.union(&InfohashSet::one(v2));
            reveal(known, &left, seen, outcome);
        }
        _ => reveal(known, &known.infohashes, seen, outcome),
    }
}

fn reveal(known: &Known, has: &InfohashSet, seen: &Seen, outcome: &mut Outcome) {
    let infohashes: Vec<Infohash> =
        seen.infohashes.iter().filter(|hash| !has.contains(hash)).collect();
    if !infohashes.is_empty() {
        outcome.facts.push(Fact::InfohashesRevealed { download: known.id, infohashes });
    }
}

/// Where it is, what is known of it, and how far it is.
fn follow(known: &Known, seen: &Seen, outcome: &mut Outcome) {
    if known.state == DownloadState::Queued {
        outcome.facts.push(Fact::Shown {
            download: known.id,
            handle: seen.handle.clone(),
            save_path: seen.save_path.clone(),
        });
    } else {
        place(known, seen, outcome);
    }
    if seen.has_metadata && !known.has_metadata {
        outcome.facts.push(Fact::MetadataKnown {
            download: known.id,
            name: seen.name.clone(),
            size_bytes: seen.size_bytes,
        });
    }
    pause(known, seen, outcome);
    match known.state {
        DownloadState::Queued | DownloadState::Downloading
            if seen.phase == Phase::Complete && seen.has_metadata =>
        {
            outcome.facts.push(Fact::Finished { download: known.id });
        }
        DownloadState::Downloaded if below(seen.phase) && !known.has_links => {
            outcome.facts.push(Fact::TakenBelow { download: known.id });
        }
        _ => {}
    }
}

/// Whether bytes are wanted that are not there.
pub(crate) const fn below(phase: Phase) -> bool {
    matches!(phase, Phase::Metadata | Phase::Downloading | Phase::Stalled | Phase::Stopped)
}

fn place(known: &Known, seen: &Seen, outcome: &mut Outcome) {
    let save_path = match &known.save_path {
        // While the client moves data its paths are of either place.
        Some(former) if seen.phase == Phase::Moving => former,
        _ => &seen.save_path,
    };
    if known.handle.as_ref() != Some(&seen.handle) || known.save_path.as_ref() != Some(save_path) {
        outcome.facts.push(Fact::Moved {
            download: known.id,
            handle: seen.handle.clone(),
            save_path: save_path.clone(),
        });
    }
}

/// A torrent whose downloads have all ended.
fn of_ended(group: &Group<'_>, outcome: &mut Outcome) {
    // Only the newest can be meant: a later download of the same torrent ended
    // the story of the earlier ones.
    let Some(newest) = group.ended.first() else { return };
    match newest.state {
        DownloadState::Failed => outcome.facts.push(Fact::SeenAgain {
            download: newest.id,
            handle: group.seen.handle.clone(),
            save_path: group.seen.save_path.clone(),
        }),
        DownloadState::Done => {
            pause(newest, group.seen, outcome);
            if newest.has_links {
                linked(newest, group.seen, outcome);
                place(newest, group.seen, outcome);
            }
        }
        _ => {}
    }
}

/// A linked payload shares its bytes with the library.
fn linked(known: &Known, seen: &Seen, outcome: &mut Outcome) {
    if known.state != DownloadState::Done || !known.has_links {
        return;
    }
    // One that only fetches metadata was added anew and writes nothing yet.
    let writes = below(seen.phase) && seen.phase != Phase::Metadata;
    if writes && replaceable(known.attention) {
        outcome.facts.push(changed_below(known.id));
    } else if known.attention == Some(Attention::GoneFromClient) {
        outcome
            .facts
            .push(Fact::Cleared { download: known.id, attention: Attention::GoneFromClient });
    }
}
