//! The ways to link, what is replaced, what is verified, and what failures say.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{FileIdentity, Files, FilesErrorKind};
use tracker_testkit::{FakeFiles, spec};

use crate::file_tests::{batch_id, execute, library, link, link_id};
use crate::{
    ConflictKind, KeptReason, LinkErrorKind, LinkHealth, LinkToMake, LinkToRemove, LinkToVerify,
    MadeLink, Plan, PlannedLink, StagedLink, WrittenLink, check_targets, confirm_sources, stage,
    trash_path, undo, verify,
};

const TARGET: &str = "/lib/Film/Film.mkv";
const SOURCE: &str = "/dl/film.mkv";
const ROOT: &str = "/lib";

fn film() -> (FakeFiles, Vec<LinkToMake>) {
    let files = FakeFiles::new();
    files.dir(ROOT);
    files.file(SOURCE, 10);
    (files, vec![link(1, SOURCE, TARGET)])
}

fn of_mode(mode: LinkMode) -> Library {
    Library { mode, ..library() }
}

fn identity(files: &FakeFiles, path: impl AsRef<Path>) -> Option<FileIdentity> {
    files.stat(path.as_ref()).unwrap().map(|found| found.identity)
}

fn undo_one(
    files: &FakeFiles,
    made: &MadeLink,
    replaced: Option<FileIdentity>,
) -> crate::UndoReport {
    let link = LinkToRemove {
        link_id: made.link_id,
        identity: made.identity,
        target: PathBuf::from(TARGET),
        replaced,
        size_bytes: Some(made.size_bytes),
        modified_ns: None,
        last_stays: false,
        trash_of: None,
    };
    undo(files, Path::new(ROOT), batch_id(), &[link])
}

#[test]
fn each_mode_makes_what_it_says() {
    spec!("file-layout#the-mode-of-a-library/each-mode");
    for mode in [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink] {
        let (files, batch) = film();
        let before = files.listing();
        let source = files.stat(Path::new(SOURCE)).unwrap().unwrap();
        let made = execute(&files, &batch, &of_mode(mode)).unwrap();
        let target = files.stat(Path::new(TARGET)).unwrap().unwrap();
        assert_eq!((made[0].identity, made[0].size_bytes), (target.identity, 10), "{mode}");
        let same = target.identity == source.identity;
        assert_eq!(same, mode == LinkMode::Hardlink, "{mode}");
        assert_eq!(target.is_symlink, mode == LinkMode::Symlink, "{mode}");
        if mode == LinkMode::Symlink {
            assert_eq!(files.read_link(Path::new(TARGET)).unwrap(), Path::new(SOURCE));
        }
        // One rule for all: what is at the target is removed by its identity.
        let report = undo_one(&files, &made[0], None);
        assert_eq!((report.removed.len(), report.kept.len()), (1, 0), "{mode}");
        assert_eq!(files.listing(), before, "{mode}");
    }
}

#[test]
fn a_symbolic_link_that_is_there_already_is_success() {
    spec!("file-layout#the-mode-of-a-library/symbolic-link-is-there-already");
    let (files, batch) = film();
    let symlink = of_mode(LinkMode::Symlink);
    let made = execute(&files, &batch, &symlink).unwrap();
    let staged = stage(&files, &symlink, &batch, &|_| {}).unwrap();
    assert!(staged[0].there_already);
    assert_eq!(staged[0].made(), made[0]);
    files.remove(TARGET);
    files.symlink(TARGET, "/dl/another.mkv");
    let error = stage(&files, &symlink, &batch, &|_| {}).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::Conflict);
}

#[test]
fn a_copy_tells_its_bytes() {
    spec!("file-layout#the-mode-of-a-library/progress-of-a-copy");
    let (files, batch) = film();
    let told = std::cell::Cell::new(0);
    let progress = |bytes| told.set(told.get() + bytes);
    stage(&files, &of_mode(LinkMode::Copy), &batch, &progress).unwrap();
    assert_eq!(told.get(), 10);
}

