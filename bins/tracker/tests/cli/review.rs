//! Recognition from outside: what is said beside a database and at a daemon,
//! and names that need neither.

use serde_json::json;
use tracker_testkit::spec;

use crate::{NOBODY, alone, hash, running};

#[test]
fn names_need_no_database() {
    spec!("command-line#review-at-the-command-line/names");
    let (_folder, here) = alone();
    let found = here.tracker(&["parse", "--json", "Some.Film.2020.mkv", "Other.2001.mkv"]);
    let lines: Vec<serde_json::Value> =
        found.done().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["title"], &lines[1]["year"]), (&json!("Some Film"), &json!(2001)));
    assert!(here.tracker(&["parse", "Some.Film.2020.mkv"]).done().contains("from \"2020\""));
    assert!(!here.data_dir().exists());
}

#[test]
fn words_are_kept_beside_a_database() {
    spec!("command-line#review-at-the-command-line/said");
    let (_folder, here) = alone();
    let id = here.tracker(&["ingest", &hash('a')]).ids().remove(0);
    let hint = here.tracker(&["hint", &id, "the", "first one", "--json"]).json();
    assert_eq!(hint["text"], "the first one");
    let page = "https://www.themoviedb.org/movie/603-some-film";
    let set = here.tracker(&["override", &id, "candidate", page]);
    assert_eq!(set.done(), "candidate\ttmdb:movie/603\n");
    let offset = here.tracker(&["override", &id, "episode_offset", "-12"]);
    assert_eq!(offset.done(), "episode_offset\t-12\n");
    let taken = here.tracker(&["override", &id, "episode_offset", "--remove"]);
    assert_eq!(taken.done(), "episode_offset\tremoved\n");
    let story = here.tracker(&["show", &id]);
    for told in [
        "hint added: the first one",
        "override set: candidate = tmdb:movie/603",
        "override removed: episode_offset = -12",
    ] {
        assert!(story.done().contains(told), "{told} {}", story.out);
    }
    let shown = here.tracker(&["show", hint["id"].as_str().unwrap(), "--json"]).json();
    assert_eq!(shown["url"], format!("/api/v1/downloads/{id}/hints"));
    for (line, code) in [
        (["override", &id, "colour", "red"], 2),
        (["override", &id, "year", "soon"], 2),
        (["override", &id, "candidate", "film"], 2),
        (["override", &id, "library", "nowhere"], 2),
        (["override", NOBODY, "colour", "red"], 3),
        (["override", "abc!!!", "year", "1999"], 3),
    ] {
        let found = here.tracker(&line);
        assert_eq!((found.code, found.out.as_str()), (code, ""), "{line:?} {}", found.err);
    }
    let pinned = ["ingest", &hash('b'), "--pin", "https://www.imdb.com/title/tt0133093/"];
    here.tracker(&pinned).done();
}

#[test]
fn nothing_is_decided_before_it_is_recognised() {
    spec!("command-line#review-at-the-command-line/decided");
    let (_folder, here) = alone();
    let id = here.tracker(&["ingest", &hash('a')]).ids().remove(0);
    let found = here.tracker(&["review", &id]);
    assert!(found.done().contains("pending"), "{found:?}");
    let shape = here.tracker(&["review", &id, "--json"]).json();
    assert_eq!(shape["recognition"]["state"], "pending");
    assert_eq!(shape["candidates"], json!({"items": [], "next": null}));
    assert_eq!(here.tracker(&["accept", &id]).code, 5);
    assert_eq!(here.tracker(&["reject", &id]).code, 5);
    assert_eq!(here.tracker(&["accept", &id, NOBODY]).code, 3);
    assert_eq!(here.tracker(&["recognize", &id]).done(), format!("{id}\tpending\n"));
    here.tracker(&["cancel", &id]).done();
    for line in [&["recognize", &id][..], &["hint", &id, "x"], &["accept", &id]] {
        assert_eq!(here.tracker(line).code, 5, "{line:?}");
    }
}

#[tokio::test]
async fn a_daemon_keeps_the_same_words() {
    spec!("command-line#review-at-the-command-line/at-a-daemon");
    let (_folder, here) = running().await;
    let id = here.ingest(&hash('a')).await;
    here.tracker(&["hint", &id, "x"]).done();
    assert_eq!(here.tracker(&["override", &id, "year", "1999"]).done(), "year\t1999\n");
    assert_eq!(here.tracker(&["override", &id, "year", "--remove"]).done(), "year\tremoved\n");
    assert_eq!(here.tracker(&["override", &id, "colour", "x"]).code, 2);
    assert!(here.tracker(&["review", &id]).done().contains("pending"));
    assert_eq!(here.tracker(&["accept", &id]).code, 5);
    assert_eq!(here.tracker(&["accept", &id, NOBODY]).code, 3);
}
