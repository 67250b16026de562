//! The contract on disks, what a crash leaves, and what is none of its files.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;
use tracker_testkit::{spec, watch_folder_contract};

use super::*;

fn wanted(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b".torrent")
}

struct Scene {
    dir: TempDir,
    folder: LocalWatchFolder,
}

impl Scene {
    fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    fn below(path: &Path) -> Self {
        let dir = tempfile::tempdir_in(path).unwrap();
        let folder = LocalWatchFolder::new(dir.path().to_path_buf());
        Scene { dir, folder }
    }

    fn put(&self, name: &str, bytes: &str) {
        std::fs::write(self.dir.path().join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.dir.path().join(name)).ok()
    }

    fn look(&self) -> Vec<Dropped> {
        self.folder.look(&wanted).unwrap()
    }

    fn open(&self, file: &Dropped) -> Option<Box<dyn Held>> {
        self.folder.open(file, 1000).unwrap()
    }

    /// What is below a folder of it, sorted.
    fn names(&self, below: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.dir.path().join(below)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn the_disk_keeps_the_contract() {
    spec!("watch-folder#a-file-is-taken-once/names-are-never-overwritten");
    // A filesystem in memory as well, where there is one.
    for below in [std::env::temp_dir(), PathBuf::from("/dev/shm")] {
        if !below.is_dir() {
            continue;
        }
        let scene = Scene::below(&below);
        watch_folder_contract(
            &scene.folder,
            &|name, bytes| std::fs::write(scene.dir.path().join(name), bytes).unwrap(),
            &|path| std::fs::read(scene.dir.path().join(path)).ok(),
        );
    }
}

#[test]
fn links_folders_and_pipes_are_none_of_its_files() {
    spec!("watch-folder#what-is-taken/other-things-in-the-folder");
    let scene = Scene::new();
    let outside = Scene::new();
    outside.put("secret", "outside");
    let at = |name: &str| scene.dir.path().join(name);
    symlink(outside.dir.path().join("secret"), at("link.torrent")).unwrap();
    std::fs::create_dir(at("folder.torrent")).unwrap();
    std::fs::write(at("folder.torrent").join("inside.torrent"), "x").unwrap();
    rustix::fs::mknodat(CWD, at("pipe.torrent"), FileType::Fifo, Mode::from_raw_mode(0o644), 0)
        .unwrap();
    assert_eq!(scene.look(), []);
    // Also when one takes the place of a file between the look and the opening.
    scene.put("a.torrent", "a");
    let [file] = &scene.look()[..] else { panic!("one file") };
    std::fs::remove_file(at("a.torrent")).unwrap();
    symlink(outside.dir.path().join("secret"), at("a.torrent")).unwrap();
    assert!(scene.folder.open(file, 1000).is_err());
    assert_eq!(outside.names(""), ["secret"]);
}

#[test]
fn a_drawer_that_leads_elsewhere_is_refused() {
    spec!("watch-folder#what-is-taken/other-things-in-the-folder");
    let (scene, outside) = (Scene::new(), Scene::new());
    symlink(outside.dir.path(), scene.dir.path().join("processed")).unwrap();
    scene.put("a.torrent", "a");
    let refused = scene.open(&scene.look()[0]).unwrap().claim().unwrap_err();
    assert_eq!(refused.kind, FilesErrorKind::Exists);
    assert!(!scene.look()[0].claimed, "it is still there");
    assert_eq!(outside.names(""), Vec::<String>::new());
}

#[test]
fn a_crash_at_each_step_leaves_the_file_once() {
    spec!("watch-folder#a-file-is-taken-once/killed-at-any-step");
    let reject = |scene: &Scene| {
        let file = scene.look().remove(0);
        let mut held = scene.open(&file).unwrap();
        assert!(held.claim().unwrap());
        held.file_away(Drawer::Rejected("why")).unwrap()
    };
    // What each step leaves on the disk, the steps before it included.
    let claim = |scene: &Scene| {
        let mut held = scene.open(&scene.look()[0]).unwrap();
        assert!(held.claim().unwrap());
    };
    let reason_begun = |scene: &Scene| {
        claim(scene);
        let inode = LocalFiles.stat(&scene.dir.path().join(CLAIMS).join("a.torrent"));
        let inode = inode.unwrap().unwrap().identity.inode;
        scene.put(&format!("{CLAIMS}/{inode:x}{REASON}"), "w");
    };
    let reason_placed = |scene: &Scene| {
        claim(scene);
        scene.put("rejected/a.torrent.reason.txt", "why");
    };
    let steps: [&dyn Fn(&Scene); 4] = [&|_| {}, &claim, &reason_begun, &reason_placed];
    for (number, step) in steps.iter().enumerate() {
        let scene = Scene::new();
        scene.put("a.torrent", "a");
        step(&scene);
        assert_eq!(scene.look().len(), 1, "step {number}");
        assert_eq!(reject(&scene), "rejected/a.torrent", "step {number}");
        assert_eq!(scene.names(REJECTED), ["a.torrent", "a.torrent.reason.txt"]);
        assert_eq!(scene.read("rejected/a.torrent.reason.txt").unwrap(), "why");
        assert_eq!((scene.look(), scene.names(CLAIMS).len()), (Vec::new(), 0));
    }
    // A reason that says something else is another file's.
    let scene = Scene::new();
    scene.put("a.torrent", "a");
    reason_placed(&scene);
    scene.put("rejected/a.torrent.reason.txt", "another");
    assert_eq!(reject(&scene), "rejected/a (2).torrent");
    assert_eq!(scene.read("rejected/a.torrent.reason.txt").unwrap(), "another");
}

#[test]
fn of_many_takers_one_gets_each_file() {
    spec!("watch-folder#a-file-is-taken-once/two-processes");
    let scene = Scene::new();
    for number in 0..200 {
        scene.put(&format!("{number}.torrent"), "x");
    }
    let take_all = || {
        let mut taken = 0;
        while !scene.names("").iter().all(|name| !name.ends_with(".torrent")) {
            for file in scene.look() {
                let Some(mut held) = scene.open(&file) else { continue };
                if held.claim().unwrap() {
                    held.file_away(Drawer::Processed).unwrap();
                    taken += 1;
                }
            }
        }
        taken
    };
    let taken: u32 = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..4).map(|_| scope.spawn(take_all)).collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!((taken, scene.names(PROCESSED).len()), (200, 200));
    assert!(scene.names(PROCESSED).iter().all(|name| !name.contains('(')));
}

#[test]
fn the_longest_name_has_its_reason_too() {
    spec!("watch-folder#rejected-files/a-reason-beside-it");
    let scene = Scene::new();
    let name = format!("{}.torrent", "Ж".repeat(123));
    scene.put(&name, "x");
    let mut held = scene.open(&scene.look()[0]).unwrap();
    assert!(held.claim().unwrap());
    held.file_away(Drawer::Rejected("why")).unwrap();
    let names = scene.names(REJECTED);
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(names[1], format!("{}.reason.txt", names[0]));
}

#[test]
fn a_folder_that_is_away_or_closed_is_told() {
    spec!("watch-folder#trouble-is-told/the-folder-is-away");
    let scene = Scene::new();
    let missing = LocalWatchFolder::new(scene.dir.path().join("missing"));
    let error = missing.look(&wanted).unwrap_err();
    assert_eq!(error.kind, FilesErrorKind::NotFound);
    assert!(!scene.dir.path().join("missing").exists(), "it is never made");
    scene.put("file", "x");
    let file = LocalWatchFolder::new(scene.dir.path().join("file"));
    assert_eq!(file.look(&wanted).unwrap_err().errno, "ENOTDIR");
    std::fs::set_permissions(scene.dir.path(), PermissionsExt::from_mode(0o500)).unwrap();
    let looked = scene.folder.look(&wanted);
    // Root may write anywhere.
    if !rustix::process::geteuid().is_root() {
        assert_eq!(looked.unwrap_err().kind, FilesErrorKind::Denied);
    }
    std::fs::set_permissions(scene.dir.path(), PermissionsExt::from_mode(0o700)).unwrap();
}
