//! Servers that are no object store, or none that can be used.

use std::path::PathBuf;

use tempfile::TempDir;
use tracker_domain::ports::{BackupTarget, BackupTargetError};
use tracker_objectstore::{PART_BYTES, S3Backups};
use tracker_testkit::{ReceiverStub, StubAnswer, StubMode, backup_mark, spec};

use crate::file_in;
use crate::server::config;

struct Bench {
    stub: ReceiverStub,
    target: S3Backups,
    scratch: TempDir,
}

impl Bench {
    async fn new() -> Bench {
        let stub = ReceiverStub::receiver().await;
        let address = stub.url().trim_start_matches("http://").trim_end_matches('/').parse();
        let target = S3Backups::new(&config("s3://bucket/backups", address.unwrap())).unwrap();
        Bench { stub, target, scratch: tempfile::tempdir().unwrap() }
    }

    fn file(&self, size_bytes: u64) -> PathBuf {
        file_in(self.scratch.path(), size_bytes)
    }

    /// What a list, a fetch and a put come to when everything is answered so.
    async fn ends(&self, answer: StubAnswer) -> [BackupTargetError; 3] {
        self.stub.set(StubMode::Says(answer));
        [
            self.target.list().await.unwrap_err(),
            self.target.get("a", &self.file(0)).await.unwrap_err(),
            self.target.put_new("a", &backup_mark(1), &self.file(5)).await.unwrap_err(),
        ]
    }
}

fn xml(status: u16, code: &str) -> StubAnswer {
    let body = format!("<Error><Code>{code}</Code><Message>s3cret</Message></Error>");
    StubAnswer::of_kind(status, "application/xml", body)
}

#[tokio::test]
async fn what_a_server_says_is_told_as_what_it_is() {
    spec!("backup#a-target-holds-whole-objects/what-a-store-answers");
    let bench = Bench::new().await;
    for error in bench.ends(StubAnswer::redirect("http://127.0.0.1:1/")).await {
        let BackupTargetError::Failed(said) = error else { panic!("{error:?}") };
        assert_eq!(said, "HTTP 302; check region and endpoint");
    }
    for error in bench.ends(xml(503, "SlowDown")).await {
        assert!(matches!(error, BackupTargetError::Unreachable(_)), "{error:?}");
    }
    for error in bench.ends(xml(400, "AuthorizationHeaderMalformed")).await {
        assert!(matches!(error, BackupTargetError::Denied(_)), "{error:?}");
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
    let [list, get, put] = bench.ends(StubAnswer::of_kind(404, "text/html", "Not Found")).await;
    assert!(matches!(list, BackupTargetError::Unreachable(_)), "{list:?}");
    assert!(matches!(get, BackupTargetError::Gone(_)), "{get:?}");
    assert!(matches!(put, BackupTargetError::Unreachable(_)), "{put:?}");
}

#[tokio::test]
async fn a_server_that_is_no_store_is_told() {
    spec!("backup#a-target-holds-whole-objects/no-store-at-all");
    let bench = Bench::new().await;
    let page = StubAnswer::of_kind(200, "text/html", "<html><body>Welcome</body></html>");
    bench.stub.set(StubMode::Says(page));
    let listed = bench.target.list().await;
    assert!(matches!(listed, Err(BackupTargetError::Failed(_))), "{listed:?}");
    // One that never ends does not fill the memory.
    let flood = "<ListBucketResult>".repeat(4096);
    let flood = StubAnswer::of_kind(200, "application/xml", flood).endless();
    bench.stub.set(StubMode::Says(flood));
    let listed = bench.target.list().await;
    let Err(BackupTargetError::Failed(said)) = listed else { panic!("{listed:?}") };
    assert!(said.contains("more than"), "{said}");
    bench.stub.set(StubMode::Dead);
    let listed = bench.target.list().await;
    assert!(matches!(listed, Err(BackupTargetError::Unreachable(_))), "{listed:?}");
    let file = bench.file(PART_BYTES + 1);
    let put = bench.target.put_new("a", &backup_mark(1), &file).await;
    assert!(matches!(put, Err(BackupTargetError::Unreachable(_))), "{put:?}");
}

#[tokio::test]
async fn a_file_that_is_not_there_is_our_own_trouble() {
    spec!("backup#a-target-holds-whole-objects/what-a-store-answers");
    let bench = Bench::new().await;
    let none = bench.scratch.path().join("none");
    let put = bench.target.put_new("a", &backup_mark(1), &none).await;
    assert!(matches!(put, Err(BackupTargetError::Failed(_))), "{put:?}");
    let got = bench.target.get("a", &none).await;
    assert!(matches!(got, Err(BackupTargetError::Failed(_))), "{got:?}");
    assert_eq!(bench.stub.requests().len(), 0);
}

#[tokio::test]
async fn metadata_that_cannot_be_read_is_none_of_ours() {
    spec!("backup#a-target-holds-whole-objects/objects-of-others");
    let bench = Bench::new().await;
    let foreign = StubAnswer::of_kind(200, "text/plain", "").header("x-amz-meta-sha256", "\u{fc}");
    bench.stub.set(StubMode::Says(foreign));
    let put = bench.target.put_new("a", &backup_mark(1), &bench.file(5)).await;
    assert_eq!(put, Err(BackupTargetError::Exists("a".to_owned())));
}
