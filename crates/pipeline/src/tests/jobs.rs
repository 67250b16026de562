//! Jobs and their schedule, on a real database, with a target that obeys.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracker_backup::Backups;
use tracker_domain::event::EventType;
use tracker_domain::health::Level;
use tracker_domain::ports::{BackupMark, BackupTarget, BackupTargetError, Live, StoredBackup};
use tracker_domain::{Actor, BackupState, JobId, JobKind, JobState};
use tracker_store::{Backup, EventFilter, Job, NewEvent, StoreError};
use tracker_testkit::{FakeBackupTarget, spec};

use super::fixture::{Fixture, person};
use crate::backup_target::{BackupTargetStage, examine};
use crate::jobs::{JobStage, turns};
use crate::schedule::ScheduleStage;
use crate::stage::Stage;
use crate::{BackupPlan, Pipeline, Policy};

const DAY: u64 = 86_400;

/// Takes its time: a put says that it has begun and does not end.
#[derive(Debug, Default)]
struct Slow(Notify);

#[async_trait]
impl BackupTarget for Slow {
    fn place(&self) -> String {
        "slow://".to_owned()
    }

    async fn put_new(&self, _: &str, _: &BackupMark, _: &Path) -> Result<(), BackupTargetError> {
        self.0.notify_one();
        std::future::pending().await
    }

    async fn get(&self, object: &str, _: &Path) -> Result<(), BackupTargetError> {
        Err(BackupTargetError::Gone(object.to_owned()))
    }

    async fn list(&self) -> Result<Vec<StoredBackup>, BackupTargetError> {
        Ok(Vec::new())
    }

    async fn delete(&self, _: &str) -> Result<(), BackupTargetError> {
        Ok(())
    }
}

struct Bench {
    fixture: Fixture,
    pipeline: Pipeline,
    backups: Backups,
    stop: CancellationToken,
}

impl Bench {
    fn new(target: Arc<dyn BackupTarget>) -> Self {
        let fixture = Fixture::new();
        let backups = Backups::new(fixture.db.clone(), fixture.database(), target, 3);
        let every = Some(Duration::from_secs(DAY));
        let policy = Policy {
            backups: Some(BackupPlan { backups: backups.clone(), every }),
            retention_days: 10,
            // Nobody waits for a real clock: what changes wakes up.
            look_every: Duration::from_secs(3600),
            ..Policy::default()
        };
        let pipeline = Pipeline::new(
            fixture.db.clone(),
            fixture.pipeline.clients.clone(),
            fixture.disk.clone(),
            Vec::new(),
            policy,
        );
        Bench { fixture, pipeline, backups, stop: CancellationToken::new() }
    }

    fn runner(&self, kind: JobKind) -> JobStage {
        let (pipeline, stop) = (self.pipeline.clone(), self.stop.clone());
        JobStage { pipeline, kind, turns: turns(), stop }
    }

    async fn run_all(&self) {
        for kind in JobKind::ALL {
            self.runner(*kind).pass().await.unwrap();
        }
    }

    async fn ask(&self, kind: JobKind) -> JobId {
        let made: Result<_, StoreError> =
            self.fixture.db.write(&person(), move |tx| tx.create_job(kind, None)).await;
        made.unwrap().0
    }

    async fn job(&self, id: JobId) -> Job {
        self.fixture.db.read(move |tx| tx.job(id)).await.unwrap().unwrap()
    }

    async fn jobs(&self) -> Vec<Job> {
        let rows: Result<_, StoreError> = self.fixture.db.read(|tx| tx.jobs(None, 100)).await;
        rows.unwrap()
    }

    async fn backups(&self) -> Vec<Backup> {
        let rows: Result<_, StoreError> = self.fixture.db.read(|tx| tx.backups(None, 100)).await;
        rows.unwrap()
    }

    /// The kinds of the jobs that the schedule asked for since the last look, and that
    /// are done then.
    async fn due(&self, schedule: &ScheduleStage) -> Vec<JobKind> {
        let known = self.jobs().await.len();
        schedule.pass().await.unwrap();
        schedule.pass().await.unwrap();
        let mut jobs = self.jobs().await;
        jobs.truncate(jobs.len() - known);
        assert!(jobs.iter().all(|job| job.actor == Actor::Worker));
        self.run_all().await;
        jobs.into_iter().rev().map(|job| job.kind).collect()
    }

    fn level(&self, code: &str) -> Option<Level> {
        let checks = self.pipeline.board().checks();
        let check = checks.into_iter().find(|check| check.code == code)?;
        assert_eq!(check.remedy.is_empty(), check.level == Level::Ok, "{check:?}");
        Some(check.level)
    }
}

fn end_of(job: &Job) -> (JobState, Option<&str>) {
    (job.state, job.error_code.as_deref())
}

