//! Reading answers that may be anything: a field of another type is a missing
//! field, an entry that cannot be read is left out, and no list is endless.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::MetadataError;

/// The entries of one list that are read; no series has as many episodes.
const LONGEST_LIST: usize = 5000;
/// The works of one search that are given; the sources give 20 and 10.
pub(crate) const MOST_FOUND: usize = 50;
const LONGEST_NAME: usize = 300;
const LONGEST_TEXT: usize = 4000;
/// None of the sources is anywhere near, and a pin has no more digits.
const LARGEST_ID: u64 = 9_999_999_999;

/// A field that is nothing when it is missing, null or of another type.
pub(crate) struct Soft<T>(pub(crate) Option<T>);

impl<T> Default for Soft<T> {
    fn default() -> Self {
        Soft(None)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Soft<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The text of the value is looked at first, so that a wrong one is passed over whole.
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Soft(serde_json::from_str(raw.get()).ok()))
    }
}

/// A list as far as it can be read; nothing where there is no list.
pub(crate) struct List<T> {
    pub(crate) entries: Vec<T>,
    /// How many could not be read, or were too many.
    pub(crate) left_out: usize,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { entries: Vec::new(), left_out: 0 }
    }
}

impl<T: DeserializeOwned> List<T> {
    /// Reads a list that has to be one.
    pub(crate) fn strict(json: &str) -> Option<Self> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let list = reader.deserialize_seq(Entries(PhantomData)).ok()?;
        reader.end().ok().map(|()| list)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Self::strict(raw.get()).unwrap_or_default())
    }
}

struct Entries<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Entries<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        let mut list = List::default();
        while list.entries.len() < LONGEST_LIST {
            let Some(Soft(entry)) = seq.next_element::<Soft<T>>()? else { return Ok(list) };
            match entry {
                Some(entry) => list.entries.push(entry),
                None => list.left_out += 1,
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {
            list.left_out += 1;
        }
        Ok(list)
    }
}

/// An answer that has to be an object of this form, or a list.
pub(crate) fn whole<T: DeserializeOwned>(body: &[u8]) -> Result<T, MetadataError> {
    serde_json::from_str(text_of(body)?)
        .map_err(|_| unreadable("it is no JSON of the form that was expected"))
}

/// An answer that has to be a list.
pub(crate) fn listed<T: DeserializeOwned>(body: &[u8]) -> Result<List<T>, MetadataError> {
    List::strict(text_of(body)?).ok_or_else(|| unreadable("it is no list"))
}

fn text_of(body: &[u8]) -> Result<&str, MetadataError> {
    std::str::from_utf8(body).map_err(|_| unreadable("it is no UTF-8"))
}

/// The error of an answer that says nothing.
pub(crate) fn unreadable(why: &str) -> MetadataError {
    MetadataError::Unreadable(why.to_owned())
}

/// The one place that tells of entries which were left out.
pub(crate) fn warn_of_left_out(provider: Provider, left_out: usize) {
    if left_out > 0 {
        let provider = provider.as_str();
        tracing::warn!(provider, left_out, "entries of a metadata answer cannot be read");
    }
}

/// A number by which a work goes.
pub(crate) fn id(number: Option<u64>) -> Option<u64> {
    number.filter(|number| (1..=LARGEST_ID).contains(number))
}

/// A name on one line; nothing where there is none.
pub(crate) fn name(text: Option<&str>) -> Option<String> {
    clean(text?, LONGEST_NAME)
}

/// A longer text on one line; nothing where there is none.
pub(crate) fn prose(text: Option<&str>) -> Option<String> {
    clean(text?, LONGEST_TEXT)
}

fn clean(text: &str, longest: usize) -> Option<String> {
    let mut kept = String::new();
    let words = text.split(|sign: char| sign.is_whitespace() || sign.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
        if kept.len() > longest * 4 {
            break;
        }
    }
    if let Some((end, _)) = kept.char_indices().nth(longest) {
        kept.truncate(end);
    }
    (!kept.is_empty()).then_some(kept)
}

/// The year of `1999-03-30`, or of a year alone.
pub(crate) fn year(date: Option<&str>) -> Option<i32> {
    let date = date?.trim();
    let year = date.split_once('-').map_or(date, |(year, _)| year);
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Film begins in 1874 with the transit of a planet.
    year.parse().ok().filter(|year| (1870..=2199).contains(year))
}

/// A number of IMDb, with its `tt`.
pub(crate) fn imdb(text: Option<&str>) -> Option<String> {
    let text = text?.trim();
    let digits = text.strip_prefix("tt")?;
    let plain = (1..=10).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
