//! What forms answer: what was done is told once, and a refusal leaves a way on.

use axum::http::Method;
use tracker_app::Caller;
use tracker_domain::Actor;
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon};

/// What a browser says that it can read.
const PAGE: (&str, &str) = ("accept", "text/html,application/xhtml+xml");

/// A page as a browser asks for it, in a language.
async fn page(daemon: &Daemon, path: &str, language: &str) -> Answer {
    let headers = vec![PAGE, ("accept-language", language)];
    daemon.ask(Ask { path, headers, ..Ask::default() }).await
}

/// A form as a browser sends it, in a language.
async fn sent(daemon: &Daemon, path: &str, language: &str, body: &str) -> Answer {
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let headers = vec![PAGE, kind, ("accept-language", language)];
    let body = body.as_bytes().to_vec();
    daemon.ask(Ask { method: Method::POST, path, headers, body }).await
}

/// The cookie that an answer hands on.
fn handed_on(answer: &Answer) -> String {
    let cookies = answer.headers.get_all("set-cookie").iter();
    let mut told =
        cookies.map(|it| it.to_str().unwrap()).filter(|it| it.starts_with("tracker_told"));
    told.next().map(|it| it.split(';').next().unwrap().to_owned()).unwrap_or_default()
}

/// What the page after a form tells.
async fn told_after(daemon: &Daemon, answer: &Answer) -> String {
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text);
    let (path, cookie) = (answer.header("location"), handed_on(answer));
    let headers = vec![PAGE, ("cookie", cookie.as_str())];
    let page = daemon.ask(Ask { path, headers, ..Ask::default() }).await;
    assert_eq!(page.status.as_u16(), 200, "{path}");
    // And takes it away.
    assert_eq!(handed_on(&page), "tracker_told=", "{path}: {cookie}");
    told_on(&page).unwrap_or_else(|| panic!("{path} tells nothing of {cookie}"))
}

fn told_on(page: &Answer) -> Option<String> {
    let (_, rest) = page.text.split_once("<p id=\"told\"")?;
    let (text, _) = rest.split_once('>')?.1.split_once("</p>")?;
    Some(text.to_owned())
}

/// The cookie of a person who has just come in.
async fn session(daemon: &Daemon) -> String {
    let access = &daemon.app.access;
    access.user_add("anna", None, &Actor::System).await.unwrap();
    let (_, link) = access.login_link(None, &Actor::System).await.unwrap();
    let caller = Caller { address: None, user_agent: None };
    let login = access.login_by_link(&link, caller).await.unwrap();
    format!("tracker_session={}", login.secret.expose())
}

fn has_navigation(page: &Answer) -> bool {
    page.text.contains("<nav class=\"site\"")
}

#[tokio::test]
async fn both_spellings_of_the_base_path_are_the_first_page() {
    spec!("http-api#a-base-path/the-first-page");
    let daemon = Daemon::below("/tracker").await;
    for first in ["/tracker", "/tracker/", "/"] {
        let page = page(&daemon, first, "en").await;
        assert_eq!(page.status.as_u16(), 200, "{first}");
        assert!(page.text.contains("<input type=\"hidden\" name=\"next\" value=\"/\">"), "{first}");
        for rest in page.text.split("href=\"").skip(1) {
            let path = rest.split('"').next().unwrap();
            if path.starts_with('#') {
                continue;
            }
            assert!(path.starts_with("/tracker/"), "{first} leads to {path}");
            assert_eq!(daemon.get(path).await.status.as_u16(), 200, "{path}");
        }
        // Whoever has to log in comes back to it.
        let stranger = Ask { path: first, headers: vec![PAGE], ..Ask::default() };
        assert_eq!(daemon.raw(stranger).await.header("location"), "/tracker/login", "{first}");
    }
    let with_query = page(&daemon, "/tracker?group=active", "en").await;
    assert!(with_query.text.contains("name=\"next\" value=\"/?group=active\""));
    let back = daemon.form("/tracker/preferences", "language=ru&next=/?group=active").await;
    assert_eq!(back.header("location"), "/tracker/?group=active");
    assert_eq!(daemon.get(back.header("location")).await.status.as_u16(), 200);
    let patched = Ask { method: Method::PATCH, path: "/tracker/", ..Ask::default() };
    assert_eq!(daemon.ask(patched).await.code(), "method-not-allowed");
}

