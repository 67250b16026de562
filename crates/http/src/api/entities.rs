//! Where the entity of an id is found, whatever kind it is.

use axum::Json;
use axum::extract::State;
use tracker_ident::AnyId;
use tracker_wire::EntityDto;

use crate::extract::Parsed;
use crate::openapi::IdRefusals;
use crate::problem::Problem;
use crate::shared::Shared;

/// The kind and the address of any id.
#[utoipa::path(
    get,
    path = "/api/v1/entities/{id}",
    operation_id = "find_entity",
    tag = "entities",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Any id.")),
    responses((status = 200, description = "Where it is found.", body = EntityDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<AnyId>,
) -> Result<Json<EntityDto>, Problem> {
    let mut entity = EntityDto::from(shared.app.journal.entity(id).await?);
    entity.url = shared.url(&entity.url);
    Ok(Json(entity))
}
