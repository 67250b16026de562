//! The first way in, and people beside the database.

use std::os::unix::fs::PermissionsExt;

use reqwest::header::{COOKIE, LOCATION, ORIGIN, SET_COOKIE};
use tracker_testkit::spec;

use crate::{alone, running, with_input};

fn browser() -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap()
}

#[tokio::test]
async fn the_first_start_leaves_a_link_in_a_file() {
    spec!("access#the-first-start/the-file");
    let (_folder, mut here) = running().await;
    let path = here.data_dir().join("login-link");
    let link = std::fs::read_to_string(&path).unwrap().trim().to_owned();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let (front, secret) = link.split_once("/login?link=").unwrap();
    assert_eq!(front, here.url());
    assert!(!here.log().contains(secret), "the log may be read by others");

    let browser = browser();
    let looked = browser.get(&link).send().await.unwrap();
    assert_eq!(looked.status().as_u16(), 200);
    let post = browser.post(format!("{front}/login")).header(ORIGIN, front);
    let used = post.body(format!("link={secret}"));
    let used = used.header("content-type", "application/x-www-form-urlencoded");
    let used = used.send().await.unwrap();
    assert_eq!((used.status().as_u16(), &used.headers()[LOCATION]), (303, &"/".parse().unwrap()));
    let cookie = used.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    let health = browser.get(format!("{front}/api/v1/health")).header(COOKIE, &cookie);
    assert_eq!(health.send().await.unwrap().status().as_u16(), 200);
    let events = here.get("/events?type=auth.login").await.json();
    let login = &events["items"][0];
    assert_eq!(login["actor"], "web:admin");
    assert_eq!(login["data"]["address"], "127.0.0.1");

    here.stop();
    assert!(!path.exists());
    here.start().await;
    assert!(!path.exists(), "there is an account");
    let again = here.tracker(&["user", "login-link"]);
    assert!(again.done().starts_with(&format!("{}/login?link=", here.url())), "{}", again.out);
    assert_eq!(here.tracker(&["user", "list", "--json"]).json()["items"][0]["name"], "admin");
}

#[test]
fn people_are_kept_beside_the_database() {
    spec!("access#accounts/the-command");
    let (_folder, here) = alone();
    let add = &["user", "add", "anna", "--password-file", "-"];
    let short = with_input(&here, add, "short\n");
    assert_eq!((short.code, short.out.as_str()), (2, ""));
    with_input(&here, add, "correct horse battery\n").done();
    assert_eq!(with_input(&here, add, "correct horse battery\n").code, 2, "the name is taken");
    assert_eq!(here.tracker(&["user", "add", "bob"]).code, 2, "there is no terminal");
    here.tracker(&["user", "disable", "anna"]).done();
    let listed = here.tracker(&["user", "list", "--json"]).json();
    assert!(listed["items"][0]["disabled_at"].is_string());
    assert_eq!(here.tracker(&["user", "passwd", "nobody", "--password-file", "-"]).code, 3);
    assert_eq!(here.tracker(&["user", "disable", "nobody"]).code, 3);
}
