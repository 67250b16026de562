//! The package at work: its scripts on a root of its own, and the daemon
//! started from there by the unit's words, as the unit's user, with the folders
//! that the unit gives it and nothing else to write to.

use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tracker_testkit::{eventually_blocking, spec};

use crate::deb::{Deb, done};
use crate::notify::Manager;
use crate::unit::Unit;

/// The user `nobody` and its group, on Debian and elsewhere.
const NOBODY: u32 = 65_534;

/// Stands in for the sandbox of the unit: the package's files at `/`, read-only
/// but for its own folders, each a mount as systemd makes them, and the user
/// without any rights of root.
const SANDBOX: &str = r#"set -e
root=$1 user=$2 groups=$3 umask=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
for shared in /lib /lib64 /dev /proc /etc/ssl; do
    if [ -e "$shared" ]; then
        mkdir -p "$root$shared"
        mount --rbind "$shared" "$root$shared"
    fi
done
mkdir -p "$root/tmp"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for own in /var/lib/tracker /var/cache/tracker; do
    mount --bind "$root$own" "$root$own"
done
mount -o remount,bind,ro "$root"
umask "$umask"
exec setpriv --no-new-privs --bounding-set -all,+sys_chroot,+setuid,+setgid --inh-caps -all \
    chroot --userspec="$user" --groups="$groups" "$root" "$@"
"#;

/// Unpacked, and set up by its own script.
struct Installed {
    deb: Deb,
    unit: Unit,
    uid: u32,
    gid: u32,
}

impl Installed {
    fn new() -> Self {
        let deb = Deb::unpacked();
        deb.script("postinst", &["configure"]);
        let (unit, passwd) = (Unit::of(&deb), deb.text("/etc/passwd"));
        let user = format!("{}:", unit.only("User"));
        let line = passwd.lines().find(|line| line.starts_with(&user)).unwrap();
        let number = |at| line.split(':').nth(at).unwrap().parse().unwrap();
        Installed { deb, unit, uid: number(2), gid: number(3) }
    }

    /// A command in the sandbox, with an environment of nothing else.
    fn sandboxed(&self, user: (u32, u32), groups: &str, words: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", SANDBOX, "sh"]).arg(self.deb.root());
        command.args([&format!("{}:{}", user.0, user.1), groups, self.unit.only("UMask")]);
        command.args(words).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.stdin(Stdio::null());
        command
    }

    /// A command of a person who is, or is not, in the group of the daemon.
    fn person(&self, member: bool, arguments: &[&str]) -> Output {
        let groups = if member { self.gid.to_string() } else { String::new() };
        let words = [&["/usr/bin/tracker"], arguments].concat();
        self.sandboxed((NOBODY, NOBODY), &groups, &words).output().unwrap()
    }

