//! The plain pages.

use tracker_domain::Attention;
use tracker_http::Code;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

#[tokio::test]
async fn every_code_has_a_page() {
    spec!("http-api#a-page-for-every-code/every-code");
    let daemon = Daemon::start().await;
    let codes = Code::ALL
        .iter()
        .map(|code| code.as_str())
        .chain(Attention::ALL.iter().map(|code| code.as_str()))
        .chain(["legacy-state", "no-client"]);
    for code in codes {
        let path = format!("/problems/{code}");
        let page = daemon.raw(Ask { path: &path, ..Ask::default() }).await;
        assert_eq!(page.status.as_u16(), 200, "{code}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(page.text.contains(&format!("<code>{code}</code>")));
        assert!(page.text.contains("What to do"));

        let headers = vec![("accept", "application/json")];
        let json = daemon.raw(Ask { path: &path, headers, ..Ask::default() }).await.json();
        assert_eq!(json["code"], code);
        assert!(!json["meaning"].as_str().unwrap().is_empty());
    }
    for code in ["no-such-code", "%FF", "%3Cb%3E"] {
        let path = format!("/problems/{code}");
        assert_eq!(daemon.raw(Ask { path: &path, ..Ask::default() }).await.code(), "not-found");
    }
}

#[tokio::test]
async fn a_download_has_a_page_behind_the_token() {
    spec!("http-api#the-page-of-a-download/in-any-letter-case");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{}", id.to_uppercase());
    assert_eq!(daemon.raw(Ask { path: &path, ..Ask::default() }).await.code(), "unauthorised");
    let page = daemon.get(&path).await;
    assert_eq!(page.status.as_u16(), 200);
    assert!(page.text.contains(&format!("<code>{id}</code>")));
    assert!(page.text.contains(&"a".repeat(40)));
    assert!(page.text.contains("download.created"));
    assert!(page.header("content-security-policy").contains("default-src 'self'"));
    assert!(!page.text.contains("<script"));
}
