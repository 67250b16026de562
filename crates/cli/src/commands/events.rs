//! `events`: the journal, once or as it grows.

use std::time::Duration;

use tracker_app::EventQuery;
use tracker_ident::AnyId;
use tracker_wire::EventDto;

use crate::api::Api;
use crate::args::EventArgs;
use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::journal::{self, Naming};
use crate::render;
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Stop, Terminal};

/// How often the journal is looked at while it is followed.
const PAUSE: Duration = Duration::from_secs(1);
/// How many entries come first when the journal is followed.
const FIRST: u32 = 10;
const PAGE: u32 = 200;

/// Prints one page newest first, or with `--follow` everything oldest first.
pub(crate) async fn events(
    context: &Context<'_>,
    args: EventArgs,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = |text: Option<String>| text.as_deref().map(parse_id).transpose();
    let query = EventQuery {
        entity_id: id(args.entity)?,
        types: args.types,
        download_id: id(args.download)?.map(AnyId::typed),
        job_id: id(args.job)?.map(AnyId::typed),
        limit: args.limit,
        before: id(args.before)?,
    };
    let api = context.api(Access::Read).await?;
    let as_json = context.global.json;
    if args.follow {
        return follow(&*api, query, as_json, terminal).await;
    }
    let page = api.events(query).await?;
    if as_json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    journal::events(terminal, &page.items, Naming::Named)?;
    render::nothing_found(terminal, page.items.len())?;
    render::next_page(terminal, page.next.as_deref())?;
    Ok(exit::DONE)
}

/// Looks again and again for what is newer than the last one that was printed.
/// Ids increase in the order of commits, so nothing can slip in before it.
async fn follow(
    api: &dyn Api,
    mut query: EventQuery,
    as_json: bool,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let first = query.limit.unwrap_or(FIRST);
    query.limit = Some(first);
    let mut fresh = api.events(query.clone()).await?.items;
    if !as_json {
        writeln!(terminal.err, "The last {first} come first (--limit), then what happens")?;
        journal::header(terminal)?;
        terminal.out.flush()?;
    }
    query.limit = Some(PAGE);
    let mut last = String::new();
    loop {
        for event in fresh.iter().rev() {
            print(event, as_json, terminal)?;
        }
        if let Some(newest) = fresh.first() {
            last.clone_from(&newest.id);
        }
        tokio::time::sleep(PAUSE).await;
        fresh = newer(api, &query, &last).await?;
    }
}

fn print(event: &EventDto, as_json: bool, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    if as_json {
        render::json(terminal, event)?;
        terminal.out.flush()?;
        return Ok(());
    }
    journal::event_line(terminal, event)
}

/// Everything after `last`, newest first, over as many pages as it takes.
async fn newer(api: &dyn Api, query: &EventQuery, last: &str) -> Result<Vec<EventDto>, ApiFailure> {
    let mut found = Vec::new();
    let mut query = query.clone();
    query.before = None;
    loop {
        let page = api.events(query.clone()).await?;
        let (whole, before) = (page.items.len(), found.len());
        found.extend(page.items.into_iter().take_while(|event| event.id.as_str() > last));
        let reached = found.len() - before < whole;
        match page.next {
            Some(next) if !reached => query.before = Some(parse_id(&next)?),
            _ => return Ok(found),
        }
    }
}
