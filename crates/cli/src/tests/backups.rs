//! `backup`, `restore` and `jobs`.

use std::collections::BTreeMap;

use tracker_testkit::spec;
use tracker_wire::{BackupDto, ErrorDto, JobDto, ReconciledDto};

use super::fake::{Fake, ID};
use super::{asked, json, ran};
use crate::{RestoreReport, RestoredTable, exit};

const AT: &str = "2026-12-01T09:30:00Z";

fn job(state: &str, stage: Option<(&str, u64)>) -> JobDto {
    JobDto {
        id: ID.to_owned(),
        kind: "backup".to_owned(),
        subject_id: None,
        state: state.to_owned(),
        stage: stage.map(|(name, _)| name.to_owned()),
        progress_done: stage.map(|(_, done)| done),
        progress_total: stage.map(|_| 4),
        cancelling: false,
        error: None,
        actor: "cli:ann".to_owned(),
        created_at: AT.to_owned(),
        started_at: None,
        finished_at: None,
    }
}

fn failed(code: &str, detail: &str) -> JobDto {
    let error = Some(ErrorDto { code: code.to_owned(), detail: detail.to_owned() });
    JobDto { error, ..job("failed", Some(("put", 2))) }
}

fn backup() -> BackupDto {
    BackupDto {
        id: "01jzbbbbbbbbbbbbbbbbbbbbbb".to_owned(),
        job_id: Some(ID.to_owned()),
        state: "done".to_owned(),
        target: "file:///backups".to_owned(),
        object: "tracker-20261201T093000Z.db.zst".to_owned(),
        size_bytes: Some(123_456),
        sha256: Some("ab".repeat(32)),
        schema_version: Some(12),
        row_counts: BTreeMap::from([("download".to_owned(), 2), ("event".to_owned(), 40)]),
        error: None,
        created_at: AT.to_owned(),
        finished_at: Some(AT.to_owned()),
        verified_at: None,
        deleted_at: None,
    }
}

#[tokio::test]
async fn a_backup_is_waited_for() {
    spec!("backup#asked-for-by-a-person/command-line");
    let fake = Fake::new();
    {
        let mut state = fake.state.lock().unwrap();
        state.jobs = [
            job("queued", None),
            job("running", Some(("copy", 0))),
            job("running", Some(("put", 2))),
            job("done", Some(("done", 4))),
        ]
        .into();
        state.backups = vec![backup()];
    }
    let found = ran(&fake, &["backup"]).await;
    assert_eq!(found.code, exit::DONE);
    let object = "file:///backups/tracker-20261201T093000Z.db.zst";
    assert_eq!(found.out, format!("01jzbbbbbbbbbbbbbbbbbbbbbb\tdone\t{object}\n"));
    assert!(found.err.starts_with("copy …\nput …\n"), "{}", found.err);
    assert!(found.err.contains("42 rows, version V12"), "{}", found.err);
}

#[tokio::test]
async fn one_that_fails_says_why() {
    spec!("backup#asked-for-by-a-person/it-fails");
    let fake = Fake::new();
    fake.state.lock().unwrap().jobs = [failed("target-full", "the backup target is full")].into();
    let found = ran(&fake, &["backup"]).await;
    assert_eq!((found.code, found.out.as_str()), (exit::FAILED, ""));
    assert!(found.err.contains("the backup target is full (target-full)"), "{}", found.err);
    assert!(found.err.contains(&format!("tracker show {ID}")), "{}", found.err);
}

#[tokio::test]
async fn backups_are_listed_tried_out_and_deleted() {
    spec!("backup#asked-for-by-a-person/looked-after");
    let fake = Fake::new();
    fake.state.lock().unwrap().backups = vec![backup()];
    let listed = ran(&fake, &["backup", "list"]).await.out;
    assert!(listed.contains("V12") && listed.contains("never"), "{listed}");
    let deleted = ran(&fake, &["backup", "delete", ID]).await;
    assert_eq!(deleted.out, "01jzbbbbbbbbbbbbbbbbbbbbbb\tdone\n");
    let drill = |end| JobDto {
        kind: "backup-verify".to_owned(),
        subject_id: Some("01jzbbbbbbbbbbbbbbbbbbbbbb".to_owned()),
        ..end
    };
    fake.state.lock().unwrap().jobs = [drill(job("done", None))].into();
    let sound = ran(&fake, &["backup", "verify"]).await;
    assert_eq!(sound.out, "01jzbbbbbbbbbbbbbbbbbbbbbb\tverified\n");
    fake.state.lock().unwrap().jobs = [drill(failed("damaged", "its hash is another one"))].into();
    let damaged = ran(&fake, &["backup", "verify", ID]).await;
    assert_eq!(damaged.code, exit::FAILED);
    assert!(damaged.err.contains("its hash is another one"), "{}", damaged.err);
    assert_eq!(ran(&fake, &["backup", "reconcile"]).await.out, "rows and objects agree\n");
    let missing = vec![ID.to_owned()];
    fake.state.lock().unwrap().reconciled = ReconciledDto { missing, ..ReconciledDto::default() };
    assert_eq!(ran(&fake, &["backup", "reconcile"]).await.out, format!("{ID}\tmissing\n"));
    assert_eq!(ran(&fake, &["backup", "verify", "junk"]).await.code, exit::NOT_FOUND);
}

