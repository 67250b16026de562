//! `list`: downloads, newest first.

use tracker_app::DownloadQuery;

use crate::args::ListArgs;
use crate::backends::Access;
use crate::failure::exit;
use crate::render;
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Terminal};

/// Prints one page; how to go on goes to stderr.
pub(crate) async fn list(
    context: &Context<'_>,
    args: ListArgs,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let before = args.before.as_deref().map(parse_id).transpose()?;
    let query = DownloadQuery {
        states: args.states,
        active: args.active.then_some(true),
        attention: args.attention,
        text: args.query,
        hidden: args.hidden,
        limit: args.limit,
        before: before.map(tracker_ident::AnyId::typed),
        ..DownloadQuery::default()
    };
    let page = context.api(Access::Read).await?.list(query).await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    render::downloads(terminal, &page.items)?;
    render::nothing_found(terminal, page.items.len())?;
    render::next_page(terminal, page.next.as_deref())?;
    Ok(exit::DONE)
}
