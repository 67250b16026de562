//! The reader takes what is bencode, names the place of what is not, and never
//! panics or overflows.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn refused(input: impl AsRef<[u8]>) -> BencodeError {
    parse(input.as_ref()).unwrap_err()
}

/// The value again as bytes; keys keep their order.
fn encode(value: &Value<'_>) -> Vec<u8> {
    let bytes = |bytes: &[u8]| [format!("{}:", bytes.len()).as_bytes(), bytes].concat();
    let wrap = |kind: &[u8], inner: Vec<Vec<u8>>| [kind, &inner.concat(), b"e"].concat();
    match value {
        Value::Int(number) => format!("i{number}e").into_bytes(),
        Value::Bytes(text) => bytes(text),
        Value::List(items) => wrap(b"l", items.iter().map(encode).collect()),
        Value::Dict(dict) => wrap(
            b"d",
            dict.iter().map(|(key, value)| [bytes(key), encode(value)].concat()).collect(),
        ),
    }
}

#[test]
fn each_kind_of_value() {
    assert_eq!(parse(b"i-17e").unwrap().int(), Some(-17));
    assert_eq!(parse(b"0:").unwrap().bytes(), Some(&b""[..]));
    assert_eq!(parse(b"4:\x00i1e").unwrap().bytes(), Some(&b"\x00i1e"[..]));
    assert_eq!(parse(b"le").unwrap().list(), Some(&[][..]));
    let value = parse(b"li1e1:ade").unwrap_err();
    assert_eq!(value, BencodeError::Truncated(9));
    let value = parse(b"d1:bi1e1:a2:xx1:bi2ee").unwrap();
    let dict = value.dict().unwrap();
    assert_eq!(dict.get(b"b").and_then(Value::int), Some(1), "the first of two equal keys");
    assert_eq!(dict.get(b"c"), None);
    assert_eq!(dict.iter().map(|(key, _)| key).collect::<Vec<_>>(), [b"b", b"a", b"b"]);
    assert_eq!((value.int(), value.bytes(), value.list()), (None, None, None));
    assert_eq!(parse(b"i1e").unwrap().dict(), None);
}

#[test]
fn a_dictionary_knows_where_it_stood() {
    let input = b"d1:a1:x4:infod3:keyl1:deee";
    let value = parse(input).unwrap();
    let info = value.dict().unwrap().get(b"info").unwrap().dict().unwrap();
    assert_eq!(&input[info.range()], b"d3:keyl1:dee");
    assert_eq!(value.dict().unwrap().range(), 0..input.len());
}

#[test]
fn numbers_have_one_spelling_and_fit() {
    assert_eq!(parse(b"i0e").unwrap().int(), Some(0));
    assert_eq!(parse(b"i9223372036854775807e").unwrap().int(), Some(i64::MAX));
    assert_eq!(parse(b"i-9223372036854775808e").unwrap().int(), Some(i64::MIN));
    for text in [
        "",
        "-",
        "-0",
        "00",
        "01",
        "-01",
        "+1",
        " 1",
        "1 ",
        "1.5",
        "0x1",
        "1e5",
        "--1",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999999999",
    ] {
        assert!(parse(format!("i{text}e").as_bytes()).is_err(), "{text:?}");
    }
    assert_eq!(refused(b"i9223372036854775808e"), BencodeError::Number(1));
}

#[test]
fn lengths_that_lie_are_refused() {
    assert_eq!(refused(b"5:four"), BencodeError::Truncated(6));
    assert_eq!(refused(b"9223372036854775807:x"), BencodeError::Truncated(21));
    assert_eq!(refused(b"18446744073709551615:x"), BencodeError::Number(0));
    assert_eq!(refused(b"99999999999999999999999:x"), BencodeError::Number(0));
    assert_eq!(refused(b"01:x"), BencodeError::Number(0));
    assert_eq!(refused(b"-1:x"), BencodeError::Unexpected(0));
    assert_eq!(refused(b"1"), BencodeError::Truncated(1));
}

