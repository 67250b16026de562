//! The command line as a person meets it: what is typed, what is printed.

#![allow(clippy::unwrap_used)]

mod backups;
mod choosing;
pub(crate) mod fake;
mod files;
mod housekeeping;
mod ingest;
mod library;
mod lifecycle;
mod looking;
mod notify;
mod remote;
mod review;
mod search;
mod seeding;
mod server;
mod shapes;
mod target;

use std::ffi::OsString;

use crate::run::run_asking;
use crate::{Surroundings, Terminal, parse};

use fake::Fake;

/// What a command left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub code: u8,
    pub out: String,
    pub err: String,
}

/// Runs a command line against the fake.
pub(crate) async fn ran(fake: &Fake, line: &[&str]) -> Ran {
    typed(fake, line, "", &Surroundings::default()).await
}

/// With these bytes on standard input.
async fn piped(fake: &Fake, line: &[&str], input: &[u8]) -> Ran {
    whole(fake, line, input, &Surroundings::default(), (None, false)).await
}

async fn typed(fake: &Fake, line: &[&str], input: &str, surroundings: &Surroundings) -> Ran {
    on_screen(fake, line, input, surroundings, None).await
}

/// Where a person can be asked, on a screen that may not say how wide it is.
async fn asked(fake: &Fake, line: &[&str], input: &str, width: Option<u16>) -> Ran {
    whole(fake, line, input.as_bytes(), &Surroundings::default(), (width, true)).await
}

async fn on_screen(
    fake: &Fake,
    line: &[&str],
    input: &str,
    surroundings: &Surroundings,
    width: Option<u16>,
) -> Ran {
    whole(fake, line, input.as_bytes(), surroundings, (width, false)).await
}

async fn whole(
    fake: &Fake,
    line: &[&str],
    mut input: &[u8],
    surroundings: &Surroundings,
    (width, asks): (Option<u16>, bool),
) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal =
        Terminal { out: &mut out, err: &mut err, input: &mut input, width, bars: false };
    let args = ["tracker"].iter().chain(line).map(OsString::from);
    let code = match parse(args, &mut terminal) {
        Ok(cli) => run_asking(cli, surroundings, fake, &mut terminal, asks).await,
        Err(code) => code,
    };
    Ran { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

/// What is said where nobody goes on with what was noted down.
const ALONE: &str = "no daemon runs; `tracker serve` goes on with it\n";

pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}
