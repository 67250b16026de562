//! `bench`: builds the program for release, runs the table beside a real
//! qBittorrent, keeps it in the measurements.

use anyhow::{Result, bail};

use super::lab::{Flavour, Labs};
use super::setup::{self, cargo};
use super::{acting, journal, measurements, recognition};
use crate::runner::{Runner, note};
use crate::workspace;

const BENCH: &str = "bins/tracker/benches/table/main.rs";

/// The table and the bare twin, which it runs; by itself that one does nothing.
/// Chosen together, they share one build of what they depend on.
const TABLE: [&str; 9] = [
    "bench",
    "--package",
    "tracker",
    "--package",
    "tracker-store",
    "--bench",
    "table",
    "--bench",
    "bare",
];

/// `cargo xtask bench`.
pub fn run() -> Result<()> {
    if !workspace::root().join(BENCH).is_file() {
        bail!("there is no bench to run: {BENCH} is missing");
    }
    setup::tools()?;
    let mut runner = Runner::new(None)?;
    // Compiled first: nothing else may use the machine while it is measured.
    runner.step("build", |run| {
        run.run(cargo(&TABLE).arg("--no-run"))?;
        recognition::build(run)?;
        acting::build(run)?;
        journal::build(run)
    })?;
    let mut text = String::new();
    runner.step("bench", |run| {
        let labs = Labs::up(run, &[Flavour::Backports])?;
        let mut command = cargo(&TABLE);
        labs.export(&mut command);
        run.run_watching(command.arg("--").arg("--markdown"), |line| put(&mut text, line))
    })?;
    // Rows continue the table, which ends the answer above; a client that has had
    // ten thousand torrents is no measure any more, so this is a fresh one.
    runner.step("engine", |run| {
        let labs = Labs::up(run, &[Flavour::Backports])?;
        let mut command = cargo(&TABLE);
        labs.export(&mut command);
        let part = ["--", "--only", "engine"];
        run.run_watching(command.args(part), |line| put(&mut text, line))
    })?;
    runner.step("names", |run| recognition::rows(run, |line| put(&mut text, line)))?;
    runner.step("links", |run| acting::rows(run, |line| put(&mut text, line)))?;
    runner.step("journal", |run| journal::rows(run, journal::LONG, |line| put(&mut text, line)))?;
    if !text.lines().any(|line| line.trim_start().starts_with('|')) {
        bail!("the bench printed no table");
    }
    measurements::put_bench(&text)?;
    note("the table is in docs/MEASUREMENTS.md");
    Ok(())
}

fn put(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
