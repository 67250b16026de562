//! What people hand over in place of a `.torrent`: called by its name.

use crate::bencode::{BencodeError, Dict, Value};
use crate::magnet::Magnet;

use super::TorrentError;

/// How files begin that a browser or a person packed.
const PACKED: [(&[u8], &str); 7] = [
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"Rar!\x1a\x07", "rar"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
];

/// Longer texts than this are not looked through for a link.
const LONGEST_LINK: usize = 64 * 1024;

/// What the first bytes give away. Bencode never begins so.
pub(super) fn by_its_front(bytes: &[u8]) -> Option<TorrentError> {
    if let Some((_, name)) = PACKED.iter().find(|(front, _)| bytes.starts_with(front)) {
        return Some(TorrentError::Packed(name));
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_LINK)]);
    let text = text.trim_start_matches('\u{feff}').trim();
    // Pages begin in many ways: a comment, `<head>`, …
    if text.starts_with('<') {
        return Some(TorrentError::Html);
    }
    if text.starts_with(['{', '[']) {
        return Some(TorrentError::Json);
    }
    let is_link = text.get(..7).is_some_and(|front| front.eq_ignore_ascii_case("magnet:"));
    let first = text.lines().next().unwrap_or_default();
    (is_link || Magnet::parse(first).is_ok()).then_some(TorrentError::Link)
}

/// What the reader stumbled over, in the words of who waits for a download.
pub(super) fn damaged(bytes: &[u8], error: BencodeError) -> TorrentError {
    // The last byte of bencode is never a zero: room was taken for the file,
    // and its end did not arrive.
    let filled = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    match error {
        _ if filled < bytes.len() => TorrentError::Hollow(filled),
        BencodeError::Truncated(at) => TorrentError::CutOff(at),
        other => TorrentError::Bencode(other),
    }
}

/// What a dictionary without a usable `info` is.
pub(super) fn without_info(top: &Dict<'_>) -> TorrentError {
    let has = |key: &[u8]| top.get(key).is_some();
    let format = top.get(b"file-format").and_then(Value::bytes);
    // libtorrent and with it qBittorrent; Transmission; uTorrent.
    let resume = format == Some(b"libtorrent resume file")
        || has(b"downloading-time-seconds")
        || has(b".fileguard");
    if resume {
        TorrentError::Resume
    } else if has(b"failure reason") || has(b"interval") {
        TorrentError::Answer
    } else {
        TorrentError::Missing("info")
    }
}
