//! What the tests need and a fresh machine lacks: tools of the system are
//! named, tools of ours are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::runner::{Runner, note};
use crate::workspace;

const DENY: &str = "0.20.2";
const DEB: &str = "3.8.0";
const OLDEST_PYTHON: (u32, u32) = (3, 11);

/// What makes and mounts the filesystems that links are tried on, what the
/// package and the pages are tried with, and the Debian package that has it.
/// Each is a program, or a file where it has a whole path.
const SYSTEM: [(&str, &str); 16] = [
    ("systemd-sysusers", "systemd"),
    ("systemd-tmpfiles", "systemd"),
    ("unshare", "util-linux"),
    ("setpriv", "util-linux"),
    ("mkfs.ext4", "e2fsprogs"),
    ("mkfs.xfs", "xfsprogs"),
    ("mkfs.btrfs", "btrfs-progs"),
    ("mkntfs", "ntfs-3g"),
    ("ntfs-3g", "ntfs-3g"),
    ("mkfs.exfat", "exfatprogs"),
    ("mount.exfat-fuse", "exfat-fuse"),
    ("mergerfs", "mergerfs"),
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "fonts-dejavu-core"),
    ("npm", "npm"),
];

/// `cargo`, run in the workspace.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(workspace::root()).args(arguments);
    command
}

/// Fails with what to install where a tool of the system is missing.
pub fn tools() -> Result<()> {
    let mut missing = Vec::new();
    match python_version() {
        Some(version) if version >= OLDEST_PYTHON => {}
        Some((major, minor)) => {
            missing.push(format!("python3 is {major}.{minor}; 3.11 or newer is needed"));
        }
        None => {
            missing
                .push("python3 (3.11 or newer): apt-get install python3 python3-venv".to_owned());
        }
    }
    for (tool, remedy) in [
        ("cc", "a C compiler: apt-get install build-essential"),
        ("dpkg-deb", "dpkg-deb: the qBittorrent lab needs Debian or a system like it"),
        ("apt-get", "apt-get: the qBittorrent lab needs Debian or a system like it"),
    ] {
        if !runs(tool, "--version") {
            missing.push(remedy.to_owned());
        }
    }
    if !missing.is_empty() {
        bail!("please install first:\n  {}", missing.join("\n  "));
    }
    Ok(())
}

/// The programs of [`SYSTEM`]: installed where this is root, named where it is
/// not.
pub fn system(runner: &Runner) -> Result<()> {
    let missing = missing_system();
    if missing.is_empty() {
        return Ok(());
    }
    let remedy = format!("apt-get install --yes {}", missing.join(" "));
    if !is_root() {
        bail!("please install first, as root:\n  {remedy}");
    }
    note(&format!("installing {}", missing.join(", ")));
    let apt = |arguments: &[&str]| {
        runner.run(
            Command::new("apt-get")
                .env("DEBIAN_FRONTEND", "noninteractive")
                .args(["--quiet", "--yes"])
                .args(arguments)
                .stdout(Stdio::null()),
        )
    };
    apt(&["update"]).with_context(|| remedy.clone())?;
    let mut install = vec!["install", "--no-install-recommends"];
    install.extend(missing);
    apt(&install).with_context(|| remedy.clone())?;
    match missing_system().as_slice() {
        [] => Ok(()),
        still => bail!("{} did not bring what is needed", still.join(", ")),
    }
}

fn missing_system() -> Vec<&'static str> {
    let missing = SYSTEM.into_iter().filter(|(tool, _)| !is_there(tool));
    let mut packages: Vec<&str> = missing.map(|(_, package)| package).collect();
    packages.dedup();
    packages
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Installs the pinned `cargo-deny` where it is missing or another version.
pub fn cargo_deny(runner: &Runner) -> Result<()> {
    if installed("deny").as_deref() == Some(DENY) {
        return Ok(());
    }
    install(runner, "cargo-deny", DENY)
}

/// Installs the pinned `cargo-deb` where it is missing or another version.
pub fn cargo_deb(runner: &Runner) -> Result<()> {
    if installed("deb").as_deref() == Some(DEB) {
        return Ok(());
    }
    install(runner, "cargo-deb", DEB)
}

fn install(runner: &Runner, tool: &str, version: &str) -> Result<()> {
    note(&format!("installing {tool} {version}; this takes minutes, once"));
    runner.run(&mut cargo(&["install", tool, "--locked", "--force", "--version", version]))
}

/// Fails with what to install where a static program cannot be built.
pub fn static_target(target: &str) -> Result<()> {
    let mut missing = Vec::new();
    let library = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .context("asking rustc for its targets")?;
    if !Path::new(String::from_utf8_lossy(&library.stdout).trim()).is_dir() {
        missing.push(format!("rustup target add {target}"));
    }
    // SQLite and the cryptography are C.
    if !runs("musl-gcc", "--version") {
        missing.push("apt-get install musl-tools".to_owned());
    }
    if !missing.is_empty() {
        bail!(
            "the static archive needs more; --only deb does without. Please run first:\n  {}",
            missing.join("\n  ")
        );
    }
    Ok(())
}

