//! How far a batch had come when its process was killed.

use std::collections::BTreeMap;
use std::fmt;

use tracker_layout::TRASH;

use crate::look::Look;
use crate::world::World;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing is on the disk.
    BeforeStaging,
    /// Some temporary names are.
    Staging,
    /// All temporary names are, and nothing shows.
    Between,
    /// The identities are written down and some names show, or all.
    Committing,
    /// It is recorded.
    After,
}

const ALL: [Phase; 5] =
    [Phase::BeforeStaging, Phase::Staging, Phase::Between, Phase::Committing, Phase::After];

impl Phase {
    pub fn of(world: &World, before: &Look, now: &Look) -> Self {
        let journal = world.journal();
        if journal.is_applied() {
            return Phase::After;
        }
        let names = || now.library.keys().filter_map(|path| path.file_name()?.to_str());
        let temporary = names().filter(|name| name.ends_with(".tmp"));
        let whole = temporary.count() == world.shape.to_make();
        if now.library.keys().eq(before.library.keys()) {
            return Phase::BeforeStaging;
        }
        match journal.staged() {
            None if whole => Phase::Between,
            None => Phase::Staging,
            Some(_) if whole && names().all(|name| name != TRASH) => Phase::Between,
            Some(_) => Phase::Committing,
        }
    }
}

/// How often each was met.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<Phase, usize>);

impl Tally {
    pub fn count(&mut self, phase: Phase) {
        *self.0.entry(phase).or_default() += 1;
    }

    /// How many different ones were met.
    pub fn different(&self) -> usize {
        self.0.len()
    }

    pub fn met_all(&self) -> bool {
        self.different() == ALL.len()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = ["before staging", "staging", "between", "committing", "after"];
        for (phase, word) in ALL.into_iter().zip(words) {
            let comma = if phase == Phase::BeforeStaging { "" } else { ", " };
            write!(f, "{comma}{word} {}", self.0.get(&phase).copied().unwrap_or(0))?;
        }
        Ok(())
    }
}