#[test]
fn what_cannot_stand_there_is_named_by_its_place() {
    assert_eq!(refused(b""), BencodeError::Truncated(0));
    assert_eq!(refused(b"x"), BencodeError::Unexpected(0));
    assert_eq!(refused(b"e"), BencodeError::Unexpected(0));
    assert_eq!(refused(b"di1ei2ee"), BencodeError::Unexpected(1), "a key that is a number");
    assert_eq!(refused(b"d1:ae"), BencodeError::Unexpected(4), "a key without a value");
    assert_eq!(refused(b"i1ei2e"), BencodeError::Trailing(3));
    assert_eq!(refused(b"de\n"), BencodeError::Trailing(1));
    assert_eq!(refused(b"i1"), BencodeError::Truncated(2));
}

#[test]
fn every_cut_of_a_value_is_refused() {
    let input = b"d4:infod5:filesld6:lengthi5e4:pathl1:aeee4:name1:xe1:zi-3ee";
    parse(input).unwrap();
    for end in 0..input.len() {
        assert!(parse(&input[..end]).is_err(), "the first {end} bytes were taken");
    }
}

#[test]
fn the_deepest_nesting_fits_a_small_stack() {
    // Half of what a test thread has, with unoptimised frames.
    let small = std::thread::Builder::new().stack_size(1024 * 1024);
    let work = small.spawn(|| {
        for (open, close) in [("l", "e"), ("d1:a", "e")] {
            let core = if open == "l" { "" } else { "i1e" };
            let nested =
                |levels: usize| format!("{}{core}{}", open.repeat(levels), close.repeat(levels));
            let deepest = MAX_DEPTH + usize::from(open == "l");
            assert!(parse(nested(deepest).as_bytes()).is_ok());
            assert!(matches!(refused(nested(deepest + 1)), BencodeError::Depth(_)));
            // A bomb of millions of levels, closed or not.
            assert!(matches!(refused(nested(1_000_000)), BencodeError::Depth(_)));
            assert!(matches!(refused(open.repeat(1_000_000)), BencodeError::Depth(_)));
        }
    });
    work.unwrap().join().unwrap();
}

#[test]
fn millions_of_tiny_values_are_refused() {
    let flat = |count: usize| format!("l{}e", "le".repeat(count));
    assert!(matches!(refused(flat(MAX_VALUES)), BencodeError::TooMany(_)));
    assert_eq!(parse(flat(1_000).as_bytes()).unwrap().list().unwrap().len(), 1_000);
}

/// Values with every kind of nesting.
fn values() -> impl Strategy<Value = Vec<u8>> {
    let bytes = |bytes: Vec<u8>| [format!("{}:", bytes.len()).into_bytes(), bytes].concat();
    let leaf = prop_oneof![
        any::<i64>().prop_map(|number| format!("i{number}e").into_bytes()),
        proptest::collection::vec(any::<u8>(), 0..12).prop_map(bytes),
    ];
    leaf.prop_recursive(6, 48, 6, move |inner| {
        let key = proptest::collection::vec(any::<u8>(), 0..4).prop_map(bytes);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(|items| [
                b"l",
                &items.concat()[..],
                b"e"
            ]
            .concat()),
            proptest::collection::vec((key, inner), 0..6).prop_map(|entries| {
                let flat: Vec<u8> =
                    entries.into_iter().flat_map(|(key, value)| [key, value].concat()).collect();
                [b"d", &flat[..], b"e"].concat()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_was_read_is_what_stood_there(input in values()) {
        prop_assert_eq!(encode(&parse(&input).unwrap()), input);
    }

    #[test]
    fn no_bytes_panic(input in proptest::collection::vec(any::<u8>(), 0..200), text in "[deil0-9:-]{0,80}") {
        for input in [&input[..], text.as_bytes()] {
            // There is one spelling of a value, so what is taken can be written again.
            if let Ok(value) = parse(input) {
                prop_assert_eq!(encode(&value), input);
            }
        }
    }

    #[test]
    fn a_changed_byte_does_not_panic(input in values(), at: proptest::sample::Index, byte: u8) {
        let mut changed = input;
        let at = at.index(changed.len());
        changed[at] = byte;
        if let Ok(value) = parse(&changed) {
            prop_assert_eq!(encode(&value), changed);
        }
    }
}
