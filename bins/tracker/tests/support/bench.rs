//! A lab of one's own with a daemon on it, and what both are looked at with.
#![allow(dead_code, reason = "each test program uses its own part of it")]
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{Flavour, Lab, LabApi, LabLock, eventually, eventually_blocking};

use crate::daemon::{DEADLINE, Daemon, Setup};

/// How long the writer of a client may be behind what it calls complete.
const WRITER: Duration = Duration::from_secs(20);

/// A lab with a daemon.
pub struct Bench {
    pub lab: Lab,
    pub api: LabApi,
    pub daemon: Daemon,
    /// The handles of torrents that nobody shares for now.
    withheld: Vec<String>,
    /// The handles of torrents that are shared at another speed for now, with the
    /// limit that they had.
    paced: Vec<(String, String)>,
    _lock: LabLock,
}

impl Bench {
    /// With a daemon that runs on an empty client.
    pub async fn at(flavour: Flavour) -> Self {
        let mut bench = Self::idle(flavour).await;
        bench.daemon.start().await;
        bench
    }

    /// The same, with a daemon that is not started.
    pub async fn idle(flavour: Flavour) -> Self {
        let lab = Lab::open(flavour);
        let lock = lab.reserve();
        // A test before this one may have failed half-way.
        lab.revive();
        empty(&lab).await;
        let (daemon, api) = (Daemon::prepared(Setup::of(&lab)), lab.api().await);
        Bench { lab, api, daemon, withheld: Vec::new(), paced: Vec::new(), _lock: lock }
    }

    /// An empty client and a daemon on an empty library, within one test.
    pub async fn renew(&mut self) {
        self.daemon.abandon();
        empty(&self.lab).await;
        self.daemon = Daemon::started(Setup::of(&self.lab)).await;
    }

    /// One of the magnets of a torrent of the lab.
    pub fn magnet(&self, torrent: &str, which: &str) -> String {
        self.lab.torrent(torrent).magnet_named(which).to_owned()
    }

    /// A folder for what a person adds by hand.
    pub fn by_hand(&self, name: &str) -> String {
        format!("{}/by-hand-{name}", self.lab.qbt.save_path)
    }

    /// Adds a torrent as a person would, and waits until it is complete and on
    /// the disk.
    pub async fn add_by_hand(&self, torrent: &str) -> Value {
        let folder = self.by_hand(torrent);
        self.api.add(&self.lab.torrent(torrent).magnet, &[("savepath", &folder)]).await;
        let entry = eventually(2 * DEADLINE, torrent, async || {
            let entry = self.entry(torrent).await?;
            (entry["progress"] == 1 && entry["amount_left"] == 0).then_some(entry)
        })
        .await;
        self.until_whole(self.lab.torrent(torrent), Path::new(&folder)).await;
        entry
    }

    /// Has nobody share a torrent, until `share` or the end of the test.
    pub async fn withhold(&mut self, torrent: &str) {
        let handle = self.lab.torrent(torrent).hash.clone();
        self.lab.stop_seeding(&handle).await;
        self.withheld.push(handle);
    }

    /// Has everything shared again that was withheld.
    pub async fn share(&mut self) {
        for handle in self.withheld.drain(..) {
            self.lab.start_seeding(&handle).await;
            let seeder = self.lab.seeder_api().await;
            eventually(DEADLINE, "the seeder to share", async || {
                let listed = seeder.list().await;
                let one = listed.iter().find(|one| one["hash"] == *handle)?;
                ["stalledUP", "uploading"].iter().any(|state| one["state"] == *state).then_some(())
            })
            .await;
        }
    }

    /// Has a slow torrent shared at full speed until the end of the test.
    pub async fn hurry(&mut self, torrent: &str) {
        self.pace(torrent, 0).await;
    }

    /// Has a torrent shared at so many bytes a second until the end of the test; 0 is
    /// without a limit.
    pub async fn pace(&mut self, torrent: &str, limit: u32) {
        let torrent = self.lab.torrent(torrent);
        let seeder = self.lab.seeder_api().await;
        let listed = seeder.list().await;
        let entry = listed.iter().find(|entry| torrent.is(entry)).unwrap();
        let handle = entry["hash"].as_str().unwrap().to_owned();
        let (usual, limit) = (entry["up_limit"].to_string(), limit.to_string());
        // The first one is that of the lab.
        if !self.paced.iter().any(|(known, _)| *known == handle) {
            self.paced.push((handle.clone(), usual));
        }
        seeder.post("torrents/setUploadLimit", &[("hashes", &handle), ("limit", &limit)]).await;
    }

