//! The engine inside the daemon in the place of a client: no qBittorrent is asked,
//! one only shares.

use serde_json::Value;
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{Flavour, Lab, spec};

use crate::bench::is_linked;
use crate::daemon::{DEADLINE, Daemon, Setup};

/// An engine that nothing beyond this machine hears of.
const ENGINE: &str = "[[client]]\nname = \"engine\"\nkind = \"embedded\"\n\
                      bind_device = \"lo\"\ndht = false\n";

fn setup(lab: &Lab) -> Setup {
    Setup { more: ENGINE.to_owned(), ..Setup::without_client(&lab.dir) }
}

/// Each file is in the folder of the download as it was sent, and linked.
fn is_there(daemon: &Daemon, id: &str, torrent: &LabTorrent) {
    is_linked(daemon, torrent, &daemon.data_dir().join("downloads").join(id));
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
        is_there(&daemon, &id, torrent);
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
    is_there(&daemon, &id, torrent);
    // It was never fetched from the beginning.
    let failed =
        daemon.events(&id).await.into_iter().filter(|event| event["type"] == "download.failed");
    assert_eq!(failed.count(), 0);
}
