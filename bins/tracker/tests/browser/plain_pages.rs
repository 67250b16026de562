//! The pages that need nothing but HTML: what a code means, and one download.

use tracker_testkit::spec;

use crate::browser::{Browser, Window};
use crate::film;
use crate::stage::Stage;

/// What holds for every page.
async fn holds(browser: &Browser, path: &str, name: &str) {
    looks_right(browser, path, name).await;
    browser.no_complaints().await;
}

/// In a window of either size and both colours.
async fn looks_right(browser: &Browser, path: &str, name: &str) {
    for (window, size) in [(Window::Desktop, "desktop"), (Window::Phone, "phone")] {
        browser.window(window).await;
        for colours in ["light", "dark"] {
            browser.colours(colours).await;
            browser.goto(path).await;
            browser.screenshot(&format!("{name}-{size}-{colours}")).await;
            browser.axe().await;
            browser.no_overflow().await;
        }
    }
}

#[tokio::test]
async fn what_a_code_means() {
    spec!("web-ui#every-page-holds/what-a-code-means");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.goto("/problems/stale").await;
    assert!(browser.title().await.ends_with(" · tracker"));
    browser.see("code", "stale").await;
    holds(&browser, "/problems/stale", "problem").await;
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
    browser.see("#technical code", &id).await;
    browser.see("#story strong", "links made").await;
    holds(&browser, &path, "download").await;
}

#[tokio::test]
async fn every_other_page() {
    spec!("web-ui#every-page-holds/every-other-page");
    let stage = Stage::start().await;
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "done").await;
    let browser = Browser::open(&stage.daemon).await;
    in_both_languages(&browser, "/login", "login").await;
    browser.language("en").await;
    browser.log_in(&stage.daemon).await;
    let (review, download) = (format!("/download/{id}/review"), format!("/download/{id}"));
    for (path, name) in [
        ("/", "inbox"),
        ("/?group=active&only=queued&order=name", "inbox-group"),
        ("/add", "add"),
        (download.as_str(), "download"),
        (review.as_str(), "review"),
        ("/library", "library"),
        ("/search?q=a", "search"),
        ("/events", "events"),
        ("/jobs", "jobs"),
        ("/health", "health"),
        ("/settings", "settings"),
        ("/settings/keys", "keys"),
        ("/settings/remembered", "remembered"),
        ("/problems/path-unmapped", "problem"),
        ("/why?name=Dune.2021.1080p.WEB-DL", "why"),
    ] {
        in_both_languages(&browser, path, name).await;
    }
    // The browser complains about any page that is not there.
    for language in ["en", "ru"] {
        browser.language(language).await;
        looks_right(&browser, "/download/nonsense", &format!("refusal-{language}")).await;
        assert_eq!(browser.attr("html", "lang").await.as_deref(), Some(language));
    }
}

#[tokio::test]
async fn in_windows_of_other_widths() {
    spec!("web-ui#every-page-holds/in-windows-of-other-widths");
    let stage = Stage::start().await;
    let id = stage.film().await;
    let name = "A.Film.Whose.Name.Has.No.End-".repeat(8);
    let other = format!("magnet:?xt=urn:btih:{}&dn={name}", "1".repeat(40));
    stage.daemon.ingest(&other).await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    let (review, download) = (format!("/download/{id}/review"), format!("/download/{id}"));
    let measure = "return [document.querySelector('header.site').offsetHeight,
        document.querySelector('#quick-magnet').offsetWidth]";
    for language in ["en", "ru"] {
        browser.language(language).await;
        for width in [320, 800, 1100, 1280] {
            browser.window(Window::Wide(width)).await;
            for (path, page) in [
                ("/", "inbox"),
                ("/jobs", "jobs"),
                ("/health", "health"),
                ("/events", "events"),
                ("/settings", "settings"),
                (download.as_str(), "download"),
                (review.as_str(), "review"),
            ] {
                browser.goto(path).await;
                browser.screenshot(&format!("{page}-{language}-{width}")).await;
                browser.no_overflow().await;
                browser.no_broken_words().await;
            }
            let found = browser.script(measure, &[]).await;
            let (high, wide) = (found[0].as_u64().unwrap(), found[1].as_u64().unwrap());
            let most = if width < 1100 { 160 } else { 52 };
            assert!(high <= most, "the header is {high} px high at {width} px in {language}");
            assert!(wide >= 120, "the box is {wide} px wide at {width} px in {language}");
        }
    }
}

async fn in_both_languages(browser: &Browser, path: &str, name: &str) {
    for language in ["en", "ru"] {
        browser.language(language).await;
        browser.goto(path).await;
        assert_eq!(browser.attr("html", "lang").await.as_deref(), Some(language));
        holds(browser, path, &format!("{name}-{language}")).await;
    }
}

#[tokio::test]
async fn from_a_pasted_magnet_to_done_and_undone() {
    spec!("web-ui#the-main-path-in-a-browser/from-a-magnet-to-done-and-undone");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.fill("#quick-magnet", &film::magnet()).await;
    browser.click("form.quick button").await;
    browser.see("main", "New:").await;
    // The inbox follows by itself.
    browser.goto("/").await;
    browser.see("#done", "1 link in the library").await;
    browser.click("#done [data-key=undo]").await;
    browser.see("#done td", "").await;
    browser.see_no("#done [data-key=undo]").await;
    browser.no_complaints().await;
}

#[tokio::test]
async fn without_scripts() {
    spec!("web-ui#the-main-path-in-a-browser/without-scripts");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.scripts(false).await;
    browser.goto("/add").await;
    browser.fill("#magnet", &film::magnet()).await;
    browser.click("main form button.primary").await;
    browser.see("main", "New:").await;
    let listed = stage.daemon.get("/downloads").await.expect(200);
    let id = listed["items"][0]["id"].as_str().unwrap().to_owned();
    stage.daemon.until_state(&id, "done").await;
    browser.goto(&format!("/download/{id}")).await;
    browser.click("[data-key=undo]").await;
    browser.see("#story", "links undone").await;
}

#[tokio::test]
async fn logged_out_is_logged_out() {
    spec!("web-ui#the-main-path-in-a-browser/logging-out");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.click("form[action='/logout'] button").await;
    browser.see("h1", "Log in").await;
    browser.goto("/events").await;
    browser.see("h1", "Log in").await;
}
