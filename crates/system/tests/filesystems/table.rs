//! The table of outcomes: each filesystem with each way to link.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tracker_domain::library::LinkMode;
use tracker_domain::ports::{FileStat, Files, FilesError, FilesErrorKind, Filesystem};
use tracker_layout::{
    LinkErrorKind, LinkHealth, LinkToMake, NotProven, ProbeOutcome, commit, probe, stage, verify,
};
use tracker_system::LocalFiles;
use tracker_testkit::spec;

use crate::disks::{self, Disk, Prepared};
use crate::{MODES, again, apply, batch_id, library, link, need_root, take_out, to_verify, tree};

const FILES: u64 = 6;

/// The name of the error, or that it works.
type Expected = Result<(), &'static str>;

struct Case {
    name: &'static str,
    prepare: fn(&Path) -> Prepared,
    /// Hard link, clone, copy, symbolic link.
    expected: [Expected; 4],
}

const fn case(name: &'static str, prepare: fn(&Path) -> Prepared, expected: [Expected; 4]) -> Case {
    Case { name, prepare, expected }
}

const OK: Expected = Ok(());
const NO_CLONE: Expected = Err("EOPNOTSUPP");
const FULL: Expected = Err("ENOSPC");
const READ_ONLY: Expected = Err("EROFS");
const UNSTABLE: Expected = Err("unstable-inodes");
const TWO: Expected = Err("EXDEV");

/// What is on its disk before it is mounted in the way of the case writes its
/// payload itself; the others get it when they are mounted.
const CASES: [Case; 18] = [
    case("ext4", disks::ext4, [OK, NO_CLONE, OK, OK]),
    case("tmpfs", disks::tmpfs, [OK, NO_CLONE, OK, OK]),
    case("xfs with reflinks", disks::xfs, [OK, OK, OK, OK]),
    case("btrfs", disks::btrfs, [OK, OK, OK, OK]),
    case("btrfs, two subvolumes", disks::btrfs_subvolumes, [TWO, OK, OK, OK]),
    case("two bind mounts of one disk", disks::two_binds, [TWO, NO_CLONE, OK, OK]),
    case("two disks", disks::two_disks, [TWO, TWO, OK, OK]),
    case("overlay, payload below", |at| disks::overlay(at, &payload), [OK, NO_CLONE, OK, OK]),
    case("no space left", |at| disks::without_space(at, &payload), [OK, NO_CLONE, FULL, OK]),
    case("no inode left", |at| disks::without_inodes(at, &payload), [FULL, FULL, FULL, FULL]),
    case(
        "read-only",
        |at| disks::read_only(at, &payload),
        [READ_ONLY, READ_ONLY, READ_ONLY, READ_ONLY],
    ),
    case("ntfs-3g", disks::ntfs, [OK, NO_CLONE, OK, OK]),
    case("exfat over FUSE", disks::exfat_over_fuse, [Err("EPERM"), NO_CLONE, OK, Err("ENOSYS")]),
    case("exfat of the kernel", disks::exfat, [Err("EPERM"), NO_CLONE, OK, Err("EPERM")]),
    case("vfat of the kernel", disks::vfat, [Err("EPERM"), NO_CLONE, OK, Err("EPERM")]),
    case("mergerfs, two branches", |at| disks::union(at, &payload), [TWO, NO_CLONE, OK, OK]),
    case("mergerfs, one branch", |at| disks::one_branch(at, &payload), [OK, NO_CLONE, OK, OK]),
    case(
        "mergerfs without use_ino",
        |at| disks::unstable(at, &payload),
        [UNSTABLE, NO_CLONE, UNSTABLE, UNSTABLE],
    ),
];

fn payload(disk: &Disk) {
    let show = disk.downloads.join("Show");
    if show.exists() {
        return;
    }
    std::fs::create_dir(&show).unwrap();
    for number in 1..=FILES {
        let size = usize::try_from(number).unwrap() * 1000;
        let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
        std::fs::write(show.join(format!("серия {number}.mkv")), bytes).unwrap();
    }
}

fn batch(disk: &Disk) -> Vec<LinkToMake> {
    (1..=FILES)
        .map(|number| {
            let source = disk.downloads.join(format!("Show/серия {number}.mkv"));
            let folder = disk.library.join(format!("Шоу/Season 0{}", number % 2));
            link(number, source, folder.join(format!("Шоу S01E0{number}.mkv")))
        })
        .collect()
}

