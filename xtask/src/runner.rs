//! Runs programs one after the other, each in a process group of its own, and
//! ends the group that is running when a person presses Ctrl-C.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

const LOOK: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(30);

/// Says something about what is being done, beside the answer on stdout.
#[expect(clippy::print_stderr, reason = "a tool speaks to the person who started it")]
pub fn note(text: &str) {
    eprintln!("{text}");
}

/// Prints the answer of a command.
#[expect(clippy::print_stdout, reason = "a tool answers on stdout")]
pub fn say(text: &str) {
    println!("{text}");
}

/// Seconds since a moment, for a person.
#[expect(clippy::disallowed_methods, reason = "a tool measures how long its steps take")]
pub fn started() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a tool waits for other programs")]
pub fn pause(time: Duration) {
    thread::sleep(time);
}

/// What a step did.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// How long it took.
    pub took: Duration,
    /// Whether it succeeded.
    pub passed: bool,
}

/// Runs programs, and remembers what took how long.
pub struct Runner {
    stop: Arc<AtomicBool>,
    /// The steps so far.
    pub steps: Vec<Step>,
    only: Option<String>,
}

/// What the tests that a program ran came to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that were skipped.
    pub ignored: u64,
    /// Benchmarks.
    pub measured: u64,
    /// Tests that a filter left out.
    pub filtered: u64,
}

impl Tally {
    /// Adds a line `test result: ok. 3 passed; 0 failed; …`, if it is one.
    pub fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.split_once("test result: ") else {
            return;
        };
        let Some((_, counts)) = counts.split_once(". ") else {
            return;
        };
        for part in counts.split(';') {
            let mut words = part.split_whitespace();
            let Some(count) = words.next().and_then(|word| word.parse::<u64>().ok()) else {
                continue;
            };
            match words.next() {
                Some("passed") => self.passed += count,
                Some("failed") => self.failed += count,
                Some("ignored") => self.ignored += count,
                Some("measured") => self.measured += count,
                Some("filtered") => self.filtered += count,
                _ => {}
            }
        }
    }

    /// The sum, in the form that cargo gives the parts.
    pub fn render(&self, took: Duration) -> String {
        let word = if self.failed == 0 { "ok" } else { "FAILED" };
        format!(
            "test result: {word}. {} passed; {} failed; {} ignored; {} measured; {} filtered out; finished in {:.2}s",
            self.passed,
            self.failed,
            self.ignored,
            self.measured,
            self.filtered,
            took.as_secs_f64()
        )
    }
}

impl Runner {
    /// A runner that heeds Ctrl-C. With `only`, other steps are passed over.
    pub fn new(only: Option<String>) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, stop.clone()).context("listening for Ctrl-C")?;
        }
        Ok(Runner { stop, steps: Vec::new(), only })
    }

    /// Whether a person asked for an end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Does a step, unless another one was asked for, and says how long it took.
    pub fn step(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&Runner) -> Result<()>,
    ) -> Result<()> {
        if self.only.as_deref().is_some_and(|only| only != name) {
            return Ok(());
        }
        if self.stopped() {
            bail!("interrupted before step `{name}`");
        }
        note(&format!("\n==> {name}"));
        let began = started();
        let result = body(self);
        let took = began.elapsed();
        let passed = result.is_ok();
        self.steps.push(Step { name, took, passed });
        let word = if passed { "ok" } else { "FAILED" };
        note(&format!("<== {name}: {word} ({:.1} s)", took.as_secs_f64()));
        result.with_context(|| format!("step `{name}` failed"))
    }

    /// Runs a program to its end; its output goes where ours goes.
    pub fn run(&self, command: &mut Command) -> Result<()> {
        let child = self.spawn(command)?;
        self.finish(command, child)
    }

    /// Runs a program that may fail, and says whether it did not.
    pub fn succeeds(&self, command: &mut Command) -> Result<bool> {
        let child = self.spawn(command)?;
        Ok(self.wait(child)?.success())
    }

    /// Runs a program to its end, passes its stdout on and hands every line of it to `look`.
    pub fn run_watching(&self, command: &mut Command, look: impl FnMut(&str) + Send) -> Result<()> {
        command.stdout(Stdio::piped());
        let mut child = self.spawn(command)?;
        let output = child.stdout.take().context("the program has no stdout")?;
        let status = thread::scope(|scope| {
            let reader = scope.spawn(|| pass_on(output, look));
            let status = self.wait(child);
            // A reader that panicked has printed why; the status still counts.
            let _ = reader.join();
            status
        })?;
        check(command, status)
    }

    /// Runs a program and takes its stdout.
    pub fn output(&self, command: &mut Command) -> Result<String> {
        let mut text = String::new();
        command.stdout(Stdio::piped());
        let mut child = self.spawn(command)?;
        let output = child.stdout.take().context("the program has no stdout")?;
        let status = thread::scope(|scope| {
            let reader = scope.spawn(|| std::io::read_to_string(output));
            let status = self.wait(child);
            if let Ok(Ok(read)) = reader.join() {
                text = read;
            }
            status
        })?;
        check(command, status)?;
        Ok(text)
    }

    /// Starts a program in a process group of its own.
    pub fn spawn(&self, command: &mut Command) -> Result<Child> {
        command
            .stdin(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("starting {}", name_of(command)))
    }

    /// Waits for a program, and fails as it failed.
    pub fn finish(&self, command: &Command, child: Child) -> Result<()> {
        let status = self.wait(child)?;
        check(command, status)
    }

    fn wait(&self, mut child: Child) -> Result<ExitStatus> {
        loop {
            if let Some(status) = child.try_wait().context("waiting for a program")? {
                if self.stopped() {
                    bail!("interrupted");
                }
                return Ok(status);
            }
            if self.stopped() {
                end_group(&mut child, Signal::INT)?;
                bail!("interrupted");
            }
            pause(LOOK);
        }
    }
}

