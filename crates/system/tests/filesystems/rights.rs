//! Two users: one owns the payload, the other one links. Root is refused
//! nothing, so this runs as somebody else.

use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use tracker_domain::library::LinkMode;
use tracker_layout::{LinkErrorKind, NotProven, ProbeOutcome, probe};
use tracker_system::LocalFiles;
use tracker_testkit::spec;

use crate::{again, apply, library, link, need_root, take_out, tree};

/// The client's user, and the group that both may share.
const CLIENT: u32 = 1_500;
const COMMON: u32 = 4_242;
/// The user `nobody`, who links.
const NOBODY: &str = "65534";

fn folder(path: &Path, (owner, group): (u32, u32), mode: u32) {
    std::fs::create_dir(path).unwrap();
    chown(path, Some(owner), Some(group)).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn file(path: &Path, group: u32, mode: u32) {
    std::fs::write(path, b"payload").unwrap();
    chown(path, Some(CLIENT), Some(group)).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn need_protected_hardlinks() {
    let setting = "/proc/sys/fs/protected_hardlinks";
    assert_eq!(
        std::fs::read_to_string(setting).unwrap().trim(),
        "1",
        "{setting}: this kernel lets anybody link anything, so the refusal cannot be shown; \
         run sysctl fs.protected_hardlinks=1 on the host"
    );
}

#[test]
fn rights_are_told_and_suffice() {
    spec!("file-layout#rights-decide/each-right");
    if let Some(place) = again::inner_place() {
        as_nobody(&place);
        return;
    }
    need_root();
    need_protected_hardlinks();
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let at = |name: &str| place.path().join(name);
    folder(&at("downloads"), (CLIENT, CLIENT), 0o755);
    file(&at("downloads/umask-022.mkv"), CLIENT, 0o644);
    file(&at("downloads/umask-002.mkv"), COMMON, 0o664);
    file(&at("downloads/umask-077.mkv"), CLIENT, 0o600);
    folder(&at("shared"), (CLIENT, COMMON), 0o775);
    folder(&at("secret"), (CLIENT, CLIENT), 0o700);
    file(&at("secret/film.mkv"), COMMON, 0o664);
    folder(&at("library"), (0, COMMON), 0o775);
    folder(&at("closed"), (0, 0), 0o755);
    let common = COMMON.to_string();
    let launcher = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--groups", &common];
    again::run("rights::rights_are_told_and_suffice", &launcher, place.path());
}

struct Scene {
    place: PathBuf,
}

impl Scene {
    fn at(&self, name: &str) -> PathBuf {
        self.place.join(name)
    }

    /// Links a file into a library; the errno of a refusal.
    fn try_link(
        &self,
        source: &str,
        root: &str,
        mode: LinkMode,
    ) -> Result<(), (LinkErrorKind, String)> {
        let root = self.at(root);
        let before = tree(&root);
        let mut links = [link(1, self.at(source), root.join("Film/Film.mkv"))];
        // Whether it may be looked at is found out by linking.
        links[0].size_bytes = None;
        let applied = apply(&library(&root, mode), &links);
        if let Ok(staged) = &applied {
            assert!(take_out(&root, &links, staged).is_complete());
        }
        assert_eq!(tree(&root), before);
        applied.map(drop).map_err(|error| {
            assert_eq!(error.left_behind, Vec::<PathBuf>::new());
            (error.kind, error.errno)
        })
    }

    fn probe(&self, from: &str, existing: Option<&str>, root: &str) -> ProbeOutcome {
        let existing = existing.map(|name| self.at(name));
        let library = library(&self.at(root), LinkMode::Hardlink);
        let found = probe(&LocalFiles, &self.at(from), existing.as_deref(), &library);
        assert_eq!(tree(&library.root), []);
        found
    }
}

fn failure(found: ProbeOutcome) -> (LinkErrorKind, String) {
    match found {
        ProbeOutcome::Failed { kind, remedy, .. } => (kind, remedy),
        other => panic!("{other:?}"),
    }
}

fn as_nobody(place: &Path) {
    assert!(!rustix::process::geteuid().is_root(), "the premise");
    let scene = Scene { place: place.to_path_buf() };
    let not_permitted = Err((LinkErrorKind::NotPermitted, "EPERM".to_owned()));
    let denied = Err((LinkErrorKind::Denied, "EACCES".to_owned()));

    // A file that somebody else owns and that may not be written.
    let theirs = "downloads/umask-022.mkv";
    assert_eq!(scene.try_link(theirs, "library", LinkMode::Hardlink), not_permitted);
    let (kind, remedy) = failure(scene.probe("downloads", Some(theirs), "library"));
    assert_eq!(kind, LinkErrorKind::NotPermitted);
    for part in ["umask 002", "group", "one user", "protected_hardlinks"] {
        assert!(remedy.contains(part), "{part} in {remedy}");
    }
    // To be copied or led to it needs less.
    assert_eq!(scene.try_link(theirs, "library", LinkMode::Copy), Ok(()));
    assert_eq!(scene.try_link(theirs, "library", LinkMode::Symlink), Ok(()));
    assert_eq!(scene.try_link("downloads/umask-077.mkv", "library", LinkMode::Copy), denied);

    // As umask 002 and a common group leave it.
    let shared = "downloads/umask-002.mkv";
    assert_eq!(scene.try_link(shared, "library", LinkMode::Hardlink), Ok(()));
    assert_eq!(scene.probe("downloads", Some(shared), "library"), ProbeOutcome::Proven);

    // A library, or a folder of downloads, that is closed.
    assert_eq!(scene.try_link(shared, "closed", LinkMode::Hardlink), denied);
    assert_eq!(failure(scene.probe("downloads", Some(shared), "closed")).0, LinkErrorKind::Denied);
    assert_eq!(scene.try_link("secret/film.mkv", "library", LinkMode::Hardlink), denied);
    let secret = scene.probe("secret", Some("secret/film.mkv"), "library");
    assert_eq!(failure(secret).0, LinkErrorKind::Denied);

    // A file of ours can be linked, which says nothing of the client's.
    let not_yet = ProbeOutcome::NotProven(NotProven::NoFileYet);
    assert_eq!(scene.probe("shared", None, "library"), not_yet);
    assert_eq!(scene.probe("downloads", None, "library"), not_yet, "nothing could be tried");
    assert_eq!(failure(scene.probe("shared", None, "closed")).0, LinkErrorKind::Denied);
    let (kind, _) = failure(scene.probe("shared", Some(theirs), "library"));
    assert_eq!(kind, LinkErrorKind::NotPermitted);
    assert_eq!(tree(&scene.at("shared")), [], "nothing of a probe stays");
}
