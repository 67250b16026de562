//! The source is away, and comes back.

use rusqlite::Connection;
use serde_json::Value;
use tracker_domain::metadata::Provider;
use tracker_testkit::{MetadataStub, StubAnswer, StubMode, spec};

use crate::daemon::{DEADLINE, Daemon, Setup};
use crate::stage::Stage;

/// So often a source is asked at most that gives no answer: once for the name,
/// once or twice for the files, and some that find out whether it is back.
const A_FEW: usize = 6;

/// The download is complete and says why it waits; health says it too, and the
/// source is left in peace.
async fn rests(mode: StubMode, code: &str, crowd: bool) {
    let mut stage = Stage::prepared().await;
    stage.source.set(Provider::Tmdb, mode);
    stage.daemon.start().await;
    let id = stage.film().await;
    let download = stage.until_it_waits(&id).await;
    let detail = download["attention_detail"].as_str().unwrap();
    assert!(detail.contains("tmdb"), "{detail}");
    let check = stage.daemon.until_check(code).await;
    assert_eq!(check["subject"], "tmdb", "{check}");
    assert!(!check["remedy"].as_str().unwrap().is_empty(), "{check}");
    if crowd {
        stage.crowd().await;
    }
    let asked = stage.asked();
    assert!((1..=A_FEW).contains(&asked), "{asked}");
    assert!(!stage.in_library().exists());
    assert!(stage.daemon.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_up() {
    spec!("recognition-flow#the-daemon-with-its-sources/a-server-of-each-kind");
    rests(StubMode::Dead, "metadata-unreachable", true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_nothing() {
    spec!("recognition-flow#the-daemon-with-its-sources/a-server-of-each-kind");
    rests(StubMode::Silent, "metadata-unreachable", false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_limits() {
    spec!("recognition-flow#the-daemon-with-its-sources/a-server-of-each-kind");
    rests(StubMode::Limiting(Some("3600".to_owned())), "metadata-limited", true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_lies() {
    spec!("recognition-flow#the-daemon-with-its-sources/a-server-of-each-kind");
    let lie = StubAnswer::json(200, "<html>");
    rests(StubMode::Says(lie), "metadata-unreachable", false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_refuses_the_token() {
    spec!("recognition-flow#the-daemon-with-its-sources/a-server-of-each-kind");
    rests(StubMode::Says(StubAnswer::json(401, "{}")), "metadata-denied", true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_back() {
    spec!("recognition-flow#the-daemon-with-its-sources/the-server-is-back");
    let mut stage = Stage::prepared().await;
    stage.source.set(Provider::Tmdb, StubMode::Dead);
    stage.daemon.start().await;
    let id = stage.film().await;
    stage.until_it_waits(&id).await;
    assert!(stage.daemon.stop().success());
    // The time of the next try has come.
    let database = Connection::open(stage.daemon.data_dir().join("tracker.db")).unwrap();
    let due = "UPDATE recognition SET next_look_at = '2020-01-01T00:00:00Z'
               WHERE state = 'waiting'";
    assert_eq!(database.execute(due, []).unwrap(), 1);
    drop(database);
    stage.source.set(Provider::Tmdb, StubMode::Normal);
    stage.daemon.start().await;
    let done = stage.daemon.until_state(&id, "done").await;
    assert_eq!(done["attention"], Value::Null, "{done}");
    assert!(stage.in_library().exists());
    assert_eq!(stage.daemon.checks("metadata-unreachable").await, Vec::<Value>::new());
    // What it has answered is not asked again, by a restart neither.
    let asked = stage.asked();
    assert!(stage.daemon.stop().success());
    stage.daemon.start().await;
    let again = stage.film().await;
    let over = |download: &Value| download["state"] == "done" || !download["attention"].is_null();
    stage.daemon.until(&again, DEADLINE, "recognised again", over).await;
    assert_eq!(stage.asked(), asked);
    assert!(stage.daemon.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_says_whom_titles_are_sent_to() {
    spec!("recognition-flow#sources-in-health/told-at-the-start");
    let mut stage = Stage::prepared().await;
    stage.daemon.start().await;
    assert!(!stage.daemon.log().contains(MetadataStub::TOKEN));
    let told = stage.daemon.log_with("titles are sent to these metadata sources");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["fields"]["sources"], "tmdb");
    assert!(told[0].to_string().contains("tvmaze = false"));
    assert!(stage.daemon.stop().success());
    let below = tempfile::tempdir().unwrap();
    let mut alone = Daemon::started(Setup::without_client(below.path())).await;
    assert_eq!(alone.log_with("no metadata source is asked").len(), 1);
    assert!(alone.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_that_cannot_be_used_do_not_keep_it_from_starting() {
    spec!("recognition-flow#sources-in-health/settings-that-cannot-be-used");
    let below = tempfile::tempdir().unwrap();
    let metadata = "tvmaze = false\ntmdb_token = \"not a token\"\n".to_owned();
    let setup = Setup { metadata, ..Setup::without_client(below.path()) };
    let mut daemon = Daemon::started(setup).await;
    let check = daemon.until_check("metadata-setup").await;
    assert_eq!((check["subject"].as_str(), check["level"].as_str()), (Some("tmdb"), Some("error")));
    assert!(daemon.stop().success());
}
