//! Long work that a person or the schedule started.

use axum::Json;
use axum::extract::State;
use tracker_app::PageQuery;
use tracker_domain::JobId;
use tracker_wire::{JobDto, Page};

use crate::extract::{Caller, Params, Parsed};
use crate::openapi::{EndRefusals, IdRefusals, ListRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// Jobs, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/jobs",
    operation_id = "list_jobs",
    tag = "jobs",
    params(Params<PageQuery>),
    responses((status = 200, description = "One page of them.", body = Page<JobDto>), ListRefusals)
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<PageQuery>,
) -> Result<Json<Page<JobDto>>, Problem> {
    Ok(Json(shared.app.jobs.list(query).await?.into()))
}

/// One job.
#[utoipa::path(
    get,
    path = "/api/v1/jobs/{id}",
    operation_id = "show_job",
    tag = "jobs",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The job's id.")),
    responses((status = 200, description = "The job.", body = JobDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<JobId>,
) -> Result<Json<JobDto>, Problem> {
    Ok(Json(shared.app.jobs.show(id).await?.into()))
}

/// End a job.
///
/// One that waits ends at once, one that runs within moments. It is `failed` then, with
/// the code `cancelled`.
#[utoipa::path(
    post,
    path = "/api/v1/jobs/{id}/cancel",
    operation_id = "cancel_job",
    tag = "jobs",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The job's id.")),
    responses((status = 200, description = "The job.", body = JobDto), EndRefusals)
)]
pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<JobId>,
) -> Result<Json<JobDto>, Problem> {
    Ok(Json(shared.app.jobs.cancel(id, &actor).await?.into()))
}
