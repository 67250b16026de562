//! Choosing files of a pack, and what is waited for and linked then.

use std::collections::BTreeSet;

use tracker_domain::event::EventType;
use tracker_domain::observed::Phase;
use tracker_domain::{DownloadId, DownloadState};
use tracker_ingest::{ChooseFilesError, Wish, choose_files};
use tracker_layout::Laying;
use tracker_store::{Refusal, TaskKind};
use tracker_testkit::{ClientCall, spec};

use super::fixture::{Fixture, one, person, season, v1};

impl Fixture {
    async fn choose(&self, id: DownloadId, unwanted: &[u32]) -> Result<(), ChooseFilesError> {
        let unwanted = BTreeSet::from_iter(unwanted.iter().copied());
        choose_files(&self.db, id, unwanted, None, &person()).await
    }

    /// A season of two episodes whose list is known and of which nothing is there.
    async fn season_on_its_way(&self) -> DownloadId {
        let pack = season(one(v1(1)));
        let id = self.accept(&[v1(1)], &pack.name).await;
        self.tick().await;
        self.hand_over().await;
        self.client.edit(&v1(1), |there| {
            there.name = pack.name;
            there.files = pack.files;
            there.has_metadata = true;
            there.phase = Phase::Downloading;
            for file in &mut there.files {
                file.complete = false;
            }
        });
        self.tick().await;
        self.recognise().await;
        self.wishes().await;
        id
    }

    /// What is wanted arrives whole; of the others the start, as a piece is shared.
    async fn arrives(&self, id: DownloadId) {
        let files = self.client.torrent(&v1(1)).unwrap().files;
        for file in &files {
            self.disk.file(format!("/downloads/{id}/{}", file.path), file.size_bytes);
        }
        self.client.complete(&v1(1));
        self.listing().await;
    }

    fn selected(&self) -> Vec<bool> {
        let files = self.client.torrent(&v1(1)).unwrap().files;
        files.iter().map(|file| file.selected).collect()
    }
}

#[tokio::test]
async fn what_is_not_wanted_is_neither_waited_for_nor_linked() {
    spec!("daily-use#choosing-files/of-a-pack");
    let fixture = Fixture::new();
    let id = fixture.season_on_its_way().await;
    fixture.choose(id, &[1]).await.unwrap();
    assert_eq!(fixture.open_wishes().await, [TaskKind::Select]);
    assert_eq!(fixture.count(EventType::DownloadFilesChosen).await, 1);
    fixture.wishes().await;
    assert_eq!(fixture.selected(), [true, false]);
    fixture.arrives(id).await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    fixture.recognise().await;
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    let skipped: Vec<_> = plan.skipped.iter().map(|file| file.reason.as_str()).collect();
    assert_eq!((plan.links.len(), skipped), (1, vec!["not-selected"]));
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let linked = fixture.below("/media/series/");
    let episodes: Vec<_> = linked.iter().filter(|line| line.contains(".mkv")).collect();
    assert!(episodes.len() == 1 && episodes[0].contains("S01E01"), "{linked:?}");
}

#[tokio::test]
async fn nothing_is_linked_before_the_client_knows_the_choice() {
    spec!("daily-use#choosing-files/the-client-does-not-know-it-yet");
    let fixture = Fixture::new();
    let id = fixture.season_on_its_way().await;
    fixture.choose(id, &[1]).await.unwrap();
    // All of it arrives before the client was told.
    fixture.arrives(id).await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    fixture.wishes().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let linked = fixture.below("/media/series/");
    assert!(!linked.iter().any(|line| line.contains("S01E02")), "{linked:?}");
}

#[tokio::test]
async fn a_new_download_does_not_inherit_the_choice_of_a_former_one() {
    spec!("daily-use#choosing-files/not-inherited");
    let fixture = Fixture::new();
    let former = fixture.season_on_its_way().await;
    fixture.choose(former, &[1]).await.unwrap();
    fixture.wishes().await;
    assert_eq!(fixture.selected(), [true, false]);
    fixture.cancel(former, Wish::Leave).await;
    fixture.wishes().await;
    let id = fixture.accept(&[v1(1)], "again").await;
    assert_ne!(id, former);
    fixture.hand_over().await;
    fixture.wishes().await;
    assert_eq!(fixture.selected(), [true, true]);
    assert_eq!(fixture.count(EventType::DownloadFilesChosen).await, 2);
}

