//! What would be linked, carrying it out, undoing it, and looking at it again.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use tracker_app::{Action, ApplyRequest, FieldError, Resolution};
use tracker_domain::{BatchId, DownloadId};
use tracker_wire::{ApplyBody, BatchDto, LinkLookDto, Page, PlanDto, ResolveBody};

use crate::extract::{Caller, Change, Parsed, Seen};
use crate::openapi::{ApplyRefusals, DecisionRefusals, IdRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// What would be linked as things stand.
///
/// While it is still downloading, as if it were complete. Nothing is written.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}/plan",
    operation_id = "show_plan",
    tag = "library",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "The plan.", body = PlanDto), ApplyRefusals)
)]
pub(crate) async fn plan(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<PlanDto>, Problem> {
    Ok(Json(shared.app.library.plan(id).await?.into()))
}

/// Carry the plan out.
///
/// Of a download that is done, links of older batches that are not in it go.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/apply",
    operation_id = "apply_plan",
    tag = "library",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    request_body(content = ApplyBody, description = "May be left out."),
    responses((status = 200, description = "The batch.", body = BatchDto), ApplyRefusals)
)]
pub(crate) async fn apply(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<ApplyBody>, Problem>,
) -> Result<Json<BatchDto>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let request = shared.of_existing(id, request(change.body)).await?;
    let batch = shared.app.library.apply(id, request, change.expected, &actor).await?;
    Ok(Json(batch.into()))
}

/// Link it anew, after a correction.
///
/// The new links are made and verified before the old ones go.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/relink",
    operation_id = "relink",
    tag = "library",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "The new batch.", body = BatchDto), ApplyRefusals)
)]
pub(crate) async fn relink(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<BatchDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    Ok(Json(shared.app.library.relink(id, expected, &actor).await?.into()))
}

/// One batch.
#[utoipa::path(
    get,
    path = "/api/v1/batches/{id}",
    operation_id = "show_batch",
    tag = "library",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The batch's id.")),
    responses((status = 200, description = "The batch.", body = BatchDto), IdRefusals)
)]
pub(crate) async fn batch(
    State(shared): State<Shared>,
    Parsed(id): Parsed<BatchId>,
) -> Result<Json<BatchDto>, Problem> {
    Ok(Json(shared.app.library.batch(id).await?.into()))
}

/// Undo a batch.
///
/// Only links that still are what was linked are removed; what they replaced comes
/// back. The payload is never touched. What was undone before stays undone.
#[utoipa::path(
    post,
    path = "/api/v1/batches/{id}/undo",
    operation_id = "undo_batch",
    tag = "library",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The batch's id.")),
    responses(
        (status = 200, description = "The batch, and what Undo left.", body = BatchDto),
        DecisionRefusals
    )
)]
pub(crate) async fn undo(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<BatchId>,
) -> Result<Json<BatchDto>, Problem> {
    Ok(Json(shared.app.library.undo(id, &actor).await?.into()))
}

/// Look whether the links of a download still stand.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/verify",
    operation_id = "verify_download",
    tag = "library",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "Each link.", body = Page<LinkLookDto>), IdRefusals)
)]
pub(crate) async fn verify(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<Page<LinkLookDto>>, Problem> {
    Ok(Json(shared.app.library.verify(Some(id)).await?.into()))
}

/// Look whether any link still stands.
#[utoipa::path(
    post,
    path = "/api/v1/verify",
    operation_id = "verify_all",
    tag = "library",
    responses((status = 200, description = "Each link.", body = Page<LinkLookDto>))
)]
pub(crate) async fn verify_all(
    State(shared): State<Shared>,
) -> Result<Json<Page<LinkLookDto>>, Problem> {
    Ok(Json(shared.app.library.verify(None).await?.into()))
}

fn request(body: ApplyBody) -> Result<ApplyRequest, Problem> {
    let mut errors = Vec::new();
    let mut resolve = Vec::new();
    for (at, ResolveBody { target, action }) in body.resolve.into_iter().enumerate() {
        match action.parse::<Action>() {
            Ok(action) => resolve.push(Resolution { target: PathBuf::from(target), action }),
            Err(error) => {
                errors.push(FieldError::body(&format!("/resolve/{at}/action"), error.to_string()));
            }
        }
    }
    if errors.is_empty() {
        Ok(ApplyRequest { plan: body.plan, resolve, take: false })
    } else {
        Err(Problem::fields(errors))
    }
}
