//! The pages on which a download goes: given up with its data, or removed from the lists.

use std::path::Path;

use tracker_domain::library::LinkMode;
use tracker_domain::observed::{ClientPath, Handle, RemoteFile};
use tracker_domain::ports::Files;
use tracker_domain::recognised::{Fields, Recognised, RecognitionState, Verdict};
use tracker_domain::{Actor, DownloadCause as C, DownloadId};
use tracker_store::{NewBatch, NewLink, NewRecognition, Reason, Staged, StoreError};
use tracker_system::LocalFiles;
use tracker_testkit::spec;

use crate::fixture::Daemon;

#[tokio::test]
async fn data_is_deleted_only_by_its_name() {
    spec!("web-ui#what-cannot-be-undone-is-confirmed/data-of-a-download");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/cancel");
    let unsaid = daemon.form(&path, "remove_torrent=1&delete_data=1&typed=x").await;
    assert_eq!(unsaid.status.as_u16(), 422);
    let name = daemon.get(&format!("/api/v1/downloads/{id}")).await.json()["name"].clone();
    let body = format!("remove_torrent=1&delete_data=1&typed={}", name.as_str().unwrap());
    assert_eq!(daemon.form(&path, &body).await.status.as_u16(), 303);
    let state = daemon.get(&format!("/api/v1/downloads/{id}")).await.json()["state"].clone();
    assert_eq!(state, "cancelled");
}

#[tokio::test]
async fn an_ended_one_is_removed_from_its_page() {
    spec!("web-ui#what-cannot-be-undone-is-confirmed/removed-from-its-page");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let (home, path) = (format!("/download/{id}"), format!("/download/{id}/remove"));
    let action = format!("action=\"{path}\"");
    assert!(!daemon.get(&home).await.text.contains(&action), "an active one is given up first");
    assert_eq!(daemon.form(&path, "").await.status.as_u16(), 409);
    daemon.form(&format!("/download/{id}/cancel"), "").await;
    let page = daemon.get(&home).await.text;
    assert!(page.contains(&action) && !page.contains(" checked"), "{page}");
    for field in ["name=\"links\"", "name=\"remove_torrent\"", "name=\"delete_data\""] {
        assert!(page.contains(field), "{field}");
    }
    let unsaid = daemon.form(&path, "remove_torrent=1&delete_data=1&typed=x").await;
    assert_eq!(unsaid.status.as_u16(), 422);
    let stale = daemon.form(&path, "revision=1").await;
    assert_eq!(stale.status.as_u16(), 409);
    let shown = daemon.get(&format!("/api/v1/downloads/{id}")).await.json();
    assert_eq!(shown["hidden_at"], serde_json::Value::Null);

    let name = shown["name"].as_str().unwrap();
    let body = format!(
        "revision={}&links=1&remove_torrent=1&delete_data=1&typed={name}",
        shown["revision"]
    );
    let gone = daemon.form(&path, &body).await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, "/"), "{}", gone.text);
    let page = daemon.get(&home).await.text;
    assert!(page.contains("It was removed from the lists.") && !page.contains(&action), "{page}");
    assert!(!daemon.get("/").await.text.contains(&home));
}