#[tokio::test]
async fn more_files_are_waited_for() {
    spec!("daily-use#choosing-files/chosen-later");
    let fixture = Fixture::new();
    let id = fixture.season_on_its_way().await;
    fixture.choose(id, &[1]).await.unwrap();
    fixture.wishes().await;
    fixture.arrives(id).await;
    // Before it is linked a person wants the rest; the bytes on the disk are no proof.
    fixture.choose(id, &[]).await.unwrap();
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    fixture.wishes().await;
    assert_eq!(fixture.selected(), [true, true]);
    // A client may call it complete for one more moment.
    fixture.client.set_phase(&v1(1), Phase::Complete);
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    fixture.client.set_phase(&v1(1), Phase::Downloading);
    fixture.listing().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    fixture.arrives(id).await;
    fixture.recognise().await;
    fixture.link().await;
    let linked = fixture.below("/media/series/");
    assert_eq!(linked.iter().filter(|line| line.contains(".mkv")).count(), 2, "{linked:?}");
}

#[tokio::test]
async fn a_retry_keeps_the_choice() {
    spec!("daily-use#choosing-files/tried-again");
    let fixture = Fixture::new();
    let id = fixture.season_on_its_way().await;
    fixture.choose(id, &[0]).await.unwrap();
    fixture.wishes().await;
    fixture.cancel(id, Wish::Remove).await;
    fixture.wishes().await;
    fixture.retry(id).await;
    fixture.hand_over().await;
    // The file list comes late, and is waited for however long it takes.
    for _ in 0..60 {
        fixture.wishes().await;
        fixture.clock.advance_seconds(60);
    }
    let pack = season(one(v1(1)));
    fixture.client.edit(&v1(1), |there| {
        there.files = pack.files;
        there.has_metadata = true;
        there.phase = Phase::Downloading;
    });
    fixture.wishes().await;
    assert_eq!(fixture.selected(), [false, true]);
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn a_choice_that_cannot_be_is_refused() {
    spec!("daily-use#choosing-files/what-cannot-be");
    let fixture = Fixture::new();
    let queued = fixture.accept(&[v1(2)], "Another").await;
    assert!(matches!(fixture.choose(queued, &[0]).await, Err(ChooseFilesError::NotListed)));
    let id = fixture.season_on_its_way().await;
    let before = fixture.row(id).await;
    let unknown = fixture.choose(id, &[1, 7]).await;
    assert!(matches!(unknown, Err(ChooseFilesError::NoSuchFile(files)) if files == [7]));
    assert!(matches!(fixture.choose(id, &[0, 1]).await, Err(ChooseFilesError::NothingLeft)));
    let stale = choose_files(&fixture.db, id, BTreeSet::new(), Some(99), &person()).await;
    assert!(matches!(stale, Err(ChooseFilesError::Refused(Refusal::Stale(_)))));
    assert_eq!(fixture.row(id).await, before);
    fixture.cancel(id, Wish::Leave).await;
    let ended = fixture.choose(id, &[1]).await;
    assert!(matches!(ended, Err(ChooseFilesError::Refused(Refusal::Illegal(_)))));
}

#[tokio::test]
async fn the_same_choice_again_changes_nothing() {
    spec!("daily-use#choosing-files/the-same-again");
    let fixture = Fixture::new();
    let id = fixture.season_on_its_way().await;
    fixture.choose(id, &[1]).await.unwrap();
    fixture.wishes().await;
    let (before, events) = (fixture.row(id).await, fixture.events().await);
    fixture.choose(id, &[1]).await.unwrap();
    assert_eq!((fixture.row(id).await, fixture.events().await), (before, events));
    let told = |call: &&ClientCall| matches!(call, ClientCall::SelectFiles(..));
    fixture.wishes().await;
    assert_eq!(fixture.client.calls().iter().filter(told).count(), 1);
}
