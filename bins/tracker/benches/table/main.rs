//! The benchmark table: each figure beside something that is run in the same
//! minutes on the same machine, so that the ratio means something elsewhere too.
//!
//! `cargo xtask bench` runs it with a real qBittorrent and keeps the table in
//! `docs/MEASUREMENTS.md`. `-- --only intake` (or `start`, `load`, `tick`, `engine`) runs
//! a part; `engine` needs a lab of its own and runs by its name alone.

mod daemon;
#[cfg(feature = "embedded")]
mod engine;
mod intake;
mod load;
mod machine;
mod seed;
mod start;
mod tick;

use std::path::Path;

use anyhow::{Result, bail};

use crate::machine::Machine;

/// One line of the table.
pub struct Row {
    what: String,
    ours: String,
    beside: String,
    ratio: String,
}

impl Row {
    fn new(
        what: impl Into<String>,
        ours: impl Into<String>,
        beside: impl Into<String>,
        ratio: f64,
    ) -> Self {
        let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "-".to_owned() };
        Row { what: what.into(), ours: ours.into(), beside: beside.into(), ratio }
    }
}

/// Says what is being done, beside the table on stdout.
#[expect(clippy::print_stderr, reason = "a bench takes minutes and says where it is")]
pub fn note(text: &str) {
    eprintln!("{text}");
}

/// The middle one of some figures.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|arg| arg == "--bench") {
        // A test run that takes benches along does not mean this.
        return Ok(());
    }
    if let Some(at) = args.iter().position(|arg| arg == load::plain::ARGUMENT) {
        return load::plain::serve(&args[at + 1..]);
    }
    let only = args.iter().skip_while(|arg| *arg != "--only").nth(1).cloned();
    if let Some(name) = only.as_deref()
        && !["intake", "start", "load", "tick", "engine"].contains(&name)
    {
        bail!("there is no part {name:?}; there are intake, start, load, tick and engine");
    }
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    // On the disk that is built on: folders for temporary files may be memory.
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut machine = Machine::look(place);
    let mut rows = Vec::new();
    if wanted("intake") {
        rows.extend(intake::rows(place)?);
    }
    if wanted("start") {
        rows.extend(start::rows(place)?);
    }
    if wanted("load") {
        rows.extend(load::rows(place)?);
    }
    if wanted("tick") {
        let (measured, client) = tick::rows(place)?;
        rows.extend(measured);
        machine.client = Some(client);
    }
    #[cfg(feature = "embedded")]
    if only.as_deref() == Some("engine") {
        print_rows(&engine::rows(place)?);
        return Ok(());
    }
    print(&machine, &rows);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the table is the answer")]
fn print(machine: &Machine, rows: &[Row]) {
    println!("{}", machine.describe());
    println!();
    println!("| what | tracker | beside it | ratio |");
    println!("|---|---|---|---:|");
    print_rows(rows);
}

/// Rows alone: they go on with a table.
#[expect(clippy::print_stdout, reason = "the table is the answer")]
fn print_rows(rows: &[Row]) {
    for Row { what, ours, beside, ratio } in rows {
        println!("| {what} | {ours} | {beside} | {ratio} |");
    }
}
