//! `completions` and `man`: made from the one definition of the command line.

use std::path::Path;

use clap_complete::Shell;

use crate::args::command;
use crate::failure::{ApiFailure, exit};
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

/// A page for each command in a folder, under the names that `man` looks for.
pub(crate) fn man_pages(dir: &Path, terminal: &mut Terminal<'_>) -> Outcome {
    let cannot = |what: &Path, error: std::io::Error| {
        ApiFailure::failed(format!("{} cannot be written: {error}", what.display()))
    };
    std::fs::create_dir_all(dir).map_err(|error| cannot(dir, error))?;
    let mut root = command();
    root.build();
    let mut pages = Vec::new();
    collect(&root, &mut pages);
    for page in pages {
        let path = dir.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)?;
        std::fs::write(&path, text).map_err(|error| cannot(&path, error))?;
        writeln!(terminal.out, "{}", path.display())?;
    }
    Ok(exit::DONE)
}

fn collect(command: &clap::Command, pages: &mut Vec<clap_mangen::Man>) {
    pages.push(clap_mangen::Man::new(command.clone()));
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        collect(inner, pages);
    }
}

fn page(command: &clap::Command, text: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(text)?;
    command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
        .try_for_each(|inner| page(inner, text))
}
