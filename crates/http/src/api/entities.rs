//! The entity of an id and its story, whatever kind it is.

use axum::Json;
use axum::extract::State;
use tracker_ident::AnyId;
use tracker_wire::EntityDto;

use crate::extract::Parsed;
use crate::openapi::IdRefusals;
use crate::problem::Problem;
use crate::shared::Shared;

/// The kind, the address and the story of any id.
///
/// What belongs to it, what happened to it, and where that stands in the log.
#[utoipa::path(
    get,
    path = "/api/v1/entities/{id}",
    operation_id = "find_entity",
    tag = "entities",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Any id.")),
    responses((status = 200, description = "The entity.", body = EntityDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<AnyId>,
) -> Result<Json<EntityDto>, Problem> {
    let mut entity = EntityDto::from(shared.app.journal.story(id).await?);
    let related = entity.related.iter_mut().map(|related| &mut related.url);
    for url in related.chain([&mut entity.url]) {
        *url = shared.url(url);
    }
    Ok(Json(entity))
}