#[test]
fn a_source_that_changes_during_a_copy_is_refused() {
    spec!("file-layout#the-mode-of-a-library/source-changes-during-a-copy");
    let (files, batch) = film();
    let before = files.listing();
    let exchanged = |_bytes| {
        files.file(SOURCE, 10);
    };
    let error = stage(&files, &of_mode(LinkMode::Copy), &batch, &exchanged).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::SourceChanged);
    assert_eq!(files.listing().len(), before.len(), "no copy is left");
}

#[test]
fn no_mode_falls_back_to_another() {
    spec!("file-layout#the-mode-of-a-library/never-another-mode");
    let (files, batch) = film();
    let before = files.listing();
    files.set_clones(false);
    let error = execute(&files, &batch, &of_mode(LinkMode::Reflink)).unwrap_err();
    assert_eq!((error.kind, error.errno.as_str()), (LinkErrorKind::Unsupported, "EOPNOTSUPP"));
    assert!(error.to_string().contains("btrfs"), "{error}");
    files.mount(ROOT, 2);
    for mode in [LinkMode::Hardlink, LinkMode::Reflink] {
        files.set_clones(true);
        let error = execute(&files, &batch, &of_mode(mode)).unwrap_err();
        assert_eq!((error.kind, error.errno.as_str()), (LinkErrorKind::CrossDevice, "EXDEV"));
    }
    assert_eq!(files.listing(), before);
    execute(&files, &batch, &of_mode(LinkMode::Copy)).unwrap();
}

#[test]
fn what_is_replaced_waits_in_the_trash() {
    spec!("file-layout#replaced-files-go-to-the-trash/replaced-and-brought-back");
    for mode in [LinkMode::Hardlink, LinkMode::Copy] {
        let (files, mut batch) = film();
        let old = files.file(TARGET, 7);
        let before = files.listing();
        assert_eq!(
            execute(&files, &batch, &of_mode(mode)).unwrap_err().kind,
            LinkErrorKind::Conflict
        );
        batch[0].replace = true;
        let made = execute(&files, &batch, &of_mode(mode)).unwrap();
        let trash = trash_path(Path::new(ROOT), batch_id(), Path::new(TARGET)).unwrap();
        assert_eq!(
            trash,
            Path::new(ROOT).join(format!(".tracker-trash/{}/Film/Film.mkv", batch_id()))
        );
        assert_eq!(identity(&files, &trash), Some(old));
        assert_eq!(identity(&files, TARGET), Some(made[0].identity));
        let report = undo_one(&files, &made[0], Some(old));
        assert_eq!(report.restored, [link_id(1)]);
        assert_eq!(files.listing(), before, "the trash is gone with its folders");
        // Asked again, nothing changes: what is there now is not ours.
        let report = undo_one(&files, &made[0], Some(old));
        assert_eq!(report.kept, [(PathBuf::from(TARGET), KeptReason::NotOurLink)]);
        assert_eq!(files.listing(), before);
    }
}

#[test]
fn only_files_are_replaced() {
    spec!("file-layout#replaced-files-go-to-the-trash/only-files");
    let (files, mut batch) = film();
    batch[0].replace = true;
    files.dir(TARGET);
    let before = files.listing();
    let error = execute(&files, &batch, &library()).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::Conflict);
    assert_eq!(files.listing(), before);
    // A symbolic link is moved itself.
    files.remove(TARGET);
    files.symlink(TARGET, "/dl/other.mkv");
    execute(&files, &batch, &library()).unwrap();
    let trash = trash_path(Path::new(ROOT), batch_id(), Path::new(TARGET)).unwrap();
    assert_eq!(files.read_link(&trash).unwrap(), Path::new("/dl/other.mkv"));
}

