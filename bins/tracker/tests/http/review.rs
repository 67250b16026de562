//! Recognitions over REST: looked at, decided on, spoken of.

use axum::http::Method;
use serde_json::{Value, json};
use tracker_domain::metadata::{Provider, Work, WorkId, WorkKind};
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{
    EpisodeNumber, Fields, FileRole, Recognised, RecognitionState, Role, TitleKind, Verdict,
};
use tracker_domain::{Actor, DownloadId, Remark};
use tracker_store::{NewCandidate, NewRecognition, StoreError};
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon, NOBODY};

/// What a worker writes down: a film, and two works that may be meant.
pub async fn recognise(daemon: &Daemon, id: &str) {
    let id: DownloadId = id.parse().unwrap();
    let found = Recognised {
        fields: Fields {
            kind: Some(TitleKind::Movie),
            title: Some("Film".to_owned()),
            ..Fields::default()
        },
        files: Vec::new(),
        evidence: Vec::new(),
        verdict: Verdict::Doubt,
        confidence: 0.5,
        doubts: vec![Remark::read("two works have this name")],
    };
    let candidates = [603, 604].map(candidate);
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        let names = NewRecognition::of_names(&found, RecognitionState::Proposed);
        let new = NewRecognition { candidates: &candidates, ..names };
        tx.record_recognition(id, &new).map(drop)
    });
    let written: Result<(), StoreError> = written.await;
    written.unwrap();
}

/// A season of which one file with two episodes is known, and a sample.
pub(crate) async fn recognise_series(daemon: &Daemon, id: &str) {
    let id: DownloadId = id.parse().unwrap();
    let numbers = |list: &[u32]| list.iter().copied().map(EpisodeNumber::whole).collect();
    let own = |list: &[u32]| Fields {
        seasons: vec![2],
        episodes: numbers(list),
        container: Some("mkv".to_owned()),
        ..Fields::default()
    };
    let found = Recognised {
        fields: Fields {
            kind: Some(TitleKind::Series),
            title: Some("Series".to_owned()),
            ..Fields::default()
        },
        files: vec![
            FileRole { index: 0, role: Role::Main, fields: own(&[13, 14]) },
            FileRole { index: 1, role: Role::Sample, fields: own(&[]) },
        ],
        evidence: Vec::new(),
        verdict: Verdict::Sure,
        confidence: 0.9,
        doubts: Vec::new(),
    };
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        tx.record_recognition(id, &NewRecognition::of_names(&found, RecognitionState::Proposed))
            .map(drop)
    });
    let written: Result<(), StoreError> = written.await;
    written.unwrap();
}

/// A film with a sample and a text beside it, as their list tells.
pub(crate) async fn recognise_film(daemon: &Daemon, id: &str) {
    let id: DownloadId = id.parse().unwrap();
    let parts = [("film.mkv", Role::Main), ("sample.mkv", Role::Sample), ("film.nfo", Role::Info)];
    let own = |path: &str| Fields {
        container: path.split_once('.').map(|(_, end)| end.to_owned()),
        ..Fields::default()
    };
    let (mut roles, mut list) = (Vec::new(), Vec::new());
    for (index, (path, role)) in (0..).zip(parts) {
        roles.push(FileRole { index, role, fields: own(path) });
        list.push(RemoteFile {
            index,
            path: path.to_owned(),
            size_bytes: 7,
            selected: true,
            complete: false,
        });
    }
    let found = Recognised {
        fields: Fields {
            kind: Some(TitleKind::Movie),
            title: Some("Film".to_owned()),
            year: Some(1999),
            ..Fields::default()
        },
        files: roles,
        evidence: Vec::new(),
        verdict: Verdict::Sure,
        confidence: 0.9,
        doubts: Vec::new(),
    };
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        tx.set_files(id, &list)?;
        tx.record_recognition(id, &NewRecognition::of_names(&found, RecognitionState::Proposed))
            .map(drop)
    });
    let written: Result<(), StoreError> = written.await;
    written.unwrap();
}

fn candidate(number: u64) -> NewCandidate {
    NewCandidate {
        work: Work {
            id: WorkId { provider: Provider::Tmdb, kind: WorkKind::Movie, number },
            title: format!("Film {number}"),
            original_title: None,
            other_titles: Vec::new(),
            year: Some(1999),
            overview: None,
            poster: (number == 603).then(|| "/603.jpg".to_owned()),
            popularity: 0.0,
            imdb: None,
            language: None,
            animated: false,
            seasons: Vec::new(),
        },
        score: 0.5,
        parts: Vec::new(),
        excluded: None,
    }
}

