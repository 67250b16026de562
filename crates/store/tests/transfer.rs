//! What is known of a torrent in its client, and what a merge makes of it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, link, v1, v2};
use tracker_domain::observed::{ClientPath, Handle};
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, DownloadState};
use tracker_store::{Download, NewDownload, Placement, Reason, StoreError, TaskKind, WriteTx};
use tracker_testkit::spec;

fn row(fixture: &Fixture, id: DownloadId) -> Download {
    fixture.read(move |tx| tx.download(id)).unwrap()
}

fn show(tx: &mut WriteTx<'_>, id: DownloadId, placement: Placement) {
    tx.set_download_state(id, DownloadCause::Shown, &Reason::none()).unwrap().unwrap();
    tx.set_placement(id, placement).unwrap();
    let (handle, path) = (Handle(format!("handle of {id}")), ClientPath("/there".into()));
    tx.set_place(id, &handle, &path).unwrap();
}

fn wishes(fixture: &Fixture, id: DownloadId) -> Vec<TaskKind> {
    let now = fixture.db.clock().now();
    let tasks = fixture.db.read_blocking(|tx| tx.due_tasks(now)).unwrap().into_iter();
    tasks.filter(|task| task.download == id).map(|task| task.kind).collect()
}

#[test]
fn a_merge_takes_the_place_of_the_loser() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/the-older-takes-the-further-state");
    let fixture = Fixture::new();
    let winner = fixture.create(&[v1(1)]);
    let loser = fixture.create(&[v2(1)]);
    fixture.write(|tx| {
        show(tx, loser, Placement::Found);
        tx.set_metadata(loser, "known by now", Some(400))?;
        tx.keep_torrent_file(loser, b"torrent")?;
        tx.set_next_attempt(loser, 2, None)?;
        tx.raise_attention(winner, Attention::NeedsReview, "why")?.unwrap();
        tx.merge_downloads(winner, loser)?.unwrap();
        Ok(())
    });
    let merged = row(&fixture, winner);
    assert_eq!(merged.state, DownloadState::Downloading);
    assert_eq!(merged.handle.unwrap().0, format!("handle of {loser}"));
    assert_eq!(merged.save_path.unwrap().0, "/there");
    assert_eq!(merged.placement, Some(Placement::Found));
    assert_eq!((merged.size_bytes, merged.attempts), (Some(400), 2));
    assert!(merged.metadata_at.is_some());
    // The winner has a name of its own, and its mark is about something else.
    assert_eq!(merged.name, "name");
    assert_eq!(merged.attention, Some(Attention::NeedsReview));
    let file = fixture.read(move |tx| tx.torrent_file(winner));
    assert_eq!(file.as_deref(), Some(&b"torrent"[..]));
    assert_eq!(wishes(&fixture, winner), [TaskKind::Claim]);
    assert_eq!(wishes(&fixture, loser), [TaskKind::Release]);
}

#[test]
fn a_torrent_that_was_found_stays_found() {
    let fixture = Fixture::new();
    let winner = fixture.create(&[v1(1)]);
    let loser = fixture.create(&[v2(1)]);
    fixture.write(|tx| {
        show(tx, winner, Placement::Added);
        show(tx, loser, Placement::Found);
        tx.merge_downloads(winner, loser)?.unwrap();
        Ok(())
    });
    let merged = row(&fixture, winner);
    assert_eq!(merged.placement, Some(Placement::Found));
    assert_eq!(merged.handle.unwrap().0, format!("handle of {winner}"));
}

#[test]
fn marks_that_a_step_does_not_answer_stay() {
    let fixture = Fixture::new();
    let kept = [Attention::NeedsReview, Attention::MergeDiffers, Attention::InfohashOwned];
    let answered = [Attention::ClientError, Attention::Stalled, Attention::DiskFull];
    for (number, mark) in (1..).zip(kept.into_iter().chain(answered)) {
        let id = fixture.create(&[v1(number)]);
        fixture.write(|tx| {
            for cause in [DownloadCause::Shown, DownloadCause::Finished] {
                tx.raise_attention(id, mark, "why")?.unwrap();
                tx.move_on(id, cause)?.unwrap();
            }
            Ok(())
        });
        let stands = row(&fixture, id).attention;
        assert_eq!(stands, kept.contains(&mark).then_some(mark), "{mark}");
    }
}

#[test]
fn another_client_forgets_the_place_and_the_same_one_does_not() {
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write(|tx| {
        tx.settle_client(id, "first")?;
        tx.settle_client(id, "second")?;
        show(tx, id, Placement::Added);
        tx.set_client(id, "first")
    });
    let before = row(&fixture, id);
    assert_eq!(before.client.as_deref(), Some("first"));
    assert!(before.handle.is_some() && before.placement.is_some());
    fixture.write(|tx| tx.set_client(id, "second"));
    let after = row(&fixture, id);
    assert_eq!((after.handle, after.save_path, after.placement), (None, None, None));
}

#[test]
fn waits_from_a_wrong_clock_are_over() {
    spec!("ingest#hand-over/a-clock-that-was-set-back");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write(|tx| {
        let task = tx.add_task(id, TaskKind::Stop)?;
        let far = tx.now().plus_seconds(86_400);
        tx.delay_task(task, 1, far, "later")?;
        tx.set_next_attempt(id, 1, Some(far))
    });
    assert_eq!(wishes(&fixture, id), [TaskKind::Stop]);
    let now = fixture.db.clock().now();
    let due = fixture.db.read_blocking(|tx| tx.due_hand_overs(now)).unwrap();
    assert_eq!(due.len(), 1);
}

#[test]
fn only_a_change_wakes_the_others() {
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let mut changes = fixture.db.changes();
    changes.borrow_and_update();
    // What a refused fact does at every look.
    fixture
        .write(|tx| {
            let refused = tx.set_download_state(id, DownloadCause::Finished, &Reason::none())?;
            assert!(refused.is_err());
            tx.clear_attention(id, Some(Attention::DiskFull))
        })
        .unwrap();
    assert!(!changes.has_changed().unwrap());
    // A pause is no entry in the journal and yet something to act on.
    fixture.write(|tx| tx.set_next_attempt(id, 1, None));
    assert!(changes.has_changed().unwrap());
    changes.borrow_and_update();
    let failed: Result<(), StoreError> = fixture.db.write_blocking(&Actor::System, |tx| {
        tx.set_next_attempt(id, 2, None)?;
        Err(StoreError::ShuttingDown)
    });
    assert!(failed.is_err() && !changes.has_changed().unwrap());
}

#[test]
fn a_link_is_not_shown_for_debugging() {
    let fixture = Fixture::new();
    let secret = "magnet:?xt=urn:btih:00&tr=http://announce.example/passkey";
    let new = NewDownload { magnet: secret.to_owned(), ..link(&[v1(1)]) };
    let shown = format!("{new:?}");
    assert!(!shown.contains("passkey"), "{shown}");
    let id = fixture.write(|tx| tx.create_download_if_no_active(new)).id();
    let stored = row(&fixture, id);
    assert_eq!(stored.magnet, secret);
    let shown = format!("{stored:?}");
    assert!(!shown.contains("passkey") && shown.contains(&id.to_string()), "{shown}");
}
