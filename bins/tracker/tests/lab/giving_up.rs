//! Cancelled downloads, and what is left of them in the client.

use std::path::Path;

use serde_json::{Value, json};
use tracker_testkit::{eventually, spec};

use crate::bench::Bench;
use crate::daemon::DEADLINE;
use crate::in_labs;

in_labs!(cancelled: Backports backports, Bookworm bookworm);

async fn cancelled(bench: Bench) {
    spec!("main-job#a-cancelled-one-is-let-go/stopped-and-kept");
    spec!("main-job#a-cancelled-one-is-let-go/removed-with-its-data");
    spec!("main-job#a-cancelled-one-is-let-go/tags");
    let daemon = &bench.daemon;
    let magnet = bench.magnet("slow", "full");
    let first = daemon.ingest(&magnet).await;
    under_way(&bench, &first).await;
    let marked = bench.tags("slow").await;
    assert_eq!(marked, ["tracker".to_owned(), format!("tracker-{first}")].into());

    assert_eq!(daemon.tracker(&["cancel", &first]).done(), format!("{first}\tcancelled\n"));
    eventually(DEADLINE, "the torrent to stop", async || {
        let state = bench.entry("slow").await?["state"].as_str()?.to_owned();
        ["pausedDL", "stoppedDL"].contains(&state.as_str()).then_some(())
    })
    .await;
    bench.mark_is_gone(&first).await;
    assert_eq!(bench.tags("slow").await, ["tracker".to_owned()].into());
    let revision = daemon.download(&first).await["revision"].clone();
    assert_eq!(daemon.tracker(&["cancel", &first]).code, 0, "again changes nothing");
    assert_eq!(daemon.download(&first).await["revision"], revision);

    // Handed over again it goes on where it was.
    let second = daemon.ingest(&magnet).await;
    assert_ne!(first, second);
    under_way(&bench, &second).await;
    let folder = Path::new(&bench.lab.qbt.save_path).join(&first);
    assert_eq!(bench.folder_of("slow").await, folder);

    let refused =
        daemon.post(&format!("/downloads/{second}/cancel"), &json!({"delete_data": true})).await;
    assert_eq!((refused.status, refused.code()), (422, "invalid-request".to_owned()));
    let wish = json!({"remove_torrent": true, "delete_data": true});
    daemon.post(&format!("/downloads/{second}/cancel"), &wish).await.expect(200);
    eventually(DEADLINE, "the torrent to go", async || {
        let bytes = folder.join(&bench.lab.torrent("slow").files[0].path);
        (bench.entry("slow").await.is_none() && !bytes.exists()).then_some(())
    })
    .await;
    bench.mark_is_gone(&second).await;
    let cancelled = daemon.get("/downloads?state=cancelled").await.expect(200);
    assert_eq!(cancelled["items"].as_array().unwrap().len(), 2);
}

in_labs!(adopted: Backports backports, Bookworm bookworm);

async fn adopted(bench: Bench) {
    spec!("main-job#a-cancelled-one-is-let-go/one-that-was-adopted");
    let daemon = &bench.daemon;
    let torrent = bench.lab.torrent("slow");
    bench.api.add(&torrent.magnet, &[("savepath", &bench.by_hand("slow"))]).await;
    let id = eventually(DEADLINE, "it can be adopted", async || {
        let body = json!({ "client": "qbt", "infohash": torrent.infohash_v1 });
        let answer = daemon.post("/discovered/adopt", &body).await;
        (answer.status == 201).then(|| crate::daemon::id_of(&answer.json()))
    })
    .await;
    under_way(&bench, &id).await;
    let mark = format!("tracker-{id}");
    eventually(DEADLINE, "the tag", async || {
        bench.tags("slow").await.contains(&mark).then_some(())
    })
    .await;
    daemon.tracker(&["cancel", &id]).done();
    bench.mark_is_gone(&id).await;
    let entry = bench.entry("slow").await.unwrap();
    let state = entry["state"].as_str().unwrap();
    assert!(["downloading", "stalledDL", "uploading", "stalledUP"].contains(&state), "{state}");
    assert_eq!(bench.tags("slow").await, ["tracker".to_owned()].into());
}

in_labs!(removed: Backports backports, Bookworm bookworm);

async fn removed(bench: Bench) {
    spec!("main-job#what-is-done-can-be-let-go/with-its-data-and-nobody-else-s");
    spec!("main-job#what-is-done-can-be-let-go/with-nothing-else");
    let daemon = &bench.daemon;
    let movie = daemon.ingest(&bench.magnet("movie-v1", "full")).await;
    let season = daemon.ingest(&bench.magnet("season-v1", "full")).await;
    bench.arrives(&movie, "movie-v1").await;
    bench.arrives(&season, "season-v1").await;
    let (folder, other) = (bench.folder_of("movie-v1").await, bench.folder_of("season-v1").await);
    let library = bench.library();

    assert_eq!(daemon.tracker(&["remove", &season]).done(), format!("{season}\tdone\tremoved\n"));
    let path = format!("/downloads/{movie}/remove");
    let data_only = daemon.post(&path, &json!({"delete_data": true})).await;
    assert_eq!(data_only.status, 422);
    let all = ["remove", &movie, "--links", "--remove-torrent", "--delete-data"];
    assert_eq!(daemon.tracker(&all).done(), format!("{movie}\tdone\tremoved\n"));
    eventually(DEADLINE, "the torrent and its data to go", async || {
        let bytes = folder.join(&bench.lab.torrent("movie-v1").files[0].path);
        (bench.entry("movie-v1").await.is_none() && !bytes.exists()).then_some(())
    })
    .await;
    // Nothing of the other one went, and of this one nothing is left in a library.
    let state = bench.entry("season-v1").await.unwrap()["state"].as_str().unwrap().to_owned();
    assert!(
        ["uploading", "stalledUP", "queuedUP", "forcedUP"].contains(&state.as_str()),
        "{state}"
    );
    bench.until_whole(bench.lab.torrent("season-v1"), &other).await;
    let left = bench.library();
    assert!(left.is_subset(&library) && left.len() < library.len(), "{left:?}");
    assert!(left.iter().any(|path| path.contains("S01E01")), "{left:?}");
    assert!(!left.iter().any(|path| path.starts_with("movies/")), "{left:?}");

    let listed = daemon.get("/downloads").await.expect(200);
    assert_eq!(listed["items"], json!([]));
    let hidden = daemon.get("/downloads?hidden=true").await.expect(200);
    assert_eq!(hidden["items"].as_array().unwrap().len(), 2);
    for id in [&movie, &season] {
        let shown = daemon.download(id).await;
        assert_eq!((&shown["state"], &shown["attention"]), (&"done".into(), &Value::Null));
        assert!(shown["hidden_at"].is_string());
    }
}

/// Waits until some bytes of it are there.
async fn under_way(bench: &Bench, id: &str) {
    let begun = |download: &Value| {
        download["state"] == "downloading" && download["progress"]["bytes_done"].as_u64() > Some(0)
    };
    bench.daemon.until(id, DEADLINE, "under way", begun).await;
}
