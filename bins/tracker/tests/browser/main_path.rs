//! From a link to the library and back.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;
use crate::browser::{Browser, keys};
use crate::film;
use crate::stage::{Stage, inode};

#[tokio::test]
async fn followed_live_with_a_real_client() {
    spec!("web-ui#the-main-path-in-a-browser/followed-live");
    let mut bench = Bench::at(Flavour::Trixie).await;
    let browser = Browser::open(&bench.daemon).await;
    browser.log_in(&bench.daemon).await;
    browser.fill("#quick-magnet", &bench.magnet("slow", "full")).await;
    browser.click("form.quick button").await;
    browser.see("main", "New:").await;
    browser.goto("/").await;
    // A page that is loaded anew does not know this any more.
    browser.script("window.same = true", &[]).await;
    browser.see("#active tr", "Slow.Film.2024").await;
    browser.see("#active tr", "downloading").await;
    let share = "return document.querySelector('#active tr progress')?.value ?? 0";
    let part = |value: &Value, above: u64| value.as_u64().is_some_and(|n| above < n && n < 100);
    let first = browser.until_script(share, |value| part(value, 0)).await.as_u64().unwrap();
    browser.screenshot("inbox-downloading").await;
    browser.until_script(share, |value| part(value, first)).await;
    bench.hurry("slow").await;
    browser.see("#done tr", "1 link in the library").await;
    browser.see("#done tr", "done").await;
    assert_eq!(browser.script("return window.same", &[]).await, true);
    browser.no_complaints().await;

    let listed = bench.daemon.get("/downloads").await.expect(200);
    let id = listed["items"][0]["id"].as_str().unwrap();
    bench.arrives(id, "slow").await;
    browser.click("#done [data-key=undo]").await;
    browser.see("#done tr", "Slow.Film.2024").await;
    browser.see_no("#done [data-key=undo]").await;
    assert!(bench.library().is_empty(), "{:?}", bench.library());
    let folder = bench.folder_of("slow").await;
    bench.until_whole(bench.lab.torrent("slow"), &folder).await;
    browser.no_complaints().await;
}

#[tokio::test]
async fn pinned_and_seen_before_the_first_byte() {
    spec!("web-ui#review-on-a-page/before-the-first-byte");
    let name = "qh-final-copy";
    let stage = Stage::with_source().await;
    stage.announces(name);
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    // Another film at first, by the page that takes it.
    browser.goto("/add").await;
    browser.fill("#magnet", &film::magnet_of(name)).await;
    browser.click("main form details summary").await;
    browser.fill("#pin", "tmdb:movie/1010").await;
    browser.click("main form .actions button.primary").await;
    browser.click("#content section a[href^='/download/']").await;
    browser.see("#summary", "0 %").await;
    browser.see("#files", name).await;
    browser.click("#summary [data-key=review]").await;
    let brenna = "Night Over Brenna (1987)";
    browser.see("#plan", brenna).await;
    // Then the right one, on the page of the review.
    let listed = stage.daemon.get("/downloads").await.expect(200);
    let id = listed["items"][0]["id"].as_str().unwrap();
    stage.until_shown(&browser, id).await;
    browser.fill("#pin", "tmdb:1001").await;
    browser.click("button[value=pin]").await;
    browser.see("#plan", "(2011)").await;
    browser.see("#plan button[value=accept]", "Save the match").await;
    browser.screenshot("review-before-the-first-byte").await;
    browser.axe().await;
    let target = browser.attr("#plan input[name=shown]", "value").await.unwrap();
    let target = Path::new(&target);
    assert!(!stage.file(name).exists() && !target.exists());

    stage.brings(name);
    stage.daemon.until_state(id, "done").await;
    assert_eq!(inode(target), inode(&stage.file(name)));
    assert_eq!(files_below(&stage.daemon.home().join("media")).len(), 1);
    browser.no_complaints().await;
}

/// What of a file may never change.
#[derive(Debug, PartialEq, Eq)]
struct Payload {
    inode: u64,
    mode: u32,
    modified: (i64, i64),
    bytes: Vec<u8>,
}

fn payload(path: &Path) -> Payload {
    let file = fs::metadata(path).unwrap();
    let modified = (file.mtime(), file.mtime_nsec());
    Payload { inode: file.ino(), mode: file.mode(), modified, bytes: fs::read(path).unwrap() }
}

/// Each path below a folder, with its inode.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files_below(&path));
        } else {
            let file = inode(&path).unwrap();
            found.insert(path, file);
        }
    }
    found
}

#[tokio::test]
async fn applied_undone_and_applied() {
    spec!("web-ui#the-main-path-in-a-browser/applied-undone-and-applied");
    let stage = Stage::start().await;
    let before = payload(&stage.file(film::FILM));
    let id = stage.film().await;
    let media = stage.daemon.home().join("media");
    let first = files_below(&media);
    assert_eq!(first, BTreeMap::from([(stage.in_library(), before.inode)]));
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    let page = format!("/download/{id}");
    for _ in 0..2 {
        browser.goto(&page).await;
        browser.click("#summary [data-key=undo]").await;
        browser.see_path(&page).await;
        browser.see_no("#summary [data-key=undo]").await;
        assert_eq!(files_below(&media), BTreeMap::new());
        browser.goto(&format!("{page}/review")).await;
        browser.click("#plan button[value=apply]").await;
        browser.see("#summary [data-key=undo]", "Undo").await;
        assert_eq!(files_below(&media), first);
    }
    assert_eq!(payload(&stage.file(film::FILM)), before);
    browser.no_complaints().await;
}

#[tokio::test]
async fn with_the_keyboard_alone() {
    spec!("web-ui#the-main-path-in-a-browser/with-the-keyboard-alone");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.goto_login_link(&stage.daemon).await;
    browser.tab_to("main button").await;
    browser.press(keys::ENTER).await;
    browser.see("h1", "Inbox").await;
    browser.tab_to("#quick-magnet").await;
    browser.press(&film::magnet()).await;
    browser.tab_to("form.quick button").await;
    browser.press(keys::ENTER).await;
    browser.see("main", "New:").await;
    browser.tab_to("main a[href^='/download/']").await;
    browser.press(keys::ENTER).await;
    browser.see("#story", "links made").await;
    browser.see("#summary [data-key=undo]", "Undo").await;
    browser.tab_to("#summary [data-key=undo]").await;
    browser.press(keys::ENTER).await;
    browser.see("#story", "links undone").await;
    browser.tab_to("#summary [data-key=review]").await;
    browser.press(keys::ENTER).await;
    browser.see("h1", "Review").await;
    browser.tab_to("#plan button[value=apply]").await;
    browser.press(keys::ENTER).await;
    browser.see("#summary [data-key=undo]", "Undo").await;
    assert_eq!(inode(&stage.in_library()), inode(&stage.file(film::FILM)));
    browser.no_complaints().await;
}
