//! `remembered`: what holds for every release of a group.

use serde_json::json;
use tracker_domain::entity::RememberedId;
use tracker_wire::RememberedDto;

use crate::args::RememberedCommand;
use crate::backends::Access;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Terminal, clean};

/// Lists what is remembered, or forgets one of it.
pub(crate) async fn remembered(
    context: &Context<'_>,
    command: Option<RememberedCommand>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    match command {
        None | Some(RememberedCommand::List) => list(context, terminal).await,
        Some(RememberedCommand::Forget { id }) => forget(context, &id, terminal).await,
    }
}

async fn list(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let page = context.api(Access::Read).await?.remembered().await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    render::nothing_found(terminal, page.items.len())?;
    let header = ["ID", "GROUP", "TITLE", "FIELD", "VALUE", "SAID BY"];
    let rows = page.items.into_iter().map(row).collect();
    render::table(terminal, &header, rows, Overflow::Cut)?;
    Ok(exit::DONE)
}

fn row(word: RememberedDto) -> Vec<String> {
    let RememberedDto { id, release_group, title, field, value, author, .. } = word;
    let rest = [release_group, title, field, value, author];
    std::iter::once(id).chain(rest.iter().map(|text| clean(text))).collect()
}

async fn forget(context: &Context<'_>, id: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let id: RememberedId = parse_id(id)?.typed();
    context.api(Access::Write).await?.forget(id).await?;
    if context.global.json {
        render::json(terminal, &json!({ "id": id.to_string(), "forgotten": true }))?;
    } else {
        writeln!(terminal.out, "{id}\tforgotten")?;
    }
    Ok(exit::DONE)
}
