//! `bench`: builds the program for release, runs the table, keeps it in the
//! measurements.

use anyhow::{Result, bail};

use super::measurements;
use super::setup::cargo;
use crate::runner::{Runner, note};
use crate::workspace;

const BENCH: &str = "bins/tracker/benches/table.rs";

/// `cargo xtask bench`.
pub fn run() -> Result<()> {
    if !workspace::root().join(BENCH).is_file() {
        bail!("there is no bench to run: {BENCH} is missing");
    }
    let mut runner = Runner::new(None)?;
    runner.step("build", |run| {
        run.run(&mut cargo(&["build", "--release", "--package", "tracker"]))
    })?;
    let mut table = String::new();
    runner.step("bench", |run| {
        let command = ["bench", "--package", "tracker", "--bench", "table", "--", "--markdown"];
        run.run_watching(&mut cargo(&command), |line| {
            table.push_str(line);
            table.push('\n');
        })
    })?;
    if !table.lines().any(|line| line.trim_start().starts_with('|')) {
        bail!("the bench printed no table");
    }
    measurements::put_bench(&table)?;
    note("the table is in docs/MEASUREMENTS.md");
    Ok(())
}
