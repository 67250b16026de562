//! Every health check, as the workers saw it last.

use axum::Json;
use axum::extract::State;
use tracker_wire::HealthDto;

use crate::shared::Shared;

/// What works and what does not.
///
/// Always 200: whether the program itself is up is what `/readyz` says.
#[utoipa::path(
    get,
    path = "/api/v1/health",
    operation_id = "show_health",
    tag = "health",
    responses((status = 200, description = "Each check.", body = HealthDto))
)]
pub(crate) async fn show(State(shared): State<Shared>) -> Json<HealthDto> {
    Json(shared.app.ops.health().await.into())
}

/// Run every check now, and say what works and what does not.
///
/// It takes as long as the slowest client, source or disk does to answer.
#[utoipa::path(
    post,
    path = "/api/v1/health",
    operation_id = "run_health_checks",
    tag = "health",
    responses((status = 200, description = "Each check.", body = HealthDto))
)]
pub(crate) async fn examine(State(shared): State<Shared>) -> Json<HealthDto> {
    Json(shared.app.ops.examine().await.into())
}
