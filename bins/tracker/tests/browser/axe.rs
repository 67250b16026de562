//! axe-core, the pinned one: what a machine can say about who cannot use a page.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::chromium::kept;

/// WCAG 2.2 at A and AA, with what was there before, and what is good practice.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// One rule that a page breaks.
#[derive(Debug)]
pub struct Violation {
    /// Such as `image-alt`.
    pub rule: String,
    /// What the rule asks for.
    pub help: String,
    /// The elements, as selectors, each with what is wrong.
    pub targets: Vec<String>,
}

impl Browser {
    /// What axe finds on the page that is open.
    pub async fn violations(&self) -> Vec<Violation> {
        // As a script of the driver it runs whatever the page's policy says.
        self.script(&source(), &[]).await;
        let options = json!({
            "runOnly": { "type": "tag", "values": TAGS }, "resultTypes": ["violations"],
        });
        let found = self.script("return axe.run(document, arguments[0])", &[options]).await;
        // A run that looked at nothing finds nothing.
        assert!(!found["passes"].as_array().unwrap().is_empty(), "axe looked at nothing: {found}");
        found["violations"].as_array().unwrap().iter().map(violation).collect()
    }

    /// Fails with each rule that the page breaks.
    pub async fn axe(&self) {
        let found = self.violations().await;
        if found.is_empty() {
            return;
        }
        let mut text = String::new();
        for Violation { rule, help, targets } in &found {
            writeln!(text, "{rule}: {help}").unwrap();
            for target in targets {
                writeln!(text, "  {target}").unwrap();
            }
        }
        panic!("axe on {}:\n{text}", self.address().await);
    }
}

fn violation(found: &Value) -> Violation {
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    let nodes = found["nodes"].as_array().unwrap().iter();
    let targets = nodes.map(|node| {
        let summary = node["failureSummary"].as_str().unwrap_or_default().replace('\n', " ");
        format!("{}: {summary}", node["target"])
    });
    Violation { rule: text("id"), help: text("help"), targets: targets.collect() }
}

fn source() -> String {
    let set = std::env::var_os("TRACKER_TOOLS_NODE").map(PathBuf::from);
    let folder = set.unwrap_or_else(|| kept().join("node-tools"));
    let path = folder.join("node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; run cargo xtask test --only node-tools", path.display())
    })
}
