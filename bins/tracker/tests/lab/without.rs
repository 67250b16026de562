//! Parts that are not there, ids that tell the way, and exit codes.

use serde_json::{Value, json};
use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;
use crate::daemon::{ClientSetup, DEADLINE, Daemon, Setup};

#[tokio::test]
async fn no_client_at_first_backports() {
    spec!("main-job#what-is-missing-is-told/no-client");
    let mut bench = Bench::idle(Flavour::Backports).await;
    bench.daemon = Daemon::started(Setup::without_client(&bench.lab.dir)).await;
    let id = bench.daemon.ingest(&bench.magnet("movie-v1", "full")).await;
    let check = bench.daemon.until_check("no-client").await;
    assert!(check["remedy"].as_str().unwrap().contains("[[client]]"), "{check}");
    let health = bench.daemon.get("/health").await.expect(200);
    assert_eq!(health["status"], "warning", "{health}");
    assert_eq!(bench.daemon.tracker(&["healthcheck"]).code, 0);
    let doctor = bench.daemon.tracker(&["doctor"]);
    assert!(doctor.done().contains("no-client"), "{doctor:?}");
    let download = bench.daemon.download(&id).await;
    assert_eq!((&download["state"], &download["attention"]), (&"queued".into(), &Value::Null));
    assert!(bench.daemon.stop().success());

    bench.daemon.setup.clients = vec![ClientSetup::of(&bench.lab)];
    bench.daemon.configure();
    bench.daemon.start().await;
    bench.arrives(&id, "movie-v1").await;
    assert!(bench.daemon.checks("no-client").await.is_empty());
}

#[tokio::test]
async fn no_library_root_at_first_trixie() {
    spec!("main-job#what-is-missing-is-told/no-library-root");
    let mut bench = Bench::idle(Flavour::Trixie).await;
    bench.daemon = Daemon::started(Setup { roots: false, ..Setup::of(&bench.lab) }).await;
    let id = bench.daemon.ingest(&bench.magnet("movie-v1", "full")).await;
    let rests = |download: &Value| download["attention"] == "link-failed";
    let download = bench.daemon.until(&id, DEADLINE, "told", rests).await;
    assert_eq!(download["state"], "downloaded", "{download}");
    let root = bench.daemon.library("movies");
    assert!(download["attention_detail"].as_str().unwrap().contains(root.to_str().unwrap()));
    let check = bench.daemon.until_check("library-root-missing").await;
    assert!(!check["remedy"].as_str().unwrap().is_empty(), "{check}");
    assert!(!root.exists());
    assert_eq!(bench.daemon.tracker(&["doctor"]).code, 1);

    std::fs::create_dir_all(&root).unwrap();
    bench.daemon.tracker(&["retry", &id]).done();
    bench.arrives(&id, "movie-v1").await;
}

#[tokio::test]
async fn any_id_and_exit_codes_bookworm() {
    spec!("main-job#one-id-tells-the-way/any-entity");
    spec!("main-job#one-id-tells-the-way/exit-codes-on-the-way");
    let mut bench = Bench::at(Flavour::Bookworm).await;
    let id = bench.daemon.ingest(&bench.magnet("movie-hybrid", "full")).await;
    bench.arrives(&id, "movie-hybrid").await;
    let daemon = &bench.daemon;
    shows_each(daemon, &id).await;

    assert_eq!(daemon.tracker(&["show", "01jzabcdefghjkmnpqrstvwxyz"]).code, 3, "nobody's");
    assert_eq!(daemon.tracker(&["show", "abc!!!"]).code, 3, "no id");
    assert_eq!(daemon.tracker(&["retry", &id]).code, 5, "done");
    assert_eq!(daemon.tracker(&["cancel", &id]).code, 5, "done");
    assert_eq!(daemon.tracker(&["ingest", "magnet:?dn=nothing"]).code, 2);
    assert_eq!(daemon.tracker(&["ingest", "/nowhere.torrent"]).code, 2);
    let url = daemon.url();
    assert_eq!(daemon.tracker(&["--server", &url, "list"]).code, 7, "no token");
    let token = daemon.data_dir().join("api-token");
    let there = ["--server", &url, "--token-file", token.to_str().unwrap(), "list", "--json"];
    assert_eq!(daemon.tracker(&there).json()["items"][0]["id"], json!(id));
    assert!(bench.daemon.stop().success());
    assert_eq!(bench.daemon.tracker(&there).code, 6, "gone");
    // Beside the database it is all the same.
    shows_offline(&bench.daemon, &id);
    assert_eq!(bench.daemon.tracker(&["healthcheck"]).code, 1);
}

/// Shows the download and everything that its journal names.
async fn shows_each(daemon: &Daemon, id: &str) {
    let whole = daemon.tracker(&["show", &id.to_uppercase()]);
    for word in ["done", "download.created", "batch.applied"] {
        assert!(whole.done().contains(word), "{word}: {whole:?}");
    }
    let mut kinds = Vec::new();
    for event in daemon.events(id).await {
        let shown = daemon.tracker(&["show", "--json", event["id"].as_str().unwrap()]).json();
        assert_eq!(shown["id"], event["id"]);
        let entity = event["entity_id"].as_str().unwrap();
        let about = daemon.get(&format!("/entities/{entity}")).await.expect(200);
        assert_eq!(about["kind"], event["entity_kind"], "{about}");
        let shown = daemon.tracker(&["show", entity]);
        assert!(shown.done().contains(entity), "{shown:?}");
        if about["kind"] != "download" {
            assert_eq!(about["download_id"], json!(id), "{about}");
            let foreign = daemon.get(&format!("/downloads/{entity}")).await;
            assert_eq!((foreign.status, foreign.code()), (404, "wrong-entity-kind".to_owned()));
        }
        kinds.push(about["kind"].as_str().unwrap().to_owned());
    }
    for kind in ["download", "recognition", "apply_batch"] {
        assert!(kinds.iter().any(|found| found == kind), "{kind}: {kinds:?}");
    }
    let journal = daemon.tracker(&["events", "--download", id]);
    assert!(journal.done().contains("download.state_changed"), "{journal:?}");
}

fn shows_offline(daemon: &Daemon, id: &str) {
    let shown = daemon.tracker(&["show", "--json", id]).json();
    assert_eq!((&shown["id"], &shown["state"]), (&json!(id), &json!("done")));
    assert_eq!(shown["progress"], Value::Null);
    assert!(
        daemon.tracker(&["events", "--type", "batch.applied"]).done().contains("batch.applied")
    );
    assert_eq!(daemon.tracker(&["db", "check"]).code, 0);
}