fn judged(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

#[tokio::test]
async fn a_candidate_is_found_and_accepted() {
    spec!("http-api#recognition-over-rest/from-the-first-look-to-the-decision");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of = format!("/api/v1/downloads/{id}");
    let first = daemon.get(&format!("{of}/recognition")).await.json();
    assert_eq!((&first["id"], &first["state"]), (&Value::Null, &json!("pending")));
    recognise(&daemon, &id).await;
    let seen = daemon.get(&format!("{of}/recognition")).await.json();
    assert_eq!((&seen["state"], &seen["fields"]["title"]), (&json!("proposed"), &json!("Film")));
    assert_eq!(seen["doubts"], json!(["two works have this name"]));
    let page = daemon.get(&format!("{of}/candidates")).await.json();
    assert_eq!(page["next"], Value::Null);
    assert_eq!(page["items"][1]["work"], "tmdb:movie/604");
    let second = page["items"][1]["id"].as_str().unwrap();
    let path = format!("{of}/candidates/{}/accept", second.to_uppercase());
    let answer = daemon.ask(Ask { method: Method::POST, path: &path, ..Ask::default() }).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
    let now = daemon.get(&format!("{of}/recognition")).await.json();
    assert_eq!(answer.json(), now);
    assert_eq!((&now["state"], &now["candidate_id"]), (&json!("accepted"), &json!(second)));
    assert_eq!(
        (&now["fields"]["title"], &now["fields"]["year"]),
        (&json!("Film 604"), &json!(1999))
    );
    assert_eq!(now["chosen_by"], "api:tests");
    let rejected = daemon.post(&format!("{of}/recognition/reject"), "").await.json();
    assert_eq!(rejected["state"], "rejected");
    let asked = daemon.post(&format!("{of}/recognition/rerun"), "").await.json();
    assert_eq!(asked["state"], "pending");
    recognise(&daemon, &id).await;
    let best = daemon.post(&format!("{of}/recognition/accept"), "").await.json();
    assert_eq!(
        (&best["state"], &best["fields"]["title"]),
        (&json!("accepted"), &json!("Film 603"))
    );
    // What belongs to the download is found below it.
    let entity = daemon.get(&format!("/api/v1/entities/{second}")).await.json();
    assert_eq!(entity["url"], format!("{of}/candidates"));
}

#[tokio::test]
async fn a_rule_to_be_asked_is_put_and_deleted() {
    spec!("http-api#recognition-over-rest/asked-first");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/api/v1/downloads/{id}/ask");
    let call = async |method: Method, scope: &str| {
        let headers = vec![("content-type", "application/json")];
        let body = format!("{{\"scope\":\"{scope}\"}}").into_bytes();
        daemon.ask(Ask { method, path: &path, headers, body }).await
    };
    assert_eq!(judged(&call(Method::PUT, "title").await), (409, "illegal-transition".to_owned()));
    recognise(&daemon, &id).await;
    for (scope, told) in [("download", "download"), ("title", "title")] {
        let answer = call(Method::PUT, scope).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
        assert_eq!(answer.json()["asks"], told);
    }
    for (scope, told) in [("title", "download"), ("download", "none")] {
        assert_eq!(call(Method::DELETE, scope).await.json()["asks"], told);
    }
    let wrong = call(Method::PUT, "everything").await;
    assert_eq!(wrong.status.as_u16(), 422);
    assert_eq!(wrong.json()["errors"][0]["pointer"], "/scope");
}

#[tokio::test]
async fn what_is_said_is_listed() {
    spec!("http-api#recognition-over-rest/words");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let hints = format!("/api/v1/downloads/{id}/hints");
    let added = daemon.post(&hints, r#"{"text":" a film "}"#).await;
    assert_eq!((added.status.as_u16(), &added.json()["text"]), (201, &json!("a film")));
    let again = daemon.post(&hints, r#"{"text":"a film"}"#).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, added.json()));
    let list = daemon.get(&hints).await.json();
    assert_eq!(list, json!({"items": [added.json()], "next": null}));
    let fields = format!("/api/v1/downloads/{id}/overrides");
    let year = format!("{fields}/year");
    let set = daemon.send(Method::PUT, &year, r#"{"value":"1999"}"#).await;
    assert_eq!((set.status.as_u16(), &set.json()["value"]), (200, &json!("1999")));
    assert_eq!(set.json()["author"], "api:tests");
    let list = daemon.get(&fields).await.json();
    assert_eq!(list, json!({"items": [set.json()], "next": null}));
    for _ in 0..2 {
        let gone = daemon.ask(Ask { method: Method::DELETE, path: &year, ..Ask::default() }).await;
        assert_eq!((gone.status.as_u16(), gone.text.as_str()), (204, ""));
    }
    assert_eq!(daemon.get(&fields).await.json(), json!({"items": [], "next": null}));
}

#[tokio::test]
async fn a_number_is_its_text() {
    spec!("http-api#recognition-over-rest/a-value-in-json");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let fields = format!("/api/v1/downloads/{id}/overrides");
    for (field, value, kept) in [("year", "1999", "1999"), ("file.0.skip", "true", "true")] {
        let body = format!(r#"{{"value":{value}}}"#);
        let set = daemon.send(Method::PUT, &format!("{fields}/{field}"), &body).await;
        assert_eq!((set.status.as_u16(), &set.json()["value"]), (200, &json!(kept)));
    }
    for value in ["null", "[1999]", "{}"] {
        let body = format!(r#"{{"value":{value}}}"#);
        let refused = daemon.send(Method::PUT, &format!("{fields}/year"), &body).await;
        assert_eq!(judged(&refused), (422, "invalid-request".to_owned()), "{value}");
        let told = &refused.json()["errors"][0]["detail"];
        assert_eq!(told, "has to be a string, a number or a boolean", "{value}");
    }
}

#[tokio::test]
async fn each_file_is_listed() {
    spec!("http-api#recognition-over-rest/each-file");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of = format!("/api/v1/downloads/{id}/recognition");
    assert_eq!(daemon.get(&of).await.json()["files"], json!([]));
    let files = [("a/film.mkv", 7_u64), ("a/film.nfo", 1)];
    let files: Vec<RemoteFile> = (0..)
        .zip(files)
        .map(|(index, (path, size_bytes))| RemoteFile {
            index,
            path: path.to_owned(),
            size_bytes,
            selected: true,
            complete: false,
        })
        .collect();
    let download: DownloadId = id.parse().unwrap();
    let written = daemon.db.write(&Actor::Worker, move |tx| tx.set_files(download, &files));
    written.await.unwrap();
    let file = |index: u32, path: &str, size: u64| json!({"index": index, "path": path, "size": size, "role": "unknown", "fields": {}});
    let wanted = json!([file(0, "a/film.mkv", 7), file(1, "a/film.nfo", 1)]);
    assert_eq!(daemon.get(&of).await.json()["files"], wanted);
    recognise(&daemon, &id).await;
    assert_eq!(daemon.get(&of).await.json()["files"], wanted);
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    spec!("http-api#recognition-over-rest/what-cannot-be-used");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of = format!("/api/v1/downloads/{id}");
    for (field, body, code, pointer) in [
        ("colour", r#"{"value":"red"}"#, "unknown-field", None),
        ("year", r#"{"value":"soon"}"#, "invalid-request", Some("/value")),
        ("year", r#"{"value":null}"#, "invalid-request", Some("/value")),
        ("year", "{}", "invalid-request", Some("/value")),
        ("candidate", r#"{"value":"the film"}"#, "invalid-pin", None),
        ("library", r#"{"value":"books"}"#, "unknown-library", None),
    ] {
        let path = format!("{of}/overrides/{field}");
        let answer = daemon.send(Method::PUT, &path, body).await;
        assert_eq!(judged(&answer), (422, code.to_owned()), "{field} {body}");
        let found = answer.json()["errors"][0]["pointer"].as_str().map(str::to_owned);
        assert_eq!(found.as_deref(), pointer, "{field} {body}");
    }
    let path = format!("{of}/overrides/colour");
    let gone = daemon.ask(Ask { method: Method::DELETE, path: &path, ..Ask::default() }).await;
    assert_eq!(judged(&gone), (422, "unknown-field".to_owned()));
    for body in [r#"{"text":" "}"#, r#"{"text":1}"#, "{}"] {
        let answer = daemon.post(&format!("{of}/hints"), body).await;
        assert_eq!(judged(&answer), (422, "invalid-request".to_owned()), "{body}");
        assert_eq!(answer.json()["errors"][0]["pointer"], "/text");
    }
}

#[tokio::test]
async fn what_cannot_be_decided_changes_nothing() {
    spec!("http-api#recognition-over-rest/what-cannot-be-decided");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of = format!("/api/v1/downloads/{id}");
    let nothing = daemon.post(&format!("{of}/recognition/accept"), "").await;
    assert_eq!(judged(&nothing), (409, "illegal-transition".to_owned()));
    recognise(&daemon, &id).await;
    let page = daemon.get(&format!("{of}/candidates")).await.json();
    let former = page["items"][0]["id"].as_str().unwrap();
    recognise(&daemon, &id).await;
    let late = daemon.post(&format!("{of}/candidates/{former}/accept"), "").await;
    assert_eq!(judged(&late), (409, "superseded".to_owned()));
    let nobodys = daemon.post(&format!("{of}/candidates/{NOBODY}/accept"), "").await;
    assert_eq!(judged(&nobodys), (404, "not-found".to_owned()));
    let told = &nobodys.json()["detail"];
    assert_eq!(told, &json!(format!("there is no candidate with the id {NOBODY}")));
    let other = daemon.post(&format!("{of}/candidates/{id}/accept"), "").await;
    assert_eq!(judged(&other), (404, "wrong-entity-kind".to_owned()));
    for (method, path) in [
        (Method::POST, "recognition/accept"),
        (Method::POST, "recognition/reject"),
        (Method::POST, "recognition/rerun"),
        (Method::POST, "hints"),
        (Method::PUT, "overrides/title"),
        (Method::DELETE, "overrides/title"),
        (Method::PUT, "ask"),
        (Method::DELETE, "ask"),
    ] {
        let path = format!("{of}/{path}");
        let headers = vec![("content-type", "application/json"), ("if-match", "\"99\"")];
        let body = br#"{"text":"a","value":"a","scope":"download"}"#.to_vec();
        let answer = daemon.ask(Ask { method, path: &path, headers, body }).await;
        assert_eq!(judged(&answer), (409, "stale".to_owned()), "{path}");
        assert_eq!(answer.json()["download"]["id"], id);
    }
    assert_eq!(daemon.get(&format!("{of}/recognition")).await.json()["state"], "proposed");
}

#[tokio::test]
async fn the_id_is_judged_first() {
    spec!("http-api#recognition-over-rest/the-id-comes-first");
    let daemon = Daemon::start().await;
    for id in [NOBODY, "abc!!!"] {
        for (method, path) in [
            (Method::GET, "recognition".to_owned()),
            (Method::GET, "candidates".to_owned()),
            (Method::POST, "recognition/accept".to_owned()),
            (Method::POST, format!("candidates/{NOBODY}/accept")),
            (Method::POST, "candidates/abc/accept".to_owned()),
            (Method::POST, "hints".to_owned()),
            (Method::PUT, "overrides/colour".to_owned()),
            (Method::DELETE, "overrides/colour".to_owned()),
        ] {
            let path = format!("/api/v1/downloads/{id}/{path}");
            let headers = vec![("content-type", "application/json"), ("if-match", "what")];
            let body = b"{garbage".to_vec();
            let answer = daemon.ask(Ask { method, path: &path, headers, body }).await;
            assert_eq!(judged(&answer), (404, "not-found".to_owned()), "{path}");
        }
    }
    let id = daemon.accepted('a').await;
    let bad = daemon.post(&format!("/api/v1/downloads/{id}/candidates/abc/accept"), "").await;
    assert_eq!(judged(&bad), (404, "not-found".to_owned()));
}

#[tokio::test]
async fn a_name_is_read() {
    spec!("http-api#recognition-over-rest/a-name");
    let daemon = Daemon::start().await;
    let found = daemon.get("/api/v1/parse?name=Some.Film.2020.1080p.mkv").await.json();
    assert_eq!((&found["title"], &found["year"]), (&json!("Some Film"), &json!(2020)));
    assert!(found["evidence"].as_array().unwrap().iter().any(|why| why["field"] == "year"));
    assert!(found.get("seasons").is_none());
    for wrong in ["", "?name=", "?name=%20", "?name=a&name=b", "?title=a"] {
        let answer = daemon.get(&format!("/api/v1/parse{wrong}")).await;
        assert_eq!(judged(&answer), (422, "invalid-request".to_owned()), "{wrong}");
    }
}
