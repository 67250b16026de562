//! The built program with a receiver of messages, which a server on the loopback
//! interface plays.
#![allow(clippy::unwrap_used)]

#[path = "../support/daemon.rs"]
mod daemon;

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tracker_testkit::media_server::MediaServerRequest;
use tracker_testkit::{ReceiverStub, StubAnswer, StubMode, eventually, spec};

use daemon::{DEADLINE, Daemon, Setup};

const SECRET: &str = "s3cretOfThePhone";

/// A part of the address that nobody else knows.
const TOPIC: &str = "t0picOfThePhone";

/// A daemon without a torrent client that tells the stub of new downloads; what it
/// signs with is in a file.
fn prepared(below: &TempDir, stub: &ReceiverStub) -> Daemon {
    let file = below.path().join("secret");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    let url = format!("{}{TOPIC}", stub.url());
    let more = format!(
        "[[notify]]\nname = \"phone\"\nurl = {url:?}\nevents = [\"download.created\"]\n\
         [events]\nretention_days = 30\n"
    );
    let variable = format!("TRACKER__NOTIFY__PHONE__SECRET_FILE={}", file.display());
    Daemon::prepared(Setup {
        more,
        launcher: vec!["env".to_owned(), variable],
        ..Setup::without_client(below.path())
    })
}

fn magnet(number: u8) -> String {
    format!("magnet:?xt=urn:btih:{}&dn=The.Quiet.Harbour.{number}", hex::encode([number; 20]))
}

/// HMAC-SHA256 as RFC 2104 writes it down: another program than the one under test.
fn hmac(key: &[u8], message: &[u8]) -> String {
    let mut block = [0u8; 64];
    block[..key.len()].copy_from_slice(key);
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(message).finalize();
    hex::encode(Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize())
}

/// The body of a call whose signature holds.
fn verified(request: &MediaServerRequest) -> Value {
    let timestamp = request.header("x-tracker-timestamp").unwrap();
    let signed = [timestamp.as_bytes(), b".", &request.body].concat();
    let signature = format!("v1={}", hmac(SECRET.as_bytes(), &signed));
    assert_eq!(request.header("x-tracker-signature"), Some(signature.as_str()));
    assert_eq!(request.path, format!("/{TOPIC}"));
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(request.header("x-tracker-delivery"), body["id"].as_str());
    body
}

/// The entries of the journal that the receiver is to be told of, in order.
async fn wanted(daemon: &Daemon) -> Vec<Value> {
    let page = daemon.get("/events?type=download.created").await.expect(200);
    let mut ids: Vec<Value> =
        page["items"].as_array().unwrap().iter().map(|event| event["id"].clone()).collect();
    ids.reverse();
    ids
}

