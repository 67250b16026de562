//! The inbox: every download, ordered by who must act.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{CancelRequest, GroupView, InboxGroup, RowView};
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

/// Whether it is settled on the page of the review.
pub(crate) const fn is_for_review(attention: Attention) -> bool {
    matches!(attention, Attention::NeedsReview | Attention::Conflict)
}

/// What a person would most likely do with it.
pub(crate) fn action(row: &RowView) -> Act {
    let download = &row.download;
    match (download.attention, download.state) {
        (Some(attention), _) if is_for_review(attention) => Act::Review,
        (Some(_), _) | (None, DownloadState::Failed | DownloadState::Cancelled) => Act::Retry,
        (None, _) => row.batch.map_or(Act::Nothing, Act::Undo),
    }
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let group =
        InboxGroup::ALL.into_iter().find(|group| asked.get("group") == Some(group.as_str()));
    if let Some(group) = group {
        let found = shared.app.inbox.page(group, asked.id("before")?, Some(ROWS)).await?;
        let page = Page::inside(&shared, reader, Place::Inbox).await?;
        return shown(&Inbox { page, groups: vec![section(group, found)], is_part: true });
    }
    let all = shared.app.inbox.overview().await?;
    let needs_you = all.needs_you.total.unwrap_or_default();
    let groups = vec![
        section(InboxGroup::NeedsYou, all.needs_you),
        section(InboxGroup::Active, all.active),
        section(InboxGroup::Done, all.done),
    ];
    let page = Page::counting(&shared, reader, Place::Inbox, needs_you).await;
    shown(&Inbox { page, groups, is_part: false })
}

fn section(group: InboxGroup, found: GroupView) -> Section {
    let (title, empty) = match group {
        InboxGroup::NeedsYou => ("needs-you-title", "needs-you-empty"),
        InboxGroup::Active => ("active-title", "active-empty"),
        InboxGroup::Done => ("done-title", "done-empty"),
    };
    let id = group.as_str();
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
            other => return Err(Problem::unknown_act(other)),
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