#[test]
fn filesystems_do_what_the_table_says() {
    spec!("file-layout#real-filesystems/table-of-outcomes");
    let Some(place) = again::inner_place() else {
        need_root();
        let place = tempfile::tempdir().unwrap();
        let name = "table::filesystems_do_what_the_table_says";
        let said = again::run(name, &again::OWN_MOUNTS, place.path());
        print_table(&said);
        return;
    };
    let mut wrong = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        let below = place.join(number.to_string());
        std::fs::create_dir(&below).unwrap();
        match (case.prepare)(&below) {
            Err(why) => println!("| {} | not here: {why} | | | |", case.name),
            Ok(disk) => {
                let found = MODES.map(|mode| outcome(case.name, &disk, mode));
                let shown = found.iter().fold(String::new(), |mut row, found| {
                    let _ =
                        write!(row, " {} |", found.as_ref().err().map_or("works", String::as_str));
                    row
                });
                println!("| {} |{shown}", case.name);
                let as_expected = found.iter().zip(case.expected).all(|(found, expected)| {
                    found.as_ref().err().map(String::as_str) == expected.err()
                });
                if !as_expected {
                    wrong.push(format!("{}: {found:?}, not {:?}", case.name, case.expected));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rows of the inner run, for a person who asks with `--nocapture`.
#[expect(clippy::print_stdout, reason = "the table is for people")]
fn print_table(said: &str) {
    println!("| filesystem | hardlink | reflink | copy | symlink |");
    println!("|---|---|---|---|---|");
    for row in said.lines().filter(|line| line.starts_with('|')) {
        println!("{row}");
    }
}

/// Applies, verifies and undoes; the disk must be as before whatever happens.
fn outcome(name: &str, disk: &Disk, mode: LinkMode) -> Result<(), String> {
    payload(disk);
    let links = batch(disk);
    let library = library(&disk.library, mode);
    let (before, payload_before) = (tree(&disk.library), tree(&disk.downloads));
    let existing = links.first().map(|link| link.source.as_path());
    let probed = probe(&LocalFiles, &disk.downloads, existing, &library);
    assert_eq!(tree(&disk.library), before, "{name} {mode}: a probe leaves nothing");
    let applied = apply(&library, &links);
    match &applied {
        Ok(staged) => {
            let health = verify(&LocalFiles, Some(&disk.library), &to_verify(&links, staged, mode));
            let whole = health.len() == links.len()
                && health.iter().all(|(_, health)| *health == LinkHealth::Present);
            assert!(whole, "{name} {mode}: {health:?}");
            for link in &links {
                let (from, to) =
                    (std::fs::read(&link.source).unwrap(), std::fs::read(&link.target).unwrap());
                assert_eq!(from, to, "{name} {mode}");
            }
            let report = take_out(&disk.library, &links, staged);
            assert!(report.is_complete() && report.errors.is_empty(), "{name} {mode}: {report:?}");
        }
        Err(error) => {
            assert_eq!(error.left_behind, Vec::<PathBuf>::new(), "{name} {mode}: {error}");
            assert!(error.to_string().ends_with("nothing was changed"), "{error}");
        }
    }
    assert_eq!(tree(&disk.library), before, "{name} {mode}");
    let payload_after = tree(&disk.downloads);
    let same = payload_before.iter().zip(&payload_after).all(|(before, after)| {
        // An overlay copies a file up to give it another name.
        before.path == after.path
            && before.content == after.content
            && before.modified == after.modified
            && before.mode == after.mode
            && before.links == after.links
    });
    assert!(same && payload_before.len() == payload_after.len(), "{name} {mode}: the payload");
    match (&applied, &probed) {
        (Ok(_), ProbeOutcome::Proven | ProbeOutcome::NotProven(NotProven::FileByFile)) => {}
        // A full or closed disk may refuse a batch after an empty file went well.
        (Err(error), _) if error.kind == LinkErrorKind::NoSpace => {}
        (Err(error), ProbeOutcome::Failed { errno, .. }) => {
            assert_eq!(*errno, error.errno, "{name} {mode}");
        }
        (applied, probed) => panic!("{name} {mode}: {applied:?}, but probed {probed:?}"),
    }
    applied.map(drop).map_err(|error| error.errno)
}

#[test]
fn device_numbers_lie() {
    spec!("file-layout#real-filesystems/two-bind-mounts");
    let Some(place) = again::inner_place() else {
        need_root();
        let place = tempfile::tempdir().unwrap();
        again::run("table::device_numbers_lie", &again::OWN_MOUNTS, place.path());
        return;
    };
    let disk = disks::two_binds(&place).unwrap();
    payload(&disk);
    let device = |path: &Path| std::fs::metadata(path).unwrap().dev();
    assert_eq!(device(&disk.downloads), device(&disk.library), "the premise");
    let library = library(&disk.library, LinkMode::Hardlink);
    for existing in [None, Some(disk.downloads.join("Show/серия 1.mkv"))] {
        match probe(&LocalFiles, &disk.downloads, existing.as_deref(), &library) {
            ProbeOutcome::Failed { kind, errno, remedy } => {
                assert_eq!((kind, errno.as_str()), (LinkErrorKind::CrossDevice, "EXDEV"));
                assert!(remedy.contains("common parent"), "{remedy}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A disk with shorter names, as an encrypted folder has.
struct ShortNames;

const SHORT: usize = 143;

fn fits(operation: &'static str, path: &Path) -> Result<(), FilesError> {
    if path.file_name().is_none_or(|name| name.len() <= SHORT) {
        return Ok(());
    }
    Err(FilesError {
        operation,
        path: path.display().to_string(),
        errno: "ENAMETOOLONG".to_owned(),
        kind: FilesErrorKind::NameTooLong,
    })
}

impl Files for ShortNames {
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError> {
        fits("stat", path)?;
        LocalFiles.stat(path)
    }

    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        fits("link", target)?;
        LocalFiles.hard_link(source, target)
    }

    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        fits("clone", target)?;
        LocalFiles.clone_file(source, target)
    }

    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError> {
        fits("copy", target)?;
        LocalFiles.copy_file(source, target, progress)
    }

    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError> {
        fits("symlink", link)?;
        LocalFiles.symbolic_link(to, link)
    }

    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError> {
        LocalFiles.read_link(link)
    }

    fn make_file(&self, path: &Path) -> Result<(), FilesError> {
        fits("create", path)?;
        LocalFiles.make_file(path)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        fits("rename", to)?;
        LocalFiles.rename_new(from, to)
    }

    fn unlink(&self, path: &Path) -> Result<(), FilesError> {
        LocalFiles.unlink(path)
    }

    fn make_dir(&self, path: &Path) -> Result<bool, FilesError> {
        fits("mkdir", path)?;
        LocalFiles.make_dir(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError> {
        LocalFiles.remove_empty_dir(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<(), FilesError> {
        LocalFiles.sync_dir(path)
    }

    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError> {
        LocalFiles.list_dir(path)
    }

    fn name_limit(&self, _path: &Path) -> Result<usize, FilesError> {
        Ok(SHORT)
    }

    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError> {
        LocalFiles.filesystem(path)
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        LocalFiles.free_bytes(path)
    }
}

#[test]
fn names_up_to_the_limit() {
    spec!("file-layout#real-filesystems/short-names");
    let place = tempfile::tempdir().unwrap();
    let disk = Disk::below(place.path());
    payload(&disk);
    let before = tree(&disk.library);
    let target = |bytes: usize| {
        let name = format!("{}.mkv", "й".repeat((bytes - 4) / 2));
        disk.library.join("x".repeat(SHORT)).join(format!("{}{name}", "x".repeat((bytes - 4) % 2)))
    };
    let source = disk.downloads.join("Show/серия 1.mkv");
    for mode in [LinkMode::Hardlink, LinkMode::Copy, LinkMode::Symlink] {
        let library = library(&disk.library, mode);
        let fits = [link(1, source.clone(), target(SHORT))];
        assert_eq!(fits[0].target.file_name().unwrap().len(), SHORT);
        let staged = stage(&ShortNames, &library, &fits, &|_| {}).unwrap();
        commit(&ShortNames, &library, batch_id(), &fits, &staged).unwrap();
        assert!(take_out(&disk.library, &fits, &staged).is_complete());
        let too_long = [link(1, source.clone(), target(SHORT + 1))];
        let error = stage(&ShortNames, &library, &too_long, &|_| {}).unwrap_err();
        assert_eq!(
            (error.kind, error.errno.as_str()),
            (LinkErrorKind::NameTooLong, "ENAMETOOLONG")
        );
        assert_eq!(tree(&disk.library), before, "{mode}");
    }
    // And what the disk itself refuses.
    let real = LocalFiles.name_limit(&disk.library).unwrap();
    let long = disk.library.join("y".repeat(real + 1));
    let error = apply(&library(&disk.library, LinkMode::Hardlink), &[link(1, source, long)]);
    assert_eq!(error.unwrap_err().kind, LinkErrorKind::NameTooLong);
    assert_eq!(tree(&disk.library), before);
}

#[test]
fn a_copy_whose_source_is_written_to_is_refused() {
    spec!("file-layout#the-mode-of-a-library/source-changes-during-a-copy");
    let place = tempfile::tempdir().unwrap();
    let disk = Disk::below(place.path());
    let source = disk.downloads.join("film.mkv");
    std::fs::write(&source, vec![1_u8; 3 << 20]).unwrap();
    let old = std::fs::File::options().write(true).open(&source).unwrap();
    old.set_modified(std::time::UNIX_EPOCH).unwrap();
    let links = [link(1, source.clone(), disk.library.join("Film/Film.mkv"))];
    // The same size, the same inode: only the time tells.
    let write = |_bytes| {
        use std::os::unix::fs::FileExt;
        old.write_all_at(b"rewritten", 0).unwrap();
    };
    let error =
        stage(&LocalFiles, &library(&disk.library, LinkMode::Copy), &links, &write).unwrap_err();
    assert_eq!(error.kind, LinkErrorKind::SourceChanged);
    assert_eq!(tree(&disk.library), []);
    // Without the disturbance it is a copy, and tells all of its bytes.
    let told = std::cell::Cell::new(0);
    let tell = |bytes| told.set(told.get() + bytes);
    stage(&LocalFiles, &library(&disk.library, LinkMode::Copy), &links, &tell).unwrap();
    assert_eq!(told.get(), 3 << 20);
}
