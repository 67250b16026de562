//! `.torrent` files: identity over the raw bytes of `info`, and what is in it.

use std::ops::Range;

use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::bencode::{self, BencodeError, Dict, Value};
use crate::infohash::{InfohashSet, InfohashV1, InfohashV2};

mod instead;

/// The largest file that is read.
pub const MAX_TORRENT_BYTES: usize = 10 * 1024 * 1024;

/// The longest piece that a client can be asked for: far more than anybody uses.
const MAX_PIECE_BYTES: i64 = 1 << 30;

/// Most trackers that are kept; the rest of a longer list is left out.
const MAX_TRACKERS: usize = 100;

/// A `.torrent` file that was read and checked.
#[derive(Clone, PartialEq, Eq)]
pub struct Torrent {
    infohashes: InfohashSet,
    name: String,
    size_bytes: u64,
    private: bool,
    trackers: Vec<String>,
    /// Where the dictionary `info` stands in the bytes.
    info: Range<usize>,
    bytes: Vec<u8>,
}

/// Why bytes are not a `.torrent`, and what helps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TorrentError {
    /// Nothing was given.
    #[error("the file is empty; download it again")]
    Empty,
    /// More than [`MAX_TORRENT_BYTES`].
    #[error("the file has {0} bytes, the limit is {MAX_TORRENT_BYTES}; is it a .torrent?")]
    TooLarge(usize),
    /// A page was saved in its place, usually the login page of a site.
    #[error(
        "this is a web page (HTML), not a .torrent: the site probably asks for a login; \
         log in there and download the file again"
    )]
    Html,
    /// A site's answer to a program was saved in its place.
    #[error(
        "this is a message of a site (JSON), not a .torrent; read it, and download the file again"
    )]
    Json,
    /// It is a magnet link or an infohash in a file.
    #[error(
        "this is a text with a magnet link or an infohash, not a .torrent; \
         hand over the text itself, in a watch folder as a *.magnet file"
    )]
    Link,
    /// It is packed by a program of this name.
    #[error("this is packed ({0}), not a .torrent; unpack it and hand over what is in it")]
    Packed(&'static str),
    /// It is the record that a client keeps of its progress.
    #[error(
        "this is a client's record of its progress (a resume file), not a .torrent; \
         export the .torrent from the client, or adopt what the client has"
    )]
    Resume,
    /// It is what a tracker answers a client.
    #[error(
        "this is the answer of a BitTorrent tracker, not a .torrent; \
         download the file from the page of the torrent"
    )]
    Answer,
    /// It ends inside a value.
    #[error("the file is cut off: it ends early, at byte {0}; download it again")]
    CutOff(usize),
    /// Its room on the disk was taken, and not filled.
    #[error("the file is cut off: from byte {0} on it is all zeros; download it again")]
    Hollow(usize),
    /// It is not bencode.
    #[error("the file is not a .torrent, or it is damaged: {0}; download it again")]
    Bencode(BencodeError),
    /// A part that must be there is missing or of another type.
    #[error("the .torrent lacks a usable {0:?}; get it from where it was made")]
    Missing(&'static str),
    /// The sum of the file sizes does not fit.
    #[error(
        "the sizes in the .torrent are negative or do not fit 63 bits; \
         get it from where it was made"
    )]
    Size,
}

impl Torrent {
    /// Reads a `.torrent`.
    ///
    /// # Errors
    /// When it is not one; the error says what it looks like instead.
    pub fn parse(bytes: &[u8]) -> Result<Self, TorrentError> {
        if bytes.is_empty() {
            return Err(TorrentError::Empty);
        }
        if bytes.len() > MAX_TORRENT_BYTES {
            return Err(TorrentError::TooLarge(bytes.len()));
        }
        if let Some(instead) = instead::by_its_front(bytes) {
            return Err(instead);
        }
        let value = bencode::parse(bytes).map_err(|error| instead::damaged(bytes, error))?;
        let top = value.dict().ok_or(TorrentError::Missing("top-level dictionary"))?;
        let info =
            top.get(b"info").and_then(Value::dict).ok_or_else(|| instead::without_info(top))?;
        let raw = &bytes[info.range()];
        let bytes_of = |key: &[u8]| info.get(key).and_then(Value::bytes);
        let name = bytes_of(b"name.utf-8")
            .or_else(|| bytes_of(b"name"))
            .ok_or(TorrentError::Missing("name"))?;
        // Clients divide by it, and read it as a number of 32 bits.
        let piece_length = info.get(b"piece length").and_then(Value::int);
        if piece_length.is_some_and(|length| !(1..=MAX_PIECE_BYTES).contains(&length)) {
            return Err(TorrentError::Missing("piece length"));
        }
        let v1 = has_pieces(info)?;
        let v2 = info.get(b"meta version").and_then(Value::int) == Some(2);
        let hashes = [
            v1.then(|| InfohashV1::from_bytes(Sha1::digest(raw).into()).into()),
            v2.then(|| InfohashV2::from_bytes(Sha256::digest(raw).into()).into()),
        ];
        Ok(Torrent {
            infohashes: InfohashSet::new(hashes.into_iter().flatten())
                .ok_or(TorrentError::Missing("pieces"))?,
            name: String::from_utf8_lossy(name).into_owned(),
            size_bytes: size_of(info, v2)?,
            private: info.get(b"private").and_then(Value::int) == Some(1),
            trackers: trackers_of(top),
            info: info.range(),
            bytes: bytes.to_vec(),
        })
    }

