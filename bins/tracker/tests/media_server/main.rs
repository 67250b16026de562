//! The built program with a Jellyfin and a Plex. Servers on the loopback interface
//! play them and the torrent client.
#![allow(clippy::unwrap_used)]

#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/film.rs"]
mod film;

use serde_json::json;
use tempfile::TempDir;
use tracker_testkit::{MediaServerStub, QbtStub, StubLibrary, StubMode, eventually, spec};

use daemon::{DEADLINE, Daemon, Setup};

const SCANNED: &str = "/mnt/library/movies/The Quiet Harbour (2011)";

fn libraries() -> Vec<StubLibrary> {
    vec![
        StubLibrary::new(1, "Films", "/mnt/library/movies"),
        StubLibrary::new(2, "Series", "/mnt/library/tv"),
    ]
}

/// A daemon that knows both servers, the Plex without a path map.
fn prepared(below: &TempDir, client: &QbtStub, jellyfin: &str, plex: &str) -> Daemon {
    let setup =
        Setup { clients: vec![film::setup_of(client)], ..Setup::without_client(below.path()) };
    let mut daemon = Daemon::prepared(setup);
    let media = daemon.library("movies").parent().unwrap().to_owned();
    let token = MediaServerStub::TOKEN;
    daemon.setup.more = format!(
        "[[media_server]]\nname = \"den\"\nurl = {jellyfin:?}\ntoken = {token:?}\n\
         path_map = [{{ local = {media:?}, server = \"/mnt/library\" }}]\n\
         [[media_server]]\nname = \"attic\"\nkind = \"plex\"\nurl = {plex:?}\ntoken = {token:?}\n"
    );
    daemon.configure();
    daemon
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_film_is_linked_and_the_servers_are_told() {
    spec!("media-servers#the-daemon-with-media-servers/one-that-fits-and-one-that-does-not");
    let below = tempfile::tempdir().unwrap();
    let client = film::client(&below.path().join("payload")).await;
    let jellyfin = MediaServerStub::jellyfin(libraries()).await;
    let plex = MediaServerStub::plex(libraries()).await;
    jellyfin.set(StubMode::Dead);
    let mut daemon = prepared(&below, &client, &jellyfin.url(), &plex.url());
    daemon.start().await;
    let check = daemon.until_check("media-server-unreachable").await;
    assert_eq!((&check["subject"], &check["level"]), (&"den".into(), &"warning".into()));
    let id = daemon.ingest(&film::magnet()).await;
    // Nobody waits for a media server.
    daemon.until_state(&id, "done").await;
    assert!(daemon.library("movies").join("The Quiet Harbour (2011)").is_dir());
    jellyfin.set(StubMode::Normal);
    eventually(DEADLINE, "the server that was away is told", async || {
        (jellyfin.scanned() == [SCANNED]).then_some(())
    })
    .await;
    let check = daemon.until_check("media-server-outside").await;
    assert_eq!(check["subject"], "attic");
    let detail = check["detail"].as_str().unwrap();
    let ours = daemon.library("movies").join("The Quiet Harbour (2011)");
    assert!(detail.contains(ours.to_str().unwrap()), "{detail}");
    assert!(detail.ends_with("they are at /mnt/library/movies, /mnt/library/tv"), "{detail}");
    assert_eq!(plex.scanned(), [""; 0]);
    let told = eventually(DEADLINE, "it is in the journal", async || {
        let events = daemon.events(&id).await;
        events.into_iter().find(|event| event["type"] == "library.refreshed")
    })
    .await;
    assert_eq!(told["data"], json!({"server": "den", "folders": [ours]}));
    assert!(daemon.stop().success());
    assert!(!daemon.log().contains(MediaServerStub::TOKEN));
    assert!(!daemon.log().contains("media_server\""), "the section has an effect");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_asks_each_server() {
    spec!("media-servers#the-daemon-with-media-servers/the-doctor");
    let below = tempfile::tempdir().unwrap();
    let client = film::client(&below.path().join("payload")).await;
    let jellyfin = MediaServerStub::jellyfin(libraries()[..1].to_vec()).await;
    let plex = MediaServerStub::plex(libraries()).await;
    let daemon = prepared(&below, &client, &jellyfin.url(), &plex.url());
    assert_eq!(daemon.tracker(&["db", "migrate"]).code, 0);
    let found = daemon.tracker(&["doctor", "--json"]).json();
    let checks = found["checks"].as_array().unwrap();
    let about = |code: &str| {
        let of_code = checks.iter().filter(|check| check["code"] == code);
        of_code.map(|check| check["subject"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(about("media-server-reachable"), ["attic", "den"], "{found:#}");
    assert_eq!(about("library-in-no-media-server"), ["tv"], "{found:#}");
    assert_eq!((jellyfin.requests().len(), plex.requests().len()), (1, 1));

    let wrong = ("TRACKER__MEDIA_SERVER__DEN__TOKEN", "wrong");
    let said = daemon.command(&["doctor", "--json"]).env(wrong.0, wrong.1).output().unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.contains("media-server-denied") && !text.contains("\"wrong\""), "{text}");
    assert_eq!(jellyfin.scanned().len() + plex.scanned().len(), 0);
}
