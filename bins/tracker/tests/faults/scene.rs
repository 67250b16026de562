//! What the tests share: parts of the lab kept for one of them, questions to
//! the client beside the daemon, and SQL on a database that nobody uses.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{Lab, LabApi, eventually};

use crate::daemon::{DEADLINE, Daemon, Setup};
use crate::fault_proxy::FaultProxy;

/// A lab, or some torrents of it, for one test.
pub struct Scene {
    pub lab: Lab,
    /// Held as long as the test runs.
    _locks: Vec<File>,
}

impl Scene {
    /// For a test that restarts the client or is banned by it.
    pub fn alone() -> Self {
        let lab = Lab::backports();
        let lock = File::create(lab.dir.join("test.lock")).unwrap();
        lock.lock().unwrap();
        Scene { lab, _locks: vec![lock] }
    }

    /// For a test that shares the client and needs these torrents, in the
    /// order of the alphabet.
    pub fn with(torrents: &[&str]) -> Self {
        assert!(torrents.is_sorted(), "two tests must not wait for each other");
        let lab = Lab::backports();
        let client = File::create(lab.dir.join("test.lock")).unwrap();
        client.lock_shared().unwrap();
        let mut locks = vec![client];
        for id in torrents {
            let lock = File::create(lab.dir.join(format!("test-{id}.lock"))).unwrap();
            lock.lock().unwrap();
            locks.push(lock);
        }
        Scene { lab, _locks: locks }
    }

    pub fn torrent(&self, id: &str) -> &LabTorrent {
        self.lab.torrent(id)
    }

    /// Removes torrents of the lab from the client.
    pub async fn clear(&self, torrents: &[&str]) {
        let hashes: Vec<&str> =
            torrents.iter().flat_map(|id| hashes_of(self.torrent(id))).collect();
        self.lab.api().await.delete_infohashes(&hashes).await;
    }

    /// A proxy in front of the client, and a setup that goes through it.
    pub async fn proxied(&self) -> (FaultProxy, Setup) {
        let proxy = FaultProxy::before(&self.lab.qbt.url).await;
        let mut setup = Setup::of(&self.lab);
        proxy.url().clone_into(&mut setup.clients[0].url);
        (proxy, setup)
    }
}

/// The hashes that a torrent has.
pub fn hashes_of(torrent: &LabTorrent) -> Vec<&str> {
    let both = [torrent.infohash_v1.as_str(), torrent.infohash_v2.as_str()];
    both.into_iter().filter(|hash| !hash.is_empty()).collect()
}

/// The entries of a client's list that have one of these hashes.
pub fn shown<'a>(list: &'a [Value], hashes: &[&str]) -> Vec<&'a Value> {
    let has = |entry: &&Value| {
        ["infohash_v1", "infohash_v2"]
            .iter()
            .any(|field| entry[*field].as_str().is_some_and(|hash| hashes.contains(&hash)))
    };
    list.iter().filter(has).collect()
}

/// How often the client has a torrent.
pub async fn times_in_client(api: &LabApi, hashes: &[&str]) -> usize {
    shown(&api.list().await, hashes).len()
}

/// The states that a download went through, from the journal.
pub async fn story(daemon: &Daemon, id: &str) -> Vec<String> {
    let events = daemon.events(id).await;
    let changes = events.iter().filter(|event| event["type"] == "download.state_changed");
    changes.map(|event| event["data"]["to"].as_str().unwrap().to_owned()).collect()
}

/// Neither now nor at any time was one of them failed, and none has a mark.
pub async fn assert_none_failed(daemon: &Daemon, ids: &[String]) {
    for id in ids {
        let states = story(daemon, id).await;
        assert!(!states.contains(&"failed".to_owned()), "{id}: {states:?}");
        let download = daemon.download(id).await;
        assert_ne!(download["state"], "failed");
        assert_eq!(download["attention"], Value::Null, "{download:#}");
    }
}

/// Waits until `/health` was looked at anew for a check.
pub async fn until_looked_at_again(daemon: &Daemon, code: &str) {
    let at = daemon.until_check(code).await["checked_at"].clone();
    eventually(DEADLINE, "another look", async || {
        let checks = daemon.checks(code).await;
        checks.first().filter(|check| check["checked_at"] != at).map(|_| ())
    })
    .await;
}

/// Waits until no check of health has this code.
pub async fn until_no_check(daemon: &Daemon, code: &str) {
    eventually(Duration::from_secs(90), "the check to go", async || {
        daemon.checks(code).await.is_empty().then_some(())
    })
    .await;
}

/// The files below a folder, without their folders; empty when it is not there.
pub fn files_below(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            files.extend(files_below(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}

/// Runs SQL on a database that no daemon has open; the rows of the last
/// statement, each as a list.
pub fn sql(daemon: &Daemon, statements: &[&str]) -> Vec<Value> {
    const SCRIPT: &str = "import json, sqlite3, sys\n\
        connection = sqlite3.connect(sys.argv[1])\n\
        for statement in sys.argv[2:]:\n    rows = connection.execute(statement).fetchall()\n\
        connection.commit()\n\
        connection.close()\n\
        print(json.dumps(rows))\n";
    let mut command = Command::new("python3");
    command.arg("-c").arg(SCRIPT).arg(daemon.data_dir().join("tracker.db")).args(statements);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// # Panics
/// Without root: mounts and other users need it.
pub fn need_root() {
    assert!(
        rustix::process::geteuid().is_root(),
        "this test mounts filesystems and starts programs as other users: \
         run it as root (in a container, or with sudo -E cargo test -p tracker --test faults)"
    );
}