#[test]
fn a_file_on_another_filesystem_is_not_replaced() {
    spec!("file-layout#replaced-files-go-to-the-trash/another-filesystem");
    let (files, mut batch) = film();
    batch[0].replace = true;
    files.mount("/lib/Film", 2);
    files.file(TARGET, 7);
    let before = files.listing();
    let error = execute(&files, &batch, &of_mode(LinkMode::Copy)).unwrap_err();
    assert_eq!((error.kind, error.errno.as_str()), (LinkErrorKind::Conflict, "EXDEV"));
    assert_eq!(files.listing(), before);
}

#[test]
fn a_file_that_was_exchanged_is_not_replaced() {
    spec!("file-layout#replaced-files-go-to-the-trash/exchanged-meanwhile");
    let (files, mut batch) = film();
    batch[0].replace = true;
    files.file(TARGET, 7);
    let staged = stage(&files, &library(), &batch, &|_| {}).unwrap();
    let theirs = files.file(TARGET, 8);
    let error = crate::commit(&files, &library(), batch_id(), &batch, &staged).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::Conflict);
    assert_eq!(identity(&files, TARGET), Some(theirs));
    assert!(!files.listing().iter().any(|line| line.contains("/.tracker-")));
}

#[test]
fn a_name_that_is_taken_keeps_the_trash() {
    spec!("file-layout#undo-gives-back-what-was-there/name-is-taken");
    let (files, mut batch) = film();
    batch[0].replace = true;
    let old = files.file(TARGET, 7);
    let made = execute(&files, &batch, &library()).unwrap();
    files.remove(TARGET);
    let theirs = files.file(TARGET, 8);
    let trash = trash_path(Path::new(ROOT), batch_id(), Path::new(TARGET)).unwrap();
    let report = undo_one(&files, &made[0], Some(old));
    assert_eq!(
        report.kept,
        [(PathBuf::from(TARGET), KeptReason::NotOurLink), (trash.clone(), KeptReason::NotRestored)]
    );
    assert_eq!(identity(&files, &trash), Some(old));
    assert_eq!(identity(&files, TARGET), Some(theirs));
    // A link that somebody removed leaves the name free.
    files.remove(TARGET);
    let report = undo_one(&files, &made[0], Some(old));
    assert_eq!((report.gone.len(), report.restored.len()), (1, 1));
    assert_eq!(identity(&files, TARGET), Some(old));
}

#[test]
fn a_library_that_is_not_mounted_is_not_undone() {
    spec!("file-layout#undo-gives-back-what-was-there/root-is-missing");
    let (files, batch) = film();
    let made = execute(&files, &batch, &library()).unwrap();
    files.remove(ROOT);
    for empty in [false, true] {
        if empty {
            files.mount(ROOT, 77);
        }
        let report = undo_one(&files, &made[0], None);
        assert_eq!(report.kept, [(PathBuf::from(TARGET), KeptReason::RootMissing)]);
        assert!(!report.is_complete() && report.gone.is_empty());
        let written = WrittenLink {
            link_id: made[0].link_id,
            source: batch[0].source.clone(),
            target: PathBuf::from(TARGET),
            identity: Some(made[0].identity),
            replaces: None,
            there_already: false,
        };
        assert!(crate::recover(&files, Path::new(ROOT), batch_id(), &[written]).is_err());
    }
}

#[test]
fn an_inode_that_was_given_out_anew_is_not_ours() {
    spec!("file-layout#undo-gives-back-what-was-there/another-size");
    let (files, batch) = film();
    let made = execute(&files, &batch, &library()).unwrap();
    let other = MadeLink { size_bytes: made[0].size_bytes + 1, ..made[0] };
    let report = undo_one(&files, &other, None);
    assert_eq!(report.kept, [(PathBuf::from(TARGET), KeptReason::NotOurLink)]);
    assert_eq!(identity(&files, TARGET), Some(made[0].identity));
}

