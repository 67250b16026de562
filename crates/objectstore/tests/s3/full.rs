//! A server whose disk is full: it keeps its folders in a small one in memory,
//! mounted where nobody else sees it. Mounting needs root.

use std::path::{Path, PathBuf};
use std::process::Command;

use tracker_domain::ports::{BackupTarget, BackupTargetError};
use tracker_objectstore::PART_BYTES;
use tracker_testkit::{backup_mark, spec};

use crate::server::Server;
use crate::{file_in, names};

/// Names the mounted folder to the inner run.
const PLACE: &str = "TRACKER_OBJECTSTORE_PLACE";

/// One part and a bit.
const DISK_BYTES: u64 = PART_BYTES + PART_BYTES / 4;

/// Runs the test of this name again behind a mount.
fn on_a_small_disk(test: &str, place: &Path) {
    let mount =
        format!("mount -t tmpfs -o size={DISK_BYTES} none \"${PLACE}\" && exec \"$0\" \"$@\"");
    let output = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-c", &mount])
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(PLACE, place)
        .output()
        .unwrap_or_else(|error| panic!("unshare: {error}; install it: apt-get install util-linux"));
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{complained}");
}

#[tokio::test]
async fn a_full_disk_is_told_and_what_is_there_stays() {
    spec!("backup#a-target-holds-whole-objects/a-full-store");
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else {
        let place = tempfile::tempdir().unwrap();
        on_a_small_disk("full::a_full_disk_is_told_and_what_is_there_stays", place.path());
        return;
    };
    let server = Server::over(&place);
    let scratch = tempfile::tempdir().unwrap();
    let target = server.target("s3://bucket/backups");
    let small = file_in(scratch.path(), PART_BYTES / 2);
    target.put_new("first", &backup_mark(1), &small).await.unwrap();
    // As a whole, and in parts of which the first has no room either.
    for size_bytes in [PART_BYTES, 2 * PART_BYTES] {
        let large = file_in(scratch.path(), size_bytes);
        let put = target.put_new("second", &backup_mark(2), &large).await;
        assert!(matches!(put, Err(BackupTargetError::Full(_))), "{put:?}");
        assert_eq!(names(target.list().await.unwrap()), ["first"]);
    }
    // What was begun took no room with it.
    assert_eq!(target.put_new("second", &backup_mark(2), &small).await, Ok(()));
    target.delete("first").await.unwrap();
    assert_eq!(names(target.list().await.unwrap()), ["second"]);
}
