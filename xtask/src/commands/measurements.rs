//! `docs/MEASUREMENTS.md`: what was measured, when, and with which command.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::runner::{Step, Tally};
use crate::workspace;

const PATH: &str = "docs/MEASUREMENTS.md";
const BEGIN: &str = "<!-- bench:begin -->";
const END: &str = "<!-- bench:end -->";

/// What a soak did.
pub struct Soak<'a> {
    /// Its steps.
    pub steps: &'a [Step],
    /// Its tests.
    pub tally: &'a Tally,
    /// What it measured: rows of a table, one a line.
    pub rows: &'a str,
}

/// Adds a section about a soak.
pub fn append_soak(command: &str, seed: u64, soak: &Soak<'_>, error: Option<&str>) -> Result<()> {
    let text = read()?;
    write(&format!("{}\n{}", text.trim_end(), soak_section(&now()?, command, seed, soak, error)))
}

/// Puts a table where the table of the bench is.
pub fn put_bench(table: &str) -> Result<()> {
    let text = read()?;
    write(&with_bench(&text, &now()?, table)?)
}

fn soak_section(
    date: &str,
    command: &str,
    seed: u64,
    soak: &Soak<'_>,
    error: Option<&str>,
) -> String {
    let Soak { steps, tally, rows } = soak;
    let verdict = if error.is_none() { "passed" } else { "failed" };
    let mut text = format!("\n## Soak of {date}: {verdict}\n\n`{command}`, seed {seed}.\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} tests passed, {} failed, {} ignored.",
        tally.passed, tally.failed, tally.ignored
    );
    if let Some(error) = error {
        let _ = writeln!(text, "\n```text\n{error}\n```");
    }
    text.push_str("\n| step | seconds | result |\n|---|---:|---|\n");
    for step in *steps {
        let word = if step.passed { "ok" } else { "failed" };
        let _ = writeln!(text, "| {} | {:.1} | {word} |", step.name, step.took.as_secs_f64());
    }
    let rows: Vec<&str> = rows.lines().filter(|line| line.starts_with('|')).collect();
    if !rows.is_empty() {
        let head = "| what | tracker | beside it | ratio |\n|---|---|---|---:|";
        let _ = writeln!(text, "\n{head}\n{}", rows.join("\n"));
    }
    text
}

fn with_bench(text: &str, date: &str, table: &str) -> Result<String> {
    let block =
        format!("{BEGIN}\nMeasured {date} with `cargo xtask bench`.\n\n{}\n{END}", table.trim());
    match (text.find(BEGIN), text.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            Ok(format!("{}{block}{}", &text[..begin], &text[end + END.len()..]))
        }
        (None, None) => Ok(format!("{}\n\n## Benchmarks\n\n{block}\n", text.trim_end())),
        _ => bail!("{PATH} has one of `{BEGIN}` and `{END}` without the other"),
    }
}

fn read() -> Result<String> {
    let path = workspace::root().join(PATH);
    if !path.exists() {
        return Ok("# Measurements\n".to_owned());
    }
    fs::read_to_string(&path).with_context(|| format!("reading {PATH}"))
}

fn write(text: &str) -> Result<()> {
    fs::write(workspace::root().join(PATH), text).with_context(|| format!("writing {PATH}"))
}

fn now() -> Result<String> {
    let now = jiff::Timestamp::now().round(jiff::Unit::Second).context("rounding the time")?;
    Ok(now.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_table_is_put_between_its_marks() {
        let first = with_bench("# Measurements\n", "2026-01-02", "| a |\n")
            .expect("there are no marks yet");
        assert!(first.contains("## Benchmarks") && first.contains("| a |"));
        let text = format!("{first}\n## Soak\n");
        let second = with_bench(&text, "2026-01-03", "| b |").expect("the marks are there");
        assert!(second.contains("| b |") && !second.contains("| a |"));
        assert!(second.ends_with("\n## Soak\n"));
        with_bench(BEGIN, "2026-01-03", "x").expect_err("one mark is missing");
    }

    #[test]
    fn a_soak_tells_what_failed() {
        let steps = [Step { name: "fmt", took: Duration::from_millis(1250), passed: false }];
        let tally = Tally { passed: 3, ..Tally::default() };
        let rows = "a word\n| a page | 1 | 2 | 0.50 |\n";
        let soak = Soak { steps: &steps, tally: &tally, rows };
        let text =
            soak_section("2026-01-02", "cargo xtask soak --seed 7", 7, &soak, Some("it broke"));
        assert!(text.contains("Soak of 2026-01-02: failed"));
        assert!(
            text.contains("seed 7")
                && text.contains("it broke")
                && text.contains("| fmt | 1.2 | failed |")
        );
        assert!(
            text.ends_with("| ratio |\n|---|---|---|---:|\n| a page | 1 | 2 | 0.50 |\n"),
            "{text}"
        );
        let without = Soak { rows: "", ..soak };
        let text = soak_section("2026-01-02", "cargo xtask soak", 7, &without, None);
        assert!(text.ends_with("| fmt | 1.2 | failed |\n"), "{text}");
    }
}