/// Ends a program and what it started; by force where asking does not help.
pub fn end_group(child: &mut Child, signal: Signal) -> Result<ExitStatus> {
    let group = Pid::from_child(child);
    // The group may be gone already; the wait below tells.
    let _ = kill_process_group(group, signal);
    let began = started();
    while began.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().context("waiting for a program")? {
            return Ok(status);
        }
        pause(LOOK);
    }
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().context("waiting for a program")
}

fn pass_on(output: impl std::io::Read, mut look: impl FnMut(&str)) {
    let mut lines = BufReader::new(output);
    let mut line = Vec::new();
    let mut out = std::io::stdout();
    while let Ok(read) = lines.read_until(b'\n', &mut line) {
        if read == 0 {
            break;
        }
        // Where nobody reads our stdout any more, the program still is read to its end.
        let _ = out.write_all(&line).and_then(|()| out.flush());
        look(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}

fn check(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("{} ended with {status}", name_of(command));
    }
    Ok(())
}

fn name_of(command: &Command) -> String {
    let mut text = format!("`{}", command.get_program().to_string_lossy());
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text.push('`');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_summed() {
        let mut tally = Tally::default();
        tally.add("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s");
        tally.add("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        tally.add("test a_name ... ok");
        assert_eq!(
            tally.render(Duration::from_millis(1500)),
            "test result: FAILED. 4 passed; 2 failed; 1 ignored; 0 measured; 2 filtered out; finished in 1.50s"
        );
    }

    #[test]
    fn a_step_that_fails_is_named_and_recorded() {
        let mut runner = Runner::new(None).expect("signals can be listened for");
        let err = runner
            .step("second", |runner| runner.run(&mut Command::new("false")))
            .expect_err("it fails");
        assert_eq!(format!("{err:#}"), "step `second` failed: `false` ended with exit status: 1");
        assert!(!runner.steps[0].passed);
    }

    #[test]
    fn other_steps_are_passed_over() {
        let mut runner = Runner::new(Some("b".to_owned())).expect("signals can be listened for");
        runner.step("a", |_| bail!("not asked for")).expect("it is passed over");
        runner.step("b", |_| Ok(())).expect("it succeeds");
        assert_eq!(runner.steps.len(), 1);
    }

    #[test]
    fn an_end_that_is_asked_for_ends_the_program() {
        let runner = Runner::new(None).expect("signals can be listened for");
        runner.stop.store(true, Ordering::SeqCst);
        let began = started();
        let err = runner
            .run(Command::new("tail").args(["-f", "/dev/null"]))
            .expect_err("it is interrupted");
        assert_eq!(err.to_string(), "interrupted");
        assert!(began.elapsed() < PATIENCE);
    }

    #[test]
    fn output_is_taken_and_watched() {
        let runner = Runner::new(None).expect("signals can be listened for");
        let text = runner.output(Command::new("printf").arg("a\\nb")).expect("it runs");
        assert_eq!(text, "a\nb");
        let mut lines = Vec::new();
        let mut command = Command::new("printf");
        runner
            .run_watching(command.arg("a\\nb\\n"), |line| lines.push(line.to_owned()))
            .expect("it runs");
        assert_eq!(lines, ["a", "b"]);
    }
}
