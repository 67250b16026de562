//! Tries before their time, and what is said while a source is away.

use tracker_domain::event::EventType;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::RecognitionState;
use tracker_testkit::spec;

use super::many::restarted;
use super::{HARBOUR, World, dead, video};
use crate::AutoAccept;
use crate::tests::fixture::v1;

const LATER_ORCHARD: &str = "Iron.Orchard.2015.1080p.WEB";

#[tokio::test]
async fn a_source_that_answers_wakes_all_that_wait_for_it() {
    spec!("recognition-flow#a-source-that-does-not-answer/all-that-wait-for-it");
    let world = World::new();
    let fixture = &world.fixture;
    world.both_fail_with(&dead());
    let film = fixture.recognised(video(1, HARBOUR)).await;
    // By now its pause is long.
    for _ in 0..9 {
        fixture.until_next_look(film).await;
        fixture.recognise().await;
    }
    let series = fixture.recognised(video(2, "Ash.Ferry.S01E07.1080p.WEB")).await;
    let other = fixture.recognised(video(3, LATER_ORCHARD)).await;
    for id in [film, series, other] {
        fixture.waits(id).await;
    }
    world.tmdb.answer_again();
    fixture.until_next_look(other).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(other).await, RecognitionState::Accepted);
    fixture.waits(film).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(film).await, RecognitionState::Accepted);
    // Nobody is woken once more.
    let calls = world.calls();
    fixture.recognise().await;
    assert_eq!(world.calls(), calls);
}

#[tokio::test]
async fn those_that_wait_for_another_source_are_left_alone() {
    spec!("recognition-flow#a-source-that-does-not-answer/all-that-wait-for-it");
    let world = World::new();
    let fixture = &world.fixture;
    world.tvmaze.fail_with(dead());
    let series = fixture.recognised(video(1, "Lanterns.of.Kesh.S07E01.1080p.WEB")).await;
    fixture.waits(series).await;
    world.tmdb.fail_with(dead());
    let film = fixture.recognised(video(2, HARBOUR)).await;
    fixture.waits(film).await;
    let former = fixture.living(series).await;
    world.tmdb.answer_again();
    // Another film shows that TMDB is there.
    let other = fixture.recognised(video(3, LATER_ORCHARD)).await;
    assert_eq!(fixture.match_state(other).await, RecognitionState::Accepted);
    let asked = world.tvmaze.call_count();
    fixture.recognise().await;
    assert_eq!(fixture.match_state(film).await, RecognitionState::Accepted);
    assert_eq!((fixture.living(series).await, world.tvmaze.call_count()), (former, asked));
}

#[tokio::test]
async fn a_start_tries_all_that_wait() {
    spec!("recognition-flow#nothing-storms/a-restart");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    world.tmdb.fail_with(MetadataError::Denied("HTTP 401".to_owned()));
    let id = fixture.recognised(video(1, HARBOUR)).await;
    let foreseen = fixture.accept(&[v1(2)], LATER_ORCHARD).await;
    fixture.recognise().await;
    for id in [id, foreseen] {
        assert_eq!(fixture.match_state(id).await, RecognitionState::Waiting);
    }
    world.tmdb.answer_again();
    let calls = world.calls();
    fixture.recognise().await;
    assert_eq!(world.calls(), calls, "nobody is due");
    crate::recognise::pass(&restarted(fixture)).await.unwrap();
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
    assert_eq!(fixture.match_state(foreseen).await, RecognitionState::Proposed);
}

#[tokio::test]
async fn a_try_before_its_time_leaves_no_trace() {
    spec!("recognition-flow#nothing-storms/tried-before-their-time-in-vain");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    world.tmdb.fail_with(dead());
    let id = fixture.recognised(video(1, HARBOUR)).await;
    let (former, rows) = (fixture.living(id).await, fixture.events().await);
    for restarts in 1..4 {
        crate::recognise::pass(&restarted(fixture)).await.unwrap();
        assert_eq!(world.calls(), 1 + restarts, "it is asked each time");
    }
    assert_eq!((fixture.living(id).await, fixture.events().await), (former, rows));
    // Where the source wants a longer pause, that is written down.
    let limited = |seconds: u64| MetadataError::Limited { retry_after_ms: seconds * 1_000 };
    world.tmdb.fail_with(limited(60));
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.count(EventType::RecognitionCreated).await, 2);
    world.tmdb.fail_with(limited(6_000));
    crate::recognise::pass(&restarted(fixture)).await.unwrap();
    let living = fixture.living(id).await;
    assert!(living.next_look_at.unwrap().seconds_since(living.created_at) >= 6_000);
}

#[tokio::test]
async fn nothing_is_said_of_what_nobody_knows() {
    spec!("recognition-flow#a-source-that-does-not-answer/no-word-of-what-nobody-knows");
    let world = World::new();
    let fixture = &world.fixture;
    world.tmdb.fail_with(dead());
    for (number, name) in [(1, HARBOUR), (2, "Nowhere.At.All.S01E01.1080p.WEB"), (3, LATER_ORCHARD)]
    {
        let id = fixture.recognised(video(number, name)).await;
        fixture.waits(id).await;
        let doubts = fixture.living(id).await.detail.unwrap_or_default();
        assert!(!doubts.contains("know no such"), "{doubts}");
    }
}
