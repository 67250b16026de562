//! Finding a work or a download by its name, by a number at a source, or by a hash,
//! and anything by its id.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use tracker_app::{EntityView, SearchView};
use tracker_domain::{DownloadId, EntityKind};

use crate::pages::form::Asked;
use crate::pages::refusal::Refused;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    page: Page,
    text: String,
    found: SearchView,
    /// The download that a work is looked for.
    target: Option<Target>,
    refusal: Option<Refused>,
}

/// The download that what is found can be pinned to.
struct Target {
    id: DownloadId,
    name: String,
    revision: u64,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Response, Problem> {
    let text = asked.get("q").unwrap_or_default().to_owned();
    let target = match asked.id::<DownloadId>("for")? {
        Some(id) => {
            let view = shared.app.intake.show(id).await?;
            Some(Target { id, name: view.name, revision: view.revision })
        }
        None => None,
    };
    let (found, refusal) = match shared.app.search.find(&text).await {
        Ok(found) => (found, None),
        Err(error) => (SearchView::default(), Some(Problem::from(error))),
    };
    if let Some(entity) = &found.entity {
        return Ok(Redirect::to(&shared.url(&home_of(entity))).into_response());
    }
    let page = Page::inside(&shared, reader, Place::Search).await?;
    let status = refusal.as_ref().map(Problem::status);
    let refusal = refusal.map(|problem| Refused::new(&page, &problem));
    let answer = shown(&Search { page, text, found, target, refusal })?;
    Ok(match status {
        Some(status) => (status, answer).into_response(),
        None => answer.into_response(),
    })
}

/// The page on which an entity is seen.
fn home_of(entity: &EntityView) -> String {
    match (entity.kind, entity.download_id) {
        (EntityKind::Download, _) => format!("/download/{}", entity.id),
        (_, Some(download)) => format!("/download/{download}"),
        (EntityKind::Job | EntityKind::Backup, None) => "/jobs".to_owned(),
        (_, None) => "/events".to_owned(),
    }
}
