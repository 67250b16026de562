//! Commands on the database itself: no daemon runs.

use tracker_testkit::made_up::{Kind, torrent};
use tracker_testkit::spec;

use crate::{NOBODY, alone, hash, with_input};

#[test]
fn inputs_are_answered_in_order_and_the_highest_code_counts() {
    spec!("command-line#ingest-answers-each-input/the-exit-code");
    let (_folder, here) = alone();
    let found = here.tracker(&["ingest", &hash('a'), "nonsense", &hash('b'), &hash('A')]);
    assert_eq!(found.code, 2, "{found:?}");
    let lines: Vec<(&str, &str)> =
        found.out.lines().map(|line| line.split_once('\t').unwrap()).collect();
    assert_eq!(
        lines.iter().map(|(_, word)| *word).collect::<Vec<_>>(),
        ["created", "created", "existing"]
    );
    assert_eq!(lines[0].0, lines[2].0);
    assert!(found.err.starts_with("tracker: input 2: \"nonsense\""), "{}", found.err);
}

#[test]
fn files_and_lines_of_standard_input_are_inputs() {
    spec!("command-line#ingest-answers-each-input/a-torrent-file");
    let (folder, here) = alone();
    let made = torrent(Kind::Hybrid, "Some.Film.2001");
    let path = folder.path().join("some.torrent");
    std::fs::write(&path, made.bytes()).unwrap();
    let path = path.to_str().unwrap();

    let answer = here.tracker(&["ingest", path, "--json"]).json();
    assert_eq!(answer["created"], true);
    assert_eq!(answer["download"]["infohashes"].as_array().unwrap().len(), 2);

    let found = with_input(&here, &["ingest", "-"], &format!("\n{}\n{path}\nbad\n", hash('c')));
    assert_eq!(found.code, 2);
    let words: Vec<&str> = found.out.lines().map(|line| line.split_once('\t').unwrap().1).collect();
    assert_eq!(words, ["created", "existing"]);

    for missing in ["/no/such.torrent", "", folder.path().to_str().unwrap()] {
        let found = here.tracker(&["ingest", missing]);
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{missing:?}");
    }
}

#[test]
fn a_command_that_looks_makes_nothing() {
    spec!("command-line#lists-are-tables-or-rest-shapes/nothing-to-list");
    let (_folder, here) = alone();
    assert_eq!(here.tracker(&["list"]).done(), "");
    assert_eq!(
        here.tracker(&["events", "--json"]).json(),
        serde_json::json!({"items": [], "next": null})
    );
    assert_eq!(here.tracker(&["show", NOBODY]).code, 3);
    assert_eq!(here.tracker(&["discover", "--json"]).json()["next"], serde_json::Value::Null);
    assert_eq!(here.tracker(&["db", "check"]).done(), "ok, version 0\n");
    assert!(!here.data_dir().exists());
}

#[test]
fn what_does_not_exist_comes_before_what_is_wrong_with_the_request() {
    spec!("command-line#exit-codes-say-what-happened/what-does-not-exist-comes-first");
    let (_folder, here) = alone();
    let id = here.tracker(&["ingest", &hash('a')]).ids().remove(0);
    let event = here.tracker(&["events", "--json"]).json()["items"][0]["id"].clone();
    let event = event.as_str().unwrap();

    assert_eq!(here.tracker(&["retry", NOBODY, "--client", "nobody"]).code, 3);
    let found = here.tracker(&["retry", event, "--client", "nobody"]);
    assert_eq!(found.code, 3);
    assert!(found.err.contains("another kind of entity: event"), "{}", found.err);
    assert_eq!(here.tracker(&["retry", &id, "--client", "nobody"]).code, 2);
    assert_eq!(here.tracker(&["retry", &id]).code, 5);
    assert_eq!(here.tracker(&["retry", "abc!!!"]).code, 3);
    assert_eq!(here.tracker(&["cancel", "abc!!!"]).code, 3);
    assert_eq!(here.tracker(&["cancel", &id, "--delete-data"]).code, 2);
    assert_eq!(here.tracker(&["ingest", &hash('d'), "--client", "nobody"]).code, 2);
    assert_eq!(here.tracker(&["ingest", &hash('d'), "--library", "nowhere"]).code, 2);
    assert_eq!(here.tracker(&["ingest", &hash('d'), "--pin", "what"]).code, 2);
    assert_eq!(here.tracker(&["adopt", &hash('d')]).code, 2);
    assert_eq!(here.tracker(&["adopt", "zz"]).code, 2);
}

