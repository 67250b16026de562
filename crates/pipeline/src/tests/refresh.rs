//! What media servers are told, and when.

mod health;
mod trouble;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tracker_domain::event::EventType;
use tracker_domain::health::{Check, Level};
use tracker_domain::ports::{Clock, Live, MediaServer, MediaServerError};
use tracker_domain::{Actor, BatchId, DownloadId, DownloadState};
use tracker_ident::derived;
use tracker_store::EventRow;
use tracker_testkit::{FakeMediaServer, MediaServerCall, spec};

use super::fixture::{Fixture, Setup, film, one, season, v1, v2};
use crate::{MediaServers, Policy};

const FILM_FOLDER: &str = "/media/films/The Film (2020)";
const SEASON_FOLDER: &str = "/media/series/The Show/Season 01";
const ROOTS: [&str; 2] = ["/media/films", "/media/series"];

/// A fixture with media servers that a test can tell what to do.
struct World {
    fixture: Fixture,
    den: Arc<FakeMediaServer>,
    attic: Arc<FakeMediaServer>,
}

impl World {
    /// Two servers, each with both libraries.
    fn new() -> Self {
        Self::with(MediaServers::new)
    }

    fn with(servers: impl FnOnce(Vec<Arc<dyn MediaServer>>) -> MediaServers) -> Self {
        let den = Arc::new(FakeMediaServer::new("den", &ROOTS));
        let attic = Arc::new(FakeMediaServer::new("attic", &ROOTS));
        let media_servers = servers(vec![den.clone(), attic.clone()]);
        let policy = Policy { media_servers, ..Policy::default() };
        World { fixture: Fixture::with(Setup { policy, ..Setup::default() }), den, attic }
    }

    /// A turn of each server's stage.
    async fn turn(&self) {
        for queue in self.fixture.pipeline.refresh.queues() {
            crate::refresh::pass(&self.fixture.pipeline, queue).await.unwrap();
        }
    }

    /// The same after so many seconds.
    async fn after(&self, seconds: u64) {
        self.fixture.clock.advance_seconds(seconds);
        self.turn().await;
    }

    fn note(&self, number: u64, folders: &[&str]) {
        let (batch, download) = ids(number);
        self.fixture.pipeline.refresh.note(batch, download, folders.iter().map(PathBuf::from));
    }

    async fn journal(&self) -> Vec<EventRow> {
        self.fixture.told(EventType::LibraryRefreshed).await
    }

    /// What health says of a subject: codes and levels.
    fn health(&self, subject: &str) -> Vec<(&'static str, Level)> {
        self.checks(subject).into_iter().map(|check| (check.code, check.level)).collect()
    }

    fn checks(&self, subject: &str) -> Vec<Check> {
        let mut checks = self.fixture.pipeline.board().checks();
        checks.retain(|check| check.subject == subject);
        checks
    }
}

fn ids(number: u64) -> (BatchId, DownloadId) {
    (derived(1, number, "apply_batch").typed(), derived(1, number, "download").typed())
}

fn folders(server: &FakeMediaServer) -> Vec<Vec<String>> {
    let text = |folder: PathBuf| folder.into_os_string().into_string().unwrap();
    let calls = server.refreshes().into_iter();
    calls.map(|folders| folders.into_iter().map(text).collect()).collect()
}

#[tokio::test]
async fn each_server_is_told_once_of_a_batch() {
    spec!("media-servers#one-scan-a-folder-and-batch/a-batch-is-applied");
    let world = World::new();
    world.turn().await;
    let id = world.fixture.settle(film(one(v1(1)))).await;
    assert_eq!(world.fixture.state(id).await, DownloadState::Done);
    world.turn().await;
    world.after(4).await;
    for server in [&world.den, &world.attic] {
        assert_eq!(server.calls(), [MediaServerCall::Sections], "it waits for quiet");
    }
    world.after(1).await;
    for seconds in [1, 10, 100, 10_000] {
        world.after(seconds).await;
    }
    for server in [&world.den, &world.attic] {
        assert_eq!(folders(server), [[FILM_FOLDER]]);
        assert_eq!(server.calls().len(), 2, "and nothing else is asked");
    }
}

