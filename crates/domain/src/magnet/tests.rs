//! Links as people, sites and other programs write them.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;
use crate::InfohashKind;

const A: &str = "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd";
const B: &str = "2aa4f5a7e209e54b32803d43670971c4c8caaa05";
const V2: &str = "caf1e1c30e81cb361b9ee167c4aa64228a7fa4fa9f6105232b28ad099f3a302e";

/// The one call into the parser.
fn parse(text: &str) -> Result<Magnet, MagnetError> {
    Magnet::parse(text)
}

fn read(text: &str) -> Magnet {
    let magnet = parse(text).unwrap();
    let again = parse(&magnet.to_link()).unwrap();
    assert_eq!(again, magnet, "the rebuilt link says something else");
    assert_eq!(again.to_link(), magnet.to_link());
    magnet
}

fn hashes(magnet: &Magnet) -> Vec<String> {
    magnet.infohashes().iter().map(|hash| hash.to_string()).collect()
}

/// A link with hash `A` and this tail.
fn with(tail: &str) -> Magnet {
    let magnet = read(&format!("magnet:?xt=urn:btih:{A}&{tail}"));
    assert_eq!(hashes(&magnet), [A]);
    magnet
}

fn name(tail: &str) -> Option<String> {
    with(tail).name().map(str::to_owned)
}

fn refused(text: &str) -> MagnetError {
    parse(text).unwrap_err()
}

#[test]
fn m1_m2_m3_h6_base32_in_either_case() {
    spec!("ingest#magnet-intake-forms/base32-in-either-case");
    let m2 = read(
        "magnet:?xt=urn:btih:Z7QRDHYSJCA4U4HXGBXTFYUSDFGIRQMV&dn=&tr=udp%3A%2F%2Ftracker.example%3A80%2Fannounce",
    );
    assert_eq!(hashes(&m2), ["cfe1119f124881ca70f7306f32e292194c88c195"]);
    assert_eq!(
        (m2.name(), m2.trackers()),
        (None, &["udp://tracker.example:80/announce".to_owned()][..])
    );
    let m3 = read("magnet:?xt=urn:btih:4qf3dxhtmsfhzbnvnzopiepbgzt5bcon");
    assert_eq!(hashes(&m3), ["e40bb1dcf3648a7c85b56e5cf411e13667d089cd"]);
    // M1: the same torrent in hex is the same set of hashes.
    let hex = read("magnet:?xt=urn:btih:E40BB1DCF3648A7C85B56E5CF411E13667D089CD");
    assert_eq!(m3.infohashes(), hex.infohashes());
    let h6 = read(
        "magnet:?xt=urn:btih:ZRV5MMSDGGHSVTFPCQEOWK5MMSD3WT6E&dn=Example%20S01E06%20WEB-DL%201080p",
    );
    assert_eq!(hashes(&h6), ["cc6bd63243318f2accaf1408eb2bac6487bb4fc4"]);
    assert_eq!(h6.name(), Some("Example S01E06 WEB-DL 1080p"));
}

#[test]
fn m5_the_bittorrent_hash_is_not_the_first() {
    spec!("ingest#magnet-intake-forms/hashes-of-other-networks");
    let m5 = read(
        "magnet:?xt=urn:ed2k:354B15E68FB8F36D7CD88FF94116CDC1\
         &xt=urn:tree:tiger:7N5OAMRNGMSSEUE3ORHOKWN4WWIQ5X4EBOOTLJY\
         &xt=urn:btih:QHQXPYWMACKDWKP47RRVIV7VOURXFE5Q&xl=10826029\
         &dn=mediawiki-1.15.1.tar.gz&xs=dchub://example.org",
    );
    assert_eq!(hashes(&m5), ["81e177e2cc00943b29fcfc635457f575237293b0"]);
    assert_eq!((m5.name(), m5.size_bytes()), (Some("mediawiki-1.15.1.tar.gz"), Some(10_826_029)));
    assert_eq!(m5.dropped_addresses(), 0, "xs is no address of ours");
}

