//! Tokens and sessions: for the scope `admin` alone.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use tracker_app::Page as Whole;
use tracker_domain::access::Scope;
use tracker_domain::entity::SessionId;
use tracker_wire::{Page, SessionDto, TokenBody, TokenDto, TokenMadeDto};

use crate::body::Body;
use crate::extract::{Caller, Parsed};
use crate::openapi::{IdRefusals, TokenRefusals};
use crate::problem::Problem;
use crate::shared::Shared;

/// The tokens, without their secrets.
///
/// The oldest first, those that are revoked as well.
#[utoipa::path(
    get,
    path = "/api/v1/tokens",
    operation_id = "list_tokens",
    tag = "access",
    responses((status = 200, description = "All of them.", body = Page<TokenDto>))
)]
pub(crate) async fn list(State(shared): State<Shared>) -> Result<Json<Page<TokenDto>>, Problem> {
    let items = shared.app.access.tokens().await?;
    Ok(Json(Whole { items, next: None }.into()))
}

/// Another token.
///
/// Its secret is in this answer and nowhere else.
#[utoipa::path(
    post,
    path = "/api/v1/tokens",
    operation_id = "make_token",
    tag = "access",
    request_body = TokenBody,
    responses((status = 201, description = "The token.", body = TokenMadeDto), TokenRefusals)
)]
pub(crate) async fn make(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Body(body): Body<TokenBody>,
) -> Result<(StatusCode, Json<TokenMadeDto>), Problem> {
    // The body was read with one of the words.
    let scope = body.scope.parse().unwrap_or(Scope::Read);
    let (token, secret) = shared.app.access.token_new(&body.name, scope, &actor).await?;
    Ok((StatusCode::CREATED, Json(TokenMadeDto { token: token.into(), secret })))
}

/// Takes a token out of force.
#[utoipa::path(
    delete,
    path = "/api/v1/tokens/{name}",
    operation_id = "revoke_token",
    tag = "access",
    params(("name" = String, Path, description = "Its name.")),
    responses((status = 200, description = "The token.", body = TokenDto), IdRefusals)
)]
pub(crate) async fn revoke(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(name): Parsed<String>,
) -> Result<Json<TokenDto>, Problem> {
    Ok(Json(shared.app.access.token_revoke(&name, &actor).await?.into()))
}

/// The sessions that are open, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/sessions",
    operation_id = "list_sessions",
    tag = "access",
    responses((status = 200, description = "All of them.", body = Page<SessionDto>))
)]
pub(crate) async fn sessions(
    State(shared): State<Shared>,
) -> Result<Json<Page<SessionDto>>, Problem> {
    let items = shared.app.access.sessions(None).await?;
    Ok(Json(Whole { items, next: None }.into()))
}

/// Puts an end to a session.
///
/// One that has ended stays as it is.
#[utoipa::path(
    delete,
    path = "/api/v1/sessions/{id}",
    operation_id = "revoke_session",
    tag = "access",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id.")),
    responses((status = 200, description = "The session.", body = SessionDto), IdRefusals)
)]
pub(crate) async fn end(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<SessionId>,
) -> Result<Json<SessionDto>, Problem> {
    Ok(Json(shared.app.access.session_revoke(id, &actor).await?.into()))
}
