//! `config`: what applies, what is wrong, and a file to start from.

use std::collections::BTreeMap;

use serde_json::json;

use crate::args::ConfigCommand;
use crate::failure::exit;
use crate::render;
use crate::run::Context;
use crate::terminal::{Outcome, Terminal};

/// Shows, checks or begins the configuration.
pub(crate) fn config(
    context: &Context<'_>,
    command: &ConfigCommand,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    match command {
        ConfigCommand::Init { stdout: true } => {
            terminal.out.write_all(context.backends.config_template().as_bytes())?;
        }
        ConfigCommand::Init { stdout: false } => {
            let path = context.backends.config_init()?;
            if context.global.json {
                render::json(terminal, &json!({ "file": path }))?;
            } else {
                writeln!(terminal.out, "{}", path.display())?;
            }
        }
        ConfigCommand::Show => {
            let text = context.backends.config_show()?;
            if context.global.json {
                render::json(terminal, &text.json)?;
            } else {
                terminal.out.write_all(text.human.as_bytes())?;
            }
        }
        ConfigCommand::Check => {
            let checked = context.backends.config_check()?;
            let names: BTreeMap<_, _> = checked.names.iter().cloned().collect();
            match checked.file {
                file if context.global.json => {
                    let answer = json!({ "file": file, "problems": [], "names": names });
                    render::json(terminal, &answer)?;
                    return Ok(exit::DONE);
                }
                Some(path) => writeln!(terminal.out, "{} is fine", path.display())?,
                None => {
                    writeln!(terminal.out, "there is no configuration file; the defaults hold")?;
                }
            }
            for (what, path) in &checked.names {
                writeln!(terminal.out, "{what}: {path}")?;
            }
        }
    }
    Ok(exit::DONE)
}
