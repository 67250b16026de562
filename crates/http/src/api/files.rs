//! The files of a download, and which of them are wanted.

use axum::Json;
use axum::extract::State;
use tracker_domain::DownloadId;
use tracker_wire::{ChooseBody, ChosenFileDto, Page};

use crate::extract::{Caller, Change, Parsed};
use crate::openapi::{ChangeRefusals, IdRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// The files of a download.
///
/// As its client lists them; none before it does.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}/files",
    operation_id = "list_files",
    tag = "downloads",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "All of them.", body = Page<ChosenFileDto>), IdRefusals)
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<Page<ChosenFileDto>>, Problem> {
    let page = shared.app.intake.files(id).await?;
    Ok(Json(page.into()))
}

/// Choose which files are wanted.
///
/// Each but those in `skip` is, whatever was chosen before. The client is told as
/// soon as it answers; what is not wanted is not waited for and not linked.
#[utoipa::path(
    put,
    path = "/api/v1/downloads/{id}/files",
    operation_id = "choose_files",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    request_body = ChooseBody,
    responses((status = 200, description = "All of them.", body = Page<ChosenFileDto>), ChangeRefusals)
)]
pub(crate) async fn choose(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<ChooseBody>, Problem>,
) -> Result<Json<Page<ChosenFileDto>>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let skip = change.body.skip.into_iter().collect();
    let outcome = shared.app.intake.choose(id, skip, change.expected, &actor).await;
    let page = shared.of_existing(id, outcome).await?;
    Ok(Json(page.into()))
}
