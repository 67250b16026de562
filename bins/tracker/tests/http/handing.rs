//! Handing over on the page: as much as a person sends.

use axum::http::Method;
use tracker_domain::torrent::MAX_TORRENT_BYTES;
use tracker_testkit::made_up::{self, Kind};
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon};
use crate::forms::with_files;

/// Sends these files as a browser does.
async fn send(daemon: &Daemon, files: &[(&str, &[u8])]) -> Answer {
    let headers = vec![("content-type", "multipart/form-data; boundary=line")];
    let body = with_files(files);
    daemon.ask(Ask { method: Method::POST, path: "/add", headers, body }).await
}

#[tokio::test]
async fn what_is_not_looked_at_is_told() {
    spec!("web-ui#handing-over-on-a-page/more-than-are-taken-at-once");
    let daemon = Daemon::start().await;
    let lines: Vec<String> = (0..203).map(|at| format!("nonsense-{at}")).collect();
    let told = daemon.form("/add", &format!("magnet={}", lines.join("%0A"))).await.text;
    assert_eq!(told.matches("Not accepted:").count(), 200);
    assert!(told.contains("3 lines were not looked at yet"), "{told}");
    // What was refused and what was not looked at, in their order.
    let field = told.split("<textarea id=\"magnet\"").nth(1).unwrap();
    let field = field.split_once('>').unwrap().1.split("</textarea>").next().unwrap();
    assert_eq!(field.lines().collect::<Vec<_>>(), lines);

    let names: Vec<String> = (0..202).map(|at| format!("{at}.torrent")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let told = send(&daemon, &files).await.text;
    assert_eq!(told.matches("Not accepted:").count(), 200);
    let rest = told.split("id=\"rest\"").nth(1).unwrap();
    assert!(rest.contains("2 files were not looked at"), "{rest}");
    assert!(rest.contains("<code>200.torrent</code>") && rest.contains("<code>201.torrent</code>"));
}

#[tokio::test]
async fn each_file_has_its_own_limit() {
    spec!("web-ui#handing-over-on-a-page/many-large-files");
    let daemon = Daemon::start().await;
    let torrent = made_up::torrent(Kind::V1, "Small.2020.mkv");
    let (large, larger) = (vec![b'x'; MAX_TORRENT_BYTES], vec![b'x'; MAX_TORRENT_BYTES + 1]);
    let files: [(&str, &[u8]); 4] = [
        ("one.torrent", &large),
        ("larger.torrent", &larger),
        ("two.torrent", &large),
        ("small.torrent", torrent.bytes()),
    ];
    let told = send(&daemon, &files).await;
    assert_eq!(told.status.as_u16(), 200, "{}", told.text);
    assert_eq!(told.text.matches("Not accepted:").count(), 3);
    assert_eq!(told.text.matches("the limit is 10485760").count(), 1, "{}", told.text);
    assert!(told.text.contains("Small.2020.mkv"));

    // More than is held at once is refused as a whole.
    let many = vec![("one.torrent", &large[..]); 13];
    let told = send(&daemon, &many).await;
    assert_eq!((told.status.as_u16(), told.code().as_str()), (413, "payload-too-large"));
    assert!(told.json()["detail"].as_str().unwrap().contains("134217728"), "{}", told.text);
}

#[tokio::test]
async fn options_stay_as_they_were_chosen() {
    spec!("web-ui#handing-over-on-a-page/options-are-kept");
    let daemon = Daemon::start().await;
    let options = "pin=tmdb:603&hint=the+first&library=movies";
    let told = daemon.form("/add", &format!("magnet=nonsense&{options}")).await.text;
    for kept in ["value=\"tmdb:603\"", "value=\"the first\"", "<option selected>movies</option>"] {
        assert!(told.contains(kept), "{kept}: {told}");
    }
    assert!(told.contains("<details open>"), "{told}");
    // What was taken needs them no longer.
    let taken = format!("magnet={}&{options}", "d".repeat(40));
    let told = daemon.form("/add", &taken).await.text;
    assert!(told.contains("New:") && !told.contains(" selected"));
    assert!(!told.contains("value=\"tmdb:603\""));
}

#[tokio::test]
async fn a_form_that_is_no_text_is_refused() {
    spec!("web-ui#every-page-holds/a-form-in-another-encoding");
    let daemon = Daemon::start().await;
    let written = "application/x-www-form-urlencoded";
    let parts = "multipart/form-data; boundary=line";
    let part =
        b"--line\r\nContent-Disposition: form-data; name=\"hint\"\r\n\r\n\xff\r\n--line--\r\n";
    for (kind, body) in [(written, &b"hint=\xff"[..]), (written, b"hint=%ff"), (parts, part)] {
        let headers = vec![("content-type", kind)];
        let ask = Ask { method: Method::POST, path: "/add", headers, body: body.to_vec() };
        let told = daemon.ask(ask).await;
        assert_eq!((told.status.as_u16(), told.code().as_str()), (400, "invalid-request"));
        assert!(told.json()["detail"].as_str().unwrap().contains("UTF-8"), "{}", told.text);
    }
    // In it, it may say anything.
    let told = daemon.form("/add", "magnet=nonsense&hint=%D1%84%D0%B8%D0%BB%D1%8C%D0%BC").await;
    assert!(told.text.contains("value=\"фильм\""), "{}", told.text);
}
