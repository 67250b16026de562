//! Magnet links: every hash a link carries, whatever its order and spelling.
//!
//! Identity comes from `xt` alone. The link that goes to a client is rebuilt
//! from the parsed parts, never the text that a person gave.

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

use crate::infohash::{Infohash, InfohashSet, InfohashV1, InfohashV2, ParseInfohashError};

/// The longest text that is read.
pub const MAX_MAGNET_BYTES: usize = 64 * 1024;

/// Most trackers, web seeds and peers that are kept of each; sites add hundreds.
const MAX_ADDRESSES: usize = 100;

/// Longest address that is kept, in bytes.
const MAX_ADDRESS_BYTES: usize = 2048;

/// Longest name that is kept, in bytes.
const MAX_NAME_BYTES: usize = 1024;

/// Room for the addresses of one link once they are escaped. With the rest it
/// stays below [`MAX_MAGNET_BYTES`], so that a rebuilt link can be read again.
const ADDRESS_ROOM: usize = 48 * 1024;

/// What an escaped `&` leaves behind when a link is cut at each `&`.
const ENTITY_ENDS: [&str; 3] = ["amp;", "#38;", "#x26;"];

/// What stays as it is inside a value of the rebuilt link.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A magnet link or a bare infohash, parsed.
///
/// Two are equal when they say the same of a torrent; what was noticed while
/// reading (dropped addresses, an undecodable name, a bare hash) does not count.
#[derive(Clone)]
pub struct Magnet {
    infohashes: InfohashSet,
    name: Option<String>,
    name_undecodable: bool,
    size_bytes: Option<u64>,
    trackers: Vec<String>,
    web_seeds: Vec<String>,
    peers: Vec<String>,
    dropped: usize,
    bare: bool,
}

/// Why a text is not a usable magnet link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MagnetError {
    /// Nothing was given.
    #[error("the link is empty")]
    Empty,
    /// More than [`MAX_MAGNET_BYTES`].
    #[error("the link has {0} bytes, the limit is {MAX_MAGNET_BYTES}")]
    TooLong(usize),
    /// A line break or another control character inside the link.
    #[error(
        "there is a line break or control character inside the link; hand over one link at a time"
    )]
    ControlCharacter,
    /// Neither `magnet:?` nor a bare hash.
    #[error(
        "this is neither a magnet link nor an infohash (40 or 64 hex digits, 32 base32 characters)"
    )]
    NotMagnet,
    /// No `xt` with a BitTorrent hash.
    #[error("the link has no xt=urn:btih: or xt=urn:btmh: with a BitTorrent infohash")]
    NoInfohash,
    /// An `xt` of BitTorrent that cannot be read.
    #[error("the infohash in xt is malformed: {0}")]
    Infohash(#[from] ParseInfohashError),
    /// A `%` in `xt` that starts no escape.
    #[error("xt has a percent sign that starts no escape")]
    Escape,
    /// A multihash of another function or length than SHA-256.
    #[error("the multihash in xt=urn:btmh: is not SHA-256 (1220 and 64 hex digits)")]
    Multihash,
    /// Two hashes of one version that differ: two torrents in one link.
    #[error("the link has two different {0} infohashes; hand over one torrent a link")]
    TwoTorrents(crate::InfohashKind),
}