#[test]
fn a_disk_is_known_again_under_another_number() {
    spec!("file-layout#undo-gives-back-what-was-there/another-device-number");
    for foreign in [false, true] {
        let (files, batch) = film();
        let before = files.listing();
        let made = execute(&files, &batch, &library()).unwrap();
        if foreign {
            files.remove(TARGET);
            files.file(TARGET, 9);
        }
        files.renumber(77);
        let report = undo_one(&files, &made[0], None);
        if foreign {
            assert_eq!(report.kept, [(PathBuf::from(TARGET), KeptReason::NotOurLink)]);
        } else {
            assert_eq!(report.removed, [made[0].link_id]);
            assert_eq!(files.listing(), before);
        }
    }

    // A replaced file comes back, and what broke off is known.
    let (files, batch) = film();
    let old = files.file(TARGET, 9);
    let replacing = vec![LinkToMake { replace: true, ..batch[0].clone() }];
    let made = execute(&files, &replacing, &library()).unwrap();
    files.renumber(77);
    let written = WrittenLink {
        link_id: made[0].link_id,
        source: batch[0].source.clone(),
        target: PathBuf::from(TARGET),
        identity: Some(made[0].identity),
        replaces: Some(old),
        there_already: false,
    };
    let found = crate::recover(&files, Path::new(ROOT), batch_id(), &[written]).unwrap();
    assert!(matches!(found[0].state, crate::RecoveredState::Made(_)), "{found:?}");
    let report = undo_one(&files, &made[0], Some(old));
    assert_eq!((report.removed.len(), report.restored.len()), (1, 1), "{report:?}");
    assert_eq!(identity(&files, TARGET).map(|found| found.inode), Some(old.inode));
}

#[test]
fn links_are_verified() {
    spec!("file-layout#links-are-verified/each-answer");
    for mode in [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink] {
        let health = |change: fn(&FakeFiles)| {
            let (files, batch) = film();
            let made = execute(&files, &batch, &of_mode(mode)).unwrap();
            change(&files);
            let link = LinkToVerify {
                link_id: link_id(1),
                source: PathBuf::from(SOURCE),
                target: PathBuf::from(TARGET),
                identity: made[0].identity,
                size_bytes: made[0].size_bytes,
                mode,
                modified_ns: None,
            };
            let before = files.listing();
            let mut found = verify(&files, Some(Path::new(ROOT)), &[link]);
            assert_eq!(files.listing(), before);
            found.pop().unwrap().1
        };
        assert_eq!(health(|_| {}), LinkHealth::Present, "{mode}");
        assert_eq!(health(|files| files.renumber(77)), LinkHealth::Present, "{mode}");
        assert_eq!(health(|files| files.remove(TARGET)), LinkHealth::Missing, "{mode}");
        let replace = |files: &FakeFiles| {
            files.file(TARGET, 10);
        };
        assert_eq!(health(replace), LinkHealth::Replaced, "{mode}");
        assert_eq!(health(|files| files.remove(SOURCE)), LinkHealth::SourceGone, "{mode}");
        let other = |files: &FakeFiles| {
            files.file(SOURCE, 11);
        };
        assert_eq!(health(other), LinkHealth::SourceReplaced, "{mode}");
        let refuse = |files: &FakeFiles| files.fail_on_call(2, FilesErrorKind::Io);
        assert!(matches!(health(refuse), LinkHealth::Unknown(cause) if cause.errno == "EIO"));
    }
}