#[test]
fn m6_the_order_of_topics_does_not_matter() {
    spec!("ingest#magnet-intake-forms/order-does-not-matter");
    let tiger = "xt=urn:tree:tiger:7N5OAMRNGMSSEUE3ORHOKWN4WWIQ5X4EBOOTLJY";
    let one = read(&format!("magnet:?{tiger}&xt=urn:btih:{A}"));
    let two = read(&format!("magnet:?xt=urn:btih:{A}&{tiger}"));
    assert_eq!(one, two);
    // One published link has a space behind the prefix, escaped or not.
    assert_eq!(read(&format!("magnet:?xt=urn:btih:%20{A}")), one);
    assert_eq!(read(&format!("magnet:?xt=urn:btih: {A} &{tiger}")), one);
    // Inside the hash it joins two halves that nobody wrote as one.
    let split = format!("magnet:?xt=urn:btih:{}%20{}", &A[..20], &A[20..]);
    assert_eq!(refused(&split), MagnetError::Infohash(ParseInfohashError::Length(41)));
}

#[test]
fn m7_h11_v2_alone() {
    spec!("ingest#magnet-intake-forms/v2-alone");
    let m7 = read(&format!("magnet:?xt=urn:btmh:1220{V2}&dn=bittorrent-v2-test"));
    assert_eq!(hashes(&m7), [V2]);
    assert_eq!((m7.infohashes().v1(), m7.name()), (None, Some("bittorrent-v2-test")));
    assert_eq!(m7.to_link(), format!("magnet:?xt=urn:btmh:1220{V2}&dn=bittorrent-v2-test"));
    assert_eq!(
        read(&format!("magnet:?xt=urn:btmh:1220{}", V2.to_uppercase())).infohashes(),
        m7.infohashes()
    );
    for multihash in [
        V2.to_owned(),
        format!("1114{A}"),
        format!("1220{A}"),
        format!("1220{V2}00"),
        String::new(),
    ] {
        assert_eq!(refused(&format!("magnet:?xt=urn:btmh:{multihash}")), MagnetError::Multihash);
    }
    let digit = format!("magnet:?xt=urn:btmh:1220{}", V2.replace('f', "g"));
    assert!(matches!(refused(&digit), MagnetError::Infohash(ParseInfohashError::Digit(_))));
}

#[test]
fn h2_a_hybrid_carries_both() {
    spec!("ingest#magnet-intake-forms/hybrid");
    spec!("identity#a-set-of-infohashes/a-magnet-carries-all-its-hashes");
    let v2_first = read(&format!("magnet:?xt=urn:btmh:1220{V2}&xt=urn:btih:{A}"));
    assert_eq!(hashes(&v2_first), [A, V2]);
    assert_eq!(v2_first.to_link(), format!("magnet:?xt=urn:btih:{A}&xt=urn:btmh:1220{V2}"));
    assert_eq!(read(&format!("magnet:?xt.1=urn:btih:{A}&xt.2=urn:btmh:1220{V2}")), v2_first);
    assert_eq!(read(&format!("magnet:?XT.=urn:btih:{A}&Xt=URN:BTMH:1220{V2}")), v2_first);
}

#[test]
fn a_client_s_handle_in_a_link_is_not_stored() {
    spec!("identity#a-set-of-infohashes/truncated-hash-is-not-stored");
    let front = &V2[..40];
    let link = format!("magnet:?xt=urn:btih:{front}&xt=urn:btmh:1220{V2}");
    assert_eq!(hashes(&read(&link)), [V2]);
    // Beside the real v1 it is not a second torrent either.
    assert_eq!(hashes(&read(&format!("{link}&xt=urn:btih:{A}"))), [A, V2]);
}

