//! Third-party crates that have one home or none: error crates, `ulid`, and
//! what `bins/` may have in its tests only. `deny.toml` holds the others; it
//! does not tell the product from its tests.

use crate::violation::Violation;
use crate::workspace::{EdgeKind, Layer, Package};

const ERRORS: &str = "error-crate";
const ULID: &str = "ulid-outside-ident";
const TEST_ONLY: &str = "tests-only-in-bins";

const ERROR_CRATES: [&str; 16] = [
    "eyre",
    "color-eyre",
    "stable-eyre",
    "simple-eyre",
    "snafu",
    "failure",
    "quick-error",
    "error-chain",
    "err-derive",
    "displaydoc",
    "miette",
    "error-stack",
    "rootcause",
    "fehler",
    "exn",
    "derive-error",
];

/// The declared dependencies that are out of place.
pub fn check(packages: &[Package]) -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages {
        let manifest = format!("{}/Cargo.toml", package.dir);
        for edge in &package.edges {
            let to = edge.to.as_str();
            if ERROR_CRATES.contains(&to) {
                let message = format!("`{to}`: errors are thiserror or anyhow");
                found.push(Violation::new(&manifest, 1, ERRORS, message));
            }
            let anyhow_is_home =
                matches!(package.layer, Some(Layer::Bin)) || edge.kind == EdgeKind::Dev;
            if to == "anyhow" && !anyhow_is_home {
                let message =
                    "anyhow is for `bins/`, `xtask` and tests; a library has a typed error";
                found.push(Violation::new(&manifest, 1, ERRORS, message));
            }
            let wires = package.layer == Some(Layer::Bin) && edge.kind == EdgeKind::Normal;
            if wires && ["axum", "reqwest", "rusqlite"].contains(&to) {
                let message = format!("`{to}`: `bins/` is wiring; only its tests use it");
                found.push(Violation::new(&manifest, 1, TEST_ONLY, message));
            }
            if to.contains("ulid") && package.name != "tracker-ident" {
                let message = format!("`{to}`: only `tracker-ident` makes or parses an id");
                found.push(Violation::new(&manifest, 1, ULID, message));
            }
        }
    }
    found
}