    /// Waits until each file of a complete torrent is as it was sent.
    ///
    /// Some versions now and then call a hybrid complete of which a block or a
    /// file was never written, and do not write it later. A check finds that and
    /// fetches it again, so one is asked for then, as of a person.
    #[expect(clippy::print_stderr, reason = "a fault of the client that the test goes on after")]
    pub async fn until_whole(&self, torrent: &LabTorrent, folder: &Path) {
        let whole = || {
            let mut files = torrent.files.iter();
            files.all(|file| is_written(&folder.join(&file.path), &file.sha256)).then_some(())
        };
        let written = eventually(WRITER * 2, "the writer to be done", async || whole());
        if tokio::time::timeout(WRITER, written).await.is_ok() {
            return;
        }
        let entry = self.entry(&torrent.id).await.unwrap();
        eprintln!("the client calls complete what it has not written: {entry}");
        let handle = entry["hash"].as_str().unwrap();
        self.api.post("torrents/recheck", &[("hashes", handle)]).await;
        eventually(DEADLINE, "the check to find the gap", async || {
            let found = self.entry(&torrent.id).await?["progress"] != 1;
            (found || whole().is_some()).then_some(())
        })
        .await;
        eventually(DEADLINE * 2, "the check to mend it", async || whole()).await;
    }

    /// What the client shows of a torrent.
    pub async fn entry(&self, torrent: &str) -> Option<Value> {
        self.lab.revive();
        let torrent = self.lab.torrent(torrent);
        self.api.list().await.into_iter().find(|one| torrent.is(one))
    }

    /// The tags of a torrent in the client.
    pub async fn tags(&self, torrent: &str) -> BTreeSet<String> {
        let entry = self.entry(torrent).await.unwrap();
        let tags = entry["tags"].as_str().unwrap().split(", ").filter(|tag| !tag.is_empty());
        tags.map(str::to_owned).collect()
    }

    /// All the tags that the client knows.
    pub async fn all_tags(&self) -> Vec<String> {
        self.lab.revive();
        serde_json::from_slice(&self.api.get("torrents/tags").await.body).unwrap()
    }

    /// Waits until the mark of an ended download is gone from the client.
    pub async fn mark_is_gone(&self, id: &str) {
        let mark = format!("tracker-{id}");
        eventually(DEADLINE, "the tag to go", async || {
            (!self.all_tags().await.contains(&mark)).then_some(())
        })
        .await;
    }

    /// Waits until the download is done, and checks what it is and what it left:
    /// its hashes, the payload in a folder of its own, the links.
    pub async fn arrives(&self, id: &str, torrent: &str) {
        let torrent = self.lab.torrent(torrent);
        let done = |download: &Value| download["state"] == "done";
        let download = self.daemon.until(id, DEADLINE * 2, "done", done).await;
        assert_eq!(download["attention"], Value::Null, "{download}");
        assert_eq!(hashes_of(&download), all_hashes(torrent), "{}", torrent.id);
        self.no_front_is_known(torrent).await;
        let folder = self.folder_of(&torrent.id).await;
        assert_eq!(folder, PathBuf::from(&self.lab.qbt.save_path).join(id));
        self.until_whole(torrent, &folder).await;
        self.is_linked(torrent, &folder);
    }

    /// Where the client keeps a torrent.
    pub async fn folder_of(&self, torrent: &str) -> PathBuf {
        let entry = self.entry(torrent).await.unwrap();
        // Some versions end it with a slash.
        PathBuf::from(entry["save_path"].as_str().unwrap().trim_end_matches('/'))
    }

    /// Nobody can be found by the front of a v2: it was never stored.
    async fn no_front_is_known(&self, torrent: &LabTorrent) {
        if torrent.infohash_v2.is_empty() {
            return;
        }
        let front = &torrent.infohash_v2[..40];
        let found = self.daemon.get(&format!("/downloads?infohash={front}")).await.expect(200);
        assert_eq!(found["items"], serde_json::json!([]), "{}", torrent.id);
    }

    /// Each file is whole in `folder`; videos and subtitles are linked, nothing else.
    pub fn is_linked(&self, torrent: &LabTorrent, folder: &Path) {
        is_linked(&self.daemon, torrent, folder);
    }

