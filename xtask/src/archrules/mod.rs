//! The conventions that a machine checks: one module a rule, each a pure
//! function from what was read to what is wrong.

mod clock;
mod dependencies;
mod environment;
mod error_text;
mod file_changes;
mod globals;
mod layers;
mod logs;
mod migrations;
mod outside_calls;
mod sql;
mod state_writes;
#[cfg(test)]
mod tests;
mod ulids;
mod write_door;

use std::fs;

use anyhow::{Context, Result};

use crate::violation::Violation;
use crate::workspace::{RustFile, Workspace, files_under, is_test_path, relative};

/// A rule that looks at one Rust file.
type FileRule = fn(&RustFile) -> Vec<Violation>;

const FILE_RULES: [FileRule; 10] = [
    clock::check,
    environment::check,
    error_text::check,
    file_changes::check,
    globals::check,
    logs::check,
    outside_calls::check,
    state_writes::check,
    ulids::check,
    write_door::check,
];

/// Every broken rule of the workspace, sorted by place.
pub fn check(workspace: &Workspace) -> Result<Vec<Violation>> {
    let mut found = layers::check(&workspace.packages);
    found.extend(dependencies::check(&workspace.packages));
    for file in &workspace.files {
        for rule in FILE_RULES {
            found.extend(rule(file));
        }
    }
    for path in files_under(&workspace.root.join("migrations"), "sql") {
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        found.extend(migrations::check(&relative(&workspace.root, &path), &text));
    }
    for path in files_under(&workspace.root.join("crates"), "sql") {
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let name = relative(&workspace.root, &path);
        if !is_test_path(&name) {
            found.extend(state_writes::check_sql(&name, &text));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}