#[test]
fn m9_escapes_in_the_topic() {
    spec!("ingest#magnet-intake-forms/escaped-topic");
    assert_eq!(hashes(&read(&format!("magnet:?xt=urn%3Abtih%3A{A}"))), [A]);
    assert_eq!(hashes(&read(&format!("magnet:?xt=urn:btih:%63{}", &A[1..]))), [A]);
    assert_eq!(refused("magnet:?xt=urn%%3A"), MagnetError::Escape);
    for broken in ["%", "%6", "%6x", "%ж0", "%\u{1f600}"] {
        assert_eq!(
            refused(&format!("magnet:?xt=urn:btih:{A}{broken}")),
            MagnetError::Escape,
            "{broken}"
        );
    }
    // Bytes that are no text, and a second layer of escapes.
    assert_eq!(refused("magnet:?xt=urn:btih:%FF%FE"), MagnetError::Escape);
    assert!(parse(&format!("magnet:?xt=urn%253Abtih%253A{A}")).is_err());
}

#[test]
fn m11_one_lower_case_topic_a_version() {
    spec!("ingest#magnet-intake-forms/canonical-form");
    let m11 = read(&format!("magnet:?xt=urn:btih:{}&dn=x", B.to_uppercase()));
    assert_eq!(m11.to_link(), format!("magnet:?xt=urn:btih:{B}&dn=x"));
    // The same v1 in hex, upper case and base32 is one.
    let thrice = "magnet:?xt=urn:btih:e40bb1dcf3648a7c85b56e5cf411e13667d089cd\
         &xt=urn:btih:E40BB1DCF3648A7C85B56E5CF411E13667D089CD\
         &xt=urn:btih:4QF3DXHTMSFHZBNVNZOPIEPBGZT5BCON";
    assert_eq!(hashes(&read(thrice)), ["e40bb1dcf3648a7c85b56e5cf411e13667d089cd"]);
    // Two of one version are two torrents to a client, so no rebuilt link has them.
    let two = InfohashSet::new([A, B].map(|hash| hash.parse().unwrap())).unwrap();
    assert_eq!(Magnet::from_infohashes(two, None).to_link().matches("xt=").count(), 1);
}

#[test]
fn m13_copied_out_of_html_with_a_broken_escape() {
    spec!("ingest#magnet-intake-forms/copied-out-of-html");
    let m13 = read(
        "magnet:?xt=urn:btih:59a4b05c456b30bae0e475f6f9696299472fe601&amp;\
         dn=%D0%A2%D0%B5%D0%BE%D1%80%D0%B8%D1%8F+%2F+The+Big+Bang+Theory+%5B10%D1%8501-07+%D0%B8%D0%B7+24%&amp;\
         tr=udp://tracker.example:2710/announce",
    );
    assert_eq!(hashes(&m13), ["59a4b05c456b30bae0e475f6f9696299472fe601"]);
    // The cross between 10 and 01 is the Cyrillic letter and stays one.
    assert_eq!(m13.name(), Some("Теория / The Big Bang Theory [10\u{445}01-07 из 24%"));
    assert!(!m13.name_undecodable());
    assert_eq!(m13.trackers(), ["udp://tracker.example:2710/announce"]);
    for entity in ["&amp;", "&AMP;", "&#38;", "&#x26;", "&amp;amp;"] {
        let link = format!("magnet:?xt=urn:btih:{A}{entity}dn=Name{entity}xt=urn:btmh:1220{V2}");
        let magnet = read(&link);
        assert_eq!(
            (hashes(&magnet), magnet.name()),
            (vec![A.to_owned(), V2.to_owned()], Some("Name"))
        );
    }
    // In a value the same text is a part of it.
    assert_eq!(name("dn=A%26amp%3BB"), Some("A&amp;B".to_owned()));
    assert_eq!(name("dn=amp;B"), Some("amp;B".to_owned()));
}

