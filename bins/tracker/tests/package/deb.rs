//! The package, built once for all tests of this program and unpacked for each.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

/// Built from the binary that the tests run with.
static BUILT: LazyLock<PathBuf> = LazyLock::new(build);

fn build() -> PathBuf {
    // In cargo's folder, where it is swept: what a static holds is never dropped.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    let mut xtask = Command::new(env!("CARGO"));
    xtask.args(["xtask", "package", "--only", "deb", "--debug", "--no-build", "--output"]);
    xtask.arg(&folder).current_dir(root());
    let said = xtask.output().unwrap();
    assert!(
        said.status.success(),
        "the package was not built (`cargo xtask test --only cargo-deb` installs what it needs):\n{}",
        String::from_utf8_lossy(&said.stderr)
    );
    String::from_utf8(said.stdout).unwrap().lines().last().unwrap().into()
}

/// The top folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The package, unpacked.
pub struct Deb {
    /// The file itself.
    pub file: PathBuf,
    folder: TempDir,
}

impl Deb {
    /// Unpacks it.
    pub fn unpacked() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Users who are not root go through it later.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open).unwrap();
        let deb = Deb { file: BUILT.clone(), folder };
        deb.dpkg("-x", &deb.root());
        deb.dpkg("-e", &deb.control());
        deb
    }

    fn dpkg(&self, what: &str, to: &Path) {
        let said = Command::new("dpkg-deb").arg(what).arg(&self.file).arg(to).output();
        done(&said.expect("dpkg-deb: it needs Debian or a system like it"));
    }

    /// Where its files are, as below `/`.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// Where its scripts and lists are.
    pub fn control(&self) -> PathBuf {
        self.folder.path().join("control")
    }

    /// One of its files, by its path after installation.
    pub fn path(&self, installed: &str) -> PathBuf {
        self.root().join(installed.trim_start_matches('/'))
    }

    /// The text of one of them.
    pub fn text(&self, installed: &str) -> String {
        let path = self.path(installed);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{installed}: {error}"))
    }

    /// Every file and folder with owner and mode, as the package lists them.
    pub fn listed(&self) -> BTreeMap<String, String> {
        let said = Command::new("dpkg-deb").arg("--contents").arg(&self.file).output().unwrap();
        let entry = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words[5].trim_start_matches('.').to_owned(), format!("{} {}", words[0], words[1]))
        };
        done(&said).lines().map(entry).collect()
    }

    /// Runs one of its scripts on the unpacked files, as dpkg does at another
    /// root; the service manager of this machine is out of sight.
    pub fn script(&self, name: &str, arguments: &[&str]) -> String {
        need_root();
        let script = "mount -t tmpfs tmpfs /run && exec sh \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", script, "sh"]).arg(self.control().join(name));
        command.args(arguments);
        command.env("DPKG_ROOT", self.root()).env("DPKG_MAINTSCRIPT_PACKAGE", "tracker");
        done(&command.output().unwrap())
    }
}

/// What a program printed that ended well.
#[track_caller]
pub fn done(said: &Output) -> String {
    let error = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{} {error}", String::from_utf8_lossy(&said.stdout));
    String::from_utf8(said.stdout.clone()).unwrap()
}

/// # Panics
/// Without root: other users and mounts need it.
pub fn need_root() {
    assert!(
        rustix::process::geteuid().is_root(),
        "this test starts programs as other users in folders of their own: \
         run it as root (in a container, or with sudo -E cargo test -p tracker --test package)"
    );
}
