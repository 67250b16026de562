//! `notify`: who is told of events, and how that goes.

use tracker_wire::{DeadLetterDto, ReceiverDto};

use crate::args::NotifyCommand;
use crate::backends::Access;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Terminal, clean};

/// Lists receivers and what they would not take, tests one, tries again.
pub(crate) async fn notify(
    context: &Context<'_>,
    command: NotifyCommand,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    match command {
        NotifyCommand::List => list(context, terminal).await,
        NotifyCommand::Dead { name } => dead(context, &name, terminal).await,
        NotifyCommand::Test { name } => test(context, &name, terminal).await,
        NotifyCommand::Retry { name } => retry(context, &name, terminal).await,
    }
}

async fn list(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let page = context.api(Access::Read).await?.receivers().await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    render::nothing_found(terminal, page.items.len())?;
    let header = ["NAME", "KIND", "BEHIND", "ASIDE", "LAST TAKEN", "NOW"];
    let rows = page.items.into_iter().map(row).collect();
    render::table(terminal, &header, rows, Overflow::Cut)?;
    Ok(exit::DONE)
}

fn row(receiver: ReceiverDto) -> Vec<String> {
    vec![
        clean(&receiver.name),
        receiver.kind.clone(),
        receiver.behind.to_string(),
        receiver.dead_letters.to_string(),
        receiver.delivered_at.clone().unwrap_or_else(|| "never".to_owned()),
        clean(&now(&receiver)),
    ]
}

/// How it does, in words.
fn now(receiver: &ReceiverDto) -> String {
    if let Some(fault) = &receiver.fault {
        return fault.clone();
    }
    if receiver.attempts == 0 {
        let said = if receiver.dead_letters == 0 { "fine" } else { "goes on without some" };
        return said.to_owned();
    }
    let detail = receiver.detail.as_deref().unwrap_or_default();
    let next = receiver.next_attempt_at.as_deref().unwrap_or("once the daemon runs");
    format!("tried {} times, again {next}: {detail}", receiver.attempts)
}

async fn dead(context: &Context<'_>, name: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let page = context.api(Access::Read).await?.dead_letters(name).await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    render::nothing_found(terminal, page.items.len())?;
    let rows = page.items.into_iter().map(dead_row).collect();
    render::table(terminal, &["EVENT", "ASIDE SINCE", "TYPE", "NAME", "WHY"], rows, Overflow::Cut)?;
    Ok(exit::DONE)
}

fn dead_row(letter: DeadLetterDto) -> Vec<String> {
    let (kind, name) = match letter.event {
        Some(event) => (event.event_type, event.entity_name.unwrap_or_default()),
        None => ("(gone)".to_owned(), String::new()),
    };
    vec![letter.event_id, letter.put_aside_at, kind, clean(&name), clean(&letter.detail)]
}

/// The exit code is 1 where it was not taken.
async fn test(context: &Context<'_>, name: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let tested = context.api(Access::Write).await?.notify_test(name).await?;
    if context.global.json {
        render::json(terminal, &tested)?;
    } else {
        let said = match &tested.detail {
            None => "taken".to_owned(),
            Some(detail) => format!("not taken: {}", clean(detail)),
        };
        writeln!(terminal.out, "{}\t{said}", clean(&tested.name))?;
    }
    Ok(if tested.taken { exit::DONE } else { exit::FAILED })
}

async fn retry(context: &Context<'_>, name: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let working = context.working().await?;
    let receiver = working.api.notify_retry(name).await?;
    if context.global.json {
        render::json(terminal, &receiver)?;
    } else {
        let name = clean(&receiver.name);
        writeln!(terminal.out, "{name}\t{} put aside", receiver.dead_letters)?;
    }
    working.tell(terminal)?;
    Ok(exit::DONE)
}