#[test]
fn m14_names_with_spaces_pluses_and_other_encodings() {
    spec!("ingest#magnet-intake-forms/names-in-any-encoding");
    assert_eq!(name("dn=Word1 Word2").as_deref(), Some("Word1 Word2"));
    assert_eq!(name("dn=Word1+Word2").as_deref(), Some("Word1 Word2"));
    assert_eq!(name("dn=C%2B%2B").as_deref(), Some("C++"));
    assert_eq!(name("dn=&dn=Name").as_deref(), Some("Name"));
    assert_eq!(name("dn=%20+&dn=Name").as_deref(), Some("Name"));
    assert_eq!(name("dn=First&dn=Second").as_deref(), Some("First"));
    assert_eq!(name("dn=a=b%3Dc").as_deref(), Some("a=b=c"));
    assert_eq!(name("dn=Фильм").as_deref(), Some("Фильм"));
    assert_eq!(name("dn=100%"), Some("100%".to_owned()));
    assert_eq!(name("dn=100%zz%41"), Some("100%zzA".to_owned()));
    assert_eq!((name("dn"), name("dn="), name("")), (None, None, None));
    // cp1251: readable bytes stay, the others are replaced, and it is said.
    let cp1251 = with("dn=%CF%F0%E8+2020");
    assert_eq!(cp1251.name(), Some("\u{fffd}\u{fffd}\u{fffd} 2020"));
    assert!(cp1251.name_undecodable() && !with("dn=%D0%A2").name_undecodable());
}

#[test]
fn a_name_is_one_line_of_bounded_length() {
    spec!("ingest#magnet-intake-forms/names-in-any-encoding");
    assert_eq!(name("dn=a%0D%0Ab%1B[2Jc%00").as_deref(), Some("a  b [2Jc"));
    let long = with(&format!("dn={}", "ж".repeat(20_000)));
    assert_eq!(long.name(), Some("ж".repeat(MAX_NAME_BYTES / 2).as_str()));
    let made = |name: &str| {
        let magnet = Magnet::from_infohashes(
            InfohashSet::one(A.parse::<Infohash>().unwrap()),
            Some(name.to_owned()),
        );
        assert_eq!(read(&magnet.to_link()), magnet);
        magnet.name().map(str::to_owned)
    };
    assert_eq!(
        (made("  "), made(" a\nb "), made("+&%3D#")),
        (None, Some("a b".into()), Some("+&%3D#".into()))
    );
}

#[test]
fn m16_junk_addresses_are_dropped_and_counted() {
    spec!("ingest#magnet-intake-forms/junk-addresses");
    let page = format!("%3C!DOCTYPE%20html%3E{}", "%3Cp%3E".repeat(2_000));
    let m16 = with(&format!("tr={page}&tr=313131&tr=http%3A%2F%2Fok.example%2Fannounce"));
    assert_eq!(
        (m16.trackers(), m16.dropped_addresses()),
        (&["http://ok.example/announce".to_owned()][..], 2)
    );
    assert_eq!(with("tr=udp%3A%2F%http://2Ftracker.example%3A80").dropped_addresses(), 1);
    let seeds = with(
        "ws=http://cdn.example/{{x}}/file.iso&ws=https://cdn.example/file.iso&as=ftp://a.example/f",
    );
    assert_eq!(seeds.dropped_addresses(), 2);
    assert!(seeds.to_link().ends_with("&ws=https%3A%2F%2Fcdn.example%2Ffile.iso"));
    for junk in [
        "http:",
        "http://",
        "http:///announce",
        "http://:80/",
        "http://?x",
        "https://%20host/",
        "udp://<b>",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ws://t.example",
        "//t.example/a",
        "http://t.example/%0Ahttp://u.example",
        "http://t.example/%FF",
        "http://t.example/a b",
        "%EF%BB%BFhttp://t.example/",
    ] {
        let magnet = with(&format!("tr={junk}"));
        assert_eq!((magnet.trackers().len(), magnet.dropped_addresses()), (0, 1), "{junk}");
    }
}

