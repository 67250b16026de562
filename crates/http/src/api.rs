//! The routes of REST, one module a subject.

pub(crate) mod backups;
pub(crate) mod discovered;
pub(crate) mod downloads;
pub(crate) mod entities;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod library;
pub(crate) mod metrics;
pub(crate) mod notify;
pub(crate) mod parse;
pub(crate) mod probes;
pub(crate) mod recognition;
pub(crate) mod said;
pub(crate) mod search;
pub(crate) mod seeding;
pub(crate) mod stream;
pub(crate) mod tokens;

use axum::Router;
use axum::routing::{delete, get, post, put};

use crate::openapi;
use crate::shared::Shared;

pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/v1/downloads", get(downloads::list).post(downloads::ingest))
        .route("/api/v1/downloads/{id}", get(downloads::show))
        .route("/api/v1/downloads/{id}/retry", post(downloads::retry))
        .route("/api/v1/downloads/{id}/client", post(downloads::move_to))
        .route("/api/v1/downloads/{id}/cancel", post(downloads::cancel))
        .route("/api/v1/downloads/{id}/remove", post(downloads::remove))
        .route("/api/v1/downloads/{id}/pause", post(downloads::pause))
        .route("/api/v1/downloads/{id}/priority", post(downloads::prioritise))
        .route("/api/v1/downloads/{id}/resume", post(downloads::resume))
        .route("/api/v1/downloads/{id}/files", get(files::list).put(files::choose))
        .route("/api/v1/downloads/{id}/recognition", get(recognition::show))
        .route("/api/v1/downloads/{id}/recognition/accept", post(recognition::accept))
        .route("/api/v1/downloads/{id}/recognition/reject", post(recognition::reject))
        .route("/api/v1/downloads/{id}/recognition/rerun", post(recognition::rerun))
        .route("/api/v1/downloads/{id}/candidates", get(recognition::candidates))
        .route("/api/v1/downloads/{id}/candidates/{cid}/accept", post(recognition::choose))
        .route("/api/v1/downloads/{id}/hints", get(said::hints).post(said::hint))
        .route("/api/v1/downloads/{id}/ask", put(said::ask).delete(said::ask_no_more))
        .route("/api/v1/downloads/{id}/overrides", get(said::overrides))
        .route(
            "/api/v1/downloads/{id}/overrides/{field}",
            put(said::set_override).delete(said::remove_override),
        )
        .route("/api/v1/remembered", get(said::remembered))
        .route("/api/v1/remembered/{id}", delete(said::forget))
        .route("/api/v1/downloads/{id}/plan", get(library::plan))
        .route("/api/v1/downloads/{id}/apply", post(library::apply))
        .route("/api/v1/downloads/{id}/relink", post(library::relink))
        .route("/api/v1/downloads/{id}/verify", post(library::verify))
        .route("/api/v1/verify", post(library::verify_all))
        .route("/api/v1/batches/{id}", get(library::batch))
        .route("/api/v1/batches/{id}/undo", post(library::undo))
        .route("/api/v1/seeding", get(seeding::list))
        .route("/api/v1/discovered", get(discovered::list))
        .route("/api/v1/discovered/adopt", post(discovered::adopt))
        .route("/api/v1/discovered/adopt-many", post(discovered::adopt_many))
        .route("/api/v1/discovered/clients", get(discovered::clients))
        .route("/api/v1/events", get(events::list))
        .route("/api/v1/events/stream", get(stream::stream))
        .route("/api/v1/events/{id}", get(events::show))
        .route("/api/v1/entities/{id}", get(entities::show))
        .route("/api/v1/jobs", get(jobs::list))
        .route("/api/v1/jobs/{id}", get(jobs::show))
        .route("/api/v1/jobs/{id}/cancel", post(jobs::cancel))
        .route("/api/v1/backups", get(backups::list).post(backups::make))
        .route("/api/v1/backups/verify", post(backups::verify_newest))
        .route("/api/v1/backups/reconcile", post(backups::reconcile))
        .route("/api/v1/backups/{id}", get(backups::show).delete(backups::delete))
        .route("/api/v1/backups/{id}/verify", post(backups::verify))
        .route("/api/v1/health", get(health::show).post(health::examine))
        .route("/api/v1/notify", get(notify::list))
        .route("/api/v1/notify/{name}/dead-letters", get(notify::dead_letters))
        .route("/api/v1/notify/{name}/retry", post(notify::retry))
        .route("/api/v1/notify/{name}/test", post(notify::test))
        .route("/api/v1/tokens", get(tokens::list).post(tokens::make))
        .route("/api/v1/tokens/{name}", delete(tokens::revoke))
        .route("/api/v1/sessions", get(tokens::sessions))
        .route("/api/v1/sessions/{id}", delete(tokens::end))
        .route("/api/v1/parse", get(parse::parse))
        .route("/api/v1/search", get(search::search))
        .route("/api/v1/openapi.json", get(openapi::serve))
}
