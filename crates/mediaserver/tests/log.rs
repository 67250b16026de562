//! What calls leave in the log. One test in a binary of its own: with other
//! threads that log without a subscriber, records would be lost.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use tracker_domain::Secret;
use tracker_domain::ports::{MediaServer, MediaServerError};
use tracker_mediaserver::{Jellyfin, LONGEST_CALL, MediaServerConfig, PathMapping, Plex};
use tracker_testkit::{Captured, MediaServerStub, StubAnswer, StubLibrary, StubMode, spec};

fn config(url: &str, token: &str) -> MediaServerConfig {
    MediaServerConfig {
        name: "den".to_owned(),
        url: url.parse().unwrap(),
        token: Some(Secret::new(token)),
        path_map: vec![PathMapping { local: "/srv/media".into(), server: "/mnt/library".into() }],
        timeout: LONGEST_CALL,
    }
}

#[tokio::test]
async fn no_token_shows() {
    spec!("media-servers#calls-are-bounded/a-token-in-the-log");
    let log = Captured::default();
    let _listening = log.listen();
    let tokens = [MediaServerStub::TOKEN, "wr0ngT0ken"];
    let mut shown = String::new();
    let films = || vec![StubLibrary::new(1, "Films", "/mnt/library/films")];
    let (jellyfin, plex) =
        (MediaServerStub::jellyfin(films()).await, MediaServerStub::plex(films()).await);
    for (is_plex, stub) in [(false, &jellyfin), (true, &plex)] {
        for token in tokens {
            let config = config(&stub.url(), token);
            shown.push_str(&format!("{config:?}"));
            let server: Arc<dyn MediaServer> = if is_plex {
                let server = Plex::new(&config).unwrap();
                shown.push_str(&format!("{server:?}"));
                Arc::new(server)
            } else {
                let server = Jellyfin::new(&config).unwrap();
                shown.push_str(&format!("{server:?}"));
                Arc::new(server)
            };
            for mode in [
                StubMode::Dead,
                StubMode::Says(StubAnswer::json(200, "{]")),
                StubMode::Says(StubAnswer::json(418, "{}")),
                StubMode::Says(StubAnswer::redirect("http://127.0.0.1:9/")),
                StubMode::Normal,
            ] {
                stub.set(mode);
                let got =
                    server.refresh(&["/srv/media/films/passk3y".into(), "/els3where".into()]).await;
                shown.push_str(&format!("{got:?}"));
                // What lies outside is named to a person.
                if !matches!(got, Err(MediaServerError::OutsideSections { .. }))
                    && let Err(error) = got
                {
                    shown.push_str(&error.to_string());
                    assert!(!error.to_string().contains("passk3y"));
                }
            }
        }
    }
    let logged = log.text();
    let ours: Vec<_> = logged.lines().filter(|line| line.contains("tracker_mediaserver")).collect();
    for wanted in [
        "media server call answered",
        "media server call failed",
        "server=\"den\"",
        "host=\"127.0.0.1\"",
        "route=\"library/sections/1/refresh\"",
        "route=\"Library/Media/Updated\"",
        "duration_ms=",
        "status=401",
    ] {
        assert!(ours.iter().any(|line| line.contains(wanted)), "{wanted}: {ours:#?}");
    }
    for secret in tokens.into_iter().chain(["passk3y"]) {
        assert!(!ours.iter().any(|line| line.contains(secret)), "{secret}: {ours:#?}");
    }
    for token in tokens {
        assert!(!shown.contains(token), "{token}: {shown}");
        // What lies below may be turned up to its loudest: a header stays marked as sensitive.
        assert!(!logged.contains(token), "{logged}");
    }
}
