//! The journal.

use axum::Json;
use axum::extract::State;
use tracker_app::EventQuery;
use tracker_domain::EventId;
use tracker_wire::{EventDto, Page};

use crate::extract::{Params, Parsed};
use crate::openapi::{IdRefusals, ListRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// Entries of the journal, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    operation_id = "list_events",
    tag = "events",
    params(Params<EventQuery>),
    responses(
        (status = 200, description = "One page of them.", body = Page<EventDto>),
        ListRefusals
    )
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<EventQuery>,
) -> Result<Json<Page<EventDto>>, Problem> {
    let page = shared.app.journal.events(query).await?;
    Ok(Json(page.into()))
}

/// One entry of the journal.
#[utoipa::path(
    get,
    path = "/api/v1/events/{id}",
    operation_id = "show_event",
    tag = "events",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id.")),
    responses((status = 200, description = "The entry.", body = EventDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<EventId>,
) -> Result<Json<EventDto>, Problem> {
    let view = shared.app.journal.event(id).await?;
    Ok(Json(view.into()))
}
