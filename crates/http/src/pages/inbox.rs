//! The inbox: every download, ordered by who must act.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{CancelRequest, GroupView, InboxGroup, InboxOrder, InboxQuery, RowView};
use tracker_domain::{Attention, BatchId, DownloadId, DownloadState};
use url::form_urlencoded;

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
    /// What it can be narrowed to.
    words: Vec<Word>,
    /// The orders it can be in.
    orders: Vec<Word>,
    /// The word of both in an address, to go on with.
    chosen: String,
}

/// One word of a list.
struct Word {
    /// As an address has it.
    value: &'static str,
    /// The group of texts it is of.
    of: &'static str,
    is_chosen: bool,
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
    let Some(group) = asked.one_of("group", &InboxGroup::ALL, InboxGroup::as_str)? else {
        let all = shared.app.inbox.overview().await?;
        let needs_you = all.needs_you.total.unwrap_or_default();
        let whole = InboxQuery::default();
        let groups = vec![
            section(InboxGroup::NeedsYou, &whole, all.needs_you),
            section(InboxGroup::Active, &whole, all.active),
            section(InboxGroup::Done, &whole, all.done),
        ];
        let page = Page::counting(&shared, reader, Place::Inbox, needs_you).await;
        return shown(&Inbox { page, groups, is_part: false });
    };
    let only = asked.one_of("only", &group.words(), |word| word)?;
    let order = asked.one_of("order", &InboxOrder::ALL, InboxOrder::as_str)?.unwrap_or_default();
    let wanted = InboxQuery { order, only: only.map(str::to_owned), behind: asked.id("behind")? };
    let found = shared.app.inbox.page(group, wanted.clone(), Some(ROWS)).await?;
    let page = Page::inside(&shared, reader, Place::Inbox).await?;
    shown(&Inbox { page, groups: vec![section(group, &wanted, found)], is_part: true })
}

fn section(group: InboxGroup, wanted: &InboxQuery, found: GroupView) -> Section {
    let (title, empty, of) = match group {
        InboxGroup::NeedsYou => ("needs-you-title", "needs-you-empty", "attention"),
        InboxGroup::Active => ("active-title", "active-empty", "state"),
        InboxGroup::Done => ("done-title", "done-empty", "state"),
    };
    let empty = if wanted.only.is_some() { "none-of-these" } else { empty };
    let word = |value| Word { value, of, is_chosen: wanted.only.as_deref() == Some(value) };
    let order = |order: InboxOrder| Word {
        value: order.as_str(),
        of: "order",
        is_chosen: wanted.order == order,
    };
    let mut chosen = form_urlencoded::Serializer::new(String::new());
    chosen.append_pair("group", group.as_str()).append_pair("order", wanted.order.as_str());
    if let Some(only) = &wanted.only {
        chosen.append_pair("only", only);
    }
    Section {
        id: group.as_str(),
        title,
        empty,
        total: found.total,
        rows: found.rows,
        next: found.next,
        words: group.words().into_iter().map(word).collect(),
        orders: InboxOrder::ALL.map(order).into(),
        chosen: chosen.finish(),
    }
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
