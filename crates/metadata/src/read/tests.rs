//! Fields and lists of other types than they should be.

use serde::Deserialize;
use tracker_testkit::spec;

use super::*;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Thing {
    number: Soft<u32>,
    names: List<String>,
}

#[test]
fn a_field_of_another_type_is_missing() {
    spec!("metadata#answers-that-lie/an-entry-that-cannot-be-read");
    let read = |text: &str| serde_json::from_str::<Thing>(text).unwrap();
    let table = [
        (r#"{"number": 7}"#, Some(7)),
        (r#"{"number": null}"#, None),
        (r#"{"number": -1}"#, None),
        (r#"{"number": 1e999}"#, None),
        (r#"{"number": {"number": [7]}}"#, None),
        ("{}", None),
    ];
    for (text, number) in table {
        assert_eq!(read(text).number.0, number, "{text}");
    }
    let names = read(r#"{"names": ["a", 1, null, "b", ["c"]]}"#).names;
    assert_eq!(
        (names.entries.as_slice(), names.left_out),
        (["a", "b"].map(String::from).as_slice(), 3)
    );
    assert!(read(r#"{"names": {"a": "b"}}"#).names.entries.is_empty());
}

#[test]
fn a_list_has_an_end() {
    spec!("metadata#answers-that-lie/a-broken-server");
    let long = format!("[{}1]", "1,".repeat(9999));
    let list: List<u32> = listed(long.as_bytes()).unwrap();
    assert_eq!((list.entries.len(), list.left_out), (LONGEST_LIST, 10_000 - LONGEST_LIST));
    assert!(listed::<u32>(b"[1] [2]").is_err());
    assert!(listed::<u32>(b"[1, 2").is_err());
}

#[test]
fn texts_are_one_line_and_not_endless() {
    spec!("metadata#answers-that-lie/an-entry-that-cannot-be-read");
    assert_eq!(name(Some(" a\n\tb\u{0}c  ")).as_deref(), Some("a b c"));
    assert_eq!(name(Some(" \u{7f} ")), None);
    assert_eq!(name(Some(&"я".repeat(5000))).unwrap().chars().count(), LONGEST_NAME);
    assert_eq!(prose(Some(&"слово ".repeat(50_000))).unwrap().chars().count(), LONGEST_TEXT);
}

#[test]
fn numbers_and_years_within_reason() {
    spec!("metadata#answers-that-lie/an-entry-that-cannot-be-read");
    assert_eq!(id(Some(9_999_999_999)), Some(9_999_999_999));
    assert_eq!((id(Some(0)), id(Some(10_000_000_000)), id(None)), (None, None, None));
    let years = [
        ("1999-03-30", Some(1999)),
        ("2024", Some(2024)),
        ("1895-12-28", Some(1895)),
        ("0001-01-01", None),
        ("99-01-01", None),
        ("", None),
        ("+999-01-01", None),
    ];
    for (text, expected) in years {
        assert_eq!(year(Some(text)), expected, "{text}");
    }
    assert_eq!(imdb(Some(" tt0133093 ")).as_deref(), Some("tt0133093"));
    for odd in ["tt", "tt12x", "nm0133093", "tt01234567890", "tt1/.."] {
        assert_eq!(imdb(Some(odd)), None, "{odd}");
    }
}