#[test]
fn usable_trackers_are_kept_once_and_in_order() {
    let usable = [
        "udp://tracker.example:6969/announce",
        "http://tracker.example/announce?passkey=a+b&x=1%202",
        "HTTPS://Tracker.Example/announce",
        "wss://tracker.example",
        "udp://[2001:db8::1]:80",
        "http://трекер.example/",
    ];
    let tail = usable.map(|text| format!("tr={}", utf8_percent_encode(text, VALUE))).join("&");
    let magnet = with(&format!("{tail}&{tail}&tr="));
    assert_eq!(
        (magnet.trackers(), magnet.dropped_addresses()),
        (&usable.map(str::to_owned)[..], 0)
    );
    // A raw plus is a part of a passkey, not a space.
    assert_eq!(with("tr=http://t.example/?k=a+b").trackers(), ["http://t.example/?k=a+b"]);
    assert_eq!(with("tr.1=http://a.example&tr.2=http://b.example").trackers().len(), 2);
}

#[test]
fn addresses_are_bounded_in_number_and_length() {
    spec!("ingest#magnet-intake-forms/junk-addresses");
    let many: Vec<String> =
        (0..MAX_ADDRESSES + 7).map(|n| format!("tr=http://t{n}.example")).collect();
    let magnet = with(&many.join("&"));
    assert_eq!((magnet.trackers().len(), magnet.dropped_addresses()), (MAX_ADDRESSES, 7));
    let long = |length: usize| with(&format!("tr=http://{}", "a".repeat(length - 7)));
    assert_eq!(long(MAX_ADDRESS_BYTES).trackers().len(), 1);
    assert_eq!(long(MAX_ADDRESS_BYTES + 1).dropped_addresses(), 1);
    // Each of these triples when it is escaped: the rebuilt link stays readable.
    let slashes: Vec<String> =
        (0..31).map(|n| format!("tr=http://t{n:02}{}", "/".repeat(2_000))).collect();
    let magnet = with(&format!("dn={}&{}", "ж".repeat(600), slashes.join("&")));
    assert!(magnet.to_link().len() <= MAX_MAGNET_BYTES && magnet.trackers().len() >= 7);
    assert_eq!(magnet.trackers().len() + magnet.dropped_addresses(), 31);
}

#[test]
fn peers_are_host_and_port() {
    let peers = with(
        "x.pe=192.0.2.1:6881&x.pe=[2001:db8::1]:6881&x.pe=peer-1.example:1&X.PE.2=a%3A65535&x.pe=a:65535&x.pe.3=b:2",
    );
    assert_eq!(
        peers.peers(),
        ["192.0.2.1:6881", "[2001:db8::1]:6881", "peer-1.example:1", "a:65535", "b:2"]
    );
    assert!(peers.to_link().ends_with(
        "x.pe=192.0.2.1:6881&x.pe=[2001:db8::1]:6881&x.pe=peer-1.example:1&x.pe=a:65535&x.pe=b:2"
    ));
    for junk in [
        "a", "a:", ":80", "a:0", "a:65536", "a:%2B80", "a:-1", "::1:80", "[a]:80", "[::1:80",
        "a%26b:80", "a%0Ab:80", "a/b:80",
    ] {
        let magnet = with(&format!("x.pe={junk}"));
        assert_eq!((magnet.peers().len(), magnet.dropped_addresses()), (0, 1), "{junk}");
    }
}

#[test]
fn m17_a_link_of_another_network_is_refused() {
    spec!("ingest#magnet-intake-forms/no-bittorrent-hash");
    for text in [
        "magnet:?xt=urn:kzhash:ff984bd747c4783c80bf30668d26bf2",
        "magnet:",
        "magnet:?",
        "magnet:?dn=Name",
        "magnet:?xt=",
        "magnet:?xt=urn",
        "magnet:?xt=urn:",
        "magnet:?xt",
        "magnet:?dn=xt=urn:btih:x",
    ] {
        assert_eq!(refused(text), MagnetError::NoInfohash, "{text}");
    }
    // Without its namespace a hash is not taken for one of ours.
    assert_eq!(refused(&format!("magnet:?xt={A}")), MagnetError::NoInfohash);
    assert_eq!(refused(&format!("magnet:?xs=urn:btih:{A}")), MagnetError::NoInfohash);
}

