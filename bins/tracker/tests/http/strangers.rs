//! Names of strangers on pages.

use axum::http::Method;
use tracker_testkit::made_up::{self, Kind};
use tracker_testkit::spec;
use url::form_urlencoded::byte_serialize;

use crate::fixture::{Ask, Daemon};

/// Hands over a torrent of this name, and tells its id.
async fn named(daemon: &Daemon, name: &str) -> String {
    let headers = vec![("content-type", "application/x-bittorrent")];
    let body = made_up::torrent(Kind::V1, name).bytes().to_vec();
    let path = "/api/v1/downloads";
    let answer = daemon.ask(Ask { method: Method::POST, path, headers, body }).await;
    answer.json()["download"]["id"].as_str().unwrap().to_owned()
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
