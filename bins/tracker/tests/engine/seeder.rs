//! Somebody who has a release, and a machine on which nothing is set up.

use std::fs;
use std::num::NonZeroU32;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tracker_embedded::Sharer;
use tracker_testkit::{FixedClock, eventually};

/// For a transfer that is held back.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A release that a seeder on loopback has.
pub struct Seeder {
    folder: TempDir,
    _sharer: Sharer,
    /// The link to it, with the seeder as its one peer.
    pub link: String,
    /// The `.torrent` of it.
    pub torrent: Vec<u8>,
    name: String,
    video: Vec<u8>,
}

impl Seeder {
    /// A film of some bytes, sent as fast as it goes.
    pub async fn of(name: &str, bytes: usize) -> Self {
        Self::held_back(name, bytes, None).await
    }

    /// The same, with most bytes a second.
    pub async fn held_back(name: &str, bytes: usize, bps: Option<u32>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (seeds, state) = (folder.path().join("seeds"), folder.path().join("state"));
        let release = seeds.join(name);
        fs::create_dir_all(&release).unwrap();
        // No two blocks are the same.
        let video: Vec<u8> = (0_u32..)
            .flat_map(|n| (n.wrapping_mul(2_654_435_761)).to_le_bytes())
            .take(bytes)
            .collect();
        fs::write(release.join(format!("{name}.mkv")), &video).unwrap();
        fs::write(release.join(format!("{name}.en.srt")), "1\n").unwrap();
        let bps = bps.and_then(NonZeroU32::new);
        let sharer = Sharer::new(&seeds, &state, bps, Arc::new(FixedClock::new()));
        let shared = sharer.share(name).await.unwrap();
        let link = shared.link(name);
        let torrent = shared.torrent;
        Seeder { folder, _sharer: sharer, link, torrent, name: name.to_owned(), video }
    }

    /// The video stands in a library as it was sent, as one of two names of the file.
    pub fn is_linked(&self, machine: &Machine, below: &str) {
        self.has_names(machine, below, 2);
    }

    /// The same, with so many names.
    pub fn has_names(&self, machine: &Machine, below: &str, names: u64) {
        let path = machine.library().join(below);
        assert_eq!(fs::read(&path).unwrap(), self.video, "{}", path.display());
        assert_eq!(fs::metadata(&path).unwrap().nlink(), names);
    }

    /// Where its `.torrent` lies.
    pub fn torrent_file(&self) -> PathBuf {
        let path = self.folder.path().join(format!("{}.torrent", self.name));
        fs::write(&path, &self.torrent).unwrap();
        path
    }
}

/// A machine without a configuration file. Variables keep what is tried here from
/// leaving it.
pub struct Machine {
    home: TempDir,
}

impl Machine {
    pub fn new() -> Self {
        Machine { home: tempfile::tempdir().unwrap() }
    }

    /// The files whose names end so, in any folder.
    pub fn files_with_suffix(&self, suffix: &str) -> Vec<PathBuf> {
        let (mut folders, mut found) = (vec![self.home.path().to_path_buf()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.to_str().is_some_and(|path| path.ends_with(suffix)) {
                    found.push(path);
                }
            }
        }
        found
    }

    /// Where nobody has said anything about folders.
    pub fn data_dir(&self) -> PathBuf {
        self.home.path().join(".local/share/tracker")
    }

    pub fn library(&self) -> PathBuf {
        self.data_dir().join("library")
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// With a configuration file of these lines.
    pub fn configured(self, text: &str) -> Self {
        let folder = self.home.path().join(".config/tracker");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("tracker.toml"), text).unwrap();
        self
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracker"));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.home.path());
        command.env("TMPDIR", self.home.path());
        command.env("TRACKER__HTTP__LISTEN", "127.0.0.1:0");
        command.env("TRACKER__CLIENT__EMBEDDED__BIND_DEVICE", "lo");
        command.env("TRACKER__CLIENT__EMBEDDED__DHT", "false");
        command.env("TRACKER__METADATA__TVMAZE", "false");
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ended {
        ended(self.command(args).output().unwrap())
    }

    pub fn spawn(&self, args: &[&str]) -> Running {
        let file = |end: &str| self.home.path().join(format!("{}.{end}", args.len()));
        let (out, err) = (file("out"), file("err"));
        let mut command = self.command(args);
        command.stdout(fs::File::create(&out).unwrap());
        let child = command.stderr(fs::File::create(&err).unwrap()).spawn().unwrap();
        Running { child: Some(child), out, err }
    }

    /// Until a daemon of this machine answers.
    pub async fn until_ready(&self) {
        eventually(DEADLINE, "the daemon to be alive", async || {
            (self.run(&["healthcheck"]).code == 0).then_some(())
        })
        .await;
    }
}

/// What a command left.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A command that runs; it is killed when it is dropped.
pub struct Running {
    child: Option<Child>,
    out: PathBuf,
    err: PathBuf,
}

impl Running {
    /// Until it has said something.
    pub async fn until_says(&self, what: &str) {
        eventually(DEADLINE, what, async || self.said().contains(what).then_some(())).await;
    }

    pub fn said(&self) -> String {
        fs::read_to_string(&self.err).unwrap()
    }

    /// Until one that prints objects has told of so many bytes; what it told of last.
    pub async fn until_has(&self, bytes: u64) -> u64 {
        eventually(DEADLINE, "so many bytes", async || {
            let out = fs::read_to_string(&self.out).unwrap();
            // The last line may be under way.
            let told = out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let mut done =
                told.filter_map(|told| told["download"]["progress"]["bytes_done"].as_u64());
            done.next_back().filter(|done| *done >= bytes)
        })
        .await
    }

    pub fn signal(&self, signal: Signal) {
        let id = self.child.as_ref().unwrap().id();
        kill_process(Pid::from_raw(id.try_into().unwrap()).unwrap(), signal).unwrap();
    }

    /// Until it has ended.
    pub async fn end(mut self) -> Ended {
        let child = self.child.take().unwrap();
        let wait = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap());
        let output = tokio::time::timeout(DEADLINE, wait).await.expect("it ends").unwrap();
        let out = fs::read_to_string(&self.out).unwrap();
        Ended { out, err: self.said(), ..ended(output) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended by itself.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }
}