#[test]
fn a_malformed_hash_is_refused_also_beside_a_good_one() {
    spec!("ingest#magnet-intake-forms/malformed-hash");
    for (hash, why) in [
        ("", ParseInfohashError::Length(0)),
        ("abcd", ParseInfohashError::Length(4)),
        (V2, ParseInfohashError::Length(64)),
        ("cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcg", ParseInfohashError::Digit(39)),
        ("4qf3dxhtmsfhzbnvnzopiepbgzt5bco1", ParseInfohashError::Base32(31)),
    ] {
        assert_eq!(refused(&format!("magnet:?xt=urn:btih:{hash}")), MagnetError::Infohash(why));
        let beside = format!("magnet:?xt=urn:btmh:1220{V2}&xt=urn:btih:{hash}");
        assert_eq!(refused(&beside), MagnetError::Infohash(why));
    }
    assert_eq!(refused(&format!("magnet:?xt=urn:btih:{A}&xt=urn:btmh:00")), MagnetError::Multihash);
}

#[test]
fn m17_line_breaks_smuggle_nothing() {
    spec!("ingest#magnet-intake-forms/line-break-inside");
    let link = |hash: &str| format!("magnet:?xt=urn:btih:{hash}");
    for inside in ["\n", "\r", "\r\n", "\t", "\0", "\u{85}", "\u{1b}"] {
        assert_eq!(
            refused(&format!("{}{inside}{}", link(A), link(B))),
            MagnetError::ControlCharacter
        );
        let split = format!("{}{inside}{}", &A[..20], &A[20..]);
        assert_eq!(refused(&link(&split)), MagnetError::ControlCharacter);
        assert_eq!(refused(&split), MagnetError::ControlCharacter);
    }
    for escaped in ["%0A", "%0d", "%00"] {
        let split = format!("{}{escaped}{}", &A[..20], &A[20..]);
        assert_eq!(refused(&link(&split)), MagnetError::ControlCharacter);
        assert_eq!(refused(&link(&format!("{A}{escaped}"))), MagnetError::ControlCharacter);
    }
    // In another value it is escaped or dropped, so the rebuilt link is one line.
    let magnet = with(&format!("dn=x%0A{}&tr=http://t.example/%0A{0}", link(B)));
    assert!(!magnet.to_link().contains(['\n', '\r']) && !magnet.to_link().contains("%0A"));
}

#[test]
fn space_around_a_link_is_trimmed() {
    spec!("ingest#magnet-intake-forms/space-around");
    for text in [
        format!("  magnet:?xt=urn:btih:{A}\r\n"),
        format!("\u{feff}magnet:?xt=urn:btih:{A}\u{a0}\u{feff}\n"),
    ] {
        assert_eq!(hashes(&read(&text)), [A]);
    }
    assert_eq!((refused(""), refused(" \r\n\t")), (MagnetError::Empty, MagnetError::Empty));
}

#[test]
fn two_torrents_in_one_link_are_refused() {
    spec!("ingest#magnet-intake-forms/two-torrents-in-one-link");
    let v1 = format!("magnet:?xt=urn:btih:{A}&xt=urn:btih:{B}");
    assert_eq!(refused(&v1), MagnetError::TwoTorrents(InfohashKind::V1));
    let v2 = format!("magnet:?xt=urn:btmh:1220{V2}&xt=urn:btmh:1220{}", V2.replace('c', "d"));
    assert_eq!(refused(&v2), MagnetError::TwoTorrents(InfohashKind::V2));
}

