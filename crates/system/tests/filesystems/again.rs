//! Runs one test of this program again in other surroundings.

use std::ffi::OsString;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// Names the folder of the inner run; its absence tells the outer one.
const PLACE: &str = "TRACKER_FILESYSTEMS_PLACE";

/// Mounts of its own, and processes: those that serve a filesystem over FUSE end
/// with the test, and its mounts with them.
pub const OWN_MOUNTS: [&str; 7] =
    ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child"];

/// The folder that the outer run made, in the inner one.
pub fn inner_place() -> Option<PathBuf> {
    std::env::var_os(PLACE).map(PathBuf::from)
}

/// Runs the test of this name through a launcher such as `unshare`, and gives
/// what it printed.
///
/// # Panics
/// When the launcher is missing or the inner test fails.
pub fn run(test: &str, launcher: &[&str], place: &std::path::Path) -> String {
    // The program is opened before any change of user, who may not get to it.
    let program = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
    let path: OsString = format!("/proc/self/fd/{}", program.as_raw_fd()).into();
    let mut command = Command::new(launcher[0]);
    command.args(&launcher[1..]).arg("sh").arg("-c").arg("exec \"$0\" \"$@\"").arg(path);
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(PLACE, place).current_dir("/").process_group(0);
    // Kept open across the launcher, which closes nothing.
    rustix::io::fcntl_setfd(&program, rustix::io::FdFlags::empty()).unwrap();
    let output = command.output().unwrap_or_else(|error| {
        panic!("{}: {error}; install it: apt-get install util-linux", launcher[0])
    });
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{test} failed:\n{said}\n{complained}"
    );
    said
}