#[test]
fn each_failure_says_what_to_do() {
    spec!("file-layout#failures-say-what-to-do/each-cause");
    for (kind, errno, expected, part) in [
        (FilesErrorKind::CrossDevice, "EXDEV", LinkErrorKind::CrossDevice, "common parent"),
        (FilesErrorKind::NotPermitted, "EPERM", LinkErrorKind::NotPermitted, "umask 002"),
        (FilesErrorKind::Denied, "EACCES", LinkErrorKind::Denied, "common group"),
        (FilesErrorKind::TooManyLinks, "EMLINK", LinkErrorKind::TooManyLinks, "as many names"),
        (FilesErrorKind::NoSpace, "ENOSPC", LinkErrorKind::NoSpace, "free some"),
        (FilesErrorKind::Quota, "EDQUOT", LinkErrorKind::Quota, "quota"),
        (FilesErrorKind::ReadOnly, "EROFS", LinkErrorKind::ReadOnly, "mount it writable"),
        (FilesErrorKind::NameTooLong, "ENAMETOOLONG", LinkErrorKind::NameTooLong, "shorten"),
        (FilesErrorKind::Unsupported, "EOPNOTSUPP", LinkErrorKind::Unsupported, "mode ="),
        (FilesErrorKind::Io, "EIO", LinkErrorKind::Io, "health"),
    ] {
        let (files, batch) = film();
        let before = files.listing();
        files.refuse_links_of(SOURCE, kind);
        let error = execute(&files, &batch, &library()).unwrap_err();
        assert_eq!((error.kind, error.errno.as_str()), (expected, errno));
        let text = error.to_string();
        for part in [part, errno, SOURCE, TARGET, "nothing was changed"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(files.listing(), before);
    }
}

#[test]
fn what_could_not_be_taken_back_is_named() {
    spec!("file-layout#failures-say-what-to-do/left-behind");
    let (files, batch) = film();
    let temporary = Path::new(TARGET).with_file_name(crate::temporary_name(link_id(1)));
    // The disk breaks for good when the link was made, and its name is there.
    let calls = files.calls();
    stage(&files, &library(), &batch, &|_| {}).unwrap();
    let last = files.calls() - calls;
    let (files, batch) = film();
    files.die_on_call(last);
    let error = stage(&files, &library(), &batch, &|_| {}).unwrap_err();
    assert_eq!(error.left_behind.first(), Some(&temporary));
    let text = error.to_string();
    assert!(text.contains("could not be taken back"), "{text}");
    assert!(!text.contains("nothing was changed"), "{text}");
}

fn planned(target: &str) -> Plan {
    let link = PlannedLink {
        file: 0,
        source: PathBuf::from(SOURCE),
        target: PathBuf::from(target),
        size_bytes: 10,
        role: tracker_domain::recognised::Role::Main,
        beside: None,
        replaces: false,
        ours: None,
    };
    Plan { links: vec![link], ..Plan::default() }
}

#[test]
fn twins_are_conflicts() {
    spec!("file-layout#twins-are-conflicts/file");
    spec!("file-layout#twins-are-conflicts/folder-above");
    let composed = "/lib/Caf\u{e9}/\u{439}.mkv";
    for (there, wanted, kind) in [
        ("/lib/Film/film.MKV", TARGET, Some(ConflictKind::CaseTwin)),
        ("/lib/FILM/x.mkv", TARGET, Some(ConflictKind::CaseTwin)),
        ("/lib/Cafe\u{301}/x.mkv", composed, Some(ConflictKind::UnicodeTwin)),
        ("/lib/Caf\u{e9}/\u{438}\u{306}.mkv", composed, Some(ConflictKind::UnicodeTwin)),
        ("/lib/CAFE\u{301}/x.mkv", composed, Some(ConflictKind::CaseTwin)),
        ("/lib/Film/Other.mkv", TARGET, None),
        (TARGET, TARGET, Some(ConflictKind::TargetExists)),
    ] {
        let (files, _) = film();
        files.file(there, 10);
        let checked = check_targets(&files, planned(wanted), &library()).unwrap();
        let found = checked.conflicts.first().map(|conflict| conflict.kind);
        assert_eq!(found, kind, "{there} {wanted}");
        assert_eq!(checked.links.is_empty(), kind.is_some());
    }
    // The exact name may stand beside a twin: that is as somebody made it.
    let (files, batch) = film();
    execute(&files, &batch, &library()).unwrap();
    files.file("/lib/Film/FILM.mkv", 10);
    let checked = check_targets(&files, planned(TARGET), &library()).unwrap();
    assert_eq!(checked.conflicts, []);
}

#[test]
fn ten_thousand_files_are_looked_at_once() {
    spec!("file-layout#hostile-content-is-refused/ten-thousand-files");
    let files = FakeFiles::new();
    files.dir(ROOT);
    let mut plan = Plan::default();
    for number in 0..10_000 {
        let source = format!("/dl/{number}.mkv");
        plan.links.push(PlannedLink {
            file: number,
            source: PathBuf::from(&source),
            target: PathBuf::from(format!("/lib/Show/{}/{number}.mkv", number % 10)),
            size_bytes: 10,
            role: tracker_domain::recognised::Role::Main,
            beside: None,
            replaces: false,
            ours: None,
        });
    }
    let calls = files.calls();
    let checked = check_targets(&files, plan, &library()).unwrap();
    assert_eq!(checked.links.len(), 10_000);
    // Four looks a file, and twelve folders.
    assert!(files.calls() - calls < 50_000, "{}", files.calls() - calls);
}

#[test]
fn sources_and_targets_that_lead_elsewhere() {
    spec!("file-layout#hostile-content-is-refused/symbolic-links-and-paths");
    let (files, batch) = film();
    files.file("/secret/key", 10);
    files.remove(SOURCE);
    files.symlink(SOURCE, "/secret/key");
    let before = files.listing();
    for mode in [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink] {
        let error = execute(&files, &batch, &of_mode(mode)).unwrap_err();
        assert_eq!(error.kind, LinkErrorKind::NotAFile, "{mode}");
        let outside = [link(1, "/secret/key", "/lib/../etc/x.mkv")];
        let error = execute(&files, &outside, &of_mode(mode)).unwrap_err();
        assert_eq!(error.kind, LinkErrorKind::OutsideRoot, "{mode}");
    }
    // A trash that leads out of the library is not used.
    let (files_two, mut batch) = film();
    files_two.file(TARGET, 7);
    files_two.dir("/elsewhere");
    files_two.symlink("/lib/.tracker-trash", "/elsewhere");
    let before_two = files_two.listing();
    batch[0].replace = true;
    let error = execute(&files_two, &batch, &library()).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::NotAFolder);
    assert_eq!(files_two.listing(), before_two);
    assert_eq!(files.listing(), before);
}