/// A file of a done download, linked to `target` in the folder of a library.
pub async fn linked(daemon: &Daemon, id: &str, folder: &Path, target: &Path) {
    let file = folder.join("film.mkv");
    std::fs::write(&file, b"film").unwrap();
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    std::fs::hard_link(&file, target).unwrap();
    let stat = LocalFiles.stat(&file).unwrap().unwrap();
    let (id, place): (DownloadId, _) =
        (id.parse().unwrap(), ClientPath(folder.display().to_string()));
    let root = target.parent().unwrap().to_path_buf();
    let link = NewLink { file_index: 0, source: file, target: target.to_path_buf() };
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        tx.set_place(id, &Handle("a".repeat(40)), &place)?;
        let file = RemoteFile {
            index: 0,
            path: "film.mkv".to_owned(),
            size_bytes: 4,
            selected: true,
            complete: true,
        };
        tx.set_files(id, &[file])?;
        for cause in [C::Shown, C::Finished, C::PlanAccepted] {
            tx.set_download_state(id, cause, &Reason::none())?.unwrap();
        }
        let names = Recognised {
            fields: Fields::default(),
            files: Vec::new(),
            evidence: Vec::new(),
            verdict: Verdict::Doubt,
            confidence: 0.5,
            doubts: Vec::new(),
        };
        let new = NewRecognition::of_names(&names, RecognitionState::Accepted);
        let recognition = tx.record_recognition(id, &new)?.id();
        let (batch, links) = tx.plan_batch(&NewBatch {
            download: id,
            recognition,
            plan_id: "0".repeat(64),
            library: "movies".to_owned(),
            root,
            mode: LinkMode::Hardlink,
            links: vec![link],
        })?;
        tx.stage_batch(&[Staged {
            id: links[0],
            identity: stat.identity,
            size_bytes: stat.size_bytes,
            there_already: false,
            replaces: None,
            modified_ns: None,
        }])?;
        tx.record_batch(batch, id)?;
        tx.set_download_state(id, C::BatchRecorded, &Reason::none())?.unwrap();
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
}

#[tokio::test]
async fn what_remains_of_the_files_is_told_before() {
    spec!("web-ui#what-cannot-be-undone-is-confirmed/what-other-links-remain");
    let (daemon, disk) = (Daemon::start().await, tempfile::tempdir().unwrap());
    let id = daemon.accepted('a').await;
    let unknown = daemon.accepted('b').await;
    daemon.form(&format!("/download/{unknown}/cancel"), "").await;
    let page = daemon.get(&format!("/download/{unknown}")).await.text;
    assert!(page.contains("other links to its files remain is not known"), "{page}");

    linked(&daemon, &id, disk.path(), &disk.path().join("movies/Film.mkv")).await;
    let home = format!("/download/{id}");
    let page = daemon.get(&home).await.text;
    assert!(page.contains("1 library link that was made for it"), "{page}");
    assert!(page.contains("Nothing else links to its files."), "{page}");
    for name in ["one.mkv", "two.mkv"] {
        std::fs::hard_link(disk.path().join("film.mkv"), disk.path().join(name)).unwrap();
    }
    assert!(daemon.get(&home).await.text.contains("Besides, 2 other links to its files remain"));
}

#[tokio::test]
async fn links_that_cannot_go_are_named() {
    spec!("web-ui#what-cannot-be-undone-is-confirmed/links-that-stay");
    let (daemon, disk) = (Daemon::start().await, tempfile::tempdir().unwrap());
    let target = disk.path().join("movies/Film.mkv");
    for (digit, stays) in [('a', true), ('b', false)] {
        let id = daemon.accepted(digit).await;
        linked(&daemon, &id, disk.path(), &target).await;
        if stays {
            // Somebody has put another file there.
            std::fs::remove_file(&target).unwrap();
            std::fs::write(&target, b"another").unwrap();
        }
        let gone = daemon.form(&format!("/download/{id}/remove"), "links=1").await;
        let shown = daemon.get(&format!("/api/v1/downloads/{id}")).await.json();
        assert!(shown["hidden_at"].is_string(), "{}", gone.text);
        if stays {
            assert_eq!(gone.status.as_u16(), 200);
            assert!(
                gone.text.contains("Film.mkv") && gone.text.contains(&format!("/download/{id}"))
            );
            assert_eq!(std::fs::read(&target).unwrap(), b"another");
            std::fs::remove_file(&target).unwrap();
        } else {
            assert_eq!(
                (gone.status.as_u16(), gone.header("location")),
                (303, "/"),
                "{}",
                gone.text
            );
            assert!(!target.exists() && disk.path().join("film.mkv").exists());
        }
    }
}
