//! The entrypoint of the container, run in a root of its own: nothing of it can
//! be written but `/config`, `/data` and `/tmp`, and no user there has a name.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tracker_testkit::{eventually_blocking, spec};

use crate::container::{folder, image_variables};
use crate::deb::{done, need_root};

const UID: u32 = 4321;
const GID: u32 = 4322;

/// Stands in for the container: the programs of this machine, read-only, with
/// the built one among them, and the two mounts.
const CONTAINER: &str = r#"set -e
root=$1 program=$2 entrypoint=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
for shared in /bin /sbin /usr /lib /lib64 /dev /proc /etc/ssl; do
    if [ -e "$shared" ]; then
        mkdir -p "$root$shared"
        mount --rbind "$shared" "$root$shared"
    fi
done
mkdir -p "$root/opt" "$root/tmp"
touch "$root/opt/tracker" "$root/opt/entrypoint"
mount --bind "$program" "$root/opt/tracker"
mount --bind "$entrypoint" "$root/opt/entrypoint"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for own in /config /data; do
    mount --bind "$root$own" "$root$own"
done
mount -o remount,bind,ro "$root"
exec chroot "$@"
"#;

struct Container {
    root: TempDir,
}

impl Container {
    fn new() -> Self {
        need_root();
        let root = tempfile::tempdir().unwrap();
        // Users who are not root go through it.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(root.path(), open).unwrap();
        for folder in ["config/tracker", "data/torrents"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        // Nothing of it leaves this machine.
        let text = "[[client]]\nname = \"nobody\"\nurl = \"http://127.0.0.1:1\"\n\
                    [http]\nlisten = \"127.0.0.1:0\"\n[metadata]\ntvmaze = false\n";
        std::fs::write(root.path().join("config/tracker/tracker.toml"), text).unwrap();
        std::fs::write(root.path().join("data/torrents/film.mkv"), "x").unwrap();
        Container { root }
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.root.path().join(inside.trim_start_matches('/'))
    }

    /// Words that run in it, as root or as the user of `--user`.
    fn command(&self, user: bool, words: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", CONTAINER, "sh"]).arg(self.root.path());
        command.arg(env!("CARGO_BIN_EXE_tracker")).arg(folder().join("entrypoint.sh"));
        if user {
            command.args([&format!("--userspec={UID}:{GID}"), "--groups="]);
        }
        command.arg(self.root.path()).args(words);
        command
            .env_clear()
            .env("PATH", "/opt:/usr/sbin:/usr/bin:/sbin:/bin")
            .envs(image_variables());
        // The port of the image may be in use on this machine.
        command.env_remove("TRACKER__HTTP__LISTEN");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// The command of its health check, which runs as its first process began.
    fn healthcheck(&self, user: bool) -> Output {
        self.command(user, &["tracker", "healthcheck"]).output().unwrap()
    }

    fn start(&self, user: bool, variables: &[(&str, &str)]) -> Running {
        let mut command = self.command(user, &["sh", "/opt/entrypoint", "serve"]);
        let log = std::fs::File::create(self.path("/log")).unwrap();
        let child = command.envs(variables.iter().copied()).stderr(log).spawn().unwrap();
        let mut running = Running(child);
        eventually_blocking(Duration::from_secs(60), "the health check to pass", || {
            if let Some(status) = running.0.try_wait().unwrap() {
                let log = std::fs::read_to_string(self.path("/log")).unwrap();
                panic!("it ended ({status}): {log}");
            }
            let told = self.path("/config/tracker/daemon.json").exists();
            (told && self.healthcheck(user).status.success()).then_some(())
        });
        running
    }

    #[track_caller]
    fn assert_owner(&self, inside: &str, uid: u32, gid: u32) {
        let found = self.path(inside).symlink_metadata().unwrap();
        assert_eq!((found.uid(), found.gid()), (uid, gid), "{inside}");
    }
}

/// A first process that does not outlive its test.
struct Running(Child);

impl Running {
    /// A line of what the kernel says of it.
    fn status(&self, name: &str) -> String {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}:"))).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn stop(&mut self) -> Option<i32> {
        let pid = Pid::from_raw(self.0.id().try_into().unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        let ended = || self.0.try_wait().unwrap();
        // As long as `docker stop` waits.
        eventually_blocking(Duration::from_secs(10), "the daemon to end", ended).code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn root_becomes_the_user_that_is_asked_for() {
    spec!("packaging#a-container/as-root");
    let container = Container::new();
    let numbers = (UID.to_string(), GID.to_string());
    let variables = [("PUID", numbers.0.as_str()), ("PGID", numbers.1.as_str()), ("UMASK", "027")];
    let mut running = container.start(false, &variables);
    for (name, number) in [("Uid", UID), ("Gid", GID)] {
        assert_eq!(running.status(name), format!("{number} {number} {number} {number}"));
    }
    assert_eq!(running.status("Groups"), "");
    assert_eq!(running.status("NoNewPrivs"), "1");
    assert_eq!(running.status("Umask"), "0027");
    for set in ["CapEff", "CapPrm"] {
        assert_eq!(u64::from_str_radix(&running.status(set), 16).unwrap(), 0, "{set}");
    }
    for inside in ["/config", "/config/tracker/tracker.toml", "/config/tracker/tracker.db"] {
        container.assert_owner(inside, UID, GID);
    }
    for inside in ["/data", "/data/torrents", "/data/torrents/film.mkv"] {
        container.assert_owner(inside, 0, 0);
    }
    assert_eq!(running.stop(), Some(0));
}

#[test]
fn another_user_stays_that_one() {
    spec!("packaging#a-container/as-another-user");
    let container = Container::new();
    for inside in ["/config", "/config/tracker", "/config/tracker/tracker.toml"] {
        chown(container.path(inside), Some(UID), Some(GID)).unwrap();
    }
    let mut running = container.start(true, &[("PUID", "1"), ("PGID", "1")]);
    assert_eq!(running.status("Uid"), format!("{UID} {UID} {UID} {UID}"));
    assert_eq!(running.status("Umask"), "0002");
    container.assert_owner("/config/tracker/tracker.db", UID, GID);
    assert_eq!(running.stop(), Some(0));
    assert_eq!(container.healthcheck(true).status.code(), Some(1));
}

#[test]
fn numbers_that_are_none_are_named() {
    spec!("packaging#a-container/wrong-numbers");
    let script = folder().join("entrypoint.sh");
    done(&Command::new("sh").arg("-n").arg(&script).output().unwrap());
    need_root();
    for (name, value) in [("PUID", "me"), ("PGID", "-1"), ("PUID", "10 00"), ("UMASK", "0x2")] {
        let mut command = Command::new("sh");
        let said = command.arg(&script).arg("serve").env(name, value).output().unwrap();
        let error = String::from_utf8(said.stderr).unwrap();
        assert_eq!(said.status.code(), Some(2), "{error}");
        assert!(error.contains(&format!("{name}={value}")), "{error}");
    }
}
