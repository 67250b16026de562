//! The probes: open to anyone, and silent about versions and paths.

use axum::extract::State;

use crate::code::Code;
use crate::openapi::NotReady;
use crate::problem::Problem;
use crate::shared::Shared;

/// It lives.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "probes",
    security(()),
    responses((status = 200, description = "It answers.", body = String, content_type = "text/plain"))
)]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// The same, under the name that dashboards of this field know.
#[utoipa::path(
    get,
    path = "/ping",
    tag = "probes",
    security(()),
    responses((status = 200, description = "It answers.", body = String, content_type = "text/plain"))
)]
pub(crate) async fn ping() -> &'static str {
    healthz().await
}

/// It is ready: the database is open and the workers run.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "probes",
    security(()),
    responses(
        (status = 200, description = "Ready.", body = String, content_type = "text/plain"),
        NotReady
    )
)]
pub(crate) async fn readyz(State(shared): State<Shared>) -> Result<&'static str, Problem> {
    if shared.app.ops.is_ready() {
        Ok("ready\n")
    } else {
        Err(Problem::new(Code::NotReady).retry_after(1))
    }
}
