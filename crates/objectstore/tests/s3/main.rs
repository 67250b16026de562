//! The port over a real S3 server on the loopback interface.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod front;
mod full;
mod odd;
mod quiet;
mod server;
mod whole;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tracker_domain::Secret;
use tracker_domain::ports::{BackupTarget, BackupTargetError, StoredBackup};
use tracker_objectstore::{PART_BYTES, S3Backups};
use tracker_testkit::{backup_mark, backup_target_contract, spec};

use front::Cut;
use server::{Server, config};

/// A server, a target on it, and a folder for files.
struct Bench {
    server: Server,
    target: S3Backups,
    scratch: TempDir,
    _root: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let root = tempfile::tempdir().unwrap();
        let server = Server::over(root.path());
        let target = server.target("s3://bucket/backups");
        Bench { server, target, scratch: tempfile::tempdir().unwrap(), _root: root }
    }

    /// A file of that size whose bytes differ.
    fn file(&self, size_bytes: u64) -> PathBuf {
        file_in(self.scratch.path(), size_bytes)
    }

    /// The content of an object as it is fetched.
    async fn fetched(&self, object: &str) -> Result<Vec<u8>, BackupTargetError> {
        let path = self.scratch.path().join("fetched");
        std::fs::write(&path, "").unwrap();
        self.target.get(object, &path).await?;
        Ok(std::fs::read(path).unwrap())
    }

    /// What the server keeps under the prefix, whosever it is.
    fn stored(&self, object: &str) -> Option<Vec<u8>> {
        std::fs::read(self.server.bucket().join("backups").join(object)).ok()
    }
}

fn file_in(folder: &Path, size_bytes: u64) -> PathBuf {
    let path = folder.join(format!("file-{size_bytes}"));
    let bytes: Vec<u8> = (0..size_bytes).map(|at| (at % 251) as u8).collect();
    std::fs::write(&path, bytes).unwrap();
    path
}

fn names(found: Vec<StoredBackup>) -> Vec<String> {
    let mut names: Vec<String> = found.into_iter().map(|it| it.object).collect();
    names.sort();
    names
}

/// Small and in one request, and large and in parts, the last of them short.
const SIZES: [u64; 3] = [5, PART_BYTES, 2 * PART_BYTES + 17];

#[tokio::test]
async fn the_store_keeps_the_contract() {
    spec!("backup#a-target-holds-whole-objects/the-contract");
    let bench = Bench::new();
    assert_eq!(bench.target.place(), "s3://bucket/backups");
    backup_target_contract(&bench.target, bench.scratch.path()).await;
    // Without a prefix it is the bucket itself; what lies deeper is not seen from there.
    let bare = bench.server.target("s3://bucket");
    assert_eq!(bare.place(), "s3://bucket");
    backup_target_contract(&bare, bench.scratch.path()).await;
    assert_eq!(names(bare.list().await.unwrap()), ["a.zst", "b.zst"]);
}

#[tokio::test]
async fn an_object_of_any_size_is_whole_and_replaces_none() {
    spec!("backup#a-target-holds-whole-objects/large-objects");
    let bench = Bench::new();
    for (number, size_bytes) in (1..).zip(SIZES) {
        let (object, file) = (format!("o{number}"), bench.file(size_bytes));
        let mark = backup_mark(number);
        assert_eq!(bench.target.put_new(&object, &mark, &file).await, Ok(()));
        let stored = StoredBackup { object: object.clone(), size_bytes, mark };
        assert!(bench.target.list().await.unwrap().contains(&stored));
        assert!(bench.fetched(&object).await.unwrap() == std::fs::read(&file).unwrap());
        let again = bench.target.put_new(&object, &backup_mark(9), &file).await;
        assert_eq!(again, Err(BackupTargetError::Exists(object)));
    }
}

