//! What pages say of a download follows from what is so.

use tracker_domain::{Actor, Attention, DownloadId};
use tracker_store::StoreError;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

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
