//! Works that a person has named.

use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::{FakeTorrent, spec};

use super::{HARBOUR_IN_LIBRARY, World, dead, video, videos};
use crate::AutoAccept;
use crate::tests::fixture::{one, v1};

#[tokio::test]
async fn a_pin_that_is_found_holds_whatever_the_names_say() {
    spec!("recognition-flow#a-pin-leads/found");
    for pin in ["tmdb:movie/1001", "tmdb:1001", "imdb:tt9100001"] {
        // Even where nothing is accepted by itself: it is a person's word.
        let world = World::with(AutoAccept::Never, &[Provider::Tmdb, Provider::Tvmaze]);
        let fixture = &world.fixture;
        let id = fixture.pinned(video(1, "Some.Other.Film.1999.1080p.WEB"), pin).await;
        assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1001"), "{pin}");
        fixture.link().await;
        assert_eq!(fixture.below(HARBOUR_IN_LIBRARY).len(), 1, "{pin}");
        assert_eq!(fixture.state(id).await, DownloadState::Done);
    }
}

#[tokio::test]
async fn a_pin_that_nobody_knows_is_no_reason_to_guess() {
    spec!("recognition-flow#a-pin-leads/not-found");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.pinned(video(1, super::HARBOUR), "tmdb:movie/999").await;
    fixture.waits(id).await;
    assert!(fixture.detail(id).await.contains("tmdb has no tmdb:movie/999"));
    assert_eq!(fixture.candidates(id).await, []);
    assert_eq!(fixture.living(id).await.causes[0].cause, "not-found");
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    // Another word ends it.
    fixture.said(id, "candidate", "tmdb:movie/1001").await;
    fixture.ask_again(id).await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.mark(id).await, None);
}

#[tokio::test]
async fn a_pin_waits_for_its_source() {
    spec!("recognition-flow#a-pin-leads/its-source-does-not-answer");
    let world = World::new();
    world.tmdb.fail_with(dead());
    let fixture = &world.fixture;
    let id = fixture.pinned(video(1, super::HARBOUR), "tmdb:movie/1001").await;
    fixture.waits(id).await;
    let causes = fixture.living(id).await.causes;
    assert_eq!((causes[0].source.as_str(), causes[0].cause.as_str()), ("tmdb", "unreachable"));
    world.tmdb.answer_again();
    fixture.until_next_look(id).await;
    fixture.tick().await;
    fixture.recognise().await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1001"));
}

#[tokio::test]
async fn a_pin_of_a_source_that_is_off_says_how_to_turn_it_on() {
    spec!("recognition-flow#a-pin-leads/its-source-is-off");
    let world = World::with(AutoAccept::Confident, &[Provider::Tvmaze]);
    let fixture = &world.fixture;
    let id = fixture.pinned(video(1, super::HARBOUR), "tmdb:movie/1001").await;
    fixture.waits(id).await;
    assert!(fixture.detail(id).await.contains("tmdb_token"));
    assert_eq!((fixture.living(id).await.causes[0].cause.as_str(), world.calls()), ("off", 0));
}

#[tokio::test]
async fn a_number_of_two_works_follows_the_names_or_is_asked() {
    spec!("recognition-flow#a-pin-leads/a-film-and-a-series");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.pinned(video(1, "Whatever.S01E02.1080p.WEB"), "tmdb:1010").await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:tv/1010"));
    let id = fixture.pinned(video(2, "Holiday"), "tmdb:1010").await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert_eq!(fixture.candidates(id).await.len(), 2);
    assert!(fixture.detail(id).await.contains("names several works"));
}

#[tokio::test]
async fn a_pin_does_not_make_up_for_what_is_in_it() {
    spec!("recognition-flow#a-pin-leads/what-is-in-it");
    let cases = [
        ("sample/harbour-sample.mkv", Attention::NeedsReview),
        ("harbour.exe", Attention::UnsafeContent),
        ("harbour.rar", Attention::Archive),
    ];
    for (file, mark) in cases {
        let world = World::new();
        let fixture = &world.fixture;
        let torrent = FakeTorrent::new(one(v1(1)), "Harbour").file(&format!("Harbour/{file}"), 9);
        let id = fixture.pinned(torrent, "tmdb:movie/1001").await;
        assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed, "{file}");
        assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1001"), "{file}");
        assert_eq!(fixture.mark(id).await, Some(mark), "{file}");
    }
}

#[tokio::test]
async fn numbers_that_the_pinned_work_has_not_are_a_question() {
    spec!("recognition-flow#a-pin-leads/numbers-that-do-not-fit");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.pinned(video(1, "Ash.Ferry.S03E01.1080p.WEB"), "tmdb:tv/1010").await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert!(fixture.detail(id).await.contains("no season 3"));
    let files = ["Ferry - 60.mkv", "Ferry - 61.mkv"];
    let id = fixture.pinned(videos(2, "Ferry", &files), "tvmaze:502").await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
}