#[tokio::test]
async fn what_was_done_is_told_once() {
    spec!("web-ui#what-was-done-is-told/once");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/pause");
    let done = daemon.form(&path, "next=/").await;
    let cookie = handed_on(&done);
    // Neither a part of a page that is open elsewhere nor what is no page takes it.
    for (path, header) in [("/", ("hx-request", "true")), ("/static/app.css", PAGE)] {
        let headers = vec![header, ("cookie", cookie.as_str())];
        let other = daemon.ask(Ask { path, headers, ..Ask::default() }).await;
        assert_eq!((handed_on(&other), told_on(&other)), (String::new(), None), "{path}");
    }
    let told = told_after(&daemon, &done).await;
    assert!(told.contains("It is paused now."), "{told}");
    assert!(told.contains(&format!("href=\"/download/{id}\"")), "{told}");
    assert_eq!(told_on(&daemon.get("/").await), None);
    // What nobody here wrote tells nothing.
    for cookie in ["tracker_told=<b>.1", "tracker_told=paused", "tracker_told=paused.1.x"] {
        let headers = vec![PAGE, ("cookie", cookie)];
        let page = daemon.ask(Ask { path: "/", headers, ..Ask::default() }).await;
        assert_eq!(told_on(&page), None, "{cookie}");
    }
}

#[tokio::test]
async fn each_form_tells_what_it_did() {
    spec!("web-ui#what-was-done-is-told/each-form");
    let daemon = Daemon::start().await;
    let (one, two) = (daemon.accepted('a').await, daemon.accepted('b').await);
    let of = |act: &str| format!("/download/{one}/{act}");
    for (path, body, word) in [
        (of("pause"), String::new(), "It is paused now."),
        (of("resume"), String::new(), "It goes on."),
        (of("rerun"), String::new(), "1 download is recognised again."),
        (of("ask-download"), String::new(), "You will be asked"),
        (of("ask-download-off"), String::new(), "not be asked"),
        (of("cancel"), String::new(), "1 download was given up."),
        (of("retry"), String::new(), "1 download is tried again."),
        ("/bulk".to_owned(), "do=cancel".to_owned(), "Nothing was chosen."),
        (
            "/bulk".to_owned(),
            format!("do=cancel&chosen={one}&chosen={two}"),
            "2 downloads were given up. Retry takes them up again.",
        ),
        (of("remove"), String::new(), "It was removed from the lists."),
        ("/backups".to_owned(), String::new(), "The backup has begun."),
        ("/health".to_owned(), String::new(), "All checks were run again."),
    ] {
        let told = told_after(&daemon, &daemon.form(&path, &body).await).await;
        assert!(told.contains(word), "{path} tells {told:?}");
    }
    daemon.form("/settings/keys", "do=new&name=phone&scope=read").await;
    let revoked = daemon.form("/settings/keys", "do=revoke&name=phone").await;
    assert!(told_after(&daemon, &revoked).await.contains("revoked"));
}

#[tokio::test]
async fn links_that_are_checked_and_undone_are_counted() {
    spec!("web-ui#what-was-done-is-told/each-form");
    let (daemon, disk) = (Daemon::start().await, tempfile::tempdir().unwrap());
    let id = daemon.accepted('a').await;
    let target = disk.path().join("movies/Film.mkv");
    crate::removal::linked(&daemon, &id, disk.path(), &target).await;
    let verify = format!("/download/{id}/verify");
    let told = told_after(&daemon, &daemon.form(&verify, "").await).await;
    assert!(told.contains("1 link was checked and is as it was made."), "{told}");
    std::fs::remove_file(&target).unwrap();
    let told = told_after(&daemon, &daemon.form(&verify, "").await).await;
    assert!(told.contains("1 link is not as it was made"), "{told}");
    std::fs::hard_link(disk.path().join("film.mkv"), &target).unwrap();
    let page = daemon.get(&format!("/download/{id}")).await.text;
    let undo = page.split("action=\"").find(|rest| rest.starts_with("/batches/")).unwrap();
    let undo = undo.split('"').next().unwrap();
    let told = told_after(&daemon, &daemon.form(undo, "next=/").await).await;
    assert!(told.contains("Undone: 1 link was taken out of the library."), "{told}");
    assert!(told.contains(&format!("href=\"/download/{id}\"")) && !target.exists(), "{told}");
    // Opened again, the address of the form is the page of the download.
    let home = daemon.get(undo).await;
    assert_eq!(home.header("location"), format!("/download/{id}"));
}

