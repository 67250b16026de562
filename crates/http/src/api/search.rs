//! Finding things by one text.

use axum::Json;
use axum::extract::State;
use tracker_wire::SearchDto;

use crate::extract::Params;
use crate::openapi::ListRefusals;
use crate::problem::Problem;
use crate::queries::SearchQuery;
use crate::shared::Shared;

/// Find works, downloads and whatever has an id.
///
/// The text is an id, an infohash, a magnet link, a pin such as `tmdb:603`, the
/// address of a page of TMDB, IMDb or TVmaze, a bare number, or a name with or
/// without a year. Sources of metadata are asked as they are; one that gives no
/// answer is named in `causes`.
#[utoipa::path(
    get,
    path = "/api/v1/search",
    operation_id = "search",
    tag = "recognition",
    params(Params<SearchQuery>),
    responses((status = 200, description = "What was found.", body = SearchDto), ListRefusals)
)]
pub(crate) async fn search(
    State(shared): State<Shared>,
    Params(query): Params<SearchQuery>,
) -> Result<Json<SearchDto>, Problem> {
    Ok(Json(shared.app.search.find(&query.text).await?.into()))
}
