//! Jobs and backups: what their guards let through, and the story they leave.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use support::{Fixture, ann};
use tracker_domain::ports::Clock;
use tracker_domain::{BackupId, BackupState, EntityKind, JobId, JobKind, JobState, Timestamp};
use tracker_ident::{AnyId, Generator};
use tracker_store::{
    BackupMade, BackupRefusal, EventFilter, JobEnd, JobRefusal, StoreError, WriteTx,
};
use tracker_testkit::spec;

fn write<T>(fixture: &Fixture, body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError>) -> T {
    fixture.db.write_blocking(&ann(), body).unwrap()
}

fn made() -> BackupMade {
    BackupMade {
        size_bytes: 7,
        sha256: "ab".to_owned(),
        schema_version: 11,
        row_counts: BTreeMap::from([("download".to_owned(), 2)]),
    }
}

/// The types of the events of a job, oldest first.
fn story(fixture: &Fixture, job: JobId) -> Vec<String> {
    let filter = EventFilter { job_id: Some(job), limit: 50, ..EventFilter::default() };
    let events = fixture.db.read_blocking(|tx| tx.events(&filter)).unwrap();
    assert!(events.iter().all(|event| event.actor == ann().to_string()));
    events.iter().rev().map(|event| event.event_type.to_string()).collect()
}

fn events(fixture: &Fixture) -> usize {
    let filter = EventFilter { limit: 1000, ..EventFilter::default() };
    fixture.db.read_blocking(|tx| tx.events(&filter)).unwrap().len()
}

