//! Commands that a daemon answers.

use serde_json::Value;
use tracker_testkit::spec;

use crate::daemon::{Daemon, Said};
use crate::{NOBODY, hash, running, said};

/// A command somewhere else, with nothing but these variables.
fn from_afar(variables: &[(&str, &str)], args: &[&str]) -> Said {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tracker"));
    command.env_clear().envs(variables.iter().copied()).args(args);
    said(command, "")
}

fn token_file(here: &Daemon) -> String {
    here.data_dir().join("api-token").to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_running_daemon_answers_and_its_token_is_the_actor() {
    spec!("command-line#commands-run-where-the-data-is/a-daemon-runs");
    let (_folder, here) = running().await;
    let found = here.tracker(&["ingest", "zz", &hash('a'), &hash('a')]);
    assert_eq!(found.code, 2);
    let id = found.ids().remove(0);
    assert_eq!(found.out, format!("{id}\tcreated\n{id}\texisting\n"));
    assert_eq!(here.events(&id).await[0]["actor"], "api:local");

    let shown = here.tracker(&["show", &id.to_uppercase(), "--json"]).json();
    assert_eq!(shown, here.download(&id).await);
    assert_eq!(here.tracker(&["list", "--json"]).json()["items"][0], shown);
    assert_eq!(here.tracker(&["cancel", &id]).done(), format!("{id}\tcancelled\n"));
    assert_eq!(here.tracker(&["retry", &id]).done(), format!("{id}\tqueued\n"));
    assert_eq!(here.tracker(&["retry", &id]).code, 5);
    assert_eq!(here.tracker(&["retry", NOBODY, "--client", "nobody"]).code, 3);
    assert_eq!(here.tracker(&["retry", &id, "--client", "nobody"]).code, 2);
    assert_eq!(here.tracker(&["show", "abc!!!"]).code, 3);
    let events = here.tracker(&["events", "--json", "--download", &id]).json();
    assert_eq!(events["items"].as_array().unwrap().len(), here.events(&id).await.len());
}

#[tokio::test]
async fn a_client_that_does_not_answer_is_named() {
    spec!("command-line#exit-codes-say-what-happened/a-client-that-does-not-answer");
    let (_folder, here) = running().await;
    for line in [&["discover"][..], &["adopt", &hash('a')], &["adopt", "--all"]] {
        let found = here.tracker(line);
        assert_eq!((found.code, found.out.as_str()), (6, ""), "{line:?}");
        assert!(found.err.contains("qb"), "{line:?} {}", found.err);
    }
}

#[tokio::test]
async fn doctor_asks_the_daemon() {
    spec!("command-line#health-by-exit-code/doctor");
    let (_folder, mut here) = running().await;
    here.until_check("client-unreachable").await;
    let found = here.tracker(&["doctor", "--json"]);
    assert_eq!(found.code, 1);
    let health = found.json();
    assert_eq!(health["status"], "error");
    let codes = |health: &Value| -> Vec<(String, String)> {
        let checks = health["checks"].as_array().unwrap().clone();
        let word = |check: &Value, name: &str| check[name].as_str().unwrap().to_owned();
        checks.iter().map(|check| (word(check, "code"), word(check, "subject"))).collect()
    };
    assert!(codes(&health).contains(&("client-unreachable".to_owned(), "qb".to_owned())));
    for check in health["checks"].as_array().unwrap() {
        for member in ["code", "subject", "level", "detail", "remedy", "checked_at"] {
            assert!(check[member].is_string(), "{member}: {check}");
        }
    }
    assert_eq!(here.tracker(&["healthcheck"]).done(), "");
    // It looks anew, and does not tell what the daemon saw last.
    let library = here.library("movies");
    std::fs::remove_dir_all(&library).unwrap();
    let gone = ("library-root-missing".to_owned(), "movies".to_owned());
    assert!(codes(&here.tracker(&["doctor", "--json"]).json()).contains(&gone));
    std::fs::create_dir_all(&library).unwrap();
    let health = here.tracker(&["doctor", "--json"]).json();
    assert!(!codes(&health).contains(&gone));
    here.stop();
    let alone = here.tracker(&["doctor", "--json"]);
    let mut found = codes(&alone.json());
    assert_eq!(found.remove(0), ("no-daemon".to_owned(), String::new()));
    assert_eq!((alone.code, found), (1, codes(&health)));
    assert_eq!(here.tracker(&["healthcheck"]).code, 1);
}

#[tokio::test]
async fn a_named_server_wants_a_token() {
    spec!("command-line#commands-run-where-the-data-is/the-token");
    let (_folder, here) = running().await;
    let (url, file, token) = (here.url(), token_file(&here), here.token());
    let list = ["list", "--json", "--server", url.as_str()];
    assert_eq!(from_afar(&[], &list).code, 7);
    assert_eq!(from_afar(&[("TRACKER_TOKEN", "wrong")], &list).code, 7);
    from_afar(&[("TRACKER_TOKEN", &token)], &list).done();
    from_afar(&[("TRACKER_TOKEN_FILE", &file)], &list).done();
    from_afar(&[], &[&list[..], &["--token-file", &file]].concat()).done();
    from_afar(&[("TRACKER_SERVER", &url), ("TRACKER_TOKEN", &token)], &["list"]).done();
    let both = [("TRACKER_TOKEN", token.as_str()), ("TRACKER_TOKEN_FILE", file.as_str())];
    assert_eq!(from_afar(&both, &list).code, 2);
    for (server, code) in [("http://127.0.0.1:1", 6), ("nowhere", 2)] {
        let found = from_afar(&[], &["list", "--server", server]);
        assert_eq!((found.code, found.out.as_str()), (code, ""), "{server}");
    }
}

#[tokio::test]
async fn plain_http_needs_no_certificates_of_the_system() {
    spec!("command-line#commands-run-where-the-data-is/a-machine-without-certificates");
    let (_folder, here) = running().await;
    let (url, token) = (here.url(), here.token());
    let none = [
        ("TRACKER_TOKEN", token.as_str()),
        ("SSL_CERT_FILE", "/nonexistent/ca.pem"),
        ("SSL_CERT_DIR", "/nonexistent"),
    ];
    let found = from_afar(&none, &["list", "--json", "--server", &url]);
    assert_eq!(found.json()["items"], serde_json::json!([]));
}
