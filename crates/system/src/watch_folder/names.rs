//! A name for a file where its own is taken.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// `film.torrent`, `film (2).torrent`, …, no longer than `room` bytes. The
/// ending stays, and so do whole characters.
pub fn numbered(name: &OsStr, number: u32, room: usize) -> OsString {
    let bytes = name.as_bytes();
    let dot = bytes.iter().rposition(|byte| *byte == b'.').unwrap_or(bytes.len());
    let (stem, ending) = bytes.split_at(dot);
    let middle = if number == 1 { String::new() } else { format!(" ({number})") };
    let left = room.saturating_sub(middle.len() + ending.len()).min(stem.len());
    let stem = match std::str::from_utf8(stem) {
        Ok(text) => &stem[..text.floor_char_boundary(left)],
        Err(_) => &stem[..left],
    };
    OsString::from_vec([stem, middle.as_bytes(), ending].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_number_stands_before_the_ending() {
        let name = |text: &str, number, room| {
            numbered(OsStr::new(text), number, room).into_string().unwrap()
        };
        assert_eq!(name("film.torrent", 1, 255), "film.torrent");
        assert_eq!(name("film.2020.torrent", 12, 255), "film.2020 (12).torrent");
        assert_eq!(name("Фильм.torrent", 2, 17), "Фи (2).torrent");
        assert_eq!(name("Фильм.torrent", 1, 15), "Фил.torrent");
    }

    proptest! {
        #[test]
        fn it_fits_and_numbers_differ(
            stem in prop::collection::vec(1..=255_u8, 20..250), one in 1..2000_u32, other in 1..2000_u32,
        ) {
            let name = OsString::from_vec([&stem[..], b".torrent"].concat());
            let (first, second) = (numbered(&name, one, 200), numbered(&name, other, 200));
            prop_assert!(first.len() <= 200 && first.as_bytes().ends_with(b".torrent"));
            // Alike only where the name itself ends in a number.
            prop_assert!(one == other || first != second || stem.ends_with(b")"));
        }
    }
}
