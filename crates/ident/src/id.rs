//! The id types: strict to parse, lowercase wherever they are shown.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use ulid::Ulid;

/// Length of a ULID in its text form.
const LENGTH: usize = 26;

/// The last millisecond that the time part can hold.
const MAX_UNIX_MS: u64 = (1 << 48) - 1;

/// The id of an entity whose kind is not known to the type system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyId(Ulid);

/// The id of an entity of kind `E`.
///
/// `E` is a marker that is never built; it keeps the id of a recognition from
/// being passed where the id of a download is meant.
pub struct Id<E> {
    any: AnyId,
    kind: PhantomData<fn() -> E>,
}

/// Why a text is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseIdError {
    /// The text does not have 26 characters; the value is its length in bytes.
    #[error("an id has 26 characters, this has {0} bytes")]
    Length(usize),
    /// The character at this byte offset is outside the Crockford alphabet.
    #[error("character {0} of the id is outside the ULID alphabet")]
    Alphabet(usize),
    /// The first character is above `7`: the value does not fit 128 bits.
    #[error("the id is larger than 128 bits")]
    Overflow,
}

impl AnyId {
    /// Before every other one.
    pub const MIN: AnyId = AnyId(Ulid(0));

    /// The raw 128-bit value.
    #[must_use]
    pub fn value(self) -> u128 {
        self.0.0
    }

    /// The time part: milliseconds since the Unix epoch.
    #[must_use]
    pub fn unix_ms(self) -> u64 {
        self.0.timestamp_ms()
    }

    /// Treats the id as one of kind `E`, on the word of the caller.
    #[must_use]
    pub fn typed<E>(self) -> Id<E> {
        Id { any: self, kind: PhantomData }
    }

    pub(crate) fn from_value(value: u128) -> Self {
        AnyId(Ulid(value))
    }

    pub(crate) fn from_parts(unix_ms: u64, random: u128) -> Self {
        // A time of more than 48 bits would wrap around and sort first.
        AnyId(Ulid::from_parts(unix_ms.min(MAX_UNIX_MS), random))
    }
}

impl FromStr for AnyId {
    type Err = ParseIdError;

    /// Accepts exactly 26 letters of the alphabet in either case. The aliases
    /// that Crockford allows a human (`I`, `L`, `O`, `U`) are refused: an id has
    /// one spelling up to its case.
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        if text.len() != LENGTH {
            return Err(ParseIdError::Length(text.len()));
        }
        let mut value: u128 = 0;
        for (index, byte) in text.bytes().enumerate() {
            let digit = crockford_digit(byte).ok_or(ParseIdError::Alphabet(index))?;
            if index == 0 && digit > 7 {
                return Err(ParseIdError::Overflow);
            }
            value = value << 5 | u128::from(digit);
        }
        Ok(AnyId(Ulid(value)))
    }
}

/// The value of one letter, or `None` outside the alphabet.
fn crockford_digit(byte: u8) -> Option<u8> {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let lower = byte.to_ascii_lowercase();
    (0u8..32).zip(ALPHABET).find(|(_, letter)| **letter == lower).map(|(digit, _)| digit)
}

impl fmt::Display for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = [0u8; LENGTH];
        let upper = self.0.array_to_str(&mut buffer);
        upper.make_ascii_lowercase();
        f.pad(upper)
    }
}

impl fmt::Debug for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for AnyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AnyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl<E> Id<E> {
    /// The id without its kind.
    #[must_use]
    pub fn any(self) -> AnyId {
        self.any
    }
}

impl<E> From<Id<E>> for AnyId {
    fn from(id: Id<E>) -> AnyId {
        id.any
    }
}

impl<E> FromStr for Id<E> {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        text.parse::<AnyId>().map(AnyId::typed)
    }
}

impl<E> fmt::Display for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.any, f)
    }
}

impl<E> fmt::Debug for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.any, f)
    }
}

// Written by hand: a derive would ask the marker `E` for the same traits.
impl<E> Clone for Id<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Id<E> {}

impl<E> PartialEq for Id<E> {
    fn eq(&self, other: &Self) -> bool {
        self.any == other.any
    }
}

impl<E> Eq for Id<E> {}

impl<E> PartialOrd for Id<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Id<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.any.cmp(&other.any)
    }
}

impl<E> Hash for Id<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.any.hash(state);
    }
}

impl<E> Serialize for Id<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.any.serialize(serializer)
    }
}

impl<'de, E> Deserialize<'de> for Id<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AnyId::deserialize(deserializer).map(AnyId::typed)
    }
}

#[cfg(test)]
mod tests;