#[tokio::test]
async fn each_kind_is_done_by_itself() {
    spec!("jobs#jobs-are-run/by-itself");
    let bench = Bench::new(Arc::new(FakeBackupTarget::default()));
    let backup = bench.ask(JobKind::Backup).await;
    let retention = bench.ask(JobKind::Retention).await;
    bench.run_all().await;
    let (drill, _) = bench.backups.ask_verify(None, &person()).await.unwrap();
    bench.run_all().await;
    for id in [backup, retention, drill] {
        let job = bench.job(id).await;
        assert_eq!((job.state, job.error), (JobState::Done, None));
        let filter = EventFilter { job_id: Some(id), limit: 50, ..EventFilter::default() };
        let told = bench.fixture.db.read(move |tx| tx.events(&filter)).await.unwrap();
        assert!(told.len() >= 3, "{told:?}");
        assert!(told.iter().all(|event| event.actor == person().to_string()), "{told:?}");
    }
    let made = bench.backups().await.remove(0);
    assert_eq!((made.state, made.job), (BackupState::Done, Some(backup)));
    assert!(made.verified_at.is_some());
}

#[tokio::test]
async fn a_job_is_cancelled_while_it_waits_and_while_it_runs() {
    spec!("jobs#jobs-are-run/cancelled");
    let slow = Arc::new(Slow::default());
    let bench = Bench::new(slow.clone());
    let cancel = async |id| {
        let done: Result<_, StoreError> =
            bench.fixture.db.write(&person(), move |tx| tx.cancel_job(id)).await;
        done.unwrap().unwrap();
    };
    let waiting = bench.ask(JobKind::Backup).await;
    cancel(waiting).await;
    assert_eq!(end_of(&bench.job(waiting).await), (JobState::Failed, Some("cancelled")));
    bench.run_all().await;
    assert_eq!(bench.backups().await, []);

    let running = bench.ask(JobKind::Backup).await;
    let runner = bench.runner(JobKind::Backup);
    let (passed, ()) = tokio::join!(runner.pass(), async {
        slow.0.notified().await;
        assert_eq!(bench.job(running).await.state, JobState::Running);
        // Twice at once: the job may have ended before a second write.
        let twice: Result<_, StoreError> = bench
            .fixture
            .db
            .write(&person(), move |tx| {
                tx.cancel_job(running)?.unwrap();
                tx.cancel_job(running)
            })
            .await;
        twice.unwrap().unwrap();
    });
    passed.unwrap();
    assert_eq!(end_of(&bench.job(running).await), (JobState::Failed, Some("cancelled")));
    assert_eq!(bench.backups().await[0].state, BackupState::Failed);
    let asked = bench.fixture.told(EventType::JobCancelAsked).await;
    assert_eq!(asked.len(), 2, "once for each job");
    // The next one can be made.
    assert_ne!(bench.ask(JobKind::Backup).await, running);
}

#[tokio::test]
async fn the_end_of_the_program_is_written_down() {
    spec!("jobs#jobs-are-run/the-program-ends");
    let slow = Arc::new(Slow::default());
    let bench = Bench::new(slow.clone());
    let id = bench.ask(JobKind::Backup).await;
    let runner = bench.runner(JobKind::Backup);
    let (passed, ()) = tokio::join!(runner.pass(), async {
        slow.0.notified().await;
        bench.stop.cancel();
    });
    passed.unwrap();
    assert_eq!(end_of(&bench.job(id).await), (JobState::Failed, Some("interrupted")));
    assert_eq!(bench.backups().await[0].state, BackupState::Failed);
}

#[tokio::test]
async fn what_a_killed_process_left_is_failed_at_the_start() {
    spec!("jobs#what-a-killed-process-left/interrupted");
    let bench = Bench::new(Arc::new(FakeBackupTarget::default()));
    let ran = bench.ask(JobKind::Backup).await;
    let started: Result<_, StoreError> =
        bench.fixture.db.write(&person(), move |tx| tx.start_job(ran)).await;
    started.unwrap().unwrap();
    let waits = bench.ask(JobKind::Retention).await;
    let scratch = bench.fixture.database().with_file_name("tracker.db.backup-x.db");
    std::fs::write(&scratch, "left").unwrap();
    bench.pipeline.recover().await.unwrap();
    assert_eq!(end_of(&bench.job(ran).await), (JobState::Failed, Some("interrupted")));
    assert_eq!(bench.job(waits).await.state, JobState::Queued);
    assert!(!scratch.exists());
}