#[tokio::test]
async fn a_refusal_stands_on_the_page_of_its_form() {
    spec!("web-ui#a-refusal-leaves-a-way-on/on-its-page");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/cancel");
    for (language, wrong) in
        [("en", "to delete its data, type the name"), ("ru", "чтобы удалить данные, введите")]
    {
        let body = "remove_torrent=1&delete_data=1&typed=%22x";
        let told = sent(&daemon, &path, language, body).await;
        assert_eq!(told.status.as_u16(), 422);
        assert!(has_navigation(&told) && told.text.contains("data-summary"), "{}", told.text);
        assert!(told.text.contains(&format!("<span class=\"wrong\" id=\"typed-wrong\">{wrong}")));
        assert!(told.text.contains("aria-describedby=\"typed-help typed-wrong\""));
        assert!(told.text.contains("value=\"&#34;x\""), "{}", told.text);
        for ticked in ["remove_torrent", "delete_data"] {
            let box_of = format!("name=\"{ticked}\" value=\"1\" checked");
            assert!(told.text.contains(&box_of), "{ticked}");
        }
    }
    // A form that is older than the download.
    assert_eq!(sent(&daemon, &path, "en", "revision=1").await.status.as_u16(), 303);
    let stale = sent(&daemon, &format!("/download/{id}/remove"), "en", "revision=1").await;
    assert_eq!(stale.status.as_u16(), 409);
    assert!(has_navigation(&stale) && stale.text.contains("<h2 id=\"story-title\">"));
    // Its torrent is another one's by now.
    let owner = daemon.accepted('a').await;
    assert_ne!(owner, id);
    let taken = sent(&daemon, &format!("/download/{id}/retry"), "en", "").await;
    assert_eq!(taken.status.as_u16(), 409);
    assert!(taken.text.contains(&format!("<a href=\"/download/{owner}\">")), "{}", taken.text);
    // A job that has ended.
    let asked = daemon.post("/api/v1/backups", "").await.json();
    let job = asked["id"].as_str().unwrap();
    let ends = format!("/jobs/{job}/cancel");
    assert_eq!(sent(&daemon, &ends, "en", "").await.status.as_u16(), 303);
    let ended = sent(&daemon, &ends, "en", "").await;
    assert_eq!(ended.status.as_u16(), 409);
    assert!(ended.text.contains("role=\"alert\"") && ended.text.contains(job));
}

#[tokio::test]
async fn many_at_once_are_told_one_by_one() {
    spec!("web-ui#a-refusal-leaves-a-way-on/many-at-once");
    let daemon = Daemon::start().await;
    let (one, two) = (daemon.accepted('a').await, daemon.accepted('b').await);
    daemon.form(&format!("/download/{one}/cancel"), "").await;
    let body = format!("do=retry&chosen={one}&chosen={two}");
    let told = sent(&daemon, "/bulk", "en", &body).await;
    assert_eq!(told.status.as_u16(), 409, "{}", told.text);
    assert!(has_navigation(&told) && told.text.contains("id=\"needs-you\""));
    assert!(told.text.contains("1 download is tried again."), "{}", told.text);
    let name = "b".repeat(40);
    assert!(told.text.contains(&format!("<li><strong>{name}")), "{}", told.text);
}

#[tokio::test]
async fn a_page_that_is_not_there_has_the_navigation() {
    spec!("web-ui#a-refusal-leaves-a-way-on/a-page-of-its-own");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let host = ("host", "localhost");
    for (language, way) in [("en", "To the inbox"), ("ru", "Ко входящим")] {
        for path in ["/nothing", "/download/x", "/?group=nothing"] {
            let told = page(&daemon, path, language).await;
            assert!(told.status.is_client_error(), "{path}");
            assert!(has_navigation(&told) && told.text.contains(way), "{path}: {}", told.text);
            assert!(told.text.contains(&format!("<html lang=\"{language}\"")), "{path}");
            // The other language is that of the same page.
            assert!(told.text.contains(&format!("name=\"next\" value=\"{path}\"")), "{path}");
        }
    }
    // From where it was asked for, that is where it goes on.
    let referer = ("referer", "http://localhost/jobs");
    let headers = vec![PAGE, host, referer];
    let told = daemon.ask(Ask { path: "/nothing", headers, ..Ask::default() }).await;
    assert!(told.text.contains("<a class=\"button\" href=\"/jobs\">Back</a>"), "{}", told.text);
    let from = format!("http://localhost/download/{id}");
    let headers = vec![PAGE, host, ("referer", from.as_str())];
    let told =
        daemon.ask(Ask { method: Method::PUT, path: "/jobs", headers, ..Ask::default() }).await;
    assert_eq!(told.status.as_u16(), 405);
    assert!(told.text.contains(&format!("href=\"/download/{id}\">To the download</a>")));
    // Another site is no place to go back to, and who has no access sees nothing of it.
    let headers = vec![PAGE, host, ("referer", "http://evil.test/x")];
    let told = daemon.ask(Ask { path: "/nothing", headers, ..Ask::default() }).await;
    assert!(!told.text.contains("evil"), "{}", told.text);
    let headers = vec![PAGE];
    let told = daemon.raw(Ask { path: "/problems/none", headers, ..Ask::default() }).await;
    assert!(!has_navigation(&told), "{}", told.text);
}

