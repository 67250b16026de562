//! Torrents of every version, damaged ones, and what people hand over instead.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;
use crate::Magnet;

/// A value to write; dictionaries keep the order they are given.
#[derive(Clone)]
enum Ben {
    Int(i64),
    Text(&'static str),
    Bytes(Vec<u8>),
    List(Vec<Ben>),
    Dict(Vec<(&'static str, Ben)>),
}
use Ben::{Dict as D, Int, List, Text};

fn encode(value: &Ben) -> Vec<u8> {
    let bytes = |bytes: &[u8]| [format!("{}:", bytes.len()).as_bytes(), bytes].concat();
    let wrap = |kind: &[u8], inner: Vec<Vec<u8>>| [kind, &inner.concat(), b"e"].concat();
    match value {
        Int(number) => format!("i{number}e").into_bytes(),
        Text(text) => bytes(text.as_bytes()),
        Ben::Bytes(raw) => bytes(raw),
        List(items) => wrap(b"l", items.iter().map(encode).collect()),
        D(entries) => {
            let entry =
                |(key, value): &(&str, Ben)| [bytes(key.as_bytes()), encode(value)].concat();
            wrap(b"d", entries.iter().map(entry).collect())
        }
    }
}

fn pieces() -> Ben {
    Ben::Bytes(vec![0xd5; 40])
}

/// A v1 of one file, with these entries of `info` in place or added.
fn v1(changes: &[(&'static str, Ben)]) -> Vec<(&'static str, Ben)> {
    let base = vec![
        ("length", Int(5)),
        ("name", Text("film.mkv")),
        ("piece length", Int(16_384)),
        ("pieces", pieces()),
    ];
    with(base, changes)
}

fn v2(changes: &[(&'static str, Ben)]) -> Vec<(&'static str, Ben)> {
    let base = vec![("file tree", tree(7)), ("meta version", Int(2)), ("name", Text("film.mkv"))];
    with(base, changes)
}

fn with(
    mut info: Vec<(&'static str, Ben)>,
    changes: &[(&'static str, Ben)],
) -> Vec<(&'static str, Ben)> {
    info.retain(|(key, _)| changes.iter().all(|(changed, _)| changed != key));
    info.extend(changes.iter().cloned());
    info
}

fn without(mut info: Vec<(&'static str, Ben)>, key: &str) -> Vec<(&'static str, Ben)> {
    info.retain(|(name, _)| *name != key);
    info
}

/// A tree of one file in a folder.
fn tree(length: i64) -> Ben {
    D(vec![("Season", D(vec![("e1.mkv", D(vec![("", D(vec![("length", Int(length))]))]))]))])
}

fn file(length: i64, name: &'static str) -> Ben {
    D(vec![("length", Int(length)), ("path", List(vec![Text(name)]))])
}

fn parse_info(info: Vec<(&'static str, Ben)>) -> Result<Torrent, TorrentError> {
    Torrent::parse(&encode(&D(vec![("info", D(info))])))
}

fn size(info: Vec<(&'static str, Ben)>) -> Result<u64, TorrentError> {
    parse_info(info).map(|torrent| torrent.size_bytes())
}

fn hex_of(torrent: &Torrent) -> Vec<String> {
    torrent.infohashes().iter().map(|hash| hash.to_string()).collect()
}

macro_rules! fixtures {
    ($($name:literal),+ $(,)?) => {
        [$(($name, &include_bytes!(concat!("../../tests/fixtures/", $name))[..]),)+]
    };
}

#[test]
fn hashes_agree_with_another_implementation() {
    spec!("ingest#torrent-file-intake/all-versions");
    spec!("ingest#torrent-file-intake/keys-out-of-order");
    let files = fixtures![
        "v1-file.torrent",
        "v1-folder.torrent",
        "v2-file.torrent",
        "v2-folder.torrent",
        "hybrid-file.torrent",
        "hybrid-folder.torrent",
        "v1-unsorted.torrent",
    ];
    let expected: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../tests/fixtures/expected.json")).unwrap();
    assert_eq!(files.len(), expected.len());
    for ((file, bytes), expected) in files.into_iter().zip(&expected) {
        let text = |key: &str| expected[key].as_str().unwrap();
        assert_eq!(file, text("file"));
        let torrent = Torrent::parse(bytes).unwrap();
        let hashes = [text("v1"), text("v2")].into_iter().filter(|hash| !hash.is_empty());
        assert_eq!(hex_of(&torrent), hashes.collect::<Vec<_>>(), "{file}");
        assert_eq!(
            (torrent.name(), torrent.size_bytes()),
            (text("name"), expected["size"].as_u64().unwrap()),
            "{file}"
        );
        let magnet = Magnet::parse(text("magnet")).unwrap();
        assert_eq!(magnet.infohashes(), torrent.infohashes(), "{file}");
        assert_eq!(magnet.name(), Some(torrent.name()), "{file}");
        assert_eq!(magnet.trackers(), torrent.trackers(), "{file}");
        assert_eq!(torrent.bytes(), bytes);
        assert!(!torrent.is_private());
    }
}

#[test]
fn the_hash_covers_the_raw_bytes_of_info() {
    spec!("ingest#torrent-file-intake/keys-out-of-order");
    let sorted = v1(&[]);
    let unsorted: Vec<_> = sorted.iter().rev().cloned().collect();
    let raw = encode(&D(unsorted.clone()));
    let torrent = parse_info(unsorted).unwrap();
    assert_eq!(hex_of(&torrent), [hex::encode(Sha1::digest(&raw))]);
    assert_ne!(torrent.infohashes(), parse_info(sorted.clone()).unwrap().infohashes());
    // What stands around info, and a second info, is no part of it.
    let around = D(vec![
        ("zz", Text("info")),
        ("info", D(sorted.clone())),
        ("announce", Text("udp://t.example:1")),
        ("info", D(v1(&[("name", Text("other"))]))),
    ]);
    let wrapped = Torrent::parse(&encode(&around)).unwrap();
    assert_eq!(wrapped.infohashes(), parse_info(sorted).unwrap().infohashes());
}

#[test]
fn the_version_follows_from_what_is_there() {
    spec!("ingest#torrent-file-intake/all-versions");
    let kinds = |info| {
        parse_info(info).map(|torrent| {
            torrent.infohashes().iter().map(|hash| hash.kind().as_str()).collect::<Vec<_>>()
        })
    };
    assert_eq!(kinds(v1(&[])), Ok(vec!["v1"]));
    assert_eq!(kinds(v2(&[])), Ok(vec!["v2"]));
    assert_eq!(kinds(v2(&[("pieces", pieces()), ("length", Int(7))])), Ok(vec!["v1", "v2"]));
    // Version 2 is said by `meta version`, not by a tree.
    assert_eq!(kinds(v1(&[("file tree", tree(9))])), Ok(vec!["v1"]));
    assert_eq!(size(v1(&[("file tree", tree(9))])), Ok(5));
    assert_eq!(kinds(v1(&[("meta version", Int(1))])), Ok(vec!["v1"]));
    assert_eq!(kinds(v2(&[("meta version", Int(3))])), Err(TorrentError::Missing("pieces")));
    assert_eq!(kinds(without(v1(&[]), "pieces")), Err(TorrentError::Missing("pieces")));
    assert_eq!(kinds(v1(&[("pieces", Int(1))])), Err(TorrentError::Missing("pieces")));
    for length in [0, -1, 1 << 31, i64::MAX] {
        let broken = [("piece length", Int(length))];
        assert_eq!(kinds(v1(&broken)), Err(TorrentError::Missing("piece length")));
        assert_eq!(kinds(v2(&broken)), Err(TorrentError::Missing("piece length")));
    }
    assert_eq!(
        kinds(v1(&[("pieces", Ben::Bytes(vec![0; 39]))])),
        Err(TorrentError::Missing("pieces"))
    );
    assert_eq!(kinds(v1(&[("meta version", Int(2))])), Err(TorrentError::Missing("file tree")));
    assert_eq!(kinds(v2(&[("file tree", Int(2))])), Err(TorrentError::Missing("file tree")));
}

#[test]
fn sizes_leave_padding_out() {
    spec!("ingest#torrent-file-intake/size-of-the-payload");
    let pad = D(vec![
        ("attr", Text("xp")),
        ("length", Int(1_000)),
        ("path", List(vec![Text(".pad"), Text("1000")])),
    ]);
    let hidden = D(vec![("attr", Text("h")), ("length", Int(4)), ("path", List(vec![Text("h")]))]);
    let files = List(vec![file(10, "a"), pad, hidden, file(0, "empty")]);
    let folder = without(v1(&[("files", files)]), "length");
    assert_eq!(size(folder.clone()), Ok(14));
    // Where both stand, the list counts, as clients have it.
    assert_eq!(size(with(folder, &[("length", Int(99))])), Ok(14));
    assert_eq!(size(v1(&[])), Ok(5));
    let two = D(vec![("a", D(vec![("", D(vec![("length", Int(3))]))])), ("b", tree(4))]);
    assert_eq!(size(v2(&[("file tree", two)])), Ok(7));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    spec!("ingest#torrent-file-intake/damaged-file");
    let files = |list: Vec<Ben>| without(v1(&[("files", List(list))]), "length");
    assert_eq!(size(v1(&[("length", Int(i64::MAX))])), Ok(i64::MAX as u64));
    assert_eq!(size(v1(&[("length", Int(-1))])), Err(TorrentError::Size));
    assert_eq!(size(v1(&[("length", Text("5"))])), Err(TorrentError::Size));
    assert_eq!(size(files(vec![file(i64::MAX, "a"), file(1, "b")])), Err(TorrentError::Size));
    assert_eq!(size(files(vec![file(5, "a"), file(-1, "b")])), Err(TorrentError::Size));
    assert_eq!(size(files(vec![D(vec![])])), Err(TorrentError::Size));
    assert_eq!(size(files(vec![Int(1)])), Err(TorrentError::Missing("files")));
    assert_eq!(size(without(v1(&[]), "length")), Err(TorrentError::Missing("length or files")));
    assert_eq!(size(v2(&[("file tree", tree(-1))])), Err(TorrentError::Size));
    let both = D(vec![("a", tree(i64::MAX)), ("b", tree(1))]);
    assert_eq!(size(v2(&[("file tree", both)])), Err(TorrentError::Size));
    assert_eq!(
        size(v2(&[("file tree", D(vec![("a", Int(1))]))])),
        Err(TorrentError::Missing("file tree"))
    );
    assert_eq!(size(v2(&[("file tree", D(vec![("", D(vec![]))]))])), Err(TorrentError::Size));
}

#[test]
fn the_utf8_name_is_preferred_and_no_name_is_refused() {
    let name = |changes: &[(&'static str, Ben)]| {
        parse_info(v1(changes)).map(|torrent| torrent.name().to_owned())
    };
    assert_eq!(name(&[("name.utf-8", Text("Фильм"))]).unwrap(), "Фильм");
    assert_eq!(name(&[("name.utf-8", Int(1))]).unwrap(), "film.mkv");
    assert_eq!(
        name(&[("name", Ben::Bytes(b"\xcf\xf0 1".to_vec()))]).unwrap(),
        "\u{fffd}\u{fffd} 1"
    );
    assert_eq!(name(&[("name", Int(1))]), Err(TorrentError::Missing("name")));
    assert_eq!(parse_info(without(v1(&[]), "name")), Err(TorrentError::Missing("name")));
}

#[test]
fn private_is_said_by_the_number_one() {
    let private = |value: Ben| parse_info(v1(&[("private", value)])).unwrap().is_private();
    assert!(private(Int(1)));
    assert!(!private(Int(0)) && !private(Text("1")));
}

#[test]
fn trackers_are_listed_once_and_never_shown() {
    let tiers = List(vec![
        List(vec![Text("http://a.example/passkey123"), Text("http://b.example")]),
        Text("no tier"),
        List(vec![
            Int(1),
            Ben::Bytes(vec![0xff]),
            Text(""),
            Text("http://b.example"),
            Text("udp://c.example:1"),
        ]),
    ]);
    let top = D(vec![
        ("announce", Text("http://b.example")),
        ("announce-list", tiers),
        ("info", D(v1(&[]))),
    ]);
    let torrent = Torrent::parse(&encode(&top)).unwrap();
    assert_eq!(
        torrent.trackers(),
        ["http://b.example", "http://a.example/passkey123", "udp://c.example:1"]
    );
    assert!(!format!("{torrent:?}").contains("passkey123"));
}

#[test]
fn a_list_of_a_million_trackers_is_cut() {
    spec!("ingest#torrent-file-intake/hostile-file");
    // Comparing each with each would take hours.
    let many = (0..1_000_000u32).map(|n| Ben::Bytes(format!("{n:x}").into_bytes())).collect();
    let top = D(vec![("announce-list", List(vec![List(many)])), ("info", D(v1(&[])))]);
    let bytes = encode(&top);
    assert!(bytes.len() < MAX_TORRENT_BYTES);
    assert_eq!(Torrent::parse(&bytes).unwrap().trackers().len(), MAX_TRACKERS);
}

#[test]
fn bombs_are_refused() {
    spec!("ingest#torrent-file-intake/hostile-file");
    let refused = |bytes: &[u8]| Torrent::parse(bytes).unwrap_err();
    let deep = "d4:info".repeat(1_000_000);
    assert!(matches!(refused(deep.as_bytes()), TorrentError::Bencode(BencodeError::Depth(_))));
    let wide = format!("d4:infol{}ee", "le".repeat(5_000_000));
    assert!(matches!(refused(wide.as_bytes()), TorrentError::Bencode(BencodeError::TooMany(_))));
    assert_eq!(refused(b"d4:info9223372036854775807:"), TorrentError::CutOff(27));
    assert_eq!(
        refused(&vec![b'd'; MAX_TORRENT_BYTES + 1]),
        TorrentError::TooLarge(MAX_TORRENT_BYTES + 1)
    );
    // A tree as deep as the reader takes, on a small stack.
    let work = std::thread::Builder::new().stack_size(1024 * 1024).spawn(|| {
        let mut tree = D(vec![("", D(vec![("length", Int(3))]))]);
        for _ in 0..240 {
            tree = D(vec![("a", tree)]);
        }
        size(v2(&[("file tree", tree)]))
    });
    assert_eq!(work.unwrap().join().unwrap(), Ok(3));
}

#[test]
fn what_is_no_torrent_is_called_by_its_name() {
    spec!("ingest#torrent-file-intake/something-else-in-its-place");
    let refused = |bytes: &[u8]| Torrent::parse(bytes).unwrap_err();
    assert_eq!(refused(b""), TorrentError::Empty);
    for page in [
        "<!DOCTYPE html><html>",
        "  \r\n<HTML lang=ru>",
        "\u{feff}<html>",
        "<?xml version='1.0'?>",
        "<!-- login --><head>",
        "<head>",
    ] {
        assert_eq!(refused(page.as_bytes()), TorrentError::Html, "{page}");
    }
    for link in ["\nMagnet:?xt=urn:btih:abc", "D5BBA6EDF0D27A8FB1A9FF39A1AC4B7F7C5CBF43\r\n"] {
        assert_eq!(refused(link.as_bytes()), TorrentError::Link, "{link}");
    }
    assert_eq!(refused(b"{\"error\":\"login\"}"), TorrentError::Json);
    assert_eq!(refused(b"\x1f\x8b\x08"), TorrentError::Packed("gzip"));
    assert_eq!(refused(b"PK\x03\x04rest"), TorrentError::Packed("zip"));
    assert_eq!(refused(b"Any words"), TorrentError::Bencode(BencodeError::Unexpected(0)));
    assert_eq!(refused(b"4:text"), TorrentError::Missing("top-level dictionary"));
    assert_eq!(refused(b"le"), TorrentError::Missing("top-level dictionary"));
    assert_eq!(refused(b"de"), TorrentError::Missing("info"));
    assert_eq!(refused(b"d4:infoi1ee"), TorrentError::Missing("info"));
}

#[test]
fn what_a_client_or_a_tracker_wrote_is_told_apart() {
    spec!("ingest#torrent-file-intake/something-else-in-its-place");
    let refused = |entries| Torrent::parse(&encode(&D(entries))).unwrap_err();
    let fastresume = vec![
        ("file-format", Text("libtorrent resume file")),
        ("info-hash", Ben::Bytes(vec![7; 20])),
        ("qBt-savePath", Text("/downloads")),
    ];
    assert_eq!(refused(fastresume), TorrentError::Resume);
    let transmission = vec![("destination", Text("/d")), ("downloading-time-seconds", Int(9))];
    assert_eq!(refused(transmission), TorrentError::Resume);
    assert_eq!(refused(vec![("failure reason", Text("unregistered"))]), TorrentError::Answer);
    assert_eq!(refused(vec![("interval", Int(1800)), ("peers", Text(""))]), TorrentError::Answer);
    assert_eq!(refused(vec![("announce", Text("udp://t"))]), TorrentError::Missing("info"));
}

#[test]
fn every_refusal_says_what_to_do() {
    spec!("ingest#torrent-file-intake/something-else-in-its-place");
    let page = Torrent::parse(b"<html>").unwrap_err().to_string();
    assert!(page.starts_with("this is a web page (HTML), not a .torrent: "), "{page}");
    assert!(page.contains("log in there and download the file again"), "{page}");
    let cut = Torrent::parse(b"d4:infod").unwrap_err().to_string();
    assert_eq!(cut, "the file is cut off: it ends early, at byte 8; download it again");
    let packed = Torrent::parse(b"\x1f\x8b").unwrap_err().to_string();
    assert!(packed.contains("(gzip)") && packed.contains("unpack it"), "{packed}");
}

#[test]
fn every_cut_of_a_file_says_that_it_is_cut_off() {
    spec!("ingest#torrent-file-intake/cut-off");
    for whole in [
        &encode(&D(vec![("announce", Text("udp://t.example:1")), ("info", D(v1(&[])))]))[..],
        include_bytes!("../../tests/fixtures/v1-folder.torrent"),
        include_bytes!("../../tests/fixtures/v2-folder.torrent"),
        include_bytes!("../../tests/fixtures/hybrid-folder.torrent"),
    ] {
        Torrent::parse(whole).unwrap();
        assert_eq!(Torrent::parse(&[]), Err(TorrentError::Empty));
        for end in 1..whole.len() {
            let refused = Torrent::parse(&whole[..end]);
            let hollow = matches!(refused, Err(TorrentError::Hollow(_))) && whole[end - 1] == 0;
            assert!(hollow || refused == Err(TorrentError::CutOff(end)), "{end}: {refused:?}");
            // A client that takes the room first leaves zeros behind what it got.
            let room = [&whole[..end], &vec![0; whole.len() - end]].concat();
            assert!(matches!(Torrent::parse(&room), Err(TorrentError::Hollow(_))), "{end}");
        }
    }
}

#[test]
fn what_follows_a_torrent_is_refused() {
    spec!("ingest#torrent-file-intake/damaged-file");
    let whole = encode(&D(vec![("info", D(v1(&[])))]));
    let more = [&whole[..], b"e"].concat();
    assert_eq!(Torrent::parse(&more), Err(TorrentError::Bencode(BencodeError::Trailing(1))));
}

proptest! {
    #[test]
    fn a_damaged_file_does_not_panic(at: proptest::sample::Index, bytes in proptest::collection::vec(any::<u8>(), 1..6)) {
        let hybrid = include_bytes!("../../tests/fixtures/hybrid-folder.torrent");
        let mut damaged = hybrid.to_vec();
        let at = at.index(damaged.len());
        for (place, byte) in damaged[at..].iter_mut().zip(&bytes) {
            *place = *byte;
        }
        if let Ok(torrent) = Torrent::parse(&damaged) {
            prop_assert!(torrent.infohashes().len() >= 1 && i64::try_from(torrent.size_bytes()).is_ok());
        }
    }

    #[test]
    fn a_cut_off_torrent_of_any_content_says_so(
        name in "[a-zа-я \u{0}]{1,20}", length in 0..i64::MAX, hashes in proptest::collection::vec(any::<u8>(), 0..50),
        at: proptest::sample::Index,
    ) {
        spec!("ingest#torrent-file-intake/cut-off");
        let pieces = Ben::Bytes(hashes.repeat(20));
        let mut info = without(v1(&[("length", Int(length)), ("pieces", pieces)]), "name");
        info.push(("name", Ben::Bytes(name.into_bytes())));
        let whole = encode(&D(vec![("info", D(info))]));
        prop_assert!(Torrent::parse(&whole).is_ok());
        let cut = &whole[..1 + at.index(whole.len() - 1)];
        let told = Torrent::parse(cut).unwrap_err().to_string();
        prop_assert!(told.starts_with("the file is cut off: "), "{}", told);
    }

    #[test]
    fn the_essence_is_the_same_torrent(
        trackers in proptest::collection::vec("[a-z0-9:/.]{1,30}", 0..5),
        odd in "[a-z ]{0,20}",
    ) {
        spec!("ingest#torrent-file-intake/odd-members");
        let tiers = List(trackers.iter().map(|one| Text(one.clone().leak())).map(|one| List(vec![one])).collect());
        let read = Torrent::parse(&encode(&D(vec![
            ("announce-list", tiers),
            ("comment", Int(7)),
            ("creation date", Text(odd.leak())),
            ("info", D(v1(&[]))),
            ("publisher-url", List(vec![])),
        ]))).unwrap();
        let essence = Torrent::parse(&read.essence()).unwrap();
        prop_assert_eq!(essence.infohashes(), read.infohashes());
        prop_assert_eq!(essence.trackers(), read.trackers());
        prop_assert_eq!((essence.name(), essence.size_bytes()), (read.name(), read.size_bytes()));
        prop_assert_eq!(essence.essence(), essence.bytes());
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Torrent::parse(&bytes).is_err());
        let framed = [b"d4:infod", &bytes[..], b"ee"].concat();
        let _ = Torrent::parse(&framed);
    }
}
