//! Hashes in every spelling, and the set that a torrent is known by.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

/// Base32 by the book (RFC 4648): bit by bit, slow and independent.
fn reference_base32(bytes: &[u8]) -> String {
    let bits: Vec<u8> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    bits.chunks(5)
        .map(|five| five.iter().fold(0, |value, bit| value * 2 + usize::from(*bit)))
        .map(|value| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value]))
        .collect()
}

fn v1(byte: u8) -> Infohash {
    InfohashV1::from_bytes([byte; 20]).into()
}

fn v2(byte: u8) -> Infohash {
    InfohashV2::from_bytes([byte; 32]).into()
}

fn set(text: &str) -> InfohashSet {
    InfohashSet::new(text.split_whitespace().map(|hash| hash.parse().unwrap())).unwrap()
}

#[test]
fn the_kind_follows_from_the_length() {
    spec!("identity#a-set-of-infohashes/kind-by-length");
    let short: Infohash = "ab".repeat(20).parse().unwrap();
    let long: Infohash = "AB".repeat(32).parse().unwrap();
    assert_eq!((short.kind(), short.kind().as_str()), (InfohashKind::V1, "v1"));
    assert_eq!((long.kind(), long.kind().to_string()), (InfohashKind::V2, "v2".to_owned()));
    assert_eq!((short.to_string(), long.to_string()), ("ab".repeat(20), "ab".repeat(32)));
    assert_eq!((short.v1().is_some(), short.v2()), (true, None));
    assert_eq!((long.v2().is_some(), long.v1()), (true, None));
    for length in [0, 1, 32, 39, 41, 63, 65, 68, 128] {
        assert_eq!("a".repeat(length).parse::<Infohash>(), Err(ParseInfohashError::Length(length)));
    }
}

#[test]
fn a_wrong_digit_is_named_by_its_place() {
    let wrong = |at: usize, ch: char| {
        let mut text: Vec<char> = "0".repeat(40).chars().collect();
        text[at] = ch;
        String::from_iter(text)
    };
    for (at, ch) in [(0, 'g'), (39, ' '), (7, 'х'), (20, '\0'), (5, '-'), (6, '１')] {
        assert_eq!(wrong(at, ch).parse::<Infohash>(), Err(ParseInfohashError::Digit(at)));
    }
    // 40 bytes but 20 characters.
    assert_eq!("ж".repeat(20).parse::<Infohash>(), Err(ParseInfohashError::Length(20)));
}

#[test]
fn base32_of_the_field_reports() {
    spec!("ingest#magnet-intake-forms/base32-in-either-case");
    for (base32, hex) in [
        ("Z7QRDHYSJCA4U4HXGBXTFYUSDFGIRQMV", "cfe1119f124881ca70f7306f32e292194c88c195"),
        ("4qf3dxhtmsfhzbnvnzopiepbgzt5bcon", "e40bb1dcf3648a7c85b56e5cf411e13667d089cd"),
        ("QHQXPYWMACKDWKP47RRVIV7VOURXFE5Q", "81e177e2cc00943b29fcfc635457f575237293b0"),
        ("ZRV5MMSDGGHSVTFPCQEOWK5MMSD3WT6E", "cc6bd63243318f2accaf1408eb2bac6487bb4fc4"),
    ] {
        for spelling in [base32.to_owned(), base32.to_lowercase(), base32.to_uppercase()] {
            assert_eq!(Infohash::from_any_form(&spelling).unwrap().to_string(), hex);
        }
    }
}

#[test]
fn base32_refuses_letters_outside_its_alphabet() {
    for (at, ch) in [(0, '0'), (1, '1'), (31, '8'), (4, '9'), (9, '='), (30, 'ı'), (2, '\u{212a}')]
    {
        let mut text = ['a'; 32];
        text[at] = ch;
        let text = String::from_iter(text);
        assert_eq!(Infohash::from_any_form(&text), Err(ParseInfohashError::Base32(at)));
    }
    assert_eq!(InfohashV1::from_base32("aaaa"), Err(ParseInfohashError::Length(4)));
}

#[test]
fn a_set_is_never_empty() {
    assert_eq!(InfohashSet::new([]), None);
    assert_eq!(InfohashSet::one(v1(1)).len(), 1);
}

#[test]
fn a_truncated_v2_is_not_kept_beside_its_v2() {
    spec!("identity#a-set-of-infohashes/truncated-hash-is-not-stored");
    // What a client shows of a v2-only torrent (report M7).
    let full = "caf1e1c30e81cb361b9ee167c4aa64228a7fa4fa9f6105232b28ad099f3a302e";
    let both = set(&format!("caf1e1c30e81cb361b9ee167c4aa64228a7fa4fa {full}"));
    assert_eq!(both, set(full));
    assert_eq!(both.v1(), None);
    let front: InfohashV1 = full[..40].parse().unwrap();
    assert!(both.is_handle(&front));
    assert_eq!(both.v2().unwrap().truncated(), front);
    // Learned in two steps it is the same: the v2 takes the place of its front.
    assert_eq!(set(&full[..40]).union(&set(full)), set(full));
    assert_eq!(set(full).union(&set(&full[..40])), set(full));
    // The v1 of a hybrid is no front and stays (report H3).
    let hybrid = set("6d8f96b4e4761a04a3193ed729ebb8993ad17f0e \
         9c38422213e30bff212b30c360d26f9a021364228b454d58fecc4894be6d1d56 \
         9c38422213e30bff212b30c360d26f9a02136422");
    assert_eq!(format!("{hybrid:?}").matches("9c384222").count(), 1);
    assert_eq!(hybrid.len(), 2);
    assert!(!hybrid.is_handle(&hybrid.v1().unwrap()));
}

