//! A daemon that died between writing a batch down and recording it.
//!
//! The moment is too short to be hit by a kill, so what it would have left is
//! made from a batch that is done.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use serde_json::{Value, json};
use tracker_testkit::spec;

use crate::daemon::{Daemon, Setup};
use crate::scene::{Scene, files_below, sql, story};

/// Source, target and id of a link.
struct Link {
    source: PathBuf,
    target: PathBuf,
    id: String,
}

impl Link {
    fn temporary(&self) -> PathBuf {
        self.target.with_file_name(format!(".tracker-{}.tmp", self.id))
    }

    fn stands(&self) -> bool {
        let inode = |path: &PathBuf| path.metadata().ok().map(|stat| (stat.dev(), stat.ino()));
        inode(&self.source).is_some() && inode(&self.source) == inode(&self.target)
    }
}

/// The batches of the download with their links.
fn links(daemon: &Daemon) -> Vec<Link> {
    let rows = sql(daemon, &["SELECT source_path, target_path, id FROM file_link ORDER BY id"]);
    let text = |row: &Value, index: usize| row[index].as_str().unwrap().to_owned();
    let link = |row: &Value| Link {
        source: text(row, 0).into(),
        target: text(row, 1).into(),
        id: text(row, 2),
    };
    rows.iter().map(link).collect()
}

/// As the database was before the batch was recorded: what was staged is written
/// down by then.
fn unrecord(daemon: &Daemon) {
    sql(
        daemon,
        &[
            "UPDATE download SET state = 'linking'",
            "UPDATE apply_batch SET state = 'planned'",
            "UPDATE file_link SET state = 'planned'",
        ],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_is_finished_or_taken_back() {
    spec!("fault-tolerance#a-batch-that-was-broken-off/all-links-stand");
    spec!("fault-tolerance#a-batch-that-was-broken-off/half-of-the-links-stand");
    let scene = Scene::with(&["season-v2"]);
    scene.clear(&["season-v2"]).await;
    let mut daemon = Daemon::started(Setup::of(&scene.lab)).await;
    let id = daemon.ingest(&scene.torrent("season-v2").magnet).await;
    daemon.until_state(&id, "done").await;
    daemon.kill();
    let first = links(&daemon);
    assert!(first.len() > 2, "several episodes");
    let library = daemon.library("tv");
    let before = files_below(&library);

    // (a) Every link stands, and one temporary name is left beside them.
    unrecord(&daemon);
    std::fs::hard_link(&first[1].source, first[1].temporary()).unwrap();
    daemon.start().await;
    let download = daemon.download(&id).await;
    assert_eq!((&download["state"], &download["attention"]), (&json!("done"), &Value::Null));
    daemon.kill();
    assert_eq!(files_below(&library), before);
    assert!(first.iter().all(Link::stands));
    let states = sql(&daemon, &["SELECT state, inode IS NOT NULL FROM file_link"]);
    assert!(states.iter().all(|row| *row == json!(["linked", 1])), "{states:?}");

    // (b) One link stands, one has its temporary name still; the client is
    // away, so that nothing is linked anew.
    unrecord(&daemon);
    for link in &first[1..] {
        std::fs::remove_file(&link.target).unwrap();
    }
    std::fs::hard_link(&first[1].source, first[1].temporary()).unwrap();
    let url = std::mem::replace(&mut daemon.setup.clients[0].url, "http://127.0.0.1:9".to_owned());
    daemon.configure();
    daemon.start().await;
    assert_eq!(daemon.download(&id).await["state"], "downloaded");
    assert_eq!(files_below(&library), Vec::<PathBuf>::new());
    assert!(first.iter().all(|link| link.source.exists()), "the payload is untouched");
    daemon.stop();
    assert_eq!(sql(&daemon, &["SELECT state FROM apply_batch"]), [json!(["undone"])]);

    daemon.setup.clients[0].url = url;
    daemon.configure();
    daemon.start().await;
    daemon.until_state(&id, "done").await;
    assert_eq!(files_below(&library), before);
    assert!(first.iter().all(Link::stands));
    assert!(!story(&daemon, &id).await.contains(&"failed".to_owned()));
    daemon.stop();
    daemon.tracker(&["db", "check"]).done();
    scene.clear(&["season-v2"]).await;
}
