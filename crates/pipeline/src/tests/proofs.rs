//! Links that are tried before they are needed, and better releases.

use tracker_domain::health::Level;
use tracker_domain::{Attention, DownloadState};
use tracker_layout::{Action, ApplyWish, Laying, Resolution};
use tracker_testkit::{FakeTorrent, spec};

use super::fixture::{FILM, FILM_IN_LIBRARY, Fixture, film, one, person, v1};

#[tokio::test]
async fn links_are_proven_by_a_file_of_the_client() {
    spec!("batches#links-are-tried-before-they-are-needed/not-proven-yet");
    let fixture = Fixture::new();
    fixture.pipeline.examine().await.unwrap();
    let before = fixture.disk.listing();
    let check = fixture.health("links-not-proven").unwrap();
    assert_eq!((check.level, check.subject.as_str()), (Level::Notice, "main -> films"));

    spec!("batches#links-are-tried-before-they-are-needed/proven-by-a-file-of-the-client");
    assert_eq!(fixture.disk.listing(), before);
    fixture.settle(film(one(v1(1)))).await;
    assert_eq!(fixture.health("links-proven").unwrap().subject, "main -> films");
    let after = fixture.disk.listing();
    fixture.pipeline.examine().await.unwrap();
    assert_eq!(fixture.disk.listing(), after);
    assert!(fixture.health("links-not-proven").is_none(), "the file serves for both libraries");
}

#[tokio::test]
async fn a_pair_that_cannot_be_linked() {
    spec!("batches#links-are-tried-before-they-are-needed/impossible");
    let fixture = Fixture::new();
    fixture.disk.mount("/media/films", 9);
    let id = fixture.settle(film(one(v1(1)))).await;
    let row = fixture.row(id).await;
    assert_eq!(
        (row.state, row.attention),
        (DownloadState::Downloaded, Some(Attention::LinkFailed))
    );
    assert!(fixture.read(move |tx| tx.batches_of(id)).await.is_empty());
    let check = fixture.health("links-impossible").unwrap();
    assert_eq!(check.level, Level::Error);
    assert!(fixture.detail(id).await.contains(&check.remedy), "{}", fixture.detail(id).await);
}

#[tokio::test]
async fn what_could_not_be_linked_is_tried_again() {
    spec!("batches#links-are-tried-before-they-are-needed/well-again");
    let fixture = Fixture::new();
    fixture.disk.remove("/media/films");
    crate::roots::pass(&fixture.pipeline).await.unwrap();
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(fixture.mark(id).await, Some(Attention::LinkFailed));
    crate::roots::pass(&fixture.pipeline).await.unwrap();
    assert_eq!(fixture.mark(id).await, Some(Attention::LinkFailed));
    fixture.disk.dir("/media/films");
    crate::roots::pass(&fixture.pipeline).await.unwrap();
    assert_eq!(fixture.mark(id).await, None);
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn a_proper_is_offered() {
    spec!("batches#better-releases-are-offered/a-proper-beside-what-is-linked");
    let fixture = Fixture::new();
    let linked = fixture.settle(film(one(v1(1)))).await;
    let before = fixture.disk.listing();
    let name = FILM.replace("2020.", "2020.PROPER.");
    let proper = FakeTorrent::new(one(v1(2)), &name).file(&format!("{name}/{name}.mkv"), 401);
    let id = fixture.settle(proper).await;
    assert_eq!(fixture.mark(id).await, Some(Attention::Conflict));
    let detail = fixture.detail(id).await;
    assert!(detail.contains(&linked.to_string()) && detail.contains("a proper"), "{detail}");
    let there =
        |listing: &[String]| listing.iter().find(|line| line.starts_with(FILM_IN_LIBRARY)).cloned();
    assert_eq!(there(&fixture.disk.listing()), there(&before));
    // And it is one word away.
    let resolve = vec![Resolution { target: FILM_IN_LIBRARY.into(), action: Action::Replace }];
    let wish = ApplyWish { resolve, ..ApplyWish::default() };
    let batch = fixture.pipeline.apply(id, wish, &person()).await.unwrap();
    assert_ne!(there(&fixture.disk.listing()), there(&before));
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert_eq!(there(&fixture.disk.listing()), there(&before));
    // What is no better is in the way like anything else.
    let same = FakeTorrent::new(one(v1(3)), FILM).file(&format!("{FILM}/{FILM}.mkv"), 402);
    let other = fixture.settle(same).await;
    assert!(!fixture.detail(other).await.contains("better"));
}
