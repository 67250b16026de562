//! Logging in, staying in, and stopping when refused.

use tracker_domain::observed::Scope;
use tracker_domain::ports::{ClientError, TorrentClient};
use tracker_testkit::{Captured, RECORDED_VERSIONS, StubReply, recording, spec};

use super::*;

const LOGIN: &str = "auth/login";
const INFO: &str = "torrents/info";

async fn listing(client: &Qbittorrent) -> Result<usize, ClientError> {
    client.observe(&Scope::Everything).await.map(|seen| seen.len())
}

fn empty_list() -> StubReply {
    StubReply::text(200, "[]")
}

#[tokio::test]
async fn the_cookie_goes_back_as_it_came() {
    spec!("qbittorrent-client#login/a-renamed-cookie");
    for (status, body, sent) in [
        (200, "Ok.", "SID=aJX+r/1=="),
        (204, "", "QBT_SID_8081=bw62zcPwFMo1WV2Rrb9cujDN+TJ7ZEVH"),
        (200, "", "anything=at-all"),
    ] {
        let stub = QbtStub::start().await;
        let set = format!("{sent}; HttpOnly; SameSite=Strict; path=/");
        stub.on(LOGIN, StubReply::text(status, body).header("Set-Cookie", &set));
        stub.on(INFO, empty_list());
        stub.require_cookie(sent);
        let (client, _) = client(&stub);
        assert_eq!(listing(&client).await, Ok(0), "{sent}");
        assert_eq!(listing(&client).await, Ok(0), "{sent}");
        assert_eq!(stub.requests_to(LOGIN).len(), 1);
        let login = stub.requests_to(LOGIN).remove(0);
        assert_eq!(login.form("username").as_deref(), Some("admin"));
        assert_eq!(login.form("password").as_deref(), Some("s3cret pass"));
        assert_eq!(login.header("cookie"), None);
    }
}

#[tokio::test]
async fn recorded_logins_of_each_version_succeed() {
    spec!("qbittorrent-client#login/each-version");
    for version in RECORDED_VERSIONS {
        let steps = recording(version, "auth");
        let step = |name: &str| steps.iter().find(|step| step["step"] == name).unwrap().clone();
        let stub = QbtStub::start().await;
        let good = step("login");
        let cookie = good["headers"]["Set-Cookie"].as_str().unwrap();
        stub.require_cookie(cookie.split(';').next().unwrap());
        stub.on(LOGIN, StubReply::recorded(&good));
        stub.on(INFO, empty_list());
        let (client, _) = client(&stub);
        assert_eq!(listing(&client).await, Ok(0), "{version}");
        let wrong = QbtStub::start().await;
        wrong.on(LOGIN, StubReply::recorded(&step("login with the wrong password")));
        let (client, _) = super::client(&wrong);
        assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))), "{version}");
        let banned = QbtStub::start().await;
        banned.on(LOGIN, StubReply::recorded(&step("right password while banned")));
        let (client, _) = super::client(&banned);
        assert!(matches!(listing(&client).await, Err(ClientError::Banned(_))), "{version}");
    }
}

#[tokio::test]
async fn a_lost_session_is_made_anew_once() {
    spec!("qbittorrent-client#login/the-session-is-gone");
    for status in [401, 403] {
        let stub = QbtStub::with_api("2.16.2").await;
        stub.on(INFO, empty_list());
        let (client, _) = client(&stub);
        assert_eq!(listing(&client).await, Ok(0));
        stub.once(INFO, StubReply::status(status));
        assert_eq!(listing(&client).await, Ok(0));
        assert_eq!((stub.requests_to(LOGIN).len(), stub.requests_to(INFO).len()), (2, 3));
        // Refused again right after a login: that is no session that ran out.
        stub.on(INFO, StubReply::status(status));
        assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))));
        assert_eq!((stub.requests_to(LOGIN).len(), stub.requests_to(INFO).len()), (3, 5));
    }
}

