//! Downloads: intake, the list, one, another try, giving up, taking out of the lists.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use tracker_app::{CancelRequest, DownloadQuery, IngestOptions};
use tracker_domain::DownloadId;
use tracker_wire::{
    CancelBody, DownloadDto, IngestBody, IngestDto, MoveBody, Page, PriorityBody, RemoveBody,
    RemovedDto, RetryBody,
};

use crate::body::Intake;
use crate::extract::{Caller, Change, Params, Parsed, Seen};
use crate::openapi::{ChangeRefusals, DecisionRefusals, IdRefusals, IntakeRefusals, ListRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// Hand over a magnet link, an infohash or a `.torrent` file.
///
/// An active download that owns one of its infohashes is answered instead of
/// making another. Options may stand in the body or, beside a file, in the query.
#[utoipa::path(
    post,
    path = "/api/v1/downloads",
    operation_id = "ingest_download",
    tag = "downloads",
    params(Params<IngestOptions>),
    request_body(
        description = "The link, or the bytes of the file (at most 10 MiB).",
        content(
            (IngestBody = "application/json"),
            (tracker_wire::words::TorrentFile = "application/x-bittorrent"),
        )
    ),
    responses(
        (
            status = 201,
            description = "Accepted: it is durable from here on.",
            body = IngestDto,
            headers(("Location" = String, description = "The address of the new download."))
        ),
        (status = 200, description = "There is an active one already.", body = IngestDto),
        IntakeRefusals
    )
)]
pub(crate) async fn ingest(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Intake(request): Intake,
) -> Result<Response, Problem> {
    let answer = shared.app.intake.ingest(request, &actor).await?;
    Ok(shared.ingested(answer))
}

/// The downloads, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/downloads",
    operation_id = "list_downloads",
    tag = "downloads",
    params(Params<DownloadQuery>),
    responses(
        (status = 200, description = "One page of them.", body = Page<DownloadDto>),
        ListRefusals
    )
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<DownloadQuery>,
) -> Result<Json<Page<DownloadDto>>, Problem> {
    let page = shared.app.intake.list(query).await?;
    Ok(Json(page.into()))
}

/// One download.
#[utoipa::path(
    get,
    path = "/api/v1/downloads/{id}",
    operation_id = "show_download",
    tag = "downloads",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id.")),
    responses((status = 200, description = "The download.", body = DownloadDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Json<DownloadDto>, Problem> {
    let view = shared.app.intake.show(id).await?;
    Ok(Json(view.into()))
}

/// Another try.
///
/// A failed or cancelled one is queued again. For an active one that needs
/// attention the blocked step runs again and the state stays.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/retry",
    operation_id = "retry_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    request_body = Option<RetryBody>,
    responses((status = 200, description = "The download.", body = DownloadDto), ChangeRefusals)
)]
pub(crate) async fn retry(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<RetryBody>, Problem>,
) -> Result<Json<DownloadDto>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let client = change.body.client;
    let outcome = shared.app.intake.retry(id, client, change.expected, &actor).await;
    let view = shared.of_existing(id, outcome).await?;
    Ok(Json(view.into()))
}

/// Another client for one that is queued.
///
/// Refused with 409 when it is in a client, or may be there since it was sent.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/client",
    operation_id = "move_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    request_body = MoveBody,
    responses((status = 200, description = "The download.", body = DownloadDto), ChangeRefusals)
)]
pub(crate) async fn move_to(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<MoveBody>, Problem>,
) -> Result<Json<DownloadDto>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let client = change.body.client;
    let outcome = shared.app.intake.move_to(id, client, change.expected, &actor).await;
    let view = shared.of_existing(id, outcome).await?;
    Ok(Json(view.into()))
}

/// Giving it up.
///
/// Without flags a torrent that was added here is stopped and kept, an adopted
/// one is left alone. Links in the library stay.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/cancel",
    operation_id = "cancel_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    request_body = Option<CancelBody>,
    responses((status = 200, description = "The download.", body = DownloadDto), ChangeRefusals)
)]
pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<CancelBody>, Problem>,
) -> Result<Json<DownloadDto>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let CancelBody { remove_torrent, delete_data } = change.body;
    let request = CancelRequest { remove_torrent, delete_data };
    let outcome = shared.app.intake.cancel(id, request, change.expected, &actor).await;
    let view = shared.of_existing(id, outcome).await?;
    Ok(Json(view.into()))
}

/// Taking it out of the lists.
///
/// Possible once it has ended. The row and its story stay, and it is shown again when
/// it is active again. Without flags nothing else happens; `links` undoes what stands of
/// it in libraries, and `left` tells what of that stays. What is wished of the client is
/// carried out as soon as that answers; refused with 409 where another download that is
/// active or done has the same torrent.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/remove",
    operation_id = "remove_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    request_body = Option<RemoveBody>,
    responses((status = 200, description = "The download.", body = RemovedDto), ChangeRefusals)
)]
pub(crate) async fn remove(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<RemoveBody>, Problem>,
) -> Result<Json<RemovedDto>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let request = change.body.into();
    let outcome = shared.app.removal.remove(id, request, change.expected, &actor).await;
    let removed = shared.of_existing(id, outcome).await?;
    Ok(Json(removed.into()))
}

/// Pausing it.
///
/// Its torrent is stopped in the client; one that is still queued is handed over
/// after the pause. Of one that is done, seeding stops. It is shown as `paused` at
/// once and carried out as soon as the client answers. Starting it in the client
/// ends the pause.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/pause",
    operation_id = "pause_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "The download.", body = DownloadDto), DecisionRefusals)
)]
pub(crate) async fn pause(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<DownloadDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    let view = shared.app.intake.pause(id, expected, &actor).await?;
    Ok(Json(view.into()))
}

/// Its turn.
///
/// Puts it before or after all others: it is handed over in that order, and then
/// moved in the queue of its client. Where the client has no queue, or it is off, the
/// journal says so. Possible while it is queued or downloads.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/priority",
    operation_id = "prioritise_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    request_body = PriorityBody,
    responses((status = 200, description = "The download.", body = DownloadDto), ChangeRefusals)
)]
pub(crate) async fn prioritise(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    change: Result<Change<PriorityBody>, Problem>,
) -> Result<Json<DownloadDto>, Problem> {
    let change = shared.of_existing(id, change).await?;
    let end = change.body.place.into();
    let outcome = shared.app.intake.prioritise(id, end, change.expected, &actor).await;
    let view = shared.of_existing(id, outcome).await?;
    Ok(Json(view.into()))
}

/// Letting it go on.
///
/// Ends a pause, and starts a torrent that somebody has stopped in the client.
#[utoipa::path(
    post,
    path = "/api/v1/downloads/{id}/resume",
    operation_id = "resume_download",
    tag = "downloads",
    params(
        ("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id."),
        crate::openapi::IfMatch
    ),
    responses((status = 200, description = "The download.", body = DownloadDto), DecisionRefusals)
)]
pub(crate) async fn resume(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<DownloadId>,
    seen: Result<Seen, Problem>,
) -> Result<Json<DownloadDto>, Problem> {
    let Seen(expected) = shared.of_existing(id, seen).await?;
    let view = shared.app.intake.resume(id, expected, &actor).await?;
    Ok(Json(view.into()))
}
