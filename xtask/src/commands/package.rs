//! `package`: the Debian package and the static archive, with the man pages and
//! completions that the built program writes of itself.
//!
//! Both follow from the commit alone where it can be had: names are sorted and
//! times are those of the commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use super::setup::{self, cargo};
use crate::runner::{Runner, say};
use crate::workspace;

/// The shells, and the names under which they look for completions.
const SHELLS: [(&str, &str); 3] =
    [("bash", "tracker.bash"), ("zsh", "_tracker"), ("fish", "tracker.fish")];

/// What lies beside the program in the archive: from where, and under which name.
const BESIDE: [(&str, &str); 9] = [
    ("README.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("docs/OPERATIONS.md", "docs/OPERATIONS.md"),
    ("docs/qbittorrent.md", "docs/qbittorrent.md"),
    ("bins/tracker/packaging/systemd/tracker.service", "systemd/tracker.service"),
    ("bins/tracker/packaging/systemd/sysusers.d/tracker.conf", "systemd/sysusers.d/tracker.conf"),
    ("bins/tracker/packaging/systemd/tmpfiles.d/tracker.conf", "systemd/tmpfiles.d/tracker.conf"),
];

/// How to package.
#[derive(Debug, Args)]
pub struct Options {
    /// Make one of the two alone
    #[arg(long)]
    only: Option<Form>,
    /// Package the debug build: to look at the package, not to use it
    #[arg(long)]
    debug: bool,
    /// Package what is built already
    #[arg(long)]
    no_build: bool,
    /// Where the packages go [default: package, in cargo's folder for the build]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The time of every file, in seconds since 1970 [default: that of the commit]
    #[arg(long, env = "SOURCE_DATE_EPOCH", hide_env_values = true, value_name = "SECONDS")]
    time: Option<u64>,
}

/// A package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The Debian package
    Deb,
    /// The archive with a static program, for any Linux
    Archive,
}

/// `cargo xtask package`.
pub fn run(options: &Options) -> Result<()> {
    let mut runner = Runner::new(None)?;
    let (deb, archive) = (options.only != Some(Form::Archive), options.only != Some(Form::Deb));
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    if archive {
        // What is missing is told before minutes are spent.
        runner.step("static-tools", |_| setup::static_target(&target))?;
    }
    let build = Build::of(options)?;
    let output = options.output.clone().unwrap_or_else(|| build.folder(None).join("package"));
    fs::create_dir_all(&output).with_context(|| format!("making {}", output.display()))?;
    let mut made = Vec::new();
    if deb {
        runner.step("cargo-deb", setup::cargo_deb)?;
        runner.step("build", |run| build.program(run, None))?;
        runner.step("pages", |run| pages(run, &build.folder(None)))?;
        runner.step("deb", |run| {
            made.push(debian(run, &build, &output)?);
            Ok(())
        })?;
    }
    if archive {
        runner.step("static-build", |run| build.program(run, Some(&target)))?;
        runner.step("static-pages", |run| pages(run, &build.folder(Some(&target))))?;
        runner.step("archive", |run| {
            made.push(archived(run, &build, &target, &output)?);
            Ok(())
        })?;
    }
    checksums(&runner, &output, &made)?;
    made.iter().for_each(|path| say(&path.display().to_string()));
    Ok(())
}

/// Which build is packaged.
struct Build {
    debug: bool,
    there: bool,
    /// Cargo's folder.
    folder: PathBuf,
    /// Seconds since 1970, where the commit can be asked.
    time: Option<String>,
}

impl Build {
    fn of(options: &Options) -> Result<Self> {
        let metadata = cargo_metadata::MetadataCommand::new()
            .current_dir(workspace::root())
            .no_deps()
            .exec()
            .context("asking cargo for its folder")?;
        Ok(Build {
            debug: options.debug,
            there: options.no_build,
            folder: metadata.target_directory.into_std_path_buf(),
            time: options.time.map(|time| time.to_string()).or_else(commit_time),
        })
    }

