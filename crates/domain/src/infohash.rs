//! Infohashes: what a torrent is known by.
//!
//! A torrent has a *set* of them: a hybrid has a v1 and a v2. What a client
//! calls a torrent is not identity: qBittorrent uses the first 40 hex digits of
//! the v2, which look like a v1 and must never be stored as one.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A BitTorrent v1 infohash: SHA-1 of the `info` dictionary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfohashV1([u8; 20]);

/// A BitTorrent v2 infohash: SHA-256 of the `info` dictionary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfohashV2([u8; 32]);

/// An infohash of either version. Its text is lowercase hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Infohash {
    /// 20 bytes, 40 hex digits.
    V1(InfohashV1),
    /// 32 bytes, 64 hex digits.
    V2(InfohashV2),
}

/// The version of an infohash, by its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InfohashKind {
    /// SHA-1.
    V1,
    /// SHA-256.
    V2,
}

/// Why a text is not an infohash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseInfohashError {
    /// The length fits no form.
    #[error("an infohash has 40 or 64 hex digits or 32 base32 characters, this has {0} characters")]
    Length(usize),
    /// The character at this offset is no hex digit.
    #[error("character {0} of the infohash is not a hex digit")]
    Digit(usize),
    /// The character at this offset is outside the base32 alphabet.
    #[error("character {0} of the infohash is not a base32 character")]
    Base32(usize),
}

impl InfohashV1 {
    /// From the 20 bytes of the digest.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        InfohashV1(bytes)
    }

    /// From 32 characters of base32 (RFC 4648, either case).
    ///
    /// # Errors
    /// When the length or a character is wrong.
    pub fn from_base32(text: &str) -> Result<Self, ParseInfohashError> {
        let length = text.chars().count();
        if length != 32 {
            return Err(ParseInfohashError::Length(length));
        }
        let mut raw = [0u8; 20];
        for (index, ch) in text.chars().enumerate() {
            let digit = match ch.to_ascii_lowercase() {
                letter @ 'a'..='z' => letter as u8 - b'a',
                digit @ '2'..='7' => digit as u8 - b'2' + 26,
                _ => return Err(ParseInfohashError::Base32(index)),
            };
            // Five bits starting at bit 5·index: they touch at most two bytes.
            let bit = index * 5;
            let shifted = u16::from(digit) << (11 - bit % 8);
            raw[bit / 8] |= (shifted >> 8) as u8;
            if bit % 8 > 3 {
                raw[bit / 8 + 1] |= (shifted & 0xff) as u8;
            }
        }
        Ok(InfohashV1(raw))
    }
}

impl InfohashV2 {
    /// From the 32 bytes of the digest.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        InfohashV2(bytes)
    }

    /// The first 20 bytes, in the shape of a v1: what clients use as a handle.
    #[must_use]
    pub fn truncated(self) -> InfohashV1 {
        let mut front = [0u8; 20];
        front.copy_from_slice(&self.0[..20]);
        InfohashV1(front)
    }
}

impl Infohash {
    /// The version.
    #[must_use]
    pub const fn kind(&self) -> InfohashKind {
        match self {
            Infohash::V1(_) => InfohashKind::V1,
            Infohash::V2(_) => InfohashKind::V2,
        }
    }

    /// The v1, when it is one.
    #[must_use]
    pub const fn v1(&self) -> Option<InfohashV1> {
        match self {
            Infohash::V1(hash) => Some(*hash),
            Infohash::V2(_) => None,
        }
    }

    /// The v2, when it is one.
    #[must_use]
    pub const fn v2(&self) -> Option<InfohashV2> {
        match self {
            Infohash::V2(hash) => Some(*hash),
            Infohash::V1(_) => None,
        }
    }

    /// Reads any form that people paste: 40 or 64 hex digits, 32 base32
    /// characters, any case.
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn from_any_form(text: &str) -> Result<Self, ParseInfohashError> {
        if text.chars().count() == 32 {
            return InfohashV1::from_base32(text).map(Infohash::V1);
        }
        text.parse()
    }
}

impl From<InfohashV1> for Infohash {
    fn from(hash: InfohashV1) -> Self {
        Infohash::V1(hash)
    }
}

impl From<InfohashV2> for Infohash {
    fn from(hash: InfohashV2) -> Self {
        Infohash::V2(hash)
    }
}