#[tokio::test]
async fn somebody_who_was_faster_keeps_his_object() {
    spec!("backup#a-target-holds-whole-objects/a-name-taken-meanwhile");
    let bench = Bench::new();
    for (number, size_bytes) in (1..).zip(SIZES) {
        let object = format!("o{number}");
        bench.server.let_somebody_be_faster(b"his");
        let put = bench.target.put_new(&object, &backup_mark(1), &bench.file(size_bytes)).await;
        assert_eq!(put, Err(BackupTargetError::Exists(object.clone())));
        assert_eq!(bench.stored(&object).as_deref(), Some(&b"his"[..]));
    }
    // The parts of the upload went, too.
    let left = std::fs::read_dir(&bench.server.root).unwrap();
    let left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
    assert!(!left.iter().any(|it| it.to_string_lossy().contains("part-")), "{left:?}");
    assert_eq!(bench.target.list().await, Ok(vec![]));
}

#[tokio::test]
async fn objects_of_others_are_not_seen_and_stay() {
    spec!("backup#a-target-holds-whole-objects/objects-of-others");
    let bench = Bench::new();
    let file = bench.file(5);
    bench.target.put_new("ours", &backup_mark(1), &file).await.unwrap();
    let mut broken = backup_mark(2);
    broken.sha256 = "none".to_owned();
    bench.target.put_new("broken", &broken, &file).await.unwrap();
    let folder = bench.server.bucket().join("backups");
    std::fs::write(folder.join("letter"), "dear").unwrap();
    std::fs::write(folder.join("ein Brief"), "lieb").unwrap();
    // More than a page of a list.
    for number in 0..1000 {
        std::fs::write(folder.join(format!("a{number}")), "").unwrap();
    }
    let deeper = bench.server.target("s3://bucket/backups/deeper");
    deeper.put_new("deep", &backup_mark(3), &file).await.unwrap();
    assert_eq!(names(bench.target.list().await.unwrap()), ["ours"]);
    assert_eq!(names(deeper.list().await.unwrap()), ["deep"]);
    for (object, content) in [("letter", "dear"), ("ein Brief", "lieb")] {
        assert_eq!(bench.stored(object).as_deref(), Some(content.as_bytes()));
    }
    // Names that would lead out of the prefix are none.
    for object in ["", "../x", "a/b", ".x", "ü"] {
        let deleted = bench.target.delete(object).await;
        assert!(matches!(deleted, Err(BackupTargetError::Failed(_))), "{object}: {deleted:?}");
    }
}

#[tokio::test]
async fn wrong_keys_are_denied() {
    spec!("backup#a-target-holds-whole-objects/wrong-keys");
    let bench = Bench::new();
    let file = bench.file(5);
    bench.target.put_new("ours", &backup_mark(1), &file).await.unwrap();
    let right = config("s3://bucket/backups", bench.server.address);
    let mut wrong_secret = right.clone();
    wrong_secret.secret_key = Secret::new("another");
    let mut unknown = right.clone();
    unknown.access_key = Secret::new("NOBODY");
    for config in [wrong_secret, unknown] {
        let target = S3Backups::new(&config).unwrap();
        let answers = [
            target.put_new("new", &backup_mark(2), &file).await.err(),
            target.list().await.err(),
            target.get("ours", &bench.file(0)).await.err(),
            target.delete("ours").await.err(),
        ];
        for answer in answers {
            assert!(matches!(answer, Some(BackupTargetError::Denied(_))), "{answer:?}");
        }
    }
    assert_eq!(names(bench.target.list().await.unwrap()), ["ours"]);
}

#[tokio::test]
async fn a_bucket_that_vanished_is_unreachable_and_not_made() {
    spec!("backup#a-target-holds-whole-objects/a-bucket-that-vanished");
    let bench = Bench::new();
    bench.target.put_new("ours", &backup_mark(1), &bench.file(5)).await.unwrap();
    assert_eq!(bench.target.list().await.unwrap().len(), 1);
    std::fs::remove_dir_all(bench.server.bucket()).unwrap();
    let mut answers = vec![
        bench.target.list().await.err(),
        bench.fetched("ours").await.err(),
        bench.target.delete("ours").await.err(),
    ];
    for size_bytes in SIZES {
        let file = bench.file(size_bytes);
        answers.push(bench.target.put_new("new", &backup_mark(2), &file).await.err());
    }
    for answer in answers {
        assert!(matches!(answer, Some(BackupTargetError::Unreachable(_))), "{answer:?}");
    }
    assert!(!bench.server.bucket().exists());
}

