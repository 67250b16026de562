//! `completions` and `man`: made from the one definition of the command line.

use clap_complete::Shell;

use crate::args::command;
use crate::failure::exit;
use crate::terminal::{Outcome, Terminal};

const NAME: &str = "tracker";

/// Completions for a shell.
pub(crate) fn completions(shell: Shell, terminal: &mut Terminal<'_>) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command(), NAME, &mut text);
    terminal.out.write_all(&text)?;
    Ok(exit::DONE)
}

/// The man page, with a part for each command.
pub(crate) fn man(terminal: &mut Terminal<'_>) -> Outcome {
    let mut root = command();
    root.build();
    let mut text = Vec::new();
    page(&root, &mut text)?;
    terminal.out.write_all(&text)?;
    Ok(exit::DONE)
}

fn page(command: &clap::Command, text: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(text)?;
    command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
        .try_for_each(|inner| page(inner, text))
}