#[test]
fn a_download_is_given_up_and_tried_again() {
    spec!("command-line#lifecycle-commands/retry-and-cancel");
    let (_folder, here) = alone();
    let id = here.tracker(&["ingest", &hash('a')]).ids().remove(0);
    assert_eq!(here.tracker(&["cancel", &id]).done(), format!("{id}\tcancelled\n"));
    let again = here.tracker(&["cancel", &id, "--json"]).json();
    assert_eq!((&again["state"], &again["revision"]), (&"cancelled".into(), &2.into()));
    assert_eq!(here.tracker(&["retry", &id.to_uppercase()]).done(), format!("{id}\tqueued\n"));

    let other = here.tracker(&["ingest", &hash('b')]).ids().remove(0);
    here.tracker(&["cancel", &other]).done();
    here.tracker(&["ingest", &hash('b')]).done();
    let refused = here.tracker(&["retry", &other]);
    assert_eq!(refused.code, 5);
    assert!(refused.err.contains("owns an infohash"), "{}", refused.err);
}

#[test]
fn show_finds_what_an_option_made() {
    spec!("command-line#show-takes-any-id/another-entity");
    let (_folder, here) = alone();
    let id = here.tracker(&["ingest", &hash('a')]).ids().remove(0);
    let options = ["ingest", &hash('a'), "--hint", "a film", "--pin", "tmdb:603"];
    assert_eq!(here.tracker(&options).done(), format!("{id}\texisting\n"));
    let page = here.tracker(&["events", "--json", "--download", &id]).json();
    let mut kinds = Vec::new();
    for event in page["items"].as_array().unwrap() {
        let entity = event["entity_id"].as_str().unwrap().to_uppercase();
        let shown = here.tracker(&["show", &entity, "--json"]).json();
        assert_eq!(shown["id"], event["entity_id"]);
        let kind = event["entity_kind"].as_str().unwrap();
        if kind != "download" {
            assert_eq!(shown["kind"], kind);
            assert_eq!(shown["download_id"], id.as_str());
            assert!(here.tracker(&["show", &entity]).done().contains(kind));
        }
        kinds.push(kind.to_owned());
        let own = event["id"].as_str().unwrap();
        assert_eq!(here.tracker(&["show", own, "--json"]).json(), *event);
    }
    assert_eq!(kinds, ["override", "hint", "download"]);
}

#[test]
fn filters_reach_the_database() {
    spec!("command-line#lists-are-tables-or-rest-shapes/filters");
    let (_folder, here) = alone();
    let link = format!("magnet:?xt=urn:btih:{}&dn=Some.Film.2001", hash('a'));
    let first = here.tracker(&["ingest", &link]).ids().remove(0);
    let second = here.tracker(&["ingest", &hash('b')]).ids().remove(0);
    here.tracker(&["cancel", &second]).done();
    let ids = |args: &[&str]| -> Vec<String> {
        let page = here.tracker(&[&["list", "--json"], args].concat()).json();
        let items = page["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&[]), [second.as_str(), first.as_str()]);
    assert_eq!(ids(&["--state", "queued"]), [first.as_str()]);
    assert_eq!(ids(&["--state", "queued", "--state", "cancelled"]).len(), 2);
    assert_eq!(ids(&["--active"]), [first.as_str()]);
    assert_eq!(ids(&["--attention"]), Vec::<String>::new());
    assert_eq!(ids(&["--query", "some.film"]), [first.as_str()]);
    assert_eq!(ids(&["--query", &second.to_uppercase()]), [second.as_str()]);
    assert_eq!(ids(&["--query", &hash('B')]), [second.as_str()]);
    assert_eq!(ids(&["--limit", "1"]), [second.as_str()]);
    assert_eq!(ids(&["--before", &second]), [first]);
    for wrong in [["--state", "lost"], ["--limit", "0"], ["--limit", "201"]] {
        let found = here.tracker(&["list", wrong[0], wrong[1]]);
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{wrong:?}");
    }
}

#[test]
fn tokens_are_named_and_taken_away() {
    spec!("command-line#tokens-are-made-beside-the-database/an-unknown-name");
    let (_folder, here) = alone();
    let secret = here.tracker(&["token", "new", "phone"]).done().trim().to_owned();
    assert!(secret.starts_with("tracker_") && secret.len() > 40);
    assert_eq!(here.tracker(&["token", "new", "phone"]).code, 2);
    let list = here.tracker(&["token", "list", "--json"]);
    assert_eq!(list.json()["items"][0]["name"], "phone");
    assert!(!list.out.contains(&secret));
    here.tracker(&["token", "revoke", "phone"]).done();
    for gone in ["phone", "nobody"] {
        let found = here.tracker(&["token", "revoke", gone]);
        assert_eq!((found.code, found.out.as_str()), (3, ""), "{gone}");
    }
}