#[test]
fn the_scheme_may_be_written_otherwise() {
    spec!("ingest#magnet-intake-forms/letter-case-of-keys");
    for scheme in ["magnet:?", "MAGNET:?", "Magnet:", "magnet://?", "magnet:/?", "magnet:??"] {
        assert_eq!(hashes(&read(&format!("{scheme}XT=URN:BTIH:{}&DN=x", A.to_uppercase()))), [A]);
    }
    for text in [
        "magne",
        "magnet",
        "магнит:?xt=1",
        "http://example.org/?magnet:?xt=urn:btih:",
        "mágnet:?x=1",
    ] {
        assert_eq!(refused(text), MagnetError::NotMagnet, "{text}");
    }
}

#[test]
fn a_bare_hash_is_enough() {
    spec!("ingest#magnet-intake-forms/bare-hash");
    for text in [
        A.to_owned(),
        A.to_uppercase(),
        V2.to_uppercase(),
        "4QF3dxhtmsfhzbnvnzopiepbgzt5bcon".to_owned(),
    ] {
        let magnet = parse(&format!(" {text}\n")).unwrap();
        assert!(magnet.is_bare() && magnet.name().is_none() && magnet.infohashes().len() == 1);
        assert_eq!(parse(&magnet.to_link()).unwrap(), magnet);
    }
    assert!(!with("dn=x").is_bare());
    for text in [
        &A[1..],
        "0123456789abcdef0123456789abcdef",
        "hello",
        &format!("1220{V2}"),
        &format!("urn:btih:{A}"),
        &format!("{A} {B}"),
    ] {
        assert_eq!(refused(text), MagnetError::NotMagnet, "{text}");
    }
}

#[test]
fn a_link_has_at_most_64_kib() {
    spec!("ingest#magnet-intake-forms/too-long");
    let of = |length: usize| {
        let front = format!("magnet:?xt=urn:btih:{A}&dn=");
        format!("{front}{}", "x".repeat(length - front.len()))
    };
    assert_eq!(hashes(&read(&of(MAX_MAGNET_BYTES))), [A]);
    assert_eq!(refused(&of(MAX_MAGNET_BYTES + 1)), MagnetError::TooLong(MAX_MAGNET_BYTES + 1));
}

#[test]
fn sizes_are_numbers_that_can_be_stored() {
    let size = |text: &str| with(&format!("xl={text}")).size_bytes();
    assert_eq!(
        (size("0"), size(" 17 "), size("9223372036854775807")),
        (Some(0), Some(17), Some(i64::MAX as u64))
    );
    for text in ["", "-1", "1.5", "17 MB", "9223372036854775808", "99999999999999999999"] {
        assert_eq!(size(text), None, "{text}");
    }
    assert_eq!(with("xl=none&xl=5").size_bytes(), Some(5));
}

#[test]
fn neither_debug_nor_an_error_shows_an_address() {
    let secret = with(
        "dn=Name&tr=http://t.example/passkey123&ws=http://w.example/passkey123&x.pe=passkey123:1",
    );
    let shown = format!("{secret:?}");
    assert!(!shown.contains("passkey123") && shown.contains(A) && shown.contains("Name"));
    let error = refused("magnet:?xt=urn:btih:abc&tr=http://t.example/passkey123");
    assert!(!format!("{error} {error:?}").contains("passkey123"));
}

#[test]
fn more_known_hashes_can_be_put_in() {
    let both = read(&format!("magnet:?xt=urn:btih:{A}&xt=urn:btmh:1220{V2}&dn=x"));
    assert_eq!(with("dn=x").with_infohashes(both.infohashes().clone()), both);
}

#[test]
fn a_link_full_of_entities_is_read_without_recursion() {
    let link = format!("magnet:?xt=urn:btih:{A}&{}dn=x", "amp;".repeat(16_000));
    assert_eq!(read(&link).name(), Some("x"));
}