#[tokio::test]
async fn calls_at_once_log_in_once() {
    spec!("qbittorrent-client#login/calls-at-the-same-time");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on(INFO, empty_list());
    let (client, _) = client(&stub);
    let four = tokio::join!(listing(&client), listing(&client), listing(&client), listing(&client));
    assert_eq!(four, (Ok(0), Ok(0), Ok(0), Ok(0)));
    assert_eq!(stub.requests_to(LOGIN).len(), 1);
    // And once when the session of all of them is gone.
    stub.require_cookie("SID=two");
    stub.on(LOGIN, StubReply::text(200, "Ok.").header("Set-Cookie", "SID=two"));
    let three = tokio::join!(listing(&client), listing(&client), listing(&client));
    assert_eq!(three, (Ok(0), Ok(0), Ok(0)));
    assert_eq!(stub.requests_to(LOGIN).len(), 2);
    // A refusal is shared as well.
    stub.require_cookie("SID=three");
    stub.on(LOGIN, StubReply::text(200, "Fails."));
    let (a, b) = tokio::join!(listing(&client), listing(&client));
    assert!(matches!((a, b), (Err(ClientError::Denied(_)), Err(ClientError::Denied(_)))));
    assert_eq!(stub.requests_to(LOGIN).len(), 3);
}

#[tokio::test]
async fn a_refusal_stops_the_tries_for_longer_each_time() {
    spec!("qbittorrent-client#refusals/wrong-credentials");
    let stub = QbtStub::start().await;
    stub.on(LOGIN, StubReply::text(200, "Fails."));
    let (client, clock) = client(&stub);
    let mut tries = 0;
    for minutes in [5u64, 10, 20, 40, 60, 60] {
        assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))));
        tries += 1;
        clock.advance_seconds(minutes * 60 - 1);
        assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))));
        assert!(matches!(client.probe().await, Err(ClientError::Denied(_))));
        assert_eq!(stub.requests().len(), tries, "nothing is sent within {minutes} min");
        clock.advance_seconds(1);
    }
    // The password is right now: the next refusal starts from the beginning.
    stub.on(LOGIN, StubReply::text(200, "Ok.").header("Set-Cookie", "SID=one"));
    stub.on(INFO, empty_list());
    assert_eq!(listing(&client).await, Ok(0));
    stub.once(INFO, StubReply::status(403));
    stub.on(LOGIN, StubReply::status(401));
    assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))));
    let before = stub.requests().len();
    clock.advance_seconds(5 * 60);
    assert!(listing(&client).await.is_err());
    assert_eq!(stub.requests().len(), before + 1);
}

#[tokio::test]
async fn a_ban_stops_the_tries_for_an_hour() {
    spec!("qbittorrent-client#refusals/a-ban");
    let stub = QbtStub::start().await;
    stub.on(LOGIN, StubReply::text(403, "Your IP address has been banned"));
    let (client, clock) = client(&stub);
    assert!(matches!(listing(&client).await, Err(ClientError::Banned(_))));
    clock.advance_seconds(3599);
    assert!(matches!(listing(&client).await, Err(ClientError::Banned(_))));
    assert_eq!(stub.requests().len(), 1);
    clock.advance_seconds(1);
    assert!(matches!(listing(&client).await, Err(ClientError::Banned(_))));
    assert_eq!(stub.requests().len(), 2);
    // A clock that is set back by a day does not add a day.
    clock.set_ms(FixedClock::START - 86_400_000);
    assert!(matches!(listing(&client).await, Err(ClientError::Banned(_))));
    clock.advance_seconds(3600);
    assert!(matches!(listing(&client).await, Err(ClientError::Banned(_))));
    assert_eq!(stub.requests().len(), 3);
}

#[tokio::test]
async fn a_new_adapter_tries_at_once() {
    spec!("qbittorrent-client#refusals/changed-settings");
    let stub = QbtStub::start().await;
    stub.on(LOGIN, StubReply::status(401));
    let (first, _) = client(&stub);
    assert!(matches!(listing(&first).await, Err(ClientError::Denied(_))));
    stub.on(LOGIN, StubReply::status(204).header("Set-Cookie", "A=b"));
    stub.on(INFO, empty_list());
    let (second, _) = client(&stub);
    assert_eq!(listing(&second).await, Ok(0));
    assert!(matches!(listing(&first).await, Err(ClientError::Denied(_))));
}

