//! A stream lasts as long as the access that it was opened by.

use tracker_app::Caller;
use tracker_domain::access::{IDLE, Scope};
use tracker_domain::{Actor, Secret};
use tracker_testkit::spec;

use crate::journal::Reader;
use crate::login::{FAR, GET, PASSWORD, PROXY, Sent, Site, behind_a_proxy};

const STREAMS: [&str; 2] = ["/api/v1/events/stream", "/events/stream"];

/// An id that no entry reaches.
const LAST: &str = "7zzzzzzzzzzzzzzzzzzzzzzzzz";

/// Both streams, from now on and behind everything, for whoever sends these headers.
async fn opened(site: &Site, from: &str, headers: &[(&str, &str)]) -> Vec<Reader> {
    let mut readers = Vec::new();
    for path in STREAMS {
        for place in [&[][..], &[("last-event-id", LAST)]] {
            let headers = [headers, place].concat();
            let mut reader =
                Reader::of(site.open(Sent { path, from, headers: &headers, ..GET }).await);
            assert_eq!(reader.block().await.unwrap(), ": open");
            readers.push(reader);
        }
    }
    readers
}

/// Fails where one of them goes on, after what was sent already.
async fn all_end(readers: Vec<Reader>) {
    for mut reader in readers {
        while let Some(block) = reader.block().await {
            assert!(!block.contains("auth.") && !block.contains("token."), "{block}");
        }
    }
}

/// Fails where one of them, of those that are not behind everything, has ended.
async fn all_go_on(site: &Site, readers: &mut [Reader], digit: char) {
    let id = site.daemon.accepted(digit).await;
    for reader in readers.iter_mut().step_by(2) {
        while !reader.block().await.unwrap().contains(&id) {}
    }
}

fn system() -> Actor {
    Actor::System
}

#[tokio::test]
async fn a_stream_ends_with_its_token() {
    spec!("access#streams-end/with-the-token");
    let site = Site::start().await;
    let access = &site.daemon.app.access;
    let (_, secret) = access.token_new("phone", Scope::Read, &system()).await.unwrap();
    let (_, other) = access.token_new("other", Scope::Read, &system()).await.unwrap();
    let readers = opened(&site, FAR, &[("x-api-key", &secret)]).await;
    let mut stay = opened(&site, FAR, &[("x-api-key", &other)]).await;
    access.token_revoke("phone", &system()).await.unwrap();
    all_end(readers).await;
    all_go_on(&site, &mut stay, 'a').await;
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    spec!("access#streams-end/with-the-session");
    let site = Site::start().await;
    let access = &site.daemon.app.access;
    let other = site.login().await;
    let mut stay = opened(&site, FAR, &[("cookie", &other)]).await;
    for how in ["revoked", "out"] {
        let cookie = site.login().await;
        let session = access.sessions(None).await.unwrap()[0].id;
        let readers = opened(&site, FAR, &[("cookie", &cookie)]).await;
        match how {
            "revoked" => drop(access.session_revoke(session, &system()).await.unwrap()),
            _ => drop(site.form("/logout", &cookie, "").await),
        }
        all_end(readers).await;
    }
    all_go_on(&site, &mut stay, 'a').await;
    let password = Secret::new(PASSWORD);
    access.user_passwd("anna", &password, &system()).await.unwrap();
    all_end(stay).await;
    let cookie = site.login().await;
    let readers = opened(&site, FAR, &[("cookie", &cookie)]).await;
    access.user_disable("anna", true, &system()).await.unwrap();
    all_end(readers).await;
}

#[tokio::test]
async fn a_stream_ends_where_the_person_of_a_proxy_is_disabled() {
    spec!("access#streams-end/with-the-session");
    let site = Site::with("", behind_a_proxy()).await;
    let readers = opened(&site, PROXY, &[("x-remote-user", "anna")]).await;
    site.daemon.app.access.user_disable("anna", true, &system()).await.unwrap();
    all_end(readers).await;
}

#[tokio::test]
async fn a_stream_ends_when_its_session_is_over() {
    spec!("access#streams-end/by-time");
    let site = Site::start().await;
    let cookie = site.login().await;
    let kept = [("cookie", cookie.as_str())];
    let mut readers = opened(&site, FAR, &kept).await;
    let most = u64::try_from(IDLE).unwrap() - 1;
    site.daemon.clock.advance_seconds(most);
    // A use of the session, by another page of the same browser, lets the stream last on.
    assert_eq!(site.status("/api/v1/health", FAR, &kept).await, 200);
    site.daemon.clock.advance_seconds(most);
    all_go_on(&site, &mut readers, 'a').await;
    site.daemon.clock.advance_seconds(1);
    all_end(readers).await;
}

#[tokio::test]
async fn an_end_between_the_door_and_the_stream_is_noticed() {
    spec!("access#streams-end/with-the-session");
    let site = Site::start().await;
    let access = &site.daemon.app.access;
    let cookie = site.login().await;
    let path = STREAMS[0];
    let answer = site.open(Sent { path, headers: &[("cookie", &cookie)], ..GET }).await;
    // Nothing of the stream was asked for yet.
    access.user_disable("anna", true, &system()).await.unwrap();
    let mut reader = Reader::of(answer);
    assert_eq!(reader.block().await.unwrap(), ": open");
    assert_eq!(reader.block().await, None);
    let refused = access.login("anna", &Secret::new(PASSWORD), Caller::default()).await;
    refused.unwrap_err();
}