#[tokio::test]
async fn the_journal_says_who_was_told() {
    spec!("media-servers#a-refresh-is-in-the-journal/a-server-was-told");
    let world = World::new();
    let id = world.fixture.settle(season(one(v1(1)))).await;
    world.after(5).await;
    let journal = world.journal().await;
    let told: Vec<Value> = journal.iter().map(|event| event.data.clone()).collect();
    let data = |server: &str| json!({"server": server, "folders": [SEASON_FOLDER]});
    assert_eq!(told, [data("den"), data("attic")]);
    let applied = world.fixture.told(EventType::BatchApplied).await;
    for event in &journal {
        assert_eq!(event.download_id, Some(id));
        assert_eq!(event.entity_id, applied[0].entity_id, "it is about the batch");
        assert_eq!(event.entity_kind, applied[0].entity_kind);
        assert_eq!(event.actor, Actor::Worker.to_string());
    }
}

#[tokio::test]
async fn batches_that_follow_one_another_are_told_after_the_last() {
    spec!("media-servers#one-scan-a-folder-and-batch/batches-that-follow-one-another");
    let world = World::new();
    let show = "/media/series/The Show";
    world.note(1, &[show]);
    world.after(4).await;
    world.note(2, &[SEASON_FOLDER]);
    world.note(3, &[FILM_FOLDER, SEASON_FOLDER]);
    world.after(4).await;
    assert_eq!(folders(&world.den).len(), 0);
    world.after(1).await;
    // What the first call had scanned needs no second one.
    assert_eq!(folders(&world.den), [vec![show], vec![FILM_FOLDER, SEASON_FOLDER]]);
    let told: Vec<_> = world.journal().await;
    let of_den = told.iter().filter(|event| event.data["server"] == "den");
    let downloads: Vec<_> = of_den.map(|event| event.download_id.unwrap()).collect();
    assert_eq!(downloads, [ids(1).1, ids(2).1, ids(3).1]);
    // Known to be told, it is told again when it changes again.
    world.note(2, &[SEASON_FOLDER]);
    world.after(5).await;
    assert_eq!(folders(&world.den).len(), 3);
}

#[tokio::test]
async fn one_batch_noted_twice_is_told_once() {
    spec!("media-servers#one-scan-a-folder-and-batch/batches-that-follow-one-another");
    let world = World::new();
    world.note(1, &[FILM_FOLDER]);
    world.note(1, &["/media/films/Other", "/media/films/The Film (2020)/Extras"]);
    world.after(5).await;
    assert_eq!(folders(&world.den), [["/media/films/Other", FILM_FOLDER]]);
}

#[tokio::test]
async fn unrest_does_not_keep_a_server_waiting_for_ever() {
    spec!("media-servers#one-scan-a-folder-and-batch/no-quiet-for-a-minute");
    let world = World::new();
    for number in 0..15 {
        world.note(number, &[&format!("/media/films/Film {number}")]);
        world.turn().await;
        assert_eq!(folders(&world.den).len(), 0, "{number}");
        world.fixture.clock.advance_seconds(4);
    }
    world.note(15, &["/media/films/Film 15"]);
    world.turn().await;
    assert_eq!(folders(&world.den).len(), 16);
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_nobody_waiting() {
    spec!("media-servers#one-scan-a-folder-and-batch/a-clock-set-back");
    let world = World::new();
    world.note(1, &[FILM_FOLDER]);
    world.fixture.clock.set_ms(1_000_000);
    world.turn().await;
    world.after(5).await;
    assert_eq!(folders(&world.den), [[FILM_FOLDER]]);
    let down = MediaServerError::Unreachable("off".into());
    world.den.fail_next(down);
    world.note(2, &[FILM_FOLDER]);
    world.after(5).await;
    world.fixture.clock.set_ms(500_000);
    world.turn().await;
    world.after(10).await;
    assert_eq!(folders(&world.den).len(), 3);
    assert!(world.fixture.clock.now_ms().0 < 1_000_000);
}
