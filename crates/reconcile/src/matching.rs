//! Which torrent is which download: by any known infohash, never by what the
//! client calls it or shows as its name.
//!
//! Every download comes to at most one torrent, the same one at each look: a
//! client may for a while list the halves of a hybrid apart, and a download
//! must not jump between them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use tracker_domain::observed::Seen;
use tracker_domain::{DownloadState, Infohash, InfohashSet, InfohashV1};

use crate::Known;

/// One torrent and the downloads that are it.
#[derive(Debug)]
pub(crate) struct Group<'a> {
    pub seen: &'a Seen,
    /// The place of the torrent in the list.
    at: usize,
    /// Oldest first.
    pub active: Vec<&'a Known>,
    /// Newest first.
    pub ended: Vec<&'a Known>,
}

/// All torrents that are somebody's, and the downloads that none was found for.
#[derive(Debug)]
pub(crate) struct Matches<'a> {
    pub groups: Vec<Group<'a>>,
    pub unmatched: Vec<&'a Known>,
}

/// Downloads by what a torrent can be known by.
struct Index {
    by_hash: HashMap<Infohash, Vec<usize>>,
    by_front: HashMap<InfohashV1, Vec<usize>>,
}

/// Downloads that one torrent ties together, and all torrents of any of them.
#[derive(Default)]
struct Family {
    members: Vec<usize>,
    torrents: Vec<usize>,
}

impl Index {
    fn of(known: &[Known]) -> Self {
        let mut index = Index { by_hash: HashMap::new(), by_front: HashMap::new() };
        for (at, download) in known.iter().enumerate() {
            // A merged one is part of the story of its winner, which has its hashes.
            if download.state == DownloadState::Merged {
                continue;
            }
            for hash in download.infohashes.iter() {
                index.by_hash.entry(hash).or_default().push(at);
                if let (true, Some(v1)) = (download.bare, hash.v1()) {
                    index.by_front.entry(v1).or_default().push(at);
                }
            }
        }
        index
    }

    /// The downloads that are this torrent, each once.
    fn downloads_of(&self, seen: &Seen) -> Vec<usize> {
        let fronts = seen.infohashes.v2().map(|v2| v2.truncated());
        let mut found: Vec<usize> = seen
            .infohashes
            .iter()
            .filter_map(|hash| self.by_hash.get(&hash))
            .chain(fronts.iter().filter_map(|front| self.by_front.get(front)))
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

pub(crate) fn match_up<'a>(known: &'a [Known], torrents: &'a [Seen]) -> Matches<'a> {
    let index = Index::of(known);
    let hits: Vec<Vec<usize>> = torrents.iter().map(|seen| index.downloads_of(seen)).collect();
    let mut found = vec![false; known.len()];
    let mut torrents_of = vec![Vec::new(); known.len()];
    let mut parents: Vec<usize> = (0..known.len()).collect();
    for (torrent, hit) in hits.iter().enumerate() {
        let owned = hit.iter().any(|at| known[*at].state.is_active());
        let mut leader = None;
        for at in hit.iter().copied() {
            found[at] = true;
            // What an active download owns brings no ended one back.
            if known[at].state.is_active() == owned {
                torrents_of[at].push(torrent);
                join(&mut parents, *leader.get_or_insert(at), at);
            }
        }
    }
    let placed: Vec<bool> =
        torrents_of.iter().map(|of_it: &Vec<usize>| !of_it.is_empty()).collect();
    let mut families: BTreeMap<usize, Family> = BTreeMap::new();
    for (at, of_it) in torrents_of.into_iter().enumerate() {
        if !of_it.is_empty() {
            let family = families.entry(root(&mut parents, at)).or_default();
            family.members.push(at);
            family.torrents.extend(of_it);
        }
    }
    let mut groups: Vec<Group<'_>> =
        families.into_values().filter_map(|family| group(known, torrents, family)).collect();
    for group in groups.iter_mut().filter(|group| !group.active.is_empty()) {
        // An ended one that has a torrent of its own is looked at there.
        let rest = hits[group.at].iter().filter(|at| !placed[**at]);
        group.ended = rest.map(|at| &known[*at]).collect();
        group.ended.sort_unstable_by_key(|known| Reverse(known.id));
    }
    // Who is active takes its hashes before an ended one asks for them.
    groups.sort_by_key(|group| group.active.is_empty());
    let unmatched =
        known.iter().zip(&found).filter(|(_, found)| !**found).map(|(known, _)| known).collect();
    Matches { groups, unmatched }
}

/// The representative of a set, with the way to it made shorter.
fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

fn join(parents: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(parents, one), root(parents, other));
    parents[one.max(other)] = one.min(other);
}

/// A family and the torrent that it comes to.
fn group<'a>(known: &'a [Known], torrents: &'a [Seen], family: Family) -> Option<Group<'a>> {
    let mut members: Vec<&Known> = family.members.iter().map(|at| &known[*at]).collect();
    members.sort_unstable_by_key(|known| known.id);
    let active = members.first()?.state.is_active();
    if !active {
        members.reverse();
    }
    let leader = *members.first()?;
    let hashes = InfohashSet::new(members.iter().flat_map(|member| member.infohashes.iter()))?;
    let at = family.torrents.into_iter().max_by_key(|at| rank(&torrents[*at], leader, &hashes))?;
    let (active, ended) = if active { (members, Vec::new()) } else { (Vec::new(), members) };
    Some(Group { seen: &torrents[at], at, active, ended })
}

/// Which of several torrents is meant. What agrees in most is; where that is
/// equal the one that was followed so far stays. The rest only makes the choice
/// independent of the order in which the client lists them.
fn rank<'a>(seen: &'a Seen, leader: &Known, hashes: &InfohashSet) -> impl Ord + 'a {
    (
        seen.infohashes.iter().filter(|hash| hashes.contains(hash)).count(),
        seen.infohashes.len(),
        leader.handle.as_ref() == Some(&seen.handle),
        leader.save_path.as_ref() == Some(&seen.save_path),
        seen.has_metadata,
        Reverse((&seen.handle, &seen.save_path, seen.client_state.as_str())),
        (seen.infohashes.v1(), seen.infohashes.v2()),
    )
}