fn hex_into(text: &str, raw: &mut [u8]) -> Result<(), ParseInfohashError> {
    for (index, ch) in text.chars().enumerate() {
        let nibble = ch.to_digit(16).ok_or(ParseInfohashError::Digit(index))?;
        raw[index / 2] = raw[index / 2] << 4 | nibble as u8;
    }
    Ok(())
}

impl FromStr for InfohashV1 {
    type Err = ParseInfohashError;

    fn from_str(text: &str) -> Result<Self, ParseInfohashError> {
        let length = text.chars().count();
        if length != 40 {
            return Err(ParseInfohashError::Length(length));
        }
        let mut raw = [0u8; 20];
        hex_into(text, &mut raw).map(|()| InfohashV1(raw))
    }
}

impl FromStr for InfohashV2 {
    type Err = ParseInfohashError;

    fn from_str(text: &str) -> Result<Self, ParseInfohashError> {
        let length = text.chars().count();
        if length != 64 {
            return Err(ParseInfohashError::Length(length));
        }
        let mut raw = [0u8; 32];
        hex_into(text, &mut raw).map(|()| InfohashV2(raw))
    }
}

impl FromStr for Infohash {
    type Err = ParseInfohashError;

    fn from_str(text: &str) -> Result<Self, ParseInfohashError> {
        match text.chars().count() {
            40 => text.parse().map(Infohash::V1),
            64 => text.parse().map(Infohash::V2),
            other => Err(ParseInfohashError::Length(other)),
        }
    }
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for InfohashV1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Display for InfohashV2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Display for Infohash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Infohash::V1(hash) => hash.fmt(f),
            Infohash::V2(hash) => hash.fmt(f),
        }
    }
}

impl fmt::Debug for InfohashV1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for InfohashV2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Infohash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl InfohashKind {
    /// The word of the column `download_infohash.kind`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            InfohashKind::V1 => "v1",
            InfohashKind::V2 => "v2",
        }
    }
}

impl fmt::Display for InfohashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The infohashes of one torrent: never empty, in a fixed order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct InfohashSet(BTreeSet<Infohash>);

impl InfohashSet {
    /// The set of one.
    #[must_use]
    pub fn one(hash: impl Into<Infohash>) -> Self {
        InfohashSet(BTreeSet::from([hash.into()]))
    }

    /// The set of these, or `None` when there are none. A v1 that is the front
    /// of a v2 in the same set is a client's handle and is left out.
    #[must_use]
    pub fn new(hashes: impl IntoIterator<Item = Infohash>) -> Option<Self> {
        let mut set: BTreeSet<Infohash> = hashes.into_iter().collect();
        let fronts: Vec<Infohash> =
            set.iter().filter_map(Infohash::v2).map(|v2| v2.truncated().into()).collect();
        for front in fronts {
            set.remove(&front);
        }
        (!set.is_empty()).then_some(InfohashSet(set))
    }

    /// Both sets together.
    #[must_use]
    pub fn union(&self, other: &InfohashSet) -> Self {
        // Not empty, since neither was and only a v1 beside its own v2 is left out.
        InfohashSet::new(self.iter().chain(other.iter())).unwrap_or_else(|| self.clone())
    }

    /// The hashes, v1 before v2, each version in byte order.
    pub fn iter(&self) -> impl Iterator<Item = Infohash> + '_ {
        self.0.iter().copied()
    }

    /// How many there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a set is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the hash is in the set.
    #[must_use]
    pub fn contains(&self, hash: &Infohash) -> bool {
        self.0.contains(hash)
    }

    /// Whether a hash is in both.
    #[must_use]
    pub fn intersects(&self, other: &InfohashSet) -> bool {
        self.0.iter().any(|hash| other.0.contains(hash))
    }

    /// The first v1.
    #[must_use]
    pub fn v1(&self) -> Option<InfohashV1> {
        self.0.iter().find_map(Infohash::v1)
    }

    /// The first v2.
    #[must_use]
    pub fn v2(&self) -> Option<InfohashV2> {
        self.0.iter().find_map(Infohash::v2)
    }

    /// Whether this 40-digit value is the front of one of the v2 hashes: then it
    /// is what a client calls the torrent, not a v1.
    #[must_use]
    pub fn is_handle(&self, candidate: &InfohashV1) -> bool {
        self.0.iter().filter_map(Infohash::v2).any(|v2| v2.truncated() == *candidate)
    }
}

impl fmt::Debug for InfohashSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0).finish()
    }
}

#[cfg(test)]
mod tests;