#[test]
fn a_job_tells_its_story() {
    spec!("jobs#a-job-has-a-row-and-a-story/from-asked-for-to-done");
    let fixture = Fixture::new();
    let (id, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    write(&fixture, |tx| tx.start_job(id)).unwrap();
    write(&fixture, |tx| tx.job_progress(id, "put", 1, 2));
    let row = fixture.db.read_blocking(|tx| tx.job(id)).unwrap().unwrap();
    assert_eq!((row.state, row.actor), (JobState::Running, ann()));
    assert_eq!((row.stage.as_deref(), row.progress_done), (Some("put"), Some(1)));
    write(&fixture, |tx| tx.end_job(id, &JobEnd::Done)).unwrap();
    assert_eq!(story(&fixture, id), ["job.created", "job.started", "job.done"]);
    assert_eq!(fixture.db.read_blocking(|tx| tx.open_jobs()).unwrap(), []);
}

#[test]
fn an_open_job_is_the_answer_to_a_second_wish() {
    spec!("jobs#one-of-a-kind-at-a-time/asked-for-twice");
    let fixture = Fixture::new();
    let (first, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    assert_eq!(write(&fixture, |tx| tx.create_job(JobKind::Backup, None)), (first, false));
    let end = JobEnd::Failed { code: "interrupted", detail: "the process ended".to_owned() };
    write(&fixture, |tx| tx.end_job(first, &end)).unwrap();
    let row = fixture.db.read_blocking(|tx| tx.job(first)).unwrap().unwrap();
    assert_eq!(
        (row.error_code.as_deref(), row.error.as_deref()),
        (Some("interrupted"), Some("the process ended"))
    );
    let (second, created) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    assert!(created && second > first);
    let page = fixture.db.read_blocking(|tx| tx.jobs(Some(second), 5)).unwrap();
    assert_eq!(page.iter().map(|job| job.id).collect::<Vec<_>>(), [first]);
}

#[test]
fn jobs_and_backups_are_found_by_their_ids() {
    spec!("jobs#a-job-has-a-row-and-a-story/found-by-its-id");
    let fixture = Fixture::new();
    let (job, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    let backup = write(&fixture, |tx| tx.begin_backup(job, "t", |_, _| "o".to_owned()));
    let kind = |id: AnyId| fixture.db.read_blocking(|tx| tx.entity(id)).unwrap().unwrap().kind;
    assert_eq!(kind(job.into()), EntityKind::Job);
    assert_eq!(kind(backup.into()), EntityKind::Backup);
}

#[test]
fn a_backup_tells_its_story() {
    spec!("backup#a-backup-has-a-row/made");
    let fixture = Fixture::new();
    let (job, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    let id = write(&fixture, |tx| tx.begin_backup(job, "t", |id, _| format!("{id}.zst")));
    let refused = write(&fixture, |tx| tx.delete_backup(id, "by hand"));
    assert_eq!(refused, Err(BackupRefusal::BeingMade));
    write(&fixture, |tx| tx.backup_done(id, &made())).unwrap();
    assert_eq!(story(&fixture, job), ["job.created", "backup.created", "backup.done"]);
    let row = fixture.db.read_blocking(|tx| tx.backup(id)).unwrap().unwrap();
    assert!(row.is_good());
    assert_eq!((row.size_bytes, row.schema_version), (Some(7), Some(11)));
    assert_eq!((row.object, row.row_counts), (format!("{id}.zst"), made().row_counts));
    // What was put after all turns out to be there; what is done cannot fail.
    let again = write(&fixture, |tx| tx.backup_failed(id, "late"));
    let (from, to) = (BackupState::Done, BackupState::Failed);
    assert_eq!(again, Err(BackupRefusal::Illegal { from, to }));
    let lost = write(&fixture, |tx| tx.begin_backup(job, "t", |_, _| "lost".to_owned()));
    write(&fixture, |tx| tx.backup_failed(lost, "the answer was lost")).unwrap();
    write(&fixture, |tx| tx.backup_done(lost, &made())).unwrap();
    let row = fixture.db.read_blocking(|tx| tx.backup(lost)).unwrap().unwrap();
    assert_eq!((row.state, row.error), (BackupState::Done, None));
}

#[test]
fn a_deleted_backup_stays_as_a_row() {
    spec!("backup#a-backup-has-a-row/given-up");
    let fixture = Fixture::new();
    let (job, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    let id = write(&fixture, |tx| tx.begin_backup(job, "t", |_, _| "o".to_owned()));
    write(&fixture, |tx| tx.backup_done(id, &made())).unwrap();
    write(&fixture, |tx| tx.backup_missing(id, true));
    write(&fixture, |tx| tx.backup_missing(id, true));
    assert!(!fixture.db.read_blocking(|tx| tx.backup(id)).unwrap().unwrap().is_good());
    write(&fixture, |tx| tx.backup_missing(id, false));
    write(&fixture, |tx| tx.delete_backup(id, "by hand")).unwrap();
    write(&fixture, |tx| tx.delete_backup(id, "by hand")).unwrap();
    let told = story(&fixture, job);
    assert_eq!(told[2..], ["backup.done", "backup.failed", "backup.done", "backup.deleted"]);
    let rows = fixture.db.read_blocking(|tx| tx.backups_at("t")).unwrap();
    assert!(rows.len() == 1 && rows[0].deleted_at.is_some() && !rows[0].is_good());
}

/// An id whose time lies so many milliseconds after the fixture's.
fn id_after(fixture: &Fixture, ms: u64) -> BackupId {
    Generator::new().next(fixture.clock.now_ms().0 + ms, None).typed()
}

#[test]
fn an_object_gets_its_row_back() {
    spec!("backup#a-backup-has-a-row/made-from-its-object");
    let fixture = Fixture::new();
    let at: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    let id = id_after(&fixture, 3_600_000);
    write(&fixture, |tx| tx.adopt_backup(id, "t", "o", at, &made())).unwrap();
    let row = fixture.db.read_blocking(|tx| tx.backup(id)).unwrap().unwrap();
    assert!(row.is_good());
    assert_eq!((row.job, row.created_at), (None, at));
    let (job, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    assert!(AnyId::from(job) > AnyId::from(id));
}

#[test]
fn a_forged_id_is_refused() {
    spec!("backup#a-backup-has-a-row/an-id-that-cannot-be");
    let fixture = Fixture::new();
    let at: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    let (job, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
    let before = events(&fixture);
    for id in [AnyId::from(job).typed(), id_after(&fixture, 86_400_000 * 2)] {
        let refused = write(&fixture, |tx| tx.adopt_backup(id, "t", "o", at, &made()));
        assert_eq!(refused, Err(BackupRefusal::ForeignId));
    }
    assert_eq!(events(&fixture), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn only_moves_of_the_table_are_made(moves in prop::collection::vec(0..3u8, 1..8)) {
        spec!("jobs#a-job-has-a-row-and-a-story/no-way-back");
        let fixture = Fixture::new();
        let (id, _) = write(&fixture, |tx| tx.create_job(JobKind::Backup, None));
        let mut state = JobState::Queued;
        for number in moves {
            let before = events(&fixture);
            let failed = JobEnd::Failed { code: "x", detail: String::new() };
            let (to, outcome) = match number {
                0 => (JobState::Running, write(&fixture, |tx| tx.start_job(id))),
                1 => (JobState::Done, write(&fixture, |tx| tx.end_job(id, &JobEnd::Done))),
                _ => (JobState::Failed, write(&fixture, |tx| tx.end_job(id, &failed))),
            };
            if state.may_become(to) {
                prop_assert_eq!(outcome, Ok(()));
                prop_assert_eq!(events(&fixture), before + 1);
                state = to;
            } else {
                prop_assert_eq!(outcome, Err(JobRefusal::Illegal { from: state, to }));
                prop_assert_eq!(events(&fixture), before);
            }
            prop_assert_eq!(fixture.db.read_blocking(|tx| tx.job(id)).unwrap().unwrap().state, state);
        }
    }
}
