//! What people say about a download: hints and overrides.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use tracker_domain::DownloadId;
use tracker_domain::entity::RememberedId;
use tracker_wire::{
    AskBody, HintBody, HintDto, OverrideBody, OverrideDto, Page, RecognitionDto, RememberedDto,
};

use crate::extract::{Caller, Change, Parsed, ParsedPair, Seen};
use crate::openapi::{ChangeRefusals, FieldRefusals, IdRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// The hints, oldest first.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}/hints",
    operation_id = "list_hints",
    tag = "recognition",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "All of them.", body = Page<HintDto>), IdRefusals)
)]
pub(crate) async fn hints(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<Page<HintDto>>, Problem> {
    let page = shared.app.review.hints(id).await?;
    Ok(Json(page.into()))
}

/// Say in free text what it is.
///
/// It is recognised again. The same words twice are one hint.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/hints",
    operation_id = "add_hint",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    request_body = HintBody,
    responses(
        (status = 201, description = "The hint.", body = HintDto),
        (status = 200, description = "It was said before.", body = HintDto),
        ChangeRefusals
    )
)]
pub(crate) async fn hint(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<HintBody>, Problem>,
) -> Result<(StatusCode, Json<HintDto>), Problem> {
    let change = shared.of_existing(id, change).await?;
    let text = change.body.text;
    let (new, hint) = shared.app.review.hint(id, &text, change.expected, &actor).await?;
    let status = if new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(hint.into())))
}

/// The fields that people have set, by name.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}/overrides",
    operation_id = "list_overrides",
    tag = "recognition",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id.")),
    responses((status = 200, description = "All of them.", body = Page<OverrideDto>), IdRefusals)
)]
pub(crate) async fn overrides(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<Page<OverrideDto>>, Problem> {
    let page = shared.app.review.overrides(id).await?;
    Ok(Json(page.into()))
}

/// Set a field against what the names say.
///
/// It is recognised again, but for `library`, which only says where links go. With
/// `remember` the same holds for every release of the same group and title, as far as
/// nobody says otherwise of it.
#[utoipa::path(
    put,
    path = "/api/v1/downloads/{id}/overrides/{field}",
    operation_id = "set_override",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        ("field" = inline(tracker_wire::words::OverrideField), Path, description = "The field."),
        crate::openapi::IfMatch
    ),
    request_body = OverrideBody,
    responses((status = 200, description = "What it is set to.", body = OverrideDto), ChangeRefusals)
)]
pub(crate) async fn set_override(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    ParsedPair(id, field): ParsedPair<DownloadId, String>,
    change: Result<Change<OverrideBody>, Problem>,
) -> Result<Json<OverrideDto>, Problem> {
    let Change { body, expected } = shared.of_existing(id, change).await?;
    let (review, value) = (&shared.app.review, body.value.as_str());
    let set = match body.remember {
        true => review.set_and_remember(id, &field, value, expected, &actor).await?,
        false => review.set_override(id, &field, value, expected, &actor).await?,
    };
    Ok(Json(set.into()))
}

/// Take back what a person set.
///
/// It is recognised again. Nothing happens where the field was not set.
#[utoipa::path(
    delete,
    path = "/api/v1/downloads/{id}/overrides/{field}",
    operation_id = "remove_override",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        ("field" = inline(tracker_wire::words::OverrideField), Path, description = "The field."),
        crate::openapi::IfMatch
    ),
    responses((status = 204, description = "It is not set."), FieldRefusals)
)]
pub(crate) async fn remove_override(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    ParsedPair(id, field): ParsedPair<DownloadId, String>,
    seen: Result<Seen, Problem>,
) -> Result<StatusCode, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    shared.app.review.remove_override(id, &field, expected, &actor).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ask before it is accepted.
///
/// Nothing is accepted by itself then, of this download or of every download of its
/// title. What was accepted by itself and has no links yet is recognised again.
#[utoipa::path(
    put,
    path = "/api/v1/downloads/{id}/ask",
    operation_id = "ask_first",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    request_body = AskBody,
    responses((status = 200, description = "What it is taken for now.", body = RecognitionDto), ChangeRefusals)
)]
pub(crate) async fn ask(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<AskBody>, Problem>,
) -> Result<Json<RecognitionDto>, Problem> {
    let Change { body, expected } = shared.of_existing(id, change).await?;
    let view = shared.app.review.ask(id, body.scope.into(), expected, &actor).await?;
    Ok(Json(view.into()))
}

/// Do not ask any more.
///
/// What waits for an answer only because of the rule is recognised again. Nothing
/// happens where there is no rule.
#[utoipa::path(
    delete,
    path = "/api/v1/downloads/{id}/ask",
    operation_id = "ask_no_more",
    tag = "recognition",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The download's id."),
        crate::openapi::IfMatch
    ),
    request_body = AskBody,
    responses((status = 200, description = "What it is taken for now.", body = RecognitionDto), ChangeRefusals)
)]
pub(crate) async fn ask_no_more(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<AskBody>, Problem>,
) -> Result<Json<RecognitionDto>, Problem> {
    let Change { body, expected } = shared.of_existing(id, change).await?;
    let view = shared.app.review.ask_no_more(id, body.scope.into(), expected, &actor).await?;
    Ok(Json(view.into()))
}

/// What is remembered for the releases of groups.
///
/// By group, title and field.
#[utoipa::path(
    get,
    path = "/api/v1/remembered",
    operation_id = "list_remembered",
    tag = "recognition",
    responses((status = 200, description = "All of it.", body = Page<RememberedDto>))
)]
pub(crate) async fn remembered(
    State(shared): State<Shared>,
) -> Result<Json<Page<RememberedDto>>, Problem> {
    Ok(Json(shared.app.review.remembered().await?.into()))
}

/// Forget something that is remembered.
///
/// Downloads that took it over keep it until they are recognised again.
#[utoipa::path(
    delete,
    path = "/api/v1/remembered/{id}",
    operation_id = "forget_remembered",
    tag = "recognition",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id.")),
    responses((status = 204, description = "It is forgotten."), IdRefusals)
)]
pub(crate) async fn forget(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<RememberedId>,
) -> Result<StatusCode, Problem> {
    shared.app.review.forget(id, &actor).await?;
    Ok(StatusCode::NO_CONTENT)
}