impl Magnet {
    /// Reads a magnet link or a bare infohash.
    ///
    /// # Errors
    /// When no torrent can be told from the text; the error says why.
    pub fn parse(text: &str) -> Result<Self, MagnetError> {
        if text.len() > MAX_MAGNET_BYTES {
            return Err(MagnetError::TooLong(text.len()));
        }
        let text = text.trim_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}');
        if text.is_empty() {
            return Err(MagnetError::Empty);
        }
        // A client splits its field at line breaks: one text could add torrents
        // that no row knows of.
        if text.chars().any(char::is_control) {
            return Err(MagnetError::ControlCharacter);
        }
        match query_of(text) {
            Some(query) => Parts::read(query)?.finish(),
            None => Self::bare(text),
        }
    }

    /// A link that carries nothing but these hashes and a name.
    #[must_use]
    pub fn from_infohashes(infohashes: InfohashSet, name: Option<String>) -> Self {
        Magnet {
            infohashes,
            name: name.and_then(|name| clean_name(&name)),
            name_undecodable: false,
            size_bytes: None,
            trackers: Vec::new(),
            web_seeds: Vec::new(),
            peers: Vec::new(),
            dropped: 0,
            bare: false,
        }
    }

    fn bare(text: &str) -> Result<Self, MagnetError> {
        let hash = Infohash::from_any_form(text).map_err(|_| MagnetError::NotMagnet)?;
        Ok(Magnet { bare: true, ..Self::from_infohashes(InfohashSet::one(hash), None) })
    }

    /// Every infohash the link carries.
    #[must_use]
    pub fn infohashes(&self) -> &InfohashSet {
        &self.infohashes
    }

    /// The display name (`dn`), when there is one that is not empty.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the name had bytes that are no UTF-8 and were replaced.
    #[must_use]
    pub const fn name_undecodable(&self) -> bool {
        self.name_undecodable
    }

    /// The expected size (`xl`) in bytes.
    #[must_use]
    pub const fn size_bytes(&self) -> Option<u64> {
        self.size_bytes
    }

    /// Announce addresses. They may carry a passkey: never log them.
    #[must_use]
    pub fn trackers(&self) -> &[String] {
        &self.trackers
    }

    /// Peers to ask first (`x.pe`).
    #[must_use]
    pub fn peers(&self) -> &[String] {
        &self.peers
    }

    /// How many addresses were left out because they are none or too many.
    #[must_use]
    pub const fn dropped_addresses(&self) -> usize {
        self.dropped
    }

    /// Whether it was a bare hash: 40 digits may then be what a client calls a
    /// v2 torrent.
    #[must_use]
    pub const fn is_bare(&self) -> bool {
        self.bare
    }

    /// The link with another set of hashes, for when more became known.
    #[must_use]
    pub fn with_infohashes(mut self, infohashes: InfohashSet) -> Self {
        self.infohashes = infohashes;
        self
    }

    /// The canonical link: one lowercase `xt` a version, then the rest. Carries
    /// announce addresses, so it is not `Display`: it must never reach a log.
    #[must_use]
    pub fn to_link(&self) -> String {
        // At most one of each version: two of one are two torrents to a client.
        let v1 = self.infohashes.v1().map(|hash| format!("xt=urn:btih:{hash}"));
        let v2 = self.infohashes.v2().map(|hash| format!("xt=urn:btmh:1220{hash}"));
        let field = |key: &'static str| {
            move |value: &String| format!("{key}={}", utf8_percent_encode(value, VALUE))
        };
        let parts: Vec<String> = v1
            .into_iter()
            .chain(v2)
            .chain(self.name.iter().map(field("dn")))
            .chain(self.size_bytes.iter().map(|size| format!("xl={size}")))
            .chain(self.trackers.iter().map(field("tr")))
            .chain(self.web_seeds.iter().map(field("ws")))
            // A client reads `x.pe` as it is: the colon must not be escaped.
            .chain(self.peers.iter().map(|peer| format!("x.pe={peer}")))
            .collect();
        format!("magnet:?{}", parts.join("&"))
    }
}

impl PartialEq for Magnet {
    fn eq(&self, other: &Self) -> bool {
        self.infohashes == other.infohashes
            && self.name == other.name
            && self.size_bytes == other.size_bytes
            && self.trackers == other.trackers
            && self.web_seeds == other.web_seeds
            && self.peers == other.peers
    }
}

impl Eq for Magnet {}

impl fmt::Debug for Magnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without trackers and web seeds, which may carry a passkey.
        f.debug_struct("Magnet")
            .field("infohashes", &self.infohashes)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What follows `magnet:?`, the scheme in any case.
fn query_of(text: &str) -> Option<&str> {
    strip_front(text, "magnet:").map(|rest| rest.trim_start_matches(['?', '/']))
}

