//! Whoever is not let in: a session that ended, a page of somebody else.

use std::time::Duration;

use axum::response::Html;
use axum::routing::get;
use axum::{Router, serve};
use rusqlite::Connection;
use tokio::net::TcpListener;
use tracker_testkit::spec;

use crate::browser::Browser;
use crate::film;
use crate::stage::Stage;

/// Whether a script of the page can read the cookie of a session.
const SECRETS: &str = "return document.cookie.includes('session')";

const PASSWORD: &str = "correct horse battery";

/// Anna, who has a password.
fn anna(stage: &Stage) {
    let file = stage.daemon.home().join("password");
    std::fs::write(&file, PASSWORD).unwrap();
    let file = file.to_str().unwrap();
    stage.daemon.tracker(&["user", "add", "anna", "--password-file", file]).done();
}

/// Fills in the form of the login.
async fn log_in(browser: &Browser) {
    browser.fill("#name", "anna").await;
    browser.fill("#password", PASSWORD).await;
    browser.click("main button").await;
}

/// Has every session be over, as time would.
fn end_sessions(stage: &Stage) {
    let database = Connection::open(stage.daemon.data_dir().join("tracker.db")).unwrap();
    database.busy_timeout(Duration::from_secs(20)).unwrap();
    let ended =
        database.execute("UPDATE session SET expires_at = '2020-01-01T00:00:00Z'", ()).unwrap();
    assert!(ended > 0);
}

#[tokio::test]
async fn a_session_that_ended_leads_to_the_login_and_back() {
    spec!("access#sessions-end/on-an-open-page");
    let stage = Stage::start().await;
    anna(&stage);
    let id = stage.film().await;
    let browser = Browser::open(&stage.daemon).await;
    // Asked for without a session.
    browser.goto("/events?type=download.created").await;
    browser.see("h1", "Log in").await;
    log_in(&browser).await;
    browser.see_path("/events?type=download.created").await;

    let page = format!("/download/{id}");
    browser.goto(&page).await;
    browser.see("#technical", &id).await;
    end_sessions(&stage);
    // The page that is open finds out when something happens.
    stage.daemon.post(&format!("/downloads/{id}/pause"), &serde_json::json!({})).await.expect(200);
    browser.see("h1", "Log in").await;
    log_in(&browser).await;
    browser.see_path(&page).await;
    browser.see("#technical", &id).await;

    // A form is not sent by whoever the session was of.
    end_sessions(&stage);
    browser.click(&format!("form[action='{page}/resume'] button")).await;
    browser.see("h1", "Log in").await;
    assert_eq!(stage.daemon.download(&id).await["paused"], true);
    log_in(&browser).await;
    browser.see_path(&page).await;
}

/// A page of somebody else that sends a form, by a click, to where it is told.
async fn foreign(action: &str, fields: &str) -> u16 {
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><title>foreign</title>\
         <link rel=\"icon\" href=\"data:,\"></head><body>\
         <form method=\"post\" action=\"{action}\">{fields}<button>Win a prize</button></form>"
    );
    let router = Router::new().route("/", get(|| async { Html(page) }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { serve(listener, router).await });
    port
}

#[tokio::test]
async fn a_page_of_somebody_else_changes_nothing() {
    spec!("access#no-other-site-acts/in-a-browser");
    let stage = Stage::start().await;
    stage.announces(film::FILM);
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "downloading").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    let own = browser.root();
    let fields = "<input name=\"remove_torrent\" value=\"1\">";
    let port = foreign(&format!("{own}/download/{id}/cancel"), fields).await;

    // Another port of the same host is the same site: the cookie comes along, and the
    // origin tells.
    browser.visit(&format!("http://127.0.0.1:{port}/")).await;
    browser.click("button").await;
    browser.see("main", "cross-site").await;
    browser.axe().await;
    browser.screenshot("refusal-cross-site").await;

    // From another site not even the cookie comes: it is sent to the login. That is asked
    // for by the browser itself, with the cookie, and leads to the first page.
    let elsewhere = format!("http://localhost:{port}/");
    browser.visit(&elsewhere).await;
    browser.click("button").await;
    browser.see("h1", "Inbox").await;
    browser.see_path("/").await;

    for page in [format!("http://127.0.0.1:{port}/"), elsewhere] {
        browser.visit(&page).await;
        let write = "return fetch(arguments[0], { method: 'POST', mode: 'no-cors',
            credentials: 'include', body: new URLSearchParams({ remove_torrent: '1' }) })
            .then((answer) => answer.type, () => 'refused')";
        let cancel = format!("{own}/download/{id}/cancel");
        let said = browser.script(write, &[cancel.into()]).await;
        assert!(said == "opaque" || said == "refused", "{said}");
        let read = "return fetch(arguments[0], { credentials: 'include' })
            .then(() => 'read', () => 'refused')";
        assert_eq!(browser.script(read, &[own.clone().into()]).await, "refused");
        let framed = "const frame = document.createElement('iframe');
            frame.src = arguments[0];
            document.body.append(frame);
            return new Promise((done) => frame.addEventListener('load', () => {
                try { done(frame.contentDocument.title); } catch (error) { done('refused'); }
            }))";
        assert_eq!(browser.script(framed, &[own.clone().into()]).await, "refused");
        assert_eq!(browser.script(SECRETS, &[]).await, false);
    }

    assert_eq!(stage.daemon.download(&id).await["state"], "downloading");
    browser.goto(&format!("/download/{id}")).await;
    browser.see("#technical", &id).await;
    assert_eq!(browser.script(SECRETS, &[]).await, false);
}
