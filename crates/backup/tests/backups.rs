//! Backups of a real database: made, kept, found again and tried out.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tempfile::TempDir;
use tracker_backup::{BackupError, Backups, Reconciled};
use tracker_domain::event::EventType;
use tracker_domain::ports::{BackupMark, BackupTarget, BackupTargetError, Clock, StoredBackup};
use tracker_domain::{Actor, BackupId, BackupState, JobState};
use tracker_store::{Backup, Db, INTERRUPTED, Job, NewEvent, ScratchFile, StoreError, migrate};
use tracker_testkit::{FakeBackupTarget, FixedClock, backup_mark, backup_target_contract, spec};

struct Bench {
    folder: TempDir,
    db: Db,
    target: Arc<FakeBackupTarget>,
    backups: Backups,
}

impl Bench {
    fn keeping(keep: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        let clock = Arc::new(FixedClock::new());
        migrate::migrate(&path, None, clock.now(), 0o600).unwrap();
        let db = Db::open(&path, clock).unwrap();
        let target = Arc::new(FakeBackupTarget::default());
        let backups = Backups::new(db.clone(), path, target.clone(), keep);
        Bench { folder, db, target, backups }
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

    fn newest_job(&self) -> Job {
        self.db.read_blocking(|tx| tx.jobs(None, 1)).unwrap().remove(0)
    }

    async fn reconcile(&self) -> Reconciled {
        self.backups.reconcile(&Actor::Reconciler).await.unwrap()
    }

    /// The scratch files that lie beside the database.
    fn scratch(&self) -> usize {
        let names = std::fs::read_dir(self.folder.path()).unwrap();
        names
            .filter(|it| it.as_ref().unwrap().file_name().to_string_lossy().contains(".backup-"))
            .count()
    }
}

fn reason(error: &BackupError) -> &'static str {
    error.code()
}

#[tokio::test]
async fn the_fake_keeps_the_contract() {
    spec!("backup#a-target-holds-whole-objects/the-contract");
    let folder = tempfile::tempdir().unwrap();
    backup_target_contract(&FakeBackupTarget::default(), folder.path()).await;
}

#[tokio::test]
async fn a_backup_is_made_and_stands_the_drill() {
    spec!("backup#a-backup-is-whole-and-verified/made-and-tried-out");
    let bench = Bench::keeping(7);
    let id = bench.make().await.unwrap();
    let row = bench.row(id);
    assert!(row.is_good());
    assert_eq!(bench.target.objects(), [row.object.as_str()]);
    assert_eq!(bench.newest_job().state, JobState::Done);
    let verified = bench.backups.verify(id).await.unwrap();
    assert_eq!(verified.schema_version, migrate::LATEST);
    assert_eq!(verified.row_counts, row.row_counts);
    assert_eq!(verified.row_counts["backup"], 1);
    assert_eq!(bench.scratch(), 0);
}

#[tokio::test]
async fn a_damaged_object_is_told() {
    spec!("backup#a-backup-is-whole-and-verified/a-damaged-object");
    let bench = Bench::keeping(7);
    let id = bench.make().await.unwrap();
    let object = bench.row(id).object;
    let (mark, mut bytes) = bench.target.lose(&object).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bench.target.drop_in(&object, mark, &bytes);
    let error = bench.backups.verify(id).await.unwrap_err();
    assert_eq!(error.to_string(), "the backup is damaged: its hash is another one");
    bench.target.lose(&object);
    assert_eq!(reason(&bench.backups.verify(id).await.unwrap_err()), "target-gone");
    assert_eq!(bench.scratch(), 0);
}

#[tokio::test]
async fn only_the_newest_are_kept_and_the_last_good_one_always() {
    spec!("backup#a-number-is-kept/the-oldest-go");
    let bench = Bench::keeping(2);
    let mut made = Vec::new();
    for _ in 0..4 {
        made.push(bench.make().await.unwrap());
    }
    let good: Vec<BackupId> =
        bench.rows().into_iter().filter(Backup::is_good).map(|row| row.id).collect();
    assert_eq!(good, [made[3], made[2]]);
    assert_eq!(bench.target.objects().len(), 2);
    assert!(bench.row(made[0]).deleted_at.is_some());
}

