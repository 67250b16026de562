//! Torrents that seed.

use axum::Json;
use axum::extract::State;
use tracker_wire::{Page, SeedingDto};

use crate::openapi::ClientRefusals;
use crate::problem::Problem;
use crate::shared::Shared;

/// Torrents of ours that are done, and what their policy would do now.
///
/// The clients are asked then and there; nothing is changed.
#[utoipa::path(
    get,
    path = "/api/v1/seeding",
    operation_id = "list_seeding",
    tag = "seeding",
    responses(
        (status = 200, description = "All of them.", body = Page<SeedingDto>),
        ClientRefusals
    )
)]
pub(crate) async fn list(State(shared): State<Shared>) -> Result<Json<Page<SeedingDto>>, Problem> {
    let page = shared.app.seeding.list().await?;
    Ok(Json(page.into()))
}
