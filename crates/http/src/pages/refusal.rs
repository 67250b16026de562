//! A refusal, where a browser asks.

use askama::Template;
use tracing::error;
use tracker_wire::Problem;

use crate::pages::shell::{Page, Place, Reader};
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "refusal.html")]
struct Refusal<'a> {
    page: Page,
    title: String,
    problem: &'a Problem,
}

/// The refusal as a page. Nothing where it cannot be written: then it is told as to a
/// program, since a fault of ours must not hide another.
pub(crate) fn page(shared: &Shared, reader: Reader, problem: &Problem) -> Option<String> {
    let page = Page::outside(shared, reader, Place::Other);
    let title = page.translated(&format!("problem-{}", problem.code));
    let title = title.unwrap_or_else(|| problem.title.clone());
    Refusal { page, title, problem }
        .render()
        .inspect_err(|error| error!(%error, "a refusal cannot be written as a page"))
        .ok()
}
