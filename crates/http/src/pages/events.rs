//! The journal.

use askama::Template;
use axum::extract::State;
use axum::response::Html;
use tracker_app::{EventQuery, EventView};
use tracker_domain::DownloadId;
use tracker_domain::event::EventType;
use tracker_ident::AnyId;

use crate::pages::form::Asked;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "events.html")]
struct Events {
    page: Page,
    events: Vec<EventView>,
    types: Vec<&'static str>,
    wanted: String,
    download: Option<DownloadId>,
    /// Whether nothing newer than the first row is left out.
    is_newest: bool,
    older: Option<String>,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let kind: Option<EventType> = asked.id("type")?;
    let wanted = kind.map(EventType::as_str).unwrap_or_default().to_owned();
    let download: Option<DownloadId> = asked.id("download")?;
    let before: Option<AnyId> = asked.id("before")?;
    let types = kind.into_iter().collect();
    let query = EventQuery { types, download_id: download, before, ..EventQuery::default() };
    let found = shared.app.journal.events(query).await?;
    let older = found.next.map(|next| {
        let of = download.map(|id| format!("&download={id}")).unwrap_or_default();
        format!("/events?type={wanted}{of}&before={next}")
    });
    let page = Page::inside(&shared, reader, Place::Events).await?;
    let mut types: Vec<_> = EventType::ALL.iter().map(|one| one.as_str()).collect();
    types.sort_unstable();
    let is_newest = before.is_none();
    shown(&Events { page, events: found.items, types, wanted, download, is_newest, older })
}
