//! Backups of a real database in a bucket, from the job to the drill.

use std::sync::Arc;

use tempfile::TempDir;
use tracker_backup::{BackupError, Backups, Reconciled};
use tracker_domain::ports::{BackupTarget, Clock};
use tracker_domain::{Actor, BackupId, BackupState, JobState};
use tracker_objectstore::S3Backups;
use tracker_store::{Backup, Db, migrate};
use tracker_testkit::{FixedClock, spec};

use crate::front::Cut;
use crate::server::Server;

struct Bench {
    _root: TempDir,
    server: Server,
    _folder: TempDir,
    db: Db,
    target: Arc<S3Backups>,
    backups: Backups,
}

impl Bench {
    fn keeping(keep: usize) -> Bench {
        let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let server = Server::over(root.path());
        let target = Arc::new(server.target("s3://bucket/backups"));
        let path = folder.path().join("tracker.db");
        let clock = Arc::new(FixedClock::new());
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        let db = Db::open(&path, clock).unwrap();
        let backups = Backups::new(db.clone(), path, target.clone(), keep);
        Bench { _root: root, server, _folder: folder, db, target, backups }
    }

    async fn make(&self) -> Result<BackupId, BackupError> {
        let (job, _) = self.backups.ask(&Actor::System).await.unwrap();
        self.backups.run(job, &Actor::System).await
    }

    fn rows(&self) -> Vec<Backup> {
        self.db.read_blocking(|tx| tx.backups(None, 200)).unwrap()
    }

    fn row(&self, id: BackupId) -> Backup {
        self.db.read_blocking(|tx| tx.backup(id)).unwrap().unwrap()
    }

    async fn reconcile(&self) -> Reconciled {
        self.backups.reconcile(&Actor::Reconciler).await.unwrap()
    }
}

#[tokio::test]
async fn backups_are_made_verified_kept_and_found_again() {
    spec!("backup#a-backup-is-whole-and-verified/made-and-tried-out");
    spec!("backup#a-number-is-kept/the-oldest-go");
    spec!("backup#target-and-rows-are-reconciled/objects-and-rows");
    let bench = Bench::keeping(2);
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(bench.make().await.unwrap());
    }
    let row = bench.row(made[2]);
    assert_eq!(row.target, "s3://bucket/backups");
    let verified = bench.backups.verify(made[2]).await.unwrap();
    assert_eq!((verified.schema_version, verified.row_counts), (migrate::LATEST, row.row_counts));

    // What the object says of itself is what the row says.
    let mut objects = bench.target.list().await.unwrap();
    objects.sort_by_key(|stored| stored.mark.id);
    let marks: Vec<BackupId> = objects.iter().map(|stored| stored.mark.id).collect();
    assert_eq!(marks, made[1..]);
    assert!(bench.row(made[0]).deleted_at.is_some());
    assert_eq!(Some(&objects[1].mark.sha256), row.sha256.as_ref());
    assert_eq!(objects[1].mark.created_at, row.created_at);
    assert_eq!(bench.reconcile().await, Reconciled::default());

    // One is lost; a database that knows of none finds the other.
    bench.target.delete(&objects[0].object).await.unwrap();
    assert_eq!(bench.reconcile().await.missing, [made[1]]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracker.db");
    let clock = Arc::new(FixedClock::new());
    migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
    let db = Db::open(&path, clock).unwrap();
    let anew = Backups::new(db, path, bench.target.clone(), 2);
    let found = anew.reconcile(&Actor::Reconciler).await.unwrap();
    assert_eq!(found.adopted, [made[2]]);
    anew.verify(made[2]).await.unwrap();
}

#[tokio::test]
async fn a_store_that_is_away_fails_the_backup_and_loses_none() {
    spec!("backup#a-number-is-kept/the-last-good-one");
    spec!("backup#target-and-rows-are-reconciled/an-unreachable-target");
    let bench = Bench::keeping(1);
    let first = bench.make().await.unwrap();
    bench.server.line.cut(Cut::Sent(2000), false);
    assert_eq!(bench.make().await.unwrap_err().code(), "target-unreachable");
    let job = bench.db.read_blocking(|tx| tx.jobs(None, 1)).unwrap().remove(0);
    assert_eq!(
        (job.state, job.error_code.as_deref()),
        (JobState::Failed, Some("target-unreachable"))
    );
    assert_eq!(bench.rows()[0].state, BackupState::Failed);
    let away = bench.backups.reconcile(&Actor::Reconciler).await.unwrap_err();
    assert_eq!(away.code(), "target-unreachable");
    assert!(bench.row(first).is_good());
    bench.server.line.repair();
    assert_eq!(bench.reconcile().await, Reconciled::default());
    bench.backups.verify(first).await.unwrap();
}

#[tokio::test]
async fn an_object_that_was_changed_does_not_stand_the_drill() {
    spec!("backup#a-backup-is-whole-and-verified/a-damaged-object");
    let bench = Bench::keeping(2);
    let id = bench.make().await.unwrap();
    let path = bench.server.bucket().join("backups").join(bench.row(id).object);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(bench.backups.verify(id).await.unwrap_err().code(), "damaged");
    std::fs::remove_dir_all(bench.server.bucket()).unwrap();
    assert_eq!(bench.backups.verify(id).await.unwrap_err().code(), "target-unreachable");
}
