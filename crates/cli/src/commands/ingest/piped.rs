//! What `-` holds: the bytes of one file, or a line for each input.

use std::io::{self, BufRead, Read};

use tracker_domain::torrent::MAX_TORRENT_BYTES;

/// More than any line has: a link of 64 KiB, or a path.
const LONGEST_LINE: u64 = 128 * 1024;

/// More digits than this are no length of bencode.
const MOST_DIGITS: usize = 20;

/// Standard input, once it is known what it holds.
pub(super) enum Piped {
    /// A `.torrent`, or what stands in its place; one byte more than allowed at most.
    File(Vec<u8>),
    /// Lines; this much was read of the first one.
    Lines(Vec<u8>),
}

/// A line of standard input.
pub(super) enum Line {
    /// What stands on it, without spaces around.
    Text(Vec<u8>),
    /// It is longer than any input.
    TooLong,
}

/// Reads no more than it takes to tell which it is.
pub(super) fn look(input: &mut dyn BufRead) -> io::Result<Piped> {
    let mut front = Vec::new();
    loop {
        match is_file(&front) {
            Some(true) => break,
            Some(false) => return Ok(Piped::Lines(front)),
            None => (),
        }
        let Some(byte) = input.fill_buf()?.first().copied() else {
            return Ok(Piped::Lines(front));
        };
        input.consume(1);
        front.push(byte);
    }
    // One more than is allowed, so that the parser sees what is too large.
    let limit = u64::try_from(MAX_TORRENT_BYTES + 1 - front.len()).unwrap_or(u64::MAX);
    input.take(limit).read_to_end(&mut front)?;
    Ok(Piped::File(front))
}

/// The next line that is not empty; `front` was read before, and ends with its line at the latest.
pub(super) fn line(front: &mut Vec<u8>, input: &mut dyn BufRead) -> io::Result<Option<Line>> {
    loop {
        let before = std::mem::take(front);
        let mut rest = (&before[..]).chain(&mut *input);
        let mut line = Vec::new();
        if (&mut rest).take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            rest.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        let text = line.trim_ascii();
        if !text.is_empty() {
            return Ok(Some(Line::Text(text.to_owned())));
        }
    }
}

/// Whether this is the front of a file; `None` when more has to be read.
///
/// A dictionary of bencode begins with `d`, the length of its first key and a
/// colon. No link, hash or path that a person would type does: a hash has no
/// colon, and a path can be written with `./` before it.
fn is_file(front: &[u8]) -> Option<bool> {
    let (first, rest) = front.split_first()?;
    match first {
        b'd' => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            match rest.get(digits) {
                Some(byte) => Some(*byte == b':' && digits > 0),
                None if digits > MOST_DIGITS => Some(false),
                None => None,
            }
        }
        // A page in its place, and what is no text at all, such as gzip.
        b'<' => Some(true),
        byte => Some(byte.is_ascii_control() && !byte.is_ascii_whitespace()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::BufReader;

    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    /// The lines, read through a buffer of this size.
    fn lines(bytes: &[u8], buffer: usize) -> Option<Vec<Option<Vec<u8>>>> {
        let mut input = BufReader::with_capacity(buffer, bytes);
        let Piped::Lines(mut front) = look(&mut input).unwrap() else { return None };
        let mut found = Vec::new();
        while let Some(next) = line(&mut front, &mut input).unwrap() {
            found.push(match next {
                Line::Text(text) => Some(text),
                Line::TooLong => None,
            });
        }
        Some(found)
    }

    #[test]
    fn a_hash_that_begins_with_d_is_a_line() {
        spec!("command-line#ingest-answers-each-input/a-torrent-on-standard-input");
        let hash = "d123456789d123456789d123456789d123456789";
        assert_eq!(lines(hash.as_bytes(), 1), Some(vec![Some(hash.as_bytes().to_vec())]));
        let digits = format!("d{}\nd\n", "1".repeat(39));
        assert_eq!(lines(digits.as_bytes(), 8).unwrap().len(), 2);
        for text in ["d", "d1", "d:x", "", "\n\nd8:announce"] {
            assert!(lines(text.as_bytes(), 8).is_some(), "{text:?}");
        }
        for file in [&b"d8:announce"[..], b"<html>", b"\x1f\x8b\x08", b"d4:infod"] {
            assert_eq!(lines(file, 1), None, "{file:?}");
        }
    }

    #[test]
    fn a_line_without_end_costs_no_more_than_its_limit() {
        spec!("command-line#ingest-answers-each-input/a-line-without-end");
        let long = [&vec![b'x'; 3_000_000][..], b"\nshort\n"].concat();
        assert_eq!(lines(&long, 4096), Some(vec![None, Some(b"short".to_vec())]));
    }

    #[test]
    fn a_file_larger_than_allowed_is_not_read_to_its_end() {
        spec!("command-line#ingest-answers-each-input/a-torrent-on-standard-input");
        let mut input = BufReader::new(b"d4:info".chain(io::repeat(0)));
        let Piped::File(bytes) = look(&mut input).unwrap() else { panic!("taken for lines") };
        assert_eq!(bytes.len(), MAX_TORRENT_BYTES + 1);
    }

    proptest! {
        /// Every line is found once and in order, however the pipe cuts the bytes.
        #[test]
        fn no_line_is_lost(texts in prop::collection::vec("[d0-9a-f: \n]{0,30}", 0..8), buffer in 1..40_usize) {
            let whole = texts.join("\n");
            if let Some(found) = lines(whole.as_bytes(), buffer) {
                let expected: Vec<_> = whole
                    .lines()
                    .map(|line| line.trim_ascii().as_bytes().to_vec())
                    .filter(|line| !line.is_empty())
                    .map(Some)
                    .collect();
                prop_assert_eq!(found, expected);
            } else {
                prop_assert!(whole.starts_with('d') && whole.contains(':'));
            }
        }

        #[test]
        fn a_file_arrives_as_it_is(rest in prop::collection::vec(any::<u8>(), 0..300), buffer in 1..40_usize) {
            let whole = [b"d4:info", &rest[..]].concat();
            let mut input = BufReader::with_capacity(buffer, &whole[..]);
            match look(&mut input).unwrap() {
                Piped::File(bytes) => prop_assert_eq!(bytes, whole),
                Piped::Lines(_) => prop_assert!(false, "taken for lines"),
            }
        }
    }
}
