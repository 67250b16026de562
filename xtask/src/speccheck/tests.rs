//! The form of specifications, the marks in tests, and their pairing.

use super::*;
use crate::spec;
use crate::tokens::Tokens;
use crate::violation::render;

const GOOD: &str = "# thing\n\n## Purpose\nWhy.\n\n## Requirements\n\n### Requirement: It works, always\n\
    It SHALL work.\n\n#### Scenario: A call\n- **WHEN** called\n- **THEN** it works\n";

fn read(text: &str) -> spec::Spec {
    spec::read("openspec/specs/thing/spec.md", "thing", text)
}

fn rust(text: &str) -> (Vec<Marker>, Vec<Violation>) {
    markers::of_rust("crates/a/src/x.rs", &Tokens::parse(text, false).expect("the fixture parses"))
}

fn pairing(marks: &[&str], untested: &[(&str, &str)]) -> Pairing {
    Pairing {
        scenarios: read(GOOD).scenarios,
        proposed: Vec::new(),
        markers: marks
            .iter()
            .map(|id| Marker {
                scenario: (*id).to_owned(),
                path: "x.rs".to_owned(),
                test: "t".to_owned(),
                line: 3,
            })
            .collect(),
        untested: untested
            .iter()
            .map(|(id, reason)| Untested {
                scenario: (*id).to_owned(),
                reason: (*reason).to_owned(),
            })
            .collect(),
    }
}

fn messages(pairing: &Pairing) -> Vec<String> {
    check(pairing).iter().map(ToString::to_string).collect()
}

const ID: &str = "thing#it-works-always/a-call";

#[test]
fn a_good_specification_passes() {
    let spec = read(GOOD);
    assert!(spec.violations.is_empty(), "{}", render(&spec.violations));
    assert_eq!(spec.scenarios.len(), 1);
    assert_eq!((spec.scenarios[0].id.as_str(), spec.scenarios[0].line), (ID, 11));
}

#[test]
fn a_specification_out_of_form_is_caught() {
    spec!("architecture-rules#scenarios-and-tests-are-paired/a-specification-out-of-form");
    let long = "x".repeat(50);
    for (from, to, line) in [
        ("# thing", "# other", 1),
        ("Why.", "", 1),
        ("## Requirements", "## Rules", 8),
        ("SHALL", "should", 8),
        ("- **WHEN** called", "", 11),
        ("- **THEN** it works", "- THEN it works", 11),
        ("#### Scenario", "### Scenario", 11),
        ("#### Scenario", "##### Scenario", 11),
        ("It works, always", long.as_str(), 8),
        ("#### Scenario: A call", "", 8),
    ] {
        let text = GOOD.replace(from, to);
        let lines: Vec<usize> = read(&text).violations.iter().map(|found| found.line).collect();
        assert!(lines.contains(&line), "{from} -> {to}: {lines:?}");
    }
    let twice = format!("{GOOD}\n#### Scenario: a call!\n- **WHEN** x\n- **THEN** y\n");
    assert_eq!(read(&twice).violations.len(), 1);
    let again = format!(
        "{GOOD}\n### Requirement: It works always\nIt MUST.\n#### Scenario: B\n- **WHEN** x\n- **THEN** y\n"
    );
    assert_eq!(read(&again).violations.len(), 1);
    let fenced = format!("{GOOD}\n```\n##### no heading\n```\n");
    assert!(read(&fenced).violations.is_empty());
}

#[test]
fn marks_are_found_in_tests_alone() {
    let (found, wrong) = rust(
        "#[test] fn a() { spec!(\"x#y/z\"); }\n\
         // spec!(\"comment\");\n\
         #[tokio::test(start_paused = true)] #[allow(x)] async fn b() { tracker_testkit::spec!(\"x#y/q\"); let t = \"spec!(\\\"s\\\")\"; }\n\
         proptest! { #[test] fn c(n in 0..3) { spec!(\"x#y/c\"); } }",
    );
    let names: Vec<(&str, &str)> =
        found.iter().map(|mark| (mark.scenario.as_str(), mark.test.as_str())).collect();
    assert_eq!(names, [("x#y/z", "a"), ("x#y/q", "b"), ("x#y/c", "c")]);
    assert!(wrong.is_empty());
    let (found, wrong) =
        rust("#[cfg(test)] fn called() { spec!(\"x#y/z\"); } fn product() { spec!(\"x#y/z\"); }");
    assert_eq!(found.len(), 1);
    assert_eq!(wrong.len(), 1);
}

