//! What the schedule counts from.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use support::Fixture;
use tracker_domain::{BackupHistory, BackupId, JobId, JobKind, Timestamp};
use tracker_store::{BackupMade, JobEnd};
use tracker_testkit::spec;

const TARGET: &str = "file:///backups";

fn started(fixture: &Fixture) -> JobId {
    let (job, created) = fixture.write(|tx| tx.create_job(JobKind::Backup, None));
    assert!(created);
    fixture.write(|tx| tx.start_job(job)).unwrap();
    job
}

fn begun(fixture: &Fixture, job: JobId) -> BackupId {
    fixture.write(|tx| tx.begin_backup(job, TARGET, |id, _| format!("{id}.db.zst")))
}

fn made() -> BackupMade {
    BackupMade {
        size_bytes: 7,
        sha256: "ab".to_owned(),
        schema_version: 11,
        row_counts: BTreeMap::new(),
    }
}

/// A job that makes a backup; the time is that of the clock.
fn done(fixture: &Fixture) -> BackupId {
    let job = started(fixture);
    let id = begun(fixture, job);
    fixture.write(|tx| tx.backup_done(id, &made())).unwrap();
    fixture.write(|tx| tx.end_job(job, &JobEnd::Done)).unwrap();
    id
}

fn failed(fixture: &Fixture) {
    let job = started(fixture);
    let id = begun(fixture, job);
    fixture.write(|tx| tx.backup_failed(id, "the disk is full")).unwrap();
    let end = JobEnd::Failed { code: "full", detail: "the disk is full".to_owned() };
    fixture.write(|tx| tx.end_job(job, &end)).unwrap();
}

fn now(fixture: &Fixture) -> Timestamp {
    fixture.db.clock().now()
}

#[test]
fn the_schedule_counts_from_the_newest_that_is_done() {
    spec!("backup#a-schedule-counts-from-what-was-done/from-the-rows");
    let fixture = Fixture::new();
    let history = || fixture.get(|tx| tx.backup_history());
    assert_eq!(history().first_entry, Some(now(&fixture)), "that of the migration");
    let counted =
        |history: BackupHistory| (history.last_done, history.failures, history.last_failure);
    assert_eq!(counted(history()), (None, 0, None));
    failed(&fixture);
    assert_eq!(counted(history()), (None, 1, Some(now(&fixture))));

    fixture.clock.advance_seconds(100);
    done(&fixture);
    let last_done = Some(now(&fixture));
    assert_eq!(counted(history()), (last_done, 0, None));

    for failures in 1..=2 {
        fixture.clock.advance_seconds(100);
        failed(&fixture);
        assert_eq!(counted(history()), (last_done, failures, Some(now(&fixture))));
    }
    // A person has ended one: that is no failure.
    let cancelled = started(&fixture);
    fixture.write(|tx| tx.end_job(cancelled, &JobEnd::cancelled())).unwrap();
    assert_eq!(history().failures, 2);
    // One that is gone is none that anybody could restore from.
    let id = fixture.get(|tx| tx.backups_at(TARGET)).iter().find(|row| row.is_good()).unwrap().id;
    fixture.write(|tx| tx.backup_missing(id, true));
    assert_eq!(history().last_done, None);
    fixture.write(|tx| tx.backup_missing(id, false));
    assert_eq!(history().last_done, last_done);
    fixture.write(|tx| tx.delete_backup(id, "asked for")).unwrap();
    assert_eq!(history().last_done, None);
}
