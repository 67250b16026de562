//! `list`, `show`, `events`.

use tracker_testkit::spec;

use super::fake::{Fake, HASH, ID, download, event};
use super::{Ran, json, on_screen, ran};
use crate::{ApiFailure, Surroundings};

#[tokio::test]
async fn a_list_has_whole_ids() {
    spec!("command-line#lists-are-tables-or-rest-shapes/downloads");
    let fake = Fake::new();
    fake.state.lock().unwrap().downloads = vec![download(ID)];
    let found = ran(&fake, &["list"]).await;
    insta::assert_snapshot!(found.out, @r"
    ID                          STATE        ATTENTION  PROGRESS  CLIENT  NAME
    01jzabcdefghjkmnpqrstvwxyz  downloading             33 %      home    Some.Film.2020
    ");
    assert_eq!(found.err, format!("There are more: --before {ID}\n"));
    assert_eq!(ran(&fake, &["list", "--long"]).await.out, found.out);
    let shape = json(&ran(&fake, &["list", "--json"]).await.out);
    assert_eq!(shape["items"][0]["id"], ID);
    assert_eq!(shape["next"], ID);
}

#[tokio::test]
async fn a_long_name_is_cut_to_the_terminal() {
    spec!("command-line#lists-are-tables-or-rest-shapes/downloads");
    let fake = Fake::new();
    let mut long = download(ID);
    long.name = "Some.Film.".repeat(20);
    fake.state.lock().unwrap().downloads = vec![long.clone()];
    for (width, shown) in [(Some(100), 100), (Some(40), 94)] {
        let found = on_screen(&fake, &["list"], "", &Surroundings::default(), width).await;
        let lines: Vec<&str> = found.out.lines().collect();
        assert_eq!(lines.len(), 2, "{}", found.out);
        assert!(lines[1].starts_with(ID) && lines[1].ends_with('…'), "{}", found.out);
        let columns = lines[1].chars().count();
        assert!(columns <= shown && columns + 8 > shown, "{width:?} {columns}");
    }
    // A file or a program gets all of it.
    assert!(ran(&fake, &["list"]).await.out.contains(&long.name));
}

#[tokio::test]
async fn an_empty_list_prints_nothing() {
    spec!("command-line#lists-are-tables-or-rest-shapes/nothing-to-list");
    for command in ["list", "discover", "events"] {
        let found = ran(&Fake::new(), &[command]).await;
        let nothing = Ran { code: 0, out: String::new(), err: "nothing found\n".to_owned() };
        assert_eq!(found, nothing, "{command}");
        assert_eq!(ran(&Fake::new(), &[command, "--json"]).await.err, "", "{command}");
    }
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
    let mut linked = event(2);
    linked.data = serde_json::json!({"links": 2, "targets": ["/library/a.mkv", "/library/b.mkv"]});
    fake.state.lock().unwrap().events = vec![event(1), linked];
    let found = ran(&fake, &["show", &ID.to_uppercase()]).await;
    insta::assert_snapshot!(found.out, @r"
    id        01jzabcdefghjkmnpqrstvwxyz
    name      Some.Film.2020
    state     downloading
    client    home
    infohash  00112233445566778899aabbccddeeff00112233
    progress  33 %, of 3 B, 1 peer, 3 h 4 min to go
    created   2026-01-02T03:04:05Z
    updated   2026-01-02T03:04:06Z
    revision  7
    in the log  01jzabcdefghjkmnpqrstvwxyz, from 2026-01-02T03:04:05Z to 2026-01-02T03:05:00Z

    RELATED      ID
    apply_batch  01jzabcdefghjkmnpqrstvwxyz

    TIME                  ABOUT                       TYPE              ACTOR   MESSAGE
    2026-01-02T03:04:05Z  01jzabcdefghjkmnpqrstvwxyz  download.created  cli:me  entry 1
    2026-01-02T03:04:05Z  01jzabcdefghjkmnpqrstvwxyz  download.created  cli:me  entry 2: 2 links
                                                                                /library/a.mkv
                                                                                /library/b.mkv
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
    let log = format!("in the log  {ID}, from 2026-01-02T03:04:05Z to 2026-01-02T03:05:00Z");
    assert!(found.out.contains(&log), "{}", found.out);
    assert!(found.out.contains(&format!("apply_batch  {ID}")), "{}", found.out);
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
        assert!(found.err.ends_with("; `tracker list` shows ids\n"), "{}", found.err);
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
    assert!(found.out.contains(ID) && found.out.contains("  Some.Film.2020: entry 3"));
    let mut said = event(4);
    said.event_type = "override.set".to_owned();
    said.data = serde_json::json!({"field": "title", "value": "The\u{1b} Title", "author": "a"});
    let mut hint = event(5);
    hint.data = serde_json::json!({"text": "the first one", "author": "a"});
    let kept = std::mem::replace(&mut fake.state.lock().unwrap().events, vec![said, hint]);
    for line in [&["events"][..], &["show", ID]] {
        let found = ran(&fake, line).await.out;
        assert!(found.contains("entry 4: title = The\u{fffd} Title"), "{found}");
        assert!(found.contains("entry 5: the first one"), "{found}");
    }
    fake.state.lock().unwrap().events = kept;
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

#[tokio::test(start_paused = true)]
async fn a_journal_that_is_followed_has_one_header() {
    spec!("command-line#the-journal-can-be-followed/for-people");
    let fake = Fake::new();
    {
        let mut state = fake.state.lock().unwrap();
        let mut changed = event(1);
        changed.data = serde_json::json!({"from": "queued", "to": "downloading"});
        state.events = vec![changed];
        state.arriving = [vec![], vec![event(2)]].into();
        state.failures = std::iter::repeat_n(None, 2).collect();
        state.failures.push_back(Some(ApiFailure::unreachable("gone")));
    }
    let found = ran(&fake, &["events", "--follow"]).await;
    insta::assert_snapshot!(found.out, @r"
    TIME                  ABOUT                       TYPE                      ACTOR         MESSAGE
    2026-01-02T03:04:05Z  01jzabcdefghjkmnpqrstvwxyz  download.created          cli:me        Some.Film.2020: entry 1: queued → downloading
    2026-01-02T03:04:05Z  01jzabcdefghjkmnpqrstvwxyz  download.created          cli:me        Some.Film.2020: entry 2
    ");
    assert!(found.err.starts_with("The last 10 come first"), "{}", found.err);
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
