//! Client paths in every spelling that was seen.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

fn map(pairs: &[(&str, &str)]) -> PathMap {
    let mappings: Vec<_> = pairs
        .iter()
        .map(|(client, local)| PathMapping { client: (*client).into(), local: local.into() })
        .collect();
    PathMap::new("home", &mappings).unwrap()
}

fn located(map: &PathMap, path: &str) -> String {
    match map.locate(path) {
        Ok(path) => path.to_str().unwrap().to_owned(),
        Err(LocateError::ForeignStyle(_)) => "foreign".into(),
        Err(LocateError::Relative(_)) => "relative".into(),
        Err(LocateError::Upwards(_)) => "upwards".into(),
    }
}

#[test]
fn slashes_do_not_matter() {
    spec!("qbittorrent-client#paths-are-mapped/slashes-at-the-end");
    for client in ["/downloads", "/downloads/"] {
        for local in ["/data/torrents", "/data/torrents/"] {
            let map = map(&[(client, local)]);
            assert_eq!(located(&map, "/downloads/a/b.mkv"), "/data/torrents/a/b.mkv");
            assert_eq!(located(&map, "/downloads//a/./b.mkv"), "/data/torrents/a/b.mkv");
            assert_eq!(located(&map, "/downloads/").trim_end_matches('/'), "/data/torrents");
            assert_eq!(located(&map, "/downloads").trim_end_matches('/'), "/data/torrents");
        }
    }
}

#[test]
fn a_name_that_only_begins_alike_is_another() {
    spec!("qbittorrent-client#paths-are-mapped/a-name-that-begins-alike");
    let map = map(&[("/downloads", "/data")]);
    assert_eq!(located(&map, "/downloads2/x"), "/downloads2/x");
    assert_eq!(located(&map, "/Downloads/x"), "/Downloads/x");
}

#[test]
fn the_longest_mapping_counts() {
    spec!("qbittorrent-client#paths-are-mapped/two-mappings-fit");
    for pairs in [[("/d", "/short"), ("/d/tv", "/long")], [("/d/tv", "/long"), ("/d", "/short")]] {
        let map = map(&pairs);
        assert_eq!(located(&map, "/d/tv/x"), "/long/x");
        assert_eq!(located(&map, "/d/film/x"), "/short/film/x");
    }
    assert_eq!(located(&map(&[("/", "/host")]), "/d/x"), "/host/d/x");
}

#[test]
fn windows_paths_need_a_mapping() {
    spec!("qbittorrent-client#paths-are-mapped/windows-and-unc-paths");
    let none = map(&[]);
    for path in [r"\\NAS\Media\complete\TV\X\", r"D:\Downloads\X", "//NAS/Media/X", "d:/x", "D:"] {
        assert_eq!(located(&none, path), "foreign", "{path}");
    }
    let some = map(&[(r"D:\Downloads\", "/mnt/d"), (r"\\NAS\Media", "/mnt/nas")]);
    assert_eq!(located(&some, r"D:\Downloads\Show\e1.mkv"), "/mnt/d/Show/e1.mkv");
    assert_eq!(located(&some, "D:/Downloads/Show/e1.mkv"), "/mnt/d/Show/e1.mkv");
    assert_eq!(located(&some, "//NAS/Media/X"), "/mnt/nas/X");
    assert_eq!(located(&some, r"\\NAS\Media\X"), "/mnt/nas/X");
    assert_eq!(located(&some, r"\\NAS\media\X"), "foreign");
    assert_eq!(located(&some, r"E:\Downloads\X"), "foreign");
}

#[test]
fn what_leads_upwards_or_nowhere_is_refused() {
    spec!("qbittorrent-client#paths-are-mapped/a-path-that-leads-upwards");
    let map = map(&[("/downloads", "/data"), (r"C:\d", "/c")]);
    for path in ["/downloads/../etc/passwd", "/..", r"C:\d\..\x", "//NAS/../x"] {
        assert_eq!(located(&map, path), "upwards", "{path}");
    }
    for path in ["", "downloads/x", "./x", r"\x", "~", "../x"] {
        assert_eq!(located(&map, path), "relative", "{path}");
    }
    // Two dots inside a name lead nowhere.
    assert_eq!(located(&map, "/downloads/a..b"), "/data/a..b");
}

#[test]
fn names_stay_what_they_are() {
    spec!("qbittorrent-client#paths-are-mapped/odd-names");
    let map = map(&[("/data", "/srv")]);
    assert_eq!(located(&map, "/data/ X .mkv"), "/srv/ X .mkv");
    assert_eq!(located(&map, "/data/Frieren: End E24.mkv"), "/srv/Frieren: End E24.mkv");
    assert_eq!(located(&map, r"/data/back\slash/Ы"), r"/srv/back\slash/Ы");
}

#[test]
fn a_mapping_that_cannot_be_used_is_an_error() {
    spec!("qbittorrent-client#paths-are-mapped/a-mapping-that-cannot-be-used");
    for (client, local) in [
        ("downloads", "/data"),
        ("/a/../b", "/data"),
        ("/a", "data"),
        ("/a", "/data/../x"),
        ("", "/"),
    ] {
        let mapping = PathMapping { client: client.into(), local: local.into() };
        assert!(PathMap::new("home", &[mapping]).is_err(), "{client} {local}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_located_stays_below_its_mapping(path in "[/\\\\.:a-cA-C ]{0,24}") {
        spec!("qbittorrent-client#paths-are-mapped/a-path-that-leads-upwards");
        let map = map(&[("/", "/root"), (r"c:\", "/drive"), (r"\\a", "/unc")]);
        if let Ok(found) = map.locate(&path) {
            prop_assert!(found.is_absolute());
            let roots = ["/root", "/drive", "/unc"];
            prop_assert!(roots.iter().any(|root| found.starts_with(root)), "{:?}", found);
            prop_assert!(!found.components().any(|part| part == Component::ParentDir));
        }
    }
}
