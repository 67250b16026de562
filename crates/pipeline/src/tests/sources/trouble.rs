//! Sources that do not answer.

use tracker_domain::event::EventType;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;

use super::{HARBOUR, HARBOUR_IN_LIBRARY, World, dead, video};
use crate::AutoAccept;
use crate::tests::fixture::v1;

#[tokio::test]
async fn a_dead_source_holds_up_the_match_and_nothing_else() {
    spec!("recognition-flow#a-source-that-does-not-answer/dead");
    spec!("recognition-flow#a-source-that-does-not-answer/it-answers-again");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    world.tmdb.fail_with(dead());
    let fixture = &world.fixture;
    let torrent = video(1, HARBOUR);
    let id = fixture.accept(&[v1(1)], HARBOUR).await;
    fixture.tick().await;
    fixture.hand_over().await;
    let files = torrent.files.clone();
    fixture.client.edit(&v1(1), |there| there.files = files);
    fixture.client.reveal(&v1(1));
    fixture.tick().await;
    fixture.recognise().await;
    fixture.waits(id).await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    assert!(fixture.detail(id).await.contains("tmdb cannot be reached"));
    let causes = fixture.living(id).await.causes;
    assert_eq!((causes[0].source.as_str(), causes[0].cause.as_str()), ("tmdb", "unreachable"));
    assert!(causes[0].detail.contains("nobody is there"));
    // The bytes go on arriving.
    fixture.disk.file(format!("/downloads/{id}/{HARBOUR}/{HARBOUR}.mkv"), 400);
    fixture.client.complete(&v1(1));
    fixture.listing().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    assert_eq!(fixture.mark(id).await, Some(Attention::MetadataUnavailable));
    assert_eq!(fixture.below("/media/films/"), ["/media/films/"]);
    // And it goes on by itself.
    world.tmdb.answer_again();
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.mark(id).await, None);
    fixture.tick().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.below(HARBOUR_IN_LIBRARY).len(), 1);
}

#[tokio::test]
async fn linking_rests_with_the_cause() {
    spec!("recognition-flow#a-source-that-does-not-answer/complete-meanwhile");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    world.tmdb.fail_with(dead());
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    // The mark was taken off, as a retry of another cause does.
    fixture.write(move |tx| tx.clear_attention(id, None)).await.unwrap();
    fixture.link().await;
    fixture.waits(id).await;
    assert!(fixture.detail(id).await.contains("tmdb"));
}

#[tokio::test]
async fn the_other_source_may_be_enough() {
    spec!("recognition-flow#a-source-that-does-not-answer/another-one-is-enough");
    let world = World::new();
    world.tmdb.fail_with(dead());
    let fixture = &world.fixture;
    let sure = fixture.recognised(video(1, "Lanterns.of.Kesh.S02E01.1080p.WEB")).await;
    assert_eq!(fixture.match_state(sure).await, RecognitionState::Accepted);
    assert_eq!(fixture.work(sure).await.as_deref(), Some("tvmaze:501"));
    // Where it is not sure, the one that is away may know better.
    let open = fixture.recognised(video(2, "Lanterns.of.Kesh.S07E01.1080p.WEB")).await;
    fixture.waits(open).await;
    let causes = fixture.living(open).await.causes;
    assert_eq!(causes.iter().map(|cause| &*cause.source).collect::<Vec<_>>(), ["tmdb"]);
    assert_eq!(fixture.candidates(open).await.len(), 1);
}

#[tokio::test]
async fn causes_are_kept_apart() {
    spec!("recognition-flow#a-source-that-does-not-answer/causes-kept-apart");
    let world = World::new();
    world.tmdb.fail_with(MetadataError::Denied("HTTP 401".to_owned()));
    world.tvmaze.fail_with(MetadataError::Unreadable("no JSON".to_owned()));
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, "Lanterns.of.Kesh.S02E01.1080p.WEB")).await;
    fixture.waits(id).await;
    let causes = fixture.living(id).await.causes;
    let told: Vec<_> = causes.iter().map(|cause| (&*cause.source, &*cause.cause)).collect();
    assert_eq!(told, [("tmdb", "denied"), ("tvmaze", "unreadable")]);
    let detail = fixture.detail(id).await;
    assert!(detail.contains("tmdb_token") && detail.contains("tvmaze"), "{detail}");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_no_answer() {
    spec!("recognition-flow#a-source-that-does-not-answer/lies");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    world.tmdb.fail_next(MetadataError::Unreadable("no JSON".to_owned()));
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    fixture.waits(id).await;
    // It is not kept, and says nothing of other questions.
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
}