#[tokio::test]
async fn a_bucket_that_vanishes_under_a_list_hides_nothing() {
    spec!("backup#a-target-holds-whole-objects/a-bucket-that-vanished");
    let bench = Bench::new();
    bench.target.put_new("ours", &backup_mark(1), &bench.file(5)).await.unwrap();
    bench.server.let_bucket_vanish_after_a_list();
    let listed = bench.target.list().await;
    let Err(BackupTargetError::Unreachable(said)) = listed else { panic!("{listed:?}") };
    assert!(said.contains("NoSuchBucket"), "{said}");
}

#[tokio::test]
async fn a_put_that_is_cut_off_leaves_nothing() {
    spec!("backup#a-target-holds-whole-objects/a-connection-cut");
    let bench = Bench::new();
    // In the head of a request, and in the bytes of a whole, a first and a last part.
    let cuts = [(5, 700), (PART_BYTES, PART_BYTES / 2)];
    let large = 2 * PART_BYTES + 17;
    for (size_bytes, sent) in cuts.into_iter().chain([(large, 100_000), (large, large)]) {
        let file = bench.file(size_bytes);
        bench.server.line.cut(Cut::Sent(sent), false);
        let put = bench.target.put_new("new", &backup_mark(1), &file).await;
        assert!(matches!(put, Err(BackupTargetError::Unreachable(_))), "{put:?}");
        assert!(bench.server.line.was_cut());
        bench.server.line.repair();
        assert_eq!(bench.target.list().await, Ok(vec![]));
        assert_eq!(bench.stored("new"), None);
        // Nothing of it is in the way.
        assert_eq!(bench.target.put_new("new", &backup_mark(1), &file).await, Ok(()));
        assert!(bench.fetched("new").await.unwrap() == std::fs::read(&file).unwrap());
        bench.target.delete("new").await.unwrap();
    }
}

#[tokio::test]
async fn a_cut_that_heals_is_not_seen() {
    spec!("backup#a-target-holds-whole-objects/a-connection-that-comes-back");
    let bench = Bench::new();
    for (number, size_bytes) in (1..).zip(SIZES) {
        let (object, file) = (format!("o{number}"), bench.file(size_bytes));
        // The last request is carried out, and its answer lost.
        bench.server.line.cut(Cut::Answered(size_bytes), true);
        assert_eq!(bench.target.put_new(&object, &backup_mark(number), &file).await, Ok(()));
        assert!(bench.server.line.was_cut());
        bench.server.line.cut(Cut::Fetched(size_bytes / 2 + 1), true);
        assert!(bench.fetched(&object).await.unwrap() == std::fs::read(&file).unwrap());
        assert!(bench.server.line.was_cut());
    }
    assert_eq!(bench.target.list().await.unwrap().len(), SIZES.len());
}

#[tokio::test]
async fn a_fetch_that_is_cut_off_says_so() {
    spec!("backup#a-target-holds-whole-objects/a-connection-cut");
    let bench = Bench::new();
    let file = bench.file(PART_BYTES);
    bench.target.put_new("ours", &backup_mark(1), &file).await.unwrap();
    bench.server.line.cut(Cut::Fetched(PART_BYTES / 2), false);
    let fetched = bench.fetched("ours").await;
    assert!(matches!(fetched, Err(BackupTargetError::Unreachable(_))), "{fetched:?}");
    bench.server.line.repair();
    assert!(bench.fetched("ours").await.unwrap() == std::fs::read(&file).unwrap());
}
