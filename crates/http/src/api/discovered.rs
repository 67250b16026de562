//! Torrents in the clients that are nobody's, and taking one over.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use tracker_app::FieldError;
use tracker_domain::Infohash;
use tracker_wire::{
    AdoptBody, AdoptManyBody, AdoptedDto, AdoptionDto, DiscoveredDto, IngestDto, Page,
};

use crate::body::Body;
use crate::extract::{Caller, Params};
use crate::openapi::{AdoptRefusals, ClientRefusals, ListRefusals};
use crate::problem::Problem;
use crate::queries::ClientQuery;
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

/// What the clients have, before any of it is taken over.
///
/// Each client is asked then and there, once; one that does not answer stands
/// among the others with the reason.
#[utoipa::path(
    get,
    path = "/api/v1/discovered/clients",
    operation_id = "survey_clients",
    tag = "discovered",
    params(Params<ClientQuery>),
    responses(
        (status = 200, description = "Each client.", body = Page<AdoptionDto>),
        ListRefusals
    )
)]
pub(crate) async fn clients(
    State(shared): State<Shared>,
    Params(query): Params<ClientQuery>,
) -> Result<Json<Page<AdoptionDto>>, Problem> {
    let page = shared.app.intake.adoption(query.client).await?;
    Ok(Json(page.into()))
}

/// Take over many torrents that are in a client already.
///
/// One after the other, in their order: what keeps one from it keeps none of the
/// others, and is told beside it.
#[utoipa::path(
    post,
    path = "/api/v1/discovered/adopt-many",
    operation_id = "adopt_many_discovered",
    tag = "discovered",
    request_body = AdoptManyBody,
    responses(
        (status = 200, description = "What became of each.", body = Page<AdoptedDto>),
        AdoptRefusals
    )
)]
pub(crate) async fn adopt_many(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Body(body): Body<AdoptManyBody>,
) -> Result<Json<Page<AdoptedDto>>, Problem> {
    let infohashes = each_infohash(&body.infohashes)?;
    let page = shared.app.intake.adopt_many(body.client, infohashes, &actor).await?;
    Ok(Json(page.into()))
}

/// Everything that is wrong is said at once.
fn each_infohash(texts: &[String]) -> Result<Vec<Infohash>, Problem> {
    let mut errors = Vec::new();
    let mut found = Vec::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        match Infohash::from_any_form(text) {
            Ok(infohash) => found.push(infohash),
            Err(error) => {
                errors.push(FieldError::body(&format!("/infohashes/{at}"), error.to_string()));
            }
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(Problem::fields(errors)) }
}
