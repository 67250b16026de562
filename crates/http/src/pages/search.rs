//! Finding a download by its name, by a hash, and anything by its id.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use tracker_app::{DownloadQuery, DownloadView};
use tracker_domain::EntityKind;
use tracker_ident::AnyId;

use crate::pages::form::Asked;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    page: Page,
    text: String,
    downloads: Vec<DownloadView>,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Response, Problem> {
    let text = asked.get("q").unwrap_or_default().to_owned();
    if let Ok(id) = text.parse::<AnyId>()
        && let Some(path) = home_of(&shared, id).await
    {
        return Ok(Redirect::to(&shared.url(&path)).into_response());
    }
    let downloads = if text.is_empty() {
        Vec::new()
    } else {
        let query = DownloadQuery {
            text: Some(text.clone()),
            hidden: true,
            limit: Some(200),
            ..DownloadQuery::default()
        };
        shared.app.intake.list(query).await?.items
    };
    let page = Page::inside(&shared, reader, Place::Search).await?;
    Ok(shown(&Search { page, text, downloads })?.into_response())
}

/// The page on which an entity is seen.
async fn home_of(shared: &Shared, id: AnyId) -> Option<String> {
    let entity = shared.app.journal.story(id).await.ok()?.entity;
    Some(match (entity.kind, entity.download_id) {
        (EntityKind::Download, _) => format!("/download/{id}"),
        (_, Some(download)) => format!("/download/{download}"),
        (EntityKind::Job | EntityKind::Backup, None) => "/jobs".to_owned(),
        (_, None) => "/events".to_owned(),
    })
}