#[test]
fn a_folder_exchanged_for_a_symbolic_link_is_found() {
    spec!("file-layout#hostile-content-is-refused/exchanged-between-check-and-link");
    let files = FakeFiles::new();
    files.dir(ROOT);
    files.file("/dl/show/film.mkv", 10);
    files.file("/secret/film.mkv", 10);
    let batch = [link(1, "/dl/show/film.mkv", TARGET)];
    let confirm = |files: &FakeFiles, staged: &[StagedLink]| {
        let found = confirm_sources(files, Path::new("/dl"), &library(), &batch, staged);
        found.map_err(|error| error.kind)
    };
    let staged = stage(&files, &library(), &batch, &|_| {}).unwrap();
    assert_eq!(confirm(&files, &staged), Ok(()));
    // Between the check of the folders and the link.
    files.remove("/dl/show");
    files.symlink("/dl/show", "/secret");
    let staged = stage(&files, &library(), &batch, &|_| {}).unwrap();
    assert_eq!(confirm(&files, &staged), Err(LinkErrorKind::SourceLeadsOut));
    // And back again, to look harmless.
    files.remove("/dl/show");
    files.file("/dl/show/film.mkv", 10);
    assert_eq!(confirm(&files, &staged), Err(LinkErrorKind::SourceChanged));
    files.remove("/dl/show/film.mkv");
    assert_eq!(confirm(&files, &staged), Err(LinkErrorKind::SourceMissing));
}
