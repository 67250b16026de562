//! The guards of the write door, seen from outside.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, link, v1, v2};
use tracker_domain::event::EventType;
use tracker_domain::{Actor, Attention, DownloadCause, DownloadId, DownloadState, Infohash};
use tracker_store::{
    Creation, DownloadFilter, EventFilter, Reason, Refusal, StoreError, TaskKind, WriteTx,
};
use tracker_testkit::spec;

fn fail(tx: &mut WriteTx<'_>, id: DownloadId) {
    let reason = Reason::because(Attention::ClientMissing, "gone");
    tx.set_download_state(id, DownloadCause::Missing, &reason).unwrap().unwrap();
}

#[test]
fn ids_are_lowercase_and_of_no_other_entity() {
    spec!("identity#lowercase-ulids-as-keys/creating-a-download");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let text = id.to_string();
    assert_eq!(text.len(), 26);
    assert_eq!(text, text.to_lowercase());
    let events = fixture.events(EventFilter { limit: 100, ..EventFilter::default() });
    assert!(events.iter().all(|event| event.id.any() != id.any()));
    let found = fixture.read(move |tx| tx.entity(id.any())).unwrap();
    assert_eq!(found.kind.as_str(), "download");
}

#[test]
fn later_downloads_sort_later_whatever_the_clock_does() {
    spec!("identity#ids-sort-in-order-of-creation/one-after-the-other");
    let fixture = Fixture::new();
    let first = fixture.create(&[v1(1)]);
    let second = fixture.create(&[v1(2)]);
    fixture.clock.set_ms(1_000);
    let third = fixture.create(&[v1(3)]);
    assert!(first < second && second < third, "{first} {second} {third}");
}

#[test]
fn the_active_owner_is_returned_and_enriched() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/active-already");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    let again = fixture.intake(&[v1(1), v2(1)]);
    assert_eq!(again, Creation::Existing(id));
    assert_eq!(fixture.hashes(id), vec![v1(1), v2(1)]);
    assert_eq!(fixture.intake(&[v2(1)]), Creation::Existing(id));
    assert_eq!(fixture.count_of(EventType::DownloadInfohashAdded), 1);
}

#[test]
fn two_owners_return_the_older_one_and_add_nothing() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/two-owners");
    let fixture = Fixture::new();
    let older = fixture.create(&[v1(1)]);
    let newer = fixture.create(&[v2(1)]);
    assert_eq!(fixture.intake(&[v1(1), v2(1)]), Creation::Existing(older));
    assert_eq!(fixture.hashes(older), vec![v1(1)]);
    assert_eq!(fixture.hashes(newer), vec![v2(1)]);
    assert_eq!(fixture.count_of(EventType::DownloadInfohashRefused), 1);
    assert_eq!(fixture.count_of(EventType::DownloadCreated), 2);
}

#[test]
fn a_link_that_contradicts_its_owner_adds_nothing() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/contradicting-link");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1), v2(1)]);
    assert_eq!(fixture.intake(&[v1(1), v2(2)]), Creation::Existing(id));
    assert_eq!(fixture.hashes(id), vec![v1(1), v2(1)]);
    assert_eq!(fixture.count_of(EventType::DownloadInfohashRefused), 1);
}

#[test]
fn an_ended_download_does_not_block_a_new_one() {
    spec!("ingest#intake-is-deduplicated-by-any-hash/after-completion");
    let fixture = Fixture::new();
    let first = fixture.create(&[v1(1)]);
    fixture.write(move |tx| {
        tx.set_download_state(first, DownloadCause::Cancel, &Reason::none()).unwrap().unwrap();
        Ok(())
    });
    let second = fixture.create(&[v1(1)]);
    assert_ne!(first, second);
    assert_eq!(fixture.hashes(first), fixture.hashes(second));
    let filter = EventFilter {
        types: vec![EventType::DownloadCreated],
        download_id: Some(second),
        limit: 10,
        ..EventFilter::default()
    };
    let created = fixture.events(filter).pop().unwrap();
    assert_eq!(created.data["earlier_downloads"][0], first.to_string());
}

