//! The rows about a long journal: what a page of it costs beside a short one.

use anyhow::{Context, Result, bail};

use super::setup::cargo;
use crate::runner::Runner;
use crate::workspace;

const BENCH: [&str; 5] = ["bench", "--package", "tracker-store", "--bench", "journal"];

/// Entries of the long journal in the bench.
pub const LONG: u64 = 1_000_000;

/// The same in the soak.
pub const LONGEST: u64 = 10_000_000;

/// The database of so many entries has less than half a KiB for each.
const BYTES_PER_ENTRY: u64 = 512;

/// Compiles it.
pub fn build(runner: &Runner) -> Result<()> {
    runner.run(cargo(&BENCH).arg("--no-run"))
}

/// Prints the rows line by line, and fails where a page costs many times what it
/// costs in a short journal.
pub fn rows(runner: &Runner, entries: u64, line: impl FnMut(&str) + Send) -> Result<()> {
    let root = workspace::root();
    let disk = rustix::fs::statvfs(&root)
        .with_context(|| format!("asking {} for space", root.display()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free < entries * BYTES_PER_ENTRY {
        bail!("a journal of {entries} entries needs {} MiB", (entries * BYTES_PER_ENTRY) >> 20);
    }
    let mut command = cargo(&BENCH);
    command.arg("--").arg("--entries").arg(entries.to_string());
    runner.run_watching(&mut command, line)
}
