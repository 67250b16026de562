//! `plan`, `apply`, `relink`, `undo`, `verify`.

use tracker_testkit::spec;
use tracker_wire::{ConflictDto, PlanDto, PlannedLinkDto, SkippedDto};

use super::fake::{Fake, ID};
use super::{json, ran};

const BATCH: &str = "01jzabcdefghjkmnpqrstvwxy1";

fn planned() -> PlanDto {
    let text = str::to_owned;
    let (source, target) = (text("/downloads/a.mkv"), text("/media/A.mkv"));
    let skipped = SkippedDto { file: 1, source: text("/downloads/a.nfo"), reason: text("info") };
    let link = PlannedLinkDto { file: 0, source, target };
    PlanDto { id: text("ab"), links: vec![link], skipped: vec![skipped], conflicts: Vec::new() }
}

/// A plan with something in the way.
fn taken() -> PlanDto {
    let text = str::to_owned;
    let conflict = |file| ConflictDto {
        file,
        source: text("/downloads/b.mkv"),
        target: text("/media/B.mkv"),
        kind: text("two-sources"),
    };
    PlanDto { conflicts: vec![conflict(2), conflict(3)], ..planned() }
}

#[tokio::test]
async fn a_plan_is_shown() {
    spec!("command-line#the-library/plan-apply-undo");
    let fake = Fake::new();
    fake.state.lock().unwrap().plan = planned();
    let shown = ran(&fake, &["plan", ID]).await;
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert_eq!(
        shown.out,
        "+ /downloads/a.mkv -> /media/A.mkv\n\
         - /downloads/a.nfo (skipped: info)\n\
         1 links, 1 skipped, 0 conflicts\n\
         plan ab\n"
    );
    fake.state.lock().unwrap().plan = taken();
    let shown = ran(&fake, &["plan", ID]).await;
    assert_eq!(shown.code, 4);
    assert!(shown.out.contains("! /downloads/b.mkv -> /media/B.mkv (two-sources)\n"));
    assert!(shown.err.contains("--on-conflict"), "{}", shown.err);
    let shape = json(&ran(&fake, &["plan", ID, "--json"]).await.out);
    assert_eq!(shape["conflicts"][1]["file"], 3);
    assert_eq!(ran(&fake, &["plan", "x"]).await.code, 3);
}

#[tokio::test]
async fn a_plan_is_carried_out() {
    spec!("command-line#the-library/plan-apply-undo");
    let fake = Fake::new();
    fake.state.lock().unwrap().plan = taken();
    let made = ran(&fake, &["apply", ID, "--plan", "cd"]).await;
    assert_eq!((made.code, made.out), (0, format!("{BATCH}\tapplied\n  /media/A.mkv\n")));
    let made = ran(&fake, &["apply", ID, "--on-conflict", "keep", "--json"]).await;
    assert_eq!(json(&made.out)["state"], "applied");
    let undone = ran(&fake, &["undo", BATCH]).await;
    assert_eq!((undone.code, undone.out), (0, format!("{BATCH}\tundone\n")));
    assert_eq!(undone.err, "left: /media/B.mkv (not-our-link)\n");
    // A target that two files would get is named once.
    let body = r#"{"plan":"ab","resolve":[{"target":"/media/B.mkv","action":"keep"}]}"#;
    let expected = [
        format!(r#"apply {ID} {{"plan":"cd"}}"#),
        format!("plan {ID}"),
        format!("apply {ID} {body}"),
        format!("undo {BATCH}"),
    ];
    assert_eq!(fake.calls(), expected);
    assert_eq!(ran(&fake, &["apply", ID, "--on-conflict", "burn"]).await.code, 2);
}

#[tokio::test]
async fn links_are_made_anew_and_looked_at() {
    spec!("command-line#the-library/relink-and-verify");
    let fake = Fake::new();
    let made = ran(&fake, &["relink", ID]).await;
    assert_eq!((made.code, made.out), (0, format!("{BATCH}\tapplied\n  /media/A.mkv\n")));
    fake.state.lock().unwrap().healths = vec!["present", "unknown"];
    let fine = ran(&fake, &["verify", ID]).await;
    let line = format!("{ID}\tunknown\t/media/A (2020)/A (2020).mkv\n");
    assert_eq!(fine.code, 4, "nothing is claimed of what could not be looked at");
    assert!(fine.out.starts_with(&line) && fine.out.contains("\n1 unknown: "), "{}", fine.out);
    fake.state.lock().unwrap().healths = vec!["present", "present"];
    let fine = ran(&fake, &["verify", ID]).await;
    assert_eq!((fine.code, fine.out.as_str()), (0, "2 links, 0 not as they were made\n"));
    fake.state.lock().unwrap().healths = vec!["present", "missing"];
    let missing = ran(&fake, &["verify"]).await;
    let line = format!("{ID}\tmissing\t/media/A (2020)/A (2020).mkv\n");
    assert_eq!(missing.code, 4);
    assert_eq!(missing.out, format!("{line}2 links, 1 not as they were made\n"));
    assert_eq!(json(&ran(&fake, &["verify", "--json"]).await.out)["items"][1]["health"], "missing");
}
