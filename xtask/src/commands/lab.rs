//! Real qBittorrent on loopback, through `tests/lab/lab.py`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::Value;

use super::setup;
use crate::runner::{Runner, note, say};
use crate::workspace;

/// Which generation of qBittorrent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Flavour {
    /// 4.5
    Bookworm,
    /// 5.1
    Trixie,
    /// The newest 5.x
    Backports,
}

impl Flavour {
    /// All of them.
    pub const ALL: [Flavour; 3] = [Flavour::Backports, Flavour::Trixie, Flavour::Bookworm];

    /// As the lab calls it.
    pub fn name(self) -> &'static str {
        match self {
            Flavour::Bookworm => "bookworm",
            Flavour::Trixie => "trixie",
            Flavour::Backports => "backports",
        }
    }

    /// The variable that tells tests where the lab of this flavour is.
    fn variable(self) -> &'static str {
        match self {
            Flavour::Bookworm => "TRACKER_LAB_BOOKWORM",
            Flavour::Trixie => "TRACKER_LAB_TRIXIE",
            Flavour::Backports => "TRACKER_LAB_BACKPORTS",
        }
    }
}

/// Which lab, and where.
#[derive(Debug, Args)]
pub struct Place {
    /// The generation of qBittorrent
    #[arg(long, value_enum, default_value = "backports")]
    qbt: Flavour,
    /// The lab's folder [default: target/lab/FLAVOUR]
    #[arg(long)]
    dir: Option<PathBuf>,
}

impl Place {
    fn dir(&self) -> PathBuf {
        let default = || workspace::root().join("target/lab").join(self.qbt.name());
        self.dir.clone().unwrap_or_else(default)
    }
}

/// `cargo xtask lab up`.
pub fn up(place: &Place) -> Result<()> {
    let runner = Runner::new(None)?;
    runner.run(&mut up_command(&place.dir(), place.qbt))
}

/// `cargo xtask lab down`.
pub fn down(place: &Place) -> Result<()> {
    let runner = Runner::new(None)?;
    runner.run(&mut down_command(&place.dir()))
}

/// `cargo xtask lab status`: exit 0 when all its processes run.
pub fn status(place: &Place) -> Result<()> {
    let manifest = manifest(&place.dir())?;
    let processes = manifest["processes"].as_object().context("the manifest names no processes")?;
    let mut down = 0;
    for (name, process) in processes {
        let running = is_running(process);
        down += usize::from(!running);
        let pid = process["pid"].as_u64().unwrap_or_default();
        say(&format!("{name}\t{pid}\t{}", if running { "up" } else { "down" }));
    }
    say(&format!("client\t{}", manifest["qbt"]["url"].as_str().unwrap_or("?")));
    if down > 0 {
        bail!("{down} of {} processes are down", processes.len());
    }
    Ok(())
}