#[tokio::test]
async fn a_failed_backup_removes_nothing() {
    spec!("backup#a-number-is-kept/the-last-good-one");
    let bench = Bench::keeping(0);
    let first = bench.make().await.unwrap();
    for error in [
        BackupTargetError::Full("no room".to_owned()),
        BackupTargetError::Denied("no".to_owned()),
        BackupTargetError::Unreachable("away".to_owned()),
    ] {
        bench.target.refuse(Some(error.clone()));
        let failed = bench.make().await.unwrap_err();
        let job = bench.newest_job();
        assert_eq!(job.state, JobState::Failed);
        assert_eq!(job.error_code.as_deref(), Some(reason(&failed)));
        assert_eq!(job.error, Some(error.to_string()));
        assert_eq!(bench.rows()[0].state, BackupState::Failed);
    }
    bench.target.refuse(None);
    assert!(bench.row(first).is_good());
    assert_eq!(bench.target.objects(), [bench.row(first).object]);
    assert_eq!(bench.scratch(), 0);
}

#[tokio::test]
async fn rows_and_objects_find_each_other() {
    spec!("backup#target-and-rows-are-reconciled/objects-and-rows");
    let bench = Bench::keeping(7);
    let lost = bench.make().await.unwrap();
    let stays = bench.make().await.unwrap();
    let object = bench.row(lost).object;
    let (mark, bytes) = bench.target.lose(&object).unwrap();
    let foreign = backup_mark(3);
    bench.target.drop_in("tracker-foreign.zst", foreign.clone(), b"x");
    let found = bench.reconcile().await;
    assert_eq!((found.missing, found.adopted), (vec![lost], vec![foreign.id]));
    assert!(!bench.row(lost).is_good() && bench.row(stays).is_good());
    assert_eq!(bench.row(foreign.id).job, None);
    bench.target.drop_in(&object, mark, &bytes);
    assert_eq!(bench.reconcile().await.back, [lost]);
    assert_eq!(bench.reconcile().await, Reconciled::default());
}

#[tokio::test]
async fn an_unreachable_target_makes_nothing_missing() {
    spec!("backup#target-and-rows-are-reconciled/an-unreachable-target");
    let bench = Bench::keeping(7);
    let id = bench.make().await.unwrap();
    bench.target.refuse(Some(BackupTargetError::Unreachable("away".to_owned())));
    let error = bench.backups.reconcile(&Actor::Reconciler).await.unwrap_err();
    assert_eq!(reason(&error), "target-unreachable");
    assert!(bench.row(id).is_good());
}

#[tokio::test]
async fn a_put_whose_answer_was_lost_is_adopted() {
    spec!("backup#target-and-rows-are-reconciled/put-and-not-written-down");
    let bench = Bench::keeping(7);
    bench.target.lose_answers(true);
    bench.make().await.unwrap_err();
    let id = bench.rows()[0].id;
    assert_eq!(bench.row(id).state, BackupState::Failed);
    assert_eq!(bench.reconcile().await.adopted, [id]);
    assert!(bench.row(id).is_good());
    bench.backups.verify(id).await.unwrap();
}

#[tokio::test]
async fn a_deletion_that_was_broken_off_is_finished() {
    spec!("backup#target-and-rows-are-reconciled/a-deletion-broken-off");
    let bench = Bench::keeping(7);
    let id = bench.make().await.unwrap();
    bench.target.refuse(Some(BackupTargetError::Unreachable("away".to_owned())));
    bench.backups.delete(id, "by hand", &Actor::System).await.unwrap_err();
    bench.target.refuse(None);
    assert_eq!(bench.target.objects().len(), 1);
    assert_eq!(bench.reconcile().await.removed, [id]);
    assert_eq!(bench.target.objects(), Vec::<String>::new());
}

#[tokio::test]
async fn what_ran_when_the_process_died_is_failed_and_swept() {
    spec!("jobs#what-a-killed-process-left/interrupted");
    let bench = Bench::keeping(7);
    let (job, _) = bench.backups.ask(&Actor::System).await.unwrap();
    let place = bench.target.place();
    let id = bench
        .db
        .write::<_, StoreError>(&Actor::System, move |tx| {
            tx.start_job(job)?.unwrap();
            tx.begin_backup(job, &place, |id, _| format!("{id}.zst"))
        })
        .await
        .unwrap();
    let database = bench.folder.path().join("tracker.db");
    std::mem::forget(ScratchFile::beside(&database, &format!("{id}.db")).unwrap());
    // While it runs it is nobody else's.
    assert_eq!(bench.reconcile().await, Reconciled::default());
    assert_eq!(bench.backups.recover().await.unwrap(), [job]);
    assert_eq!(bench.newest_job().error_code.as_deref(), Some(INTERRUPTED));
    assert_eq!(bench.scratch(), 0);
    assert_eq!(bench.reconcile().await.failed, [id]);
    // A job that only waited goes on waiting.
    let (waiting, created) = bench.backups.ask(&Actor::System).await.unwrap();
    assert!(created);
    assert_eq!(bench.backups.recover().await.unwrap(), []);
    bench.backups.run(waiting, &Actor::System).await.unwrap();
}

