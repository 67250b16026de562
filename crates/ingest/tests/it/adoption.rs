//! Torrents that are nobody's.

use tracker_domain::DownloadState;
use tracker_domain::ports::ClientError;
use tracker_ingest::{AskError, Wish, adopt, cancel, foreign_torrents};
use tracker_store::{Origin, Placement, TaskKind};
use tracker_testkit::{ClientCall, spec};

use crate::fixture::{Fixture, both, foreign, one, person, v1, v2};

#[tokio::test]
async fn only_what_is_nobodys_is_listed() {
    spec!("ingest#adoption/only-what-is-nobody-s");
    let fixture = Fixture::new();
    for number in 1..=4 {
        fixture.client.put(foreign(one(v1(number))));
    }
    fixture.accept(&[v1(1)]).await;
    let done = fixture.accept(&[v1(2)]).await;
    use tracker_domain::DownloadCause as C;
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    let cancelled = fixture.accept(&[v1(3)]).await;
    cancel(&fixture.db, cancelled, Wish::Leave, None, &person()).await.unwrap();
    let listed = foreign_torrents(&fixture.db, &fixture.entry).await.unwrap();
    let hashes: Vec<_> = listed
        .iter()
        .flat_map(|foreign| foreign.seen.infohashes.iter().collect::<Vec<_>>())
        .collect();
    assert_eq!(hashes, [v1(3), v1(4)]);
    assert!(listed.iter().all(|foreign| foreign.client == "main"));
}

#[tokio::test]
async fn an_adopted_one_is_tagged_and_never_moved() {
    spec!("ingest#adoption/adopted");
    let fixture = Fixture::new();
    fixture.client.put(foreign(both(1)));
    let adopted = adopt(&fixture.db, &fixture.entry, v2(1), &person()).await.unwrap();
    assert!(adopted.created);
    let row = fixture.row(adopted.id).await;
    assert_eq!(row.state, DownloadState::Downloading);
    assert_eq!((row.origin, row.placement), (Origin::Adopted, Some(Placement::Found)));
    assert_eq!(row.save_path.unwrap().0, "/elsewhere");
    assert_eq!(row.client.as_deref(), Some("main"));
    assert_eq!(fixture.hashes(adopted.id).await, [v1(1), v2(1)]);
    assert_eq!(fixture.wishes(adopted.id).await, [TaskKind::Claim]);
    let only_looked = |call: &ClientCall| matches!(call, ClientCall::Observe(_));
    assert!(fixture.client.calls().iter().all(only_looked));
}

#[tokio::test]
async fn adopting_twice_is_adopting_once() {
    spec!("ingest#adoption/adopted-twice");
    let fixture = Fixture::new();
    fixture.client.put(foreign(both(1)));
    let first = adopt(&fixture.db, &fixture.entry, v1(1), &person()).await.unwrap();
    let second = adopt(&fixture.db, &fixture.entry, v2(1), &person()).await.unwrap();
    assert_eq!((second.id, second.created), (first.id, false));
    assert_eq!(fixture.wishes(first.id).await, [TaskKind::Claim]);
}

#[tokio::test]
async fn any_hash_finds_it() {
    spec!("ingest#adoption/by-any-of-its-hashes");
    let fixture = Fixture::new();
    fixture.client.put(foreign(both(1)));
    fixture.client.put(foreign(one(v2(2))));
    // The client calls the hybrid by its v2 and does not answer to the v1.
    assert!(adopt(&fixture.db, &fixture.entry, v1(1), &person()).await.unwrap().created);
    let handle = v2(2).v2().unwrap().truncated().into();
    let adopted = adopt(&fixture.db, &fixture.entry, handle, &person()).await.unwrap();
    assert_eq!(fixture.hashes(adopted.id).await, [v2(2)]);
}

#[tokio::test]
async fn what_is_not_there_is_not_adopted() {
    spec!("ingest#adoption/no-such-torrent");
    let fixture = Fixture::new();
    let refused = adopt(&fixture.db, &fixture.entry, v1(1), &person()).await;
    assert!(matches!(refused, Err(AskError::NoSuchTorrent)));
    fixture.client.unreachable();
    let refused = adopt(&fixture.db, &fixture.entry, v1(1), &person()).await;
    assert!(matches!(refused, Err(AskError::Client(ClientError::Unreachable(_)))));
    let listing = foreign_torrents(&fixture.db, &fixture.entry).await;
    assert!(matches!(listing, Err(AskError::Client(_))));
    assert_eq!(fixture.read(|tx| tx.downloads_with([v1(1)])).await, vec![]);
}
