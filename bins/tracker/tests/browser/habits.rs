//! What a person gets used to: a language, a theme, keys.

use tracker_testkit::spec;

use crate::browser::{Browser, keys};
use crate::film;
use crate::stage::Stage;

const GROUND: &str = "return getComputedStyle(document.body).backgroundColor";
const DARK: &str = "rgb(22, 24, 27)";

async fn is_russian_and_dark(browser: &Browser) {
    assert_eq!(browser.attr("html", "lang").await.as_deref(), Some("ru"));
    assert_eq!(browser.attr("html", "data-theme").await.as_deref(), Some("dark"));
    assert_eq!(browser.script(GROUND, &[]).await, DARK);
}

#[tokio::test]
async fn language_and_theme_are_kept() {
    spec!("web-ui#pages-speak-russian-and-english/kept-over-visits");
    let stage = Stage::start().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    assert_ne!(browser.script(GROUND, &[]).await, DARK);
    browser.goto("/events").await;
    browser.click("button[name=theme][value=dark]").await;
    browser.see("html[data-theme=dark] body", "").await;
    browser.click("button[name=language][value=ru]").await;
    browser.see("html[lang=ru] h1", "Журнал").await;
    browser.see_path("/events").await;
    is_russian_and_dark(&browser).await;
    browser.goto("/health").await;
    is_russian_and_dark(&browser).await;
    // The browser keeps them for whoever logs out, and the person for any browser.
    browser.click("form[action='/logout'] button").await;
    browser.see("h1", "Войти").await;
    is_russian_and_dark(&browser).await;
    drop(browser);
    let other = Browser::open(&stage.daemon).await;
    other.goto("/login").await;
    assert_eq!(other.attr("html", "lang").await.as_deref(), Some("en"));
    other.enter(&stage.daemon).await;
    other.see("h1", "Входящие").await;
    is_russian_and_dark(&other).await;
    other.click("button[name=theme][value=light]").await;
    other.see("html[data-theme=light] body", "").await;
    other.colours("dark").await;
    assert_ne!(other.script(GROUND, &[]).await, DARK);
    other.no_complaints().await;
}

#[tokio::test]
async fn letters_are_shortcuts() {
    spec!("web-ui#keys/letters");
    let stage = Stage::start().await;
    let done = stage.film().await;
    let daemon = &stage.daemon;
    let mut others = Vec::new();
    for number in 1..=2 {
        let magnet = format!("magnet:?xt=urn:btih:{number:040x}&dn=Other.Film.{number}");
        others.push(daemon.ingest(&magnet).await);
    }
    let browser = Browser::open(daemon).await;
    browser.log_in(daemon).await;
    browser.see("#done tr", "1 link").await;
    let row = |id: &str| format!("tr[data-download='{id}'] a");
    browser.press("j").await;
    browser.see_focus(&row(&others[1])).await;
    browser.press("j").await;
    browser.see_focus(&row(&others[0])).await;
    browser.press("j").await;
    browser.see_focus(&row(&done)).await;
    browser.press("k").await;
    browser.see_focus(&row(&others[0])).await;
    browser.see_no("#bulk").await;
    browser.press("x").await;
    browser.see(&format!("tr[data-chosen][data-download='{}']", others[0]), "Other.Film.1").await;
    browser.see("#bulk", "Retry").await;
    browser.press("x").await;
    browser.see_no("#bulk").await;

    browser.press("?").await;
    browser.see("#keys[open]", "Keys").await;
    browser.screenshot("keys").await;
    browser.axe().await;
    // Off in a dialog.
    browser.press("s").await;
    browser.press("/").await;
    browser.press(keys::ESCAPE).await;
    browser.see_no("#keys").await;
    browser.see_path("/").await;

    browser.press("a").await;
    browser.see_focus("#quick-magnet").await;
    // Off while typing.
    browser.press("/?gl").await;
    browser.see_focus("#quick-magnet").await;
    assert_eq!(browser.script("return document.activeElement.value", &[]).await, "/?gl");
    browser.see_no("#keys").await;

    browser.press(&format!("{}{}", keys::TAB, keys::TAB)).await;
    browser.press("/").await;
    browser.see_path("/search").await;
    browser.press("gh").await;
    browser.see_path("/health").await;
    browser.press("gi").await;
    browser.see_path("/").await;
    browser.press("jjj").await;
    browser.see_focus(&row(&done)).await;
    browser.press(keys::ENTER).await;
    browser.see_path(&format!("/download/{done}")).await;
    browser.press("u").await;
    browser.see_focus("#summary [data-key=undo]").await;
    assert!(stage.in_library().exists(), "a letter undoes nothing");
    browser.press("r").await;
    browser.see_path(&format!("/download/{done}/review")).await;
    browser.no_complaints().await;
}

#[tokio::test]
async fn a_row_is_reviewed_by_a_letter() {
    spec!("web-ui#keys/a-row-that-needs-a-person");
    let stage = Stage::start().await;
    let name = "Harbour.Stories";
    stage.brings(name);
    let id = stage.daemon.ingest(&film::magnet_of(name)).await;
    stage.until_attention(&id, "needs-review").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.see("#needs-you tr", name).await;
    browser.press("jr").await;
    browser.see_path(&format!("/download/{id}/review")).await;
}
