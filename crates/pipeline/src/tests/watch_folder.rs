//! Files that are dropped into the watch folder.

use std::sync::Arc;

use proptest::prelude::*;
use tracker_domain::event::EventType;
use tracker_domain::health::Level;
use tracker_domain::ports::FilesErrorKind;
use tracker_store::{DownloadFilter, EventFilter};
use tracker_testkit::made_up::{Kind, torrent};
use tracker_testkit::{FakeWatchFolder, spec};

use super::fixture::{Fixture, v1};
use crate::stage::Stage;
use crate::watch_folder::{WatchFolderStage, examine};
use crate::{Pipeline, Policy};

const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

struct Scene {
    fixture: Fixture,
    folder: FakeWatchFolder,
    stage: WatchFolderStage,
}

impl Scene {
    fn new() -> Self {
        let fixture = Fixture::new();
        let folder = FakeWatchFolder::new();
        let stage = stage(&fixture, &folder);
        Scene { fixture, folder, stage }
    }

    /// A look two seconds after the last one.
    async fn look(&self) {
        self.fixture.clock.advance_seconds(2);
        self.stage.pass().await.unwrap();
    }

    /// Two looks: what is whole is taken.
    async fn looks(&self) {
        self.look().await;
        self.look().await;
    }

    async fn downloads(&self) -> usize {
        let filter = DownloadFilter { limit: 1000, ..DownloadFilter::default() };
        self.fixture.read(move |tx| tx.downloads(&filter)).await.len()
    }

    fn reason(&self, name: &str) -> String {
        let path = format!("rejected/{name}.reason.txt");
        String::from_utf8(self.folder.content(&path).unwrap()).unwrap()
    }
}

fn stage(fixture: &Fixture, folder: &FakeWatchFolder) -> WatchFolderStage {
    WatchFolderStage::new(fixture.pipeline.clone(), Arc::new(folder.clone()))
}

fn film() -> Vec<u8> {
    torrent(Kind::Hybrid, "Some.Film.2001").bytes().to_vec()
}

#[tokio::test]
async fn a_dropped_file_becomes_a_download_with_its_story() {
    spec!("watch-folder#what-is-taken/a-torrent-file");
    let scene = Scene::new();
    scene.folder.put("фильм.torrent", &film());
    scene.look().await;
    assert_eq!(scene.downloads().await, 0, "it may still be written");
    scene.look().await;
    assert_eq!(scene.folder.listing(), ["processed/фильм.torrent"]);
    let filter = EventFilter {
        types: vec![EventType::DownloadCreated],
        limit: 10,
        ..EventFilter::default()
    };
    let events = scene.fixture.read(move |tx| tx.events(&filter)).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].actor, "system");
    assert_eq!(events[0].message, "download accepted from the watch folder");
    assert_eq!(events[0].data["dropped_file"], "фильм.torrent");
    assert_eq!(events[0].data["origin"], "torrent");
}

#[tokio::test]
async fn a_list_of_links_is_a_download_each() {
    spec!("watch-folder#what-is-taken/a-list-of-links");
    let scene = Scene::new();
    let text = format!("{HASH}\nmagnet:?xt=urn:btih:{}\n{HASH}\n", v1(9));
    scene.folder.put("list.magnet", text.as_bytes());
    scene.looks().await;
    assert_eq!((scene.downloads().await, scene.folder.listing().len()), (2, 1));
    // What is active already is no second download.
    scene.folder.put("again.magnet", HASH.as_bytes());
    scene.looks().await;
    assert_eq!((scene.downloads().await, scene.folder.listing().len()), (2, 2));
}

#[tokio::test]
async fn what_is_no_torrent_is_rejected_with_its_reason() {
    spec!("watch-folder#rejected-files/a-reason-beside-it");
    spec!("watch-folder#rejected-files/some-lines-of-a-list");
    let scene = Scene::new();
    scene.folder.put("page.torrent", b"<html>");
    scene.folder.put("list.magnet", format!("{HASH}\nnonsense\n").as_bytes());
    scene.looks().await;
    assert_eq!(
        scene.folder.listing(),
        [
            "rejected/list.magnet",
            "rejected/list.magnet.reason.txt",
            "rejected/page.torrent",
            "rejected/page.torrent.reason.txt",
        ]
    );
    assert!(scene.reason("page.torrent").contains("web page (HTML)"));
    assert!(scene.reason("list.magnet").contains("line 2: "));
    assert_eq!(scene.downloads().await, 1, "the good line was taken in");
}

#[tokio::test]
async fn a_file_that_grows_is_waited_for() {
    spec!("watch-folder#a-file-is-whole/still-being-written");
    spec!("watch-folder#a-file-is-whole/cut-off");
    let scene = Scene::new();
    let whole = film();
    for end in [0, whole.len() / 3, whole.len() / 2] {
        scene.folder.put("a.torrent", &whole[..end]);
        // It stands still for most of the grace, more than once.
        for _ in 0..25 {
            scene.look().await;
        }
        assert_eq!(scene.folder.listing(), ["a.torrent"], "{end}");
    }
    scene.folder.put("a.torrent", &whole);
    scene.looks().await;
    assert_eq!(scene.folder.listing(), ["processed/a.torrent"]);
    scene.folder.put("b.torrent", &whole[..100]);
    for _ in 0..35 {
        scene.look().await;
    }
    assert_eq!(
        scene.folder.listing(),
        ["processed/a.torrent", "rejected/b.torrent", "rejected/b.torrent.reason.txt"]
    );
    assert!(scene.reason("b.torrent").contains("cut off"));
}