#[tokio::test]
async fn a_login_that_is_not_answered_is_no_refusal() {
    spec!("qbittorrent-client#refusals/a-client-that-is-down");
    let stub = QbtStub::start().await;
    for reply in [
        StubReply::status(500),
        StubReply::text(200, "<html>a proxy's page</html>"),
        StubReply::status(302).header("Location", "/elsewhere"),
        StubReply::text(200, "Ok.").cut_at(1),
    ] {
        stub.once(LOGIN, reply);
    }
    let (client, _) = client(&stub);
    for _ in 0..4 {
        assert!(matches!(listing(&client).await, Err(ClientError::Unreachable(_))));
    }
    assert_eq!(stub.requests().len(), 4, "each try is a try, and no redirect is followed");
}

#[tokio::test]
async fn a_key_takes_the_place_of_a_login() {
    spec!("qbittorrent-client#login/an-api-key");
    let stub = QbtStub::start().await;
    stub.on(INFO, empty_list());
    let keyed = QbittorrentConfig { api_key: Some(Secret::new("qbt_key\n")), ..config(&stub) };
    let clock = Arc::new(FixedClock::new());
    let client = Qbittorrent::new(keyed, clock.clone()).unwrap();
    assert_eq!(listing(&client).await, Ok(0));
    let request = stub.requests().remove(0);
    assert_eq!(request.header("authorization"), Some("Bearer qbt_key"));
    stub.on(INFO, StubReply::status(403));
    assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))));
    assert!(matches!(listing(&client).await, Err(ClientError::Denied(_))));
    assert_eq!(stub.requests().len(), 2, "a refused key is not shown again at once");
    clock.advance_seconds(300);
    stub.on(INFO, empty_list());
    assert_eq!(listing(&client).await, Ok(0));
    assert!(stub.requests_to(LOGIN).is_empty());
}

/// Keeps what is logged.
#[tokio::test]
async fn secrets_do_not_show() {
    spec!("qbittorrent-client#calls-are-bounded/secrets-in-the-log");
    let log = Captured::default();
    let _listening = log.listen();
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on("auth/login", StubReply::text(200, "Ok.").header("Set-Cookie", "SID=c00kie"));
    stub.require_cookie("SID=c00kie");
    stub.on("torrents/add", StubReply::text(200, "Ok."));
    stub.on(INFO, StubReply::text(200, "[{}]"));
    let secret = QbittorrentConfig { password: Secret::new("hunter2"), ..config(&stub) };
    let shown = format!("{secret:?}");
    let client = Qbittorrent::new(secret, Arc::new(FixedClock::new())).unwrap();
    let request = tracker_domain::ports::AddRequest {
        source: tracker_domain::ports::AddSource::Magnet("magnet:?xt=passk3y".into()),
        save_path: None,
        tags: Vec::new(),
        category: String::new(),
    };
    client.add(&request).await.unwrap();
    client.observe(&Scope::Infohashes(vec![V1.parse().unwrap()])).await.unwrap();
    stub.on("auth/login", StubReply::text(200, "Fails."));
    stub.on(INFO, StubReply::status(403));
    client.observe(&Scope::Everything).await.unwrap_err();
    let keyed = QbittorrentConfig { api_key: Some(Secret::new("qbt_hunter3")), ..config(&stub) };
    let keyed_shown = format!("{keyed:?}");
    let keyed = Qbittorrent::new(keyed, Arc::new(FixedClock::new())).unwrap();
    keyed.observe(&Scope::Everything).await.unwrap_err();
    let logged = log.text();
    for wanted in
        ["client call answered", "torrents/add", "duration_ms=0", "status=200", "skipped=1"]
    {
        assert!(logged.contains(wanted), "{wanted}: {logged}");
    }
    for secret in ["hunter", "c00kie", "passk3y", "magnet:", V1] {
        let all = [&logged, &shown, &keyed_shown];
        assert!(!all.iter().any(|text| text.contains(secret)), "{secret}: {logged}");
    }
}
