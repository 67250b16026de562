//! What one name says, and by which rules.

use askama::Template;
use axum::extract::State;
use axum::response::Html;
use tracker_domain::recognised::Evidence;

use crate::pages::form::Asked;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "why.html")]
struct Why {
    page: Page,
    name: String,
    evidence: Vec<Evidence>,
    refusal: Option<String>,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let name = asked.get("name").unwrap_or_default().to_owned();
    let (evidence, refusal) = match shared.app.review.parse(&name) {
        _ if name.is_empty() => (Vec::new(), None),
        Ok(found) => (found.evidence, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let page = Page::inside(&shared, reader, Place::Other).await?;
    shown(&Why { page, name, evidence, refusal })
}