#[test]
fn a_hybrid_that_reveals_itself_stays_one_torrent() {
    // Two polls of one torrent (report H1): the handle changes, the set grows.
    let first = set("edf46c7f938a3c678081734d7bff8b9c652ba5e5");
    let second = set("edf46c7f938a3c678081734d7bff8b9c652ba5e5 \
         0bed5f40753b342cb143e83c2b21924cc847473134e44d1bd300bdc58c13010f");
    assert!(first.intersects(&second));
    assert_eq!(first.union(&second), second);
    assert!(second.is_handle(&"0bed5f40753b342cb143e83c2b21924cc8474731".parse().unwrap()));
    assert!(!first.is_handle(&"0bed5f40753b342cb143e83c2b21924cc8474731".parse().unwrap()));
}

#[test]
fn the_halves_of_a_hybrid_share_nothing_until_both_hashes_are_known() {
    // Report H4: intake cannot see it, the client's word can.
    let v1_half = set("b5f4a7c1a3ada361c59469d90c79d76f5ef07fcd");
    let v2_half = set("32bcc50c8f5385308227700e85b55929100c875f76ea37a65c595ad930391ac4");
    assert!(!v1_half.intersects(&v2_half));
    let seen = v1_half.union(&v2_half);
    assert!(seen.intersects(&v1_half) && seen.intersects(&v2_half));
    assert!(seen.contains(&v1_half.iter().next().unwrap()));
    assert!(!v1_half.contains(&v2_half.iter().next().unwrap()));
}

#[test]
fn the_order_is_fixed() {
    let mixed = InfohashSet::new([v2(1), v1(9), v1(3)]).unwrap();
    assert_eq!(mixed.iter().collect::<Vec<_>>(), [v1(3), v1(9), v2(1)]);
    assert_eq!(
        (mixed.v1().map(Infohash::V1), mixed.v2().map(Infohash::V2)),
        (Some(v1(3)), Some(v2(1)))
    );
}

/// Hashes of which some are fronts of others.
fn hashes() -> impl Strategy<Value = Vec<Infohash>> {
    let one = prop_oneof![
        any::<[u8; 20]>().prop_map(|raw| InfohashV1::from_bytes(raw).into()),
        any::<[u8; 32]>().prop_map(|raw| InfohashV2::from_bytes(raw).into()),
        (0u8..4).prop_map(v1),
        (0u8..4).prop_map(v2),
    ];
    proptest::collection::vec(one, 1..6)
}

proptest! {
    #[test]
    fn hex_and_base32_agree_with_a_reference(raw: [u8; 20]) {
        let hash = Infohash::V1(InfohashV1::from_bytes(raw));
        prop_assert_eq!(hash.to_string(), hex::encode(raw));
        let base32 = reference_base32(&raw);
        prop_assert_eq!(Infohash::from_any_form(&base32).unwrap(), hash);
        prop_assert_eq!(Infohash::from_any_form(&base32.to_lowercase()).unwrap(), hash);
        prop_assert_eq!(Infohash::from_any_form(&hex::encode_upper(raw)).unwrap(), hash);
    }

    #[test]
    fn v2_hex_agrees_with_a_reference(raw: [u8; 32]) {
        let hash = Infohash::V2(InfohashV2::from_bytes(raw));
        prop_assert_eq!(hash.to_string(), hex::encode(raw));
        prop_assert_eq!(hex::encode_upper(raw).parse::<Infohash>().unwrap(), hash);
        prop_assert_eq!(hash.v2().unwrap().truncated().to_string(), hex::encode(&raw[..20]));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,70}|[0-9a-fA-F]{40}|[a-zA-Z2-7]{32}") {
        if let Ok(hash) = Infohash::from_any_form(&text) {
            prop_assert!(text.is_ascii());
            prop_assert_eq!(hash.to_string().parse::<Infohash>().unwrap(), hash);
        }
    }

    #[test]
    fn a_set_forgets_order_and_repetition(hashes in hashes()) {
        let once = InfohashSet::new(hashes.iter().copied()).unwrap();
        let again = InfohashSet::new(hashes.iter().rev().chain(&hashes).copied()).unwrap();
        prop_assert_eq!(&once, &again);
        prop_assert!(once.iter().filter_map(|hash| hash.v1()).all(|hash| !once.is_handle(&hash)));
    }

    #[test]
    fn a_union_loses_nothing_but_handles(a in hashes(), b in hashes()) {
        let (one, two) = (InfohashSet::new(a).unwrap(), InfohashSet::new(b).unwrap());
        let both = one.union(&two);
        prop_assert_eq!(&both, &two.union(&one));
        for hash in one.iter().chain(two.iter()) {
            let handle = hash.v1().is_some_and(|v1| both.is_handle(&v1));
            prop_assert!(both.contains(&hash) != handle);
        }
        prop_assert!(both.iter().all(|hash| one.contains(&hash) || two.contains(&hash)));
    }
}
