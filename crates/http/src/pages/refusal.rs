//! A refusal, where a browser asks: what it is by its code, in the language of the page,
//! and behind that what was said of it.

use askama::Template;
use tracing::error;
use tracker_wire::Problem;

use crate::pages::shell::{Page, Place, Reader};
use crate::shared::Shared;

/// A refusal as a part of a page that goes on.
pub(crate) struct Refused {
    pub(crate) title: String,
    /// The words of the core, where it has any.
    pub(crate) detail: Option<String>,
    /// Whether they name what to correct, so that nobody should have to look for them.
    pub(crate) is_open: bool,
}

impl Refused {
    pub(crate) fn new(page: &Page, problem: &crate::problem::Problem) -> Refused {
        let body = problem.body();
        Refused {
            title: title(page, body),
            detail: problem.said(),
            is_open: !body.errors.is_empty(),
        }
    }
}

fn title(page: &Page, problem: &Problem) -> String {
    let title = page.translated(&format!("problem-{}", problem.code));
    title.unwrap_or_else(|| problem.title.clone())
}

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
    let title = title(&page, problem);
    Refusal { page, title, problem }
        .render()
        .inspect_err(|error| error!(%error, "a refusal cannot be written as a page"))
        .ok()
}