    /// The daemon, started as the unit says.
    fn start(&self) -> (Started, Manager) {
        let config = self.deb.path("/etc/tracker/tracker.toml");
        let mut text = std::fs::read_to_string(&config).unwrap();
        // Nothing of it leaves this machine: a client at a port where nobody listens.
        text.write_str("[[client]]\nname = \"nobody\"\nurl = \"http://127.0.0.1:1\"\n").unwrap();
        std::fs::write(&config, text).unwrap();

        std::fs::create_dir_all(self.deb.path("/run")).unwrap();
        let manager = Manager::at(&self.deb.path("/run/notify"));
        let words = self.unit.exec_start();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = self.sandboxed((self.uid, self.gid), "", &words);
        command
            .env("NOTIFY_SOCKET", "/run/notify")
            .env("WATCHDOG_USEC", "1000000")
            .env("TRACKER__HTTP__LISTEN", "127.0.0.1:0")
            .env("TRACKER__METADATA__TVMAZE", "false");
        let log = std::fs::File::create(self.deb.control().join("log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        (Started(child), manager)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.deb.control().join("log")).unwrap_or_default()
    }

    /// Waits until the manager was told that it is ready.
    fn until_ready(&self, started: &mut Started, manager: &mut Manager) {
        eventually_blocking(Duration::from_secs(60), "the daemon to be ready", || {
            if let Some(status) = started.0.try_wait().unwrap() {
                panic!("it ended ({status}): {}", self.log());
            }
            (manager.times("READY=1") > 0).then_some(())
        });
    }

    #[track_caller]
    fn assert_mode(&self, path: &str, mode: u32, uid: u32, gid: u32) {
        let found = self.deb.path(path).metadata().unwrap_or_else(|e| panic!("{path}: {e}"));
        let told = (found.mode() & 0o7777, found.uid(), found.gid());
        assert_eq!(told, (mode, uid, gid), "{path} {:o}", found.mode());
    }
}

/// A daemon that does not outlive its test.
struct Started(Child);

impl Started {
    fn stop(&mut self) -> Option<i32> {
        let pid = Pid::from_raw(self.0.id().try_into().unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        let ended = || self.0.try_wait().unwrap();
        eventually_blocking(Duration::from_secs(20), "the daemon to end", ended).code()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn installing_makes_the_user_and_its_folders() {
    spec!("packaging#a-debian-package/installed");
    let here = Installed::new();
    assert!(here.uid > 0 && here.uid < 1000, "a user of the system: {}", here.uid);
    here.assert_mode("/var/lib/tracker", 0o750, here.uid, here.gid);
    here.assert_mode("/var/cache/tracker", 0o750, here.uid, here.gid);
    here.assert_mode("/etc/tracker", 0o750, 0, here.gid);
    here.assert_mode("/etc/tracker/tracker.toml", 0o640, 0, here.gid);
    let wanted = here.deb.path("/etc/systemd/system/multi-user.target.wants/tracker.service");
    assert!(!wanted.exists(), "a person starts it");
    // An update runs the same script.
    here.deb.script("postinst", &["configure", "0.0.1-1"]);
    here.assert_mode("/etc/tracker/tracker.toml", 0o640, 0, here.gid);
}

#[test]
fn the_unit_starts_it() {
    spec!("packaging#a-debian-package/started-as-the-unit-says");
    let here = Installed::new();
    let (mut started, mut manager) = here.start();
    here.until_ready(&mut started, &mut manager);
    manager.until("WATCHDOG=1", 1);
    here.assert_mode("/var/lib/tracker", 0o750, here.uid, here.gid);
    here.assert_mode("/var/lib/tracker/tracker.db", 0o600, here.uid, here.gid);
    let words = ["/usr/bin/tracker", "healthcheck"];
    done(&here.sandboxed((here.uid, here.gid), "", &words).output().unwrap());

    assert_eq!(started.stop(), Some(0), "{}", here.log());
    assert_eq!(manager.times("STOPPING=1"), 1);
    assert!(!here.deb.path("/var/lib/tracker/daemon.json").exists());
    let after = here.sandboxed((here.uid, here.gid), "", &words).output().unwrap();
    assert_eq!(after.status.code(), Some(1), "nobody answers any more");
}

#[test]
fn its_group_may_use_the_daemon_and_others_may_not() {
    spec!("packaging#a-debian-package/its-group");
    let here = Installed::new();
    let (mut started, mut manager) = here.start();
    here.until_ready(&mut started, &mut manager);
    for name in ["api-token", "daemon.json"] {
        let path = format!("/var/lib/tracker/{name}");
        here.assert_mode(&path, 0o640, here.uid, here.gid);
        let read = |groups: &[&str]| {
            let mut command = Command::new("setpriv");
            let nobody = NOBODY.to_string();
            command.args(["--reuid", &nobody, "--regid", &nobody]).args(groups);
            command.arg("cat").arg(here.deb.path(&path)).output().unwrap()
        };
        let member = read(&["--groups", &here.gid.to_string()]);
        assert_eq!(done(&member), here.deb.text(&path));
        let other = read(&["--clear-groups"]);
        assert!(!other.status.success() && other.stdout.is_empty(), "{other:?}");
    }
    let hash = "a".repeat(40);
    let accepted = done(&here.person(true, &["ingest", &hash]));
    assert!(accepted.ends_with("\tcreated\n"), "{accepted}");
    let other = here.person(false, &["list"]);
    assert!(!other.status.success() && other.stdout.is_empty(), "{other:?}");
    assert_eq!(started.stop(), Some(0));
}

#[test]
fn removal_keeps_what_was_downloaded() {
    spec!("packaging#a-debian-package/removed");
    let here = Installed::new();
    let (film, poster) = ("/var/lib/tracker/film.mkv", "/var/cache/tracker/poster");
    for path in [film, poster] {
        std::fs::write(here.deb.path(path), "x").unwrap();
    }
    here.deb.script("prerm", &["remove"]);
    here.deb.script("postrm", &["remove"]);
    let there = |path: &str| Path::exists(&here.deb.path(path));
    assert!(there(film) && there(poster), "a removal keeps both");
    let said = here.deb.script("postrm", &["purge"]);
    assert!(there(film) && !there("/var/cache/tracker"));
    assert!(said.contains("/var/lib/tracker stays"), "{said}");
}
