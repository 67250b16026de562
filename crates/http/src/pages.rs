//! Pages for people: whole without a script, better with one.
//!
//! A page asks the services, puts what they say into a template, and says nothing in
//! words of its own: those come from the catalogue.

pub(crate) mod add;
pub(crate) mod assets;
pub(crate) mod download;
pub(crate) mod escape;
pub(crate) mod events;
pub(crate) mod form;
pub(crate) mod health;
pub(crate) mod inbox;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod library;
pub(crate) mod login;
pub(crate) mod poster;
pub(crate) mod preferences;
pub(crate) mod problem;
pub(crate) mod refusal;
pub(crate) mod remembered;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod shell;
pub(crate) mod stale;
pub(crate) mod told;
pub(crate) mod why;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::api;
use crate::shared::Shared;

/// Every page and every form. A form that has no page of its own leads to one, since the
/// address may stay in the browser with what was refused, and be opened again.
pub(crate) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new()
        .route("/", get(inbox::page))
        .route("/bulk", post(inbox::bulk).get(inbox::home))
        .route("/add", get(add::page).post(add::add))
        .route("/download/{id}", get(download::page))
        .route("/download/{id}/review", get(review::page).post(review::decide))
        .route("/download/{id}/{act}", post(download::act).get(download::home))
        .route("/poster/{id}", get(poster::poster))
        .route("/batches/{id}/undo", post(library::undo).get(library::home))
        .route("/library", get(library::page))
        .route("/settings", get(settings::page).post(settings::change))
        .route("/settings/keys", get(keys::page).post(keys::change))
        .route("/settings/remembered", get(remembered::page))
        .route("/settings/remembered/{id}/forget", post(remembered::forget).get(remembered::home))
        .route("/events", get(events::page))
        .route("/events/stream", get(api::stream::facts))
        .route("/jobs", get(jobs::page))
        .route("/jobs/{id}/cancel", post(jobs::cancel).get(jobs::home))
        .route("/backups", post(jobs::back_up).get(jobs::home))
        .route("/backups/{id}/verify", post(jobs::verify).get(jobs::home))
        .route("/health", get(health::page).post(health::again))
        .route("/search", get(search::page))
        .route("/why", get(why::page))
        .route("/preferences", post(preferences::set))
        .route("/manifest.webmanifest", get(assets::manifest))
        .route("/problems/{code}", get(problem::page))
        .route("/static/{name}", get(assets::asset))
        .layer(DefaultBodyLimit::max(form::MAX_SENT_BYTES))
        .merge(login::routes())
        .layer(from_fn_with_state(shared.clone(), told::hand_on))
}

/// The first page alone, at another path.
pub(crate) fn first(shared: &Shared, path: &str) -> Router<Shared> {
    Router::new()
        .route(path, get(inbox::page))
        .layer(from_fn_with_state(shared.clone(), told::hand_on))
}

#[cfg(test)]
mod tests;
