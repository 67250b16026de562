//! The further names of a work: each once, in the order of their worth.

use std::collections::BTreeSet;

const MOST: usize = 60;

/// Names that are told apart without regard to case.
pub(crate) struct Names {
    seen: BTreeSet<String>,
    kept: Vec<String>,
}

impl Names {
    /// Names besides these.
    pub(crate) fn besides<'a>(known: impl IntoIterator<Item = &'a str>) -> Self {
        let seen = known.into_iter().map(str::to_lowercase).collect();
        Names { seen, kept: Vec::new() }
    }

    /// Takes one more, if it is one and there is room.
    pub(crate) fn push(&mut self, name: Option<String>) {
        if let Some(name) = name
            && self.kept.len() < MOST
            && self.seen.insert(name.to_lowercase())
        {
            self.kept.push(name);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<String> {
        self.kept
    }
}