/// The fields of a link while it is read.
#[derive(Default)]
struct Parts {
    hashes: Vec<Infohash>,
    name: Option<String>,
    name_undecodable: bool,
    size_bytes: Option<u64>,
    trackers: Vec<String>,
    web_seeds: Vec<String>,
    peers: Vec<String>,
    left: Left,
}

/// What is left of the limits, and how much was left out.
struct Left {
    room: usize,
    dropped: usize,
}

impl Default for Left {
    fn default() -> Self {
        Left { room: ADDRESS_ROOM, dropped: 0 }
    }
}

impl Parts {
    fn read(query: &str) -> Result<Self, MagnetError> {
        let mut parts = Parts::default();
        for pair in query.split('&') {
            let Some((key, value)) = without_entity(pair).split_once('=') else { continue };
            // `xt.1`, `tr.2` and the like: the number only tells equal keys apart.
            let key = key.trim().to_ascii_lowercase();
            let base = key.rsplit_once('.').map_or(key.as_str(), |(base, number)| {
                if number.bytes().all(|byte| byte.is_ascii_digit()) { base } else { key.as_str() }
            });
            parts.field(base, value)?;
        }
        Ok(parts)
    }

    fn field(&mut self, key: &str, value: &str) -> Result<(), MagnetError> {
        match key {
            "xt" => self.hashes.extend(topic(value)?),
            "dn" if self.name.is_none() => {
                // Forms write a space as a plus; in addresses it is a plus.
                let (text, undecodable) = decode(&value.replace('+', " "));
                self.name = clean_name(&text);
                self.name_undecodable = self.name.is_some() && undecodable;
            }
            "xl" => self.size_bytes = self.size_bytes.or_else(|| size(value)),
            "tr" => {
                let known = ["http://", "https://", "udp://", "wss://"];
                keep(&mut self.trackers, &mut self.left, value, |text| is_url(text, &known));
            }
            "ws" | "as" => {
                let known = ["http://", "https://"];
                keep(&mut self.web_seeds, &mut self.left, value, |text| is_url(text, &known));
            }
            "x.pe" => keep(&mut self.peers, &mut self.left, value, is_peer),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<Magnet, MagnetError> {
        let infohashes = InfohashSet::new(self.hashes).ok_or(MagnetError::NoInfohash)?;
        for kind in [crate::InfohashKind::V1, crate::InfohashKind::V2] {
            if infohashes.iter().filter(|hash| hash.kind() == kind).count() > 1 {
                return Err(MagnetError::TwoTorrents(kind));
            }
        }
        Ok(Magnet {
            infohashes,
            name: self.name,
            name_undecodable: self.name_undecodable,
            size_bytes: self.size_bytes,
            trackers: self.trackers,
            web_seeds: self.web_seeds,
            peers: self.peers,
            dropped: self.left.dropped,
            bare: false,
        })
    }
}

/// The infohash of one `xt`; `None` for namespaces of other networks.
fn topic(value: &str) -> Result<Option<Infohash>, MagnetError> {
    // A fragment is none of the hash.
    let value = value.split_once('#').map_or(value, |(topic, _)| topic);
    let text = strict_decode(value)?;
    // An escaped line break is one all the same.
    if text.chars().any(char::is_control) {
        return Err(MagnetError::ControlCharacter);
    }
    // One published link has a space after the prefix.
    let mut pieces = text.splitn(3, ':').map(str::trim);
    let (urn, space, rest) = (pieces.next(), pieces.next(), pieces.next().unwrap_or_default());
    if !urn.is_some_and(|urn| urn.eq_ignore_ascii_case("urn")) {
        return Ok(None);
    }
    match space.map(str::to_ascii_lowercase).as_deref() {
        Some("btih") => v1_of(rest).map(|hash| Some(hash.into())),
        Some("btmh") => v2_of(rest).map(|hash| Some(hash.into())),
        _ => Ok(None),
    }
}

fn v1_of(text: &str) -> Result<InfohashV1, MagnetError> {
    let parsed =
        if text.chars().count() == 32 { InfohashV1::from_base32(text) } else { text.parse() };
    parsed.map_err(MagnetError::from)
}

fn v2_of(text: &str) -> Result<InfohashV2, MagnetError> {
    // 0x12 is SHA-256, 0x20 its length in bytes.
    let digest = text.strip_prefix("1220").ok_or(MagnetError::Multihash)?;
    digest.parse().map_err(|error| match error {
        ParseInfohashError::Length(_) => MagnetError::Multihash,
        other => MagnetError::Infohash(other),
    })
}

/// Decodes escapes once and refuses one that is broken: a hash is not guessed.
fn strict_decode(value: &str) -> Result<String, MagnetError> {
    let bytes = value.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let escape = bytes.get(index + 1..index + 3);
        if *byte == b'%' && !escape.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit)) {
            return Err(MagnetError::Escape);
        }
    }
    percent_decode(bytes).decode_utf8().map(Cow::into_owned).map_err(|_| MagnetError::Escape)
}

