//! The journal as a story, and ids of any kind.

use std::time::Duration;

use tracker_app::{AppError, EventQuery};
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Actor, Attention, DownloadId, EntityKind, EventId};
use tracker_ident::Generator;
use tracker_store::{Db, EventFilter, StoreError};
use tracker_testkit::{eventually, spec};

use crate::fixture::{Fixture, actor};

#[tokio::test]
async fn a_follower_reads_on_oldest_first() {
    let fixture = Fixture::new();
    let start = fixture.app.journal.newest().await.unwrap();
    assert_eq!(fixture.app.journal.events_after(None, 10).await.unwrap(), vec![]);
    let first = fixture.accept(1).await;
    let second = fixture.accept(2).await;
    let rows = fixture.app.journal.events_after(start, 10).await.unwrap();
    let about: Vec<_> = rows.iter().map(|event| event.download_id.unwrap()).collect();
    assert_eq!(about, [first, second]);
    let rest = fixture.app.journal.events_after(Some(rows[0].id.any()), 10).await.unwrap();
    assert_eq!(rest, rows[1..]);
}

/// Writes so many entries at once, as one process.
async fn write_entries(db: &Db, id: DownloadId, count: usize) {
    db.write(&Actor::Worker, move |tx| {
        for number in 0..count {
            tx.raise_attention(id, Attention::NoMetadata, &number.to_string())?.unwrap();
        }
        tx.clear_attention(id, None)?.unwrap();
        Ok::<_, StoreError>(())
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn followers_at_different_places_miss_nothing() {
    spec!("http-api#the-stream-of-events/many-readers");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    let journal = &fixture.app.journal;
    let (ours, theirs) = (fixture.db.clone(), fixture.another_process());
    let start = journal.newest().await.unwrap().unwrap();
    // How much each of them takes at once: the slow ones fall far behind.
    let mut followers = [1, 3, 40, 200].map(|limit| (limit, start, Vec::new()));
    let steps = [(&ours, 1), (&theirs, 2), (&ours, 2), (&ours, 700), (&theirs, 5), (&ours, 201)];
    for (db, count) in steps {
        write_entries(db, id, count).await;
        for (limit, place, seen) in &mut followers {
            let rows = journal.events_after(Some(*place), *limit).await.unwrap();
            assert!(rows.len() <= *limit as usize);
            *place = rows.last().map_or(*place, |row| row.id.any());
            seen.extend(rows);
        }
    }
    write_entries(&theirs, id, 3).await;
    let filter = EventFilter { after: Some(start), limit: u32::MAX, ..EventFilter::default() };
    let all = fixture.db.read(move |tx| tx.events(&filter)).await.unwrap();
    let all: Vec<EventId> = all.into_iter().map(|row| row.id).collect();
    assert!(all.len() > 911, "{}", all.len());
    for (limit, mut place, mut seen) in followers {
        eventually(Duration::from_secs(30), "the rest", async || {
            while let rows = journal.events_after(Some(place), 200).await.unwrap()
                && let Some(last) = rows.last()
            {
                place = last.id.any();
                seen.extend(rows);
            }
            (seen.len() >= all.len()).then_some(())
        })
        .await;
        let seen: Vec<EventId> = seen.iter().map(|row| row.id).collect();
        assert_eq!(seen, all, "of the one that takes {limit}");
    }
}

#[tokio::test]
async fn a_write_wakes_a_follower() {
    let fixture = Fixture::new();
    let journal = fixture.app.journal.clone();
    let waiting = tokio::spawn(async move { journal.changed(Duration::from_secs(600)).await });
    tokio::task::yield_now().await;
    fixture.accept(1).await;
    tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("woken").unwrap();
}

#[tokio::test]
async fn any_id_leads_somewhere() {
    spec!("event-journal#the-story-of-an-entity/of-a-download");
    spec!("event-journal#the-story-of-an-entity/of-what-belongs-to-one");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    let story = fixture.app.journal.story(id.any()).await.unwrap();
    let found = story.entity;
    assert_eq!((found.kind, found.download_id), (EntityKind::Download, Some(id)));
    assert_eq!((story.related, story.log_id), (Vec::new(), id.any()));
    assert_eq!(story.events.len(), 1, "that it was made");
    fixture.clock.advance_seconds(60);
    fixture.app.intake.prioritise(id, QueueEnd::First, None, &actor()).await.unwrap();
    let story = fixture.app.journal.story(id.any()).await.unwrap();
    assert!(story.until.unwrap() > story.since.unwrap());
    assert!(story.events.first().unwrap().id > story.events.last().unwrap().id, "newest first");
    let wish = story.related.first().unwrap().clone();
    assert_eq!((wish.kind, wish.download_id), (EntityKind::ClientTask, Some(id)));
    // What belongs to it leads back, with its own entries alone.
    let of_wish = fixture.app.journal.story(wish.id).await.unwrap();
    assert_eq!(of_wish.related.iter().map(|one| one.id).collect::<Vec<_>>(), [id.any()]);
    assert_eq!(of_wish.log_id, id.any());
    let told: Vec<_> = of_wish.events.iter().map(|event| event.event_type).collect();
    assert_eq!(told, [EventType::ClientTaskCreated]);
    let events = fixture.app.journal.events(EventQuery::default()).await.unwrap().items;
    let event = events.first().unwrap();
    let story = fixture.app.journal.story(event.id.any()).await.unwrap();
    let found = story.entity;
    assert_eq!((found.kind, found.download_id), (EntityKind::Event, Some(id)));
    assert_eq!(story.related.first().unwrap().id, id.any());
    assert_eq!(fixture.app.journal.event(event.id).await.unwrap(), *event);
    let nobody = Generator::new().next(fixture.clock.now_ms().0, None);
    let missing = fixture.app.journal.story(nobody).await;
    assert!(matches!(missing, Err(AppError::NoEntity(id)) if id == nobody));
    let missing = fixture.app.journal.event(nobody.typed()).await;
    assert!(matches!(missing, Err(AppError::NotFound { kind: EntityKind::Event, .. })));
}

#[tokio::test]
async fn no_event_carries_a_link() {
    let fixture = Fixture::new();
    let link = format!(
        "magnet:?xt=urn:btih:{}&tr=http%3A%2F%2Fannounce.example%2Fpasskey",
        crate::fixture::v1(1)
    );
    let magnet = tracker_domain::Magnet::parse(&link).unwrap();
    let request = tracker_app::IngestRequest {
        source: tracker_app::Source::Magnet(Box::new(magnet)),
        options: tracker_app::IngestOptions::default(),
    };
    assert!(!format!("{request:?}").contains("announce.example"));
    let view = fixture.app.intake.ingest(request, &crate::fixture::actor()).await.unwrap();
    let events = fixture.app.journal.events(EventQuery::default()).await.unwrap();
    let shown = format!("{events:?}{view:?}");
    assert!(!shown.contains("announce.example") && !shown.contains("magnet:"), "{shown}");
}
