//! One format, strict to read; old formats only where they are asked for.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(seconds).unwrap()
}

#[test]
fn the_format_is_fixed() {
    assert_eq!(at(0).to_string(), "1970-01-01T00:00:00Z");
    assert_eq!(at(1_136_171_045).to_string(), "2006-01-02T03:04:05Z");
    assert_eq!(at(1_709_164_800).to_string(), "2024-02-29T00:00:00Z");
    assert_eq!(at(-1).to_string(), "1969-12-31T23:59:59Z");
    assert_eq!(at(1_796_117_400).compact(), "20261201T093000Z");
}

#[test]
fn the_bounds_can_be_written_and_read() {
    for (seconds, text) in
        [(Timestamp::MIN, "0000-01-01T00:00:00Z"), (Timestamp::MAX, "9999-12-31T23:59:59Z")]
    {
        assert_eq!(at(seconds).to_string(), text);
        assert_eq!(text.parse::<Timestamp>().unwrap(), at(seconds));
    }
    assert_eq!(Timestamp::from_unix(Timestamp::MIN - 1), None);
    assert_eq!(Timestamp::from_unix(Timestamp::MAX + 1), None);
    assert_eq!(Timestamp::from(UnixMillis(u64::MAX)), at(Timestamp::MAX));
    assert_eq!(Timestamp::from(UnixMillis(1_999)), at(1));
    assert_eq!(at(5).plus_seconds(i64::MAX), at(Timestamp::MAX));
    assert_eq!(at(-5).plus_seconds(i64::MIN), at(Timestamp::MIN));
}

#[test]
fn other_spellings_are_refused() {
    for text in [
        "",
        "2024-05-06",
        "2024-05-06 07:08:09",
        "2024-05-06 07:08:09Z",
        "2024-05-06T07:08:09",
        "2024-05-06t07:08:09z",
        "2024-05-06T07:08:09z",
        "2024-05-06T07:08:09+00:00",
        "2024-05-06T07:08:09.0Z",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08:09ZZ",
        " 2024-05-06T07:08:09Z",
        "2024-05-06T07:08:09Z\n",
        "20240506T070809Z",
        "+002024-05-06T07:08:09Z",
        "2024-02-30T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-05-06T24:00:00Z",
        "2016-12-31T23:59:60Z",
        "2024-05-06T07:08:09[UTC]Z",
        "-2024-05-06T07:08:09Z",
    ] {
        assert!(text.parse::<Timestamp>().is_err(), "{text:?} was taken");
    }
}

#[test]
fn legacy_forms_mean_utc_unless_they_say_otherwise() {
    for text in [
        "2024-05-06 07:08:09",
        "2024-05-06T07:08:09",
        "2024-05-06T07:08:09Z",
        "2024-05-06 07:08:09Z",
        "2024-05-06 07:08:09.987",
        "2024-05-06T07:08:09.987654321Z",
        "2024-05-06 10:08:09+03:00",
        "2024-05-06T05:08:09-02:00",
        "  2024-05-06 07:08:09\n",
    ] {
        let found = Timestamp::from_legacy(text).map(|moment| moment.to_string());
        assert_eq!(found.as_deref(), Some("2024-05-06T07:08:09Z"), "{text:?}");
    }
    assert_eq!(Timestamp::from_legacy("2024-05-06"), Some(at(1_714_953_600)));
    for text in
        ["", "yesterday", "1714979289", "2024-13-01 00:00:00", "0000-00-00 00:00:00", "06.05.2024"]
    {
        assert_eq!(Timestamp::from_legacy(text), None, "{text:?}");
    }
}

#[test]
fn differences_have_a_sign_and_millis_have_none() {
    assert_eq!(at(10).seconds_since(at(4)), 6);
    assert_eq!(at(4).seconds_since(at(10)), -6);
    assert_eq!(UnixMillis(10).since(UnixMillis(4)), 6);
    assert_eq!(UnixMillis(4).since(UnixMillis(10)), 0);
}

/// Days since 1970 by counting, as a reference for a moment's date.
fn reference(seconds: i64) -> String {
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut year = 1970;
    while days < 0 {
        year -= 1;
        days += if leap(year) { 366 } else { 365 };
    }
    while days >= if leap(year) { 366 } else { 365 } {
        days -= if leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

proptest! {
    #[test]
    fn every_moment_is_written_in_20_bytes_and_read_again(
        seconds in Timestamp::MIN..=Timestamp::MAX,
        other in Timestamp::MIN..=Timestamp::MAX,
    ) {
        let text = at(seconds).to_string();
        prop_assert_eq!(text.len(), 20);
        prop_assert_eq!(&text, &reference(seconds));
        prop_assert_eq!(text.parse::<Timestamp>().unwrap(), at(seconds));
        prop_assert_eq!(Timestamp::from_legacy(&text).unwrap(), at(seconds));
        prop_assert_eq!(text.cmp(&at(other).to_string()), seconds.cmp(&other));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,30}|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}Z?") {
        if let Ok(found) = text.parse::<Timestamp>() {
            prop_assert_eq!(found.to_string(), text.clone());
        }
        if let Some(found) = Timestamp::from_legacy(&text) {
            prop_assert_eq!(found.to_string().len(), 20);
        }
    }

    #[test]
    fn no_sum_leaves_the_bounds(start in Timestamp::MIN..=Timestamp::MAX, more: i64) {
        let sum = at(start).plus_seconds(more);
        prop_assert_eq!(Timestamp::from_unix(sum.unix()), Some(sum));
        prop_assert_eq!(sum.to_string().len(), 20);
    }
}
