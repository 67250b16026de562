//! What a person decides on the page of the review: the plan that is shown is the
//! plan that is carried out, and a form that is too old carries out nothing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tracker_testkit::spec;

use crate::browser::Browser;
use crate::film;
use crate::stage::{Stage, inode};

/// A name that says too little.
const STORIES: &str = "Harbour.Stories";

/// The links that the page shows, and the id of their plan.
async fn plan(browser: &Browser) -> (Vec<PathBuf>, String) {
    let shown = "return [...document.querySelectorAll('#plan input[name=shown]')]
        .map((input) => input.value)";
    let shown = browser.script(shown, &[]).await;
    let targets = shown.as_array().unwrap().iter();
    let targets = targets.map(|target| PathBuf::from(target.as_str().unwrap())).collect();
    (targets, browser.attr("#plan input[name=plan]", "value").await.unwrap())
}

/// The newest batch of a download.
async fn batch(stage: &Stage, id: &str) -> Value {
    let events = stage.daemon.events(id).await;
    let planned = events.iter().rfind(|event| event["type"] == "batch.planned").unwrap();
    let batch = planned["entity_id"].as_str().unwrap();
    stage.daemon.get(&format!("/batches/{batch}")).await.expect(200)
}

#[tokio::test]
async fn what_was_set_by_hand_is_what_is_linked() {
    spec!("web-ui#review-on-a-page/set-by-hand");
    spec!("web-ui#review-on-a-page/another-plan-by-now");
    let stage = Stage::start().await;
    stage.brings(STORIES);
    let id = stage.daemon.ingest(&film::magnet_of(STORIES)).await;
    stage.until_attention(&id, "needs-review").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.see("#needs-you", STORIES).await;
    browser.click("#needs-you [data-key=review]").await;
    browser.see("h1", "Review").await;
    browser.fill("#field-title", "Tales of the Harbour").await;
    browser.choose("#field-kind", "series").await;
    browser.fill("#field-season", "2").await;
    browser.click("#adjust button[value=adjust]").await;
    browser.see("#adjust li", "Season: 2").await;
    browser.see("#plan", "no season or episode number").await;
    stage.until_attention(&id, "needs-review").await;
    stage.until_shown(&browser, &id).await;
    browser.fill("[name='field.file.0.episodes']", "5").await;
    browser.click("#adjust button[value=adjust]").await;
    browser.see("#adjust li", &format!("Episodes ({STORIES}/{STORIES}.mkv): 5")).await;
    browser.see("#plan", "S02E05").await;
    browser.screenshot("review-set-by-hand").await;

    browser.rest_on("#plan button[value=apply]").await;
    let (targets, seen) = plan(&browser).await;
    let [target] = &targets[..] else { panic!("{targets:?}") };
    assert!(
        target.starts_with(stage.daemon.library("tv").join("Tales of the Harbour")),
        "{target:?}"
    );
    assert_eq!(inode(target), None, "a plan writes nothing");
    nothing_is_taken_by_an_old_plan(&stage, &browser, &id, target).await;
    browser.goto(&format!("/download/{id}/review")).await;
    browser.rest_on("#plan button[value=apply]").await;
    assert_eq!(plan(&browser).await, (targets.clone(), seen.clone()));
    browser.click("#plan button[value=apply]").await;
    browser.see("#story", "links made").await;
    browser.see("#summary [data-key=undo]", "Undo").await;
    assert_eq!(inode(target), inode(&stage.file(STORIES)));
    let batch = batch(&stage, &id).await;
    assert_eq!((&batch["plan"], &batch["state"]), (&json!(seen), &json!("applied")));
    assert_eq!(batch["links"].as_array().unwrap().len(), 1);
}

