//! What is left of a call: its time in the log, and no secret anywhere.

use tokio::net::TcpListener;
use tracker_domain::Secret;
use tracker_domain::ports::{BackupTarget, BackupTargetError};
use tracker_objectstore::{PART_BYTES, S3Backups};
use tracker_testkit::{Captured, backup_mark, spec};

use crate::Bench;
use crate::front::Cut;
use crate::server::{ACCESS_KEY, SECRET_KEY, config};

#[tokio::test]
async fn no_secret_shows() {
    spec!("backup#secrets-of-a-target-stay-secret/the-log-and-errors");
    let log = Captured::default();
    let _listening = log.listen();
    let bench = Bench::new();
    let (small, large) = (bench.file(5), bench.file(PART_BYTES + 1));
    let right = config("s3://bucket/backups", bench.server.address);
    let mut wrong = right.clone();
    wrong.secret_key = Secret::new("an0therS3cret");
    let mut unknown = right.clone();
    unknown.access_key = Secret::new("NOBODYatAll");
    let mut shown = format!("{right:?}");
    for config in [&right, &wrong, &unknown] {
        let target = S3Backups::new(config).unwrap();
        shown.push_str(&format!("{target:?}{}", target.place()));
        for cut in [None, Some(Cut::Sent(300))] {
            if let Some(cut) = cut {
                bench.server.line.cut(cut, true);
            }
            for file in [&small, &large] {
                shown.push_str(&format!("{:?}", target.put_new("a", &backup_mark(1), file).await));
            }
            shown.push_str(&format!("{:?}", target.get("a", &small).await));
            shown.push_str(&format!("{:?}", target.list().await));
            shown.push_str(&format!("{:?}", target.delete("a").await));
        }
    }
    std::fs::remove_dir_all(bench.server.bucket()).unwrap();
    shown.push_str(&format!("{:?}", bench.target.put_new("a", &backup_mark(1), &small).await));
    for wanted in ["Denied", "SignatureDoesNotMatch", "NoSuchBucket", "check access_key"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    let logged = log.text();
    let ours: Vec<_> = logged.lines().filter(|line| line.contains("tracker_objectstore")).collect();
    for wanted in [
        "object store call answered",
        "object store call failed",
        "host=\"127.0.0.1\"",
        "method=PUT",
        "route=\"/bucket/backups/a\"",
        "duration_ms=",
        "status=200",
        "error=HTTP error: HTTP 403",
    ] {
        assert!(ours.iter().any(|line| line.contains(wanted)), "{wanted}: {ours:#?}");
    }
    // Neither do the libraries say it.
    for secret in [SECRET_KEY, ACCESS_KEY, "an0therS3cret", "NOBODYatAll", "Signature=", "uploadId"]
    {
        assert!(!shown.contains(secret), "{secret}: {shown}");
        assert!(!logged.contains(secret), "{secret}: {logged}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_is_waited_for_a_bounded_time() {
    spec!("backup#a-target-holds-whole-objects/a-store-that-hangs");
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target =
        S3Backups::new(&config("s3://bucket/backups", silent.local_addr().unwrap())).unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            held.push(silent.accept().await.unwrap());
        }
    });
    let began = tokio::time::Instant::now();
    let listed = target.list().await;
    assert!(matches!(listed, Err(BackupTargetError::Unreachable(_))), "{listed:?}");
    assert!(began.elapsed() < std::time::Duration::from_secs(180), "{:?}", began.elapsed());
}
