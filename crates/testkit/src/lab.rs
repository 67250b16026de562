//! The lab of real clients on the loopback interface, as `tests/lab/lab.py`
//! started it: what is in it, and the commands that tests give it.
//!
//! Several test programs share one lab, one after another: a test removes what
//! it added and nothing else.

mod api;
mod caretaker;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tracker_domain::InfohashSet;

pub use api::{LabApi, LabReply};
use caretaker::Caretaker;

/// Which client is under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// 5.3
    Backports,
    /// 5.1
    Trixie,
    /// 4.5
    Bookworm,
}

/// A running lab.
#[derive(Clone, Debug, Deserialize)]
pub struct Lab {
    /// Its folder.
    pub dir: PathBuf,
    /// The client under test.
    pub qbt: LabClient,
    /// The client that seeds.
    pub seeder: LabClient,
    /// The HTTP tracker.
    pub tracker: LabTracker,
    /// What there is to download.
    pub torrents: Vec<LabTorrent>,
    /// `qbittorrent`, `webapi`, `libtorrent` and others.
    pub versions: HashMap<String, serde_json::Value>,
}

/// A lab that is kept for one test.
#[derive(Debug)]
pub struct LabLock {
    /// What clients do by themselves now and then is put right meanwhile.
    _caretaker: Caretaker,
    /// The lock ends with the file.
    _file: std::fs::File,
}

/// One of the two clients.
#[derive(Clone, Debug, Deserialize)]
pub struct LabClient {
    /// Address of its Web UI.
    pub url: String,
    /// User.
    pub username: String,
    /// Password.
    pub password: String,
    /// Port for peers.
    pub bt_port: u16,
    /// Folder with its settings.
    pub profile: PathBuf,
    /// Default folder for downloads.
    pub save_path: String,
}

/// The HTTP tracker.
#[derive(Clone, Debug, Deserialize)]
pub struct LabTracker {
    /// Its announce address.
    pub announce: String,
    /// Its statistics as JSON.
    pub stats: String,
}

/// One torrent that the lab has.
#[derive(Clone, Debug, Deserialize)]
pub struct LabTorrent {
    /// Its name in the lab, such as `season-hybrid`.
    pub id: String,
    /// `v1`, `v2` or `hybrid`.
    pub kind: String,
    /// `complete`, `slow`, `partial` or `dead`.
    pub behaviour: String,
    /// Name of its file or root folder.
    pub name: String,
    /// Bytes of its payload.
    pub size: u64,
    /// What qBittorrent calls it once it has metadata.
    pub hash: String,
    /// Empty when it has none.
    pub infohash_v1: String,
    /// Empty when it has none.
    pub infohash_v2: String,
    /// With all its hashes.
    pub magnet: String,
    /// `full`, `v1_only`, `v2_only`, `peer`; not each has all.
    pub magnets: HashMap<String, String>,
    /// The `.torrent`.
    pub torrent_file: PathBuf,
    /// Its file or root folder at the seeder's.
    pub payload: PathBuf,
    /// Its files.
    pub files: Vec<LabFile>,
}

/// A file of a torrent.
#[derive(Clone, Debug, Deserialize)]
pub struct LabFile {
    /// Below the save path.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Hex digits of its content's SHA-256.
    pub sha256: String,
}

impl Flavour {
    /// Every flavour.
    pub const ALL: [Flavour; 3] = [Flavour::Backports, Flavour::Trixie, Flavour::Bookworm];

    const fn variable(self) -> &'static str {
        match self {
            Flavour::Backports => "TRACKER_LAB_BACKPORTS",
            Flavour::Trixie => "TRACKER_LAB_TRIXIE",
            Flavour::Bookworm => "TRACKER_LAB_BOOKWORM",
        }
    }
}

impl Lab {
    /// The lab of a flavour, whose folder is in the environment.
    ///
    /// # Panics
    /// When there is no lab: nothing can be tested without it.
    #[must_use]
    pub fn open(flavour: Flavour) -> Self {
        let variable = flavour.variable();
        let remedy = "run cargo xtask test (or cargo xtask lab up and set the variable)";
        let Some(dir) = std::env::var_os(variable) else {
            panic!("{variable} names no lab: {remedy}");
        };
        Self::at(Path::new(&dir)).unwrap_or_else(|error| {
            panic!("no lab in {} ({error}): {remedy}", Path::new(&dir).display())
        })
    }

    /// The lab in a folder.
    ///
    /// # Errors
    /// When its `lab.json` is not there or not whole.
    pub fn at(dir: &Path) -> std::io::Result<Self> {
        let text = std::fs::read_to_string(dir.join("lab.json"))?;
        Ok(serde_json::from_str(&text)?)
    }

    /// With qBittorrent 5.3.
    #[must_use]
    pub fn backports() -> Self {
        Self::open(Flavour::Backports)
    }

    /// With qBittorrent 5.1.
    #[must_use]
    pub fn trixie() -> Self {
        Self::open(Flavour::Trixie)
    }

    /// With qBittorrent 4.5.
    #[must_use]
    pub fn bookworm() -> Self {
        Self::open(Flavour::Bookworm)
    }

