//! The workers all together.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::Arc;

use support::{FILM, PATIENCE, hash, start, start_with, swarm};
use tracker_domain::health::Level;
use tracker_domain::observed::ClientPath;
use tracker_domain::ports::{Live, MediaServerError};
use tracker_domain::{Actor, DownloadState};
use tracker_ingest::{Wish, cancel};
use tracker_pipeline::{MediaServers, Policy};
use tracker_testkit::{FakeClient, FakeMediaServer, eventually, spec};

#[tokio::test]
async fn an_accepted_film_ends_in_the_library() {
    spec!("pipeline#from-accepted-to-done/a-plain-film");
    let running = start(Arc::new(FakeClient::new().with_swarm(swarm(1))));
    let id = running.accept(&format!("magnet:?xt=urn:btih:{}&dn={FILM}", hash(1))).await;
    running.reaches(id, DownloadState::Downloading).await;
    running.complete(id, hash(1));
    running.reaches(id, DownloadState::Done).await;
    eventually(PATIENCE, "the own tag is off", async || {
        (running.client.torrent(&hash(1))?.tags == ["tracker"]).then_some(())
    })
    .await;
    let linked = running.disk.listing();
    let films: Vec<_> = linked.iter().filter(|line| line.starts_with("/media/films/T")).collect();
    assert_eq!(films.len(), 2, "a folder and a file: {films:?}");
    running.stop().await;
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_waits() {
    spec!("ingest#hand-over/the-client-is-back");
    let client = Arc::new(FakeClient::new());
    client.unreachable();
    let running = start(client);
    let id = running.accept(&format!("magnet:?xt=urn:btih:{}", hash(1))).await;
    let given_up = running.accept(&format!("magnet:?xt=urn:btih:{}", hash(2))).await;
    eventually(PATIENCE, "it waits for the client", async || {
        let row = running.db.read(move |tx| tx.download(id)).await.unwrap().unwrap();
        row.next_attempt_at.map(|_| ())
    })
    .await;
    cancel(&running.db, given_up, Wish::Leave, None, &Actor::System).await.unwrap();
    let down = running.pipeline.board().checks();
    assert!(down.iter().any(|check| check.level == Level::Error), "{down:?}");
    // The clock of the rows stands still: only the client's return ends the pause.
    running.client.set_down(None);
    running.reaches(id, DownloadState::Downloading).await;
    assert_eq!(running.client.torrent(&hash(2)), None);
    let folder = running.client.torrent(&hash(1)).unwrap().save_path;
    assert_eq!(folder, ClientPath(format!("/downloads/{id}")));
    running.stop().await;
}

#[tokio::test]
async fn a_media_server_that_was_away_is_told_when_it_is_back() {
    spec!("media-servers#a-server-that-is-away/linked-all-the-same");
    let down = Arc::new(FakeMediaServer::new("den", &["/media/films"]));
    let up = Arc::new(FakeMediaServer::new("attic", &["/media/films"]));
    down.fail_with(MediaServerError::Unreachable("off".into()));
    let media_servers = MediaServers::new(vec![down.clone(), up.clone()]);
    let policy = Policy { media_servers, ..Policy::default() };
    let running = start_with(Arc::new(FakeClient::new().with_swarm(swarm(1))), policy);
    let id = running.accept(&format!("magnet:?xt=urn:btih:{}&dn={FILM}", hash(1))).await;
    running.reaches(id, DownloadState::Downloading).await;
    running.complete(id, hash(1));
    running.reaches(id, DownloadState::Done).await;
    let folder = std::path::PathBuf::from("/media/films/The Film (2020)");
    eventually(PATIENCE, "the server that is up is told", async || {
        // Quiet is by the clock of the workers.
        running.clock.advance_seconds(5);
        (up.scanned() == [folder.clone()]).then_some(())
    })
    .await;
    let told = |code| {
        let checks = running.pipeline.board().checks();
        checks.iter().any(|check| check.code == code && check.subject == "den")
    };
    eventually(PATIENCE, "health says that the other is away", async || {
        told("media-server-unreachable").then_some(())
    })
    .await;
    down.answer_again();
    eventually(PATIENCE, "it is told when it is back", async || {
        running.clock.advance_seconds(60);
        (down.scanned() == [folder.clone()]).then_some(())
    })
    .await;
    running.stop().await;
    assert_eq!(up.scanned().len(), 1);
}
