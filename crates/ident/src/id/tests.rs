//! Parsing is strict and has one answer; showing is lowercase.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

const SAMPLE: &str = "01jz8k3v9qaxh5w2m7t4rbncde";

enum Thing {}

fn refused(text: &str) -> ParseIdError {
    text.parse::<AnyId>().unwrap_err()
}

#[test]
fn upper_and_mixed_case_mean_the_same_id() {
    spec!("identity#identifiers-at-the-edges/upper-case-is-lowered");
    let lower: AnyId = SAMPLE.parse().unwrap();
    let upper: AnyId = SAMPLE.to_uppercase().parse().unwrap();
    let mixed: AnyId = "01jZ8K3v9QAxh5w2m7T4RBNcde".parse().unwrap();
    assert_eq!((lower, lower), (upper, mixed));
    assert_eq!(upper.to_string(), SAMPLE);
    assert_eq!(format!("{upper:?}"), SAMPLE);
    assert_eq!(format!("{:>28}", mixed.typed::<Thing>()), format!("  {SAMPLE}"));
}

#[test]
fn each_letter_has_its_value() {
    // Against the alphabet of the ULID specification, written out once more.
    for (value, letter) in "0123456789ABCDEFGHJKMNPQRSTVWXYZ".chars().enumerate() {
        let text = format!("{}{letter}", "0".repeat(25));
        assert_eq!(text.parse::<AnyId>().unwrap().value(), value as u128, "{letter}");
    }
    assert_eq!("7zzzzzzzzzzzzzzzzzzzzzzzzz".parse::<AnyId>().unwrap().value(), u128::MAX);
    // The example of the specification: 01ARZ3NDEK is 1469922850259 ms.
    let known: AnyId = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
    assert_eq!(known.unix_ms(), 1_469_922_850_259);
}

#[test]
fn garbage_is_refused_with_its_reason() {
    spec!("identity#identifiers-at-the-edges/garbage-is-refused");
    assert_eq!(refused(""), ParseIdError::Length(0));
    assert_eq!(refused("abc!!!"), ParseIdError::Length(6));
    assert_eq!(refused(&SAMPLE[1..]), ParseIdError::Length(25));
    assert_eq!(refused(&format!("{SAMPLE}0")), ParseIdError::Length(27));
    assert_eq!(refused(&format!(" {SAMPLE}")), ParseIdError::Length(27));
    // Right length, wrong letters: the aliases of Crockford, punctuation, space,
    // NUL, a dash as in a UUID, and letters of several bytes.
    for (at, wrong) in [(3, "i"), (4, "L"), (25, "o"), (9, "u"), (0, "U"), (7, "-"), (8, " ")] {
        let mut text = SAMPLE.to_owned();
        text.replace_range(at..=at, wrong);
        assert_eq!(refused(&text), ParseIdError::Alphabet(at), "{text}");
    }
    assert_eq!(refused(&SAMPLE.replace('q', "\0")), ParseIdError::Alphabet(9));
    assert_eq!(refused(&"é".repeat(13)), ParseIdError::Alphabet(0));
    assert_eq!(refused(&"é".repeat(26)), ParseIdError::Length(52));
    // The Kelvin sign lowers to `k` in Unicode, not here.
    assert_eq!(refused("01jz8\u{212a}3v9qaxh5w2m7t4rbnc"), ParseIdError::Alphabet(5));
}

#[test]
fn more_than_128_bits_is_refused() {
    spec!("identity#identifiers-at-the-edges/overflow-is-refused");
    for first in ["8", "9", "a", "z", "Z"] {
        assert_eq!(refused(&format!("{first}{}", &SAMPLE[1..])), ParseIdError::Overflow);
    }
    assert!("7zzzzzzzzzzzzzzzzzzzzzzzzz".parse::<AnyId>().is_ok());
}

#[test]
fn json_is_a_lowercase_string_and_is_read_strictly() {
    let id: Id<Thing> = SAMPLE.to_uppercase().parse().unwrap();
    assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{SAMPLE}\""));
    let read = |json: &str| serde_json::from_str::<Id<Thing>>(json);
    assert_eq!(read(&format!("\"{}\"", SAMPLE.to_uppercase())).unwrap(), id);
    // Escaped letters are read into an owned string, not a borrowed one.
    assert_eq!(read(&format!("\"\\u0030{}\"", &SAMPLE[1..])).unwrap(), id);
    let owned = serde_json::Value::String(SAMPLE.to_owned());
    assert_eq!(serde_json::from_value::<AnyId>(owned).unwrap(), id.any());
    assert!(read("\"abc\"").unwrap_err().to_string().contains("26 characters"));
    assert!(read("17").is_err());
    assert!(read("null").is_err());
}

#[test]
fn a_typed_id_is_its_value() {
    let one: Id<Thing> = SAMPLE.parse().unwrap();
    let two: Id<Thing> = "01jz8k3v9qaxh5w2m7t4rbncdf".parse().unwrap();
    assert!(one < two && one != two && one.any() < two.any());
    assert_eq!(AnyId::from(one).typed::<Thing>(), one);
    let set: std::collections::HashSet<Id<Thing>> = [one, two, one].into();
    assert_eq!(set.len(), 2);
}

#[test]
fn a_time_of_more_than_48_bits_does_not_wrap() {
    let last = AnyId::from_parts((1 << 48) - 1, 0);
    assert_eq!(AnyId::from_parts(1 << 48, 0), last);
    assert_eq!(AnyId::from_parts(u64::MAX, 0), last);
}

/// Texts that are often nearly an id.
fn near_ids() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,40}", "[0-9a-zA-Z]{24,28}", "[0-8][0-9a-hjkmnp-tv-zA-HJKMNP-TV-Z]{25}"]
}

proptest! {
    #[test]
    fn what_is_shown_is_read_again(value: u128) {
        spec!("identity#lowercase-ulids-as-keys/shown-in-one-spelling");
        let id = AnyId::from_value(value);
        let text = id.to_string();
        prop_assert_eq!(text.len(), 26);
        prop_assert_eq!(text.to_ascii_lowercase(), text.clone());
        prop_assert_eq!(text.parse::<AnyId>().unwrap(), id);
    }

    #[test]
    fn texts_sort_as_the_values_do(a: u128, b: u128) {
        spec!("identity#ids-sort-in-order-of-creation/text-order-is-id-order");
        let (one, two) = (AnyId::from_value(a), AnyId::from_value(b));
        prop_assert_eq!(one.to_string().cmp(&two.to_string()), one.cmp(&two));
    }

    #[test]
    fn only_the_one_spelling_is_accepted(text in near_ids()) {
        match text.parse::<AnyId>() {
            Ok(id) => prop_assert_eq!(id.to_string(), text.to_ascii_lowercase()),
            Err(_) => {
                let letters = text.bytes().all(|byte| {
                    byte.is_ascii_alphanumeric() && !b"ilouILOU".contains(&byte)
                });
                let fits = text.len() == 26 && text.as_bytes()[0] <= b'7';
                prop_assert!(!(letters && fits), "{text} is an id and was refused");
            }
        }
    }
}