#[tokio::test]
async fn an_unreadable_file_is_left_and_told() {
    spec!("watch-folder#trouble-is-told/an-unreadable-file");
    let scene = Scene::new();
    scene.folder.put("closed.torrent", &film());
    scene.folder.readable("closed.torrent", false);
    scene.folder.put("open.magnet", HASH.as_bytes());
    scene.looks().await;
    assert_eq!(scene.folder.listing(), ["closed.torrent", "processed/open.magnet"]);
    let check = scene.fixture.health("watch-folder").unwrap();
    assert_eq!((check.level, check.subject.as_str()), (Level::Warning, "/watch"));
    assert!(check.detail.contains("closed.torrent"), "{}", check.detail);
    scene.look().await;
    assert!(scene.fixture.health("watch-folder").is_some(), "as long as it is so");
    scene.folder.readable("closed.torrent", true);
    scene.fixture.clock.advance_seconds(60);
    scene.looks().await;
    assert_eq!(scene.folder.listing(), ["processed/closed.torrent", "processed/open.magnet"]);
    assert_eq!(scene.fixture.health("watch-folder"), None);
}

#[tokio::test]
async fn a_folder_that_is_away_is_an_error_with_a_remedy() {
    spec!("watch-folder#trouble-is-told/the-folder-is-away");
    let scene = Scene::new();
    scene.folder.away(Some(FilesErrorKind::NotFound));
    scene.look().await;
    let check = scene.fixture.health("watch-folder").unwrap();
    assert_eq!(check.level, Level::Error);
    assert!(check.remedy.contains("never made by itself"), "{}", check.remedy);
    scene.folder.away(None);
    scene.folder.put("a.torrent", &film());
    scene.looks().await;
    assert_eq!(scene.fixture.health("watch-folder"), None);
    assert_eq!(scene.downloads().await, 1);
    // A command that runs every check has no workers.
    scene.folder.away(Some(FilesErrorKind::ReadOnly));
    let policy = Policy { watch_folder: Some(Arc::new(scene.folder.clone())), ..Policy::default() };
    let alone = Pipeline::new(
        scene.fixture.db.clone(),
        scene.fixture.pipeline.clients.clone(),
        scene.fixture.disk.clone(),
        Vec::new(),
        policy,
    );
    examine(&alone).await;
    use tracker_domain::ports::Live;
    assert!(alone.board().checks().iter().any(|check| check.code == "watch-folder"));
}

#[tokio::test]
async fn what_cannot_be_filed_away_is_accepted_once() {
    spec!("watch-folder#a-file-is-taken-once/it-cannot-be-filed-away");
    let scene = Scene::new();
    scene.folder.put("a.torrent", &film());
    scene.look().await;
    // A look, an opening and a claim go well; then the disk fails.
    scene.folder.dies_after(Some(3));
    scene.look().await;
    assert_eq!(
        (scene.downloads().await, scene.folder.listing()),
        (1, vec!["claimed/a.torrent".to_owned()])
    );
    scene.folder.dies_after(None);
    let id = scene
        .fixture
        .read(|tx| tx.downloads(&DownloadFilter { limit: 1, ..DownloadFilter::default() }))
        .await[0]
        .id;
    scene.fixture.cancel(id, tracker_ingest::Wish::Leave).await;
    scene.fixture.clock.advance_seconds(60);
    scene.looks().await;
    assert_eq!(
        (scene.downloads().await, scene.folder.listing()),
        (1, vec!["processed/a.torrent".to_owned()])
    );
}

#[tokio::test]
async fn hundreds_are_taken_in_one_look() {
    spec!("watch-folder#a-file-is-taken-once/hundreds-at-once");
    let scene = Scene::new();
    for number in 0..300_u32 {
        scene.folder.put(format!("{number}.magnet"), format!("{number:040x}").as_bytes());
    }
    scene.looks().await;
    assert_eq!(scene.downloads().await, 300);
    assert!(scene.folder.listing().iter().all(|path| path.starts_with("processed/")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// However often the process dies, and wherever, each file is taken in once.
    #[test]
    fn a_crash_at_any_call_loses_and_doubles_nothing(deaths in prop::collection::vec(0..9_u32, 1..5)) {
        spec!("watch-folder#a-file-is-taken-once/killed-at-any-step");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut scene = Scene::new();
            scene.folder.put("a.torrent", &film());
            scene.folder.put("b.magnet", HASH.as_bytes());
            scene.folder.put("c.torrent", b"<html>");
            for calls in deaths {
                scene.folder.dies_after(Some(calls));
                scene.looks().await;
                scene.folder.dies_after(None);
                scene.stage = stage(&scene.fixture, &scene.folder);
            }
            scene.looks().await;
            assert_eq!(
                scene.folder.listing(),
                [
                    "processed/a.torrent",
                    "processed/b.magnet",
                    "rejected/c.torrent",
                    "rejected/c.torrent.reason.txt",
                ]
            );
            assert_eq!(scene.downloads().await, 2);
            assert_eq!(scene.fixture.count(EventType::DownloadCreated).await, 2);
        });
    }
}
