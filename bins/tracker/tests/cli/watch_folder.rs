//! Files dropped into the watch folder of a daemon.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tracker_testkit::made_up::{Kind, torrent};
use tracker_testkit::{eventually, spec};

use crate::daemon::{DEADLINE, Daemon, Setup};
use crate::hash;

/// A daemon that is not started yet and watches a folder, made or not.
fn watching(made: bool) -> (TempDir, Daemon, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let drop = folder.path().join("drop");
    if made {
        std::fs::create_dir(&drop).unwrap();
    }
    let more = format!("[watch]\ndir = {drop:?}\n");
    let setup = Setup { more, ..Setup::without_client(folder.path()) };
    let daemon = Daemon::prepared(setup);
    (folder, daemon, drop)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn count(daemon: &Daemon) -> usize {
    let listed = daemon.tracker(&["list", "--json", "--limit", "200"]).json();
    listed["items"].as_array().unwrap().len()
}

#[tokio::test]
async fn files_are_taken_once_however_often_it_is_killed() {
    spec!("watch-folder#a-file-is-taken-once/killed-at-any-step");
    spec!("watch-folder#a-file-is-taken-once/hundreds-at-once");
    let (_folder, mut daemon, drop) = watching(true);
    let mut expected = BTreeSet::new();
    for number in 0..100_u32 {
        let made = torrent(Kind::Hybrid, &format!("Фильм.{number}.2001"));
        for (name, bytes) in [
            (format!("Фильм {number}.torrent"), made.bytes().to_vec()),
            (format!("{number}.magnet"), format!("{number:040x}\n").into_bytes()),
        ] {
            std::fs::write(drop.join(&name), bytes).unwrap();
            expected.insert(name);
        }
    }
    for filed in [1, 60, 120] {
        daemon.spawn();
        eventually(DEADLINE, "some to be filed away", async || {
            (names(&drop.join("processed")).len() >= filed).then_some(())
        })
        .await;
        daemon.kill();
    }
    daemon.start().await;
    eventually(DEADLINE, "all to be filed away", async || {
        (names(&drop.join("processed")).len() == 200).then_some(())
    })
    .await;
    assert_eq!(names(&drop.join("processed")), expected, "no name was numbered");
    assert_eq!(
        names(&drop),
        [".tracker-claimed", "processed", "rejected"].map(String::from).into()
    );
    assert_eq!(names(&drop.join(".tracker-claimed")), BTreeSet::new());
    assert_eq!(count(&daemon), 200);
    let created =
        daemon.tracker(&["events", "--type", "download.created", "--limit", "200", "--json"]);
    assert_eq!(created.json()["items"].as_array().unwrap().len(), 200);
}

#[tokio::test]
async fn what_is_no_torrent_is_rejected_and_the_rest_is_left() {
    spec!("watch-folder#rejected-files/a-reason-beside-it");
    spec!("watch-folder#what-is-taken/other-names");
    let (_folder, mut daemon, drop) = watching(true);
    for (name, text) in [
        ("page.torrent", "<!DOCTYPE html><title>Log in</title>"),
        ("half.torrent.part", "d8:announce"),
        (".hidden.torrent", "d8:announce"),
        ("notes.txt", "mine"),
        ("good.magnet", &hash('a')),
    ] {
        std::fs::write(drop.join(name), text).unwrap();
    }
    daemon.start().await;
    let reason = drop.join("rejected/page.torrent.reason.txt");
    let told = eventually(DEADLINE, "the reason and the good one", async || {
        names(&drop.join("processed")).contains("good.magnet").then_some(())?;
        std::fs::read_to_string(&reason).ok()
    })
    .await;
    assert!(told.contains("web page (HTML)") && told.contains("log in"), "{told}");
    let left = [
        ".hidden.torrent",
        ".tracker-claimed",
        "half.torrent.part",
        "notes.txt",
        "processed",
        "rejected",
    ];
    assert_eq!(names(&drop), left.map(String::from).into());
    let id =
        daemon.tracker(&["list", "--json"]).json()["items"][0]["id"].as_str().unwrap().to_owned();
    let story = daemon.events(&id).await;
    assert_eq!(story[0]["actor"], "system");
    assert_eq!(story[0]["data"]["dropped_file"], "good.magnet");
}

#[tokio::test]
async fn a_folder_that_is_missing_is_told_and_used_when_it_comes() {
    spec!("watch-folder#trouble-is-told/the-folder-is-away");
    let (_folder, mut daemon, drop) = watching(false);
    let doctor = daemon.tracker(&["doctor", "--json"]).json();
    let checks = doctor["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["code"] == "watch-folder"), "{checks:?}");
    daemon.start().await;
    let check = daemon.until_check("watch-folder").await;
    assert_eq!(check["level"], "error");
    assert!(check["detail"].as_str().unwrap().contains("ENOENT"), "{check}");
    assert!(!drop.exists(), "it is never made");
    std::fs::create_dir(&drop).unwrap();
    std::fs::write(drop.join("a.magnet"), hash('b')).unwrap();
    eventually(DEADLINE, "the file to be taken in", async || {
        names(&drop.join("processed")).contains("a.magnet").then_some(())
    })
    .await;
    assert!(daemon.checks("watch-folder").await.is_empty());
    assert!(daemon.stop().success());
    let told = daemon.log_with("the watch folder cannot be used").len();
    assert_eq!(told, 1, "once, not at each look");
}
