//! Links made, taken back, undone and found again, in a tree of files in memory.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::{Files, FilesErrorKind};
use tracker_domain::recognised::Role;
use tracker_domain::{BatchId, FileLinkId};
use tracker_testkit::{FakeFiles, spec};

use crate::{
    CheckError, ConflictKind, KeptReason, LinkError, LinkErrorKind, LinkToMake, LinkToRemove,
    MadeLink, Plan, PlannedLink, RecoveredState, StagedLink, WrittenLink, check_sources,
    check_targets, commit, recover, stage, take_back, temporary_name, undo,
};

/// Both phases at once, as for a batch of which nothing is written down.
pub fn execute(
    files: &FakeFiles,
    batch: &[LinkToMake],
    library: &Library,
) -> Result<Vec<MadeLink>, LinkError> {
    let staged = stage(files, library, batch, &|_| {})?;
    commit(files, library, batch_id(), batch, &staged)?;
    Ok(staged.iter().map(StagedLink::made).collect())
}

pub fn library() -> Library {
    Library {
        name: "l".to_owned(),
        kind: LibraryKind::Series,
        root: PathBuf::from("/lib"),
        mode: LinkMode::Hardlink,
    }
}

pub fn batch_id() -> BatchId {
    tracker_ident::derived(1_700_000_000_000, 0, "apply_batch").typed()
}

pub fn link_id(number: u64) -> FileLinkId {
    tracker_ident::derived(1_700_000_000_000, number, "file_link").typed()
}

pub fn link(number: u64, source: &str, target: &str) -> LinkToMake {
    LinkToMake {
        link_id: link_id(number),
        source: PathBuf::from(source),
        target: PathBuf::from(target),
        size_bytes: Some(10),
        replace: false,
        ours: None,
    }
}

/// Two episodes on disk and an empty library.
fn two_episodes() -> (FakeFiles, Vec<LinkToMake>) {
    let files = FakeFiles::new();
    files.dir("/lib");
    files.file("/dl/a.mkv", 10);
    files.file("/dl/b.mkv", 10);
    let batch = vec![
        link(1, "/dl/a.mkv", "/lib/Show/Season 01/Show S01E01.mkv"),
        link(2, "/dl/b.mkv", "/lib/Show/Season 01/Show S01E02.mkv"),
    ];
    (files, batch)
}

fn to_remove(batch: &[LinkToMake], made: &[MadeLink]) -> Vec<LinkToRemove> {
    batch
        .iter()
        .zip(made)
        .map(|(link, made)| LinkToRemove {
            link_id: link.link_id,
            identity: made.identity,
            target: link.target.clone(),
            replaced: None,
            size_bytes: None,
            modified_ns: None,
            last_stays: false,
            trash_of: None,
        })
        .collect()
}

fn same_file(files: &FakeFiles, one: &Path, other: &Path) -> bool {
    let identity = |path| files.stat(path).unwrap().map(|stat| stat.identity);
    identity(one).is_some() && identity(one) == identity(other)
}

#[test]
fn links_are_the_same_file() {
    spec!("layout#all-links-of-a-batch-or-none/batch-is-made");
    let (files, batch) = two_episodes();
    let made = execute(&files, &batch, &library()).unwrap();
    assert_eq!(made.len(), 2);
    for link in &batch {
        assert!(same_file(&files, &link.source, &link.target));
    }
    assert!(!files.listing().iter().any(|line| line.contains(".tmp")));
    // Again: nothing changes, and it is no failure.
    let before = files.listing();
    assert_eq!(execute(&files, &batch, &library()).unwrap(), made);
    assert_eq!(files.listing(), before);
    assert_eq!(execute(&files, &[], &library()).unwrap(), []);
}