/// What a lab that is up says of itself.
pub fn manifest(dir: &Path) -> Result<Value> {
    let path = dir.join("lab.json");
    let text = fs::read_to_string(&path).with_context(|| {
        format!("no lab in {}: start one with `cargo xtask lab up`", dir.display())
    })?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

/// Whether the very process that was recorded still runs, not a later one with its pid.
fn is_running(process: &Value) -> bool {
    let Some(pid) = process["pid"].as_u64() else {
        return false;
    };
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The command's name may hold spaces and parentheses; the fields come after the last one.
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let began = fields.get(19).and_then(|field| field.parse::<u64>().ok());
    began.is_some() && began == process["started"].as_u64() && fields.first() != Some(&"Z")
}

fn up_command(dir: &Path, flavour: Flavour) -> Command {
    let mut command = setup::lab_py();
    command.arg("up").arg("--dir").arg(dir).args(["--qbt", flavour.name(), "--small"]);
    command
}

fn down_command(dir: &Path) -> Command {
    let mut command = setup::lab_py();
    command.arg("down").arg("--dir").arg(dir).arg("--purge");
    command
}

/// Labs for the time of a run; they end with it, however it ends.
pub struct Labs {
    folder: tempfile::TempDir,
    flavours: Vec<Flavour>,
}

impl Labs {
    /// Starts labs of these flavours side by side.
    pub fn up(runner: &Runner, flavours: &[Flavour]) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("tracker-lab-")
            .tempdir()
            .context("making a folder for the labs")?;
        let labs = Labs { folder, flavours: flavours.to_vec() };
        let mut children = Vec::new();
        for flavour in flavours {
            let mut command = up_command(&labs.dir(*flavour), *flavour);
            command.stdout(Stdio::null());
            let child = runner.spawn(&mut command)?;
            children.push((*flavour, command, child));
        }
        // All are waited for, or one that still starts would outlive the teardown.
        let results: Vec<(Flavour, Result<()>)> = children
            .into_iter()
            .map(|(flavour, command, child)| (flavour, runner.finish(&command, child)))
            .collect();
        for (flavour, result) in results {
            result
                .or_else(|_| labs.once_more(runner, flavour))
                .context("starting the qBittorrent labs")?;
        }
        Ok(labs)
    }

    /// Labs that start side by side may be given one port, and a client ends then.
    fn once_more(&self, runner: &Runner, flavour: Flavour) -> Result<()> {
        note(&format!("the lab {} did not start; once more", flavour.name()));
        let dir = self.dir(flavour);
        if dir.join("lab.json").exists() {
            runner.run(&mut down_command(&dir))?;
        }
        if dir.exists() {
            fs::remove_dir_all(&dir).with_context(|| format!("removing {}", dir.display()))?;
        }
        runner.run(up_command(&dir, flavour).stdout(Stdio::null()))
    }

    /// Where the lab of a flavour is.
    pub fn dir(&self, flavour: Flavour) -> PathBuf {
        self.folder.path().join(flavour.name())
    }

    /// Leaves the labs running, and says where.
    pub fn keep(mut self) -> PathBuf {
        self.flavours.clear();
        self.folder.disable_cleanup(true);
        self.folder.path().to_path_buf()
    }

    /// Tells a program where the labs are.
    pub fn export(&self, command: &mut Command) {
        command.env("TRACKER_LAB_DIR", self.folder.path());
        command.env("TRACKER_LAB_PY", setup::lab_path());
        for flavour in &self.flavours {
            command.env(flavour.variable(), self.dir(*flavour));
        }
    }
}

impl Drop for Labs {
    fn drop(&mut self) {
        for flavour in &self.flavours {
            let dir = self.dir(*flavour);
            if !dir.join("lab.json").exists() {
                continue;
            }
            let ended = down_command(&dir)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            if !ended.is_ok_and(|status| status.success()) {
                note(&format!("the lab in {} could not be ended", dir.display()));
                self.folder.disable_cleanup(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_start() {
        let stat = fs::read_to_string("/proc/self/stat").expect("there is a process");
        let fields: Vec<&str> =
            stat.rsplit(')').next().expect("it has fields").split_whitespace().collect();
        let started: u64 = fields[19].parse().expect("it is a number");
        let pid = std::process::id();
        assert!(is_running(&serde_json::json!({ "pid": pid, "started": started })));
        assert!(!is_running(&serde_json::json!({ "pid": pid, "started": started + 1 })));
        assert!(!is_running(&serde_json::json!({ "pid": pid, "started": null })));
    }

    #[test]
    fn a_folder_without_a_lab_is_said() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let err = manifest(folder.path()).expect_err("there is no lab");
        assert!(err.to_string().contains("cargo xtask lab up"));
    }

    #[test]
    fn labs_end_with_their_run() {
        let runner = Runner::new(None).expect("signals can be listened for");
        let labs = Labs::up(&runner, &[Flavour::Backports]).expect("a lab can be started");
        let dir = labs.dir(Flavour::Backports);
        let manifest = manifest(&dir).expect("it says what it is");
        let processes: Vec<Value> = manifest["processes"]
            .as_object()
            .expect("it has processes")
            .values()
            .cloned()
            .collect();
        assert_eq!(processes.iter().filter(|process| is_running(process)).count(), 3);
        let mut command = Command::new("true");
        labs.export(&mut command);
        let told = command
            .get_envs()
            .any(|(name, value)| name == "TRACKER_LAB_BACKPORTS" && value == Some(dir.as_os_str()));
        assert!(told, "tests are told where it is");
        drop(labs);
        assert_eq!(processes.iter().filter(|process| is_running(process)).count(), 0);
        assert!(!dir.exists());
    }
}