/// Links made of parts that each mean something, in any order.
fn parts() -> impl Strategy<Value = Vec<String>> {
    let address =
        "(http|https|udp|wss|ws|dht)://[a-z<]{1,8}(\\.example)?(:[0-9]{1,5})?/[a-z+?=%]{0,9}";
    (
        proptest::option::of("\\PC{0,20}"),
        proptest::option::of(any::<u64>()),
        proptest::collection::vec(address, 0..5),
        proptest::collection::vec(address, 0..3),
        proptest::collection::vec("[a-z.\\[\\]:]{1,9}:[0-9+]{1,5}", 0..3),
        proptest::sample::subsequence(
            vec![
                "xt=urn:ed2k:354B15E68FB8F36D7CD88FF94116CDC1",
                "xt=urn:tree:tiger:7N5OAM",
                "kt=a+b",
                "so=0-2",
                "xs=x",
                "",
            ],
            0..6,
        ),
        prop_oneof![Just((true, false)), Just((false, true)), Just((true, true))],
    )
        .prop_map(|(name, size, trackers, seeds, peers, rest, (v1, v2))| {
            let encode =
                |key: &str, text: &String| format!("{key}={}", utf8_percent_encode(text, VALUE));
            let mut parts: Vec<String> = rest.into_iter().map(str::to_owned).collect();
            parts.extend(v1.then(|| format!("xt=urn:btih:{B}")));
            parts.extend(v2.then(|| format!("xt=urn:btmh:1220{V2}")));
            parts.extend(name.iter().map(|name| encode("dn", name)));
            parts.extend(size.map(|size| format!("xl={size}")));
            parts.extend(trackers.iter().map(|text| encode("tr", text)));
            parts.extend(seeds.iter().map(|text| encode("ws", text)));
            parts.extend(peers.iter().map(|text| encode("x.pe", text)));
            parts
        })
}

/// What a magnet says, with lists in no order.
fn content(magnet: &Magnet) -> (Vec<String>, Option<String>, Option<u64>, Vec<String>, usize) {
    let mut addresses = [magnet.trackers(), &magnet.web_seeds, magnet.peers()].concat();
    addresses.sort_unstable();
    let name = magnet.name().map(str::to_owned);
    (hashes(magnet), name, magnet.size_bytes(), addresses, magnet.dropped_addresses())
}

proptest! {
    #[test]
    fn the_result_does_not_depend_on_the_order(
        (one, two) in parts().prop_flat_map(|parts| (Just(parts.clone()), Just(parts).prop_shuffle())),
    ) {
        spec!("ingest#magnet-intake-forms/order-does-not-matter");
        let link = |parts: &[String]| format!("magnet:?{}", parts.join("&"));
        prop_assert_eq!(content(&parse(&link(&one)).unwrap()), content(&parse(&link(&two)).unwrap()));
    }

    #[test]
    fn a_rebuilt_link_says_the_same(parts in parts()) {
        spec!("ingest#magnet-intake-forms/canonical-form");
        let magnet = parse(&format!("magnet:?{}", parts.join("&"))).unwrap();
        let link = magnet.to_link();
        let again = parse(&link).unwrap();
        prop_assert_eq!(&again, &magnet);
        prop_assert_eq!(again.dropped_addresses(), 0);
        prop_assert_eq!(again.to_link(), link);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}|.{0,60}", tail in "[%&=;a-fxtdnpe.0-9:+ ]{0,120}") {
        let links = [text.clone(), format!("magnet:?{text}"), format!("magnet:?xt=urn:btih:{A}&{tail}"),
            format!("magnet:?xt={tail}&xt=urn:btih:{A}&dn={text}&tr={text}&x.pe={text}")];
        for link in links {
            let Ok(magnet) = parse(&link) else { continue };
            let rebuilt = magnet.to_link();
            prop_assert!(rebuilt.is_ascii() && !rebuilt.contains(|ch: char| ch.is_control() || ch == ' '));
            prop_assert_eq!(parse(&rebuilt).unwrap(), magnet);
        }
    }
}