    /// The paths in the libraries, below the folder of all of them.
    pub fn library(&self) -> BTreeSet<String> {
        let media = self.daemon.home().join("media");
        let links = links_below(&media);
        let all = links.into_values().flatten();
        all.map(|path| path.strip_prefix(&media).unwrap().to_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.daemon.abandon();
        let (lab, withheld) = (self.lab.clone(), std::mem::take(&mut self.withheld));
        let paced = std::mem::take(&mut self.paced);
        // A thread of its own: the runtime of the test cannot wait here.
        let emptied = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                for handle in withheld {
                    lab.start_seeding(&handle).await;
                }
                for (handle, limit) in paced {
                    let fields = [("hashes", handle.as_str()), ("limit", limit.as_str())];
                    lab.seeder_api().await.post("torrents/setUploadLimit", &fields).await;
                }
                empty(&lab).await;
            });
        });
        // The next test empties it too; a second panic would hide the first.
        let _ = emptied.join();
    }
}

/// Takes everything out of the client under test, and our tags.
async fn empty(lab: &Lab) {
    lab.revive();
    let api = lab.api().await;
    api.delete_all().await;
    eventually(DEADLINE, "an empty client", async || api.list().await.is_empty().then_some(()))
        .await;
    let tags: Vec<String> = serde_json::from_slice(&api.get("torrents/tags").await.body).unwrap();
    let ours: Vec<String> = tags.into_iter().filter(|tag| tag.starts_with("tracker")).collect();
    if !ours.is_empty() {
        api.post("torrents/deleteTags", &[("tags", &ours.join(","))]).await;
    }
}

/// The infohashes of a download, sorted.
pub fn hashes_of(download: &Value) -> BTreeSet<String> {
    let hashes = download["infohashes"].as_array().unwrap();
    hashes.iter().map(|hash| hash.as_str().unwrap().to_owned()).collect()
}

/// The infohashes of a torrent of the lab, sorted.
pub fn all_hashes(torrent: &LabTorrent) -> BTreeSet<String> {
    let hashes = [&torrent.infohash_v1, &torrent.infohash_v2];
    hashes.into_iter().filter(|hash| !hash.is_empty()).cloned().collect()
}

/// Each file is whole in `folder`; videos and subtitles are linked, nothing else.
pub fn is_linked(daemon: &Daemon, torrent: &LabTorrent, folder: &Path) {
    let links = links_below(&daemon.home().join("media"));
    let mut videos = HashMap::new();
    let mut subtitles = Vec::new();
    for file in &torrent.files {
        let source = folder.join(&file.path);
        until_written(&source, &file.sha256);
        let targets = links.get(&inode(&source)).map_or(&[][..], Vec::as_slice);
        if file.path.contains("/Sample/") || file.path.ends_with(".nfo") {
            assert!(targets.is_empty(), "{}: {targets:?}", file.path);
            continue;
        }
        let [target] = targets else { panic!("{}: {targets:?}", file.path) };
        assert_eq!(sha256(target), file.sha256, "{}", target.display());
        let stem = Path::new(&file.path).with_extension("");
        if file.path.ends_with(".srt") {
            subtitles.push((stem, target.with_extension("")));
        } else {
            videos.insert(stem, target.with_extension(""));
        }
    }
    assert!(!videos.is_empty());
    for (stem, target) in subtitles {
        assert_eq!(videos[&stem], target, "subtitles belong beside their video");
    }
}

/// Waits for the client's writer: it calls a piece whole once its hash is right,
/// and the bytes may be a moment behind. The inode is the same all the while.
fn until_written(source: &Path, expected: &str) {
    let what = format!("{} to be as it was sent", source.display());
    eventually_blocking(DEADLINE, &what, || is_written(source, expected).then_some(()));
}

/// Whether a file is there with these bytes.
fn is_written(path: &Path, expected: &str) -> bool {
    std::fs::read(path).is_ok_and(|bytes| hex::encode(Sha256::digest(bytes)) == expected)
}

/// The SHA-256 of a file in hex digits.
fn sha256(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    hex::encode(Sha256::digest(bytes))
}

fn inode(path: &Path) -> (u64, u64) {
    let meta = std::fs::metadata(path).unwrap();
    (meta.dev(), meta.ino())
}

/// The files below a folder, by device and inode. A link that another download
/// is just making has a temporary name, which may be gone when it is looked at.
fn links_below(folder: &Path) -> HashMap<(u64, u64), Vec<PathBuf>> {
    let mut found: HashMap<_, Vec<PathBuf>> = HashMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(meta) = std::fs::metadata(&path) {
                found.entry((meta.dev(), meta.ino())).or_default().push(path);
            }
        }
    }
    found
}