#[tokio::test]
async fn rows_follow_a_target_that_moved() {
    spec!("backup#target-and-rows-are-reconciled/a-target-that-moved");
    let bench = Bench::keeping(7);
    let (first, second) = (bench.make().await.unwrap(), bench.make().await.unwrap());
    let moved = Arc::new(Moved(FakeBackupTarget::default()));
    for id in [first, second] {
        let object = bench.row(id).object;
        let (mut mark, bytes) = bench.target.lose(&object).unwrap();
        if id == second {
            // Of another database, or changed since.
            mark.sha256 = "0".repeat(64);
        }
        moved.0.drop_in(&object, mark, &bytes);
    }
    let path = bench.folder.path().join("tracker.db");
    let backups = Backups::new(bench.db.clone(), path, moved.clone(), 7);
    let found = backups.reconcile(&Actor::Reconciler).await.unwrap();
    assert_eq!((found.adopted, found.refused), (vec![first], vec![bench.row(second).object]));
    assert_eq!(bench.row(first).target, moved.place());
    assert_ne!(bench.row(second).target, moved.place());
    backups.verify(first).await.unwrap();
    assert_eq!(backups.reconcile(&Actor::Reconciler).await.unwrap().adopted, []);
}

/// The same under another name.
#[derive(Debug)]
struct Moved(FakeBackupTarget);

#[async_trait::async_trait]
impl BackupTarget for Moved {
    fn place(&self) -> String {
        "moved://".to_owned()
    }

    async fn put_new(
        &self,
        object: &str,
        mark: &BackupMark,
        file: &Path,
    ) -> Result<(), BackupTargetError> {
        self.0.put_new(object, mark, file).await
    }

    async fn get(&self, object: &str, file: &Path) -> Result<(), BackupTargetError> {
        self.0.get(object, file).await
    }

    async fn list(&self) -> Result<Vec<StoredBackup>, BackupTargetError> {
        self.0.list().await
    }

    async fn delete(&self, object: &str) -> Result<(), BackupTargetError> {
        self.0.delete(object).await
    }
}

/// The entries of a kind in the journal of an unpacked copy.
fn entries(object: &[u8], scratch: &Path) -> u64 {
    let (packed, opened) = (scratch.join("o.zst"), scratch.join("o.db"));
    std::fs::write(&packed, object).unwrap();
    std::fs::write(&opened, "").unwrap();
    tracker_backup::unpack(&packed, &opened).unwrap();
    let (_, report) = tracker_store::check_file(&opened).unwrap().unwrap();
    assert_eq!(report.problems, []);
    let count = report.tables.iter().find(|(name, _)| name == "event").unwrap().1;
    u64::try_from(count).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_backup_under_load_holds_what_was_acknowledged_before() {
    spec!("backup#a-backup-is-whole-and-verified/under-load");
    let rounds = if std::env::var_os("TRACKER_SOAK").is_some() { 100 } else { 5 };
    let bench = Bench::keeping(rounds);
    let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let writer = std::thread::spawn({
        let (db, stop, acknowledged) = (bench.db.clone(), stop.clone(), acknowledged.clone());
        move || {
            while !stop.load(Ordering::SeqCst) {
                let event = NewEvent::new(EventType::SystemStarted, "load");
                db.write_blocking::<_, StoreError>(&Actor::System, |tx| tx.append_event(event))
                    .unwrap();
                acknowledged.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    let mut made = Vec::new();
    for _ in 0..rounds {
        let before = acknowledged.load(Ordering::SeqCst);
        made.push((bench.make().await.unwrap(), before));
    }
    stop.store(true, Ordering::SeqCst);
    writer.join().unwrap();
    assert!(made.last().unwrap().1 > made[0].1, "the writer went on meanwhile");
    for (id, before) in made {
        bench.backups.verify(id).await.unwrap();
        let (_, bytes) = bench.target.lose(&bench.row(id).object).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        assert!(entries(&bytes, scratch.path()) >= before, "{id}");
    }
}
