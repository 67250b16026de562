//! Matches that a person rejected, accepted early, or corrects.

use tracker_domain::ask::AskScope;
use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadId, DownloadState};
use tracker_testkit::{FakeTorrent, spec};

use super::{HARBOUR, HARBOUR_IN_LIBRARY, World, dead, video, videos};
use crate::AutoAccept;
use crate::tests::fixture::{Fixture, one, person, v1};

/// Works that no source has.
const NOWHERE: &str = "Nowhere.At.All.2011.1080p.WEB";

async fn asks_since_it_was_rejected(fixture: &Fixture, id: DownloadId) {
    let living = fixture.living(id).await;
    assert_eq!((living.state, living.candidate), (RecognitionState::Proposed, None));
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    for text in [fixture.detail(id).await, living.detail.unwrap_or_default()] {
        assert!(text.contains("a match was rejected"), "{text}");
    }
    fixture.link().await;
    assert_ne!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn what_was_rejected_before_the_files_is_not_accepted_with_them() {
    spec!("recognition-flow#it-is-foreseen-from-the-link/rejected-before-the-files");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.accept(&[v1(1)], HARBOUR).await;
    fixture.recognise().await;
    fixture.reject(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Rejected);
    fixture.complete_as(id, video(1, HARBOUR)).await;
    fixture.recognise().await;
    asks_since_it_was_rejected(fixture, id).await;
    // The person may think again.
    fixture.take(id, None).await;
    fixture.link().await;
    assert_eq!(fixture.below(HARBOUR_IN_LIBRARY).len(), 1);
}

#[tokio::test]
async fn a_title_that_a_person_wants_to_be_asked_about() {
    spec!("recognition-flow#the-latest-word-wins/asked-first");
    let world = World::new();
    let fixture = &world.fixture;
    let first = fixture.recognised(video(1, HARBOUR)).await;
    assert_eq!(fixture.match_state(first).await, RecognitionState::Accepted);
    let rule = fixture.db.write(&person(), move |tx| tx.ask_for(first, AskScope::Title)).await;
    assert_eq!(rule.unwrap(), Ok(true));
    for pin in [None, Some("tmdb:movie/1001")] {
        fixture.correct(first, pin).await;
        fixture.recognise().await;
        let living = fixture.living(first).await;
        assert_eq!((living.state, living.candidate), (RecognitionState::Proposed, None));
        assert_eq!(living.verdict.as_deref(), Some("sure"));
        assert_eq!(fixture.mark(first).await, Some(Attention::NeedsReview));
        let detail = fixture.detail(first).await;
        assert!(detail.contains("you asked to be asked for this title"), "{detail}");
        fixture.link().await;
        assert_ne!(fixture.state(first).await, DownloadState::Done);
    }
    fixture.take(first, None).await;
    fixture.link().await;
    assert_eq!(fixture.below(HARBOUR_IN_LIBRARY).len(), 1);
}

#[tokio::test]
async fn what_was_rejected_is_not_accepted_when_it_is_found_again() {
    spec!("recognition-flow#the-latest-word-wins/rejected-and-asked-again");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
    fixture.reject(id).await;
    for _ in 0..2 {
        fixture.correct(id, None).await;
        fixture.recognise().await;
        asks_since_it_was_rejected(fixture, id).await;
    }
    // Nor after a wait for the source.
    fixture.clock.advance_seconds(31 * 86_400);
    fixture.tick().await;
    world.both_fail_with(&dead());
    fixture.correct(id, None).await;
    fixture.recognise().await;
    fixture.waits(id).await;
    world.both_answer();
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    asks_since_it_was_rejected(fixture, id).await;
    // A newer word ends it.
    fixture.db.write(&person(), move |tx| tx.add_hint(id, "WEB")).await.unwrap();
    fixture.correct(id, None).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
    assert_eq!(fixture.mark(id).await, None);
    fixture.reject(id).await;
    fixture.correct(id, Some("tmdb:movie/1002")).await;
    fixture.recognise().await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1002"));
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
}

/// Accepted by the names before the files, which then come.
async fn accepted_early(world: &World, name: &str, torrent: FakeTorrent) -> DownloadId {
    let fixture = &world.fixture;
    let id = fixture.accept(&[v1(1)], name).await;
    fixture.recognise().await;
    fixture.take_as_read(id).await;
    fixture.complete_as(id, torrent).await;
    fixture.recognise().await;
    id
}

#[tokio::test]
async fn names_that_were_accepted_hold_with_the_files() {
    spec!("recognition-flow#it-is-foreseen-from-the-link/the-names-before-the-files");
    for (name, away) in [(NOWHERE, false), (NOWHERE, true), (HARBOUR, false), (HARBOUR, true)] {
        let world = World::with(AutoAccept::Never, &[Provider::Tmdb]);
        if away {
            world.both_fail_with(&dead());
        }
        let id = accepted_early(&world, name, video(1, name)).await;
        let living = world.fixture.living(id).await;
        let state = (living.state, living.provisional, living.chosen_by, living.candidate);
        assert_eq!(state, (RecognitionState::Accepted, false, Some(person()), None), "{name}");
        assert_eq!(world.fixture.mark(id).await, None);
        world.fixture.link().await;
        assert_eq!(world.fixture.state(id).await, DownloadState::Done);
    }
}

#[tokio::test]
async fn other_names_with_the_files_are_asked_about() {
    spec!("recognition-flow#it-is-foreseen-from-the-link/other-names-with-the-files");
    let program = FakeTorrent::new(one(v1(1)), NOWHERE)
        .file(&format!("{NOWHERE}/{NOWHERE}.mkv"), 400)
        .file(&format!("{NOWHERE}/setup.exe"), 40);
    let series = videos(1, NOWHERE, &["Nowhere.At.All.S01E01.mkv", "Nowhere.At.All.S01E02.mkv"]);
    let cases = [
        (video(1, HARBOUR), Attention::NeedsReview, "The Quiet Harbour"),
        (series, Attention::NeedsReview, "before the file list was known"),
        (program, Attention::UnsafeContent, "before the file list was known"),
    ];
    for (torrent, mark, reason) in cases {
        for away in [false, true] {
            let world = World::new();
            if away {
                world.both_fail_with(&dead());
            }
            let id = accepted_early(&world, NOWHERE, torrent.clone()).await;
            let fixture = &world.fixture;
            assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed, "{reason}");
            assert_eq!(fixture.mark(id).await, Some(mark));
            let detail = fixture.detail(id).await;
            assert!(detail.contains(reason), "{detail}");
            world.both_answer();
            fixture.clock.advance_seconds(90_000);
            fixture.tick().await;
            fixture.recognise().await;
            assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
        }
    }
}