    /// Where the program is, for this machine's own target or a named one.
    fn folder(&self, target: Option<&str>) -> PathBuf {
        let base = target.map_or_else(|| self.folder.clone(), |target| self.folder.join(target));
        base.join(if self.debug { "debug" } else { "release" })
    }

    fn program(&self, runner: &Runner, target: Option<&str>) -> Result<()> {
        if !self.there {
            let mut build = cargo(&["build", "--locked", "--package", "tracker"]);
            if !self.debug {
                build.arg("--release");
            }
            if let Some(target) = target {
                build.args(["--target", target]);
            }
            runner.run(&mut build)?;
        }
        let program = self.folder(target).join("tracker");
        ensure!(program.is_file(), "{} is not there; leave out --no-build", program.display());
        Ok(())
    }

    /// The variables for tools that heed them.
    fn timed(&self, command: &mut Command) {
        if let Some(time) = &self.time {
            command.env("SOURCE_DATE_EPOCH", time);
        }
    }
}

fn commit_time() -> Option<String> {
    let mut git = Command::new("git");
    git.current_dir(workspace::root()).args(["log", "-1", "--format=%ct"]).stderr(Stdio::null());
    let output = git.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|time| !time.is_empty())
}

/// What the program writes of itself, in `package` beside it.
fn pages(runner: &Runner, folder: &Path) -> Result<()> {
    let (program, package) = (folder.join("tracker"), folder.join("package"));
    let (man, completions) = (package.join("man"), package.join("completions"));
    for old in [&man, &completions] {
        // Nothing there is no failure; what cannot go makes the next step fail.
        let _ = fs::remove_dir_all(old);
        fs::create_dir_all(old).with_context(|| format!("making {}", old.display()))?;
    }
    let written = runner.output(Command::new(&program).arg("man").arg("--dir").arg(&man))?;
    ensure!(!written.is_empty(), "no man page was written");
    // Without name and time, so that the same page is the same file.
    runner.run(Command::new("gzip").args(["--no-name", "--best"]).args(written.lines()))?;
    for (shell, name) in SHELLS {
        let text = runner.output(Command::new(&program).args(["completions", shell]))?;
        fs::write(completions.join(name), text).with_context(|| format!("writing {name}"))?;
    }
    Ok(())
}

fn debian(runner: &Runner, build: &Build, output: &Path) -> Result<PathBuf> {
    let mut deb = cargo(&["deb", "--no-build", "--locked", "--package", "tracker", "--quiet"]);
    if build.debug {
        // The debug build is large, and this package is not for keeping.
        deb.args(["--profile", "dev", "--fast"]);
    }
    build.timed(&mut deb);
    // The folder is named with a slash at its end, else it would be taken for a file.
    let path = runner.output(deb.arg("--output").arg(output.join("")))?;
    let path = PathBuf::from(path.lines().last().unwrap_or_default());
    ensure!(path.is_file(), "cargo deb named no package");
    Ok(path)
}