#[test]
fn a_failure_at_any_step_leaves_nothing() {
    spec!("layout#all-links-of-a-batch-or-none/failure-at-any-step");
    let (files, batch) = two_episodes();
    execute(&files, &batch, &library()).unwrap();
    let calls = files.calls();
    let kinds = [
        FilesErrorKind::NoSpace,
        FilesErrorKind::Denied,
        FilesErrorKind::Exists,
        FilesErrorKind::NotFound,
        FilesErrorKind::Other,
    ];
    for (nth, kind) in (1..=calls).flat_map(|nth| kinds.map(|kind| (nth, kind))) {
        let (files, batch) = two_episodes();
        let before = files.listing();
        files.fail_on_call(nth, kind);
        let error = execute(&files, &batch, &library()).unwrap_err();
        assert_eq!(files.listing(), before, "call {nth} failed with {kind:?}: {error}");
        assert_eq!(error.left_behind, [] as [PathBuf; 0]);
        // And it works the next time.
        execute(&files, &batch, &library()).unwrap();
    }
}

#[test]
fn recovery_does_not_claim_other_files() {
    spec!("layout#a-crash-is-finished-or-taken-back/foreign-file-at-target");
    let (files, batch) = two_episodes();
    files.file(&batch[0].target, 10);
    files.file(batch[1].target.with_file_name(temporary_name(link_id(99))), 1);
    let written: Vec<WrittenLink> = batch
        .iter()
        .map(|link| {
            let source = files.stat(&link.source).unwrap().unwrap();
            link.written(&StagedLink {
                link_id: link.link_id,
                identity: source.identity,
                size_bytes: 10,
                there_already: false,
                replaces: None,
                modified_ns: None,
            })
        })
        .collect();
    let found = recover(&files, Path::new("/lib"), batch_id(), &written).unwrap();
    assert_eq!(found[0].state, RecoveredState::Foreign);
    assert_eq!(found[1].state, RecoveredState::Missing);
    let report = take_back(&files, Path::new("/lib"), batch_id(), &written);
    assert_eq!(report.kept, [(batch[0].target.clone(), KeptReason::NotOurLink)]);
    assert!(report.is_complete());
    assert!(files.listing().iter().any(|line| line.contains(".tmp")), "of another batch");
}

#[test]
fn a_foreign_file_is_never_replaced() {
    spec!("layout#nothing-is-ever-replaced/foreign-file-at-target");
    let (files, batch) = two_episodes();
    let foreign = files.file(&batch[1].target, 10);
    let before = files.listing();
    let error = execute(&files, &batch, &library()).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::Conflict);
    assert_eq!(error.target_path, batch[1].target);
    assert_eq!(files.listing(), before);
    assert_eq!(files.stat(&batch[1].target).unwrap().unwrap().identity, foreign);
}

#[test]
fn links_that_were_there_survive_a_failed_batch() {
    spec!("layout#nothing-is-ever-replaced/link-is-there-already");
    let (files, batch) = two_episodes();
    execute(&files, &batch[..1], &library()).unwrap();
    files.remove("/dl/b.mkv");
    let before = files.listing();
    let error = execute(&files, &batch, &library()).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::SourceMissing);
    assert_eq!(files.listing(), before);
}

#[test]
fn two_mounts_are_told_plainly() {
    spec!("layout#strict-hard-links/two-mounts");
    let (files, batch) = two_episodes();
    files.mount("/lib", 2);
    let before = files.listing();
    let error = execute(&files, &batch, &library()).unwrap_err();
    assert_eq!((error.kind, error.errno.as_str()), (LinkErrorKind::CrossDevice, "EXDEV"));
    assert!(error.to_string().contains("mount one common parent"), "{error}");
    assert!(error.to_string().contains("/dl/a.mkv"), "{error}");
    assert_eq!(files.listing(), before);
}

#[test]
fn only_whole_regular_files_are_linked() {
    spec!("layout#strict-hard-links/source-is-not-what-was-planned");
    for (prepare, kind) in [
        (
            (|files: &FakeFiles| {
                files.file("/dl/a.mkv", 9);
            }) as fn(&FakeFiles),
            LinkErrorKind::SourceChanged,
        ),
        (|files| files.remove("/dl/a.mkv"), LinkErrorKind::SourceMissing),
        (|files| files.symlink("/dl/a.mkv", "/dl/b.mkv"), LinkErrorKind::NotAFile),
        (
            |files| {
                files.remove("/dl/a.mkv");
                files.dir("/dl/a.mkv");
            },
            LinkErrorKind::NotAFile,
        ),
    ] {
        let (files, batch) = two_episodes();
        prepare(&files);
        let before = files.listing();
        assert_eq!(execute(&files, &batch, &library()).unwrap_err().kind, kind);
        assert_eq!(files.listing(), before);
    }
}

