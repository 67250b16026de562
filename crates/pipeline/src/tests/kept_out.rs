//! What keeps a complete download from the library.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use tracker_domain::library::LibraryKind;
use tracker_domain::observed::Phase;
use tracker_domain::{Attention, DownloadState};
use tracker_ingest::ClientPolicy;
use tracker_testkit::spec;

use super::fixture::{FILM, FILM_IN_LIBRARY, Fixture, Setup, film, library, one, season, v1};

/// Where it rests, and that nothing was done to the client.
async fn rests(fixture: &Fixture, id: tracker_domain::DownloadId) -> (DownloadState, String) {
    let row = fixture.row(id).await;
    let mark = row.attention.map(|mark| mark.to_string()).unwrap_or_default();
    assert_eq!(fixture.client.torrent(&v1(1)).unwrap().phase, Phase::Complete);
    (row.state, mark)
}

#[tokio::test]
async fn a_missing_root_is_never_made() {
    spec!("pipeline#what-keeps-it-from-the-library/root-missing");
    spec!("pipeline#what-keeps-it-from-the-library/tried-again");
    let fixture = Fixture::new();
    fixture.disk.remove("/media/films");
    crate::roots::pass(&fixture.pipeline).await.unwrap();
    let check = fixture.health("library-root-missing").unwrap();
    assert_eq!(check.subject, "films");
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(rests(&fixture, id).await, (DownloadState::Downloaded, "link-failed".to_owned()));
    assert!(fixture.detail(id).await.contains("/media/films"));
    assert_eq!(fixture.below("/media/films"), Vec::<String>::new());
    // It rests until a person says so.
    fixture.disk.dir("/media/films");
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    fixture.retry(id).await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    crate::roots::pass(&fixture.pipeline).await.unwrap();
    assert_eq!(fixture.health("library-root-missing"), None);
}

#[tokio::test]
async fn an_unmapped_path_is_named() {
    spec!("pipeline#what-keeps-it-from-the-library/path-not-mapped");
    let client_policy =
        ClientPolicy { save_path: "/data/torrents".to_owned(), ..ClientPolicy::default() };
    let fixture = Fixture::with(Setup { client_policy, ..Setup::default() });
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(rests(&fixture, id).await, (DownloadState::Downloaded, "path-unmapped".to_owned()));
    let detail = fixture.detail(id).await;
    assert!(detail.contains("/data does not exist") && detail.contains("path_map"), "{detail}");
    assert!(fixture.health("client-folder-not-visible").is_some());
}

#[tokio::test]
async fn a_file_in_the_way_stays() {
    spec!("pipeline#what-keeps-it-from-the-library/something-in-the-way");
    let fixture = Fixture::new();
    fixture.disk.file(FILM_IN_LIBRARY, 7);
    let before = fixture.below("/media/films");
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(rests(&fixture, id).await, (DownloadState::Downloaded, "conflict".to_owned()));
    assert!(fixture.detail(id).await.contains(FILM_IN_LIBRARY));
    assert_eq!(fixture.below("/media/films"), before);
}

#[tokio::test]
async fn a_kind_without_a_library_is_asked_about() {
    spec!("pipeline#what-keeps-it-from-the-library/no-library-of-its-kind");
    let libraries = vec![library("series", LibraryKind::Series, "/media/series")];
    let fixture = Fixture::with(Setup { libraries, ..Setup::default() });
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(rests(&fixture, id).await, (DownloadState::Downloaded, "needs-review".to_owned()));
    assert!(fixture.detail(id).await.contains("no library of kind movie"));
    // The match was accepted and stays so when the step is tried again.
    let before = fixture.read(move |tx| tx.recognition_of(id)).await;
    fixture.retry(id).await;
    assert_eq!(fixture.read(move |tx| tx.recognition_of(id)).await, before);
    // A person's word may name another one.
    fixture.write(move |tx| tx.set_override(id, "library", "series")).await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.below("/media/series/The Film (2020)/").len(), 2);
}

