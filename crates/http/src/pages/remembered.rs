//! What is remembered for the releases of groups, and forgetting it.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, Redirect, Response};
use tracker_app::RememberedView;
use tracker_domain::entity::RememberedId;

use crate::extract::{Caller, Parsed};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "remembered.html")]
struct Remembered {
    page: Page,
    words: Vec<RememberedView>,
}

impl Remembered {
    /// What a button is about.
    fn named(&self, word: &RememberedView) -> String {
        let RememberedView { group, title, field, .. } = word;
        format!("{group}, {title}, {}", self.page.word("field", field))
    }
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
) -> Result<Html<String>, Problem> {
    let words = shared.app.review.remembered().await?.items;
    let page = Page::inside(&shared, reader, Place::Settings).await?;
    shown(&Remembered { page, words })
}

/// Forgets one of them.
pub(crate) async fn forget(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<RememberedId>,
) -> Result<Response, Problem> {
    shared.app.review.forget(id, &actor).await?;
    Ok(Told::of(Deed::Forgotten).after(Redirect::to(&shared.url("/settings/remembered"))))
}

/// From the address of a form to its page.
pub(crate) async fn home(State(shared): State<Shared>) -> Redirect {
    Redirect::to(&shared.url("/settings/remembered"))
}
