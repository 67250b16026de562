//! Long work, and the copies of the database.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, Redirect};
use tracker_app::{BackupView, JobView, PageQuery};
use tracker_domain::{BackupId, JobId};

use crate::extract::{Caller, Parsed};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "jobs.html")]
struct Jobs {
    page: Page,
    jobs: Vec<JobView>,
    backups: Vec<BackupView>,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
) -> Result<Html<String>, Problem> {
    let jobs = shared.app.jobs.list(PageQuery::default()).await?.items;
    let backups = shared.app.backups.list(PageQuery::default()).await?.items;
    let page = Page::inside(&shared, reader, Place::Jobs).await?;
    shown(&Jobs { page, jobs, backups })
}

pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<JobId>,
) -> Result<Redirect, Problem> {
    shared.app.jobs.cancel(id, &actor).await?;
    Ok(Redirect::to(&shared.url("/jobs")))
}

pub(crate) async fn back_up(
    State(shared): State<Shared>,
    Caller(actor): Caller,
) -> Result<Redirect, Problem> {
    shared.app.backups.make(&actor).await?;
    Ok(Redirect::to(&shared.url("/jobs")))
}

pub(crate) async fn verify(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    Parsed(id): Parsed<BackupId>,
) -> Result<Redirect, Problem> {
    shared.app.backups.verify(Some(id), &actor).await?;
    Ok(Redirect::to(&shared.url("/jobs")))
}