#[tokio::test]
async fn a_link_that_fails_leaves_nothing() {
    spec!("pipeline#what-keeps-it-from-the-library/a-link-that-fails");
    let fixture = Fixture::new();
    fixture.disk.mount("/media/films", 9);
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(rests(&fixture, id).await, (DownloadState::Downloaded, "link-failed".to_owned()));
    let detail = fixture.detail(id).await;
    assert!(detail.contains("EXDEV") && detail.contains(FILM_IN_LIBRARY), "{detail}");
    assert_eq!(fixture.below("/media/films"), ["/media/films/"]);
    let batches = fixture.read(|tx| tx.planned_batches()).await;
    assert_eq!(batches, vec![]);
}

#[tokio::test]
async fn nothing_is_linked_while_files_move() {
    spec!("pipeline#what-keeps-it-from-the-library/still-moving");
    let fixture = Fixture::new();
    let id = fixture.complete(film(one(v1(1)))).await;
    fixture.recognise().await;
    for phase in [Phase::Moving, Phase::Checking] {
        fixture.client.set_phase(&v1(1), phase);
        fixture.link().await;
        assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
        assert_eq!(fixture.mark(id).await, None);
    }
    fixture.client.set_phase(&v1(1), Phase::Complete);
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn a_file_that_is_gone_is_named() {
    spec!("pipeline#what-keeps-it-from-the-library/not-on-the-disk");
    let fixture = Fixture::new();
    let id = fixture.complete(film(one(v1(1)))).await;
    fixture.recognise().await;
    fixture.disk.remove(format!("/downloads/{id}/{FILM}/{FILM}.mkv"));
    fixture.link().await;
    assert_eq!(fixture.mark(id).await, None, "the client may still be writing");
    fixture.clock.advance_seconds(60);
    fixture.link().await;
    assert_eq!(fixture.mark(id).await, Some(Attention::SourceMissing));
    assert!(fixture.detail(id).await.contains(FILM));
}

#[tokio::test]
async fn a_file_that_is_still_being_written_is_waited_for() {
    spec!("pipeline#what-keeps-it-from-the-library/still-being-written");
    for half_written in [None, Some(7), Some(0)] {
        let fixture = Fixture::new();
        let id = fixture.complete(film(one(v1(1)))).await;
        fixture.recognise().await;
        let path = format!("/downloads/{id}/{FILM}/{FILM}.mkv");
        let size = fixture.client.torrent(&v1(1)).unwrap().files[0].size_bytes;
        match half_written {
            None => fixture.disk.remove(format!("/downloads/{id}")),
            Some(bytes) => {
                fixture.disk.remove(&path);
                fixture.disk.file(&path, bytes);
            }
        }
        fixture.link().await;
        fixture.clock.advance_seconds(59);
        fixture.link().await;
        assert_eq!(
            (fixture.state(id).await, fixture.mark(id).await),
            (DownloadState::Downloaded, None)
        );
        fixture.disk.file(&path, size);
        fixture.link().await;
        assert_eq!(fixture.state(id).await, DownloadState::Done);
    }
}

#[tokio::test]
async fn one_bad_download_does_not_hold_up_the_others() {
    spec!("pipeline#clients-come-and-go/one-bad-download");
    let libraries = vec![
        library("films", LibraryKind::Movie, "/media/films"),
        // Its paths cannot be told back from the database.
        library("series", LibraryKind::Series, OsStr::from_bytes(b"/media/\xff")),
    ];
    let fixture = Fixture::with(Setup { libraries, ..Setup::default() });
    let bad = fixture.complete(season(one(v1(1)))).await;
    let good = fixture.complete(film(one(v1(2)))).await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(bad).await, DownloadState::Downloaded);
    assert_eq!(fixture.state(good).await, DownloadState::Done);
}
