//! Names of strangers on pages, and what is told of what a person said of their files.

use axum::http::Method;
use tracker_domain::unseen::turns;
use tracker_testkit::made_up::{self, Kind};
use tracker_testkit::spec;
use url::form_urlencoded::byte_serialize;

use crate::fixture::{Ask, Daemon};
use crate::review::recognise_film;

/// Hands over a torrent of this name, and tells its id.
async fn named(daemon: &Daemon, name: &str) -> String {
    let headers = vec![("content-type", "application/x-bittorrent")];
    let body = made_up::torrent(Kind::V1, name).bytes().to_vec();
    let path = "/api/v1/downloads";
    let answer = daemon.ask(Ask { method: Method::POST, path, headers, body }).await;
    answer.json()["download"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn no_page_shows_a_mark_of_direction() {
    spec!("web-ui#names-of-strangers/marks-of-direction");
    let daemon = Daemon::start().await;
    let name = "\u{202e}Nice.Film.2021\u{202e}vkm\u{2066}.exe\u{200f}";
    let id = named(&daemon, name).await;
    let told = daemon.get(&format!("/api/v1/downloads/{id}")).await.json();
    assert_eq!(told["name"], name, "the name itself stays");
    let of = format!("/download/{id}");
    let review = format!("{of}/review");
    let search = format!("/search?for={id}&q=%E2%80%AEfilm");
    let refused = "/add?hint=%E2%80%AEfilm&magnet=%E2%80%AEnonsense";
    for path in ["/", "/events", &of, &review, &search] {
        let page = daemon.get(path).await.text;
        assert!(page.contains("Nice.Film.2021vkm.exe"), "{path}: {page}");
        assert!(!page.contains(turns), "{path}: {page}");
    }
    // What a person typed comes back into its field as it was.
    let page = daemon.get(refused).await.text;
    assert!(page.contains(">\u{202e}nonsense</textarea>"), "{page}");
    assert!(page.contains("value=\"\u{202e}film\""), "{page}");
}

#[tokio::test]
async fn a_name_that_cannot_be_typed_is_shown_as_it_can() {
    spec!("web-ui#what-cannot-be-undone-is-confirmed/a-name-that-cannot-be-typed");
    let daemon = Daemon::start().await;
    for (name, shown) in [
        ("Two\r\n Lines\u{202e}\u{200b}", Some("Two Lines")),
        ("One\u{a0}Line", Some("One Line")),
        ("\u{202e}\u{200b}", None),
    ] {
        let id = named(&daemon, name).await;
        let page = daemon.get(&format!("/download/{id}")).await.text;
        let typed = shown.map_or_else(|| id.clone(), str::to_owned);
        let beside = page.split("id=\"typed-help\"").nth(1).unwrap();
        let beside = beside.split("<bdi>").nth(1).unwrap().split("</bdi>").next().unwrap();
        assert_eq!(beside.replace('\u{200b}', ""), typed);
        let path = format!("/download/{id}/cancel");
        for wrong in ["", "+", "Two", "%0A"] {
            let body = format!("remove_torrent=1&delete_data=1&typed={wrong}");
            assert_eq!(daemon.form(&path, &body).await.status.as_u16(), 422, "{wrong}");
        }
        let typed: String = byte_serialize(typed.as_bytes()).collect();
        let body = format!("remove_torrent=1&delete_data=1&typed={typed}");
        assert_eq!(daemon.form(&path, &body).await.status.as_u16(), 303, "{name:?}");
    }
}

#[tokio::test]
async fn a_file_that_a_person_left_out_is_told_as_that() {
    spec!("web-ui#review-on-a-page/a-file-is-left-out");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/review");
    recognise_film(&daemon, &id).await;
    let said = daemon.form(&path, "do=adjust&was.file.0.skip=&field.file.0.skip=true").await;
    assert_eq!(said.status.as_u16(), 303, "{}", said.text);
    recognise_film(&daemon, &id).await;
    let page = daemon.get(&path).await.text;
    assert_eq!(page.matches("left out by a person").count(), 2, "{page}");
    assert!(page.contains("name=\"field.file.0.skip\" value=\"true\" checked"), "{page}");
    assert!(daemon.get(&format!("/download/{id}")).await.text.contains("left out by a person"));
    let of = format!("/api/v1/downloads/{id}");
    assert_eq!(
        daemon.get(&format!("{of}/recognition")).await.json()["files"][0]["role"],
        "left-out"
    );
    let plan = daemon.get(&format!("{of}/plan")).await.json();
    let reasons = plan["skipped"].as_array().unwrap().iter().map(|one| &one["reason"]);
    assert_eq!(reasons.filter(|reason| **reason == "left-out").count(), 1, "{plan}");
}
