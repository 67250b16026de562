//! What pages show beside downloads: posters, works of the sources, settings.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use tracker_app::{NameExampleView, OriginView, SettingView, SettingsSection, SettingsView};
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{Image, Images, MetadataError};
use tracker_testkit::{FakeMetadata, spec};

use crate::fixture::{Ask, Daemon, NOBODY};
use crate::review::recognise;

/// Has one picture.
struct Shelf;

#[async_trait]
impl Images for Shelf {
    async fn poster(&self, _: Provider, place: &str) -> Option<Image> {
        let has = place == "/603.jpg";
        has.then(|| Image { bytes: b"picture".to_vec(), media_type: "image/jpeg" })
    }
}

/// The ids of the candidates of a download, the best first.
async fn candidates(daemon: &Daemon, id: &str) -> Vec<String> {
    let found = daemon.get(&format!("/api/v1/downloads/{id}/candidates")).await.json();
    let items = found["items"].as_array().unwrap().iter();
    items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_candidate_has_its_poster_on_the_page() {
    spec!("web-ui#posters-are-ours/on-a-page");
    let daemon = Daemon::start().await.serving(|app| app.with_posters(Arc::new(Shelf)));
    let id = daemon.accepted('a').await;
    recognise(&daemon, &id).await;
    let found = candidates(&daemon, &id).await;
    let page = daemon.get(&format!("/download/{id}/review")).await.text;
    for (candidate, title) in found.iter().zip(["Film 603", "Film 604"]) {
        let image = format!(
            "<img class=\"poster\" src=\"/poster/{candidate}\" width=\"80\" height=\"120\" \
             loading=\"lazy\" alt=\"{title} (1999)\">"
        );
        assert!(page.contains(&image), "{page}");
    }
    let path = format!("/poster/{}", found[0].to_uppercase());
    let first = daemon.get(&path).await;
    assert_eq!((first.status.as_u16(), first.text.as_str()), (200, "picture"));
    assert_eq!(first.header("content-type"), "image/jpeg");
    assert_eq!(first.header("cache-control"), "private, max-age=86400");
    let headers = vec![("if-none-match", first.header("etag"))];
    let again = daemon.ask(Ask { path: &path, headers, ..Ask::default() }).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    // Nobody sees it without access, and nobody's is none.
    assert_eq!(daemon.raw(Ask { path: &path, ..Ask::default() }).await.code(), "unauthorised");
    assert_eq!(daemon.get(&format!("/poster/{NOBODY}")).await.code(), "not-found");
    assert_eq!(daemon.get("/poster/..%2F..%2Fetc").await.code(), "not-found");
}

#[tokio::test]
async fn a_card_stands_where_there_is_no_picture() {
    spec!("web-ui#posters-are-ours/a-title-card");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    recognise(&daemon, &id).await;
    for candidate in candidates(&daemon, &id).await {
        let card = daemon.get(&format!("/poster/{candidate}")).await;
        assert_eq!((card.status.as_u16(), card.header("content-type")), (200, "image/svg+xml"));
        // The picture may come, so the card is not kept.
        assert_eq!(card.header("cache-control"), "no-store");
        assert!(card.text.contains(">Film 60") && card.text.contains(">1999<"), "{}", card.text);
    }
}

#[tokio::test]
async fn a_work_is_found_and_pinned() {
    spec!("web-ui#search-on-a-page/a-work");
    let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
    let daemon = Daemon::start().await.serving(|app| app.with_sources(vec![tmdb]));
    let id = daemon.accepted('a').await;
    let found = daemon.get("/search?q=Iron+Orchard+2014").await.text;
    let work = found.split("<code>tmdb:").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let address = format!("https://www.themoviedb.org/{work}");
    assert!(found.contains(&format!("href=\"{address}\" rel=\"noreferrer\"")), "{found}");
    assert!(found.contains(&format!("/add?pin=tmdb%3A{}", work.replace('/', "%2F"))), "{found}");
    let add = daemon.get(&format!("/add?pin=tmdb:{work}")).await.text;
    assert!(add.contains(&format!("name=\"pin\" value=\"tmdb:{work}\"")), "{add}");
    // Looked for a download, what is found can be pinned to it.
    let found = daemon.get(&format!("/search?for={id}&q=Iron+Orchard+2014")).await.text;
    assert!(found.contains(&format!("action=\"/download/{id}/review\"")), "{found}");
    let pinned = daemon
        .form(&format!("/download/{id}/review"), &format!("do=pin&revision=1&pin=tmdb:{work}"))
        .await;
    assert_eq!(pinned.status.as_u16(), 303, "{}", pinned.text);
    let set = daemon.get(&format!("/api/v1/downloads/{id}/overrides")).await.json();
    assert_eq!(set["items"][0]["value"], format!("tmdb:{work}"));
    // What cannot be looked for is said on the page.
    let long = daemon.get(&format!("/search?q={}", "x".repeat(501))).await;
    assert_eq!(long.status.as_u16(), 422);
    assert!(long.text.contains("role=\"alert\""), "{}", long.text);
    assert_eq!(daemon.get(&format!("/search?for={NOBODY}&q=x")).await.status.as_u16(), 404);
}

fn settings() -> SettingsView {
    let place = Some("TRACKER__METADATA__TMDB_TOKEN".to_owned());
    SettingsView {
        file: Some("/etc/tracker/tracker.toml".into()),
        sections: vec![
            SettingsSection {
                name: "general".to_owned(),
                item: None,
                values: vec![SettingView {
                    key: "umask".to_owned(),
                    value: Some("\"0002\"".to_owned()),
                    secret: false,
                    origin: OriginView { kind: "default", place: None },
                }],
            },
            SettingsSection {
                name: "metadata".to_owned(),
                item: None,
                values: vec![SettingView {
                    key: "tmdb_token".to_owned(),
                    value: Some("\"***\"".to_owned()),
                    secret: true,
                    origin: OriginView { kind: "variable", place },
                }],
            },
        ],
        names: vec![NameExampleView {
            what: "film",
            pattern: "{Title} ({Year})".to_owned(),
            path: "Film (1999).mkv".into(),
        }],
    }
}

#[tokio::test]
async fn settings_are_shown_with_their_origins_and_tried() {
    spec!("web-ui#settings-on-a-page/values-and-trials");
    let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
    let sources = tmdb.clone();
    let daemon = Daemon::start()
        .await
        .serving(|app| app.with_settings(settings()).with_sources(vec![sources]));
    let page = daemon.get("/settings").await.text;
    for part in [
        "/etc/tracker/tracker.toml",
        "<td>default</td>",
        "<td>environment <small>TRACKER__METADATA__TMDB_TOKEN</small></td>",
        "<td class=\"path\">Film (1999).mkv</td>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // General speaks to nobody, so there is nothing to try.
    assert_eq!(page.matches("value=\"try\"").count(), 1);
    let tried = daemon.form("/settings", "do=try&section=metadata&item=").await;
    assert_eq!(tried.status.as_u16(), 200);
    assert!(tried.text.contains("It works:"), "{}", tried.text);
    tmdb.fail_with(MetadataError::Unreachable("nobody is there".to_owned()));
    let tried = daemon.form("/settings", "do=try&section=metadata&item=").await.text;
    assert!(tried.contains("It does not work:"), "{tried}");
    for wrong in ["do=try&section=general", "do=try&section=client&item=nobody", "do=dance"] {
        assert_eq!(daemon.form("/settings", wrong).await.status.as_u16(), 422, "{wrong}");
    }
    assert_eq!(
        daemon.form("/bulk", &format!("do=dance&chosen={NOBODY}")).await.status.as_u16(),
        422
    );
}

#[tokio::test]
async fn a_program_finds_what_a_person_finds() {
    spec!("http-api#search-over-rest/a-work-and-a-download");
    let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
    let daemon = Daemon::start().await.serving(|app| app.with_sources(vec![tmdb]));
    let id = daemon.accepted('a').await;
    let found = daemon.get("/api/v1/search?q=Iron+Orchard+2014").await.json();
    assert_eq!(found["works"][0]["title"], "Iron Orchard", "{found}");
    assert_eq!((&found["entity"], found["causes"].as_array().unwrap().len()), (&Value::Null, 0));
    let found = daemon.get(&format!("/api/v1/search?q={}", id.to_uppercase())).await.json();
    assert_eq!(
        (&found["entity"]["kind"], &found["entity"]["id"]),
        (&json!("download"), &json!(id))
    );
    assert_eq!(found["downloads"][0]["id"], json!(id));
    let long = daemon.get(&format!("/api/v1/search?q={}", "x".repeat(501))).await;
    assert_eq!((long.status.as_u16(), long.code().as_str()), (422, "invalid-request"));
    assert_eq!(long.json()["errors"][0]["parameter"], "q");
    assert_eq!(daemon.get("/api/v1/search").await.status.as_u16(), 422);
}