#[test]
fn nothing_is_made_outside_the_library() {
    spec!("layout#links-stay-below-the-root/symbolic-link-in-the-library");
    let (files, batch) = two_episodes();
    files.dir("/elsewhere");
    files.symlink("/lib/Show", "/elsewhere");
    let before = files.listing();
    assert_eq!(execute(&files, &batch, &library()).unwrap_err().kind, LinkErrorKind::NotAFolder);
    for target in ["/else/x.mkv", "/lib/../x.mkv", "/lib"] {
        let error = execute(&files, &[link(1, "/dl/a.mkv", target)], &library()).unwrap_err();
        assert_eq!(error.kind, LinkErrorKind::OutsideRoot, "{target}");
    }
    assert_eq!(files.listing(), before);
}

#[test]
fn a_missing_root_is_never_made() {
    spec!("layout#links-stay-below-the-root/missing-root");
    let (files, batch) = two_episodes();
    files.remove("/lib");
    let before = files.listing();
    assert_eq!(execute(&files, &batch, &library()).unwrap_err().kind, LinkErrorKind::RootMissing);
    let error = check_targets(&files, Plan::default(), &library()).unwrap_err();
    assert_eq!(error, CheckError::RootMissing(PathBuf::from("/lib")));
    assert_eq!(files.listing(), before);
}

#[test]
fn the_root_may_be_a_symbolic_link() {
    let (files, batch) = two_episodes();
    files.remove("/lib");
    files.dir("/mnt/media");
    files.symlink("/lib", "/mnt/media");
    execute(&files, &batch, &library()).unwrap();
    assert!(same_file(
        &files,
        Path::new("/dl/a.mkv"),
        Path::new("/mnt/media/Show/Season 01/Show S01E01.mkv")
    ));
}

fn planned(batch: &[LinkToMake]) -> Plan {
    let links = (0..).zip(batch).map(|(file, link)| PlannedLink {
        file,
        source: link.source.clone(),
        target: link.target.clone(),
        size_bytes: 10,
        role: Role::Main,
        beside: None,
        replaces: false,
        ours: None,
    });
    Plan { links: links.collect(), ..Plan::default() }
}

#[test]
fn a_plan_meets_what_is_there() {
    spec!("layout#nothing-is-ever-replaced/conflicts-are-seen-before");
    let (files, mut batch) = two_episodes();
    files.file("/dl/c.mkv", 10);
    files.file("/lib/File", 1);
    batch.push(link(3, "/dl/c.mkv", "/lib/File/x.mkv"));
    execute(&files, &batch[..1], &library()).unwrap();
    files.file(&batch[1].target, 10);
    let before = files.listing();
    let checked = check_targets(&files, planned(&batch), &library()).unwrap();
    assert_eq!(checked.links.len(), 1, "what is ours already is no conflict");
    let kinds: Vec<_> = checked.conflicts.iter().map(|found| (found.file, found.kind)).collect();
    assert_eq!(kinds, [(1, ConflictKind::TargetExists), (2, ConflictKind::NotAFolder)]);
    assert_eq!(files.listing(), before);
}

#[test]
fn a_folder_that_leads_out_of_the_payload_is_refused() {
    spec!("layout#only-the-torrent-s-own-content/a-folder-that-is-a-symbolic-link");
    let files = FakeFiles::new();
    files.dir("/elsewhere");
    files.file("/elsewhere/Film.2001.mkv", 5);
    files.dir("/payload");
    files.symlink(Path::new("/payload/Film.2001"), Path::new("/elsewhere"));
    files.dir("/media/Movies");
    let batch = [link(1, "/payload/Film.2001/Film.2001.mkv", "/media/Movies/Film/Film.mkv")];
    let plan = planned(&batch);
    let refused = check_sources(&files, &plan, "/payload".as_ref());
    assert_eq!(refused, Err(CheckError::LeadsOut("/payload/Film.2001".into())));
    assert!(check_sources(&files, &planned(&[]), "/payload".as_ref()).is_ok());
}