/// A folder with everything in it, packed.
fn archived(runner: &Runner, build: &Build, target: &str, output: &Path) -> Result<PathBuf> {
    let folder = build.folder(Some(target));
    assert_static(&folder.join("tracker"))?;
    let name = format!("tracker-{}-{}-linux", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let scratch = tempfile::tempdir().context("making a folder")?;
    gathered(&folder, &scratch.path().join(&name))?;
    let path = output.join(format!("{name}.tar.gz"));
    packed(runner, &scratch.path().join(&name), build.time.as_deref().unwrap_or("0"), &path)?;
    Ok(path)
}

/// The program of a build, its pages and completions, and what goes with them.
fn gathered(build: &Path, whole: &Path) -> Result<()> {
    let copy = |from: &Path, to: &str| -> Result<()> {
        let to = whole.join(to);
        fs::create_dir_all(to.parent().unwrap_or(whole))?;
        fs::copy(from, &to).map(|_| ()).with_context(|| format!("copying {}", from.display()))
    };
    copy(&build.join("tracker"), "tracker")?;
    for (from, to) in BESIDE {
        copy(&workspace::root().join(from), to)?;
    }
    for part in ["man", "completions"] {
        for entry in fs::read_dir(build.join("package").join(part))? {
            let entry = entry?;
            copy(&entry.path(), &format!("{part}/{}", entry.file_name().to_string_lossy()))?;
        }
    }
    Ok(())
}

/// Packs a folder so that the same content gives the same bytes.
fn packed(runner: &Runner, whole: &Path, time: &str, path: &Path) -> Result<()> {
    let (Some(above), Some(name)) = (whole.parent(), whole.file_name()) else {
        bail!("{} is no folder in another", whole.display());
    };
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"])
        .arg(format!("--mtime=@{time}"))
        .args(["--use-compress-program=gzip --no-name --best", "--create", "--file"])
        .arg(path)
        .arg("--directory")
        .arg(above)
        .arg(name);
    runner.run(&mut tar)
}

/// A program that asks for a library of the system is not for any Linux.
fn assert_static(program: &Path) -> Result<()> {
    let headers = Command::new("readelf").arg("--program-headers").arg(program).output();
    let headers = headers.context("readelf (apt-get install binutils)")?;
    ensure!(headers.status.success(), "readelf cannot read {}", program.display());
    if String::from_utf8_lossy(&headers.stdout).contains("INTERP") {
        bail!("{} is not static: it asks for a loader of the system", program.display());
    }
    Ok(())
}

/// `SHA256SUMS`, in the form that `sha256sum --check` reads.
fn checksums(runner: &Runner, output: &Path, made: &[PathBuf]) -> Result<()> {
    let names = made.iter().filter_map(|path| path.file_name());
    let text = runner.output(Command::new("sha256sum").current_dir(output).args(names))?;
    fs::write(output.join("SHA256SUMS"), text).context("writing SHA256SUMS")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec;

    #[test]
    fn a_program_that_asks_for_a_loader_is_refused() {
        spec!("packaging#a-static-archive/not-static");
        let ours = std::env::current_exe().expect("it runs");
        let error = assert_static(&ours).expect_err("a test is built for this system");
        assert!(error.to_string().contains("is not static"), "{error:#}");
    }

    #[test]
    fn what_a_static_program_needs_is_told() {
        spec!("packaging#a-static-archive/what-is-missing-is-told");
        let error = setup::static_target("s390x-unknown-linux-musl").expect_err("nobody has it");
        let told = format!("{error:#}");
        assert!(told.contains("rustup target add s390x-unknown-linux-musl"), "{told}");
        assert!(told.contains("--only deb"), "{told}");
    }

    #[test]
    fn the_same_files_give_the_same_archive() {
        spec!("packaging#a-static-archive/the-same-again");
        let runner = Runner::new(None).expect("signals can be listened for");
        let scratch = tempfile::tempdir().expect("a folder");
        let build = scratch.path().join("build");
        for (name, text) in
            [("tracker", "program"), ("package/man/a.1.gz", "x"), ("package/completions/b", "y")]
        {
            let path = build.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        let archive = |at: &str| {
            let whole = scratch.path().join(at).join("tracker-1");
            gathered(&build, &whole).expect("everything is there");
            let path = scratch.path().join(format!("{at}.tar.gz"));
            packed(&runner, &whole, "1000000000", &path).expect("it is packed");
            fs::read(path).expect("it can be read")
        };
        let first = archive("one");
        assert!(first == archive("two"), "the archives differ");
        let list = runner
            .output(Command::new("tar").arg("-tzf").arg(scratch.path().join("one.tar.gz")))
            .expect("it can be listed");
        for (_, name) in BESIDE {
            assert!(list.contains(&format!("tracker-1/{name}\n")), "{name} in {list}");
        }
        assert!(list.contains("tracker-1/tracker\n") && list.contains("tracker-1/man/a.1.gz\n"));
    }
}
