//! What is in a dropped file: a torrent, links, or the reason why it is neither.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;

use tracker_domain::torrent::MAX_TORRENT_BYTES;
use tracker_domain::{Magnet, Torrent, TorrentError};

/// So many lines that are no links are named; the others are counted.
const MOST_NAMED: usize = 20;

/// What a file is by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// `*.torrent`.
    Torrent,
    /// `*.magnet`: a link or an infohash a line.
    Links,
}

impl Sort {
    /// `None` for names that are nobody's business: other endings, what browsers
    /// and clients call a file that they still write, and hidden files.
    pub fn of(name: &OsStr) -> Option<Self> {
        let bytes = name.as_bytes();
        if bytes.starts_with(b".") {
            return None;
        }
        let dot = bytes.iter().rposition(|byte| *byte == b'.')?;
        match bytes[dot..].to_ascii_lowercase().as_slice() {
            b".torrent" => Some(Sort::Torrent),
            b".magnet" => Some(Sort::Links),
            _ => None,
        }
    }
}

/// What is in it.
#[derive(Debug)]
pub(super) enum Contents {
    /// A torrent.
    Torrent(Box<Torrent>),
    /// Links, and lines that are none: their number and what is wrong.
    Links(Vec<Magnet>, Vec<(usize, String)>),
    /// Nothing that can be taken in.
    Nothing(Refusal),
}

/// Why there is nothing in it.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It is no torrent.
    Torrent(TorrentError),
    /// It has no line.
    NoLink,
    /// It is larger than any list of links.
    TooLarge,
}

/// One torrent of a file.
#[derive(Debug)]
pub(super) enum Source<'a> {
    Torrent(&'a Torrent),
    Link(&'a Magnet),
}

impl Contents {
    pub fn read(sort: Sort, bytes: &[u8]) -> Self {
        match sort {
            Sort::Torrent => match Torrent::parse(bytes) {
                Ok(torrent) => Contents::Torrent(Box::new(torrent)),
                Err(error) => Contents::Nothing(Refusal::Torrent(error)),
            },
            Sort::Links => Self::read_links(bytes),
        }
    }

    fn read_links(bytes: &[u8]) -> Self {
        if bytes.len() > MAX_TORRENT_BYTES {
            return Contents::Nothing(Refusal::TooLarge);
        }
        let (mut links, mut bad) = (Vec::new(), Vec::new());
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            match std::str::from_utf8(line).map(Magnet::parse) {
                Ok(Ok(magnet)) => links.push(magnet),
                Ok(Err(error)) => bad.push((number + 1, error.to_string())),
                Err(_) => bad.push((number + 1, "it is no text in UTF-8".to_owned())),
            }
        }
        if !links.is_empty() {
            return Contents::Links(links, bad);
        }
        // A page or a torrent under the wrong name is called by its own.
        match Torrent::parse(bytes) {
            Ok(torrent) => Contents::Torrent(Box::new(torrent)),
            Err(error @ (TorrentError::Html | TorrentError::Json | TorrentError::Packed(_))) => {
                Contents::Nothing(Refusal::Torrent(error))
            }
            Err(_) if bad.is_empty() => Contents::Nothing(Refusal::NoLink),
            Err(_) => Contents::Links(links, bad),
        }
    }

    /// Whether it looks like the beginning of a file that is still written.
    pub fn may_grow(&self) -> bool {
        matches!(
            self,
            Contents::Nothing(
                Refusal::NoLink
                    | Refusal::Torrent(
                        TorrentError::Empty | TorrentError::CutOff(_) | TorrentError::Hollow(_)
                    )
            )
        )
    }

    /// The torrents in it.
    pub fn sources(&self) -> Vec<Source<'_>> {
        match self {
            Contents::Torrent(torrent) => vec![Source::Torrent(torrent)],
            Contents::Links(links, _) => links.iter().map(Source::Link).collect(),
            Contents::Nothing(_) => Vec::new(),
        }
    }

    /// Why it is rejected, as a text for a person; `None` when all of it is good.
    /// A link is named by its line: it may carry a passkey.
    pub fn reason(&self) -> Option<String> {
        match self {
            Contents::Torrent(_) => None,
            Contents::Links(_, bad) if bad.is_empty() => None,
            Contents::Links(links, bad) => Some(bad_lines(links.len(), bad)),
            Contents::Nothing(Refusal::Torrent(error)) => {
                Some(format!("Nothing of this file was taken in: {error}.\n"))
            }
            Contents::Nothing(Refusal::NoLink) => Some(
                "Nothing of this file was taken in: there is no link in it; \
                 write one magnet link or infohash a line and drop it again.\n"
                    .to_owned(),
            ),
            Contents::Nothing(Refusal::TooLarge) => Some(format!(
                "Nothing of this file was taken in: it has more than {MAX_TORRENT_BYTES} bytes; \
                 write one magnet link or infohash a line and drop it again.\n"
            )),
        }
    }
}

