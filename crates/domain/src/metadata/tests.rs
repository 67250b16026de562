//! Works, and how a person names one.

use proptest::prelude::*;

use super::{Pin, WorkId};

#[test]
fn pins_have_one_form() {
    let cases = [
        ("tmdb:603", "tmdb:603"),
        (" TMDB:603 ", "tmdb:603"),
        ("tmdb:movie/603", "tmdb:movie/603"),
        ("tmdb:tv/1399", "tmdb:tv/1399"),
        ("tvmaze:82", "tvmaze:82"),
        ("tt0133093", "imdb:tt0133093"),
        ("imdb:tt0133093", "imdb:tt0133093"),
        ("https://www.themoviedb.org/movie/603-the-matrix?language=ru", "tmdb:movie/603"),
        ("https://www.themoviedb.org/tv/1399", "tmdb:tv/1399"),
        ("http://themoviedb.org/tv/1399/season/2", "tmdb:tv/1399"),
        ("https://www.tvmaze.com/shows/82/game-of-thrones", "tvmaze:82"),
        ("https://www.imdb.com/title/tt0133093/?ref_=nv_sr_1", "imdb:tt0133093"),
        ("https://m.imdb.com/de/title/tt0133093#a", "imdb:tt0133093"),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<Pin>().unwrap().to_string(), expected, "{text}");
    }
    let wrong = [
        "",
        "603",
        "tmdb:",
        "tmdb:x",
        "tmdb:tv/",
        "tmdb:person/1",
        "tvmaze:82/1",
        "tt",
        "ttx",
        "tmdb:12345678901",
        "imdb:603",
        "https://example.org/movie/603",
        "https://www.themoviedb.org/person/603",
        "https://www.imdb.com/name/nm0000206",
        "https://",
        "tvdb:1",
    ];
    for text in wrong {
        assert!(text.parse::<Pin>().is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn a_pin_reads_what_it_writes(text in ".{0,40}") {
        if let Ok(pin) = text.parse::<Pin>() {
            prop_assert_eq!(pin.to_string().parse::<Pin>().unwrap(), pin);
        }
    }

    #[test]
    fn ids_read_what_they_write(number in 0_u64..9_999_999_999, which in 0_usize..3) {
        let text = [format!("tmdb:movie/{number}"), format!("tmdb:tv/{number}"), format!("tvmaze:{number}")];
        let id: WorkId = text[which].parse().unwrap();
        prop_assert_eq!(id.to_string(), text[which].clone());
    }
}
