//! A server that is down, refuses, or does not tell what it should.

use std::time::Duration;

use tracker_testkit::metadata::lies;
use tracker_testkit::{StubAnswer, StubMode};

use super::*;

fn why(error: MediaServerError) -> String {
    match error {
        MediaServerError::Unreachable(why) => why,
        other => panic!("not unreachable: {other:?}"),
    }
}

fn list(kind: Kind) -> &'static str {
    match kind {
        Kind::Jellyfin => "Library/VirtualFolders",
        Kind::Plex => "library/sections",
    }
}

#[tokio::test]
async fn a_wrong_token_is_refused() {
    spec!("media-servers#calls-are-bounded/a-wrong-token");
    for kind in KINDS {
        let (stub, server) = play(kind).await;
        let wrong = adapter(kind, &config(&stub.url(), "wrong")).unwrap();
        let error = refused(&*wrong).await;
        let wanted = format!("{}: HTTP 401", list(kind));
        assert_eq!(error, MediaServerError::Denied(wanted));
        stub.set(StubMode::Says(StubAnswer::json(403, "{}")));
        assert!(matches!(refused(&*server).await, MediaServerError::Denied(_)));
        assert_eq!(stub.scanned(), [""; 0]);
    }
}

#[tokio::test]
async fn a_call_ends_in_time() {
    spec!("media-servers#calls-are-bounded/no-answer");
    for kind in KINDS {
        let (stub, _) = play(kind).await;
        let timeout = Duration::from_millis(200);
        let hasty = MediaServerConfig { timeout, ..config(&stub.url(), MediaServerStub::TOKEN) };
        let server = adapter(kind, &hasty).unwrap();
        stub.set(StubMode::Silent);
        assert_eq!(why(refused(&*server).await), format!("{}: no answer in time", list(kind)));
        stub.set(StubMode::Dead);
        let broken = why(refused(&*server).await);
        assert!(broken.ends_with("the connection broke before the answer was whole"), "{broken}");
        let nobody = adapter(kind, &config("http://127.0.0.1:9/", "token")).unwrap();
        assert_eq!(why(refused(&*nobody).await), format!("{}: no connection", list(kind)));
    }
}

#[tokio::test]
async fn each_status_has_its_cause() {
    spec!("media-servers#calls-are-bounded/a-broken-server");
    for kind in KINDS {
        let (stub, server) = play(kind).await;
        for status in [500, 502, 503] {
            stub.set(StubMode::Says(StubAnswer::json(status, "{}")));
            assert!(why(refused(&*server).await).ends_with(&format!("HTTP {status}")));
        }
        for status in [302, 304, 400, 404, 410, 418] {
            stub.set(StubMode::Says(StubAnswer::json(status, "{}").header("Location", "/x")));
            let error = refused(&*server).await;
            assert!(matches!(error, MediaServerError::Unreadable(_)), "{status}: {error:?}");
        }
    }
}

#[tokio::test]
async fn a_server_that_limits_is_believed() {
    spec!("media-servers#calls-are-bounded/a-server-that-limits");
    for kind in KINDS {
        let (stub, server) = play(kind).await;
        stub.set(StubMode::Limiting(Some("7".into())));
        let error = refused(&*server).await;
        assert_eq!(error, MediaServerError::Limited { retry_after_ms: 7000 });
        assert_eq!(error.to_string(), "the media server has been asked often enough; again in 7 s");
        stub.set(StubMode::Limiting(None));
        assert_eq!(refused(&*server).await, MediaServerError::Limited { retry_after_ms: 60_000 });
    }
}

#[tokio::test]
async fn a_lie_is_an_error_or_nothing() {
    spec!("media-servers#calls-are-bounded/answers-that-lie");
    for kind in KINDS {
        let (stub, server) = play(kind).await;
        for (what, lie) in lies() {
            stub.set(StubMode::Says(lie));
            match server.sections().await {
                Ok(sections) => assert_eq!(sections, [], "{what}"),
                Err(MediaServerError::Unreadable(_)) => {}
                Err(MediaServerError::Unreachable(why)) => {
                    assert!(!why.contains("no answer in time"), "{what}: {why}");
                }
                Err(error) => panic!("{what}: {error:?}"),
            }
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_no_answer() {
    spec!("media-servers#calls-are-bounded/answers-that-lie");
    for (kind, good) in [
        (Kind::Jellyfin, r#"[{"Name": "Films", "Locations": ["/mnt/library/films"]}]"#),
        (
            Kind::Plex,
            r#"{"MediaContainer": {"Directory": [{"key": "1", "Location": [{"path": "/f"}]}]}}"#,
        ),
    ] {
        let (stub, server) = play(kind).await;
        stub.set(StubMode::Says(StubAnswer::json(200, good)));
        assert_eq!(server.sections().await.unwrap().len(), 1);
        for bytes in [0, 1, good.len() - 1] {
            stub.set(StubMode::Says(StubAnswer::json(200, good).cut_at(bytes)));
            why(server.sections().await.unwrap_err());
        }
    }
}

#[tokio::test]
async fn a_library_that_cannot_be_read_is_left_out() {
    spec!("media-servers#calls-are-bounded/a-library-that-cannot-be-read");
    let (stub, server) = play(Kind::Jellyfin).await;
    let body = r#"[null, 7, {"Name": 1, "Locations": ["/a"]}, {"Name": "B", "Locations": [1]},
        {"Name": "C"}, {"Name": "D", "Locations": null}, {"Name": null, "Locations": ["/e"]}]"#;
    stub.set(StubMode::Says(StubAnswer::json(200, body)));
    let found = server.sections().await.unwrap();
    assert_eq!((found.len(), found[0].roots.as_slice()), (1, &["/e".to_owned()][..]));
    // Nor is one shown that would fill a screen or steer it.
    let long = "x".repeat(5000);
    let body =
        format!(r#"[{{"Name": "A\u001b[2J{long}", "Locations": ["/a", "/{long}", "/b\u0007"]}}]"#);
    stub.set(StubMode::Says(StubAnswer::json(200, body)));
    let found = server.sections().await.unwrap();
    assert_eq!(found[0].roots, ["/a"]);
    assert_eq!(found[0].name, format!("A[2J{}", &long[..96]));

    let (stub, server) = play(Kind::Plex).await;
    // A key becomes a part of an address.
    let body = r#"{"MediaContainer": {"Directory": [null, {"title": "A"},
        {"key": "../1", "Location": [{"path": "/b"}]}, {"key": "", "Location": [{"path": "/c"}]},
        {"key": "4", "Location": []}, {"key": "5", "Location": [{"id": 1}]},
        {"key": "6", "title": "F", "Location": [{"path": "/f"}]}]}}"#;
    stub.set(StubMode::Says(StubAnswer::json(200, body)));
    let found = server.sections().await.unwrap();
    assert_eq!((found.len(), found[0].name.as_str()), (1, "F"));
}

#[tokio::test]
async fn a_library_that_went_away_meanwhile_is_told() {
    spec!("media-servers#calls-are-bounded/a-library-that-went-away");
    let gone = StubLibrary::new(99, "Gone", "/mnt/library/films").listed_only();
    let stub = stub(Kind::Plex, vec![gone]).await;
    let server = adapter(Kind::Plex, &config(&stub.url(), MediaServerStub::TOKEN)).unwrap();
    let error = refused(&*server).await;
    let wanted = "library/sections/99/refresh: HTTP 404; check the url and the kind";
    assert_eq!(error, MediaServerError::Unreadable(wanted.to_owned()));
}