fn bad_lines(good: usize, bad: &[(usize, String)]) -> String {
    let all = good + bad.len();
    let mut text = format!(
        "{good} of {all} lines were taken in. \
         Correct the others and drop the file again; what was taken in is not taken twice.\n"
    );
    for (number, why) in bad.iter().take(MOST_NAMED) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "line {number}: {why}");
    }
    if bad.len() > MOST_NAMED {
        let _ = writeln!(text, "… and {} more", bad.len() - MOST_NAMED);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    fn links(text: &str) -> Contents {
        Contents::read(Sort::Links, text.as_bytes())
    }

    #[test]
    fn names_say_what_is_taken() {
        spec!("watch-folder#what-is-taken/other-names");
        for (name, sort) in [
            ("a.torrent", Some(Sort::Torrent)),
            ("Фильм.TORRENT", Some(Sort::Torrent)),
            ("a.Magnet", Some(Sort::Links)),
            (".a.torrent", None),
            (".torrent", None),
            ("torrent", None),
            ("a.torrent.part", None),
            ("a.torrent.tmp", None),
            ("a.torrent.crdownload", None),
            ("a.torrent.!qB", None),
            ("a.torrent.reason.txt", None),
            ("a.mkv", None),
        ] {
            assert_eq!(Sort::of(OsStr::new(name)), sort, "{name}");
        }
        assert_eq!(Sort::of(OsStr::from_bytes(b"\xcf\xf0.torrent")), Some(Sort::Torrent));
    }

    #[test]
    fn each_line_is_a_link() {
        spec!("watch-folder#what-is-taken/a-list-of-links");
        let read = links(&format!("\u{feff}{HASH}\r\n\n# mine\n magnet:?xt=urn:btih:{HASH}&dn=x "));
        assert_eq!((read.sources().len(), read.reason()), (2, None));
    }

    #[test]
    fn bad_lines_are_named_by_their_number() {
        spec!("watch-folder#rejected-files/some-lines-of-a-list");
        let secret = "magnet:?xt=urn:btih:short&tr=http%3A%2F%2Ft%2Fpasskey123";
        let read = links(&format!("{HASH}\n{secret}\n"));
        assert_eq!(read.sources().len(), 1);
        let reason = read.reason().unwrap();
        assert!(reason.starts_with("1 of 2 lines were taken in."), "{reason}");
        assert!(reason.contains("\nline 2: ") && !reason.contains("passkey123"), "{reason}");
        let many = links(&"nonsense\n".repeat(1000)).reason().unwrap();
        assert_eq!((many.lines().count(), many.contains("… and 980 more")), (22, true), "{many}");
    }

    #[test]
    fn what_stands_in_its_place_is_called_by_its_name() {
        spec!("watch-folder#rejected-files/a-reason-beside-it");
        for sort in [Sort::Torrent, Sort::Links] {
            let reason = Contents::read(sort, b"<!DOCTYPE html>\n<html>").reason().unwrap();
            assert!(reason.contains("web page (HTML)") && reason.contains("log in"), "{reason}");
        }
        let link = Contents::read(Sort::Torrent, HASH.as_bytes()).reason().unwrap();
        assert!(link.contains("*.magnet"), "{link}");
        assert!(links("").may_grow() && links(" \n").reason().unwrap().contains("no link"));
        let torrent =
            b"d4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee";
        assert!(matches!(Contents::read(Sort::Links, torrent), Contents::Torrent(_)));
        assert!(Contents::read(Sort::Torrent, &torrent[..40]).may_grow());
        assert!(!Contents::read(Sort::Torrent, b"nonsense").may_grow());
    }

    proptest! {
        #[test]
        fn whatever_is_in_it_is_taken_or_has_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for sort in [Sort::Torrent, Sort::Links] {
                let contents = Contents::read(sort, &bytes);
                prop_assert!(!contents.sources().is_empty() || contents.reason().is_some());
            }
        }
    }
}
