//! Torrents that the client has, or comes to show as one.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tracker_testkit::{eventually, spec};

use crate::bench::{Bench, all_hashes, hashes_of};
use crate::in_labs;

/// Long enough for peers that met in vain at first.
const MERGE: Duration = Duration::from_secs(150);

in_labs!(halves_of_a_hybrid: Backports backports, Bookworm bookworm, Trixie trixie);

async fn halves_of_a_hybrid(mut bench: Bench) {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/halves-of-a-hybrid");
    let halves = halves(&mut bench).await;
    bench.share().await;
    become_one(bench, halves).await;
}

/// Two downloads whose torrents the client lists apart.
async fn halves(bench: &mut Bench) -> [String; 2] {
    bench.withhold("movie-hybrid").await;
    let links = ["v1_only", "v2_only"].map(|which| bench.magnet("movie-hybrid", which));
    let said = bench.daemon.tracker(&["ingest", &links[0], &links[1]]);
    said.done();
    let halves: [String; 2] = said.ids().try_into().unwrap();
    assert_ne!(halves[0], halves[1], "nothing tells yet that they are one");
    for id in &halves {
        bench.daemon.until_state(id, "downloading").await;
    }
    assert_eq!(bench.api.list().await.len(), 2);
    halves
}

async fn become_one(bench: Bench, [older, younger]: [String; 2]) {
    let merged = eventually(MERGE, "the halves to become one", async || {
        let download = bench.daemon.download(&younger).await;
        (download["state"] == "merged").then_some(download)
    })
    .await;
    let torrent = bench.lab.torrent("movie-hybrid");
    assert_eq!(merged["merged_into"], json!(older));
    let download = bench.daemon.until_state(&older, "done").await;
    assert_eq!(hashes_of(&download), all_hashes(torrent));
    // Which of the two folders it is, the client says.
    let folder = bench.folder_of("movie-hybrid").await;
    let name = folder.file_name().unwrap().to_str().unwrap();
    assert!([&older, &younger].contains(&&name.to_owned()), "{folder:?}");
    bench.until_whole(torrent, &folder).await;
    bench.is_linked(torrent, &folder);
    let events = bench.daemon.events(&younger).await;
    assert!(events.iter().any(|event| event["type"] == "download.merged"), "{events:#?}");
    // The torrent is there once, and both marks come off it.
    assert_eq!(bench.api.list().await.len(), 1);
    bench.mark_is_gone(&older).await;
    bench.mark_is_gone(&younger).await;
    assert!(bench.tags("movie-hybrid").await.contains("tracker"));
}

in_labs!(added_by_hand: Backports backports, Bookworm bookworm, Trixie trixie);

async fn added_by_hand(bench: Bench) {
    spec!("main-job#what-is-there-is-taken-over/by-its-link");
    spec!("main-job#what-is-there-is-taken-over/by-adopting");
    spec!("main-job#what-is-there-is-taken-over/by-its-handle");
    let daemon = &bench.daemon;
    for torrent in ["movie-v1", "movie-v2", "season-hybrid"] {
        bench.add_by_hand(torrent).await;
    }
    let listed = daemon.tracker(&["discover", "--json"]).json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 3, "{listed:#}");

    let v1 = bench.lab.torrent("movie-v1").infohash_v1.clone();
    let adopted = daemon.tracker(&["adopt", &v1]);
    assert!(adopted.done().ends_with("\tcreated\n"));
    let front = bench.lab.torrent("movie-v2").infohash_v2[..40].to_owned();
    let bare = daemon.tracker(&["ingest", &front]);
    bare.done();
    let by_link = daemon.ingest(&bench.magnet("season-hybrid", "v1_only")).await;
    let all = [
        (adopted.ids().remove(0), "movie-v1"),
        (bare.ids().remove(0), "movie-v2"),
        (by_link, "season-hybrid"),
    ];
    for (id, name) in all {
        let torrent = bench.lab.torrent(name);
        let download = daemon.until_state(&id, "done").await;
        assert_eq!(hashes_of(&download), all_hashes(torrent), "{name}");
        let folder = bench.folder_of(name).await;
        assert_eq!(folder, Path::new(&bench.by_hand(name)));
        bench.is_linked(torrent, &folder);
        bench.mark_is_gone(&id).await;
        assert_eq!(bench.tags(name).await, ["tracker".to_owned()].into());
    }
    assert_eq!(daemon.get("/discovered").await.expect(200)["items"], json!([]));
    // What is nobody's is not adopted.
    assert_eq!(daemon.tracker(&["adopt", &"0".repeat(40)]).code, 3);
}

in_labs!(again_after_it_was_done: Backports backports, Bookworm bookworm);

async fn again_after_it_was_done(bench: Bench) {
    spec!("main-job#what-is-there-is-taken-over/after-it-was-done");
    let magnet = bench.magnet("season-hybrid", "full");
    let first = bench.daemon.ingest(&magnet).await;
    bench.arrives(&first, "season-hybrid").await;
    let before = bench.library();
    let second = bench.daemon.ingest(&magnet).await;
    assert_ne!(first, second);
    bench.daemon.until_state(&second, "done").await;
    assert_eq!(bench.library(), before);
    // Still in the folder of the first one, whose links it shares.
    let folder = Path::new(&bench.lab.qbt.save_path).join(&first);
    bench.is_linked(bench.lab.torrent("season-hybrid"), &folder);
    bench.mark_is_gone(&second).await;
    assert_eq!(bench.tags("season-hybrid").await, ["tracker".to_owned()].into());
    assert_eq!(bench.daemon.tracker(&["retry", &second]).code, 5, "done is not tried again");
}