#[tokio::test]
async fn a_limit_is_waited_out() {
    spec!("recognition-flow#a-source-that-does-not-answer/a-limit");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    world.tmdb.fail_with(MetadataError::Limited { retry_after_ms: 600_000 });
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    fixture.waits(id).await;
    let living = fixture.living(id).await;
    let pause = living.next_look_at.unwrap().seconds_since(living.created_at);
    assert!((600..=900).contains(&pause), "{pause}");
    world.tmdb.answer_again();
    fixture.clock.advance_seconds(599);
    let calls = world.calls();
    fixture.recognise().await;
    assert_eq!(world.calls(), calls);
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
    // No limit is longer than a day.
    world.tmdb.fail_with(MetadataError::Limited { retry_after_ms: u64::MAX });
    let id = fixture.recognised(video(2, "Iron.Orchard.2015.1080p.WEB")).await;
    let living = fixture.living(id).await;
    assert_eq!(living.next_look_at.unwrap().seconds_since(living.created_at), 86_400);
}

#[tokio::test]
async fn pauses_grow_and_differ() {
    spec!("recognition-flow#a-source-that-does-not-answer/growing-pauses");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    world.tmdb.fail_with(dead());
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    let mut pauses = Vec::new();
    for _ in 0..12 {
        let living = fixture.living(id).await;
        pauses.push(living.next_look_at.unwrap().seconds_since(living.created_at));
        fixture.until_next_look(id).await;
        fixture.recognise().await;
    }
    assert!((30..=45).contains(&pauses[0]), "{pauses:?}");
    let grown: Vec<i64> = pauses.iter().map(|pause| *pause.min(&3_600)).collect();
    assert!(grown.is_sorted() && grown[1] > grown[0], "{pauses:?}");
    assert!(pauses.iter().all(|pause| *pause <= 5_400), "{pauses:?}");
    assert!(pauses.last() >= Some(&3_600), "{pauses:?}");
    // Many that wait do not all ask at one moment.
    let mut moments = std::collections::BTreeSet::new();
    for number in 2..12 {
        let id = fixture.recognised(video(number, HARBOUR)).await;
        let living = fixture.living(id).await;
        moments.insert(living.next_look_at.unwrap().seconds_since(living.created_at));
    }
    assert!(moments.len() > 2, "{moments:?}");
}

#[tokio::test]
async fn a_long_wait_leaves_few_rows() {
    spec!("recognition-flow#a-source-that-does-not-answer/for-weeks");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    world.tmdb.fail_with(dead());
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    for _ in 0..100 {
        fixture.clock.advance_seconds(5_401);
        fixture.recognise().await;
    }
    fixture.waits(id).await;
    assert!(world.calls() > 90, "{}", world.calls());
    let rows = fixture.count(EventType::RecognitionCreated).await;
    assert!((5..15).contains(&rows), "{rows}");
    let calls = world.calls();
    fixture.clock.advance_seconds(1_800);
    fixture.recognise().await;
    assert_eq!(world.calls(), calls, "the pause holds without a row");
    world.tmdb.answer_again();
    fixture.clock.advance_seconds(5_401);
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
}

#[tokio::test]
async fn what_a_person_takes_meanwhile_stays() {
    spec!("recognition-flow#a-source-that-does-not-answer/a-person-decides-meanwhile");
    let world = World::new();
    world.both_fail_with(&dead());
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    fixture.waits(id).await;
    fixture.take_as_read(id).await;
    assert_eq!(fixture.mark(id).await, None);
    let taken = fixture.living(id).await;
    world.both_answer();
    fixture.clock.advance_seconds(90_000);
    fixture.tick().await;
    let calls = world.calls();
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!((fixture.living(id).await, world.calls()), (taken, calls));
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}
