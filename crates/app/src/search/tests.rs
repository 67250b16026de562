//! What a text is taken for.
#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use tracker_domain::metadata::WorkId;
use tracker_testkit::spec;

use super::*;

fn work(word: &str) -> Asked {
    Asked::Pin(Pin::Work(word.parse::<WorkId>().unwrap()))
}

fn name(text: &str, year: Option<i32>) -> Asked {
    Asked::Name(text.to_owned(), year)
}

#[test]
fn a_text_is_taken_for_what_it_says() {
    spec!("web-ui#one-field-finds-everything/what-a-text-may-be");
    let hash: Infohash = "0123456789abcdef0123456789abcdef01234567".parse().unwrap();
    for (text, expected) in [
        ("tmdb:71663", Asked::Pin(Pin::Tmdb(71663))),
        ("tmdb:tv/71663", work("tmdb:tv/71663")),
        ("TVMAZE:82", work("tvmaze:82")),
        ("tt0133093", Asked::Pin(Pin::Imdb("tt0133093".to_owned()))),
        ("https://www.themoviedb.org/movie/603-the-matrix?language=ru", work("tmdb:movie/603")),
        ("https://www.imdb.com/title/tt0133093/", Asked::Pin(Pin::Imdb("tt0133093".to_owned()))),
        ("https://www.tvmaze.com/shows/82/x", work("tvmaze:82")),
        ("1917", Asked::Number(1917, "1917".to_owned())),
        ("Sample Movie 2019", name("Sample Movie", Some(2019))),
        ("Sample Movie (2019)", name("Sample Movie", Some(2019))),
        ("Sample 3000", name("Sample 3000", None)),
        ("(2019)", name("(2019)", None)),
        ("99999999999", name("99999999999", None)),
        ("0123456789ABCDEF0123456789ABCDEF01234567", Asked::Torrent(vec![hash])),
        (
            "magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567",
            Asked::Torrent(vec![hash]),
        ),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
    let base32 = "AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH";
    assert_eq!(asked(base32), Asked::Torrent(vec![hash]));
    let v2 = "ab".repeat(32);
    assert_eq!(asked(&v2), Asked::Torrent(vec![v2.parse().unwrap()]));
    for id in ["01jqx3v9k2m4n5p6q7r8s9t0va", "01JQX3V9K2M4N5P6Q7R8S9T0VA"] {
        assert!(matches!(asked(id), Asked::Id(_)), "{id}");
    }
}

proptest! {
    #[test]
    fn any_text_is_taken_for_something(text in "\\PC{0,80}") {
        let trimmed = text.trim();
        if let Asked::Name(name, year) = asked(trimmed) {
            prop_assert!(trimmed.starts_with(&name));
            prop_assert!(year.is_none_or(|year| (1870..2100).contains(&year)));
        }
    }
}