/// Decodes what can be, keeps a broken escape as it stands, and tells whether
/// bytes had to be replaced.
fn decode(value: &str) -> (String, bool) {
    let bytes: Vec<u8> = percent_decode(value.as_bytes()).collect();
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    }
}

/// The pair without the rest of an `&amp;`, which is an `&` copied out of HTML,
/// possibly more than once.
fn without_entity(mut pair: &str) -> &str {
    // A loop, not a recursion: a link has room for thousands of them.
    while let Some(rest) = ENTITY_ENDS.iter().find_map(|end| strip_front(pair, end)) {
        pair = rest;
    }
    pair
}

fn strip_front<'a>(text: &'a str, front: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(front.len())?;
    head.eq_ignore_ascii_case(front).then_some(rest)
}

/// A name fit for one line of a list or log: trimmed, no control characters, of
/// bounded length; `None` when nothing is left.
fn clean_name(text: &str) -> Option<String> {
    let line: String = text.chars().map(|ch| if ch.is_control() { ' ' } else { ch }).collect();
    let line = line.trim();
    let short = line[..line.floor_char_boundary(MAX_NAME_BYTES)].trim_end();
    (!short.is_empty()).then(|| short.to_owned())
}

/// A size in bytes that the database can hold.
fn size(value: &str) -> Option<u64> {
    value.trim().parse().ok().filter(|size| i64::try_from(*size).is_ok())
}

/// Keeps an address that is one; counts what is left out.
fn keep(list: &mut Vec<String>, left: &mut Left, value: &str, fits: impl Fn(&str) -> bool) {
    let (text, undecodable) = decode(value);
    let text = text.trim();
    if text.is_empty() || list.iter().any(|known| known == text) {
        return;
    }
    // The key, `&` and `=` belong to what the rebuilt link needs.
    let needs = utf8_percent_encode(text, VALUE).map(str::len).sum::<usize>() + "x.pe=&".len();
    let usable = !undecodable && text.len() <= MAX_ADDRESS_BYTES && fits(text);
    if usable && list.len() < MAX_ADDRESSES && needs <= left.room {
        left.room -= needs;
        list.push(text.to_owned());
    } else {
        left.dropped += 1;
    }
}

/// Whether it is an address of one of the schemes, with a host and without
/// characters that no address has.
fn is_url(text: &str, schemes: &[&str]) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = schemes.iter().find_map(|scheme| lower.strip_prefix(scheme)).unwrap_or_default();
    let foreign = |ch: char| ch.is_whitespace() || ch.is_control() || "<>\"{}|\\^`".contains(ch);
    rest.starts_with(|ch: char| ch.is_alphanumeric() || ch == '[') && !rest.contains(foreign)
}

/// `host:port`, `[v6]:port`. Such a text needs no escape in a link.
fn is_peer(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    let host_ok = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(v6) => v6.parse::<Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '.' || ch == '-')
        }
    };
    host_ok && digits && port.parse::<u16>().is_ok_and(|port| port != 0)
}

#[cfg(test)]
mod tests;
