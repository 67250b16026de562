//! The inbox: every download, ordered by who must act.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{CancelRequest, Group, GroupView, RowView};
use tracker_domain::{Attention, BatchId, DownloadId, DownloadState};

use crate::extract::Caller;
use crate::pages::form::{Asked, Posted};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

/// How many rows of one group a page of it has.
const ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "inbox.html")]
struct Inbox {
    page: Page,
    groups: Vec<Section>,
    /// Whether it is one group alone.
    is_part: bool,
}

/// One group with its words.
struct Section {
    id: &'static str,
    title: &'static str,
    empty: &'static str,
    total: Option<u64>,
    rows: Vec<RowView>,
    next: Option<DownloadId>,
}

/// The one thing that a row offers.
pub(crate) enum Act {
    Review,
    Retry,
    Undo(BatchId),
    Nothing,
}

/// What a person would most likely do with it.
pub(crate) fn action(row: &RowView) -> Act {
    let download = &row.download;
    match (download.attention, download.state) {
        (Some(Attention::NeedsReview | Attention::NoMetadata | Attention::Conflict), _) => {
            Act::Review
        }
        (Some(_), _) | (None, DownloadState::Failed | DownloadState::Cancelled) => Act::Retry,
        (None, _) => row.batch.map_or(Act::Nothing, Act::Undo),
    }
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let group = asked.get("group").and_then(named);
    let groups = match group {
        Some(group) => {
            let before = asked.id("before")?;
            vec![section(group, shared.app.inbox.page(group, before, Some(ROWS)).await?)]
        }
        None => {
            let all = shared.app.inbox.overview().await?;
            vec![
                section(Group::NeedsYou, all.needs_you),
                section(Group::Active, all.active),
                section(Group::Done, all.done),
            ]
        }
    };
    let page = Page::inside(&shared, reader, Place::Inbox).await?;
    shown(&Inbox { page, groups, is_part: group.is_some() })
}

fn named(word: &str) -> Option<Group> {
    match word {
        "needs-you" => Some(Group::NeedsYou),
        "active" => Some(Group::Active),
        "done" => Some(Group::Done),
        _ => None,
    }
}

fn section(group: Group, found: GroupView) -> Section {
    let (id, title, empty) = match group {
        Group::NeedsYou => ("needs-you", "needs-you-title", "needs-you-empty"),
        Group::Active => ("active", "active-title", "active-empty"),
        Group::Done => ("done", "done-title", "done-empty"),
    };
    Section { id, title, empty, total: found.total, rows: found.rows, next: found.next }
}

/// The same for many: what one of them refuses does not stop the others.
pub(crate) async fn bulk(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    form: Posted,
) -> Result<Response, Problem> {
    let what = form.get("do").unwrap_or_default();
    let mut refused: Option<Problem> = None;
    for id in form.ids::<DownloadId>("chosen")? {
        let outcome = match what {
            "retry" => shared.app.intake.retry(id, None, None, &actor).await.map(drop),
            "rerun" => shared.app.review.rerun(id, None, &actor).await.map(drop),
            "cancel" => {
                shared.app.intake.cancel(id, CancelRequest::default(), None, &actor).await.map(drop)
            }
            _ => Ok(()),
        };
        if let Err(error) = outcome {
            refused = Some(error.into());
        }
    }
    match refused {
        Some(problem) => Err(problem),
        None => Ok(Redirect::to(&shared.url("/")).into_response()),
    }
}