/// The dependency rules of `deny.toml`.
pub fn deny(runner: &Runner) -> Result<()> {
    let check = ["check", "bans", "licenses", "sources"];
    let offline: Vec<&str> = ["deny", "--offline"].into_iter().chain(check).collect();
    if runner.succeeds(&mut cargo(&offline))? {
        return Ok(());
    }
    // Offline it fails where a crate for another system was never fetched.
    note("trying again with the registry");
    let online: Vec<&str> = ["deny"].into_iter().chain(check).collect();
    runner.run(&mut cargo(&online))
}

/// Makes the Python environment of `tests/tools`, once for each list of packages.
pub fn python_tools(runner: &Runner) -> Result<()> {
    let folder = workspace::root().join("tests/tools");
    let list = folder.join("requirements.txt");
    let venv = folder.join(".venv");
    let stamp = venv.join("requirements.txt");
    let wanted = fs::read(&list).with_context(|| format!("reading {}", list.display()))?;
    if fs::read(&stamp).is_ok_and(|kept| kept == wanted) {
        return Ok(());
    }
    runner
        .run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))
        .context("making a Python environment (apt-get install python3-venv)")?;
    let mut pip = Command::new(venv.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    runner.run(pip.arg(&list)).context("installing tests/tools/requirements.txt")?;
    fs::write(&stamp, wanted).context("marking the Python environment as complete")
}

/// Installs the Node packages of `tests/tools` below the build folder, once for
/// each list of packages.
pub fn node_tools(runner: &Runner) -> Result<()> {
    let source = workspace::root().join("tests/tools");
    let folder = node();
    let lists = ["package.json", "package-lock.json"];
    // npm writes this file last, and it is gone while packages are exchanged.
    let complete = folder.join("node_modules/.package-lock.json");
    let same = |name: &str| match (fs::read(source.join(name)), fs::read(folder.join(name))) {
        (Ok(wanted), Ok(kept)) => wanted == kept,
        _ => false,
    };
    if complete.is_file() && lists.into_iter().all(same) {
        return Ok(());
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    for name in lists {
        let from = source.join(name);
        fs::copy(&from, folder.join(name))
            .with_context(|| format!("copying {}", from.display()))?;
    }
    let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    runner
        .run(Command::new("npm").args(quiet).current_dir(&folder).stdout(Stdio::null()))
        .context("installing tests/tools/package-lock.json (apt-get install npm)")
}

/// Fetches the clients of the lab; one that is there is left alone.
pub fn lab_clients(runner: &Runner) -> Result<()> {
    runner
        .run(lab_py().args(["install", "--qbt", "all"]).stdout(Stdio::null()))
        .context("installing the qBittorrent clients of the lab")
}

/// `python3 tests/lab/lab.py`.
pub fn lab_py() -> Command {
    let mut command = Command::new("python3");
    command.arg(lab_path());
    command
}

/// Where the lab's program is.
pub fn lab_path() -> PathBuf {
    workspace::root().join("tests/lab/lab.py")
}

/// The Python of `tests/tools`.
pub fn python() -> PathBuf {
    Path::new(&workspace::root()).join("tests/tools/.venv/bin/python")
}

/// Where the Node packages of `tests/tools` are.
pub fn node() -> PathBuf {
    target_dir().join("tracker/node-tools")
}

/// Where cargo builds, which is run in the root.
pub fn target_dir() -> PathBuf {
    let set = std::env::var_os("CARGO_TARGET_DIR");
    workspace::root().join(set.map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// Whether a tool is on the path, or a file is there. It is not started: not
/// each of them has an argument that does nothing, and a browser opens a window.
fn is_there(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A whole path stays what it is when it is joined.
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

fn runs(tool: &str, argument: &str) -> bool {
    Command::new(tool)
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn python_version() -> Option<(u32, u32)> {
    let output = Command::new("python3").arg("--version").output().ok()?;
    parse_python(&String::from_utf8_lossy(&output.stdout))
}

fn parse_python(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix("Python ")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The version of a subcommand of cargo, from its `cargo-deny 0.20.2`.
fn installed(tool: &str) -> Option<String> {
    let output = cargo(&[tool, "--version"]).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_python_are_read() {
        assert_eq!(parse_python("Python 3.11.7\n"), Some((3, 11)));
        assert_eq!(parse_python("Python 3.14.0rc1"), Some((3, 14)));
        assert_eq!(parse_python("pyenv: no python"), None);
    }

    #[test]
    fn a_tool_that_is_missing_is_noticed() {
        assert!(is_there("unshare"));
        assert!(!is_there("mkfs.of-nobody"));
        assert!(is_there("/etc/passwd"));
        assert!(!is_there("/etc/of-nobody"));
    }

    #[test]
    fn the_lab_is_where_it_is_looked_for() {
        assert!(lab_path().is_file());
    }
}
