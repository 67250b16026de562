//! What is remembered for the releases of a group.

use tracker_domain::recognised::RecognitionState;
use tracker_domain::{DownloadId, DownloadState};
use tracker_store::{ReleaseKeys, Remembering};
use tracker_testkit::{FakeTorrent, spec};

use super::{World, video};
use crate::tests::fixture::{Fixture, person};

const PIN: &str = "tmdb:movie/1001";
const NAME: &str = "Odd.Harbour.1080p.WEB.H264-GRP";
const KEYS: ReleaseKeys<'static> = ReleaseKeys { group_key: "grp", title_key: "oddharbour" };

impl Fixture {
    /// A person ticks the box at a download.
    async fn remember(&self, id: DownloadId) -> Remembering {
        let fields = &["title", "year", "edition", "library", "candidate"];
        let word = move |tx: &mut tracker_store::WriteTx<'_>| {
            tx.remember(id, KEYS, ("GRP", "Odd Harbour"), fields)
        };
        self.db.write(&person(), word).await.unwrap()
    }

    async fn words(&self, id: DownloadId) -> Vec<(String, String)> {
        self.read(move |tx| tx.overrides(id)).await
    }

    async fn forget_all(&self) {
        let forget = |tx: &mut tracker_store::WriteTx<'_>| {
            for row in tx.remembered()? {
                tx.forget(row.id)?;
            }
            Ok::<_, tracker_store::StoreError>(())
        };
        self.db.write(&person(), forget).await.unwrap();
    }
}

/// A world in which a work is remembered for the group.
async fn world() -> (World, DownloadId) {
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.pinned(video(1, NAME), PIN).await;
    assert_eq!(fixture.work(id).await.as_deref(), Some(PIN));
    assert_eq!(fixture.remember(id).await, Remembering { words: 1, forgotten: 0 });
    (world, id)
}

/// The same film, as the group has put it out once more.
fn again(number: u8) -> FakeTorrent {
    video(number, "odd.harbour.2160p.web.h265-grp")
}

#[tokio::test]
async fn the_next_release_of_the_group_gets_it() {
    spec!("review#remembered-for-a-release-group/the-next-release");
    let (world, _) = world().await;
    let fixture = &world.fixture;
    let id = fixture.recognised(again(2)).await;
    assert_eq!(fixture.work(id).await.as_deref(), Some(PIN));
    assert_eq!(fixture.words(id).await, [("candidate".to_owned(), PIN.to_owned())]);
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let made = "The Quiet Harbour (2011) - 2160p.mkv";
    let links = fixture.below("/media/films/The Quiet Harbour (2011)/");
    assert!(links.iter().any(|link| link.contains(made)), "{links:?}");
}

#[tokio::test]
async fn another_group_and_another_title_do_not() {
    spec!("review#remembered-for-a-release-group/another-group-or-title");
    let (world, _) = world().await;
    let fixture = &world.fixture;
    let names = [
        "Odd.Harbour.1080p.WEB.H264-OTHER",
        "Odd.Harbour.1080p.WEB.H264",
        "Odd.Harbours.1080p.WEB.H264-GRP",
        "Odd.Harbour.1999.1080p.WEB.H264-GRP",
        "Odd.Harbour.S01E01.1080p.WEB.H264-GRP",
    ];
    for (number, name) in (2..).zip(names) {
        let id = fixture.recognised(video(number, name)).await;
        assert_eq!(fixture.words(id).await, [], "{name}");
        assert_eq!(fixture.work(id).await, None, "{name}");
    }
}

#[tokio::test]
async fn the_word_of_a_person_on_the_download_wins() {
    spec!("review#remembered-for-a-release-group/a-person-s-own-word");
    let (world, _) = world().await;
    let fixture = &world.fixture;
    let id = fixture.pinned(again(2), "tmdb:movie/1002").await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1002"));
    let other = fixture.recognised(again(3)).await;
    fixture.said(other, "candidate", "tmdb:movie/1002").await;
    fixture.ask_again(other).await;
    fixture.recognise().await;
    assert_eq!(fixture.work(other).await.as_deref(), Some("tmdb:movie/1002"));
}

#[tokio::test]
async fn what_was_recognised_before_stays_until_it_is_recognised_again() {
    spec!("review#remembered-for-a-release-group/forgotten");
    let (world, first) = world().await;
    let fixture = &world.fixture;
    let second = fixture.recognised(again(2)).await;
    fixture.link().await;
    let before = fixture.below("/media/");
    fixture.forget_all().await;
    for _ in 0..3 {
        fixture.recognise().await;
        fixture.link().await;
    }
    for id in [first, second] {
        assert_eq!(fixture.work(id).await.as_deref(), Some(PIN));
    }
    assert_eq!(fixture.below("/media/"), before);
    let third = fixture.recognised(again(3)).await;
    assert_eq!(fixture.words(third).await, []);
    fixture.ask_again(second).await;
    fixture.recognise().await;
    assert_eq!((fixture.words(second).await, fixture.work(second).await), (Vec::new(), None));
    // The person's own word stays a word.
    fixture.ask_again(first).await;
    fixture.recognise().await;
    assert_eq!(fixture.work(first).await.as_deref(), Some(PIN));
}

#[tokio::test]
async fn what_was_recognised_before_it_was_remembered_gets_it_when_asked_again() {
    spec!("review#remembered-for-a-release-group/recognised-again");
    let world = World::new();
    let fixture = &world.fixture;
    let old = fixture.recognised(again(2)).await;
    let id = fixture.pinned(video(1, NAME), PIN).await;
    fixture.remember(id).await;
    fixture.recognise().await;
    assert_eq!((fixture.work(old).await, fixture.words(old).await), (None, Vec::new()));
    fixture.ask_again(old).await;
    fixture.recognise().await;
    assert_eq!(fixture.work(old).await.as_deref(), Some(PIN));
}

#[tokio::test]
async fn what_a_person_accepted_before_the_file_list_stays() {
    spec!("review#remembered-for-a-release-group/accepted-before-the-file-list");
    let world = World::new();
    let fixture = &world.fixture;
    let torrent = again(2);
    let hash = torrent.infohashes.iter().next().unwrap();
    let id = fixture.accept(&[hash], &torrent.name).await;
    fixture.recognise().await;
    let accept = move |tx: &mut tracker_store::WriteTx<'_>| tx.accept_as_read(id);
    fixture.db.write(&person(), accept).await.unwrap().unwrap();
    // Meanwhile it is remembered, with a title of its own.
    let first = fixture.pinned(video(1, NAME), PIN).await;
    fixture.said(first, "title", "Another Harbour").await;
    fixture.remember(first).await;
    fixture.complete_as(id, torrent).await;
    fixture.recognise().await;
    assert_eq!(fixture.words(id).await, []);
    assert_eq!(fixture.work(id).await, None);
    assert_ne!(fixture.match_state(id).await, RecognitionState::Waiting);
}
