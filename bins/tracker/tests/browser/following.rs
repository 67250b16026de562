//! A page that stays open: the cable is pulled and plugged in again.

use serde_json::json;
use tracker_testkit::spec;

use crate::browser::Browser;
use crate::film;
use crate::stage::Stage;

/// A stream of its own beside that of the page, which notes every id it hears.
const LISTEN: &str = "
window.heard = [];
window.stream = new EventSource('/events/stream');
window.stream.addEventListener('fact', (event) => window.heard.push(event.lastEventId));
return true;";

/// Has the page look again, as where a window comes to the front, and counts the
/// requests that nobody answers.
const LOOK: &str = "
window.failed = 0;
document.addEventListener('htmx:sendError', () => { window.failed += 1; });
document.dispatchEvent(new Event('visibilitychange'));
return true;";

async fn ids(browser: &Browser, body: &str) -> Vec<String> {
    let found = browser.script(body, &[]).await;
    let found = found.as_array().unwrap().iter();
    found.map(|id| id.as_str().unwrap().to_owned()).collect()
}

async fn change(stage: &Stage, id: &str, what: &str) {
    stage.daemon.post(&format!("/downloads/{id}/{what}"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn the_story_has_no_gap_and_nothing_twice() {
    spec!("web-ui#pages-follow-by-themselves/cut-off-and-back");
    let stage = Stage::start().await;
    stage.announces(film::FILM);
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "downloading").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.goto(&format!("/download/{id}")).await;
    browser.script(LISTEN, &[]).await;
    browser.until_script("return window.stream.readyState", |state| *state == 1).await;
    browser.see_no("#paused").await;
    change(&stage, &id, "pause").await;
    browser.see("#story", "paused").await;
    browser.until_script("return window.heard.length", |count| count.as_u64() > Some(0)).await;

    browser.offline(true).await;
    browser.see("#paused", "Live updates are paused").await;
    browser.screenshot("download-cut-off").await;
    for what in ["resume", "pause", "resume"] {
        change(&stage, &id, what).await;
    }
    stage.brings(film::FILM);
    stage.daemon.until_state(&id, "done").await;
    browser.offline(false).await;
    browser.see("#story", "links made").await;
    browser.see_no("#paused").await;

    let told = stage.daemon.events(&id).await;
    let mut told: Vec<&str> = told.iter().map(|event| event["id"].as_str().unwrap()).collect();
    told.reverse();
    let shown = "return [...document.querySelectorAll('#story li code[data-whole]')]
        .map((code) => code.dataset.whole)";
    assert_eq!(ids(&browser, shown).await, told);

    let newest = told[0].to_owned();
    let last = "return window.heard.at(-1)";
    browser.until_script(last, |last| last.as_str() >= Some(newest.as_str())).await;
    let heard = ids(&browser, "return window.heard").await;
    let all = stage.daemon.get("/events?limit=200").await.expect(200);
    let mut all: Vec<&str> = all["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["id"].as_str().unwrap())
        .collect();
    all.reverse();
    all.retain(|id| (heard[0].as_str()..=heard[heard.len() - 1].as_str()).contains(id));
    assert_eq!(heard, all);
}

#[tokio::test]
async fn a_server_that_ends_takes_nothing_off_the_page() {
    spec!("web-ui#pages-follow-by-themselves/a-server-that-ends");
    let mut stage = Stage::start().await;
    let id = stage.film().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    let before = browser.text("#done").await;
    assert!(before.contains("The.Quiet.Harbour"), "{before}");
    stage.daemon.stop();
    browser.see("#paused", "Live updates are paused").await;
    // It looks again, as it does every ten seconds, and finds nobody.
    browser.script(LOOK, &[]).await;
    browser.until_script("return window.failed", |count| count.as_u64() >= Some(1)).await;
    browser.see("#done", "1 link in the library").await;
    browser.see("#done a.name", "The.Quiet.Harbour").await;
    assert_eq!(browser.attr("#done tr[data-row]", "data-download").await, Some(id));
}
