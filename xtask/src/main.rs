//! The tools of this repository: `cargo xtask <command>`.
//!
//! It runs programs and reads files; it never links the product, so that it
//! builds fast and works while the product does not compile.

mod archrules;
mod commands;
mod runner;
mod speccheck;
mod tidy;
mod tokens;
mod violation;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use commands::{bench, checks, demo, lab, package, recognition, suite};

/// Names the scenario that a test shows, as the test kit's macro does: this
/// package does not depend on the product.
#[cfg(test)]
macro_rules! spec {
    ($scenario:literal) => {
        const _: &str = $scenario;
    };
}
#[cfg(test)]
pub(crate) use spec;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The tools of this repository")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the conventions of the code base
    Archrules,
    /// Check that scenarios and tests are paired
    Speccheck {
        /// Write docs/spec-coverage.md anew instead of comparing it
        #[arg(long)]
        write: bool,
    },
    /// Write the diagram of docs/database.md anew, from the schema
    Diagram,
    /// Check the habits that no lint knows, and print the figures
    Tidy,
    /// Set up what the tests need and run everything
    Test(suite::Options),
    /// The same with full numbers; adds a section to docs/MEASUREMENTS.md
    Soak(suite::Options),
    /// Build for release, measure, and write the table into docs/MEASUREMENTS.md
    Bench,
    /// Read a corpus of names, and measure how fast names are read
    Recognition(recognition::Options),
    /// Show the main job on a real qBittorrent: lab, daemon, two magnets, library
    Demo(demo::Options),
    /// Make the Debian package and the static archive
    Package(package::Options),
    /// Start and stop a real qBittorrent
    Lab {
        #[command(subcommand)]
        command: LabCommand,
    },
}

#[derive(Subcommand)]
enum LabCommand {
    /// Start it and print what is in it
    Up(lab::Place),
    /// Stop it and remove its folder
    Down(lab::Place),
    /// Say whether it runs
    Status(lab::Place),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            runner::note(&format!("xtask: {err:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Archrules => checks::archrules(),
        Command::Speccheck { write } => checks::speccheck(write),
        Command::Diagram => checks::diagram(),
        Command::Tidy => checks::tidy(),
        Command::Test(options) => suite::test(&options),
        Command::Soak(options) => suite::soak(&options),
        Command::Bench => bench::run(),
        Command::Recognition(options) => recognition::run(&options),
        Command::Demo(options) => demo::run(&options),
        Command::Package(options) => package::run(&options),
        Command::Lab { command } => match command {
            LabCommand::Up(place) => lab::up(&place),
            LabCommand::Down(place) => lab::down(&place),
            LabCommand::Status(place) => lab::status(&place),
        },
    }
}
