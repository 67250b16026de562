//! `test` and `soak`: everything a change has to pass, in the order in which a
//! failure costs the least time.

use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::lab::{Flavour, Labs};
use super::setup::{self, cargo};
use super::{checks, journal, measurements};
use crate::runner::{Runner, Tally, note, say, started};

/// The names of the steps, in order.
const STEPS: [&str; 18] = [
    "tools",
    "fmt",
    "archrules",
    "speccheck",
    "tidy",
    "cargo-deny",
    "deny",
    "cargo-deb",
    "lab-clients",
    "system-tools",
    "python-tools",
    "node-tools",
    "clippy",
    "without-engine",
    "doc",
    "build",
    "cargo-test",
    JOURNAL,
];

/// The step that the soak alone has.
const JOURNAL: &str = "journal";

/// How to run the suite.
#[derive(Debug, Args)]
pub struct Options {
    /// Do one step alone
    #[arg(long, value_name = "STEP", value_parser = clap::builder::PossibleValuesParser::new(STEPS))]
    only: Option<String>,
    /// Run without qBittorrent: the tests that need it fail, the others are all run
    #[arg(long)]
    skip_lab: bool,
    /// The seed of everything random in the tests [default: a new one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// How much of everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Amount {
    Quick,
    Full,
}

impl Amount {
    fn proptest_cases(self) -> &'static str {
        match self {
            Amount::Quick => "32",
            Amount::Full => "2000",
        }
    }
}

/// `cargo xtask test`.
pub fn test(options: &Options) -> Result<()> {
    if options.only.as_deref() == Some(JOURNAL) {
        bail!("a long journal is measured by `cargo xtask soak --only {JOURNAL}`");
    }
    let seed = seed(options)?;
    let mut runner = Runner::new(options.only.clone())?;
    let mut tally = Tally::default();
    let began = started();
    let result = suite(&mut runner, options, Amount::Quick, seed, &mut tally);
    summary(&runner, began.elapsed());
    result?;
    conclude(&tally, began.elapsed());
    Ok(())
}

/// `cargo xtask soak`.
pub fn soak(options: &Options) -> Result<()> {
    let seed = seed(options)?;
    let mut runner = Runner::new(options.only.clone())?;
    let mut tally = Tally::default();
    let began = started();
    let mut rows = String::new();
    let result = suite(&mut runner, options, Amount::Full, seed, &mut tally)
        .and_then(|()| long_journal(&mut runner, &mut rows));
    summary(&runner, began.elapsed());
    let command = format!("cargo xtask soak --seed {seed}");
    let error = result.as_ref().err().map(|err| format!("{err:#}"));
    let parts = measurements::Soak { steps: &runner.steps, tally: &tally, rows: &rows };
    measurements::append_soak(&command, seed, &parts, error.as_deref())?;
    result?;
    conclude(&tally, began.elapsed());
    Ok(())
}

fn suite(
    runner: &mut Runner,
    options: &Options,
    amount: Amount,
    seed: u64,
    tally: &mut Tally,
) -> Result<()> {
    let lab = !options.skip_lab;
    runner.step("tools", |_| setup::tools())?;
    runner.step("fmt", |run| run.run(&mut ours(&["fmt", "--all", "--", "--check"])))?;
    runner.step("archrules", |_| checks::archrules())?;
    runner.step("speccheck", |_| checks::speccheck(false))?;
    runner.step("tidy", |_| checks::tidy())?;
    runner.step("cargo-deny", setup::cargo_deny)?;
    runner.step("deny", setup::deny)?;
    runner.step("cargo-deb", setup::cargo_deb)?;
    if lab {
        runner.step("lab-clients", setup::lab_clients)?;
    }
    runner.step("system-tools", setup::system)?;
    runner.step("python-tools", setup::python_tools)?;
    runner.step("node-tools", setup::node_tools)?;
    runner.step("clippy", |run| {
        run.run(&mut ours(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    // The program can be had without the engine inside it.
    runner.step("without-engine", |run| {
        let bare = ["clippy", "-p", "tracker", "--no-default-features", "--all-targets"];
        run.run(ours(&bare).args(["--", "-D", "warnings"]))
    })?;
    runner.step("doc", |run| {
        run.run(ours(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    runner.step("build", |run| run.run(&mut ours(&["build", "--workspace", "--bins"])))?;
    runner.step("cargo-test", |run| cargo_test(run, lab, amount, seed, tally))
}

/// What a page costs in a journal of ten million entries, in a build for release:
/// after the tests, when nothing else uses the machine.
fn long_journal(runner: &mut Runner, rows: &mut String) -> Result<()> {
    runner.step(JOURNAL, |run| {
        journal::build(run)?;
        journal::rows(run, journal::LONGEST, |line| {
            rows.push_str(line);
            rows.push('\n');
        })
    })
}

fn cargo_test(
    runner: &Runner,
    lab: bool,
    amount: Amount,
    seed: u64,
    tally: &mut Tally,
) -> Result<()> {
    let mut command = ours(&["test", "--workspace"]);
    let seed_text = seed.to_string();
    command
        .env("TRACKER_TEST_SEED", &seed_text)
        .env("PROPTEST_CASES", amount.proptest_cases())
        .env("TRACKER_TOOLS_PYTHON", setup::python())
        .env("TRACKER_TOOLS_NODE", setup::node());
    if !lab {
        command.arg("--no-fail-fast");
    }
    if amount == Amount::Full {
        command.env("TRACKER_SOAK", "1");
    }
    note(&format!("TRACKER_TEST_SEED={seed} PROPTEST_CASES={}", amount.proptest_cases()));
    // Compiled first, so that the labs do not idle while the compiler has the machine.
    runner.run(&mut ours(&["test", "--workspace", "--no-run"]))?;
    let labs = if lab { Some(Labs::up(runner, &Flavour::ALL)?) } else { None };
    if let Some(labs) = &labs {
        labs.export(&mut command);
    }
    runner.run_watching(&mut command, |line| tally.add(line)).with_context(|| {
        format!("the tests failed; run them again with `cargo xtask test --only cargo-test --seed {seed}`")
    })?;
    if tally.passed == 0 {
        bail!("no test ran");
    }
    Ok(())
}

/// `cargo` as the suite runs it.
fn ours(arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    // A machine that builds once gains nothing from incremental artefacts, and they are large.
    if std::env::var_os("CI").is_some_and(|value| value == "true") {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

#[expect(clippy::disallowed_methods, reason = "a seed that nobody gave is taken from the clock")]
fn seed(options: &Options) -> Result<u64> {
    if let Some(seed) = options.seed {
        return Ok(seed);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    Ok(u64::from(now.subsec_nanos()) ^ now.as_secs())
}

fn summary(runner: &Runner, took: Duration) {
    note("");
    for step in &runner.steps {
        let word = if step.passed { "ok" } else { "FAILED" };
        note(&format!("{:>8.1} s  {:<12} {word}", step.took.as_secs_f64(), step.name));
    }
    note(&format!("{:>8.1} s  in all", took.as_secs_f64()));
}

/// The last line is the sum of what cargo printed for the parts.
fn conclude(tally: &Tally, took: Duration) {
    if *tally != Tally::default() {
        say(&tally.render(took));
    }
}
