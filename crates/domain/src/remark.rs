//! What the program remarks of a match: what keeps it from being sure, what a part
//! of a score counts for, why a work cannot be the one that is meant.
//!
//! Each remark has a stable code, named values and one English sentence, all three in
//! `sentences`. The sentence is what rows, REST, logs and the command line have;
//! [`Remark::read`] finds the remark in it again, so that whoever shows it can say the
//! same in another language. There is no other way to make one, so none lacks a code.

mod pattern;
mod sentences;
mod value;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use sentences::Remark;
pub use value::{Percent, Quoted, Value};

/// What parts the remarks of a list that is kept as one text.
const BETWEEN: &str = "; ";

/// A sentence may have the mark that parts them in it, and no more of these.
const MOST_PIECES: usize = 4;

/// A sentence that no remark of this version says. It is read from rows, never made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread(String);

/// A remark as the table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The stable code.
    pub code: &'static str,
    /// The English sentence, with the names of its values in braces.
    pub text: &'static str,
}

impl Sentence {
    /// The names of its values, in their order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        pattern::names(self.text)
    }
}

impl Remark {
    /// The remark that a sentence says; one that says none stays as it is.
    #[must_use]
    pub fn read(text: &str) -> Remark {
        Remark::known(text).unwrap_or_else(|| Remark::Unread(Unread(text.to_owned())))
    }

    /// The remarks of a list that is kept as one text.
    #[must_use]
    pub fn read_list(text: &str) -> Vec<Remark> {
        let pieces: Vec<&str> = text.split(BETWEEN).filter(|piece| !piece.is_empty()).collect();
        // The best way to read the pieces from each place on: with as few as may be
        // that say nothing, and then as many remarks as may be.
        let mut best: Vec<Vec<Remark>> = vec![Vec::new()];
        for from in (0..pieces.len()).rev() {
            let rest = pieces.get(from..).unwrap_or_default();
            let ways = (1..=rest.len().min(MOST_PIECES)).filter_map(|taken| {
                let sentence = rest.get(..taken)?.join(BETWEEN);
                let first = match taken {
                    1 => Remark::read(&sentence),
                    _ => Remark::known(&sentence)?,
                };
                let behind = best.get(best.len() - taken)?;
                Some([first].into_iter().chain(behind.iter().cloned()).collect::<Vec<_>>())
            });
            let rank = |way: &Vec<Remark>| {
                let unread = way.iter().filter(|remark| remark.code().is_none()).count();
                (unread, usize::MAX - way.len())
            };
            best.push(ways.min_by_key(rank).unwrap_or_default());
        }
        best.pop().unwrap_or_default()
    }

    /// A list as one text.
    #[must_use]
    pub fn join(remarks: &[Remark]) -> String {
        remarks.iter().map(ToString::to_string).collect::<Vec<_>>().join(BETWEEN)
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Remark {
    fn eq(&self, other: &str) -> bool {
        let sentence = self.to_string();
        sentence == other
    }
}

impl PartialEq<String> for Remark {
    fn eq(&self, other: &String) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<&str> for Remark {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl Serialize for Remark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Remark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Remark::read(&text))
    }
}

#[cfg(test)]
mod tests;
