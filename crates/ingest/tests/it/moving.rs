//! Another client for a download that no client has yet.

use std::sync::Arc;

use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadState};
use tracker_ingest::{ChangeError, HandOver, Wish, cancel, move_to};
use tracker_store::Refusal;
use tracker_testkit::{ClientOp, spec};

use crate::fixture::{Fixture, person, v1};

async fn moved(
    fixture: &Fixture,
    id: tracker_domain::DownloadId,
    client: &str,
) -> Result<(), Refusal> {
    match move_to(&fixture.db, id, client.to_owned(), None, &person()).await {
        Ok(()) => Ok(()),
        Err(ChangeError::Refused(refusal)) => Err(refusal),
        Err(ChangeError::Store(fault)) => panic!("{fault}"),
    }
}

#[tokio::test]
async fn a_queued_download_goes_to_another_client() {
    spec!("torrent-clients#moving-to-another-client/while-queued");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    moved(&fixture, id, "other").await.unwrap();
    moved(&fixture, id, "other").await.unwrap();
    assert_eq!(fixture.row(id).await.client.as_deref(), Some("other"));
    let told = fixture.events(EventType::DownloadClientSet).await;
    assert_eq!(told.len(), 1, "once, and by whom");
    assert_eq!((told[0].actor.as_str(), &told[0].data["client"]), ("api:tests", &"other".into()));
    // The former client is not bothered with it any more.
    assert_eq!(fixture.hand_over(id).await, HandOver::NotWanted);
    assert!(fixture.client.adds().is_empty());
}

#[tokio::test]
async fn what_was_about_the_former_client_goes() {
    spec!("torrent-clients#moving-to-another-client/while-queued");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    fixture
        .write(move |tx| {
            tx.set_next_attempt(id, 1, Some(tx.now().plus_seconds(60)))?;
            tx.raise_attention(id, Attention::ClientCannotV2, "v2 alone")
        })
        .await
        .unwrap();
    moved(&fixture, id, "other").await.unwrap();
    let row = fixture.row(id).await;
    assert_eq!((row.attention, row.attempts, row.next_attempt_at), (None, 0, None));
}

#[tokio::test]
async fn one_that_was_sent_stays() {
    spec!("torrent-clients#moving-to-another-client/it-may-be-in-the-client");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)]).await;
    // Sent, and the answer is lost: it is queued still.
    fixture.write(move |tx| tx.set_next_attempt(id, 1, None)).await;
    assert_eq!(moved(&fixture, id, "other").await, Err(Refusal::HandedOver));
    let other = fixture.accept(&[v1(2)]).await;
    cancel(&fixture.db, other, Wish::Leave, None, &person()).await.unwrap();
    assert_eq!(moved(&fixture, other, "other").await, Err(Refusal::HandedOver));
    assert_eq!(fixture.events(EventType::DownloadClientSet).await.len(), 0);
}

#[tokio::test]
async fn one_that_is_moved_during_a_look_is_not_sent() {
    spec!("torrent-clients#moving-to-another-client/while-it-is-handed-over");
    let fixture = Arc::new(Fixture::new());
    let id = fixture.accept(&[v1(1)]).await;
    let hold = fixture.client.hold(ClientOp::Observe);
    let handing = tokio::spawn({
        let fixture = Arc::clone(&fixture);
        async move { fixture.hand_over(id).await }
    });
    hold.arrived().await;
    moved(&fixture, id, "other").await.unwrap();
    hold.release();
    assert_eq!(handing.await.unwrap(), HandOver::NotWanted);
    assert!(fixture.client.adds().is_empty(), "it was never sent");
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attempts), (DownloadState::Queued, 0));
}
