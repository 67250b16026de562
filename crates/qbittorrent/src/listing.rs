//! Reading `torrents/info`: one entry that cannot be read is left out, a list
//! that is cut off is no list.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use tracker_domain::infohash::ParseInfohashError;
use tracker_domain::observed::{ClientPath, Handle, Progress, Scope, Seen};
use tracker_domain::{Infohash, InfohashSet, InfohashV1, InfohashV2};

use crate::call::{Call, Fields};
use crate::config::Marking;
use crate::phase::{is_stopped, phase_of};

const ENDPOINT: &str = "torrents/info";

/// Hashes in one question: with 64 digits and an escaped separator each, the
/// line stays below the 8 KiB that proxies allow.
const HASHES_A_CALL: usize = 100;

/// What the client says when it knows no end.
const ENDLESS_ETA: u64 = 8_640_000;

/// The questions that cover a scope.
pub(crate) fn calls(scope: &Scope, ours: &Marking) -> Vec<Call> {
    let ask = |query: Fields| Call::get(ENDPOINT, query).listing();
    match (scope, ours) {
        (Scope::Infohashes(hashes), _) => {
            let mut forms: Vec<String> = hashes.iter().flat_map(forms_of).collect();
            forms.sort_unstable();
            forms.dedup();
            forms.chunks(HASHES_A_CALL).map(|some| ask(vec![("hashes", some.join("|"))])).collect()
        }
        (Scope::Ours, Marking::Tag(tag)) => vec![ask(vec![("tag", tag.clone())])],
        (Scope::Ours, Marking::Everything) | (Scope::Everything, _) => vec![ask(Vec::new())],
    }
}

/// Each form under which a client may keep a hash.
fn forms_of(hash: &Infohash) -> Vec<String> {
    match hash {
        Infohash::V1(v1) => vec![v1.to_string()],
        Infohash::V2(v2) => vec![v2.to_string(), v2.truncated().to_string()],
    }
}

/// What was read, and how many entries were left out.
pub(crate) struct Listing {
    /// By handle, so that a torrent which two questions found is there once.
    pub(crate) torrents: BTreeMap<Handle, Seen>,
    pub(crate) skipped: usize,
}

impl Listing {
    pub(crate) fn new() -> Self {
        Listing { torrents: BTreeMap::new(), skipped: 0 }
    }

    /// Takes in one answer.
    pub(crate) fn read(&mut self, body: &[u8]) -> Result<(), serde_json::Error> {
        // The list as a whole first, its entries as they stand: one that cannot
        // be read is no reason to lose the others, and none is kept twice.
        let entries: Vec<&RawValue> = serde_json::from_slice(body)?;
        for entry in entries {
            let read: Option<Entry> = serde_json::from_str(entry.get()).ok();
            match read.and_then(Entry::seen) {
                Some(seen) => {
                    self.torrents.insert(seen.handle.clone(), seen);
                }
                None => self.skipped += 1,
            }
        }
        Ok(())
    }
}

/// The fields that are used, of the fifty to sixty there are. All but the hash
/// may be missing or null.
#[derive(Deserialize)]
struct Entry {
    hash: String,
    infohash_v1: Option<String>,
    infohash_v2: Option<String>,
    name: Option<String>,
    state: Option<String>,
    progress: Option<f64>,
    size: Option<i64>,
    total_size: Option<i64>,
    completed: Option<i64>,
    amount_left: Option<i64>,
    dlspeed: Option<i64>,
    upspeed: Option<i64>,
    eta: Option<i64>,
    num_seeds: Option<i64>,
    num_leechs: Option<i64>,
    ratio: Option<f64>,
    seeding_time: Option<i64>,
    has_metadata: Option<bool>,
    save_path: Option<String>,
    tags: Option<String>,
}

impl Entry {
    fn seen(self) -> Option<Seen> {
        let infohashes = self.infohashes()?;
        let has_metadata = self.has_metadata.unwrap_or_else(|| {
            // 4.x has no such field; without metadata the sizes are 0 and -1.
            self.total_size.unwrap_or(0) > 0 || self.size.unwrap_or(0) > 0
        });
        let client_state = self.state.clone().unwrap_or_default();
        // The client gives the float 1 for a whole payload, and nothing near it
        // will do; more than whole is a number that cannot be believed.
        let whole = self.progress.is_some_and(|progress| (1.0..=1.0).contains(&progress));
        let size_bytes = self.size.filter(|_| has_metadata).and_then(natural);
        Some(Seen {
            infohashes,
            phase: phase_of(&client_state, whole, has_metadata),
            client_state,
            progress: self.progress(size_bytes),
            has_metadata,
            size_bytes,
            name: self.name.unwrap_or_default(),
            save_path: ClientPath(self.save_path.unwrap_or_default()),
            tags: tags_of(self.tags.as_deref().unwrap_or_default()),
            handle: Handle(self.hash),
        })
    }

    /// The hashes as the client states them. `hash` is one only where the client
    /// has no other fields for them (before 4.4); else it may be the front of a v2.
    fn infohashes(&self) -> Option<InfohashSet> {
        if self.hash.is_empty() {
            return None;
        }
        if self.infohash_v1.is_none() && self.infohash_v2.is_none() {
            return self.hash.parse::<InfohashV1>().ok().map(InfohashSet::one);
        }
        let v1: Option<Infohash> = stated::<InfohashV1>(self.infohash_v1.as_deref()).ok()?;
        let v2: Option<Infohash> = stated::<InfohashV2>(self.infohash_v2.as_deref()).ok()?;
        InfohashSet::new(v1.into_iter().chain(v2))
    }

    fn progress(&self, size_bytes: Option<u64>) -> Progress {
        let left = self.amount_left.and_then(natural);
        let done = self.completed.and_then(natural);
        let peers = [self.num_seeds, self.num_leechs].into_iter().flatten().filter_map(natural);
        Progress {
            bytes_done: size_bytes
                .and_then(|size| done.or_else(|| left.map(|left| size.saturating_sub(left)))),
            bytes_total: size_bytes,
            download_bps: self.dlspeed.and_then(natural),
            upload_bps: self.upspeed.and_then(natural),
            eta_seconds: self.eta.and_then(natural).filter(|eta| *eta < ENDLESS_ETA),
            peers: (self.num_seeds.is_some() || self.num_leechs.is_some()).then(|| peers.sum()),
            ratio: self.ratio.filter(|ratio| ratio.is_finite() && *ratio >= 0.0),
            stopped: self.state.as_deref().is_some_and(is_stopped),
            seeding_seconds: self.seeding_time.and_then(natural),
        }
    }
}

fn stated<T>(text: Option<&str>) -> Result<Option<Infohash>, ParseInfohashError>
where
    T: std::str::FromStr<Err = ParseInfohashError> + Into<Infohash>,
{
    match text.unwrap_or_default() {
        "" => Ok(None),
        text => text.parse::<T>().map(|hash| Some(hash.into())),
    }
}

fn natural(number: i64) -> Option<u64> {
    u64::try_from(number).ok()
}

fn tags_of(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
