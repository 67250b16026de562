//! `list`, `show`, `events`.

use tracker_testkit::spec;

use super::fake::{Fake, HASH, ID, download, event};
use super::{Ran, json, ran};
use crate::ApiFailure;

#[tokio::test]
async fn a_list_has_short_ids_and_whole_ones_on_request() {
    spec!("command-line#lists-are-tables-or-rest-shapes/downloads");
    let fake = Fake::new();
    fake.state.lock().unwrap().downloads = vec![download(ID)];
    let found = ran(&fake, &["list"]).await;
    insta::assert_snapshot!(found.out, @r"
    ID        STATE        ATTENTION  DONE  CLIENT  NAME
    rstvwxyz  downloading             33 %  home    Some.Film.2020
    ");
    assert_eq!(found.err, format!("There are more: --before {ID}\n"));
    let long = ran(&fake, &["list", "--long"]).await;
    assert!(long.out.contains(ID));
    let shape = json(&ran(&fake, &["list", "--json"]).await.out);
    assert_eq!(shape["items"][0]["id"], ID);
    assert_eq!(shape["next"], ID);
}

#[tokio::test]
async fn an_empty_list_prints_nothing() {
    spec!("command-line#lists-are-tables-or-rest-shapes/nothing-to-list");
    let found = ran(&Fake::new(), &["list"]).await;
    assert_eq!(found, Ran { code: 0, out: String::new(), err: String::new() });
    assert_eq!(ran(&Fake::new(), &["list", "--json"]).await.out, "{\"items\":[],\"next\":null}\n");
}

#[tokio::test]
async fn filters_reach_the_services() {
    spec!("command-line#lists-are-tables-or-rest-shapes/filters");
    let fake = Fake::new();
    let line = [
        "list",
        "--state",
        "done",
        "--state",
        "failed",
        "--active",
        "--attention",
        "--query",
        "q",
        "--limit",
        "7",
    ];
    assert_eq!(ran(&fake, &line).await.code, 0);
    ran(&fake, &["list", "--attention=disk-full", "--before", &ID.to_uppercase()]).await;
    let calls = fake.calls();
    for part in
        ["[Done, Failed]", "active: Some(true)", "Some(Any)", "Some(\"q\")", "limit: Some(7)"]
    {
        assert!(calls[0].contains(part), "{}", calls[0]);
    }
    assert!(calls[1].contains("Is(DiskFull)") && calls[1].contains(ID), "{}", calls[1]);
    for wrong in [["list", "--state", "lost"], ["list", "--limit", "201"], ["list", "--limit", "0"]]
    {
        assert_eq!(ran(&fake, &wrong).await.code, 2, "{wrong:?}");
    }
    assert_eq!(fake.calls().len(), 2);
}

#[tokio::test]
async fn a_download_is_shown_in_full_with_its_journal() {
    spec!("command-line#show-takes-any-id/a-download");
    let fake = Fake::new();
    fake.state.lock().unwrap().events = vec![event(1), event(2)];
    let found = ran(&fake, &["show", &ID.to_uppercase()]).await;
    insta::assert_snapshot!(found.out, @r"
    id        01jzabcdefghjkmnpqrstvwxyz
    name      Some.Film.2020
    state     downloading
    client    home
    infohash  00112233445566778899aabbccddeeff00112233
    progress  33 %, of 3 B, 4 peers
    created   2026-01-02T03:04:05Z
    updated   2026-01-02T03:04:06Z
    revision  7

    TIME                  ABOUT     TYPE              ACTOR   MESSAGE
    2026-01-02T03:04:05Z  rstvwxyz  download.created  cli:me  entry 1
    2026-01-02T03:04:05Z  rstvwxyz  download.created  cli:me  entry 2
    ");
    let shape = json(&ran(&fake, &["show", ID, "--json"]).await.out);
    assert_eq!(shape["infohashes"][0], HASH);
}

#[tokio::test]
async fn other_entities_are_shown_too() {
    spec!("command-line#show-takes-any-id/another-entity");
    let fake = Fake::new();
    fake.state.lock().unwrap().kind = Some("event");
    assert!(ran(&fake, &["show", ID]).await.out.contains("message   entry 1"));
    fake.state.lock().unwrap().kind = Some("file_link");
    let found = ran(&fake, &["show", ID]).await;
    assert!(found.out.contains("kind  file_link"), "{}", found.out);
    assert_eq!(json(&ran(&fake, &["show", ID, "--json"]).await.out)["kind"], "file_link");
}

#[tokio::test]
async fn what_is_no_id_is_not_asked_for() {
    spec!("command-line#show-takes-any-id/no-id-at-all");
    let fake = Fake::new();
    for line in [
        &["show", "rstvwxyz"][..],
        &["retry", "x"],
        &["cancel", "1"],
        &["events", "--download", "x"],
        &["list", "--before", "x"],
    ] {
        let found = ran(&fake, line).await;
        assert_eq!(found.code, 3, "{line:?}");
        assert!(found.err.contains("is no id"), "{}", found.err);
    }
    assert_eq!(fake.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn the_journal_is_listed() {
    spec!("command-line#lists-are-tables-or-rest-shapes/the-journal");
    let fake = Fake::new();
    fake.state.lock().unwrap().events = (1..=3).map(event).collect();
    let found = ran(&fake, &["events", "--limit", "2"]).await;
    let messages: Vec<&str> =
        found.out.lines().skip(1).map(|line| &line[line.len() - 7..]).collect();
    assert_eq!(messages, ["entry 3", "entry 2"]);
    assert!(found.err.contains("--before 01jz"), "{}", found.err);
    let shape = json(&ran(&fake, &["events", "--json", "--type", "download.created"]).await.out);
    assert_eq!(shape["items"].as_array().unwrap().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_journal_is_followed_without_gap_or_double() {
    spec!("command-line#the-journal-can-be-followed/what-arrives-later");
    let fake = Fake::new();
    {
        let mut state = fake.state.lock().unwrap();
        state.events = (1..=12).map(event).collect();
        // Nothing at first, then more than a page at once, then one more.
        state.arriving = [vec![], vec![], (13..=450).map(event).collect(), vec![event(451)]].into();
        state.failures = std::iter::repeat_n(None, 7).collect();
        state.failures.push_back(Some(ApiFailure::unreachable("gone")));
    }
    let found = ran(&fake, &["events", "--follow", "--json"]).await;
    let messages: Vec<String> =
        found.out.lines().map(|line| json(line)["message"].as_str().unwrap().to_owned()).collect();
    let wanted: Vec<String> = (3..=451).map(|number| format!("entry {number}")).collect();
    assert_eq!(messages, wanted);
    assert_eq!(found.code, 6);
}

#[tokio::test]
async fn foreign_text_cannot_steer_the_terminal() {
    spec!("command-line#the-answer-goes-to-stdout/foreign-text");
    let fake = Fake::new();
    let mut evil = download(ID);
    evil.name = "a\u{1b}[2Jb\u{202e}c\nd".to_owned();
    fake.state.lock().unwrap().downloads = vec![evil];
    let found = ran(&fake, &["list"]).await;
    assert!(found.out.contains("a\u{fffd}[2Jb\u{fffd}c\u{fffd}d"), "{:?}", found.out);
    // JSON escapes them and keeps the name as it is.
    let shape = json(&ran(&fake, &["list", "--json"]).await.out);
    assert_eq!(shape["items"][0]["name"], "a\u{1b}[2Jb\u{202e}c\nd");
}
