//! `parse`: what release names say. It needs neither a database nor a daemon.

use tracker_app::AppError;
use tracker_wire::ParseDto;

use crate::failure::{exit, failure_of};
use crate::recognition as show;
use crate::render;
use crate::run::Context;
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Reads each name in its turn; `-` reads them from standard input, one a line.
pub(crate) fn parse(
    context: &Context<'_>,
    names: &[String],
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let mut reading = Reading { as_json: context.global.json, number: 0, worst: exit::DONE };
    for name in names {
        if name != "-" {
            reading.one(name, terminal)?;
            continue;
        }
        let mut line = Vec::new();
        loop {
            line.clear();
            if terminal.input.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
            if !text.is_empty() {
                reading.one(&text, terminal)?;
            }
        }
    }
    Ok(reading.worst)
}

struct Reading {
    as_json: bool,
    number: usize,
    worst: u8,
}

impl Reading {
    fn one(&mut self, name: &str, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
        self.number += 1;
        let found: Result<ParseDto, AppError> = tracker_app::parse(name).map(Into::into);
        match found {
            Ok(found) if self.as_json => render::json(terminal, &found),
            Ok(found) => {
                if self.number > 1 {
                    writeln!(terminal.out)?;
                }
                writeln!(terminal.out, "{}", clean(name))?;
                show::parsed(terminal, &found)
            }
            Err(refusal) => {
                let failure = failure_of(refusal);
                self.worst = self.worst.max(failure.exit);
                writeln!(terminal.err, "tracker: name {}: {failure}", self.number)?;
                Ok(())
            }
        }
    }
}
