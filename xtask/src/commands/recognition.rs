//! `recognition`: predicts a corpus of names, and measures how fast names are read.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::setup::cargo;
use crate::runner::Runner;

/// The example that reads names. Built for release, as everything that is measured.
const EXAMPLE: [&str; 6] =
    ["run", "--release", "--package", "tracker-recognize", "--example", "recognition"];

/// What to read and where to write.
#[derive(Debug, Args)]
pub struct Options {
    /// JSON lines with `id` and `input`
    #[arg(long, value_name = "PATH")]
    corpus: PathBuf,
    /// Where to write a prediction a line
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// A Python program that compares: it is run as `SCORER OUT --corpus CORPUS`
    #[arg(long, value_name = "PATH")]
    scorer: Option<PathBuf>,
}

/// `cargo xtask recognition`.
pub fn run(options: &Options) -> Result<()> {
    // The example runs in the root of the workspace, wherever this was started.
    let corpus = std::path::absolute(&options.corpus).context("finding the corpus")?;
    let out = std::path::absolute(&options.out).context("finding where to write")?;
    if !corpus.is_file() {
        bail!("there is no corpus at {}; name a file of JSON lines", corpus.display());
    }
    let mut runner = Runner::new(None)?;
    runner.step("read", |run| {
        let mut command = cargo(&EXAMPLE);
        command.arg("--").arg("--corpus").arg(&corpus).arg("--out").arg(&out);
        run.run(&mut command)
    })?;
    match &options.scorer {
        Some(scorer) => runner.step("score", |run| run.run(&mut score(scorer, &out, &corpus))),
        None => Ok(()),
    }
}

fn score(scorer: &Path, out: &Path, corpus: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg(scorer).arg(out).arg("--corpus").arg(corpus);
    command
}

/// The rows of the bench: names of the example's own, beside another reader.
pub fn build(runner: &Runner) -> Result<()> {
    let [_, options @ ..] = EXAMPLE;
    runner.run(cargo(&["build"]).args(options))
}

/// Prints the rows line by line.
pub fn rows(runner: &Runner, line: impl FnMut(&str) + Send) -> Result<()> {
    runner.run_watching(cargo(&EXAMPLE).arg("--").arg("--markdown"), line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scorer_is_given_both_files() {
        let command = score(Path::new("score.py"), Path::new("p.jsonl"), Path::new("c.jsonl"));
        let words: Vec<_> = command.get_args().collect();
        assert_eq!(words, ["score.py", "p.jsonl", "--corpus", "c.jsonl"]);
    }
}