#[test]
fn a_retry_is_refused_while_another_owns_the_hash() {
    spec!("ingest#guarded-return-to-activity/retry-while-owned");
    let fixture = Fixture::new();
    let first = fixture.create(&[v1(1)]);
    fixture.write(move |tx| {
        fail(tx, first);
        Ok(())
    });
    let owner = fixture.create(&[v1(1)]);
    let outcome = fixture.write(move |tx| {
        tx.activate_if_no_other_active(first, DownloadCause::Retry, &Reason::none())
    });
    assert_eq!(outcome, Err(Refusal::OwnedBy(owner)));
    assert_eq!(fixture.state(first), DownloadState::Failed);
    assert_eq!(fixture.state(owner), DownloadState::Queued);
    assert_eq!(fixture.count_of(EventType::DownloadRetryRefused), 1);
}

#[test]
fn a_torrent_seen_again_stays_failed_while_another_owns_it() {
    spec!("ingest#guarded-return-to-activity/resurrection-while-owned");
    let fixture = Fixture::new();
    let first = fixture.create(&[v1(1), v2(1)]);
    fixture.write(move |tx| {
        fail(tx, first);
        Ok(())
    });
    let owner = fixture.create(&[v2(1)]);
    let outcome = fixture.write(move |tx| {
        tx.activate_if_no_other_active(first, DownloadCause::SeenAgain, &Reason::none())
    });
    assert_eq!(outcome, Err(Refusal::OwnedBy(owner)));
    assert_eq!(fixture.state(first), DownloadState::Failed);
}

#[test]
fn a_hash_that_another_owns_is_not_added() {
    spec!("ingest#guarded-return-to-activity/adding-a-hash-that-is-owned");
    let fixture = Fixture::new();
    let first = fixture.create(&[v1(1)]);
    let owner = fixture.create(&[v2(1)]);
    let outcome = fixture.write(move |tx| tx.add_infohashes(first, &[v2(1)]));
    assert_eq!(outcome, Err(Refusal::OwnedBy(owner)));
    assert_eq!(fixture.hashes(first), vec![v1(1)]);
}

#[test]
fn no_path_leads_around_the_guard() {
    spec!("ingest#guarded-return-to-activity/around-the-guard");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write(move |tx| {
        fail(tx, id);
        Ok(())
    });
    for cause in [DownloadCause::Retry, DownloadCause::SeenAgain] {
        let outcome = fixture.write(move |tx| tx.set_download_state(id, cause, &Reason::none()));
        assert_eq!(outcome, Err(Refusal::Unguarded));
    }
    assert_eq!(fixture.state(id), DownloadState::Failed);
}

#[test]
fn the_truncated_hash_is_not_stored() {
    spec!("identity#a-set-of-infohashes/truncated-hash-is-not-stored");
    let fixture = Fixture::new();
    let id = fixture.create(&[v2(7)]);
    let front = Infohash::from(v2(7).v2().unwrap().truncated());
    let added = fixture.write(move |tx| tx.add_infohashes(id, &[front])).unwrap();
    assert_eq!(added, vec![]);
    assert_eq!(fixture.hashes(id), vec![v2(7)]);
}

#[test]
fn a_merge_gives_the_older_one_everything() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/the-older-takes-the-further-state");
    let fixture = Fixture::new();
    let older = fixture.create(&[v1(1)]);
    let newer = fixture.create(&[v2(1)]);
    fixture.write(move |tx| {
        tx.set_override(older, "title", "Mine")?;
        tx.set_override(newer, "title", "Theirs")?;
        tx.set_override(newer, "year", "2001")?;
        tx.add_hint(newer, "a hint")?;
        tx.set_download_state(newer, DownloadCause::Shown, &Reason::none())?.unwrap();
        tx.merge_downloads(older, newer)?.unwrap();
        Ok(())
    });
    assert_eq!(fixture.hashes(older), vec![v1(1), v2(1)]);
    assert_eq!(fixture.state(older), DownloadState::Downloading);
    assert_eq!(fixture.state(newer), DownloadState::Merged);
    let (row, loser, hints, overrides) = fixture
        .db
        .read_blocking(|tx| {
            Ok::<_, StoreError>((
                tx.download(older)?.unwrap(),
                tx.download(newer)?.unwrap(),
                tx.hints(older)?,
                tx.overrides(older)?,
            ))
        })
        .unwrap();
    assert_eq!(loser.merged_into, Some(older));
    assert_eq!(hints, vec!["a hint"]);
    let expected = [("title", "Mine"), ("year", "2001")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(overrides, expected);
    assert_eq!(row.attention, Some(Attention::MergeDiffers));
}

