//! What helps a person to choose: files, ways, forms of a name, second questions.

use tracker_testkit::spec;

use super::fake::{Fake, ID};
use super::review::{FIRST, answered, with_candidates};
use super::{ALONE, Ran, asked, json, on_screen, ran};
use crate::{ApiFailure, Surroundings};

#[tokio::test]
async fn a_bad_answer_is_told() {
    spec!("command-line#review-at-the-command-line/a-bad-answer");
    let fake = with_candidates();
    let found = answered(&fake, "7\n0\nwhat\u{1b}\n\ns\n").await;
    assert_eq!(found.code, 4);
    for wrong in ["7", "0", "what\u{fffd}", ""] {
        let told = format!("{wrong:?} is no answer here. Possible is 1 to 2, n for none of them");
        assert!(found.err.contains(&told), "{wrong} {}", found.err);
    }
    let found = answered(&Fake::new(), "1\ns\n").await;
    assert!(found.err.contains("Possible is 0 for what the names say, n for"), "{}", found.err);
}

#[tokio::test]
async fn a_screen_of_unknown_width_asks() {
    spec!("command-line#review-at-the-command-line/a-screen-of-any-size");
    for width in [None, Some(1), Some(100)] {
        let found = asked(&with_candidates(), &["review", ID], "2\n", width).await;
        assert!(found.err.contains("Which one?"), "{width:?} {}", found.err);
        let found = asked(&with_candidates(), &["review", ID, "--json"], "2\n", width).await;
        assert_eq!((found.code, found.err.as_str()), (4, ""), "{width:?}");
        let here = Surroundings::default();
        let fake = with_candidates();
        let found = on_screen(&fake, &["review", ID], "2\n", &here, width).await;
        assert!(!found.err.contains("Which one?"), "{width:?} {}", found.err);
    }
}

#[tokio::test]
async fn many_files_are_counted() {
    spec!("command-line#review-at-the-command-line/many-files");
    for (count, untold) in [(40, None), (41, Some("… and 1 more, --json shows all"))] {
        let fake = Fake::new();
        fake.state.lock().unwrap().shape = Some(match count {
            40 => |found| found.files = vec![found.files[0].clone(); 40],
            _ => |found| found.files = vec![found.files[0].clone(); 41],
        });
        let found = ran(&fake, &["review", ID]).await.out;
        let files: Vec<&str> = found.lines().filter(|line| line.starts_with("file ")).collect();
        assert_eq!(files.iter().filter(|line| line.contains("1.mkv")).count(), 40, "{found}");
        let last = files.get(40).map(|line| line.trim_start_matches("file").trim());
        assert_eq!(last, untold, "{found}");
        let shape = json(&ran(&fake, &["review", ID, "--json"]).await.out);
        assert_eq!(shape["recognition"]["files"].as_array().unwrap().len(), count);
    }
}

#[tokio::test]
async fn a_review_says_what_helps() {
    spec!("command-line#review-at-the-command-line/what-helps");
    let named = |found: &Ran, command: &str| found.err.contains(&format!("`tracker {command}"));
    let (names, title) = (format!("accept {ID}`"), format!("override {ID} title|year|kind"));
    let (work, hint) = (format!("override {ID} candidate tmdb:"), format!("hint {ID}"));
    let (one, none) = (format!("accept {ID} WORK`"), format!("reject {ID}`"));
    let all = [&names, &title, &work, &hint, &one, &none];
    let told = |found: &Ran| all.map(|command| named(found, command));
    let nobody = Fake::new();
    assert_eq!(told(&ran(&nobody, &["review", ID]).await), [true, true, true, true, false, false]);
    assert_eq!(told(&answered(&nobody, "").await), [true, true, true, true, false, false]);
    // Without a title nothing could be linked by the names.
    nobody.state.lock().unwrap().shape = Some(|found| found.fields.title = None);
    assert_eq!(told(&ran(&nobody, &["review", ID]).await), [false, true, true, true, false, false]);
    let some = with_candidates();
    assert_eq!(told(&ran(&some, &["review", ID]).await), [false, false, false, false, true, true]);
    some.state.lock().unwrap().shape = Some(|found| found.verdict = "unknown".to_owned());
    assert_eq!(told(&ran(&some, &["review", ID]).await), [false, true, true, true, true, true]);
    some.state.lock().unwrap().recognition = "rejected";
    assert_eq!(told(&ran(&some, &["review", ID]).await), [false, true, true, true, false, false]);
}

#[tokio::test]
async fn a_candidate_is_named_by_any_form_of_its_work() {
    spec!("command-line#review-at-the-command-line/a-candidate-by-its-work");
    let first = format!("accept {ID} Some({FIRST:?})");
    for text in [
        "tmdb:1",
        "tmdb:tv/1",
        "tt0000001",
        "imdb:tt0000001",
        "https://www.themoviedb.org/tv/1-some",
        "https://www.imdb.com/title/tt0000001/",
    ] {
        let fake = with_candidates();
        let found = ran(&fake, &["accept", ID, text]).await;
        assert_eq!(found.code, 0, "{text} {}", found.err);
        assert_eq!(fake.calls()[1], first, "{text}");
    }
    for (text, code, told) in [
        ("tmdb:movie/1", 3, "override"),
        ("tmdb:9", 3, "override"),
        ("tt0000009", 3, "override"),
        ("tvmaze:1", 3, "override"),
        ("what", 3, "neither the id of a candidate nor a work"),
    ] {
        let found = ran(&with_candidates(), &["accept", ID, text]).await;
        assert_eq!(found.code, code, "{text}");
        assert!(found.err.contains(told), "{text} {}", found.err);
    }
    let fake = with_candidates();
    fake.state.lock().unwrap().candidates[1].work = Some("tmdb:movie/1".to_owned());
    let found = ran(&fake, &["accept", ID, "tmdb:1"]).await;
    assert_eq!(found.code, 2);
    assert!(found.err.contains("write one of these: tmdb:tv/1, tmdb:movie/1"), "{}", found.err);
    assert_eq!(ran(&fake, &["accept", ID, "tmdb:movie/1"]).await.code, 0);
}

#[tokio::test]
async fn a_done_one_keeps_its_links() {
    spec!("command-line#review-at-the-command-line/of-one-that-is-done");
    for line in [
        &["accept", ID][..],
        &["reject", ID],
        &["recognize", ID],
        &["hint", ID, "x"],
        &["override", ID, "year", "1999"],
        &["override", ID, "year", "--remove", "--json"],
    ] {
        let fake = with_candidates();
        assert_eq!(ran(&fake, line).await.err, ALONE, "{line:?}");
        fake.state.lock().unwrap().look = Some(|download| download.state = "done".to_owned());
        let found = ran(&fake, line).await;
        assert_eq!(found.code, 0, "{line:?}");
        let told = format!(
            "{ID} is done: its links stay as they are; `tracker relink {ID}` links it anew, \
             `tracker undo BATCH` takes them out\n{ALONE}"
        );
        assert_eq!(found.err, told, "{line:?}");
        // The change is made: a look that fails takes nothing back.
        let failures = [None, Some(ApiFailure::unreachable("gone"))];
        fake.state.lock().unwrap().failures = failures.into();
        let found = ran(&fake, line).await;
        assert_eq!((found.code, found.err.as_str()), (0, ALONE), "{line:?}");
    }
}
