//! What a person has set in the client for all torrents.

use std::path::Path;

use serde_json::{Value, json};
use tracker_testkit::{Lab, spec};

use crate::bench::Bench;
use crate::in_labs;

/// Puts settings of the client back when it is dropped.
struct PutBack {
    lab: Lab,
    former: Value,
}

impl PutBack {
    async fn after(bench: &Bench, changed: &Value) -> Self {
        let reply = bench.api.get("app/preferences").await;
        let mut former: Value = serde_json::from_slice(&reply.body).unwrap();
        let names = changed.as_object().unwrap();
        // A version has not all of them.
        former.as_object_mut().unwrap().retain(|name, _| names.contains_key(name));
        bench.api.post("app/setPreferences", &[("json", &changed.to_string())]).await;
        PutBack { lab: bench.lab.clone(), former }
    }
}

impl Drop for PutBack {
    fn drop(&mut self) {
        let (lab, former) = (self.lab.clone(), self.former.to_string());
        let put_back = std::thread::spawn(move || {
            lab.revive();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                lab.api().await.post("app/setPreferences", &[("json", &former)]).await;
            });
        });
        // Reported by the tests that come after.
        let _ = put_back.join();
    }
}

in_labs!(other_folders: Backports backports, Bookworm bookworm, Trixie trixie);

async fn other_folders(bench: Bench) {
    spec!("main-job#the-client-s-own-settings/other-folders-and-management");
    let incomplete = format!("{}/incomplete", bench.lab.qbt.save_path);
    let settings = json!({
        "temp_path_enabled": true,
        "temp_path": incomplete,
        "auto_tmm_enabled": true,
        "category_changed_tmm_enabled": true,
        "torrent_content_layout": "Subfolder",
        "start_paused_enabled": true,
        "add_stopped_enabled": true,
        "torrent_stop_condition": "MetadataReceived",
    });
    let _put_back = PutBack::after(&bench, &settings).await;
    let magnets = [("movie-v1", "full"), ("season-hybrid", "v1_only"), ("slow", "full")];
    let mut ids = Vec::new();
    for (torrent, which) in magnets {
        ids.push((bench.daemon.ingest(&bench.magnet(torrent, which)).await, torrent));
    }
    let (slow, _) = ids.pop().unwrap();
    let begun = |download: &Value| download["progress"]["bytes_done"].as_u64() > Some(0);
    bench.daemon.until(&slow, crate::daemon::DEADLINE * 2, "under way", begun).await;
    let folder = Path::new(&bench.lab.qbt.save_path).join(&slow);
    let parts: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(parts.len(), 1, "the first bytes lie in the folder of the download");
    for (id, torrent) in &ids {
        bench.arrives(id, torrent).await;
    }
    assert!(
        !Path::new(&incomplete).exists() || std::fs::read_dir(&incomplete).unwrap().count() == 0
    );
}
