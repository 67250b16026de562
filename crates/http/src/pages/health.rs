//! What works and what does not, with remedies.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, Redirect, Response};
use tracker_app::HealthView;

use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "health.html")]
struct Health {
    page: Page,
    health: HealthView,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
) -> Result<Html<String>, Problem> {
    let mut health = shared.app.ops.health().await;
    // The worst first; what is fine keeps its order below.
    health.checks.sort_by_key(|check| std::cmp::Reverse(check.level));
    let page = Page::inside(&shared, reader, Place::Health).await?;
    shown(&Health { page, health })
}

pub(crate) async fn again(State(shared): State<Shared>) -> Response {
    shared.app.ops.examine().await;
    Told::of(Deed::Looked).after(Redirect::to(&shared.url("/health")))
}
