//! `show`: what an id belongs to.

use tracker_domain::EntityKind;
use tracker_wire::LogDto;

use crate::backends::Access;
use crate::failure::exit;
use crate::journal::{self, Naming, words};
use crate::render::{self, Overflow};
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Terminal};

/// How many entries of the journal stand below an entity.
const EVENTS: usize = 20;

/// Shows an event in full, a download in full, and of any other entity where it is
/// found; then what belongs to it, what happened to it, and where the log tells it.
pub(crate) async fn show(context: &Context<'_>, id: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let id = parse_id(id)?;
    let api = context.api(Access::Read).await?;
    let entity = api.entity(id).await?;
    let as_json = context.global.json;
    if entity.kind == EntityKind::Event.as_str() {
        let event = api.event(id.typed()).await?;
        if as_json {
            render::json(terminal, &event)?;
            return Ok(exit::DONE);
        }
        let (data, told) = (event.data.to_string(), words(&event.data));
        let mut lines = vec![
            ("id", event.id),
            ("time", event.created_at),
            ("type", event.event_type),
            ("actor", event.actor),
            ("message", event.message),
        ];
        if !told.beside.is_empty() {
            lines.push(("says", told.beside));
        }
        lines.extend(told.below.into_iter().map(|target| ("target", target)));
        lines.extend(event.entity_kind.map(|kind| ("about", kind)));
        lines.extend(event.entity_id.map(|id| ("entity", id)));
        lines.extend(event.entity_name.map(|name| ("name", name)));
        lines.extend(event.download_id.map(|id| ("download", id)));
        lines.push(("data", data));
        render::members(terminal, &lines)?;
        return Ok(exit::DONE);
    }
    if entity.kind == EntityKind::Download.as_str() {
        let download = api.download(id.typed()).await?;
        if as_json {
            render::json(terminal, &download)?;
            return Ok(exit::DONE);
        }
        render::download(terminal, &download)?;
    } else {
        if as_json {
            render::json(terminal, &entity)?;
            return Ok(exit::DONE);
        }
        let mut lines = vec![("id", entity.id), ("kind", entity.kind)];
        lines.extend(entity.download_id.map(|id| ("download", id)));
        lines.push(("url", entity.url));
        render::members(terminal, &lines)?;
    }
    let LogDto { search, since, until } = entity.log;
    if let (Some(since), Some(until)) = (since, until) {
        let log = format!("{search}, from {since} to {until}");
        render::members(terminal, &[("in the log", log)])?;
    }
    if !entity.related.is_empty() {
        writeln!(terminal.out)?;
        let rows = entity.related.into_iter().map(|related| vec![related.kind, related.id]);
        render::table(terminal, &["RELATED", "ID"], rows.collect(), Overflow::Wrap)?;
    }
    if !entity.events.is_empty() {
        writeln!(terminal.out)?;
        let newest = &entity.events[..entity.events.len().min(EVENTS)];
        journal::events(terminal, newest.iter().rev(), Naming::Unnamed)?;
    }
    Ok(exit::DONE)
}