/// While somebody's file has the name of the link, the plan is another one, and the match
/// that would be taken with it is not taken either.
async fn nothing_is_taken_by_an_old_plan(
    stage: &Stage,
    browser: &Browser,
    id: &str,
    target: &Path,
) {
    let folder = target.parent().unwrap();
    fs::create_dir_all(folder).unwrap();
    fs::write(target, "somebody's").unwrap();
    browser.click("#plan button[value=apply]").await;
    browser.see("#stale", "No longer to be linked").await;
    let found = stage.daemon.get(&format!("/downloads/{id}/recognition")).await.expect(200);
    assert_eq!(found["state"], "proposed");
    assert_eq!(fs::read(target).unwrap(), b"somebody's");
    fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

/// A film whose name in the library somebody's file has, on the page of its review.
async fn in_the_way(stage: &Stage) -> (Browser, String) {
    let target = stage.in_library();
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::write(&target, "somebody's").unwrap();
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.until_attention(&id, "conflict").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.see("#needs-you tr", "something is in the way").await;
    browser.click("#needs-you [data-key=review]").await;
    browser.see("#plan .wrong", "another file is there").await;
    browser.see("#plan", target.to_str().unwrap()).await;
    (browser, id)
}

#[tokio::test]
async fn a_name_that_is_taken_is_left_to_whom_it_belongs() {
    spec!("web-ui#review-on-a-page/another-name");
    let stage = Stage::start().await;
    let (browser, id) = in_the_way(&stage).await;
    browser.screenshot("review-conflict").await;
    browser.axe().await;
    browser.no_overflow().await;
    browser.choose("#plan select[name=action]", "other-name").await;
    browser.click("#plan button[value=apply]").await;
    browser.see("#story", "links made").await;
    let target = stage.in_library();
    assert_eq!(fs::read(&target).unwrap(), b"somebody's");
    let batch = batch(&stage, &id).await;
    let beside = Path::new(batch["links"][0]["target"].as_str().unwrap());
    assert_ne!(beside, target);
    assert_eq!(beside.parent(), target.parent());
    assert_eq!(inode(beside), inode(&stage.file(film::FILM)));
    assert_eq!(stage.daemon.download(&id).await["attention"], Value::Null);
    browser.no_complaints().await;
}

#[tokio::test]
async fn what_is_there_is_kept() {
    spec!("web-ui#review-on-a-page/kept");
    let stage = Stage::start().await;
    let (browser, id) = in_the_way(&stage).await;
    // Undecided it is refused, on the page.
    browser.click("#plan button[value=apply]").await;
    browser.see("main [role=alert]", "").await;
    assert_eq!(stage.daemon.download(&id).await["attention"], "conflict");
    browser.choose("#plan select[name=action]", "keep").await;
    browser.click("#plan button[value=apply]").await;
    browser.see_path(&format!("/download/{id}")).await;
    stage.daemon.until_state(&id, "done").await;
    let target = stage.in_library();
    assert_eq!(fs::read(&target).unwrap(), b"somebody's");
    assert_eq!(fs::read_dir(target.parent().unwrap()).unwrap().count(), 1);
    browser.see_no("#summary .note.warn").await;
}

#[tokio::test]
async fn a_form_that_is_too_old_tells_what_changed() {
    spec!("web-ui#review-on-a-page/what-changed");
    let stage = Stage::start().await;
    stage.brings(STORIES);
    let id = stage.daemon.ingest(&film::magnet_of(STORIES)).await;
    stage.until_attention(&id, "needs-review").await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.goto(&format!("/download/{id}/review")).await;
    browser.fill("#field-title", "Tales of the Harbour").await;
    // Somebody else is quicker.
    let path = format!("/downloads/{id}/overrides/year");
    let set = stage.daemon.request(reqwest::Method::PUT, &format!("/api/v1{path}"));
    let set = stage.daemon.send(set.json(&json!({ "value": "1994" }))).await;
    assert!(matches!(set.status, 200 | 201), "{}", set.text);
    browser.click("#adjust button[value=adjust]").await;
    browser.see("#stale", "nothing was done").await;
    browser.see_focus("#stale").await;
    browser.see("#stale", "set by hand").await;
    browser.see("#stale", "api:local").await;
    browser.see("#stale", "Title: Tales of the Harbour").await;
    assert_eq!(browser.attr("#field-year", "value").await.as_deref(), Some("1994"));
    browser.screenshot("review-stale").await;
    browser.axe().await;
    let set = stage.daemon.get(&format!("/downloads/{id}/overrides")).await.expect(200);
    let fields: Vec<&Value> =
        set["items"].as_array().unwrap().iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, ["year"], "nothing of the form was kept");
}

#[tokio::test]
async fn a_plan_that_is_another_by_now_is_shown_anew() {
    spec!("web-ui#review-on-a-page/another-plan-by-now");
    let stage = Stage::start().await;
    let id = stage.film().await;
    let browser = Browser::open(&stage.daemon).await;
    browser.log_in(&stage.daemon).await;
    browser.goto(&format!("/download/{id}")).await;
    browser.click("#summary [data-key=undo]").await;
    browser.see("#story", "links undone").await;
    browser.goto(&format!("/download/{id}/review")).await;
    browser.rest_on("#plan button[value=apply]").await;
    let (targets, seen) = plan(&browser).await;
    assert_eq!(targets, [stage.in_library()]);
    // The journal says nothing of what happens in the folder meanwhile.
    fs::create_dir_all(targets[0].parent().unwrap()).unwrap();
    fs::write(&targets[0], "somebody's").unwrap();
    let before = stage.daemon.download(&id).await["revision"].clone();
    browser.click("#plan button[value=apply]").await;
    browser.see("#stale", "No longer to be linked").await;
    browser.see("#stale", targets[0].to_str().unwrap()).await;
    browser.see("#plan .wrong", "another file is there").await;
    let (targets, now) = plan(&browser).await;
    assert_eq!(targets, [] as [PathBuf; 0]);
    assert_ne!(now, seen);
    assert_eq!(stage.daemon.download(&id).await["revision"], before);
    assert_eq!(fs::read(stage.in_library()).unwrap(), b"somebody's");
    // The plan that is shown now can be carried out.
    browser.choose("#plan select[name=action]", "other-name").await;
    browser.click("#plan button[value=apply]").await;
    browser.see("#summary [data-key=undo]", "Undo").await;
}