#[tokio::test]
async fn jobs_are_listed_and_ended() {
    spec!("jobs#jobs-are-listed-and-ended/command-line");
    let fake = Fake::new();
    fake.state.lock().unwrap().jobs =
        [job("running", Some(("put", 2))), failed("target-full", "no room")].into();
    insta::assert_snapshot!(ran(&fake, &["jobs"]).await.out, @r"
    ID                          KIND    STATE    STEP     CREATED               ACTOR    WHY
    01jzabcdefghjkmnpqrstvwxyz  backup  running  put 2/4  2026-12-01T09:30:00Z  cli:ann
    01jzabcdefghjkmnpqrstvwxyz  backup  failed            2026-12-01T09:30:00Z  cli:ann  no room
    ");
    let fake = Fake::new();
    fake.state.lock().unwrap().jobs =
        [JobDto { cancelling: true, ..job("running", Some(("put", 2))) }].into();
    let ended = ran(&fake, &["jobs", "cancel", ID]).await;
    assert_eq!((ended.code, ended.out), (exit::DONE, format!("{ID}\tcancelling\n")));
}

fn report() -> RestoreReport {
    RestoreReport {
        source: "/b.db.zst".to_owned(),
        schema_version: 12,
        newest_entry: Some(AT.to_owned()),
        tables: vec![RestoredTable { table: "download".to_owned(), now: Some(3), then: Some(2) }],
        lost_downloads: 1,
        lost: vec!["A film".to_owned()],
        ..RestoreReport::default()
    }
}

#[tokio::test]
async fn a_restore_is_shown_and_asked_about_first() {
    spec!("backup#restore-by-a-person/asked-first");
    let fake = Fake::new();
    fake.state.lock().unwrap().restore = report();
    let no = asked(&fake, &["restore", ID], "n\n", None).await;
    assert_eq!(no.code, exit::DONE);
    assert!(no.out.contains("download  3    2"), "{}", no.out);
    assert!(no.out.contains("1 download would be gone") && no.out.contains("A film"), "{}", no.out);
    assert!(no.err.contains("nothing was changed"), "{}", no.err);
    let restored = |fake: &Fake| {
        fake.state.lock().unwrap().calls.iter().filter(|call| *call == "restored").count()
    };
    assert_eq!(restored(&fake), 0);
    let yes = asked(&fake, &["restore", ID], "y\n", None).await;
    assert!(yes.out.contains("restored from /b.db.zst"), "{}", yes.out);
    assert!(yes.err.contains("/data/tracker.db.replaced-20261201T093000Z"), "{}", yes.err);
    assert_eq!(restored(&fake), 1);
    // Nobody is there who could be asked.
    assert_eq!(ran(&fake, &["restore", ID]).await.code, exit::DONE);
    assert_eq!(restored(&fake), 2);
}

#[tokio::test]
async fn a_rehearsal_changes_nothing() {
    spec!("backup#restore-by-a-person/dry-run");
    let fake = Fake::new();
    fake.state.lock().unwrap().restore = report();
    let shown = ran(&fake, &["restore", "--dry-run", ID]).await;
    assert_eq!(shown.code, exit::DONE);
    assert!(shown.out.contains("sound, version 12"), "{}", shown.out);
    let found = json(&ran(&fake, &["restore", "--dry-run", "--json", ID]).await.out);
    assert_eq!(found["lost_downloads"], 1);
    assert!(!fake.state.lock().unwrap().calls.iter().any(|call| call == "restored"));
    let none = ran(&fake, &["restore", "no-such-file"]).await;
    assert_eq!(none.code, exit::NOT_FOUND);
    assert!(none.err.contains("neither a file nor the id"), "{}", none.err);
}
