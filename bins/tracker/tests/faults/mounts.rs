//! Libraries that a hard link cannot reach: another filesystem, another mount
//! of the same one, a mount that is read-only.
//!
//! The daemon gets a mount namespace of its own; the client sees nothing of it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{eventually, spec};

use crate::daemon::{DEADLINE, Daemon, Setup, id_of};
use crate::scene::{Scene, files_below, hashes_of, need_root, shown, times_in_client};

/// A daemon that is not started, and where the client is to save for it.
struct Stage {
    scene: Scene,
    daemon: Daemon,
    torrents: &'static [&'static str],
}

impl Stage {
    async fn with(torrents: &'static [&'static str]) -> Self {
        need_root();
        let scene = Scene::with(torrents);
        scene.clear(torrents).await;
        let mut daemon = Daemon::prepared(Setup::of(&scene.lab));
        let payload = daemon.home().join("payload");
        std::fs::create_dir(&payload).unwrap();
        daemon.setup.clients[0].more = format!("save_path = {payload:?}");
        daemon.configure();
        Stage { scene, daemon, torrents }
    }

    fn payload(&self) -> PathBuf {
        self.daemon.home().join("payload")
    }

    /// Starts the daemon behind these mounts, `$PAYLOAD` and `$MOVIES` in them.
    async fn start_behind(&mut self, mounts: &str) {
        let (payload, movies) = (self.payload(), self.daemon.library("movies"));
        let script = format!(
            "PAYLOAD='{}'; MOVIES='{}'; {mounts} && exec \"$@\"",
            payload.display(),
            movies.display()
        );
        let words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", &script, "sh"];
        self.daemon.setup.launcher = words.map(ToOwned::to_owned).to_vec();
        self.daemon.start().await;
    }

    /// Its first torrent.
    fn torrent(&self) -> &LabTorrent {
        self.scene.torrent(self.torrents[0])
    }

    /// Ingests and waits for the mark: the id and the mark's detail.
    async fn until_link_failed(&self) -> (String, String) {
        let id = self.daemon.ingest(&self.torrent().magnet).await;
        let download =
            self.daemon.until(&id, DEADLINE, "marked", |one| one["attention"] != Value::Null).await;
        assert_eq!(
            (&download["state"], &download["attention"]),
            (&json!("downloaded"), &json!("link-failed")),
            "{download:#}"
        );
        let detail = download["attention_detail"].as_str().unwrap().to_owned();
        let source = self.payload().join(&id).join(&self.torrent().name);
        assert!(detail.contains(source.to_str().unwrap()), "{detail}");
        let target = self.daemon.library("movies");
        assert!(detail.contains(target.to_str().unwrap()), "{detail}");
        (id, detail)
    }

    /// What the daemon sees in its library.
    fn library_as_seen(&self) -> Vec<PathBuf> {
        let root = PathBuf::from(format!("/proc/{}/root", self.daemon.pid()));
        files_below(&root.join(self.daemon.library("movies").strip_prefix("/").unwrap()))
    }

    /// Starts it without mounts.
    async fn start_plain(&mut self) {
        self.daemon.stop();
        self.daemon.setup.launcher.clear();
        self.daemon.start().await;
    }

    /// The same; it goes on by itself.
    async fn goes_on_without_mounts(&mut self, id: &str) {
        self.start_plain().await;
        self.until_linked(id).await;
    }

    async fn until_linked(&self, id: &str) {
        let done = self.daemon.until_state(id, "done").await;
        assert_eq!(done["attention"], Value::Null);
    }

    async fn clear(self) {
        self.scene.clear(self.torrents).await;
    }
}