    /// Keeps the lab for one test, over threads and processes, until it is
    /// dropped. Blocks until the lab is free.
    ///
    /// # Panics
    /// When the lock in the lab's folder cannot be taken.
    #[must_use]
    pub fn reserve(&self) -> LabLock {
        let path = self.dir.join("test.lock");
        let file = std::fs::File::create(&path).expect("the lab's folder can be written");
        file.lock().expect("the lab's lock can be waited for");
        LabLock { _caretaker: Caretaker::start(self), _file: file }
    }

    /// A torrent by its name in the lab.
    ///
    /// # Panics
    /// When the lab has none of that name.
    #[must_use]
    pub fn torrent(&self, id: &str) -> &LabTorrent {
        let found = self.torrents.iter().find(|torrent| torrent.id == id);
        found.unwrap_or_else(|| panic!("the lab has no torrent {id}"))
    }

    /// Restarts the client under test: cleanly or with SIGKILL, and up again or
    /// not. Blocks until it answers. Sessions and bans are gone then; addresses
    /// and passwords stay.
    ///
    /// # Panics
    /// When it does not come back.
    pub fn restart(&self, kill: bool, stay_down: bool) {
        let _alone = self.switching();
        self.mark_ended(stay_down);
        self.switch_client(kill, stay_down);
    }

    /// Starts the client under test where it does not run, and tells whether it
    /// had to.
    ///
    /// # Panics
    /// When it does not come back.
    pub fn revive(&self) -> bool {
        let _alone = self.switching();
        self.mark_ended(false);
        self.start_if_ended()
    }

    /// Starts the client under test where it has ended by itself, as a service
    /// manager would. qBittorrent 5.3.0 does so now and then while a hybrid gets
    /// its metadata.
    fn revive_unless_ended_by_a_test(&self) {
        let _alone = self.switching();
        if !self.end_mark().exists() {
            self.start_if_ended();
        }
    }

    /// Held while the client is started or ended: a test and the caretaker do so.
    fn switching(&self) -> std::fs::File {
        let file = std::fs::File::create(self.dir.join("switch.lock"));
        let file = file.expect("the lab's folder can be written");
        file.lock().expect("the lab's lock can be waited for");
        file
    }

    /// The file that says that a test has ended the client.
    fn end_mark(&self) -> PathBuf {
        self.dir.join("ended-by-a-test")
    }

    fn mark_ended(&self, ended: bool) {
        let mark = self.end_mark();
        let marked = match (ended, mark.exists()) {
            (true, _) => std::fs::write(&mark, ""),
            (false, true) => std::fs::remove_file(&mark),
            (false, false) => Ok(()),
        };
        marked.expect("the lab's folder can be written");
    }

    fn start_if_ended(&self) -> bool {
        let address = self.qbt.url.trim_start_matches("http://");
        let ended = std::net::TcpStream::connect(address).is_err();
        if ended {
            self.switch_client(false, false);
        }
        ended
    }

    fn switch_client(&self, kill: bool, stay_down: bool) {
        let mut command = Command::new("python3");
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lab/lab.py"));
        command.arg("restart-qbt").arg("--dir").arg(&self.dir);
        command.args(kill.then_some("--kill"));
        command.args(stay_down.then_some("--stay-down"));
        let output = command.output().expect("python3 runs the lab");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the lab cannot restart its client: {said}");
    }

    /// Stops a torrent at the client that seeds.
    pub async fn stop_seeding(&self, handle: &str) {
        self.switch(["stop", "pause"], handle).await;
    }

    /// Starts a torrent at the client that seeds.
    pub async fn start_seeding(&self, handle: &str) {
        self.switch(["start", "resume"], handle).await;
    }

    /// Versions differ in the word.
    async fn switch(&self, words: [&str; 2], handle: &str) {
        let seeder = self.seeder_api().await;
        for word in words {
            seeder.post(&format!("torrents/{word}"), &[("hashes", handle)]).await;
        }
    }

    /// A line to the client under test, logged in.
    pub async fn api(&self) -> LabApi {
        LabApi::login(&self.qbt).await
    }

    /// A line to the client that seeds, logged in.
    pub async fn seeder_api(&self) -> LabApi {
        LabApi::login(&self.seeder).await
    }
}

impl LabTorrent {
    /// Its infohashes.
    ///
    /// # Panics
    /// When the lab wrote none.
    #[must_use]
    pub fn infohashes(&self) -> InfohashSet {
        let hashes = [&self.infohash_v1, &self.infohash_v2];
        let parsed = hashes.into_iter().filter_map(|text| text.parse().ok());
        InfohashSet::new(parsed).expect("each torrent of the lab has an infohash")
    }

    /// Whether an entry of a client's listing is this torrent, under whatever handle.
    #[must_use]
    pub fn is(&self, listed: &serde_json::Value) -> bool {
        let same = |field: &str, hash: &str| !hash.is_empty() && listed[field] == hash;
        same("infohash_v1", &self.infohash_v1) || same("infohash_v2", &self.infohash_v2)
    }

    /// One of its magnets: `full`, `v1_only`, `v2_only` or `peer`.
    ///
    /// # Panics
    /// When it has none of that name.
    #[must_use]
    pub fn magnet_named(&self, which: &str) -> &str {
        self.magnets.get(which).unwrap_or_else(|| panic!("{} has no magnet {which}", self.id))
    }
}
