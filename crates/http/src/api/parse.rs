//! What a release name says.

use axum::Json;
use axum::extract::State;
use tracker_wire::ParseDto;

use crate::extract::Params;
use crate::openapi::ListRefusals;
use crate::problem::Problem;
use crate::queries::NameQuery;
use crate::shared::Shared;

/// Read a release name.
///
/// Fields that the name does not have are left out. Nothing is asked or kept.
#[utoipa::path(
    get,
    path = "/api/v1/parse",
    operation_id = "parse_name",
    tag = "recognition",
    params(Params<NameQuery>),
    responses((status = 200, description = "What it says.", body = ParseDto), ListRefusals)
)]
pub(crate) async fn parse(
    State(shared): State<Shared>,
    Params(query): Params<NameQuery>,
) -> Result<Json<ParseDto>, Problem> {
    Ok(Json(shared.app.review.parse(&query.name)?.into()))
}
