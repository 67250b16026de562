//! The checkers as commands: one line a violation, and exit 1 if there is any.

use anyhow::{Result, bail};

use super::setup::cargo;
use crate::runner::{Runner, say};
use crate::violation::Violation;
use crate::workspace::Workspace;
use crate::{archrules as rules, speccheck as specs, tidy as habits};

/// `cargo xtask archrules`.
pub fn archrules() -> Result<()> {
    report(&rules::check(&Workspace::load()?)?)
}

/// `cargo xtask speccheck [--write]`.
pub fn speccheck(write: bool) -> Result<()> {
    report(&specs::run(&Workspace::load()?, write)?)
}

/// `cargo xtask tidy`.
pub fn tidy() -> Result<()> {
    let (found, figures) = habits::run(&Workspace::load()?)?;
    say(&figures.render());
    report(&found)
}

/// `cargo xtask diagram`: the test that compares the diagram with the schema
/// writes it, since this package does not link the store.
pub fn diagram() -> Result<()> {
    let test = ["test", "--package", "tracker-store", "--test", "diagram"];
    Runner::new(None)?.run(cargo(&test).env("TRACKER_WRITE_DIAGRAM", "1"))
}

fn report(found: &[Violation]) -> Result<()> {
    for violation in found {
        say(&violation.to_string());
    }
    if !found.is_empty() {
        bail!("{} violations", found.len());
    }
    Ok(())
}
