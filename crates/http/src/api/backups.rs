//! Copies of the database.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use tracker_app::{JobView, PageQuery};
use tracker_domain::BackupId;
use tracker_wire::{BackupDto, JobDto, Page, ReconciledDto};

use crate::extract::{Caller, Params, Parsed};
use crate::openapi::{EndRefusals, IdRefusals, ListRefusals, TargetRefusals, TargetsRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// A job that was asked for, and where it is found.
type Asked = (StatusCode, [(HeaderName, String); 1], Json<JobDto>);

fn asked(shared: &Shared, job: JobView) -> Asked {
    let job = JobDto::from(job);
    let url = shared.url(&format!("/api/v1/jobs/{}", job.id));
    (StatusCode::ACCEPTED, [(header::LOCATION, url)], Json(job))
}

/// Backups, newest first.
///
/// Deleted ones too: their rows stay.
#[utoipa::path(
    get,
    path = "/api/v1/backups",
    operation_id = "list_backups",
    tag = "backups",
    params(Params<PageQuery>),
    responses(
        (status = 200, description = "One page of them.", body = Page<BackupDto>),
        ListRefusals
    )
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<PageQuery>,
) -> Result<Json<Page<BackupDto>>, Problem> {
    Ok(Json(shared.app.backups.list(query).await?.into()))
}

/// Make a backup.
///
/// A job does it; where one is on its way already, that one is the answer.
#[utoipa::path(
    post,
    path = "/api/v1/backups",
    operation_id = "make_backup",
    tag = "backups",
    responses(
        (
            status = 202, description = "The job that makes it.", body = JobDto,
            headers(("Location" = String, description = "Where the job is found."))
        ),
        TargetRefusals
    )
)]
pub(crate) async fn make(
    State(shared): State<Shared>,
    Caller(actor): Caller,
) -> Result<Asked, Problem> {
    let (job, _) = shared.app.backups.make(&actor).await?;
    Ok(asked(&shared, job))
}

/// One backup.
#[utoipa::path(
    get,
    path = "/api/v1/backups/{id}",
    operation_id = "show_backup",
    tag = "backups",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The backup's id.")),
    responses((status = 200, description = "The backup.", body = BackupDto), IdRefusals)
)]
pub(crate) async fn show(
    State(shared): State<Shared>,
    Parsed(id): Parsed<BackupId>,
) -> Result<Json<BackupDto>, Problem> {
    Ok(Json(shared.app.backups.show(id).await?.into()))
}

/// Delete a backup.
///
/// Its object goes, its row stays and says so.
#[utoipa::path(
    delete,
    path = "/api/v1/backups/{id}",
    operation_id = "delete_backup",
    tag = "backups",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The backup's id.")),
    responses((status = 200, description = "The backup.", body = BackupDto), TargetsRefusals)
)]
pub(crate) async fn delete(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<BackupId>,
) -> Result<Json<BackupDto>, Problem> {
    Ok(Json(shared.app.backups.delete(id, &actor).await?.into()))
}

/// Try a backup out.
///
/// A job fetches it into a temporary place and checks it as for a restore.
#[utoipa::path(
    post,
    path = "/api/v1/backups/{id}/verify",
    operation_id = "verify_backup",
    tag = "backups",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "The backup's id.")),
    responses(
        (
            status = 202, description = "The job that tries it out.", body = JobDto,
            headers(("Location" = String, description = "Where the job is found."))
        ),
        TargetsRefusals
    )
)]
pub(crate) async fn verify(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<BackupId>,
) -> Result<Asked, Problem> {
    let (job, _) = shared.app.backups.verify(Some(id), &actor).await?;
    Ok(asked(&shared, job))
}

/// Try the newest good backup out.
#[utoipa::path(
    post,
    path = "/api/v1/backups/verify",
    operation_id = "verify_newest_backup",
    tag = "backups",
    responses(
        (
            status = 202, description = "The job that tries it out.", body = JobDto,
            headers(("Location" = String, description = "Where the job is found."))
        ),
        EndRefusals, TargetRefusals
    )
)]
pub(crate) async fn verify_newest(
    State(shared): State<Shared>,
    Caller(actor): Caller,
) -> Result<Asked, Problem> {
    let (job, _) = shared.app.backups.verify(None, &actor).await?;
    Ok(asked(&shared, job))
}

/// Compare what lies at the target with the rows.
///
/// It happens by itself at the start and each hour.
#[utoipa::path(
    post,
    path = "/api/v1/backups/reconcile",
    operation_id = "reconcile_backups",
    tag = "backups",
    responses(
        (status = 200, description = "What was found and settled.", body = ReconciledDto),
        TargetRefusals
    )
)]
pub(crate) async fn reconcile(
    State(shared): State<Shared>,
    Caller(actor): Caller,
) -> Result<Json<ReconciledDto>, Problem> {
    Ok(Json(shared.app.backups.reconcile(&actor).await?.into()))
}