#[test]
fn marks_in_python_belong_to_a_test() {
    let found = markers::of_python(
        "tests/t.py",
        "# spec: a#b/c\ndef test_one():\n    # spec: a#b/d\n    pass\n",
    );
    let names: Vec<(&str, &str)> =
        found.iter().map(|mark| (mark.scenario.as_str(), mark.test.as_str())).collect();
    assert_eq!(names, [("a#b/c", "test_one"), ("a#b/d", "test_one")]);
}

#[test]
fn a_mark_without_a_scenario_is_caught() {
    spec!("architecture-rules#scenarios-and-tests-are-paired/a-marker-without-a-scenario");
    assert_eq!(
        messages(&pairing(&[ID, "thing#gone/x"], &[])),
        ["x.rs:3: [spec-coverage] `thing#gone/x` names no scenario; look at the test again"]
    );
}

#[test]
fn a_scenario_without_a_test_is_caught() {
    spec!("architecture-rules#scenarios-and-tests-are-paired/a-scenario-without-a-test");
    let missing = format!("openspec/specs/thing/spec.md:11: [spec-coverage] `{ID}` has no test");
    assert_eq!(messages(&pairing(&[], &[])), [missing]);
    assert_eq!(messages(&pairing(&[], &[(ID, "needs a second machine")])), [""; 0]);
    assert_eq!(messages(&pairing(&[ID], &[])), [""; 0]);
}

#[test]
fn entries_that_are_not_needed_are_caught() {
    spec!("architecture-rules#scenarios-and-tests-are-paired/an-entry-that-is-no-longer-needed");
    assert_eq!(messages(&pairing(&[ID], &[(ID, "later")])).len(), 1);
    assert_eq!(messages(&pairing(&[ID], &[("thing#gone/x", "later")])).len(), 1);
    assert_eq!(messages(&pairing(&[], &[(ID, " ")])).len(), 1);
}

#[test]
fn stale_coverage_is_caught() {
    spec!("architecture-rules#scenarios-and-tests-are-paired/stale-coverage");
    let fresh = coverage(&pairing(&[ID], &[]));
    assert!(fresh.contains("1 of 1 scenarios"));
    assert!(fresh.contains("- A call\n  - `x.rs` t\n"));
    assert_eq!(compare(&fresh, &fresh), None);
    let stale = coverage(&pairing(&[], &[]));
    let found = compare(&stale, &fresh).expect("the documents differ");
    assert_eq!(found.line, 5);
    assert!(found.message.contains("speccheck --write"));
}

#[test]
fn scenarios_of_open_changes_may_be_named() {
    assert_eq!(capability_of("openspec/specs/a/b/spec.md"), Some(("a/b".to_owned(), false)));
    assert_eq!(capability_of("openspec/changes/x/specs/a/spec.md"), Some(("a".to_owned(), true)));
    assert_eq!(capability_of("openspec/changes/archive/x/specs/a/spec.md"), None);
    let mut open = pairing(&[ID, "new#r/s"], &[]);
    open.proposed = vec![Scenario { id: "new#r/s".to_owned(), ..open.scenarios[0].clone() }];
    assert_eq!(messages(&open), [""; 0]);
}

#[test]
fn the_workspace_is_paired() {
    spec!("architecture-rules#scenarios-and-tests-are-paired/a-scenario-without-a-test");
    let workspace = Workspace::load().expect("the workspace can be read");
    let found = run(&workspace, false).expect("the specifications can be checked");
    assert!(found.is_empty(), "{}", render(&found));
}
