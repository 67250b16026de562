//! What calls leave in the log.

use tracker_testkit::{Captured, StubAnswer, StubMode};

use super::*;

#[tokio::test]
async fn no_token_shows() {
    spec!("metadata#calls-to-a-source-are-bounded/a-token-in-the-log");
    let log = Captured::default();
    let _listening = log.listen();
    let stub = MetadataStub::start().await;
    let mut shown = String::new();
    let tokens = [MetadataStub::TOKEN, MetadataStub::KEY, "wr0ng.t0ken", "wr0ngkey"];
    for token in tokens {
        let config = tmdb_config(&stub, token);
        shown.push_str(&format!("{config:?}"));
        let tmdb = Tmdb::new(config, Arc::new(FixedClock::new())).unwrap();
        shown.push_str(&format!("{tmdb:?}"));
        for mode in [
            StubMode::Dead,
            StubMode::Says(StubAnswer::json(200, "{\"results\":[1]}")),
            StubMode::Says(StubAnswer::json(418, "{}")),
            StubMode::Says(StubAnswer::redirect("http://127.0.0.1:9/")),
            StubMode::Normal,
        ] {
            stub.set(Provider::Tmdb, mode);
            let got = tmdb.search(&series("passk3y name")).await;
            shown.push_str(&format!("{got:?} {:?}", tmdb.status()));
            if let Err(error) = got {
                shown.push_str(&error.to_string());
            }
        }
        stub.set(Provider::Tmdb, StubMode::Normal);
    }
    let logged = log.text();
    let ours: Vec<_> = logged.lines().filter(|line| line.contains("tracker_metadata")).collect();
    for wanted in [
        "metadata call answered",
        "metadata call failed",
        "provider=\"tmdb\"",
        "host=\"127.0.0.1\"",
        "route=\"search/tv\"",
        "duration_ms=0",
        "status=401",
        "left_out=1",
        "refuses the token",
    ] {
        assert!(ours.iter().any(|line| line.contains(wanted)), "{wanted}: {ours:#?}");
    }
    for secret in tokens.into_iter().chain(["passk3y"]) {
        assert!(!ours.iter().any(|line| line.contains(secret)), "{secret}: {ours:#?}");
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    // What lies below may be turned up to its loudest: a header stays marked as sensitive.
    assert!(!logged.contains(MetadataStub::TOKEN), "{logged}");
}
