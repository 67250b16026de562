//! The engine inside the daemon in the place of a client: no qBittorrent is asked,
//! one only shares.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{Flavour, Lab, spec};

use crate::daemon::{DEADLINE, Daemon, Setup};

/// An engine that nothing beyond this machine hears of.
const ENGINE: &str = "[[client]]\nname = \"engine\"\nkind = \"embedded\"\n\
                      bind_device = \"lo\"\ndht = false\n";

fn setup(lab: &Lab) -> Setup {
    Setup { more: ENGINE.to_owned(), ..Setup::without_client(&lab.dir) }
}

/// The files below a folder by their content.
fn contents(folder: &Path) -> HashMap<String, PathBuf> {
    let mut found = HashMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(hex::encode(Sha256::digest(std::fs::read(&path).unwrap())), path);
            }
        }
    }
    found
}

/// Each file is in the downloads as it was sent; videos are linked.
fn is_there(daemon: &Daemon, torrent: &LabTorrent) {
    let downloads = contents(&daemon.data_dir().join("downloads"));
    let library = contents(&daemon.home().join("media"));
    let inode = |path: &Path| std::fs::metadata(path).unwrap().ino();
    for file in &torrent.files {
        let source = downloads.get(&file.sha256).unwrap_or_else(|| panic!("no {}", file.path));
        if file.path.ends_with(".mkv") && !file.path.contains("Sample") {
            assert_eq!(inode(&library[&file.sha256]), inode(source), "{}", file.path);
        }
    }
}

#[tokio::test]
async fn from_a_link_to_the_library_backports() {
    spec!("torrent-clients#the-embedded-engine/in-the-place-of-a-client");
    let lab = Lab::open(Flavour::Backports);
    let _lock = lab.reserve();
    let daemon = Daemon::started(setup(&lab)).await;
    for (torrent, which) in
        [("movie-v1", "full"), ("season-hybrid", "v1_only"), ("cyrillic-v1", "peer")]
    {
        let torrent = lab.torrent(torrent);
        let id = daemon.ingest(torrent.magnet_named(which)).await;
        let done = daemon.until_state(&id, "done").await;
        assert_eq!(done["attention"], Value::Null, "{done}");
        is_there(&daemon, torrent);
    }
    // Announce addresses are in no log, whoever writes it.
    assert!(!daemon.log().contains("/announce"), "{}", daemon.log());

    spec!("torrent-clients#a-client-that-knows-v1-only/it-rests-with-the-remedy");
    let id = daemon.ingest(&lab.torrent("movie-v2").magnet).await;
    let marked = |download: &Value| download["attention"] == "client-cannot-v2";
    let resting = daemon.until(&id, DEADLINE, "marked", marked).await;
    assert_eq!(resting["state"], "queued");
}

#[tokio::test]
async fn killed_amid_bytes_backports() {
    spec!("torrent-clients#the-embedded-engine/killed-amid-bytes");
    let lab = Lab::open(Flavour::Backports);
    let _lock = lab.reserve();
    let mut daemon = Daemon::started(setup(&lab)).await;
    let torrent = lab.torrent("slow");
    let id = daemon.ingest(&torrent.magnet).await;
    let bytes = |download: &Value| download["progress"]["bytes_done"].as_u64().unwrap_or(0);
    let mut before = 0;
    for _ in 0..3 {
        // Further than at the last kill.
        let further = |download: &Value| bytes(download) > before;
        before = bytes(&daemon.until(&id, DEADLINE, "under way", further).await);
        daemon.kill();
        daemon.start().await;
    }
    daemon.until(&id, DEADLINE * 3, "done", |download| download["state"] == "done").await;
    is_there(&daemon, torrent);
    // It was never fetched from the beginning.
    let failed =
        daemon.events(&id).await.into_iter().filter(|event| event["type"] == "download.failed");
    assert_eq!(failed.count(), 0);
}
