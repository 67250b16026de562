//! Receivers of messages.

use axum::Json;
use axum::extract::State;
use tracker_wire::{DeadLetterDto, NotifyTestDto, Page, ReceiverDto};

use crate::extract::{Caller, Parsed};
use crate::openapi::IdRefusals;
use crate::problem::Problem;
use crate::shared::Shared;

/// The receivers of messages, and how far each is.
///
/// In the order of the configuration. Nobody is asked but the database.
#[utoipa::path(
    get,
    path = "/api/v1/notify",
    operation_id = "list_receivers",
    tag = "notify",
    responses((status = 200, description = "All of them.", body = Page<ReceiverDto>))
)]
pub(crate) async fn list(State(shared): State<Shared>) -> Result<Json<Page<ReceiverDto>>, Problem> {
    Ok(Json(shared.app.notify.list().await?.into()))
}

/// What a receiver would not take.
///
/// The oldest entry of the journal first.
#[utoipa::path(
    get,
    path = "/api/v1/notify/{name}/dead-letters",
    operation_id = "list_dead_letters",
    tag = "notify",
    params(("name" = String, Path, description = "The receiver's name.")),
    responses(
        (status = 200, description = "All of it.", body = Page<DeadLetterDto>),
        IdRefusals
    )
)]
pub(crate) async fn dead_letters(
    State(shared): State<Shared>,
    Parsed(name): Parsed<String>,
) -> Result<Json<Page<DeadLetterDto>>, Problem> {
    Ok(Json(shared.app.notify.dead_letters(&name).await?.into()))
}

/// Send one message to a receiver now.
///
/// Its rules and quiet hours do not count, and its place in the journal stays. Answers
/// what came back, within eight seconds.
#[utoipa::path(
    post,
    path = "/api/v1/notify/{name}/test",
    operation_id = "test_receiver",
    tag = "notify",
    params(("name" = String, Path, description = "The receiver's name.")),
    responses(
        (status = 200, description = "Whether it was taken, and why not.", body = NotifyTestDto),
        IdRefusals
    )
)]
pub(crate) async fn test(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(name): Parsed<String>,
) -> Result<Json<NotifyTestDto>, Problem> {
    Ok(Json(shared.app.notify.test(&name, &actor).await?.into()))
}

/// Send again what a receiver would not take.
///
/// What waits for its next attempt is tried at once, and what was put aside after that.
/// Nothing happens where there is neither.
#[utoipa::path(
    post,
    path = "/api/v1/notify/{name}/retry",
    operation_id = "retry_receiver",
    tag = "notify",
    params(("name" = String, Path, description = "The receiver's name.")),
    responses((status = 200, description = "The receiver.", body = ReceiverDto), IdRefusals)
)]
pub(crate) async fn retry(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(name): Parsed<String>,
) -> Result<Json<ReceiverDto>, Problem> {
    Ok(Json(shared.app.notify.retry(&name, &actor).await?.into()))
}