#[tokio::test]
async fn the_schedule_asks_for_what_is_due_and_no_more() {
    spec!("jobs#jobs-are-run/due-by-the-schedule");
    let bench = Bench::new(Arc::new(FakeBackupTarget::default()));
    let schedule = ScheduleStage::new(bench.pipeline.clone());
    let clock = &bench.fixture.clock;
    assert_eq!(bench.due(&schedule).await, [], "a fresh database has nothing to keep");
    clock.advance_seconds(600);
    assert_eq!(bench.due(&schedule).await, [JobKind::Backup]);
    clock.advance_seconds(60);
    assert_eq!(bench.due(&schedule).await, [JobKind::BackupVerify]);
    clock.advance_seconds(60);
    assert_eq!(bench.due(&schedule).await, []);
    clock.advance_seconds(DAY);
    assert_eq!(bench.due(&schedule).await, [JobKind::Backup]);
    // A restart in between changes nothing.
    let again = ScheduleStage::new(bench.pipeline.clone());
    clock.advance_seconds(DAY / 2);
    assert_eq!(bench.due(&again).await, []);
    clock.advance_seconds(10 * DAY);
    let week = [JobKind::Backup, JobKind::BackupVerify, JobKind::Retention];
    assert_eq!(bench.due(&again).await, week);
    assert_eq!(bench.backups().await.iter().filter(|row| row.is_good()).count(), 3);
}

#[tokio::test]
async fn old_entries_go_once_a_day() {
    spec!("event-journal#retention/the-worker");
    let bench = Bench::new(Arc::new(FakeBackupTarget::default()));
    let schedule = ScheduleStage::new(bench.pipeline.clone());
    // More than one transaction looks at.
    for _ in 0..600 {
        let event = NewEvent::new(EventType::ClientOnline, "");
        let written: Result<_, StoreError> =
            bench.fixture.db.write(&Actor::System, move |tx| tx.append_event(event)).await;
        written.unwrap();
    }
    let old = async || {
        let types = vec![EventType::ClientOnline];
        let filter = EventFilter { types, limit: 1000, ..EventFilter::default() };
        let found: Result<_, StoreError> =
            bench.fixture.db.read(move |tx| tx.events(&filter)).await;
        found.unwrap().len()
    };
    bench.fixture.clock.advance_seconds(10 * DAY - 60);
    bench.due(&schedule).await;
    assert_eq!(old().await, 600, "just ten days are kept");
    bench.fixture.clock.advance_seconds(120);
    assert!(bench.due(&schedule).await.contains(&JobKind::Retention));
    assert_eq!(old().await, 0);
}

#[tokio::test]
async fn health_tells_of_target_and_age() {
    spec!("backup#health-tells-of-backups/target-age-and-damage");
    let target = Arc::new(FakeBackupTarget::default());
    let bench = Bench::new(target.clone());
    let plan = bench.pipeline.policy.backups.clone().unwrap();
    let stage = BackupTargetStage::new(bench.pipeline.clone(), plan);
    let clock = &bench.fixture.clock;
    let look = async || {
        clock.advance_seconds(3601);
        stage.pass().await.unwrap();
    };
    look().await;
    assert_eq!(bench.level("backup-target"), Some(Level::Ok));
    assert_eq!(bench.level("backup-overdue"), Some(Level::Ok), "the first one is not due yet");
    // What can be read and not be written.
    target.refuse(Some(BackupTargetError::Full("no room".to_owned())));
    bench.ask(JobKind::Backup).await;
    bench.run_all().await;
    target.refuse(None);
    look().await;
    assert_eq!(bench.level("backup-target"), Some(Level::Warning));
    bench.ask(JobKind::Backup).await;
    bench.run_all().await;
    clock.advance_seconds(2 * DAY);
    target.refuse(Some(BackupTargetError::Unreachable("no route".to_owned())));
    look().await;
    assert_eq!(bench.level("backup-target"), Some(Level::Warning));
    assert_eq!(bench.level("backup-overdue"), Some(Level::Warning));
    assert!(bench.backups().await[0].is_good(), "what is not seen is not missing");
    target.refuse(None);
    look().await;
    assert_eq!(bench.level("backup-target"), Some(Level::Ok));
    // Its object is another one than was put.
    let object = target.objects().remove(0);
    let (mark, mut bytes) = target.lose(&object).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    target.drop_in(&object, mark, &bytes);
    bench.backups.ask_verify(None, &person()).await.unwrap();
    bench.run_all().await;
    look().await;
    assert_eq!(bench.level("backup-damaged"), Some(Level::Error));
    target.lose(&object);
    look().await;
    assert!(!bench.backups().await[0].is_good(), "its object is gone");
    examine(&bench.pipeline).await.unwrap();
    assert_eq!(bench.level("backup-target"), Some(Level::Ok));
}

impl Fixture {
    fn database(&self) -> PathBuf {
        self.folder().join("tracker.db")
    }
}
