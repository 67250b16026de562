//! The routes of REST, one module a subject.

pub(crate) mod discovered;
pub(crate) mod downloads;
pub(crate) mod entities;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod probes;
pub(crate) mod stream;

use axum::Router;
use axum::routing::{get, post};

use crate::openapi;
use crate::shared::Shared;

pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/v1/downloads", get(downloads::list).post(downloads::ingest))
        .route("/api/v1/downloads/{id}", get(downloads::show))
        .route("/api/v1/downloads/{id}/retry", post(downloads::retry))
        .route("/api/v1/downloads/{id}/cancel", post(downloads::cancel))
        .route("/api/v1/discovered", get(discovered::list))
        .route("/api/v1/discovered/adopt", post(discovered::adopt))
        .route("/api/v1/events", get(events::list))
        .route("/api/v1/events/stream", get(stream::stream))
        .route("/api/v1/events/{id}", get(events::show))
        .route("/api/v1/entities/{id}", get(entities::show))
        .route("/api/v1/health", get(health::show))
        .route("/api/v1/openapi.json", get(openapi::serve))
}
