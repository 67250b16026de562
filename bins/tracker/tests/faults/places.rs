//! One daemon a data directory, and databases of other versions.

use serde_json::json;
use tracker_store::migrate::LATEST;
use tracker_testkit::spec;

use crate::daemon::{Daemon, Setup};
use crate::scene::sql;

const VERSION: &str = "SELECT max(version) FROM refinery_schema_history";

fn prepared() -> (tempfile::TempDir, Daemon) {
    let below = tempfile::tempdir().unwrap();
    let daemon = Daemon::prepared(Setup::without_client(below.path()));
    (below, daemon)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_daemon_is_refused() {
    spec!("fault-tolerance#one-daemon-a-data-directory/a-second-serve");
    let (_below, mut daemon) = prepared();
    daemon.start().await;
    let said = daemon.tracker(&["serve"]);
    assert_eq!(said.code, 5, "{said:?}");
    assert!(said.err.contains(&daemon.pid().to_string()), "{}", said.err);
    daemon.get("/health").await.expect(200);
    assert!(daemon.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_daemon_leaves_no_lock() {
    spec!("fault-tolerance#one-daemon-a-data-directory/after-a-crash");
    let (_below, mut daemon) = prepared();
    daemon.start().await;
    daemon.kill();
    // What it left names a process that is no more.
    assert!(daemon.data_dir().join("daemon.json").exists());
    daemon.tracker(&["list"]).done();
    daemon.start().await;
    assert!(daemon.stop().success());
}

#[test]
fn a_newer_database_is_left_alone() {
    spec!("fault-tolerance#databases-of-other-versions/a-newer-one");
    let (_below, daemon) = prepared();
    daemon.tracker(&["db", "migrate"]).done();
    sql(
        &daemon,
        &["INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
           VALUES (77, 'from_the_future', '2030-01-01T00:00:00Z', '1')"],
    );
    for command in [
        vec!["list"],
        vec!["ingest", "0123456789abcdef0123456789abcdef01234567"],
        vec!["db", "migrate"],
        vec!["serve"],
    ] {
        let said = daemon.tracker(&command);
        assert_eq!(said.code, 5, "{command:?}: {said:?}");
        let words: Vec<&str> = said.err.split(|c: char| !c.is_ascii_digit()).collect();
        assert!(
            words.contains(&"77") && words.contains(&LATEST.to_string().as_str()),
            "{}",
            said.err
        );
    }
    assert_eq!(sql(&daemon, &[VERSION]), [json!([77])]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_database_is_migrated_by_some_only() {
    spec!("fault-tolerance#databases-of-other-versions/an-older-one");
    let (_below, mut daemon) = prepared();
    daemon.tracker(&["db", "migrate", "--to", "5"]).done();
    for command in [vec!["list"], vec!["ingest", "0123456789abcdef0123456789abcdef01234567"]] {
        let said = daemon.tracker(&command);
        assert_eq!(said.code, 5, "{command:?}: {said:?}");
        assert!(said.err.contains('5') && said.err.contains(&LATEST.to_string()), "{}", said.err);
        assert_eq!(sql(&daemon, &[VERSION]), [json!([5])]);
    }
    daemon.start().await;
    assert!(daemon.stop().success());
    assert_eq!(sql(&daemon, &[VERSION]), [json!([LATEST])]);

    let (_other_below, other) = prepared();
    other.tracker(&["db", "migrate", "--to", "5"]).done();
    other.tracker(&["db", "migrate"]).done();
    assert_eq!(sql(&other, &[VERSION]), [json!([LATEST])]);
}