#[test]
fn a_download_that_links_is_not_merged() {
    spec!("state-reconciliation#downloads-of-one-torrent-merge/a-running-batch-is-waited-for");
    let fixture = Fixture::new();
    let older = fixture.create(&[v1(1)]);
    let newer = fixture.create(&[v2(1)]);
    let outcome = fixture.write(move |tx| {
        for cause in [DownloadCause::Shown, DownloadCause::Finished, DownloadCause::PlanAccepted] {
            tx.set_download_state(older, cause, &Reason::none())?.unwrap();
        }
        tx.merge_downloads(older, newer)
    });
    assert!(matches!(outcome, Err(Refusal::Illegal(_))));
    assert_eq!(fixture.state(newer), DownloadState::Queued);
}

#[test]
fn a_refused_change_leaves_nothing_behind() {
    let fixture = Fixture::new();
    let before = fixture.events(EventFilter { limit: 100, ..EventFilter::default() }).len();
    let outcome: Result<(), StoreError> = fixture.db.write_blocking(&Actor::System, |tx| {
        tx.create_download_if_no_active(link(&[v1(1)]))?;
        Err(StoreError::ShuttingDown)
    });
    assert!(outcome.is_err());
    let rows = fixture.read(|tx| {
        tx.downloads(&DownloadFilter { limit: 10, ..DownloadFilter::default() }).map(Some)
    });
    assert_eq!(rows.unwrap(), vec![]);
    let after = fixture.events(EventFilter { limit: 100, ..EventFilter::default() }).len();
    assert_eq!(before, after);
}

#[test]
fn an_end_takes_the_mark_off_and_a_return_puts_it_on() {
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write(move |tx| {
        tx.set_download_state(id, DownloadCause::Shown, &Reason::none())?.unwrap();
        tx.set_place(
            id,
            &tracker_domain::observed::Handle("h".into()),
            &tracker_domain::observed::ClientPath("/p".into()),
        )?;
        fail(tx, id);
        tx.activate_if_no_other_active(id, DownloadCause::SeenAgain, &Reason::none())?.unwrap();
        Ok(())
    });
    let now = fixture.db.clock().now();
    let kinds: Vec<TaskKind> = fixture
        .db
        .read_blocking(|tx| tx.due_tasks(now))
        .unwrap()
        .into_iter()
        .map(|task| task.kind)
        .collect();
    assert_eq!(kinds, vec![TaskKind::Release, TaskKind::Claim]);
}

#[test]
fn a_page_of_names_folds_every_script() {
    let fixture = Fixture::new();
    let id = fixture.create_named(&[v1(1)], "Сериал Название");
    fixture.create_named(&[v1(2)], "Other");
    let filter = DownloadFilter {
        name_part: Some("сЕРИАЛ".to_owned()),
        limit: 10,
        ..DownloadFilter::default()
    };
    let found = fixture.read(move |tx| tx.downloads(&filter).map(Some)).unwrap();
    assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), vec![id]);
}

#[test]
fn a_migrated_row_without_a_hash_stays_ended() {
    spec!("ingest#guarded-return-to-activity/without-a-readable-hash");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    fixture.write(move |tx| {
        fail(tx, id);
        Ok(())
    });
    // What a migration leaves of a hash that could not be read.
    let conn = rusqlite::Connection::open(fixture.dir.path().join("tracker.db")).unwrap();
    conn.execute("DELETE FROM download_infohash", []).unwrap();
    for cause in [DownloadCause::Retry, DownloadCause::SeenAgain] {
        let outcome =
            fixture.write(move |tx| tx.activate_if_no_other_active(id, cause, &Reason::none()));
        assert_eq!(outcome, Err(Refusal::NoInfohash));
    }
    assert_eq!(fixture.state(id), DownloadState::Failed);
}
