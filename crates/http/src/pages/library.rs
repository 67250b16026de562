//! What is linked, and taking links back.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{LeftView, TitleView};
use tracker_domain::{BatchId, DownloadId};

use crate::extract::{Caller, Parsed};
use crate::pages::download;
use crate::pages::form::{Asked, Posted};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

/// How many titles a page has.
const TITLES: u32 = 60;

#[derive(Template)]
#[template(path = "library.html")]
struct Library {
    page: Page,
    titles: Vec<TitleView>,
    next: Option<String>,
}

/// The titles with links that stand, newest first.
pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let found = shared.app.library.titles(asked.id::<BatchId>("before")?, Some(TITLES)).await?;
    let page = Page::inside(&shared, reader, Place::Library).await?;
    let next = found.next.map(|id| id.to_string());
    shown(&Library { page, titles: found.items, next })
}

#[derive(Template)]
#[template(path = "undone.html")]
struct Undone {
    page: Page,
    left: Vec<LeftView>,
    download: Option<DownloadId>,
}

/// Undoes a batch. What it left is told; where nothing is left there is nothing to say.
pub(crate) async fn undo(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    Parsed(id): Parsed<BatchId>,
    form: Posted,
) -> Result<Response, Problem> {
    let batch = match shared.app.library.undo(id, &actor).await {
        Ok(batch) => batch,
        Err(error) => {
            let about = shared.app.library.batch(id).await?.download_id;
            return download::refused(&shared, reader, about, &form, error.into()).await;
        }
    };
    if batch.left.is_empty() {
        let home = batch.download_id.map_or_else(|| "/".to_owned(), |id| format!("/download/{id}"));
        let told = Told::of(Deed::Undone).many(batch.links.len()).about(batch.download_id);
        return Ok(told.after(form.back(&shared, &home)));
    }
    undone(&shared, reader, batch.left, batch.download_id).await
}

/// From the address of the form to the page of what it is about.
pub(crate) async fn home(
    State(shared): State<Shared>,
    Parsed(id): Parsed<BatchId>,
) -> Result<Redirect, Problem> {
    let about = shared.app.library.batch(id).await?.download_id;
    let home = about.map_or_else(|| "/library".to_owned(), |id| format!("/download/{id}"));
    Ok(Redirect::to(&shared.url(&home)))
}

/// What stays of links that were to go.
pub(crate) async fn undone(
    shared: &Shared,
    reader: Reader,
    left: Vec<LeftView>,
    download: Option<DownloadId>,
) -> Result<Response, Problem> {
    let page = Page::inside(shared, reader, Place::Library).await?;
    Ok(shown(&Undone { page, left, download })?.into_response())
}
