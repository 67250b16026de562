//! Ids in addresses.

use reqwest::Method;
use tracker_testkit::spec;

use crate::{NOBODY, hash, running};

#[tokio::test]
async fn upper_case_in_the_address_finds_the_download() {
    spec!("identity#identifiers-at-the-edges/upper-case-in-the-address");
    let (_folder, here) = running().await;
    let id = here.ingest(&hash('a')).await;
    let upper = id.to_uppercase();
    let page = here.send(here.request(Method::GET, &format!("/download/{upper}"))).await;
    assert_eq!(page.status, 200);
    assert!(page.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    assert!(page.text.contains(&id) && page.text.contains(&hash('a')), "{}", page.text);
    assert_eq!(here.get(&format!("/downloads/{upper}")).await.expect(200)["id"], id.as_str());
    assert_eq!(here.get(&format!("/entities/{upper}")).await.expect(200)["id"], id.as_str());
    let retried = here.post(&format!("/downloads/{upper}/retry"), &serde_json::json!({})).await;
    assert_eq!((retried.status, retried.code().as_str()), (409, "illegal-transition"));

    let open = reqwest::Client::builder().no_proxy().build().unwrap();
    let page = open.get(format!("{}/download/{upper}", here.url())).send().await.unwrap();
    assert_eq!(page.status(), 401);
}

#[tokio::test]
async fn garbage_in_the_address_is_nothing() {
    spec!("identity#identifiers-at-the-edges/garbage-in-the-address");
    let (_folder, here) = running().await;
    let garbage = [
        "abc!!!",
        // Too large, too short, too long, and letters that the alphabet leaves out.
        "81jzabcdefghjkmnpqrstvwxyz",
        "01jzabcdefghjkmnpqrstvwxy",
        "01jzabcdefghjkmnpqrstvwxyzz",
        "01jzabcdefghjkmnpqrstvwxyi",
        "01jzabcdefghjkmnpqrstvwxyu",
        "%00",
        "%ff",
    ];
    for id in garbage {
        for path in ["/download/", "/api/v1/downloads/", "/api/v1/events/", "/api/v1/entities/"] {
            let answer = here.send(here.request(Method::GET, &format!("{path}{id}"))).await;
            assert_eq!((answer.status, answer.code().as_str()), (404, "not-found"), "{path}{id}");
        }
        for path in ["retry", "cancel"] {
            let path = format!("/api/v1/downloads/{id}/{path}");
            let request = here.request(Method::POST, &path).body("{garbage");
            let answer = here.send(request.header("content-type", "application/json")).await;
            assert_eq!((answer.status, answer.code().as_str()), (404, "not-found"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_foreign_kind_is_named() {
    spec!("identity#identifiers-at-the-edges/foreign-kind");
    let (_folder, here) = running().await;
    let id = here.ingest(&hash('a')).await;
    let event = here.events(&id).await[0]["id"].as_str().unwrap().to_owned();
    let wrong = serde_json::json!({"client": "nobody", "delete_data": true});
    for (method, path) in [
        (Method::GET, format!("/download/{event}")),
        (Method::GET, format!("/api/v1/downloads/{event}")),
        (Method::POST, format!("/api/v1/downloads/{event}/retry")),
        (Method::POST, format!("/api/v1/downloads/{event}/cancel")),
    ] {
        let answer = here.send(here.request(method, &path).json(&wrong)).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "wrong-entity-kind"), "{path}");
        assert_eq!(answer.json()["kind"], "event");
        assert_eq!(answer.json()["url"], format!("/api/v1/events/{event}"));
    }
    let answer = here.get(&format!("/events/{id}")).await;
    assert_eq!(answer.code(), "wrong-entity-kind");
    assert_eq!(answer.json()["kind"], "download");
    for path in ["retry", "cancel"] {
        let answer = here.post(&format!("/downloads/{NOBODY}/{path}"), &wrong).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not-found"), "{path}");
        let answer = here.post(&format!("/downloads/{id}/{path}"), &wrong).await;
        assert_eq!(answer.status, 422, "{path}");
    }
}
