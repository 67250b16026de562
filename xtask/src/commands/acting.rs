//! The rows of the bench about links: a batch of hard links beside `cp -al`.

use anyhow::Result;

use super::setup::cargo;
use crate::runner::Runner;

const BENCH: [&str; 5] = ["bench", "--package", "tracker-system", "--bench", "acting"];

/// Compiles it.
pub fn build(runner: &Runner) -> Result<()> {
    runner.run(cargo(&BENCH).arg("--no-run"))
}

/// Prints the rows line by line.
pub fn rows(runner: &Runner, line: impl FnMut(&str) + Send) -> Result<()> {
    runner.run_watching(cargo(&BENCH).arg("--").arg("--markdown"), line)
}
