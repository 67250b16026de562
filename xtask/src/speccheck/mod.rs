//! Scenarios and tests, paired by name: no scenario without a test, no test
//! that names a scenario which is not there, and the coverage as a document.

mod markers;
mod spec;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::violation::Violation;
use crate::workspace::{Workspace, files_under, relative};

pub use markers::Marker;
pub use spec::Scenario;

const RULE: &str = "spec-coverage";
const UNTESTED: &str = "openspec/untested.toml";
const COVERAGE: &str = "docs/spec-coverage.md";

/// A scenario that has no test, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untested {
    /// Its id.
    pub scenario: String,
    /// Why it has no test.
    pub reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UntestedFile {
    #[serde(default)]
    untested: Vec<Untested>,
}

/// All that is compared.
pub struct Pairing {
    /// The scenarios of `openspec/specs`.
    pub scenarios: Vec<Scenario>,
    /// The scenarios of changes that are not archived: allowed, not required.
    pub proposed: Vec<Scenario>,
    /// The tests.
    pub markers: Vec<Marker>,
    /// The exceptions.
    pub untested: Vec<Untested>,
}

/// Checks the workspace; `write` writes the coverage document instead of comparing it.
pub fn run(workspace: &Workspace, write: bool) -> Result<Vec<Violation>> {
    let (pairing, mut found) = load(workspace)?;
    found.extend(check(&pairing));
    let path = workspace.root.join(COVERAGE);
    let fresh = coverage(&pairing);
    if write {
        fs::write(&path, fresh).with_context(|| format!("writing {COVERAGE}"))?;
    } else {
        let kept = fs::read_to_string(&path).unwrap_or_default();
        found.extend(compare(&kept, &fresh));
    }
    found.sort();
    Ok(found)
}

/// What the pairing lacks.
pub fn check(pairing: &Pairing) -> Vec<Violation> {
    let known: BTreeSet<&str> = pairing
        .scenarios
        .iter()
        .chain(&pairing.proposed)
        .map(|scenario| scenario.id.as_str())
        .collect();
    let tested: BTreeSet<&str> =
        pairing.markers.iter().map(|marker| marker.scenario.as_str()).collect();
    let excused: BTreeSet<&str> =
        pairing.untested.iter().map(|entry| entry.scenario.as_str()).collect();
    let mut found = Vec::new();
    for marker in &pairing.markers {
        if !known.contains(marker.scenario.as_str()) {
            let message =
                format!("`{}` names no scenario; look at the test again", marker.scenario);
            found.push(Violation::new(&marker.path, marker.line, RULE, message));
        }
    }
    for scenario in &pairing.scenarios {
        if !tested.contains(scenario.id.as_str()) && !excused.contains(scenario.id.as_str()) {
            let message = format!("`{}` has no test", scenario.id);
            found.push(Violation::new(&scenario.path, scenario.line, RULE, message));
        }
    }
    for entry in &pairing.untested {
        let id = entry.scenario.as_str();
        let wrong = if entry.reason.trim().is_empty() {
            "has no reason"
        } else if !known.contains(id) {
            "names no scenario"
        } else if tested.contains(id) {
            "has a test by now; take it off the list"
        } else {
            continue;
        };
        found.push(Violation::new(UNTESTED, 1, RULE, format!("`{id}` {wrong}")));
    }
    found
}

/// Whether the document is what the tests say.
pub fn compare(kept: &str, fresh: &str) -> Option<Violation> {
    (kept != fresh).then(|| {
        let line = kept.lines().zip(fresh.lines()).take_while(|(old, new)| old == new).count() + 1;
        Violation::new(
            COVERAGE,
            line,
            RULE,
            "stale; write it anew with `cargo xtask speccheck --write`",
        )
    })
}

/// The coverage document: each scenario with the tests that name it.
pub fn coverage(pairing: &Pairing) -> String {
    let mut tests: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for marker in &pairing.markers {
        // Without line numbers, or every edit would make the document stale.
        let test = format!("`{}` {}", marker.path, marker.test);
        tests.entry(&marker.scenario).or_default().insert(test);
    }
    let reasons: BTreeMap<&str, &str> = pairing
        .untested
        .iter()
        .map(|entry| (entry.scenario.as_str(), entry.reason.as_str()))
        .collect();
    let tested = pairing
        .scenarios
        .iter()
        .filter(|scenario| tests.contains_key(scenario.id.as_str()))
        .count();
    let mut text = String::from(
        "# Specification coverage\n\nWritten by `cargo xtask speccheck --write`; do not edit.\n\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{tested} of {} scenarios have a test.", pairing.scenarios.len());
    let mut heading = (String::new(), String::new());
    for scenario in &pairing.scenarios {
        let capability = scenario.id.split('#').next().unwrap_or_default();
        if heading.0 != capability {
            let _ = write!(text, "\n## {capability}\n");
            heading = (capability.to_owned(), String::new());
        }
        if heading.1 != scenario.requirement {
            let _ = write!(text, "\n### {}\n\n", scenario.requirement);
            heading.1.clone_from(&scenario.requirement);
        }
        let _ = writeln!(text, "- {}", scenario.name);
        for test in tests.get(scenario.id.as_str()).into_iter().flatten() {
            let _ = writeln!(text, "  - {test}");
        }
        if let Some(reason) = reasons.get(scenario.id.as_str()) {
            let _ = writeln!(text, "  - untested: {reason}");
        }
    }
    text
}

fn load(workspace: &Workspace) -> Result<(Pairing, Vec<Violation>)> {
    let root = &workspace.root;
    let mut found = Vec::new();
    let mut scenarios = Vec::new();
    let mut proposed = Vec::new();
    for path in files_under(&root.join("openspec"), "md") {
        let name = relative(root, &path);
        let Some((capability, change)) = capability_of(&name) else {
            continue;
        };
        let text = fs::read_to_string(&path).with_context(|| format!("reading {name}"))?;
        let spec = spec::read(&name, &capability, &text);
        if change {
            proposed.extend(spec.scenarios);
        } else {
            scenarios.extend(spec.scenarios);
            found.extend(spec.violations);
        }
    }
    let mut markers = Vec::new();
    for file in &workspace.files {
        let (named, misplaced) = markers::of_rust(&file.path, &file.tokens);
        markers.extend(named);
        found.extend(misplaced);
    }
    for path in files_under(&root.join("tests"), "py") {
        let name = relative(root, &path);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {name}"))?;
        markers.extend(markers::of_python(&name, &text));
    }
    markers.sort();
    let text = fs::read_to_string(root.join(UNTESTED)).unwrap_or_default();
    let file: UntestedFile =
        toml::from_str(&text).with_context(|| format!("reading {UNTESTED}"))?;
    Ok((Pairing { scenarios, proposed, markers, untested: file.untested }, found))
}

/// The capability of a `spec.md`, and whether it belongs to a change that is not archived.
fn capability_of(path: &str) -> Option<(String, bool)> {
    let inside = path.strip_suffix("/spec.md")?;
    if let Some(capability) = inside.strip_prefix("openspec/specs/") {
        return Some((capability.to_owned(), false));
    }
    let change = inside.strip_prefix("openspec/changes/")?;
    let (name, capability) = change.split_once("/specs/")?;
    (!name.starts_with("archive/")).then(|| (capability.to_owned(), true))
}
