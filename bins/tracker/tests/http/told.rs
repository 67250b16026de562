//! What pages say of a download follows from what is so.

use tracker_domain::{Actor, Attention, DownloadId};
use tracker_store::StoreError;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};
use crate::pages::linked;

/// A page as a reader of a language gets it.
async fn read(daemon: &Daemon, path: &str, language: &str) -> String {
    let headers = vec![("accept-language", language), ("accept", "text/html")];
    let page = daemon.ask(Ask { path, headers, ..Ask::default() }).await;
    assert_eq!(page.status.as_u16(), 200, "{path}: {}", page.text);
    page.text
}

#[tokio::test]
async fn a_mark_that_went_is_told_as_gone() {
    spec!("web-ui#pages-say-what-is-so/a-mark-that-went");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of: DownloadId = id.parse().unwrap();
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        tx.raise_attention(of, Attention::Stalled, "since noon")?.unwrap();
        tx.clear_attention(of, None)?.unwrap();
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
    for (language, needed, gone) in [
        ("en", ">needs a look<", ">needs no look any more<"),
        ("ru", ">требует внимания<", ">больше не требует внимания<"),
    ] {
        let story = read(&daemon, &format!("/download/{id}"), language).await;
        assert_eq!((story.matches(needed).count(), story.matches(gone).count()), (1, 1), "{story}");
        let journal = read(&daemon, "/events", language).await;
        assert_eq!(journal.matches(gone).count(), 1, "{journal}");
    }
    let events = daemon.get("/api/v1/events?type=download.attention").await.json();
    assert_eq!(events["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_in_no_library_is_told_so() {
    spec!("web-ui#pages-say-what-is-so/done-and-in-no-library");
    let (daemon, disk) = (Daemon::start().await, tempfile::tempdir().unwrap());
    let target = disk.path().join("movies/Film.mkv");
    for (digit, is_removed) in [('a', false), ('b', true)] {
        let id = daemon.accepted(digit).await;
        linked(&daemon, &id, disk.path(), &target).await;
        let home = format!("/download/{id}");
        let of = format!("/api/v1/downloads/{id}");
        let before = daemon.get(&of).await.json();
        assert!(read(&daemon, &home, "en").await.contains("It is in the library."));
        let undone = if is_removed {
            daemon.form(&format!("{home}/remove"), "links=1").await
        } else {
            let page = read(&daemon, &home, "en").await;
            let (_, rest) = page.split_once("action=\"/batches/").unwrap();
            let path = format!("/batches/{}", rest.split('"').next().unwrap());
            daemon.form(&path, "").await
        };
        assert_eq!(undone.status.as_u16(), 303, "{}", undone.text);
        let page = read(&daemon, &home, "en").await;
        assert!(!page.contains("It is in the library."), "{page}");
        let may = "puts it into the library where its downloaded files are still there.";
        for part in [
            "It is done, and nothing of it is in the library.",
            "1 link was taken back.",
            "</span>done, not in the library</span>",
            if is_removed { may } else { "The downloaded files stay as they are" },
            "<button>Link again</button>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(read(&daemon, &home, "ru").await.contains("Снята 1 ссылка."));
        let row = read(&daemon, "/", "en").await;
        assert_eq!(row.contains("done, not in the library"), !is_removed, "{row}");
        let mut after = daemon.get(&of).await.json();
        for changing in ["revision", "updated_at", "hidden_at"] {
            after[changing] = before[changing].clone();
        }
        assert_eq!(after, before);
    }
}
