//! Many downloads at once, and answers that are kept.

use std::sync::Arc;

use tracker_domain::metadata::Provider;
use tracker_domain::observed::{ClientPath, Handle, RemoteFile};
use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::{RecognitionState, Verdict};
use tracker_domain::{DownloadCause, DownloadId, Infohash, InfohashV1};
use tracker_recognize::{Names, recognise};
use tracker_store::NewRecognition;
use tracker_testkit::spec;

use super::{HARBOUR, World, dead, video};
use crate::tests::fixture::Fixture;
use crate::{AutoAccept, Pipeline, Policy};

#[tokio::test]
async fn a_source_that_gives_up_is_left_alone_for_the_turn() {
    spec!("recognition-flow#nothing-storms/one-try-a-turn");
    let limited = MetadataError::Limited { retry_after_ms: 60_000 };
    for error in [dead(), limited, MetadataError::Denied("HTTP 401".to_owned())] {
        let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
        let fixture = &world.fixture;
        let mut ids = Vec::new();
        for number in 1..6 {
            ids.push(fixture.complete(video(number, &format!("Film.{number}.2011.WEB"))).await);
        }
        world.tmdb.fail_with(error);
        fixture.recognise().await;
        assert_eq!(world.calls(), 1);
        for id in ids {
            fixture.waits(id).await;
        }
        fixture.recognise().await;
        assert_eq!(world.calls(), 1, "nobody is due yet");
    }
}

#[tokio::test]
async fn a_limit_of_seconds_is_nothing_to_look_at() {
    spec!("recognition-flow#nothing-storms/a-short-limit");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let id = fixture.complete(video(1, HARBOUR)).await;
    world.tmdb.fail_with(MetadataError::Limited { retry_after_ms: 8_000 });
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.mark(id).await, None);
    world.tmdb.answer_again();
    fixture.clock.advance_seconds(60);
    fixture.recognise().await;
    assert!(world.calls() > 1, "it is asked again by itself");
}

/// Four hundred downloads that wait for a source, as a former process left them.
async fn four_hundred(fixture: &Fixture) -> Vec<DownloadId> {
    let mut ids = Vec::new();
    for number in 0..400_u16 {
        let mut bytes = [9; 20];
        bytes[..2].copy_from_slice(&number.to_be_bytes());
        let hash: Infohash = InfohashV1::from_bytes(bytes).into();
        ids.push((fixture.accept(&[hash], HARBOUR).await, hash));
    }
    let waiting = ids.clone();
    fixture
        .write(move |tx| {
            for (number, (id, hash)) in (0..).zip(waiting) {
                let name = if number % 2 == 0 { HARBOUR.to_owned() } else { other(number) };
                let path = format!("{name}.mkv");
                let files =
                    [RemoteFile { index: 0, path, size_bytes: 9, selected: true, complete: true }];
                let names = Names { dn: Some(&name), client: Some(&name), ..Names::default() };
                let found = recognise(&names, &files);
                tx.move_on(id, DownloadCause::Shown)?.unwrap();
                tx.set_place(id, &Handle(hash.to_string()), &ClientPath("/downloads".into()))?;
                tx.set_metadata(id, &name, Some(9))?;
                tx.set_files(id, &files)?;
                let new = NewRecognition {
                    next_look_at: Some(tx.now()),
                    ..NewRecognition::of_names(&found, RecognitionState::Waiting)
                };
                tx.record_recognition(id, &new)?;
            }
            Ok(())
        })
        .await;
    ids.into_iter().map(|(id, _)| id).collect()
}

fn other(number: u32) -> String {
    format!("Film.Number.{number}.2011.1080p.WEB")
}

#[tokio::test]
async fn a_restart_with_many_that_wait_asks_little() {
    spec!("recognition-flow#nothing-storms/a-restart-with-many-that-wait");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    // Its answers about one film are known from before.
    fixture.recognised(video(200, HARBOUR)).await;
    let ids = four_hundred(fixture).await;
    world.tmdb.forget_calls();
    world.tmdb.fail_with(MetadataError::Limited { retry_after_ms: 5_000 });
    let restarted = restarted(fixture);
    crate::recognise::pass(&restarted).await.unwrap();
    assert_eq!(world.calls(), 1, "the limit is met once");
    let (mut accepted, mut waiting) = (0, 0);
    for id in ids {
        match fixture.match_state(id).await {
            RecognitionState::Accepted => accepted += 1,
            RecognitionState::Waiting => waiting += 1,
            other => panic!("{other}"),
        }
    }
    assert_eq!((accepted, waiting), (200, 200));
    crate::recognise::pass(&restarted).await.unwrap();
    assert_eq!(world.calls(), 1, "all have been put off");
}

/// Another process on the same database, with the same sources.
pub(super) fn restarted(fixture: &Fixture) -> Pipeline {
    let Pipeline { db, clients, policy, .. } = fixture.pipeline.clone();
    let policy = Policy::clone(&policy);
    Pipeline::new(db, clients, Arc::clone(&fixture.pipeline.files), Vec::new(), policy)
}

#[tokio::test]
async fn answers_are_kept() {
    spec!("recognition-flow#nothing-storms/answers-are-kept");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    assert!(world.calls() > 0);
    world.tmdb.forget_calls();
    fixture.ask_again(id).await;
    fixture.recognise().await;
    // Another torrent of the film, and another process.
    fixture.recognised(video(2, "The.Quiet.Harbour.2011.720p.WEB")).await;
    fixture.ask_again(id).await;
    crate::recognise::pass(&restarted(fixture)).await.unwrap();
    assert_eq!(world.calls(), 0);
    // A month later they are asked again.
    fixture.clock.advance_seconds(30 * 86_400);
    fixture.tick().await;
    fixture.ask_again(id).await;
    fixture.recognise().await;
    assert!(world.calls() > 0);
}

#[tokio::test]
async fn that_there_is_none_is_kept_for_a_day() {
    spec!("recognition-flow#nothing-storms/none-is-kept-for-a-day");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, "Nowhere.At.All.2011.1080p.WEB")).await;
    let asked = world.calls();
    for (later, more) in [(86_000, false), (500, true)] {
        fixture.clock.advance_seconds(later);
        fixture.tick().await;
        fixture.ask_again(id).await;
        fixture.recognise().await;
        assert_eq!(world.calls() > asked, more);
    }
    assert_eq!(fixture.living(id).await.verdict.as_deref(), Some(Verdict::Unknown.as_str()));
}

#[tokio::test]
async fn an_answer_from_the_future_or_of_another_form_is_not_used() {
    spec!("recognition-flow#nothing-storms/an-answer-that-is-no-use");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let start = tracker_testkit::FixedClock::START;
    fixture.clock.set_ms(start + 1_000_000_000);
    let id = fixture.recognised(video(1, HARBOUR)).await;
    world.tmdb.forget_calls();
    fixture.clock.set_ms(start);
    fixture.ask_again(id).await;
    fixture.recognise().await;
    assert_eq!(world.calls(), 2);
    fixture
        .write(|tx| {
            let now = tx.now();
            let key = r#"["search","movie","the quiet harbour",2011,"en"]"#;
            assert!(tx.cached(Provider::Tmdb, key)?.is_some(), "the key of a question");
            tx.put_cached(Provider::Tmdb, key, "{\"of\":\"another version\"}", now)
        })
        .await;
    world.tmdb.forget_calls();
    fixture.ask_again(id).await;
    fixture.recognise().await;
    assert_eq!(world.calls(), 1);
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
}
