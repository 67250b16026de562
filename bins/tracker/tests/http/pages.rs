//! The pages, asked for as a program would.

use tracker_app::CancelRequest;
use tracker_domain::health::CHECKS;
use tracker_domain::{Actor, Attention, DownloadId};
use tracker_http::Code;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

#[tokio::test]
async fn every_code_has_a_page() {
    spec!("http-api#a-page-for-every-code/every-code");
    let daemon = Daemon::start().await;
    let codes = Code::ALL
        .iter()
        .map(|code| code.as_str())
        .chain(Attention::ALL.iter().map(|code| code.as_str()))
        .chain(CHECKS.iter().copied())
        .chain(["legacy-state"]);
    for code in codes {
        let path = format!("/problems/{code}");
        let page = daemon.raw(Ask { path: &path, ..Ask::default() }).await;
        assert_eq!(page.status.as_u16(), 200, "{code}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(page.text.contains(&format!("<code>{code}</code>")));
        assert!(page.text.contains("What to do"));

        // In Russian as well, every part of it.
        let headers = vec![("accept-language", "ru")];
        let russian = daemon.raw(Ask { path: &path, headers, ..Ask::default() }).await.text;
        assert!(russian.contains("Что делать"), "{code}");
        let text = |page: &str| page[page.find("<main").unwrap()..].to_owned();
        for part in text(&page.text)
            .lines()
            .filter(|line| line.starts_with("<p>") && !line.contains("<code>"))
        {
            assert!(!russian.contains(part), "{code} is not translated: {part}");
        }

        let headers = vec![("accept", "application/json")];
        let json = daemon.raw(Ask { path: &path, headers, ..Ask::default() }).await.json();
        assert_eq!(json["code"], code);
        assert!(!json["meaning"].as_str().unwrap().is_empty());
    }
    for code in ["no-such-code", "%FF", "%3Cb%3E"] {
        let path = format!("/problems/{code}");
        assert_eq!(daemon.raw(Ask { path: &path, ..Ask::default() }).await.code(), "not-found");
    }
}

#[tokio::test]
async fn a_download_has_a_page_behind_the_token() {
    spec!("http-api#the-page-of-a-download/in-any-letter-case");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{}", id.to_uppercase());
    assert_eq!(daemon.raw(Ask { path: &path, ..Ask::default() }).await.code(), "unauthorised");
    let page = daemon.get(&path).await;
    assert_eq!(page.status.as_u16(), 200);
    assert!(page.text.contains(&format!("<code>{id}</code>")));
    assert!(page.text.contains(&"a".repeat(40)));
    assert!(page.text.contains("<strong>accepted</strong>"));
    assert!(page.header("content-security-policy").contains("default-src 'self'"));
    // Nothing in the page itself runs or looks like anything.
    assert_eq!(page.text.matches("<script").count(), page.text.matches("<script src=").count());
    assert!(!page.text.contains("style="));
}

#[tokio::test]
async fn what_others_wrote_stays_text() {
    spec!("http-api#the-page-of-a-download/foreign-text");
    let daemon = Daemon::start().await;
    let name = "%3Cscript%3Ealert(1)%3C/script%3E%22%27";
    let magnet = format!("magnet:?xt=urn:btih:{}&dn={name}", "b".repeat(40));
    let json = format!("{{\"magnet\": \"{magnet}\", \"hint\": \"<b>bold</b>\"}}");
    let id = daemon.post("/api/v1/downloads", &json).await.json()["download"]["id"].clone();
    let id = id.as_str().unwrap();
    for path in [
        format!("/download/{id}"),
        format!("/download/{id}/review"),
        "/".to_owned(),
        "/events".to_owned(),
    ] {
        let page = daemon.get(&path).await;
        assert_eq!(page.status.as_u16(), 200, "{path}");
        assert!(page.text.contains("alert(1)"), "{path}");
        for markup in ["<script>alert", "<b>bold"] {
            assert!(!page.text.contains(markup), "{path}: {markup}");
        }
    }
}

#[tokio::test]
async fn what_was_asked_for_stays_text() {
    spec!("http-api#the-page-of-a-download/foreign-text");
    let daemon = Daemon::start().await;
    let asked = "%3C%2Ftitle%3E%22%27%3E%3Cscript%3Ealert(1)%26";
    for path in ["/search?q=", "/why?name=", "/add?magnet=", "/login?next=/"] {
        let path = format!("{path}{asked}");
        let page = daemon.get(&path).await;
        assert_eq!(page.status.as_u16(), 200, "{path}");
        assert!(!page.text.contains("<script>alert"), "{path}");
        assert!(!page.text.contains("</title>\"'>"), "{path}");
    }
    for path in ["/events?before=%3Cb%3E", "/events?type=%3Cb%3E", "/jobs?before=%3Cb%3E"] {
        let headers = vec![("accept", "text/html")];
        let refused = daemon.ask(Ask { path, headers, ..Ask::default() }).await;
        assert_eq!(refused.status.as_u16(), 422, "{path}");
        assert!(!refused.text.contains("<b>"), "{path}");
    }
}

#[tokio::test]
async fn ids_are_short_in_the_story_and_whole_elsewhere() {
    spec!("http-api#the-page-of-a-download/ids-in-its-table");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let page = daemon.get(&format!("/download/{id}")).await;
    assert!(page.text.contains(&format!("<dd><code>{id}</code>")));
    let events = daemon.get(&format!("/api/v1/events?download_id={id}")).await.json();
    let event = events["items"][0]["id"].as_str().unwrap();
    let short = &event[18..];
    assert!(
        page.text.contains(&format!("title=\"{event}\" data-whole=\"{event}\">{short}</code>"))
    );
}

#[tokio::test]
async fn every_page_answers_in_both_languages() {
    spec!("web-ui#pages-speak-russian-and-english/as-the-browser-asks");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let paths = [
        "/",
        "/add",
        "/library",
        "/search?q=a",
        "/events",
        "/jobs",
        "/health",
        "/settings",
        "/settings/keys",
        "/why?name=Dune.2021.1080p",
        "/login",
        "/problems/stalled",
    ];
    let of_one = [format!("/download/{id}"), format!("/download/{id}/review")];
    for path in paths.into_iter().chain(of_one.iter().map(String::as_str)) {
        for (language, word) in [("en", "<title>"), ("ru-RU,ru;q=0.9,en;q=0.5", "<title>")] {
            let headers = vec![("accept-language", language), ("accept", "text/html")];
            let page = daemon.ask(Ask { path, headers, ..Ask::default() }).await;
            assert_eq!(page.status.as_u16(), 200, "{path}: {}", page.text);
            let lang = format!("<html lang=\"{}\"", &language[..2]);
            assert!(page.text.contains(&lang) && page.text.contains(word), "{path}");
            // A name without its value would stand in braces.
            assert!(!page.text.contains("{$") && !page.text.contains("{ $"), "{path}");
            assert_eq!(page.text.matches("<h1").count(), 1, "{path}");
        }
    }
}

#[tokio::test]
async fn a_choice_of_language_and_theme_is_kept() {
    spec!("web-ui#pages-speak-russian-and-english/as-the-person-chose");
    let daemon = Daemon::start().await;
    let said = daemon.form("/preferences", "language=ru&theme=dark&next=/events").await;
    assert_eq!((said.status.as_u16(), said.header("location")), (303, "/events"));
    let cookies: Vec<_> = said.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
    let headers =
        vec![("cookie", "tracker_language=ru; tracker_theme=dark"), ("accept-language", "en")];
    let page = daemon.ask(Ask { path: "/", headers, ..Ask::default() }).await;
    assert!(page.text.contains("<html lang=\"ru\" data-theme=\"dark\""));
    // What is no choice changes nothing, and nobody is sent elsewhere.
    let said = daemon.form("/preferences", "language=xx&theme=pink&next=//evil.test").await;
    assert_eq!(said.header("location"), "/");
    assert_eq!(said.headers.get_all("set-cookie").iter().count(), 0);
}

#[tokio::test]
async fn the_inbox_is_ordered_by_who_must_act() {
    spec!("web-ui#the-inbox-is-ordered-by-who-must-act/three-groups");
    let daemon = Daemon::start().await;
    let ids = [daemon.accepted('a').await, daemon.accepted('b').await, daemon.accepted('c').await];
    let cancelled: DownloadId = ids[2].parse().unwrap();
    let request = CancelRequest::default();
    daemon.app.intake.cancel(cancelled, request, None, &Actor::System).await.unwrap();
    let marked: DownloadId = ids[0].parse().unwrap();
    daemon
        .db
        .write(&Actor::Worker, move |tx| {
            tx.raise_attention(marked, Attention::Stalled, "since noon")
        })
        .await
        .unwrap()
        .unwrap();
    let page = daemon.get("/").await.text;
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not there: {page}"));
    let link = |id: &str| format!("/download/{id}\">");
    let (needs, active, done) = (at("id=\"needs-you\""), at("id=\"active\""), at("id=\"done\""));
    assert!(needs < at(&link(&ids[0])) && at(&link(&ids[0])) < active);
    assert!(active < at(&link(&ids[1])) && at(&link(&ids[1])) < done);
    assert!(done < at(&link(&ids[2])));
    assert!(page.contains("<span class=\"count\">1</span>"));
    // One group alone.
    let part = daemon.get("/?group=active").await.text;
    assert!(part.contains(&ids[1]) && !part.contains(&ids[0]));
}

#[tokio::test]
async fn a_group_is_filtered_and_ordered() {
    spec!("web-ui#the-inbox-is-ordered-by-who-must-act/filter-on-the-page");
    let daemon = Daemon::start().await;
    let (a, b) = (daemon.accepted('a').await, daemon.accepted('b').await);
    let link = |id: &str| format!("/download/{id}\">");
    let page = daemon.get("/?group=active&order=oldest").await.text;
    assert!(page.find(&link(&a)).unwrap() < page.find(&link(&b)).unwrap());
    let page = daemon.get("/?group=active&order=newest&only=").await.text;
    assert!(page.find(&link(&a)).unwrap() > page.find(&link(&b)).unwrap());
    let page = daemon.get("/?group=active&only=linking&order=name").await.text;
    assert!(!page.contains(&link(&a)) && page.contains("None of these."));
    assert!(page.contains("<option value=\"linking\" selected>linking</option>"));
    assert!(page.contains("<option value=\"name\" selected>by name</option>"));
    // More than a page of them.
    let mut last = String::new();
    for number in 0..60 {
        let body = format!(r#"{{"magnet":"{:040x}"}}"#, number + 1);
        let accepted = daemon.post("/api/v1/downloads", &body).await.json();
        last = accepted["download"]["id"].as_str().unwrap().to_owned();
    }
    let page = daemon.get("/?group=active&only=queued&order=oldest").await.text;
    let page = page.replace("&#38;", "&").replace("&amp;", "&");
    let (_, next) =
        page.split_once("<a href=\"/?group=active&order=oldest&only=queued&behind=").unwrap();
    let (cursor, _) = next.split_once('"').unwrap();
    assert!(page.contains(&link(cursor)) && !page.contains(&link(&last)));
    let next =
        daemon.get(&format!("/?group=active&only=queued&order=oldest&behind={cursor}")).await.text;
    assert!(next.contains(&link(&last)) && !next.contains(&link(cursor)));
    for (query, named) in [
        ("group=nothing", "group"),
        ("group=active&only=done", "only"),
        ("group=active&order=size", "order"),
        ("group=active&behind=1", "behind"),
    ] {
        let refused = daemon.get(&format!("/?{query}")).await;
        assert_eq!(refused.status.as_u16(), 422, "{query}");
        assert!(refused.text.contains(named), "{}", refused.text);
    }
}

#[tokio::test]
async fn several_links_are_answered_one_by_one() {
    spec!("web-ui#handing-over-on-a-page/several-at-once");
    let daemon = Daemon::start().await;
    let known = daemon.accepted('a').await;
    let body =
        format!("magnet={}%0D%0A%0D%0A{}%0Anonsense&pin=tmdb:603", "a".repeat(40), "d".repeat(40));
    let page = daemon.form("/add", &body).await;
    assert_eq!(page.status.as_u16(), 200);
    assert!(page.text.contains("Already here:") && page.text.contains(&known));
    assert!(page.text.contains("New:"));
    assert!(page.text.contains("Not accepted:") && page.text.contains("/problems/invalid-magnet"));
    // What was refused stays in the field, with its options.
    assert!(page.text.contains(">nonsense</textarea>"));
    assert!(page.text.contains("value=\"tmdb:603\""));
    let listed = daemon.get("/api/v1/downloads").await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_stale_form_changes_nothing() {
    spec!("web-ui#review-on-a-page/a-stale-form");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/review");
    let first = daemon.form(&path, "do=adjust&revision=1&was.title=&field.title=Dune").await;
    assert_eq!(
        (first.status.as_u16(), first.header("location")),
        (303, path.as_str()),
        "{}",
        first.text
    );
    let second = daemon.form(&path, "do=adjust&revision=1&was.year=&field.year=1984").await;
    assert_eq!(second.status.as_u16(), 409);
    assert!(second.text.contains("role=\"alert\"") && second.text.contains("Dune"));
    let set = daemon.get(&format!("/api/v1/downloads/{id}/overrides")).await.json();
    assert_eq!(set["items"].as_array().unwrap().len(), 1, "{set}");
    // A value that does not fit is told on the page, and nothing is set.
    let wrong = daemon.form(&path, "do=adjust&was.year=&field.year=soon").await;
    assert_eq!(wrong.status.as_u16(), 422);
    // One of two does not fit: neither is set, and what was written stays in its field.
    let both = "do=adjust&was.title=Dune&field.title=Dune+II&was.year=&field.year=soon";
    let wrong = daemon.form(&path, both).await;
    assert_eq!(wrong.status.as_u16(), 422);
    assert!(wrong.text.contains("name=\"field.year\" value=\"soon\" aria-invalid=\"true\""));
    assert!(wrong.text.contains("id=\"wrong-year\"") && wrong.text.contains("value=\"Dune II\""));
    assert!(wrong.text.contains("name=\"was.title\" value=\"Dune\""));
    let set = daemon.get(&format!("/api/v1/downloads/{id}/overrides")).await.json();
    assert_eq!(set["items"][0]["value"], "Dune", "{set}");
    // What was emptied is taken back.
    let back = daemon.form(&path, "do=adjust&was.title=Dune&field.title=").await;
    assert_eq!(back.status.as_u16(), 303);
    let set = daemon.get(&format!("/api/v1/downloads/{id}/overrides")).await.json();
    assert_eq!(set["items"], serde_json::json!([]));
}

#[tokio::test]
async fn all_episodes_are_shifted_on_a_page() {
    spec!("web-ui#review-on-a-page/all-episodes-are-shifted");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/review");
    crate::review::recognise_series(&daemon, &id).await;
    let row = |episodes: &str| format!("name=\"field.file.0.episodes\" value=\"{episodes}\"");
    assert!(daemon.get(&path).await.text.contains(&row("13,14")));
    for wrong in ["", "soon", "0", "-14"] {
        let told = daemon.form(&path, &format!("do=shift&by={wrong}")).await;
        assert_eq!(told.status.as_u16(), 422, "{wrong}");
        assert!(told.text.contains("role=\"alert\""), "{wrong}");
    }
    assert_eq!(daemon.form(&path, "do=shift&by=-12").await.status.as_u16(), 303);
    crate::review::recognise_series(&daemon, &id).await;
    assert!(daemon.get(&path).await.text.contains(&row("1,2")));
}

#[tokio::test]
async fn a_file_is_included_on_a_page() {
    spec!("web-ui#review-on-a-page/a-file-is-included");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/review");
    crate::review::recognise_film(&daemon, &id).await;
    let page = daemon.get(&path).await.text;
    let offered =
        |page: &str| [0, 1, 2].map(|index| page.contains(&format!("value=\"include.{index}\"")));
    // The film gets a link, and a text could get none.
    assert_eq!(offered(&page), [false, true, false], "{page}");
    let said = daemon.form(&path, "do=include.1").await;
    assert_eq!((said.status.as_u16(), said.header("location")), (303, path.as_str()));
    let set = daemon.get(&format!("/api/v1/downloads/{id}/overrides")).await.json();
    let set = &set["items"].as_array().unwrap()[..];
    let [one] = set else { panic!("{set:?}") };
    assert_eq!((&one["field"], &one["value"]), (&"file.1.skip".into(), &"false".into()));
    crate::review::recognise_film(&daemon, &id).await;
    assert_eq!(offered(&daemon.get(&path).await.text), [false; 3]);
    let of = format!("/api/v1/downloads/{id}/recognition");
    assert_eq!(daemon.get(&of).await.json()["files"][1]["role"], "main");
    assert!(daemon.form(&path, "do=include.x").await.status.is_client_error());
}

#[tokio::test]
async fn a_person_asks_to_be_asked_on_a_page() {
    spec!("web-ui#review-on-a-page/always-ask");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of = format!("/download/{id}");
    let offers = async || {
        let (one, other) = (daemon.get(&of).await.text, daemon.get(&format!("{of}/review")).await);
        ["ask-title", "ask-download", "ask-title-off", "ask-download-off"].map(|word| {
            let on_page = one.contains(&format!("action=\"{of}/{word}\""));
            let in_review = other.text.contains(&format!("value=\"{word}\""));
            assert_eq!(on_page, in_review, "{word}");
            on_page
        })
    };
    // As long as no source has named a title there is none to ask for.
    assert_eq!(offers().await, [false, true, false, false]);
    crate::review::recognise(&daemon, &id).await;
    assert_eq!(offers().await, [true, true, false, false]);
    let said = daemon.form(&format!("{of}/ask-title"), "").await;
    assert_eq!((said.status.as_u16(), said.header("location")), (303, of.as_str()));
    assert_eq!(offers().await, [false, false, true, false]);
    daemon.form(&format!("{of}/review"), "do=ask-title-off").await;
    daemon.form(&format!("{of}/review"), "do=ask-download").await;
    assert_eq!(offers().await, [true, false, false, true]);
    daemon.form(&format!("{of}/ask-download-off"), "").await;
    assert_eq!(offers().await, [true, true, false, false]);
}

#[tokio::test]
async fn a_token_is_shown_once() {
    spec!("web-ui#settings-on-a-page/a-token");
    let daemon = Daemon::start().await;
    let made = daemon.form("/settings/keys", "do=new&name=phone&scope=read").await;
    assert_eq!(made.status.as_u16(), 200);
    assert!(made.text.contains("<code>tracker_"));
    assert!(!daemon.get("/settings/keys").await.text.contains("<code>tracker_"));
    assert_eq!(daemon.form("/settings/keys", "do=new&name=phone").await.status.as_u16(), 422);
    assert_eq!(daemon.form("/settings/keys", "do=revoke&name=phone").await.status.as_u16(), 303);
    assert!(!daemon.get("/settings/keys").await.text.contains(">phone<"));
}

#[tokio::test]
async fn any_id_leads_to_its_page() {
    spec!("web-ui#search-on-a-page/by-id");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let found = daemon.get(&format!("/search?q={}", id.to_uppercase())).await;
    assert_eq!(
        (found.status.as_u16(), found.header("location")),
        (303, format!("/download/{id}").as_str())
    );
    let found = daemon.get(&format!("/search?q={}", "a".repeat(40))).await;
    assert!(found.text.contains(&format!("/download/{id}")));
}

#[tokio::test]
async fn the_first_page_is_small() {
    spec!("web-ui#the-first-page-is-small/compressed");
    let daemon = Daemon::start().await;
    let mut bytes = 0;
    let page = daemon.get("/").await.text;
    let mut paths = vec!["/".to_owned()];
    for front in ["href=\"/static/", "src=\"/static/"] {
        for rest in page.split(front).skip(1) {
            paths.push(format!("/static/{}", rest.split('"').next().unwrap()));
        }
    }
    assert!(paths.len() > 4, "{paths:?}");
    for path in paths {
        let headers = vec![("accept-encoding", "gzip")];
        let request = Ask { path: &path, headers, ..Ask::default() };
        let token = format!("Bearer {}", daemon.token);
        let mut request = request;
        request.headers.push(("authorization", &token));
        let answer = daemon.open(request).await;
        assert_eq!(answer.status().as_u16(), 200, "{path}");
        bytes += axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().len();
    }
    assert!(bytes < 60_000, "{bytes}");
}
