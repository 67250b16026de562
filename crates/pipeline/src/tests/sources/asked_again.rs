//! Done downloads that are looked at again.

use tracker_domain::DownloadState;
use tracker_domain::event::EventType;
use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_testkit::spec;

use super::{HARBOUR, World, dead, video};
use crate::AutoAccept;

#[tokio::test]
async fn a_done_one_is_looked_at_without_its_torrent() {
    spec!("recognition-flow#done-downloads-are-looked-at-again/the-torrent-is-gone");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, HARBOUR)).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    fixture.client.set_down(Some(tracker_domain::ports::ClientError::NotFound));
    let before = fixture.below("/media/");
    fixture.said(id, "candidate", "tmdb:movie/1002").await;
    fixture.ask_again(id).await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1002"));
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.below("/media/"), before, "nothing is linked anew");
    assert_eq!(fixture.count(EventType::BatchApplied).await, 1);
    let due = fixture.read(|tx| tx.downloads_to_recognise()).await;
    assert_eq!(due, []);
}

#[tokio::test]
async fn a_done_one_waits_as_well() {
    spec!("recognition-flow#done-downloads-are-looked-at-again/the-source-is-away");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, HARBOUR)).await;
    world.tmdb.fail_with(dead());
    fixture.said(id, "candidate", "tmdb:movie/1002").await;
    fixture.ask_again(id).await;
    fixture.recognise().await;
    fixture.waits(id).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    world.tmdb.answer_again();
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
    assert_eq!(fixture.mark(id).await, None);
}
