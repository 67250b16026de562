//! What is remembered for release groups: over REST and on pages.

use axum::http::Method;
use serde_json::{Value, json};
use tracker_domain::recognised::{Fields, Recognised, RecognitionState, Verdict};
use tracker_domain::{Actor, DownloadId};
use tracker_store::{NewRecognition, ReleaseKeys, StoreError};
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

/// A release of the group, by its number.
async fn release(daemon: &Daemon, digit: char, name: &str) -> String {
    let magnet = format!("magnet:?xt=urn:btih:{}&dn={name}", digit.to_string().repeat(40));
    let body = json!({ "magnet": magnet }).to_string();
    let answer = daemon.post("/api/v1/downloads", &body).await;
    answer.json()["download"]["id"].as_str().unwrap().to_owned()
}

/// What a worker does: the names are read, and what is remembered is taken over.
async fn recognise(daemon: &Daemon, id: &str) {
    let id: DownloadId = id.parse().unwrap();
    let found = Recognised {
        fields: Fields { title: Some("Odd Show".to_owned()), ..Fields::default() },
        files: Vec::new(),
        evidence: Vec::new(),
        verdict: Verdict::Doubt,
        confidence: 0.5,
        doubts: Vec::new(),
    };
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        tx.record_recognition(id, &NewRecognition::of_names(&found, RecognitionState::Proposed))?;
        let keys = ReleaseKeys { group_key: "grp", title_key: "oddshow episodes" };
        let words = tx.remembered_for(id, keys)?;
        tx.take_over(id, &words)
    });
    let written: Result<(), StoreError> = written.await;
    written.unwrap();
}

async fn remembered(daemon: &Daemon) -> Vec<Value> {
    let list = daemon.get("/api/v1/remembered").await.json();
    assert_eq!(list["next"], Value::Null);
    list["items"].as_array().unwrap().clone()
}

async fn delete(daemon: &Daemon, path: &str) -> (u16, String) {
    let ask = Ask { method: Method::DELETE, path, ..Ask::default() };
    let answer = daemon.ask(ask).await;
    let code = if answer.text.is_empty() { String::new() } else { answer.code() };
    (answer.status.as_u16(), code)
}

#[tokio::test]
async fn a_field_is_set_and_remembered() {
    spec!("http-api#recognition-over-rest/remembered");
    let daemon = Daemon::start().await;
    let id = release(&daemon, 'a', "Odd.Show.S02.1080p.WEB.H264-GRP").await;
    let path = format!("/api/v1/downloads/{id}/overrides/kind");
    let set = daemon.send(Method::PUT, &path, r#"{"value":"anime","remember":true}"#).await;
    assert_eq!(set.status.as_u16(), 200, "{}", set.text);
    assert_eq!(set.json()["remembered_at"], Value::Null);
    let words = remembered(&daemon).await;
    let [word] = words.as_slice() else { panic!("{words:?}") };
    for (member, told) in [
        ("release_group", "GRP"),
        ("title", "Odd Show"),
        ("field", "kind"),
        ("value", "anime"),
        ("author", "api:tests"),
    ] {
        assert_eq!(word[member], told);
    }
    let other = release(&daemon, 'b', "Odd.Show.S03.1080p.WEB.H264-GRP").await;
    recognise(&daemon, &other).await;
    let taken = daemon.get(&format!("/api/v1/downloads/{other}/overrides")).await.json();
    assert_eq!(taken["items"][0]["remembered_at"], word["updated_at"]);
    let entity = daemon.get(&format!("/api/v1/entities/{}", word["id"].as_str().unwrap())).await;
    assert_eq!(entity.json()["url"], "/api/v1/remembered");

    let nobody = release(&daemon, 'c', "Odd+Show").await;
    for (id, field) in [(&id, "season"), (&nobody, "year")] {
        let path = format!("/api/v1/downloads/{id}/overrides/{field}");
        let wrong = daemon.send(Method::PUT, &path, r#"{"value":"1999","remember":true}"#).await;
        assert_eq!(wrong.status.as_u16(), 422, "{}", wrong.text);
        assert_eq!(wrong.json()["errors"][0]["pointer"], "/remember");
    }
    let set = daemon.get(&format!("/api/v1/downloads/{nobody}/overrides")).await.json();
    assert_eq!(set["items"], json!([]));

    let path = format!("/api/v1/remembered/{}", word["id"].as_str().unwrap());
    assert_eq!(delete(&daemon, &path).await, (204, String::new()));
    assert_eq!(delete(&daemon, &path).await, (404, "not-found".to_owned()));
    let foreign = format!("/api/v1/remembered/{id}");
    assert_eq!(delete(&daemon, &foreign).await, (404, "wrong-entity-kind".to_owned()));
    assert_eq!(remembered(&daemon).await, Vec::<Value>::new());
}

#[tokio::test]
async fn the_box_of_a_review_is_ticked() {
    spec!("web-ui#review-on-a-page/remember-for-the-release-group");
    let daemon = Daemon::start().await;
    let id = release(&daemon, 'a', "Odd.Show.S02.1080p.WEB.H264-GRP").await;
    let path = format!("/download/{id}/review");
    let page = daemon.get(&path).await.text;
    assert!(page.contains("name=\"remember\"") && page.contains("GRP, Odd Show"));
    // Nothing that can be remembered is set: told on the page, and the tick stays.
    let nothing = daemon.form(&path, "do=adjust&was.season=&field.season=3&remember=true").await;
    assert_eq!(nothing.status.as_u16(), 422);
    assert!(nothing.text.contains("name=\"remember\" value=\"true\" checked"));
    let fields = "do=adjust&was.kind=&field.kind=anime&was.season=&field.season=3&remember=true";
    assert_eq!(daemon.form(&path, fields).await.status.as_u16(), 303);
    let words = remembered(&daemon).await;
    assert_eq!((words.len(), &words[0]["field"]), (1, &json!("kind")));

    let other = release(&daemon, 'b', "odd.show.s03.720p.web.h264-grp").await;
    recognise(&daemon, &other).await;
    let page = daemon.get(&format!("/download/{other}/review")).await.text;
    assert!(page.contains("remembered from <bdi>api:tests</bdi>, "), "{page}");
    let headers = vec![("accept-language", "ru"), ("accept", "text/html")];
    let russian = format!("/download/{other}/review");
    let page = daemon.ask(Ask { path: &russian, headers, ..Ask::default() }).await.text;
    assert!(page.contains("запомнено со слов <bdi>api:tests</bdi>, "), "{page}");

    let list = daemon.get("/settings/remembered").await.text;
    assert!(list.contains("GRP") && list.contains("Odd Show") && list.contains("anime"));
    let word = words[0]["id"].as_str().unwrap();
    let gone = daemon.form(&format!("/settings/remembered/{word}/forget"), "").await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, "/settings/remembered"));
    assert_eq!(remembered(&daemon).await, Vec::<Value>::new());

    // Without a group there is no box, and the reason instead.
    let nobody = release(&daemon, 'c', "Odd+Show").await;
    let page = daemon.get(&format!("/download/{nobody}/review")).await.text;
    assert!(!page.contains("name=\"remember\""));
    assert!(page.contains("tell no release group"));
}
