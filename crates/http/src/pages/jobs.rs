//! Long work, and the copies of the database.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{AppError, BackupView, JobView, PageQuery};
use tracker_domain::{BackupId, JobId};
use tracker_ident::AnyId;

use crate::extract::{Caller, Parsed};
use crate::pages::form::Asked;
use crate::pages::refusal::{Refused, is_for_its_page};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "jobs.html")]
struct Jobs {
    page: Page,
    jobs: Vec<JobView>,
    backups: Vec<BackupView>,
    refusal: Option<Refused>,
    /// Whether nothing newer than the first job is left out.
    is_newest: bool,
    older: Option<String>,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let before = asked.id("before")?;
    jobs(&shared, reader, before, None).await
}

async fn jobs(
    shared: &Shared,
    reader: Reader,
    before: Option<AnyId>,
    refusal: Option<&Problem>,
) -> Result<Html<String>, Problem> {
    let found = shared.app.jobs.list(PageQuery { before, ..PageQuery::default() }).await?;
    let (jobs, is_newest) = (found.items, before.is_none());
    let older = found.next.map(|next| format!("/jobs?before={next}"));
    let backups = shared.app.backups.list(PageQuery::default()).await?.items;
    let page = Page::inside(shared, reader, Place::Jobs).await?;
    let refusal = refusal.map(|problem| Refused::new(&page, problem));
    shown(&Jobs { page, jobs, backups, refusal, is_newest, older })
}

/// From the address of a form to its page.
pub(crate) async fn home(State(shared): State<Shared>) -> Redirect {
    Redirect::to(&shared.url("/jobs"))
}

pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    Parsed(id): Parsed<JobId>,
) -> Result<Response, Problem> {
    let done = shared.app.jobs.cancel(id, &actor).await;
    back(&shared, reader, done.map(drop), Deed::JobEnds).await
}

pub(crate) async fn back_up(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
) -> Result<Response, Problem> {
    let done = shared.app.backups.make(&actor).await;
    back(&shared, reader, done.map(drop), Deed::BackupBegun).await
}

pub(crate) async fn verify(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    Parsed(id): Parsed<BackupId>,
) -> Result<Response, Problem> {
    let done = shared.app.backups.verify(Some(id), &actor).await;
    back(&shared, reader, done.map(drop), Deed::VerifyBegun).await
}

/// Back to the page, which tells what was done or refused.
async fn back(
    shared: &Shared,
    reader: Reader,
    done: Result<(), AppError>,
    deed: Deed,
) -> Result<Response, Problem> {
    let problem: Problem = match done {
        Ok(()) => return Ok(Told::of(deed).after(Redirect::to(&shared.url("/jobs")))),
        Err(error) => error.into(),
    };
    if !is_for_its_page(&problem) {
        return Err(problem);
    }
    Ok((problem.status(), jobs(shared, reader, None, Some(&problem)).await?).into_response())
}