    /// The infohashes of all versions it has.
    #[must_use]
    pub fn infohashes(&self) -> &InfohashSet {
        &self.infohashes
    }

    /// The name of the file or root folder; bytes that are no text are replaced.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The size of the payload without padding, in bytes.
    #[must_use]
    pub const fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Whether peers may come from its trackers only.
    #[must_use]
    pub const fn is_private(&self) -> bool {
        self.private
    }

    /// Announce addresses. They may carry a passkey: never log them.
    #[must_use]
    pub fn trackers(&self) -> &[String] {
        &self.trackers
    }

    /// The part that makes it this torrent, as it was written, and its trackers, in a
    /// form that each client reads: what else stands in the file may be odd.
    #[must_use]
    pub fn essence(&self) -> Vec<u8> {
        let text = |text: &[u8]| [format!("{}:", text.len()).as_bytes(), text].concat();
        let mut found = b"d".to_vec();
        if let Some(first) = self.trackers.first() {
            found.extend(text(b"announce"));
            found.extend(text(first.as_bytes()));
            found.extend(text(b"announce-list"));
            found.push(b'l');
            for tracker in &self.trackers {
                found.push(b'l');
                found.extend(text(tracker.as_bytes()));
                found.push(b'e');
            }
            found.push(b'e');
        }
        found.extend(text(b"info"));
        found.extend(&self.bytes[self.info.clone()]);
        found.push(b'e');
        found
    }

    /// The file as it was read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl std::fmt::Debug for Torrent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the trackers, which may carry a passkey.
        f.debug_struct("Torrent")
            .field("infohashes", &self.infohashes)
            .field("name", &self.name)
            .field("size_bytes", &self.size_bytes)
            .finish_non_exhaustive()
    }
}

/// Whether it has the piece hashes of v1. Something else under that name would
/// make clients see another set of infohashes than we do.
fn has_pieces(info: &Dict<'_>) -> Result<bool, TorrentError> {
    match info.get(b"pieces").map(Value::bytes) {
        None => Ok(false),
        Some(Some(hashes)) if hashes.len() % 20 == 0 => Ok(true),
        Some(_) => Err(TorrentError::Missing("pieces")),
    }
}

fn trackers_of(top: &Dict<'_>) -> Vec<String> {
    let tiers = top.get(b"announce-list").and_then(Value::list).unwrap_or_default();
    let listed = tiers.iter().filter_map(Value::list).flatten().filter_map(Value::bytes);
    let single = top.get(b"announce").and_then(Value::bytes);
    let mut found: Vec<String> = Vec::new();
    for raw in single.into_iter().chain(listed) {
        // Bounded, since each one is compared with all that were kept.
        if found.len() == MAX_TRACKERS {
            break;
        }
        if let Ok(text) = std::str::from_utf8(raw)
            && !text.is_empty()
            && !found.iter().any(|known| known == text)
        {
            found.push(text.to_owned());
        }
    }
    found
}

/// Sum of the payload without pad files (BEP 47).
fn size_of(info: &Dict<'_>, v2: bool) -> Result<u64, TorrentError> {
    let length = |value: Option<&Value<'_>>| {
        value.and_then(Value::int).and_then(|n| u64::try_from(n).ok()).ok_or(TorrentError::Size)
    };
    let add = |sum: u64, n: u64| {
        sum.checked_add(n).filter(|sum| i64::try_from(*sum).is_ok()).ok_or(TorrentError::Size)
    };
    if v2 {
        let tree = info.get(b"file tree").and_then(Value::dict);
        return tree_size(tree.ok_or(TorrentError::Missing("file tree"))?);
    }
    // Where both stand, clients go by the list.
    let Some(files) = info.get(b"files").and_then(Value::list) else {
        if info.get(b"length").is_none() {
            return Err(TorrentError::Missing("length or files"));
        }
        return add(0, length(info.get(b"length"))?);
    };
    files.iter().try_fold(0, |sum, file| {
        let file = file.dict().ok_or(TorrentError::Missing("files"))?;
        let pad = file.get(b"attr").and_then(Value::bytes).is_some_and(|attr| attr.contains(&b'p'));
        if pad { Ok(sum) } else { add(sum, length(file.get(b"length"))?) }
    })
}

/// The v2 tree: a file is a dictionary under the empty key. Depth is bounded by
/// the reader, so the recursion is too.
fn tree_size(tree: &Dict<'_>) -> Result<u64, TorrentError> {
    let mut sum = 0u64;
    for (name, node) in tree.iter() {
        let node = node.dict().ok_or(TorrentError::Missing("file tree"))?;
        let more = if name.is_empty() {
            let length = node.get(b"length").and_then(Value::int).ok_or(TorrentError::Size)?;
            u64::try_from(length).map_err(|_| TorrentError::Size)?
        } else {
            tree_size(node)?
        };
        sum = sum
            .checked_add(more)
            .filter(|sum| i64::try_from(*sum).is_ok())
            .ok_or(TorrentError::Size)?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests;
