//! The adapter against real clients on the loopback interface.
//!
//! Each test keeps its lab for itself while it runs, and removes what it added.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use tracker_domain::Secret;
use tracker_domain::observed::{ClientPath, Phase, Scope, Seen};
use tracker_domain::ports::{
    AddOutcome, AddRequest, AddSource, ClientError, TorrentClient, TorrentControl,
};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Infohash, InfohashSet};
use tracker_qbittorrent::{Qbittorrent, QbittorrentConfig};
use tracker_testkit::lab::LabTorrent;
use tracker_testkit::{
    ContractFixture, FixedClock, Flavour, Lab, LabLock, eventually, spec, torrent_client_contract,
};

const DEADLINE: Duration = Duration::from_secs(120);

/// One test for each client. The client's name comes last, so that tests which
/// run at once, in the order of their names, want different labs.
macro_rules! in_each_lab {
    ($($test:ident)*) => { $(
        mod $test {
            use super::{Bench, Flavour};

            #[tokio::test]
            async fn backports() {
                super::$test(Bench::at(Flavour::Backports).await).await;
            }

            #[tokio::test]
            async fn bookworm() {
                super::$test(Bench::at(Flavour::Bookworm).await).await;
            }

            #[tokio::test]
            async fn trixie() {
                super::$test(Bench::at(Flavour::Trixie).await).await;
            }
        }
    )* };
}

in_each_lab! {
    passes_the_contract
    each_kind_downloads_whole
    a_hybrid_by_its_v1_changes_its_handle
    duplicates_are_refused
    a_wrong_password_is_tried_once
    global_settings_do_not_leak_in
    the_queue_is_the_client_s
    it_survives_a_restart
    a_key_logs_in_where_there_are_keys
}

/// A lab of one's own and an adapter for it.
struct Bench {
    lab: Lab,
    client: Qbittorrent,
    _lock: LabLock,
}

impl Bench {
    async fn at(flavour: Flavour) -> Self {
        let lab = Lab::open(flavour);
        let lock = lab.reserve();
        let client = adapter(config(&lab));
        let bench = Bench { lab, client, _lock: lock };
        // A test before this one may have failed half-way.
        bench.clean().await;
        bench
    }

    async fn clean(&self) {
        let api = self.lab.api().await;
        let used = ["movie-v1", "movie-v2", "movie-hybrid", "dead-v1"];
        for id in used {
            let torrent = self.lab.torrent(id);
            api.delete_infohashes(&[&torrent.infohash_v1, &torrent.infohash_v2]).await;
            eventually(DEADLINE, "the torrent to go", async || {
                self.look(torrent).await.is_none().then_some(())
            })
            .await;
        }
    }

    fn folder(&self, name: &str) -> ClientPath {
        ClientPath(format!("{}/adapter-{name}", self.lab.qbt.save_path))
    }

    fn magnet(&self, id: &str, which: &str) -> AddRequest {
        self.request(id, AddSource::Magnet(self.lab.torrent(id).magnet_named(which).to_owned()))
    }

    fn request(&self, id: &str, source: AddSource) -> AddRequest {
        AddRequest {
            source,
            save_path: Some(self.folder(id)),
            tags: vec!["tracker".into(), "adapter-test".into()],
            category: "adapter".into(),
        }
    }

    async fn look(&self, torrent: &LabTorrent) -> Option<Seen> {
        let hashes = torrent.infohashes();
        let seen = match self.client.observe(&Scope::Everything).await {
            Err(ClientError::Unreachable(_)) if self.lab.revive() => {
                self.client.observe(&Scope::Everything).await
            }
            answer => answer,
        };
        seen.unwrap().into_iter().find(|one| one.infohashes.intersects(&hashes))
    }

    /// Waits until a torrent is complete.
    async fn completed(&self, id: &str) -> Seen {
        let torrent = self.lab.torrent(id);
        eventually(DEADLINE, id, async || {
            self.look(torrent).await.filter(|seen| seen.phase == Phase::Complete)
        })
        .await
    }
}

fn config(lab: &Lab) -> QbittorrentConfig {
    QbittorrentConfig {
        name: "lab".into(),
        url: lab.qbt.url.clone(),
        username: lab.qbt.username.clone(),
        password: Secret::new(lab.qbt.password.clone()),
        ..QbittorrentConfig::default()
    }
}

fn adapter(config: QbittorrentConfig) -> Qbittorrent {
    Qbittorrent::new(config, Arc::new(FixedClock::new())).unwrap()
}

async fn passes_the_contract(bench: Bench) {
    spec!("qbittorrent-client#one-contract/each-supported-version");
    // A name of its own for each run, so that a run that broke off leaves no trap.
    let salt = format!("{}-{}", bench.lab.qbt.bt_port, std::process::id());
    let fixture = ContractFixture::made_up(&salt, &bench.lab.qbt.save_path);
    torrent_client_contract(&bench.client, &fixture).await;
}

