//! What a download is taken for, and decisions on it.

use axum::Json;
use axum::extract::State;
use tracker_domain::DownloadId;
use tracker_domain::entity::CandidateId;
use tracker_wire::{CandidateDto, Page, RecognitionDto};

use crate::extract::{Caller, Parsed, ParsedPair, Seen};
use crate::openapi::{DecisionRefusals, IdRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// What a download is taken for.
///
/// `pending` while the file list is not known, with what the name of the link
/// says where it says something.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}/recognition",
    operation_id = "show_recognition",
    tag = "recognition",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "What holds now.", body = RecognitionDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<RecognitionDto>, Problem> {
    let view = shared.app.review.recognition(id).await?;
    Ok(Json(view.into()))
}

/// The works that may be meant, the best first.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}/candidates",
    operation_id = "list_candidates",
    tag = "recognition",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "All of them.", body = Page<CandidateDto>), IdRefusals)
)]
pub(crate) async fn candidates(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<Page<CandidateDto>>, Problem> {
    let page = shared.app.review.candidates(id).await?;
    Ok(Json(page.into()))
}

/// It is this work.
///
/// The choice is kept as the override `candidate`, and leads later recognitions too.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/candidates/{cid}/accept",
    operation_id = "accept_candidate",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        ("cid" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The candidate's id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "What it is taken for now.", body = RecognitionDto), DecisionRefusals)
)]
pub(crate) async fn choose(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    ParsedPair(id, candidate): ParsedPair<DownloadId, CandidateId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<RecognitionDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    let view = shared.app.review.accept(id, Some(candidate), expected, &actor).await?;
    Ok(Json(view.into()))
}

/// It is what was found.
///
/// The best candidate counts, or what the names say where there is none, or
/// where a source has not answered yet.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/recognition/accept",
    operation_id = "accept_recognition",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "What it is taken for now.", body = RecognitionDto), DecisionRefusals)
)]
pub(crate) async fn accept(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<RecognitionDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    let view = shared.app.review.accept(id, None, expected, &actor).await?;
    Ok(Json(view.into()))
}

/// It is not what was found.
///
/// Nothing is linked until somebody says what it is.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/recognition/reject",
    operation_id = "reject_recognition",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "What it is taken for now.", body = RecognitionDto), DecisionRefusals)
)]
pub(crate) async fn reject(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<RecognitionDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    let view = shared.app.review.reject(id, expected, &actor).await?;
    Ok(Json(view.into()))
}

/// Recognise it again.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/recognition/rerun",
    operation_id = "rerun_recognition",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "What it is taken for now.", body = RecognitionDto), DecisionRefusals)
)]
pub(crate) async fn rerun(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<RecognitionDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    let view = shared.app.review.rerun(id, expected, &actor).await?;
    Ok(Json(view.into()))
}
