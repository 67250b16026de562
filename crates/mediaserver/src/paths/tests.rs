//! Our folders in every form that a server knows.
#![allow(clippy::unwrap_used)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

fn map(pairs: &[(&str, &str)]) -> PathMap {
    let mappings: Vec<_> = pairs
        .iter()
        .map(|(local, server)| PathMapping { local: local.into(), server: (*server).into() })
        .collect();
    PathMap::new(&mappings).unwrap()
}

fn told(map: &PathMap, folder: &str) -> String {
    map.seen_as(Path::new(folder)).map_or_else(|| "untold".into(), |path| path.to_string())
}

fn within(path: &str, root: &str) -> bool {
    ServerPath::parse(path).unwrap().lies_in(&ServerPath::parse(root).unwrap())
}

#[test]
fn the_longest_mapping_counts_by_components() {
    spec!("media-servers#paths-are-mapped/two-mappings-fit");
    for pairs in
        [[("/srv", "/short"), ("/srv/tv/", "/long/")], [("/srv/tv", "/long"), ("/srv", "/short")]]
    {
        let map = map(&pairs);
        assert_eq!(told(&map, "/srv/tv/Show"), "/long/Show");
        assert_eq!(told(&map, "/srv/tv"), "/long");
        assert_eq!(told(&map, "/srv/./tv//Show/"), "/long/Show");
        assert_eq!(told(&map, "/srv/tv2/Show"), "/short/tv2/Show");
        assert_eq!(told(&map, "/srv2/tv"), "/srv2/tv");
        assert_eq!(told(&map, "/SRV/tv"), "/SRV/tv");
    }
    assert_eq!(told(&map(&[("/", "/host")]), "/d/x"), "/host/d/x");
    assert_eq!(told(&map(&[("/media", "/")]), "/media"), "/");
}

#[test]
fn a_server_on_windows_gets_paths_of_its_own_kind() {
    spec!("media-servers#paths-are-mapped/a-server-on-windows");
    let map = map(&[("/mnt/d", "D:\\"), ("/mnt/nas", "//NAS/Media"), ("/mnt/e", "e:/Video")]);
    assert_eq!(told(&map, "/mnt/d"), "D:\\");
    assert_eq!(told(&map, "/mnt/d/TV/Show"), "D:\\TV\\Show");
    assert_eq!(told(&map, "/mnt/nas/TV"), "\\\\NAS\\Media\\TV");
    assert_eq!(told(&map, "/mnt/e/TV"), "e:\\Video\\TV");
    assert!(within("D:\\TV\\Show", "d:\\tv\\"));
    assert!(within("//NAS/Media/TV", "\\\\nas\\media"));
    assert!(!within("D:\\TV2", "D:\\TV"));
    assert!(!within("D:\\TV", "/TV"));
}

#[test]
fn a_section_has_what_is_below_it() {
    spec!("media-servers#only-what-lies-in-a-library/a-name-that-begins-alike");
    assert!(within("/tv/Show", "/tv"));
    assert!(within("/tv", "/tv/"));
    assert!(within("/tv", "/"));
    assert!(!within("/tv2/Show", "/tv"));
    assert!(!within("/", "/tv"));
    assert!(!within("/TV/Show", "/tv"));
}

#[test]
fn what_cannot_be_told_is_not_told() {
    spec!("media-servers#paths-are-mapped/a-name-that-is-no-text");
    let map = map(&[("/srv", "/mnt")]);
    assert_eq!(told(&map, "srv/tv"), "untold");
    assert_eq!(told(&map, "/srv/../etc"), "untold");
    assert_eq!(map.seen_as(Path::new(OsStr::from_bytes(b"/srv/\xff"))), None);
    assert_eq!(told(&map, "/srv/a..b/Ы: +&%"), "/mnt/a..b/Ы: +&%");
}

#[test]
fn a_mapping_that_cannot_be_used_is_an_error() {
    spec!("media-servers#settings-of-a-media-server/settings-that-cannot-be-used");
    for (local, server) in
        [("srv", "/a"), ("/srv/../x", "/a"), ("/srv", "a"), ("/srv", ""), ("/srv", "D:\\..\\x")]
    {
        let mapping = PathMapping { local: local.into(), server: server.into() };
        assert!(PathMap::new(&[mapping]).is_err(), "{local} {server}");
    }
    for relative in ["", "tv", "D:tv", "\\tv", "./tv", "/a/../b"] {
        assert_eq!(ServerPath::parse(relative), None, "{relative}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_told_stays_below_its_mapping_and_reads_back(rest in "[/.a-cЫ: ]{0,24}") {
        spec!("media-servers#paths-are-mapped/two-mappings-fit");
        for server in ["/mnt/media", "D:\\media", "\\\\nas\\media"] {
            let map = map(&[("/srv", server)]);
            if let Some(path) = map.seen_as(Path::new(&format!("/srv/{rest}"))) {
                let root = ServerPath::parse(server).unwrap();
                prop_assert!(path.lies_in(&root), "{}", path);
                prop_assert_eq!(ServerPath::parse(&path.to_string()), Some(path));
            }
        }
    }
}
