//! Any tree of files under any names, applied and undone on a real disk.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use proptest::prelude::*;
use tracker_domain::library::LinkMode;
use tracker_domain::ports::Files;
use tracker_layout::{LinkHealth, LinkToMake, confirm_sources, verify};
use tracker_system::LocalFiles;
use tracker_testkit::spec;

use crate::{apply, library, link, take_out, to_verify, tree};

/// One name: Cyrillic, in parts, reserved elsewhere, long, or bytes.
fn name() -> impl Strategy<Value = OsString> {
    prop_oneof![
        "[а-яё ]{1,20}\\.mkv".prop_map(OsString::from),
        "[A-Za-z0-9 ._-]{1,30}".prop_map(OsString::from),
        Just(OsString::from("и\u{306}цу\u{301}кен.mkv")),
        Just(OsString::from("パ\u{309a}.srt")),
        prop_oneof![Just("CON"), Just("AUX.mkv"), Just("nul"), Just("a:b?.mkv"), Just("x. ")]
            .prop_map(OsString::from),
        "[ж]{60,125}".prop_map(OsString::from),
        "[a]{200,250}".prop_map(OsString::from),
        proptest::collection::vec(1_u8..=255, 1..40).prop_map(|bytes| {
            let bytes = bytes.into_iter().map(|byte| if byte == b'/' { b'_' } else { byte });
            OsString::from_vec(bytes.collect())
        }),
    ]
    .prop_filter("a name of its own", |name| name != "." && name != "..")
}

/// A path of one to three names.
fn path() -> impl Strategy<Value = Vec<OsString>> {
    proptest::collection::vec(name(), 1..4)
}

/// A file at a path, unless a file is in the way.
fn write(root: &Path, path: &[OsString], content: &[u8]) -> bool {
    let file = path.iter().fold(root.to_path_buf(), |below, name| below.join(name));
    let made = std::fs::create_dir_all(file.parent().unwrap()).is_ok();
    made && std::fs::symlink_metadata(&file).is_err() && std::fs::write(&file, content).is_ok()
}

/// Removes folders that hold nothing: nobody can tell whose they were.
fn without_empty_folders(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            without_empty_folders(&path);
            let _ = std::fs::remove_dir(&path);
        }
    }
}

fn mode() -> impl Strategy<Value = LinkMode> {
    prop_oneof![Just(LinkMode::Hardlink), Just(LinkMode::Copy), Just(LinkMode::Symlink)]
}

proptest! {
    #[test]
    fn applied_and_undone_a_tree_is_as_before(
        payload in proptest::collection::vec((path(), proptest::collection::vec(any::<u8>(), 0..200)), 1..12),
        targets in proptest::collection::vec(path(), 12),
        others in proptest::collection::vec(path(), 0..6),
        replace in proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
        mode in mode(),
    ) {
        spec!("file-layout#undo-gives-back-what-was-there/any-tree");
        let place = tempfile::tempdir().unwrap();
        let (downloads, root) = (place.path().join("downloads"), place.path().join("library"));
        for folder in [&downloads, &root] {
            std::fs::create_dir(folder).unwrap();
        }
        for (path, content) in &payload {
            write(&downloads, path, content);
        }
        for path in &others {
            write(&root, path, b"of somebody else");
        }
        // Some targets are taken, so that they are replaced.
        for at in &replace {
            let path: &Vec<OsString> = at.get(&targets);
            write(&root, path, b"an older release");
        }
        without_empty_folders(&root);
        let sources = tree(&downloads).into_iter().filter(|entry| entry.identity.is_some());
        let mut taken = BTreeSet::new();
        let links: Vec<LinkToMake> = (1..)
            .zip(sources.zip(&targets))
            .map(|(number, (source, target))| {
                let target = target.iter().fold(root.clone(), |below, name| below.join(name));
                link(number, source.path, target)
            })
            // Two of them below each other, or the same, would be a fault of the plan.
            .filter(|link| {
                let free = !taken.iter().any(|other: &std::path::PathBuf| {
                    other.starts_with(&link.target) || link.target.starts_with(other)
                });
                free && taken.insert(link.target.clone())
            })
            .collect();
        let (before, payload_before) = (tree(&root), tree(&downloads));
        let library = library(&root, mode);
        match apply(&library, &links) {
            Ok(staged) => {
                let health = verify(&LocalFiles, Some(&root), &to_verify(&links, &staged, mode));
                prop_assert_eq!(health.len(), links.len());
                prop_assert!(health.iter().all(|(_, health)| *health == LinkHealth::Present));
                prop_assert_eq!(confirm_sources(&LocalFiles, &downloads, &library, &links, &staged), Ok(()));
                let report = take_out(&root, &links, &staged);
                prop_assert!(report.is_complete() && report.kept.is_empty(), "{:?}", report);
                let replaced = staged.iter().filter(|link| link.replaces.is_some()).count();
                prop_assert_eq!(report.restored.len(), replaced);
            }
            // A folder where a file should go, or the other way round.
            Err(error) => prop_assert_eq!(error.left_behind.len(), 0, "{}", error),
        }
        prop_assert_eq!(tree(&root), before);
        prop_assert_eq!(tree(&downloads), payload_before);
    }
}

#[test]
fn ten_thousand_files() {
    spec!("file-layout#hostile-content-is-refused/ten-thousand-files");
    let place = tempfile::tempdir().unwrap();
    let (downloads, root) = (place.path().join("downloads"), place.path().join("library"));
    std::fs::create_dir(&downloads).unwrap();
    std::fs::create_dir(&root).unwrap();
    let links: Vec<LinkToMake> = (1..=10_000_u64)
        .map(|number| {
            let source = downloads.join(format!("{number}.mkv"));
            std::fs::write(&source, number.to_string()).unwrap();
            let target = root.join(format!("Show/Season {:02}/{number}.mkv", number % 50));
            link(number, source, target)
        })
        .collect();
    let library = library(&root, LinkMode::Hardlink);
    let staged = apply(&library, &links).unwrap();
    let stat = |path: &Path| LocalFiles.stat(path).unwrap().unwrap();
    for link in &links {
        assert_eq!(stat(&link.target).identity, stat(&link.source).identity);
    }
    let made = tree(&root).into_iter().filter(|entry| entry.identity.is_some()).count();
    assert_eq!(made, 10_000, "and no temporary name");
    let report = take_out(&root, &links, &staged);
    assert_eq!((report.removed.len(), report.kept.len()), (10_000, 0));
    assert_eq!(tree(&root), []);
}