async fn each_kind_downloads_whole(bench: Bench) {
    spec!("qbittorrent-client#one-contract/v1-v2-and-hybrid-download");
    for id in ["movie-v1", "movie-v2", "movie-hybrid"] {
        let torrent = bench.lab.torrent(id);
        assert_eq!(bench.client.add(&bench.magnet(id, "full")).await, Ok(AddOutcome::Accepted));
        let seen = bench.completed(id).await;
        assert_eq!(seen.infohashes, torrent.infohashes(), "{id}");
        assert_eq!(seen.handle.0, torrent.hash, "{id}");
        assert_eq!(
            (seen.size_bytes, seen.progress.bytes_done),
            (Some(torrent.size), Some(torrent.size))
        );
        let files = bench.client.files(&seen.handle).await.unwrap();
        assert_eq!(files.len(), torrent.files.len());
        let folder = bench.client.locate(&seen.save_path).unwrap();
        for (file, expected) in files.iter().zip(&torrent.files) {
            assert!(file.complete && file.selected);
            let size = std::fs::metadata(folder.join(&file.path)).unwrap().len();
            assert_eq!((file.size_bytes, size), (expected.size, expected.size));
        }
    }
    let ours = bench.client.observe(&Scope::Ours).await.unwrap();
    assert_eq!(ours.iter().filter(|seen| seen.tags.contains(&"adapter-test".into())).count(), 3);
    bench.clean().await;
}

async fn a_hybrid_by_its_v1_changes_its_handle(bench: Bench) {
    spec!("qbittorrent-client#infohashes-as-stated/a-hybrid-gets-its-metadata");
    let torrent = bench.lab.torrent("movie-hybrid");
    let v1: Infohash = torrent.infohash_v1.parse().unwrap();
    let v2: Infohash = torrent.infohash_v2.parse().unwrap();
    let add = bench.magnet("movie-hybrid", "v1_only");
    assert_eq!(bench.client.add(&add).await, Ok(AddOutcome::Accepted));
    let seen = bench.completed("movie-hybrid").await;
    assert_eq!(Some(seen.infohashes), InfohashSet::new([v1, v2]));
    assert_eq!(seen.handle.0, torrent.infohash_v2[..40]);
    let by = async |hash| bench.client.observe(&Scope::Infohashes(vec![hash])).await.unwrap().len();
    assert_eq!((by(v1).await, by(v2).await), (0, 1), "the v1 finds nothing any more");
    bench.clean().await;
}

async fn duplicates_are_refused(bench: Bench) {
    spec!("qbittorrent-client#answers-to-an-add/answers-of-each-version");
    let first = bench.magnet("movie-hybrid", "full");
    assert_eq!(bench.client.add(&first).await, Ok(AddOutcome::Accepted));
    bench.completed("movie-hybrid").await;
    let file = std::fs::read(&bench.lab.torrent("movie-hybrid").torrent_file).unwrap();
    for again in [
        first,
        bench.magnet("movie-hybrid", "v1_only"),
        bench.magnet("movie-hybrid", "v2_only"),
        bench.request("movie-hybrid", AddSource::Torrent(file)),
    ] {
        assert_eq!(bench.client.add(&again).await, Ok(AddOutcome::Refused));
    }
    let junk = bench.request("junk", AddSource::Torrent(b"<!DOCTYPE html>".to_vec()));
    assert!(matches!(bench.client.add(&junk).await, Err(ClientError::Rejected(_))));
    bench.clean().await;
}

async fn a_wrong_password_is_tried_once(bench: Bench) {
    spec!("qbittorrent-client#refusals/wrong-credentials");
    let wrong = adapter(QbittorrentConfig { password: Secret::new("wrong"), ..config(&bench.lab) });
    // Six tries would ban this address and the right password with it.
    for _ in 0..10 {
        assert!(matches!(wrong.probe().await, Err(ClientError::Denied(_))));
    }
    adapter(config(&bench.lab)).probe().await.unwrap();
}

