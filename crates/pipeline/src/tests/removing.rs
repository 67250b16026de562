//! Downloads that are out of the lists: what is wished of their client, and what
//! nobody touches any more.

use std::path::Path;

use tracker_domain::ports::{Files, Removal};
use tracker_domain::{DownloadId, DownloadState};
use tracker_ingest::{Wish, remove};
use tracker_layout::{Laying, OtherNames};
use tracker_store::TaskKind;
use tracker_testkit::{ClientCall, FakeTorrent, spec};

use super::fixture::{FILM, FILM_IN_LIBRARY, Fixture, film, one, person, v1};

impl Fixture {
    async fn remove(&self, id: DownloadId, wish: Wish) {
        remove(&self.db, id, wish, None, &person()).await.unwrap();
    }

    fn removed(&self) -> Vec<Removal> {
        let calls = self.client.calls().into_iter();
        calls
            .filter_map(|call| match call {
                ClientCall::Remove(_, removal) => Some(removal),
                _ => None,
            })
            .collect()
    }
}

#[tokio::test]
async fn what_is_wished_waits_for_the_client() {
    spec!("ingest#out-of-the-lists/the-client-does-not-answer");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.client.put(FakeTorrent::new(one(v1(2)), "Theirs").saved_to("/elsewhere"));
    fixture.wishes().await;
    fixture.client.unreachable();
    fixture.listing().await;
    fixture.remove(id, Wish::RemoveData).await;
    fixture.wishes().await;
    fixture.restart().await;
    fixture.wishes().await;
    assert_eq!(fixture.open_wishes().await, [TaskKind::RemoveData]);
    assert_eq!(fixture.removed(), []);
    fixture.client.set_down(None);
    fixture.listing().await;
    fixture.wishes().await;
    assert_eq!(fixture.open_wishes().await, []);
    assert_eq!(fixture.removed(), [Removal::DeleteData]);
    assert!(fixture.client.torrent(&v1(1)).is_none());
    assert!(fixture.client.torrent(&v1(2)).is_some());
    // Its links are not what was wished away, and its state is what it was.
    assert!(fixture.disk.stat(Path::new(FILM_IN_LIBRARY)).unwrap().is_some());
    fixture.listing().await;
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Done, None));
}

#[tokio::test]
async fn a_download_that_came_since_keeps_the_torrent() {
    spec!("ingest#out-of-the-lists/another-download-came-since");
    let fixture = Fixture::new();
    let first = fixture.settle(film(one(v1(1)))).await;
    fixture.wishes().await;
    fixture.client.unreachable();
    fixture.listing().await;
    fixture.remove(first, Wish::RemoveData).await;
    fixture.client.set_down(None);
    fixture.listing().await;
    let second = fixture.accept(&[v1(1)], FILM).await;
    fixture.hand_over().await;
    fixture.listing().await;
    // It came to its end before the wish was carried out.
    fixture
        .write(move |tx| {
            use tracker_domain::DownloadCause as C;
            for cause in [C::PlanAccepted, C::BatchRecorded] {
                tx.set_download_state(second, cause, &Default::default())?.unwrap();
            }
            Ok(())
        })
        .await;
    assert_eq!(fixture.state(second).await, DownloadState::Done);
    fixture.wishes().await;
    assert_eq!((fixture.open_wishes().await, fixture.removed()), (vec![], vec![]));
    assert!(fixture.client.torrent(&v1(1)).is_some());
}

#[tokio::test]
async fn what_stays_of_its_files_is_counted() {
    spec!("file-layout#other-names-are-counted/of-a-download");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    assert_eq!(fixture.pipeline.names(id).await.unwrap(), None, "nothing is known of its files");
    let fixture = Fixture::new();
    let torrent = film(one(v1(1)));
    let path = format!("/downloads/{{id}}/{}", torrent.files[0].path);
    let id = fixture.settle(torrent).await;
    let told = async || fixture.pipeline.names(id).await.unwrap().unwrap();
    assert_eq!(told().await, OtherNames { looked: 1, unseen: 0, ours: 1, others: 0 });
    let file = path.replace("{id}", &id.to_string());
    fixture.disk.dir("/elsewhere");
    fixture.disk.hard_link(Path::new(&file), Path::new("/elsewhere/kept.mkv")).unwrap();
    assert_eq!(told().await, OtherNames { looked: 1, unseen: 0, ours: 1, others: 1 });
    // A client that does not answer is not asked.
    fixture.client.unreachable();
    assert_eq!(told().await.others, 1);
    fixture.disk.remove(&file);
    assert_eq!(told().await, OtherNames { looked: 0, unseen: 1, ours: 0, others: 0 });
}