#[test]
fn undo_keeps_what_is_not_ours() {
    spec!("layout#undo-removes-only-own-links/foreign-file-at-target");
    let (files, batch) = two_episodes();
    let made = execute(&files, &batch, &library()).unwrap();
    let mut remove = to_remove(&batch, &made);
    files.file(&batch[0].target, 10);
    files.file("/outside", 1);
    remove.push(LinkToRemove { target: PathBuf::from("/outside"), ..remove[0].clone() });
    let report = undo(&files, Path::new("/lib"), batch_id(), &remove);
    assert_eq!(report.removed, [link_id(2)]);
    assert_eq!(
        report.kept,
        [
            (batch[0].target.clone(), KeptReason::NotOurLink),
            (PathBuf::from("/outside"), KeptReason::OutsideRoot)
        ]
    );
    assert!(files.stat(&batch[0].target).unwrap().is_some());
    assert!(files.stat(Path::new("/dl/b.mkv")).unwrap().is_some(), "downloads are untouched");
}

#[test]
fn undo_follows_no_symbolic_link() {
    spec!("layout#undo-removes-only-own-links/folder-became-a-symbolic-link");
    let (files, batch) = two_episodes();
    let made = execute(&files, &batch, &library()).unwrap();
    files.remove("/lib/Show");
    files.dir("/elsewhere/Season 01");
    files.hard_link(&batch[0].source, Path::new("/elsewhere/Season 01/Show S01E01.mkv")).unwrap();
    files.symlink("/lib/Show", "/elsewhere");
    let before = files.listing();
    let report = undo(&files, Path::new("/lib"), batch_id(), &to_remove(&batch, &made));
    assert!(report.kept.iter().all(|(_, reason)| *reason == KeptReason::NotAFolder));
    assert_eq!(files.listing(), before);
}

#[test]
fn undo_goes_on_after_a_failure() {
    spec!("layout#undo-removes-only-own-links/failure-in-the-middle");
    let (files, batch) = two_episodes();
    let made = execute(&files, &batch, &library()).unwrap();
    let remove = to_remove(&batch, &made);
    // The first look is for the root.
    files.fail_on_call(2, FilesErrorKind::Denied);
    let report = undo(&files, Path::new("/lib"), batch_id(), &remove);
    assert_eq!((report.removed.len(), report.kept.len(), report.errors.len()), (1, 1, 1));
    let report = undo(&files, Path::new("/lib"), batch_id(), &remove);
    assert_eq!((report.removed.len(), report.gone.len(), report.kept.len()), (1, 1, 0));
    assert_eq!(files.stat(Path::new("/lib/Show")).unwrap(), None);
}

proptest! {
    #[test]
    fn apply_then_undo_changes_nothing(
        foreign in proptest::collection::vec(("[ab]", "[cd]", "[ef]"), 0..4),
        targets in proptest::collection::btree_set(("[ab]", "[cd]", "[e-h]"), 1..7),
        fail in proptest::option::of(1..60usize),
    ) {
        spec!("layout#undo-removes-only-own-links/library-is-as-before");
        let files = FakeFiles::new();
        files.dir("/lib");
        for (one, two, name) in &foreign {
            files.file(format!("/lib/{one}/{two}/{name}.mkv"), 10);
        }
        let mut batch = Vec::new();
        for (number, (one, two, name)) in (1..).zip(&targets) {
            let source = format!("/dl/{number}.mkv");
            files.file(&source, 10);
            batch.push(link(number, &source, &format!("/lib/{one}/{two}/{name}.mkv")));
        }
        let before = files.listing();
        if let Some(nth) = fail {
            files.fail_on_call(nth, FilesErrorKind::Other);
        }
        match execute(&files, &batch, &library()) {
            Ok(made) => {
                files.heal();
                for link in &batch {
                    prop_assert!(same_file(&files, &link.source, &link.target));
                }
                let report = undo(&files, Path::new("/lib"), batch_id(), &to_remove(&batch, &made));
                prop_assert_eq!(report.removed.len(), batch.len());
            }
            Err(error) => prop_assert_eq!(error.left_behind.len(), 0),
        }
        prop_assert_eq!(files.listing(), before);
    }
}
