//! The checkers as commands: one line a violation, and exit 1 if there is any.

use anyhow::{Result, bail};

use crate::runner::say;
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

fn report(found: &[Violation]) -> Result<()> {
    for violation in found {
        say(&violation.to_string());
    }
    if !found.is_empty() {
        bail!("{} violations", found.len());
    }
    Ok(())
}