#[tokio::test]
async fn the_address_of_a_form_leads_to_its_page() {
    spec!("web-ui#a-refusal-leaves-a-way-on/the-address-of-a-form");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let home = format!("/download/{id}");
    let nobody = crate::fixture::NOBODY;
    for (path, home) in [
        (format!("{home}/cancel"), home.as_str()),
        (format!("{home}/ask-title-off"), home.as_str()),
        ("/bulk".to_owned(), "/"),
        ("/backups".to_owned(), "/jobs"),
        (format!("/backups/{nobody}/verify"), "/jobs"),
        (format!("/jobs/{nobody}/cancel"), "/jobs"),
        (format!("/settings/remembered/{nobody}/forget"), "/settings/remembered"),
    ] {
        let opened = page(&daemon, &path, "en").await;
        assert_eq!((opened.status.as_u16(), opened.header("location")), (303, home), "{path}");
    }
    for path in [format!("{home}/explode"), format!("/batches/{nobody}/undo")] {
        assert_eq!(page(&daemon, &path, "en").await.status.as_u16(), 404, "{path}");
    }
}

#[tokio::test]
async fn what_a_code_means_shows_the_way_on() {
    spec!("http-api#a-page-for-every-code/the-way-on");
    let daemon = Daemon::start().await;
    let session = session(&daemon).await;
    let inside = async |code: &str| {
        let path = format!("/problems/{code}");
        let headers = vec![PAGE, ("cookie", session.as_str())];
        daemon.raw(Ask { path: &path, headers, ..Ask::default() }).await
    };
    for (code, way) in [
        ("needs-review", "href=\"/?group=needs-you&#38;only=needs-review\""),
        ("links-impossible", "href=\"/health\""),
        ("stale", "href=\"/\""),
    ] {
        let page = inside(code).await;
        assert!(has_navigation(&page), "{code}");
        let button = format!("<a class=\"button\" {way}>");
        assert!(page.text.contains(&button), "{code}: {}", page.text);
    }
    assert!(inside("needs-review").await.text.contains("Press Review beside it"));
    let open = daemon.raw(Ask { path: "/problems/stale", headers: vec![PAGE], ..Ask::default() });
    assert!(!has_navigation(&open.await));
}

/// A form with these files, each with its name.
pub fn with_files(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, bytes) in files {
        let head = format!(
            "--line\r\nContent-Disposition: form-data; name=\"torrent\"; filename=\"{name}\"\r\n\
             Content-Type: application/x-bittorrent\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--line--\r\n");
    body
}

#[tokio::test]
async fn files_that_are_refused_are_named() {
    spec!("web-ui#handing-over-on-a-page/files-that-are-refused");
    let daemon = Daemon::start().await;
    let headers = vec![("content-type", "multipart/form-data; boundary=line")];
    let files: [(&str, &[u8]); 3] =
        [("one.torrent", b"<html>"), ("two & more.torrent", b"x"), ("empty.torrent", b"")];
    let body = with_files(&files);
    let ask = Ask { method: Method::POST, path: "/add", headers, body };
    let told = daemon.ask(ask.clone()).await;
    assert_eq!(told.status.as_u16(), 200);
    for name in ["one.torrent", "two &#38; more.torrent", "empty.torrent"] {
        assert!(told.text.contains(&format!("<code>{name}</code>")), "{name}: {}", told.text);
    }
    // They do not go into the field of the links.
    let field = told.text.split("<textarea id=\"magnet\"").nth(1).unwrap();
    assert!(field.split('>').nth(1).unwrap().starts_with("</textarea"), "{field}");
    // A field in which no file was chosen is sent with neither a name nor bytes.
    let told = daemon.ask(Ask { body: with_files(&[("", b"")]), ..ask }).await;
    assert!(told.text.contains("id=\"nothing-given\"") && !told.text.contains("Not accepted"));
}

#[tokio::test]
async fn an_empty_box_leads_to_the_page_of_adding() {
    spec!("web-ui#handing-over-on-a-page/nothing-given");
    let daemon = Daemon::start().await;
    let first = daemon.get("/").await.text;
    assert!(first.contains("<a class=\"button\" href=\"/add\">File…</a>"), "{first}");
    for body in ["", "magnet=", "magnet=+%0D%0A"] {
        let told = daemon.form("/add", body).await;
        assert_eq!(told.status.as_u16(), 200);
        assert!(told.text.contains("Nothing was given."), "{body:?}: {}", told.text);
        assert!(!told.text.contains("Not accepted") && told.text.contains("type=\"file\""));
    }
}
