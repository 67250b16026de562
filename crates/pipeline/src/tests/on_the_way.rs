//! From accepted to done, or to where a person is asked.

use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadState};
use tracker_store::Placement;
use tracker_testkit::{ClientCall, FakeTorrent, spec};

use super::fixture::{FILM, FILM_IN_LIBRARY, Fixture, Setup, both, film, one, v1, v2};
use crate::{AutoAccept, Policy};

#[tokio::test]
async fn a_plain_film_is_linked() {
    spec!("pipeline#from-accepted-to-done/a-plain-film");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let [source, target] = [format!("/downloads/{id}/{FILM}/{FILM}.mkv"), FILM_IN_LIBRARY.into()]
        .map(|path| {
            let listing = fixture.disk.listing();
            let line = listing.into_iter().find(|line| line.starts_with(&path)).expect("a file");
            line.rsplit(' ').next().unwrap().to_owned()
        });
    assert_eq!(source, target, "one inode");
    let changed = |call: &ClientCall| {
        !matches!(
            call,
            ClientCall::Add(_) | ClientCall::Observe(_) | ClientCall::Files(_) | ClientCall::Probe
        )
    };
    assert!(!fixture.client.calls().iter().any(changed));
    assert_eq!(fixture.count(EventType::BatchApplied).await, 1);
    // Nothing more happens by itself.
    let events = fixture.events().await;
    fixture.listing().await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.events().await, events);
}

#[tokio::test]
async fn what_is_not_plain_waits_for_a_person() {
    spec!("pipeline#from-accepted-to-done/not-plain");
    let fixture = Fixture::new();
    let odd = || FakeTorrent::new(one(v1(1)), "Holiday").file("Holiday/clip.mkv", 40);
    let id = fixture.accept(&[v1(1)], "Holiday").await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.client.edit(&v1(1), |there| there.files = odd().files);
    fixture.client.reveal(&v1(1));
    fixture.tick().await;
    fixture.recognise().await;
    // Asked while the bytes still arrive.
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert_ne!(fixture.detail(id).await, "");
    fixture.client.complete(&v1(1));
    fixture.tick().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert_eq!(fixture.below("/media/films/"), ["/media/films/"]);
    // A retry looks again at what is known now.
    fixture.retry(id).await;
    assert_eq!(fixture.mark(id).await, None);
    fixture.recognise().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert_eq!(fixture.count(EventType::RecognitionCreated).await, 2);
}

#[tokio::test]
async fn nothing_is_accepted_where_nothing_may_be() {
    spec!("pipeline#from-accepted-to-done/never-by-itself");
    let policy = Policy { auto_accept: AutoAccept::Never, ..Policy::default() };
    let fixture = Fixture::with(Setup { policy, ..Setup::default() });
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert_eq!(fixture.detail(id).await, "accept the match first");
    let found = fixture.read(move |tx| tx.recognition_of(id)).await.unwrap();
    assert_eq!(found.state, RecognitionState::Proposed);
    assert_eq!(fixture.count(EventType::RecognitionAccepted).await, 0);
}

#[tokio::test]
async fn two_halves_become_one() {
    spec!("pipeline#from-accepted-to-done/two-halves-on-the-way");
    let fixture = Fixture::new();
    let older = fixture.accept(&[v1(1)], FILM).await;
    let newer = fixture.accept(&[v2(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.tick().await;
    assert_eq!(fixture.client.torrents().len(), 2);
    // As the client does it: one of the two goes, the other has both hashes.
    fixture.client.merge(&v2(1), &v1(1));
    let files = film(both(1)).files;
    fixture.disk.file(format!("/downloads/{newer}/{FILM}/{FILM}.mkv"), 400);
    fixture.client.edit(&v2(1), |there| there.files = files);
    fixture.client.complete(&v2(1));
    fixture.listing().await;
    assert_eq!(fixture.state(newer).await, DownloadState::Merged);
    let row = fixture.row(older).await;
    assert_eq!(row.state, DownloadState::Downloaded);
    assert_eq!(row.infohashes, Some(both(1)));
    assert_eq!(row.save_path.unwrap().0, format!("/downloads/{newer}"));
    fixture.wishes().await;
    assert_eq!(fixture.tags(v1(1)), ["tracker".to_owned(), format!("tracker-{older}")]);
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(older).await, DownloadState::Done);
    let removed = |call: &ClientCall| matches!(call, ClientCall::Remove(..));
    assert!(!fixture.client.calls().iter().any(removed));
}

#[tokio::test]
async fn what_is_ingested_again_is_taken_over() {
    spec!("pipeline#from-accepted-to-done/ingested-again");
    let fixture = Fixture::new();
    let first = fixture.settle(film(one(v1(1)))).await;
    let again = fixture.accept(&[v1(1)], FILM).await;
    assert_ne!(first, again);
    // The listing shows it before anything was sent: it is not ours by that.
    fixture.listing().await;
    assert_eq!(fixture.state(again).await, DownloadState::Queued);
    fixture.hand_over().await;
    fixture.tick().await;
    let row = fixture.row(again).await;
    assert_eq!(row.state, DownloadState::Downloaded);
    assert_eq!(row.placement, Some(Placement::Found));
    assert_eq!(row.save_path.unwrap().0, format!("/downloads/{first}"));
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(again).await, DownloadState::Done);
    assert_eq!(fixture.client.torrents().len(), 1);
}
