//! `user`: who may log in to the pages.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde_json::json;
use tracker_domain::Secret;
use tracker_wire::UserDto;

use crate::args::UserCommand;
use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::target::live_daemon;
use crate::terminal::{Outcome, Stop, Terminal};

/// More than the longest password, whatever its letters.
const LIMIT_BYTES: u64 = 4096;

/// Makes, changes and lists accounts, and makes links that log in.
pub(crate) async fn user(
    context: &Context<'_>,
    command: UserCommand,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    context.beside_database("user")?;
    match command {
        UserCommand::Add { name, password_file, no_password } => {
            let password = match no_password {
                true => None,
                false => Some(password(context, password_file, terminal)?),
            };
            let people = context.backends.people(Access::Write).await?;
            said(context, &people.user_add(&name, password).await?, "made", terminal)?;
        }
        UserCommand::Passwd { name, password_file } => {
            let password = password(context, password_file, terminal)?;
            let people = context.backends.people(Access::Write).await?;
            said(context, &people.user_passwd(&name, password).await?, "changed", terminal)?;
        }
        UserCommand::Disable { name } => {
            let people = context.backends.people(Access::Write).await?;
            said(context, &people.user_disable(&name, true).await?, "disabled", terminal)?;
        }
        UserCommand::Enable { name } => {
            let people = context.backends.people(Access::Write).await?;
            said(context, &people.user_disable(&name, false).await?, "enabled", terminal)?;
        }
        UserCommand::List => list(context, terminal).await?,
        UserCommand::LoginLink { name } => {
            let people = context.backends.people(Access::Write).await?;
            let (link, secret) = people.login_link(name.as_deref()).await?;
            // A daemon that runs knows better: its port may have been chosen by the system.
            let home = match live_daemon(&context.backends.data_dir()?).await? {
                Some(daemon) => daemon.url,
                None => context.backends.address()?,
            };
            let url = format!("{home}/login?link={}", secret.expose());
            if context.global.json {
                render::json(terminal, &json!({ "link": link, "url": url }))?;
            } else {
                let who = link.user.as_deref().unwrap_or("the first account, admin");
                writeln!(terminal.err, "It logs in {who}, once, until {}:", link.expires_at)?;
                writeln!(terminal.out, "{url}")?;
            }
        }
    }
    Ok(exit::DONE)
}

fn said(
    context: &Context<'_>,
    user: &UserDto,
    what: &str,
    terminal: &mut Terminal<'_>,
) -> Result<(), Stop> {
    if context.global.json {
        render::json(terminal, user)?;
    } else {
        writeln!(terminal.out, "{}\t{what}", user.name)?;
    }
    Ok(())
}

async fn list(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    let items = context.backends.people(Access::Read).await?.users().await?;
    if context.global.json {
        render::json(terminal, &json!({ "items": items, "next": null }))?;
        return Ok(());
    }
    let rows = items
        .into_iter()
        .map(|user| {
            let state = if user.disabled_at.is_some() { "disabled" } else { "active" };
            let password = if user.has_password { "set" } else { "none" };
            vec![user.name, state.to_owned(), password.to_owned(), user.created_at]
        })
        .collect();
    render::table(terminal, &["NAME", "STATE", "PASSWORD", "CREATED"], rows, Overflow::Wrap)?;
    Ok(())
}

/// From a file, from the input, or typed twice without being shown. Never from the
/// line of the command, which other users of the machine can see.
fn password(
    context: &Context<'_>,
    file: Option<PathBuf>,
    terminal: &mut Terminal<'_>,
) -> Result<Secret, Stop> {
    match file {
        Some(path) if path == Path::new("-") => first_line(&mut *terminal.input, "the input"),
        Some(path) => {
            let name = path.display().to_string();
            let opened = std::fs::File::open(&path).map_err(|error| {
                ApiFailure::usage(format!("the password file {name} cannot be read: {error}"))
            })?;
            first_line(std::io::BufReader::new(opened), &name)
        }
        None => {
            let typed = context.backends.ask_secret("Password: ")?.ok_or_else(|| {
                ApiFailure::usage(
                    "there is no terminal to ask at; use --password-file FILE, or - for the input",
                )
            })?;
            let again = context.backends.ask_secret("Once more: ")?;
            if again.as_ref() != Some(&typed) {
                return Err(ApiFailure::usage("the two passwords are not the same").into());
            }
            Ok(typed)
        }
    }
}

fn first_line(from: impl BufRead, name: &str) -> Result<Secret, Stop> {
    let mut line = String::new();
    from.take(LIMIT_BYTES)
        .read_line(&mut line)
        .map_err(|error| ApiFailure::usage(format!("{name} cannot be read: {error}")))?;
    Ok(Secret::new(line.trim_end_matches(['\n', '\r'])))
}
