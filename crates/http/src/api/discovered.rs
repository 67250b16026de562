//! Torrents in the clients that are nobody's, and taking one over.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use tracker_app::FieldError;
use tracker_domain::Infohash;
use tracker_wire::{AdoptBody, DiscoveredDto, IngestDto, Page};

use crate::body::Body;
use crate::extract::Caller;
use crate::openapi::{AdoptRefusals, ClientRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// Torrents in the clients that are nobody's.
///
/// The clients are asked then and there.
#[utoipa::path(
    get,
    path = "/api/v1/discovered",
    operation_id = "list_discovered",
    tag = "discovered",
    responses(
        (status = 200, description = "All of them.", body = Page<DiscoveredDto>),
        ClientRefusals
    )
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
) -> Result<Json<Page<DiscoveredDto>>, Problem> {
    let page = shared.app.intake.discovered().await?;
    Ok(Json(page.into()))
}

/// Take over a torrent that is in a client already.
#[utoipa::path(
    post,
    path = "/api/v1/discovered/adopt",
    operation_id = "adopt_discovered",
    tag = "discovered",
    request_body = AdoptBody,
    responses(
        (
            status = 201,
            description = "It is a download now.",
            body = IngestDto,
            headers(("Location" = String, description = "The address of the new download."))
        ),
        (status = 200, description = "There is an active one already.", body = IngestDto),
        AdoptRefusals
    )
)]
pub(crate) async fn adopt(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Body(body): Body<AdoptBody>,
) -> Result<Response, Problem> {
    let infohash = Infohash::from_any_form(&body.infohash)
        .map_err(|error| Problem::fields(vec![FieldError::body("/infohash", error.to_string())]))?;
    let answer = shared.app.intake.adopt(body.client, infohash, &actor).await?;
    Ok(shared.ingested(answer))
}
