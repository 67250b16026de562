//! Probes, on files in memory with the refusals of real ones.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::FilesErrorKind;
use tracker_testkit::{FakeFiles, spec};

use crate::file_tests::library;
use crate::{LinkErrorKind, NotProven, ProbeOutcome, probe};

const FILM: &str = "/dl/film.mkv";

fn downloads() -> FakeFiles {
    let files = FakeFiles::new();
    files.dir("/lib");
    files.file(FILM, 10);
    files
}

fn ask(files: &FakeFiles, existing: Option<&str>, mode: LinkMode) -> ProbeOutcome {
    let before = files.listing();
    let library = Library { mode, ..library() };
    let existing = existing.map(PathBuf::from);
    let found = probe(files, Path::new("/dl"), existing.as_deref(), &library);
    assert_eq!(files.listing(), before, "nothing of a probe stays");
    found
}

fn failed(found: ProbeOutcome) -> (LinkErrorKind, String, String) {
    match found {
        ProbeOutcome::Failed { kind, errno, remedy } => (kind, errno, remedy),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_of_the_client_proves_it() {
    spec!("file-layout#links-are-proven-before-they-are-needed/proven");
    for mode in [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink] {
        assert_eq!(ask(&downloads(), Some(FILM), mode), ProbeOutcome::Proven, "{mode}");
        // Without write access to the downloads only the client's file is tried.
        let files = downloads();
        files.refuse_names_in("/dl", FilesErrorKind::Denied);
        assert_eq!(ask(&files, Some(FILM), mode), ProbeOutcome::Proven, "{mode}");
    }
}

#[test]
fn without_a_file_of_the_client_nothing_is_proven() {
    spec!("file-layout#links-are-proven-before-they-are-needed/not-proven-yet");
    let not_yet = ProbeOutcome::NotProven(NotProven::NoFileYet);
    for existing in [None, Some("/dl/none.mkv"), Some("/dl")] {
        assert_eq!(ask(&downloads(), existing, LinkMode::Hardlink), not_yet, "{existing:?}");
    }
    let closed = downloads();
    closed.refuse_names_in("/dl", FilesErrorKind::Denied);
    assert_eq!(ask(&closed, None, LinkMode::Hardlink), not_yet);
    assert_eq!(ask(&downloads(), None, LinkMode::Symlink), ProbeOutcome::Proven);
}

#[test]
fn a_file_of_somebody_else_is_told() {
    spec!("file-layout#links-are-proven-before-they-are-needed/a-file-of-somebody-else");
    let files = downloads();
    files.refuse_links_of(FILM, FilesErrorKind::NotPermitted);
    let (kind, errno, remedy) = failed(ask(&files, Some(FILM), LinkMode::Hardlink));
    assert_eq!((kind, errno.as_str()), (LinkErrorKind::NotPermitted, "EPERM"));
    for part in ["umask 002", "group", "one user"] {
        assert!(remedy.contains(part), "{part} in {remedy}");
    }
    // One of ours may be linked, and yet it is no proof.
    let not_yet = ProbeOutcome::NotProven(NotProven::NoFileYet);
    assert_eq!(ask(&files, None, LinkMode::Hardlink), not_yet);
}

#[test]
fn two_mounts_and_closed_libraries_are_told() {
    spec!("file-layout#links-are-proven-before-they-are-needed/it-does-not-work");
    for existing in [None, Some(FILM)] {
        let files = downloads();
        files.mount("/lib", 2);
        let (kind, errno, remedy) = failed(ask(&files, existing, LinkMode::Hardlink));
        assert_eq!((kind, errno.as_str()), (LinkErrorKind::CrossDevice, "EXDEV"));
        assert!(remedy.contains("common parent"), "{remedy}");
        for (refused, expected) in [
            (FilesErrorKind::Denied, LinkErrorKind::Denied),
            (FilesErrorKind::ReadOnly, LinkErrorKind::ReadOnly),
        ] {
            let files = downloads();
            files.refuse_names_in("/lib", refused);
            assert_eq!(failed(ask(&files, existing, LinkMode::Hardlink)).0, expected);
        }
        let files = downloads();
        files.remove("/lib");
        let (kind, ..) = failed(ask(&files, existing, LinkMode::Hardlink));
        assert_eq!(kind, LinkErrorKind::RootMissing);
    }
    let files = downloads();
    files.set_clones(false);
    let (kind, ..) = failed(ask(&files, Some(FILM), LinkMode::Reflink));
    assert_eq!(kind, LinkErrorKind::Unsupported);
}

#[test]
fn branches_of_a_union_are_told() {
    spec!("file-layout#links-are-proven-before-they-are-needed/file-by-file");
    // A new file lands on another branch than the film lies on.
    let files = FakeFiles::new();
    files.dir("/lib");
    files.file("/media/film.mkv", 10);
    files.mount("/dl", 2);
    let library = library();
    let found = probe(&files, Path::new("/dl"), Some(Path::new("/media/film.mkv")), &library);
    assert_eq!(found, ProbeOutcome::NotProven(NotProven::FileByFile));
}

#[test]
fn what_a_killed_probe_left_is_removed() {
    spec!("file-layout#links-are-proven-before-they-are-needed/killed-while-probing");
    let mut died = 0;
    let whole = downloads();
    probe(&whole, Path::new("/dl"), Some(Path::new(FILM)), &library());
    for nth in 1..=whole.calls() {
        let files = downloads();
        let before = files.listing();
        files.die_on_call(nth);
        probe(&files, Path::new("/dl"), Some(Path::new(FILM)), &library());
        files.heal();
        died += usize::from(files.listing() != before);
        assert_eq!(
            probe(&files, Path::new("/dl"), Some(Path::new(FILM)), &library()),
            ProbeOutcome::Proven,
            "call {nth}"
        );
        let left: Vec<_> =
            files.listing().into_iter().filter(|line| !before.contains(line)).collect();
        assert!(left.is_empty(), "call {nth}: {left:?}");
    }
    assert!(died > 2, "{died}");
}
