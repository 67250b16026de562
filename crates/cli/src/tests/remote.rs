//! The half of the services that is a daemon.

use tracker_testkit::spec;
use tracker_wire::{IngestDto, Page};

use super::fake::{Fake, HASH, ID, download, event};
use super::server::{Prepared, Server};
use super::{Ran, json, ran, typed};
use crate::{Surroundings, Token};

fn answer(status: u16, body: &impl serde::Serialize) -> Prepared {
    (status, "application/json", serde_json::to_string(body).unwrap())
}

async fn asked(server: &Server, line: &[&str]) -> Ran {
    let surroundings = Surroundings {
        server: Some(server.url.clone()),
        token: Some(Token::new("t0ken\n")),
        token_file: None,
    };
    typed(&Fake::new(), line, "", &surroundings).await
}

#[tokio::test]
async fn commands_become_calls_of_rest() {
    spec!("command-line#commands-run-where-the-data-is/a-server-is-named");
    let ingested = IngestDto { created: true, download: download(ID) };
    let page = Page { items: vec![download(ID)], next: None };
    let journal = Page { items: vec![event(1)], next: None };
    let server = Server::start(vec![
        answer(201, &ingested),
        answer(200, &page),
        answer(200, &download(ID)),
        answer(200, &download(ID)),
        answer(201, &ingested),
        answer(200, &journal),
    ])
    .await;
    let lines: [&[&str]; 6] = [
        &["ingest", HASH, "--hint", "x", "--client", "home"],
        &["list", "--state", "done", "--state", "failed", "--attention", "--query", "a b"],
        &["retry", ID],
        &["cancel", ID, "--remove-torrent"],
        &["adopt", HASH],
        &["events", "--download", ID, "--type", "download.created", "--limit", "3"],
    ];
    for line in lines {
        let found = asked(&server, line).await;
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{line:?}");
        assert!(!found.out.is_empty());
    }
    let requests = server.requests();
    let first_line = |at: usize| requests[at].lines().next().unwrap().to_owned();
    let body = |at: usize| json(requests[at].split_once("\r\n\r\n").unwrap().1);
    assert!(requests.iter().all(|request| request.contains("authorization: Bearer t0ken\r\n")));
    assert_eq!(first_line(0), "POST /api/v1/downloads HTTP/1.1");
    assert_eq!(body(0), serde_json::json!({"magnet": HASH, "hint": "x", "client": "home"}));
    assert_eq!(
        first_line(1),
        "GET /api/v1/downloads?state=done&state=failed&attention=any&q=a+b HTTP/1.1"
    );
    assert_eq!(first_line(2), format!("POST /api/v1/downloads/{ID}/retry HTTP/1.1"));
    assert_eq!(body(3), serde_json::json!({"remove_torrent": true, "delete_data": false}));
    assert_eq!(body(4), serde_json::json!({"infohash": HASH}));
    assert_eq!(
        first_line(5),
        format!("GET /api/v1/events?type=download.created&download_id={ID}&limit=3 HTTP/1.1")
    );
}

#[tokio::test]
async fn a_torrent_file_is_sent_as_it_is() {
    let fake = Fake::new();
    let path = fake.dir.path().join("a.torrent");
    let torrent =
        "d4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee";
    std::fs::write(&path, torrent).unwrap();
    let ingested = IngestDto { created: false, download: download(ID) };
    let server = Server::start(vec![answer(200, &ingested)]).await;
    let found = asked(&server, &["ingest", path.to_str().unwrap(), "--pin", "tmdb:603"]).await;
    assert_eq!(found.out, format!("{ID}\texisting\n"));
    let request = &server.requests()[0];
    assert!(request.starts_with("POST /api/v1/downloads?pin=tmdb%3A603 "), "{request}");
    assert!(
        request.contains("content-type: application/x-bittorrent\r\n")
            && request.ends_with(torrent)
    );
}

#[tokio::test]
async fn a_problem_of_the_daemon_becomes_an_exit_code() {
    spec!("command-line#exit-codes-say-what-happened/a-problem-of-a-daemon");
    let problem = |status: u16, code: &str| {
        let body = serde_json::json!({
            "type": format!("/problems/{code}"), "title": "No", "status": status,
            "detail": format!("because of {code}"), "code": code,
        });
        (status, "application/problem+json", body.to_string())
    };
    for (status, code, exit) in [
        (422, "invalid-magnet", 2),
        (404, "not-found", 3),
        (409, "illegal-transition", 5),
        (503, "client-unreachable", 6),
        (401, "unauthorised", 7),
        (500, "internal-error", 1),
    ] {
        let server = Server::start(vec![problem(status, code)]).await;
        let found = asked(&server, &["retry", ID]).await;
        assert_eq!((found.code, found.out.as_str()), (exit, ""), "{code}");
        let told = if exit == 7 { "the token was refused" } else { &format!("because of {code}") };
        assert!(found.err.contains(told), "{}", found.err);
    }
}

#[tokio::test]
async fn no_token_and_a_wrong_one_are_told_apart() {
    spec!("command-line#exit-codes-say-what-happened/a-refused-token");
    let refused = || (401, "application/problem+json", "{}".to_owned());
    let server = Server::start(vec![refused(), refused()]).await;
    let without = ran(&Fake::new(), &["list", "--server", &server.url]).await;
    assert_eq!(without.code, 7);
    assert!(without.err.contains("wants a token"), "{}", without.err);
    let wrong = asked(&server, &["list"]).await;
    assert_eq!(wrong.code, 7);
    assert!(wrong.err.starts_with("tracker: the token was refused"), "{}", wrong.err);
    assert!(!wrong.err.contains("t0ken"), "{}", wrong.err);
}

#[tokio::test]
async fn what_is_no_daemon_is_told() {
    spec!("command-line#exit-codes-say-what-happened/nobody-answers");
    // A port on which nobody listens: it was ours a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let found = ran(&Fake::new(), &["list", "--server", &url]).await;
    assert_eq!(found.code, 6);
    assert_eq!(found.err, format!("tracker: the daemon at {url} does not answer: no connection\n"));

    let server = Server::start(vec![
        (200, "text/html", "<html>".to_owned()),
        (502, "text/html", "<html>".to_owned()),
    ])
    .await;
    assert_eq!(asked(&server, &["list"]).await.code, 1);
    assert_eq!(asked(&server, &["list"]).await.code, 6);
    assert_eq!(ran(&Fake::new(), &["list", "--server", "ftp://x"]).await.code, 2);
}