async fn global_settings_do_not_leak_in(bench: Bench) {
    spec!("qbittorrent-client#an-add-says-everything/unlike-global-settings");
    let api = bench.lab.api().await;
    let before: serde_json::Value =
        serde_json::from_slice(&api.get("app/preferences").await.body).unwrap();
    let (paused, stopped) = ("start_paused_enabled", "add_stopped_enabled");
    let keys = [
        "auto_tmm_enabled",
        "temp_path_enabled",
        "torrent_content_layout",
        "torrent_stop_condition",
        paused,
        stopped,
    ];
    let restore: serde_json::Map<_, _> = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), before.get(*key)?.clone())))
        .collect();
    let odd = serde_json::json!({"auto_tmm_enabled": true, "temp_path_enabled": true,
        "torrent_content_layout": "Subfolder", "torrent_stop_condition": "MetadataReceived",
        paused: true, stopped: true});
    api.post("app/setPreferences", &[("json", &odd.to_string())]).await;
    let added = bench.client.add(&bench.magnet("movie-v1", "full")).await;
    let dead = bench.client.add(&bench.magnet("dead-v1", "full")).await;
    let seen = eventually(DEADLINE, "both to show", async || {
        let listed = api.list().await;
        let of = |id: &str| {
            let hash = &bench.lab.torrent(id).infohash_v1;
            listed.iter().find(|one| one["infohash_v1"] == **hash).cloned()
        };
        let dead = of("dead-v1")?;
        // The one that has bytes is done, or it never will be with these settings.
        let movie = of("movie-v1").filter(|one| one["progress"] == 1.0)?;
        Some([dead, movie])
    })
    .await;
    let restore = serde_json::Value::Object(restore).to_string();
    api.post("app/setPreferences", &[("json", &restore)]).await;
    assert_eq!((added, dead), (Ok(AddOutcome::Accepted), Ok(AddOutcome::Accepted)));
    for (one, id) in seen.iter().zip(["dead-v1", "movie-v1"]) {
        assert_eq!(one["download_path"], "", "{id} uses no folder for incomplete torrents");
        assert_eq!(one["auto_tmm"], false);
        assert_eq!(one["save_path"], bench.folder(id).0);
    }
    assert_eq!(seen[0]["state"], "metaDL", "it was started");
    let name = &bench.lab.torrent("movie-v1").name;
    let path = format!("{}/{name}", bench.folder("movie-v1").0);
    assert_eq!(seen[1]["content_path"], path, "no folder was made around it");
    bench.clean().await;
}

async fn the_queue_is_the_client_s(bench: Bench) {
    spec!("qbittorrent-client#steering/a-place-in-the-queue");
    let api = bench.lab.api().await;
    let switch = async |on: bool| {
        let wanted = serde_json::json!({ "queueing_enabled": on }).to_string();
        api.post("app/setPreferences", &[("json", &wanted)]).await;
    };
    for id in ["dead-v1", "dead-hybrid"] {
        assert_eq!(
            bench.client.add(&bench.magnet(id, "full")).await,
            Ok(AddOutcome::Accepted),
            "{id}"
        );
        eventually(DEADLINE, id, async || bench.look(bench.lab.torrent(id)).await).await;
    }
    let dead = &bench.lab.torrent("dead-v1").infohash_v1;
    let handle = tracker_domain::observed::Handle(dead.clone());
    switch(false).await;
    let off = bench.client.queue(&handle, QueueEnd::First).await;
    switch(true).await;
    let mut seen = Vec::new();
    for (end, first) in [(QueueEnd::Last, false), (QueueEnd::First, true)] {
        let asked = bench.client.queue(&handle, end).await;
        let place = async |id: &str| {
            let hash = &bench.lab.torrent(id).infohash_v1;
            let listed = api.list().await;
            listed.iter().find(|one| one["infohash_v1"] == **hash)?["priority"].as_i64()
        };
        let moved = eventually(DEADLINE, "its place", async || {
            let (one, other) = (place("dead-v1").await?, place("dead-hybrid").await?);
            (one > 0 && other > 0 && (one < other) == first).then_some(())
        });
        seen.push((asked, tokio::time::timeout(DEADLINE, moved).await.is_ok()));
    }
    switch(false).await;
    assert!(matches!(&off, Err(ClientError::Rejected(why)) if why.contains("queue")), "{off:?}");
    assert_eq!(seen, [(Ok(()), true), (Ok(()), true)]);
    bench.clean().await;
}

async fn it_survives_a_restart(bench: Bench) {
    spec!("qbittorrent-client#login/the-session-is-gone");
    bench.client.probe().await.unwrap();
    bench.lab.restart(true, true);
    assert!(matches!(bench.client.probe().await, Err(ClientError::Unreachable(_))));
    bench.lab.restart(false, false);
    bench.client.probe().await.unwrap();
    assert!(bench.client.observe(&Scope::Everything).await.is_ok());
}

async fn a_key_logs_in_where_there_are_keys(bench: Bench) {
    spec!("qbittorrent-client#login/an-api-key");
    let made = bench.lab.api().await.post("app/rotateAPIKey", &[]).await;
    if made.status == 404 {
        // Before 5.2 there are no keys, and one of ours is refused like a password.
        let keyed =
            QbittorrentConfig { api_key: Some(Secret::new("qbt_none")), ..config(&bench.lab) };
        assert!(matches!(adapter(keyed).probe().await, Err(ClientError::Denied(_))));
        return;
    }
    let key = serde_json::from_slice::<serde_json::Value>(&made.body).unwrap();
    let key = Secret::new(key["apiKey"].as_str().unwrap());
    let keyed = QbittorrentConfig {
        api_key: Some(key),
        password: Secret::new("not used"),
        ..config(&bench.lab)
    };
    let client = adapter(keyed);
    assert!(client.probe().await.unwrap().version.starts_with("v5"));
    let handle = tracker_domain::observed::Handle("c".repeat(40));
    assert_eq!(client.stop(&handle).await, Ok(()));
    let bad = QbittorrentConfig { api_key: Some(Secret::new("qbt_wrong")), ..config(&bench.lab) };
    assert!(matches!(adapter(bad).probe().await, Err(ClientError::Denied(_))));
}
