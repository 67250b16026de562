//! Where answers go and input comes from.

use std::io::{BufRead, IsTerminal, Write};

use tracker_domain::Secret;
use tracker_domain::unseen::turns;

/// The three streams of a command.
pub struct Terminal<'a> {
    /// The answer, and nothing else.
    pub out: &'a mut (dyn Write + Send),
    /// Everything else.
    pub err: &'a mut (dyn Write + Send),
    /// What `-` reads.
    pub input: &'a mut (dyn BufRead + Send),
    /// The columns of the screen; `None` where the answer goes to a file or a
    /// program, which gets whole lines.
    pub width: Option<u16>,
    /// Whether `err` is a screen that bars can be drawn on.
    pub bars: bool,
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// There is no answer.
    Failure(crate::failure::ApiFailure),
    /// The answer cannot be written.
    Output(std::io::Error),
}

/// The exit code, or why there is none.
pub(crate) type Outcome = Result<u8, Stop>;

impl From<crate::failure::ApiFailure> for Stop {
    fn from(failure: crate::failure::ApiFailure) -> Self {
        Stop::Failure(failure)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Stop::Output(error)
    }
}

impl Terminal<'_> {
    /// Asks a person: `y` and `yes` agree, everything else does not.
    pub(crate) fn agreed(&mut self, question: &str) -> Result<bool, Stop> {
        write!(self.err, "{question} [y/N] ")?;
        self.err.flush()?;
        let mut line = Vec::new();
        self.input.read_until(b'\n', &mut line)?;
        let said = String::from_utf8_lossy(&line).trim().to_lowercase();
        Ok(matches!(said.as_str(), "y" | "yes"))
    }
}

/// Asks at the terminal of this process without showing what is typed; `None` where
/// there is none.
///
/// # Errors
/// When the terminal fails.
pub fn ask_secret(prompt: &str) -> std::io::Result<Option<Secret>> {
    let screen = console::Term::stderr();
    if !std::io::stdin().is_terminal() || !screen.is_term() {
        return Ok(None);
    }
    screen.write_str(prompt)?;
    Ok(Some(Secret::new(screen.read_secure_line()?)))
}

/// Text of foreign origin without what a terminal would obey.
pub(crate) fn clean(text: &str) -> String {
    let steers = |c: char| c.is_control() || turns(c);
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}