/// Everything that anybody could read of it.
fn assert_nothing_secret(daemon: &Daemon) {
    let log = daemon.log();
    for secret in [SECRET, TOPIC] {
        assert!(!log.contains(secret), "{secret}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_download_is_told_and_signed() {
    spec!("notifications#the-daemon-with-a-receiver/a-signed-message-arrives");
    let below = tempfile::tempdir().unwrap();
    let stub = ReceiverStub::receiver().await;
    let mut daemon = prepared(&below, &stub);
    daemon.start().await;
    let id = daemon.ingest(&magnet(1)).await;
    eventually(DEADLINE, "the message", async || (stub.requests().len() == 1).then_some(())).await;
    let body = verified(&stub.requests()[0]);
    assert_eq!(body["type"], "download.created");
    assert_eq!(
        (&body["download_id"], &body["name"]),
        (&id.as_str().into(), &"The.Quiet.Harbour.1".into())
    );
    assert_eq!(body["entity"], serde_json::json!({ "kind": "download", "id": id }));
    assert_eq!(body["events"], Value::Array(wanted(&daemon).await));
    let check = eventually(DEADLINE, "health says so", async || {
        let checks = daemon.checks("notifier").await;
        checks.into_iter().find(|check| check["detail"] != "nothing was sent yet")
    })
    .await;
    assert_eq!((&check["subject"], &check["level"]), (&"phone".into(), &"ok".into()));
    assert!(daemon.stop().success());
    assert_eq!(stub.requests().len(), 1, "once");
    assert_nothing_secret(&daemon);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_a_receiver_refuses_nothing_is_lost() {
    spec!("notifications#the-daemon-with-a-receiver/killed-while-it-refuses");
    let below = tempfile::tempdir().unwrap();
    let stub = ReceiverStub::receiver().await;
    let mut daemon = prepared(&below, &stub);
    stub.set(StubMode::Says(StubAnswer::json(500, "{}")));
    daemon.start().await;
    daemon.ingest(&magnet(1)).await;
    let check = daemon.until_check("notifier-failing").await;
    assert_eq!((&check["subject"], &check["level"]), (&"phone".into(), &"warning".into()));
    let (detail, remedy) = (check["detail"].as_str().unwrap(), check["remedy"].as_str().unwrap());
    assert!(detail.contains("HTTP 500") && detail.contains("again at"), "{detail}");
    assert!(remedy.contains("check that the receiver runs"), "{remedy}");
    let doctor = daemon.tracker(&["doctor"]);
    assert!(doctor.out.contains("HTTP 500") && doctor.out.contains(remedy), "{doctor:?}");
    for number in 2..=4 {
        daemon.ingest(&magnet(number)).await;
    }
    daemon.kill();
    let refused = stub.requests();
    // Without a daemon too: it is written down.
    let doctor = daemon.tracker(&["doctor", "--json"]);
    assert!(doctor.out.contains("notifier-failing"), "{doctor:?}");
    assert_eq!(stub.requests().len(), refused.len(), "the doctor sends nothing");

    stub.set(StubMode::Normal);
    daemon.start().await;
    let wanted = wanted(&daemon).await;
    assert_eq!(wanted.len(), 4);
    eventually(DEADLINE, "all messages", async || {
        (stub.requests().len() >= refused.len() + 4).then_some(())
    })
    .await;
    daemon.until_check("notifier").await;
    assert_eq!(daemon.checks("notifier-failing").await, [Value::Null; 0]);
    assert!(daemon.stop().success());
    let requests = stub.requests();
    let verified_ids = |requests: &[MediaServerRequest]| -> Vec<Value> {
        requests.iter().map(|request| verified(request)["id"].clone()).collect()
    };
    let (before, after) = requests.split_at(refused.len());
    assert_eq!(verified_ids(after), wanted, "each once, in order");
    assert!(verified_ids(before).iter().all(|id| *id == wanted[0]), "none goes before the first");
    assert_nothing_secret(&daemon);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_looks_tests_and_tries_again() {
    spec!("notifications#a-person-asks/in-the-whole-program");
    let below = tempfile::tempdir().unwrap();
    let stub = ReceiverStub::receiver().await;
    let mut daemon = prepared(&below, &stub);
    stub.set(StubMode::Says(StubAnswer::json(401, "{}")));
    daemon.start().await;
    daemon.ingest(&magnet(1)).await;
    daemon.until_check("notifier-failing").await;
    let listed = daemon.tracker(&["notify", "list", "--json"]).json();
    let phone = &listed["items"][0];
    assert_eq!((&phone["name"], &phone["kind"]), (&"phone".into(), &"webhook".into()));
    assert!(phone["detail"].as_str().unwrap().contains("HTTP 401; check the secret"), "{phone}");
    assert_eq!(phone["dead_letters"], 0);
    let tested = daemon.tracker(&["notify", "test", "phone"]);
    assert_eq!(tested.code, 1);
    assert!(
        tested.out.contains("not taken: the receiver does not take it: HTTP 401"),
        "{tested:?}"
    );

    stub.set(StubMode::Normal);
    let refused = stub.requests().len();
    daemon.tracker(&["notify", "retry", "phone"]).done();
    eventually(DEADLINE, "the message", async || (stub.requests().len() > refused).then_some(()))
        .await;
    assert_eq!(verified(&stub.requests()[refused])["id"], wanted(&daemon).await[0]);
    assert_eq!(daemon.tracker(&["notify", "test", "phone"]).done(), "phone\ttaken\n");
    let tested = verified(stub.requests().last().unwrap());
    assert_eq!(
        (&tested["type"], &tested["name"]),
        (&"notification.tested".into(), &"phone".into())
    );
    assert_eq!(daemon.tracker(&["notify", "dead", "phones"]).code, 3);
    daemon.until_check("notifier").await;
    daemon.kill();

    let sent = stub.requests().len();
    let listed = daemon.tracker(&["notify", "list", "--json"]).json();
    assert_eq!(
        (&listed["items"][0]["attempts"], &listed["items"][0]["detail"]),
        (&0.into(), &Value::Null)
    );
    let file = below.path().join("secret");
    let mut alone = daemon.command(&["notify", "test", "phone"]);
    let said = alone.env("TRACKER__NOTIFY__PHONE__SECRET_FILE", file).output().unwrap();
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert_eq!(stub.requests().len(), sent + 1);
    verified(stub.requests().last().unwrap());
    assert_nothing_secret(&daemon);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_put_aside_is_red_until_it_is_sent_again() {
    spec!("notifications#the-daemon-with-a-receiver/put-aside");
    let below = tempfile::tempdir().unwrap();
    let stub = ReceiverStub::receiver().await;
    let mut daemon = prepared(&below, &stub);
    stub.set(StubMode::Says(StubAnswer::json(503, "{}")));
    daemon.start().await;
    daemon.ingest(&magnet(1)).await;
    daemon.until_check("notifier-failing").await;
    daemon.kill();
    // Hours of attempts lie behind it.
    let database = rusqlite::Connection::open(daemon.data_dir().join("tracker.db")).unwrap();
    let changed = database
        .execute(
            "UPDATE consumer SET attempts = 19, next_attempt_at = NULL WHERE name = 'phone'",
            [],
        )
        .unwrap();
    assert_eq!(changed, 1);
    drop(database);
    daemon.start().await;
    let check = daemon.until_check("notifier-dead-letters").await;
    assert_eq!((&check["subject"], &check["level"]), (&"phone".into(), &"error".into()));
    assert!(check["detail"].as_str().unwrap().contains("HTTP 503"), "{check}");
    assert!(check["remedy"].as_str().unwrap().contains("`tracker notify retry phone`"), "{check}");
    assert_eq!(daemon.get("/health").await.expect(200)["status"], "error");
    assert_eq!(daemon.tracker(&["doctor"]).code, 1);
    let wanted = wanted(&daemon).await;
    let letters = daemon.get("/notify/phone/dead-letters").await.expect(200);
    assert_eq!(letters["items"][0]["event_id"], wanted[0]);
    assert!(daemon.tracker(&["notify", "dead", "phone"]).done().contains("HTTP 503"));
    let told = daemon.get("/events?type=notification.failed").await.expect(200);
    assert_eq!(told["items"][0]["data"]["events"], Value::Array(wanted.clone()));

    stub.set(StubMode::Normal);
    let refused = stub.requests().len();
    daemon.tracker(&["notify", "retry", "phone"]).done();
    daemon.until_check("notifier").await;
    assert_eq!(daemon.checks("notifier-dead-letters").await, [Value::Null; 0]);
    let sent = &stub.requests()[refused..];
    assert_eq!(sent.iter().map(|one| verified(one)["id"].clone()).collect::<Vec<_>>(), wanted);
    assert_eq!(daemon.tracker(&["notify", "dead", "phone"]).out, "");
    assert!(daemon.stop().success());
    assert_nothing_secret(&daemon);
}

/// The ids of the messages that came, one that came again and again counted once.
fn ids(stub: &ReceiverStub) -> Vec<Value> {
    let body =
        |request: &MediaServerRequest| -> Value { serde_json::from_slice(&request.body).unwrap() };
    let mut ids: Vec<Value> =
        stub.requests().iter().map(|request| body(request)["id"].clone()).collect();
    ids.dedup();
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_kind_of_trouble_loses_or_holds_up_anything() {
    spec!("notifications#the-daemon-with-a-receiver/every-kind-of-trouble");
    let below = tempfile::tempdir().unwrap();
    let [fine, broken, away, silent, moved, inner] = [
        ReceiverStub::receiver().await,
        ReceiverStub::receiver().await,
        ReceiverStub::receiver().await,
        ReceiverStub::receiver().await,
        ReceiverStub::receiver().await,
        ReceiverStub::receiver().await,
    ];
    broken.set(StubMode::Says(StubAnswer::json(500, "{}")));
    away.set(StubMode::Dead);
    silent.set(StubMode::Silent);
    moved.set(StubMode::Says(StubAnswer::redirect(&inner.url())));
    let all = [
        ("fine", &fine),
        ("broken", &broken),
        ("away", &away),
        ("silent", &silent),
        ("moved", &moved),
    ];
    let mut more = String::new();
    for (name, stub) in all {
        let url = format!("{}{TOPIC}", stub.url());
        writeln!(more, "[[notify]]\nname = {name:?}\nurl = {url:?}").unwrap();
        writeln!(more, "events = [\"download.created\"]").unwrap();
    }
    let setup = Setup { more, ..Setup::without_client(below.path()) };
    let mut daemon = Daemon::started(setup).await;
    for number in 1..=3 {
        daemon.ingest(&magnet(number)).await;
    }
    let wanted = wanted(&daemon).await;
    eventually(DEADLINE, "one that is fine is told", async || {
        (ids(&fine) == wanted && silent.requests().len() == 1).then_some(())
    })
    .await;
    let failing = eventually(DEADLINE, "health names the others", async || {
        let checks = daemon.checks("notifier-failing").await;
        (checks.len() >= 3).then_some(checks)
    })
    .await;
    let about = |name: &str| {
        let check = failing.iter().find(|check| check["subject"] == name).unwrap();
        check["detail"].as_str().unwrap().to_owned()
    };
    assert!(about("broken").contains("HTTP 500"));
    assert!(about("away").contains("the connection broke before the answer"));
    assert!(about("moved").contains("it redirects to another address, which is not followed"));
    for (name, stub) in all {
        stub.set(StubMode::Normal);
        daemon.tracker(&["notify", "retry", name]).done();
    }
    for (name, stub) in all {
        eventually(DEADLINE, name, async || (ids(stub) == wanted).then_some(())).await;
    }
    assert!(daemon.stop().success());
    for (name, stub) in all {
        assert_eq!(ids(stub), wanted, "{name}: each once, in order");
    }
    assert_eq!(inner.requests().len(), 0, "nothing follows a redirect");
    assert_nothing_secret(&daemon);
}

/// Every entry of the journal is from long ago; nobody is at the database.
fn age_the_journal(daemon: &Daemon) {
    let database = rusqlite::Connection::open(daemon.data_dir().join("tracker.db")).unwrap();
    for table in ["event", "job"] {
        let sql = format!("UPDATE {table} SET created_at = '2020-01-01T00:00:00Z'");
        database.execute(&sql, []).unwrap();
    }
}

async fn count(daemon: &Daemon, kind: &str) -> usize {
    let page = daemon.get(&format!("/events?type={kind}")).await.expect(200);
    page["items"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_entries_go_once_the_receiver_was_told() {
    spec!("event-journal#retention/in-the-whole-program");
    let below = tempfile::tempdir().unwrap();
    let stub = ReceiverStub::receiver().await;
    let mut daemon = prepared(&below, &stub);
    stub.set(StubMode::Says(StubAnswer::json(500, "{}")));
    daemon.start().await;
    let id = daemon.ingest(&magnet(1)).await;
    daemon.until_check("notifier-failing").await;
    // What is under way keeps its entries anyway.
    daemon.tracker(&["cancel", &id]).done();
    let wanted = wanted(&daemon).await;
    assert_eq!(count(&daemon, "token.created").await, 1);
    assert!(daemon.stop().success());
    age_the_journal(&daemon);
    daemon.start().await;
    eventually(DEADLINE, "old entries go by a job", async || {
        let jobs = daemon.get("/jobs").await.expect(200);
        let done = |job: &Value| job["kind"] == "retention" && job["state"] == "done";
        jobs["items"].as_array().unwrap().iter().any(done).then_some(())
    })
    .await;
    assert_eq!(count(&daemon, "token.created").await, 0);
    assert_eq!(count(&daemon, "download.created").await, 1, "the receiver was not told of it");

    stub.set(StubMode::Normal);
    let refused = stub.requests().len();
    daemon.tracker(&["notify", "retry", "phone"]).done();
    daemon.until_check("notifier").await;
    assert_eq!(verified(&stub.requests()[refused])["id"], wanted[0], "nothing was lost");
    assert!(daemon.stop().success());
    age_the_journal(&daemon);
    daemon.start().await;
    eventually(DEADLINE, "it is not needed any more", async || {
        (count(&daemon, "download.created").await == 0).then_some(())
    })
    .await;
}
