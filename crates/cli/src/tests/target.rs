//! Where a command runs.

use std::collections::BTreeMap;
use std::path::Path;

use tracker_testkit::spec;
use tracker_wire::Page;

use super::fake::{Fake, ID, download};
use super::server::Server;
use super::{ran, typed};
use crate::owner::{login_of, refusal};
use crate::{ApiFailure, Global, Surroundings, Target, Token, target};

/// Writes `daemon.json` and `api-token`.
fn daemon(fake: &Fake, url: &str, pid: u32) {
    let text = serde_json::json!({ "url": url, "pid": pid, "version": "1.0.0" }).to_string();
    std::fs::write(fake.dir.path().join("daemon.json"), text).unwrap();
    std::fs::write(fake.dir.path().join("api-token"), "machine\n").unwrap();
}

async fn decided(fake: &Fake, surroundings: &Surroundings) -> Target {
    let dir = fake.dir.path().to_owned();
    target(&Global::default(), surroundings, || Ok(dir)).await.unwrap()
}

#[tokio::test]
async fn a_live_daemon_is_asked_with_the_token_of_the_machine() {
    spec!("command-line#commands-run-where-the-data-is/a-daemon-runs");
    let fake = Fake::new();
    let page = Page { items: vec![download(ID)], next: None };
    let body = serde_json::to_string(&page).unwrap();
    let server = Server::start(vec![(200, "application/json", body)]).await;
    daemon(&fake, &server.url, std::process::id());
    let found = ran(&fake, &["list"]).await;
    assert!(found.out.contains("Some.Film.2020"), "{found:?}");
    assert!(server.requests()[0].contains("authorization: Bearer machine\r\n"));
    assert_eq!(fake.calls(), Vec::<String>::new());
    assert_eq!(ran(&fake, &["healthcheck"]).await.code, 0);
}

#[tokio::test]
async fn without_a_live_daemon_it_runs_here() {
    spec!("command-line#commands-run-where-the-data-is/no-daemon-runs");
    let fake = Fake::new();
    assert_eq!(decided(&fake, &Surroundings::default()).await, Target::Local);
    // The process is gone.
    let server = Server::start(vec![]).await;
    daemon(&fake, &server.url, 0x3fff_fff0);
    assert_eq!(decided(&fake, &Surroundings::default()).await, Target::Local);
    // The number was given to another process since, which answers nothing.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    daemon(&fake, &format!("http://127.0.0.1:{port}"), std::process::id());
    assert_eq!(decided(&fake, &Surroundings::default()).await, Target::Local);
    // The file was cut off.
    std::fs::write(fake.dir.path().join("daemon.json"), "{\"url\"").unwrap();
    assert_eq!(decided(&fake, &Surroundings::default()).await, Target::Local);
    assert_eq!(ran(&fake, &["list"]).await.code, 0);
    assert_eq!(fake.calls().len(), 1);
}

#[tokio::test]
async fn a_named_server_needs_nothing_of_this_machine() {
    spec!("command-line#commands-run-where-the-data-is/a-server-and-a-broken-configuration");
    let broken = || Err(ApiFailure::usage("the configuration has 1 problem"));
    let global = Global { server: Some("http://far:1".to_owned()), ..Global::default() };
    let found = target(&global, &Surroundings::default(), broken).await.unwrap();
    assert_eq!(found, Target::Server { url: "http://far:1".to_owned(), token: None });
    let none = target(&Global::default(), &Surroundings::default(), broken).await;
    assert_eq!(none.unwrap_err().exit, 2);
}

#[tokio::test]
async fn the_token_comes_from_flag_or_environment() {
    spec!("command-line#commands-run-where-the-data-is/the-token");
    let fake = Fake::new();
    let file = fake.dir.path().join("token");
    std::fs::write(&file, "from-file\n").unwrap();
    let vars = |pairs: &[(&str, &str)]| {
        let vars: BTreeMap<String, String> =
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Surroundings::from_vars(&vars)
    };
    let path = file.to_str().unwrap();
    let server = ("TRACKER_SERVER", "http://far:1");
    let wanted = |text: &str| Target::Server {
        url: "http://far:1".to_owned(),
        token: Some(Token::new(text)),
    };
    assert_eq!(decided(&fake, &vars(&[server, ("TRACKER_TOKEN", "plain")])).await, wanted("plain"));
    assert_eq!(
        decided(&fake, &vars(&[server, ("TRACKER_TOKEN_FILE", path)])).await,
        wanted("from-file")
    );
    let both = vars(&[server, ("TRACKER_TOKEN", "a"), ("TRACKER_TOKEN_FILE", path)]);
    let refused = typed(&fake, &["list"], "", &both).await;
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("both set"), "{}", refused.err);
    let global = Global { token_file: Some(file), ..Global::default() };
    let found = target(&global, &both, || Err(ApiFailure::failed("not asked for"))).await.unwrap();
    assert_eq!(found, wanted("from-file"));
    assert!(!format!("{found:?}").contains("from-file"));
}

#[test]
fn a_data_directory_of_somebody_else_is_refused() {
    spec!("command-line#commands-run-where-the-data-is/another-owner");
    let passwd = "root:x:0:0:root:/root:/bin/sh\ntracker:x:990:990::/var/lib/tracker:/bin/false\n";
    let dir = Path::new("/var/lib/tracker");
    assert_eq!(refusal(dir, 990, 990, passwd), None);
    for us in [0, 1000] {
        let failure = refusal(dir, 990, us, passwd).unwrap();
        assert_eq!(failure.exit, 7);
        let text = failure.to_string();
        assert!(text.contains("--server") && text.contains("sudo -u tracker"), "{text}");
    }
    assert!(refusal(dir, 4242, 0, passwd).unwrap().to_string().contains("sudo -u '#4242'"));
    assert_eq!(login_of(passwd, 0).as_deref(), Some("root"));
}

#[tokio::test]
async fn a_container_learns_whether_the_daemon_lives() {
    spec!("command-line#health-by-exit-code/healthcheck");
    let fake = Fake::new();
    assert_eq!(ran(&fake, &["healthcheck"]).await.code, 1);
    let server = Server::start(vec![]).await;
    daemon(&fake, &server.url, std::process::id());
    assert_eq!(ran(&fake, &["healthcheck"]).await.code, 0);
    let named = ran(&Fake::new(), &["healthcheck", "--server", &server.url]).await;
    assert_eq!((named.code, named.out.as_str()), (0, ""));
    assert_eq!(ran(&fake, &["healthcheck", "--server", "nonsense"]).await.code, 1);
}