/// A film that cannot be linked, since something is in its place.
async fn in_conflict(world: &World) -> DownloadId {
    let fixture = &world.fixture;
    fixture.disk.file(HARBOUR_IN_LIBRARY, 7);
    let id = fixture.settle(video(1, HARBOUR)).await;
    assert_eq!(fixture.mark(id).await, Some(Attention::Conflict));
    id
}

#[tokio::test]
async fn a_correction_frees_what_could_not_be_linked() {
    spec!("recognition-flow#the-latest-word-wins/a-correction-of-what-could-not-be-linked");
    let world = World::new();
    let fixture = &world.fixture;
    let id = in_conflict(&world).await;
    // The same once more: it is in the way still.
    fixture.correct(id, None).await;
    assert_eq!(fixture.mark(id).await, None);
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::Conflict));
    fixture.take(id, None).await;
    assert_eq!(fixture.mark(id).await, None);
    fixture.link().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::Conflict));
    // Another work has another place.
    fixture.correct(id, Some("tmdb:movie/1002")).await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!((fixture.state(id).await, fixture.mark(id).await), (DownloadState::Done, None));
    assert!(!fixture.below("/media/films/Iron Orchard (2014)/").is_empty());
    // What is rejected has no place to be in conflict about.
    let world = World::new();
    let id = in_conflict(&world).await;
    world.fixture.reject(id).await;
    assert_eq!(world.fixture.mark(id).await, Some(Attention::NeedsReview));
}