/// That the one file of a library is the payload's file.
fn assert_linked(library: &Path, payload: &Path) {
    let (links, files) = (files_below(library), files_below(payload));
    assert_eq!((links.len(), files.len()), (1, 1), "{links:?} {files:?}");
    let (link, file) = (links[0].metadata().unwrap(), files[0].metadata().unwrap());
    assert_eq!((link.dev(), link.ino()), (file.dev(), file.ino()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_library_on_another_filesystem() {
    spec!("fault-tolerance#a-disk-out-of-reach-is-told/another-filesystem");
    let mut stage = Stage::with(&["movie-v2"]).await;
    stage.start_behind("mount -t tmpfs -o size=8m tmpfs \"$MOVIES\"").await;
    let (id, detail) = stage.until_link_failed().await;
    assert!(detail.contains("EXDEV"), "{detail}");
    assert_eq!(stage.library_as_seen(), Vec::<PathBuf>::new(), "nothing is copied");

    // A root beside the payload.
    let other = stage.daemon.home().join("other");
    std::fs::create_dir(&other).unwrap();
    let file = stage.daemon.home().join("tracker.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (old, new) = (format!("{:?}", stage.daemon.library("movies")), format!("{other:?}"));
    assert!(text.contains(&old), "{text}");
    std::fs::write(&file, text.replace(&old, &new)).unwrap();
    stage.start_plain().await;
    stage.daemon.post(&format!("/downloads/{id}/retry"), &json!({})).await.expect(200);
    stage.until_linked(&id).await;
    assert_linked(&other, &stage.payload().join(&id));
    stage.clear().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_mounts_of_one_filesystem() {
    spec!("fault-tolerance#a-disk-out-of-reach-is-told/two-mounts-of-one-filesystem");
    let mut stage = Stage::with(&["movie-hybrid"]).await;
    let binds = "mount --bind \"$PAYLOAD\" \"$PAYLOAD\" && mount --bind \"$MOVIES\" \"$MOVIES\"";
    stage.start_behind(binds).await;
    let (id, detail) = stage.until_link_failed().await;
    assert!(detail.contains("EXDEV") && detail.contains("common parent"), "{detail}");
    let device = |path: &Path| path.metadata().unwrap().dev();
    assert_eq!(
        device(&stage.payload()),
        device(&stage.daemon.library("movies")),
        "the device numbers tell nothing"
    );
    assert_eq!(stage.library_as_seen(), Vec::<PathBuf>::new(), "nothing is copied");
    stage.goes_on_without_mounts(&id).await;
    assert_linked(&stage.daemon.library("movies"), &stage.payload().join(&id));
    stage.clear().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_library_that_is_read_only() {
    spec!("fault-tolerance#a-disk-out-of-reach-is-told/a-read-only-library");
    let mut stage = Stage::with(&["movie-v1"]).await;
    let binds = "mount --bind \"$MOVIES\" \"$MOVIES\" && mount -o remount,ro,bind \"$MOVIES\"";
    stage.start_behind(binds).await;
    let (id, detail) = stage.until_link_failed().await;
    assert!(detail.contains("EROFS") && detail.contains("read-only"), "{detail}");
    stage.goes_on_without_mounts(&id).await;
    assert_linked(&stage.daemon.library("movies"), &stage.payload().join(&id));
    stage.clear().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_little_space_for_the_payload() {
    spec!("fault-tolerance#a-disk-out-of-reach-is-told/too-little-space-for-the-payload");
    let mut stage = Stage::with(&["movie-v1", "slow"]).await;
    stage.start_behind("mount -t tmpfs -o size=64k tmpfs \"$PAYLOAD\"").await;
    let (known, unknown) =
        (stage.scene.torrent("movie-v1").clone(), stage.scene.torrent("slow").clone());
    let daemon = &stage.daemon;
    let bytes = std::fs::read(&known.torrent_file).unwrap();
    let by_file = id_of(&daemon.upload(bytes, "").await.expect(201));
    let by_link = daemon.ingest(&unknown.magnet).await;
    let full = |download: &Value| download["attention"] == "disk-full";
    let download = daemon.until(&by_file, DEADLINE, "held", full).await;
    assert_eq!(download["state"], "queued", "the size is known before it is sent");
    let api = stage.scene.lab.api().await;
    assert_eq!(times_in_client(&api, &hashes_of(&known)).await, 0);
    let download = daemon.until(&by_link, DEADLINE, "stopped", full).await;
    assert_eq!(download["state"], "downloading", "the size is known with the metadata");
    eventually(DEADLINE, "the client to stop it", async || {
        let list = api.list().await;
        shown(&list, &hashes_of(&unknown))
            .iter()
            .any(|one| one["state"] == "stoppedDL")
            .then_some(())
    })
    .await;
    stage.start_plain().await;
    let done = stage.daemon.until_state(&by_file, "done").await;
    assert_eq!(done["attention"], Value::Null, "one that waits looks for room by itself");
    // Without the wait for its one peer to come back, which is the client's.
    let retry = format!("/downloads/{by_link}/retry");
    let download = stage.daemon.post(&retry, &json!({})).await.expect(200);
    assert_eq!(download["attention"], Value::Null);
    eventually(DEADLINE, "the client to start it", async || {
        let list = api.list().await;
        let entries = shown(&list, &hashes_of(&unknown));
        entries.iter().any(|one| one["state"] != "stoppedDL").then_some(())
    })
    .await;
    stage.clear().await;
}
