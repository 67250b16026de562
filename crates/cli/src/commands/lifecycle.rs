//! `retry`, `move`, `priority`, `cancel`, `remove`, `pause`, `resume`, `discover`, `adopt`.

use tracker_domain::Infohash;
use tracker_domain::queue::QueueEnd;
use tracker_wire::{CancelBody, DiscoveredDto, DownloadDto, RemoveBody};

use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::render::{self, Overflow};
use crate::run::{Context, Working, parse_id};
use crate::terminal::{Outcome, Terminal, clean};

/// Another try.
pub(crate) async fn retry(
    context: &Context<'_>,
    id: &str,
    client: Option<String>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let download = services.api.retry(id.typed(), client).await?;
    changed(context, &services, &download, terminal)
}

/// Another client for a queued download.
pub(crate) async fn move_to(
    context: &Context<'_>,
    id: &str,
    client: String,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let download = services.api.move_to(id.typed(), client).await?;
    changed(context, &services, &download, terminal)
}

/// Gives a download up.
pub(crate) async fn cancel(
    context: &Context<'_>,
    id: &str,
    remove_torrent: bool,
    delete_data: bool,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let body = CancelBody { remove_torrent, delete_data };
    let services = context.working().await?;
    let download = services.api.cancel(id.typed(), body).await?;
    changed(context, &services, &download, terminal)
}

/// Takes an ended download out of the lists.
pub(crate) async fn remove(
    context: &Context<'_>,
    id: &str,
    body: RemoveBody,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let access = if body.links { Access::Links } else { Access::Write };
    let services = context.working_with(access).await?;
    let removed = services.api.remove(id.typed(), body).await?;
    if context.global.json {
        render::json(terminal, &removed)?;
    } else {
        let download = &removed.download;
        writeln!(terminal.out, "{}\t{}\tremoved", download.id, clean(&download.state))?;
        for left in &removed.left {
            writeln!(terminal.err, "left: {} ({})", clean(&left.target), clean(&left.reason))?;
        }
    }
    if body.remove_torrent {
        services.tell(terminal)?;
    }
    Ok(exit::DONE)
}

/// Puts a download before or after all others.
pub(crate) async fn prioritise(
    context: &Context<'_>,
    id: &str,
    end: QueueEnd,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let download = services.api.prioritise(id.typed(), end).await?;
    changed(context, &services, &download, terminal)
}

/// Pauses a download.
pub(crate) async fn pause(context: &Context<'_>, id: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let download = services.api.pause(id.typed()).await?;
    changed(context, &services, &download, terminal)
}

/// Lets a download go on.
pub(crate) async fn resume(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let download = services.api.resume(id.typed()).await?;
    changed(context, &services, &download, terminal)
}

/// Prints the download as it is now, and who goes on with it.
fn changed(
    context: &Context<'_>,
    services: &Working,
    download: &DownloadDto,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    if context.global.json {
        render::json(terminal, download)?;
    } else {
        let paused = if download.paused { "\tpaused" } else { "" };
        writeln!(terminal.out, "{}\t{}{paused}", download.id, clean(&download.state))?;
    }
    services.tell(terminal)?;
    Ok(exit::DONE)
}

/// Lists what is in the clients and nobody's.
pub(crate) async fn discover(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let page = context.api(Access::Read).await?.discovered().await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    render::nothing_found(terminal, page.items.len())?;
    let rows = page.items.iter().map(|item| discovered_row(item, clean(&item.name))).collect();
    render::table(terminal, &DISCOVERED, rows, Overflow::Cut)?;
    Ok(exit::DONE)
}

/// The columns of torrents that are nobody's.
pub(super) const DISCOVERED: [&str; 5] = ["CLIENT", "INFOHASH", "SIZE", "STATE", "NAME"];

/// One of them. A hash is what `adopt` takes, so it stands there whole.
pub(super) fn discovered_row(item: &DiscoveredDto, name: String) -> Vec<String> {
    let infohash = item.infohashes.first().cloned().unwrap_or_default();
    let size = item.size.map(render::size).unwrap_or_default();
    vec![item.client.clone(), infohash, size, item.state.clone(), name]
}

/// Takes over one torrent.
pub(crate) async fn adopt(
    context: &Context<'_>,
    infohash: &str,
    client: Option<String>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let infohash = parse_infohash(infohash)?;
    let services = context.working().await?;
    let answer = services.api.adopt(client, infohash).await?;
    render::ingested(terminal, context.global.json, &answer)?;
    services.tell(terminal)?;
    Ok(exit::DONE)
}

pub(super) fn parse_infohash(text: &str) -> Result<Infohash, ApiFailure> {
    Infohash::from_any_form(text.trim())
        .map_err(|error| ApiFailure::usage(format!("{text:?}: {error}")))
}
