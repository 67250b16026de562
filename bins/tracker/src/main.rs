//! `tracker`: the one binary. Wiring only: it reads the configuration, builds
//! the adapters and hands them to the parts that do the work.

mod backends;
mod backup_target;
mod bot;
mod config;
#[cfg(feature = "embedded")]
mod demo;
mod first_login;
mod logging;
mod place;
mod restoring;
mod serve;
mod settings;
mod supervision;
mod wiring;
mod workers;

use std::io::{BufReader, IsTerminal, stderr, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

use backends::Program;
use config::{Environment, Flags};
use tokio::runtime::Builder;
use tracker_cli::{Command, Surroundings, Terminal};

fn main() -> ExitCode {
    let environment = Environment::of_process();
    let (mut out, mut err, mut input) = (stdout(), stderr(), BufReader::new(stdin()));
    let mut terminal = Terminal {
        out: &mut out,
        err: &mut err,
        input: &mut input,
        width: terminal_width(),
        bars: stderr().is_terminal(),
    };
    let cli = match tracker_cli::parse(std::env::args_os(), &mut terminal) {
        Ok(cli) => cli,
        Err(code) => return ExitCode::from(code),
    };
    let flags = Flags { config: cli.global.config.clone(), data_dir: cli.global.data_dir.clone() };
    let daemon = matches!(cli.command, Command::Serve);
    let surroundings = Surroundings::from_vars(&environment.vars);
    let program = Program::new(environment, flags, daemon);
    let runtime = match Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            // Whether anybody reads it changes nothing any more.
            let _ = writeln!(terminal.err, "tracker: no runtime can be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(tracker_cli::run(cli, &surroundings, &program, &mut terminal));
    // A blocking call that hangs must not keep the process.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ExitCode::from(code)
}

/// The columns of the terminal behind the standard output.
fn terminal_width() -> Option<u16> {
    let size = stdout().is_terminal().then(|| rustix::termios::tcgetwinsize(stdout()))?.ok()?;
    Some(size.ws_col).filter(|width| *width > 0)
}
