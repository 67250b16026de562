//! The engine and real clients on the loopback interface, both ways.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use support::engine;
use tracker_domain::observed::{ClientPath, Phase, Scope, Seen};
use tracker_domain::ports::{AddOutcome, AddRequest, AddSource, TorrentClient};
use tracker_embedded::Embedded;
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{Lab, eventually, spec};

const DEADLINE: Duration = Duration::from_secs(120);

/// Downloads one torrent into a folder of its own.
async fn download(engine: &Embedded, home: &Path, torrent: &LabTorrent, which: &str) -> PathBuf {
    let folder = home.join("downloads").join(format!("{}-{which}", torrent.id));
    let request = AddRequest {
        source: AddSource::Magnet(torrent.magnet_named(which).to_owned()),
        save_path: Some(ClientPath(folder.to_str().unwrap().to_owned())),
        tags: vec!["tracker".into()],
        category: String::new(),
    };
    assert_eq!(engine.add(&request).await, Ok(AddOutcome::Accepted), "{}", torrent.id);
    let seen = eventually(DEADLINE, &torrent.id, async || {
        look(engine, torrent).await.filter(|seen| seen.phase == Phase::Complete)
    })
    .await;
    assert_eq!(seen.infohashes, torrent.infohashes(), "{}", torrent.id);
    assert_eq!(seen.size_bytes, seen.progress.bytes_done);
    assert_eq!(seen.size_bytes, seen.progress.bytes_total);
    let files = engine.files(&seen.handle).await.unwrap();
    assert!(files.iter().all(|file| file.selected && file.complete), "{files:?}");
    let mut listed: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut wanted: Vec<&str> = torrent.files.iter().map(|file| file.path.as_str()).collect();
    listed.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(listed, wanted, "{}", torrent.id);
    is_whole(torrent, &folder);
    folder
}

async fn look(engine: &Embedded, torrent: &LabTorrent) -> Option<Seen> {
    let scope = Scope::Infohashes(torrent.infohashes().iter().collect());
    engine.observe(&scope).await.unwrap().into_iter().next()
}

fn is_whole(torrent: &LabTorrent, folder: &Path) {
    for file in &torrent.files {
        let bytes = std::fs::read(folder.join(&file.path)).unwrap();
        assert_eq!(hex::encode(Sha256::digest(bytes)), file.sha256, "{}", file.path);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_downloads_from_qbittorrent() {
    spec!("torrent-clients#the-embedded-engine/from-other-clients");
    let lab = Lab::backports();
    let _lock = lab.reserve();
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    for (id, which) in [
        ("movie-v1", "full"),
        ("season-v1", "peer"),
        ("movie-hybrid", "full"),
        ("season-hybrid", "v1_only"),
        ("cyrillic-v1", "full"),
        ("long-cyrillic", "full"),
    ] {
        download(&engine, home.path(), lab.torrent(id), which).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_seeds_to_qbittorrent() {
    spec!("torrent-clients#the-embedded-engine/to-other-clients");
    let lab = Lab::backports();
    let _lock = lab.reserve();
    lab.revive();
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    let torrent = lab.torrent("season-v1");
    download(&engine, home.path(), torrent, "full").await;
    let port = engine.port().await.unwrap().unwrap();

    // Nobody else has it from here on.
    lab.stop_seeding(&torrent.hash).await;
    let api = lab.api().await;
    api.delete_infohashes(&[&torrent.infohash_v1]).await;
    let folder = format!("{}/from-the-engine", lab.qbt.save_path);
    api.add(&torrent.magnet, &[("savepath", &folder)]).await;
    let listed = async || {
        let listed = api.list().await;
        listed.into_iter().find(|one| one["hash"] == *torrent.hash)
    };
    eventually(DEADLINE, "the client to list it", async || listed().await.map(drop)).await;
    let peer = format!("127.0.0.1:{port}");
    api.post("torrents/addPeers", &[("hashes", &torrent.hash), ("peers", &peer)]).await;
    let done = eventually(DEADLINE * 2, "the client to have it", async || {
        let one = listed().await?;
        (one["progress"] == 1 && one["amount_left"] == 0).then_some(())
    });
    let done = tokio::time::timeout(DEADLINE, done).await;
    let whole = eventually(DEADLINE, "the client's writer to be done", async || {
        let path = Path::new(&folder);
        torrent.files.iter().all(|file| path.join(&file.path).exists()).then_some(())
    });
    let whole = tokio::time::timeout(DEADLINE / 2, whole).await;
    api.delete_infohashes(&[&torrent.infohash_v1]).await;
    lab.start_seeding(&torrent.hash).await;
    done.unwrap();
    whole.unwrap();
}
